//! Hair that is combed as one: a smooth shape over the head, furrowed by the comb, on which strands run side by side.
//!
//! Locks laid over each other show where each begins and ends, and look like feathers. What is combed has none of that: all
//! strands run towards one place, and what parts them are furrows that run with them. So height and furrows are told
//! by how far a point is from that place, and on which of the ways to it.

use super::groom::along;
use crate::maths::{Dice, lerp};
use crate::rig::body::skull::{Skull, angles, direction};
use crate::rig::body::strands::Strands;
use crate::rig::ground::v3::{V3, acos, add, atan2, cos, cross, dot, fbm, floor, mul, noise, norm, pow, sin, ss, sub};
use crate::rig::people::person::Hair;

/// Of every curve of hair that is combed, and of what is cut short beside it.
pub(super) const POINTS: usize = 14;

pub(crate) struct Comb {
    style: Hair,
    top: f32,
    /// Where to strands run, and two directions across.
    toward: V3,
    across: [V3; 2],
    /// The side that they run to.
    side: f32,
    /// Furrows for each radian of ways.
    furrows: f32,
    /// Half of how wide the arch of the top is, and how high the head under it.
    span: [f32; 2],
}

/// How high over the head the top runs out: over what is cut short.
const OVER: f32 = 0.056;

/// And how far its sides stand off a head where it is widest.
const WIDER: f32 = 0.062;

/// How square the arch is from temple to temple: 2 is an ellipse.
const ROUND: f32 = 2.40;

/// Strands that share the light of one.
const SHARE: u32 = 7;

/// What the comb made of a point: how high it lies of its height, which way the surface leans across, how open it
/// lies, and what its strands' shade is about.
struct Furrow {
    high: f32,
    lean: f32,
    open: f32,
    tone: f32,
}

impl Comb {
    pub(super) fn new(style: Hair, top: f32, sweep: f32, skull: &Skull) -> Self {
        let toward = norm([0.62 * sweep, 0.02, -0.80]);
        let over = norm(along([0.0, 0.7, 0.7], toward));
        let wide = 0.5 * (skull.radius(direction(90.0, 0.0)) + skull.radius(direction(-90.0, 0.0)));
        let span = [wide + WIDER, skull.radius([0.0, 1.0, 0.0])];
        Self { style, top, toward, across: [over, cross(toward, over)], side: sweep.signum(), furrows: 5.0, span }
    }

    /// Of hair that is tied, all of which runs to its knot.
    pub(crate) fn tied(style: Hair, toward: V3) -> Self {
        let over = norm(along([0.0, 0.3, 0.9], toward));
        Self { style, top: 0.0, toward, across: [over, cross(toward, over)], side: 1.0, furrows: 5.0, span: [1.0; 2] }
    }

    /// Furrows what lies on the head already, `high` from ridge to ground.
    pub(super) fn furrowed(&self, high: f32, skull: &Skull, all: &mut Strands) {
        all.faces.clear();
        for (curve, each) in all.curves.iter_mut().zip(&mut all.each) {
            let mut faces = Vec::with_capacity(curve.len());
            for p in curve.iter_mut() {
                let d = norm(sub(*p, skull.centre));
                let (_, way) = self.place(d);
                let furrow = self.furrow(d, way);
                // Out of an even edge.
                let rise = ss(1.0, 16.0, self.above(d));
                let deep = rise * Self::faces_us(d);
                let side = norm(cross(self.toward, d));
                *p = add(*p, mul(d, high * (furrow.high - 0.75) * deep));
                faces.push(mul(
                    norm(add(d, mul(side, 0.5 * furrow.lean * rise))),
                    lerp(0.85, 0.63 + 0.3 * furrow.open, rise),
                ));
            }
            let d = norm(sub(curve[curve.len() / 2], skull.centre));
            each[1] = lerp(each[1], self.furrow(d, self.place(d).1).tone, 0.2);
            all.faces.push(faces);
        }
    }

    fn above(&self, d: V3) -> f32 {
        let (azimuth, elevation) = angles(d);
        elevation - self.style.line(azimuth)
    }

    /// How much of a furrow's depth is seen as such: across an outline it would be a row of steps.
    fn faces_us(d: V3) -> f32 {
        ss(0.05, 0.50, d[2])
    }

    /// How much of what grows here is of the top.
    pub(super) fn crown(&self, d: V3) -> f32 {
        let (azimuth, elevation) = angles(d);
        let to_side = d[0] * self.side;
        let high = ss(8.0, 36.0, elevation + 10.0 * ss(0.0, 0.6, to_side));
        // Over the forehead it is combed up from the very hairline.
        let front = ss(54.0, 36.0, azimuth.abs()) * ss(-7.0, 3.0, self.above(d));
        // What is beyond the parting is cut like the sides.
        let parted = ss(-0.68, -0.46, to_side - 0.25 * ss(-0.2, -0.7, d[2]));
        high.max(front) * parted
    }

    /// Which way the top goes from a place; away from the face where it is parted.
    pub(super) fn flow(&self, d: V3) -> V3 {
        let parted = ss(-0.55, -0.40, d[0] * self.side);
        let beyond = [-0.8 * self.side, 0.3, -0.8];
        norm(along(add(mul(self.toward, parted), mul(beyond, 1.0 - parted)), d))
    }

    /// Whether a place is below the hairline, where hair would hang into the face.
    pub(super) fn in_face(&self, d: V3) -> bool {
        angles(d).0.abs() < 60.0 && self.above(d) < -2.0
    }

    fn height(&self, skull: &Skull, d: V3) -> f32 {
        let front = ss(80.0, 10.0, angles(d).0.abs()) * ss(-0.1, 0.7, d[2]);
        let full = self.full(front);
        // Neither where it runs to, over what is cut short, nor at the parting does it end in a step.
        let over = self.crown(d).max(ss(-0.1, 0.3, d[0] * self.side)).max(0.86 * self.rises(d));
        lerp(OVER, self.rounded(skull, d, full), over)
    }

    /// How far what is cut short stands off, for the same arch: from the temples up, and beyond the parting nearly as far as
    /// the top does.
    pub(super) fn lift(&self, skull: &Skull, d: V3) -> f32 {
        let rises = self.rises(d);
        if rises <= 0.0 {
            return 0.0;
        }
        0.50 * (self.rounded(skull, d, self.full(0.0)) - OVER) * rises * ss(0.9, 0.3, self.crown(d))
    }

    /// How high the top lies in the middle, `front` being how much a place is of what is over the forehead.
    fn full(&self, front: f32) -> f32 {
        0.05 + 0.50 * self.top * lerp(0.58, 1.05, front)
    }

    /// How much of it stands off: nothing at the ears and at the hairline.
    fn rises(&self, d: V3) -> f32 {
        ss(-24.0, 14.0, angles(d).1) * ss(2.0, 16.0, self.above(d))
    }

    /// How high hair lies that is so high in the middle: seen from in front the top is one arch from temple to temple. A
    /// head is not: what is as high everywhere, or runs out at once, makes a cone of it.
    fn rounded(&self, skull: &Skull, d: V3, full: f32) -> f32 {
        let flat = norm([d[0], d[1].max(0.0), 0.0]);
        let [x, y] = [flat[0].abs() / self.span[0], flat[1] / (self.span[1] + full)];
        let arch = pow(pow(x, ROUND) + pow(y, ROUND), -1.0 / ROUND);
        let share = (d[0] * d[0] + d[1] * d[1]).sqrt();
        lerp(full, (arch - skull.radius(flat)).clamp(OVER, 1.4 * full), ss(0.2, 0.7, share))
    }

    /// How far from where strands run to, and on which way.
    pub(crate) fn place(&self, d: V3) -> (f32, f32) {
        let [a, b] = self.across;
        (acos(dot(d, self.toward).clamp(-0.9999, 0.9999)), atan2(dot(d, b), dot(d, a)))
    }

    fn direction(&self, far: f32, way: f32) -> V3 {
        let way = way + 0.10 * sin(2.1 * far + 1.7 * way);
        let [a, b] = self.across;
        let out = add(mul(a, cos(way)), mul(b, sin(way)));
        norm(add(mul(self.toward, cos(far)), mul(out, sin(far))))
    }

    fn furrow(&self, d: V3, way: f32) -> Furrow {
        let x = way * self.furrows + 2.0 * (fbm(mul(d, 1.6), 2) - 0.4);
        let cell = floor(x) as f32;
        let place = 2.0 * (x - cell) - 1.0;
        let chance = noise([0.37 + 7.13 * cell, 2.9, 0.61]);
        let (wide, fine) = (place * place, sin(way * 47.0 + 9.0 * noise(mul(d, 2.3))));
        let deep = lerp(0.45, 1.0, chance);
        Furrow {
            high: 1.0 - 0.58 * deep * wide + 0.03 * fine,
            lean: 1.4 * deep * place + 0.16 * fine,
            open: 1.0 - 0.80 * deep * wide * wide,
            tone: (0.618_034 * cell).rem_euclid(1.0),
        }
    }

    /// Adds the strands of the top.
    pub(super) fn over(&self, skull: &Skull, dice: &mut Dice, into: &mut Strands) {
        let roots = super::roots::roots(self.style, 9000, 1.2, dice);
        for root in roots.iter().filter(|root| self.crown(root.d) > 0.35) {
            let (far, way) = self.place(root.d);
            // On the other side of where all ways begin they lead through the face.
            if (1..5).any(|at| self.in_face(self.direction((far - 0.05 * at as f32).max(0.05), way))) {
                continue;
            }
            for child in 0..SHARE {
                self.strand(root.d, child, skull, dice, into);
            }
        }
    }

    fn strand(&self, root: V3, child: u32, skull: &Skull, dice: &mut Dice, into: &mut Strands) {
        let (far, way) = self.place(root);
        let apart = dice.normal() * f32::from(child > 0);
        let way = way + 0.022 * apart / sin(far).max(0.2);
        let far = (far + 0.02 * dice.normal() * f32::from(child > 0)).min(3.1);
        let deep = dice.unit() * dice.unit();
        let long = (0.75 + 1.5 * self.top) * dice.between(0.75, 1.25);
        let (stray, phase) = (0.010 * dice.unit() * dice.unit(), dice.between(0.0, std::f32::consts::TAU));
        let (ends, loose) = (dice.between(0.02, 0.70), dice.normal());
        // Beside the parting they stand up at once: a valley there would cut what is beyond it off.
        let upright = lerp(0.07, 0.24, ss(-0.55, -0.20, root[0] * self.side));
        let mut curve: Vec<V3> = Vec::with_capacity(POINTS);
        let mut faces = Vec::with_capacity(POINTS);
        let (mut at, mut ended) = (far, false);
        let step = long / (POINTS - 1) as f32;
        for i in 0..POINTS {
            let gone = i as f32 * step;
            let d = self.direction(at.max(0.05), way);
            ended |= i > 2 && (self.crown(d) < ends || at < 0.08) || i > 0 && self.in_face(d);
            if ended && let (Some(&last), Some(&face)) = (curve.last(), faces.last()) {
                curve.push(add(last, mul(self.toward, 1e-4)));
                faces.push(face);
                continue;
            }
            let furrow = self.furrow(d, way);
            let rise = ss(0.0, upright, gone);
            let loose = 1.0 + 0.03 * ss(0.5, 1.0, gone / long) * loose;
            // Where it runs out over the sides furrows end: they would be lobes there.
            let full = self.height(skull, d);
            let high = lerp(0.92, furrow.high, Self::faces_us(d));
            let over = (full.min(OVER) + (full - OVER).max(0.0) * high) * (1.0 - 0.40 * deep) * rise * loose;
            let q = skull.radius(d) + over;
            let side = norm(cross(self.toward, d));
            let p = add(skull.centre, mul(d, q));
            curve.push(add(p, mul(side, stray * sin(phase + 6.0 * gone) * rise)));
            let open = furrow.open * (1.0 - 0.3 * deep);
            faces.push(mul(norm(add(d, mul(side, furrow.lean * rise))), open));
            at -= step / q;
        }
        let above = self.above(root);
        let tone = self.furrow(root, way).tone;
        into.each.push([
            dice.between(0.8, 1.2) * lerp(0.38, 1.0, ss(0.0, 6.0, above)),
            lerp(dice.unit(), tone, 0.70).clamp(0.0, 1.0),
            ss(7.0, 1.0, above).max(0.6),
        ]);
        into.curves.push(curve);
        into.faces.push(faces);
        into.guide.push(child);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::body::sculpt::sculpt;
    use crate::rig::body::skin::skin;
    use crate::rig::ground::data::Library;
    use crate::rig::people::CAST;

    /// Seen from in front: from one temple over the top to the other, how far out the top, or what lies under its end, is.
    fn outline(alias: &str) -> Vec<V3> {
        let library = Library::open(&crate::tests::assets().join("avatars")).expect("the data");
        let person = &CAST.iter().find(|member| member.alias == alias).expect("of the cast").person;
        let Hair::Short { top, sweep, .. } = person.hair else { panic!("{alias} has short hair") };
        let body = sculpt(&library, person).expect("a body");
        let skull = Skull::new(&body, &skin(&library, &body));
        let comb = Comb::new(person.hair, top, sweep, &skull);
        let at = |degrees: u8| {
            let angle = f32::from(degrees).to_radians();
            let d = [cos(angle), sin(angle), 0.0];
            mul(d, skull.radius(d) + comb.height(&skull, d).max(OVER + comb.lift(&skull, d)))
        };
        (15..=165).step_by(5).map(at).collect()
    }

    #[test]
    fn short_hair_is_one_arch_from_temple_to_temple() {
        for alias in ["david", "kenji", "ravi", "tom", "grace"] {
            let outline = outline(alias);
            let far = |p: &V3| (p[0] * p[0] + p[1] * p[1]).sqrt();
            for pair in outline.windows(2) {
                let step = (far(&pair[1]) - far(&pair[0])).abs();
                assert!(step < 0.02, "{alias} has a step of {step} at {:?}", pair[0]);
            }
        }
    }
}
