//! The locks that long hair falls in: over an even mass lie tresses, each over one neighbour and under the other, in a bow
//! of its own, and each in a few fine points.

use std::f32::consts::TAU;

use super::mane::{LAST, Mane, POINTS};
use crate::maths::{Dice, lerp};
use crate::rig::body::skull::{angles, direction};
use crate::rig::body::strands::Strands;
use crate::rig::ground::v3::{V3, add, cos, cross, mix, mul, noise, norm, sin, ss, sub};

/// Tresses from the face to the ear, and the points that each ends in.
const TRESSES: f32 = 8.0;
const POINTED: f32 = 3.0;

/// Strands that share the light of one, and how many do for each step from the face to the ear: of the mass, of tresses.
const SHARE: u32 = 7;
const MASS: f32 = 770.0;
const GUIDES: f32 = 1050.0;

/// Hairs of the hairline, which grow back into the mass, to each side.
const HAIRLINE: usize = 1600;
/// Of those, how many share the light of one.
const BABIES: usize = 4;

/// Single hairs that left their tress, for each step from the face to the ear.
const STRAYS: f32 = 80.0;

/// One of the locks.
#[derive(Clone)]
struct Tress {
    /// Its middle where it grows, and half of how wide it is there.
    home: f32,
    half: f32,
    /// How far over its neighbours it lies, 0 to 1.
    layer: f32,
    tone: f32,
    /// How far down it ends.
    ends: f32,
    phase: f32,
    bow: f32,
}

/// What one strand is.
struct Grown {
    back: f32,
    /// How far down the surface it begins, and where it grows if that is below it.
    from: f32,
    root: Option<V3>,
    child: u32,
}

/// Everything that lies on a stretch of the surface.
pub(super) fn laid(mane: &Mane<'_>, dice: &mut Dice, into: &mut Strands) {
    let Mane { from, to, .. } = *mane;
    let cloth = Tresses { mane, all: tresses(mane, dice) };
    for _ in 0..(MASS * (to - from)) as usize {
        let back = from + (to - from) * dice.unit();
        for child in 0..SHARE {
            let apart = 0.016 * dice.normal() * f32::from(child > 0);
            let back = (back + apart).clamp(from, to);
            cloth.mass(&Grown { back, from: 0.0, root: None, child }, dice, into);
        }
    }
    for _ in 0..(GUIDES * (to - from)) as usize {
        let at = from + (to - from) * dice.unit();
        for child in 0..SHARE {
            let at = (at + 0.008 * dice.normal() * f32::from(child > 0)).clamp(from, to);
            cloth.strand(at, child, 0.0, dice, into);
        }
    }
    for _ in 0..(STRAYS * (to - from)) as usize {
        let at = from + (to - from) * dice.unit();
        cloth.strand(at, 0, dice.between(0.4, 1.0), dice, into);
    }
    if from > 0.0 {
        return;
    }
    // An edge of hair that lies on a forehead is a hood's: it has to grow out of it.
    for _ in 0..HAIRLINE / BABIES {
        let (back, from) = (0.16 * dice.unit() * dice.unit(), dice.between(0.005, 1.15 * mane.brow));
        for child in 0..BABIES as u32 {
            let from = (from + 0.03 * mane.brow * dice.normal() * f32::from(child > 0)).max(0.003);
            let low = 0.2 + 3.4 * dice.unit() * dice.unit();
            let root = Some(root(mane, back, from, low));
            cloth.mass(&Grown { back, from, root, child }, dice, into);
        }
    }
}

/// Side by side where they grow, no two of one width.
fn tresses(mane: &Mane<'_>, dice: &mut Dice) -> Vec<Tress> {
    let count = (TRESSES * (mane.to - mane.from)).round().max(1.0) as usize;
    let shares: Vec<f32> = (0..count).map(|_| dice.between(0.65, 1.35)).collect();
    let one = (mane.to - mane.from) / shares.iter().sum::<f32>();
    let long = ss(1.0, 1.9, mane.cut.fall);
    let mut edge = mane.from;
    let tress = |(at, share): (usize, &f32)| {
        let half = 0.5 * share * one;
        let home = edge + half;
        edge += 2.0 * half;
        // Every other one lies over its neighbours.
        let layer = lerp(0.0, 0.35, dice.unit()) + if at % 2 == 0 { 0.65 } else { 0.0 };
        Tress {
            home,
            half,
            layer,
            tone: dice.unit(),
            ends: 1.0 - (0.015 + 0.06 * mane.cut.layers.min(0.4)) * dice.unit() * lerp(0.1, 1.0, long),
            phase: dice.between(0.0, TAU),
            bow: dice.between(0.5, 1.0),
        }
    };
    shares.iter().enumerate().map(tress).collect()
}

/// Where a hair of the hairline grows that joins the surface there, so many degrees below it.
fn root(mane: &Mane<'_>, back: f32, from: f32, low: f32) -> V3 {
    let (p, _) = mane.place(back, from);
    let (azimuth, elevation) = angles(norm(sub(p, mane.skull.centre)));
    let d = direction(azimuth - mane.side * 1.6 * low, elevation - low);
    add(mane.skull.centre, mul(d, mane.skull.radius(d) + 0.002))
}

struct Tresses<'a> {
    mane: &'a Mane<'a>,
    all: Vec<Tress>,
}

impl Tresses<'_> {
    /// The tress that grows there.
    fn of(&self, back: f32) -> (usize, &Tress) {
        let at = self.all.iter().position(|tress| back < tress.home + tress.half).unwrap_or(self.all.len() - 1);
        (at, &self.all[at])
    }

    fn long(&self) -> f32 {
        ss(1.2, 1.9, self.mane.cut.fall)
    }

    /// How much lengths differ: of what is cut straight as well, or it is a brush's edge.
    fn uneven(&self) -> f32 {
        self.long().max(0.08)
    }

    /// How far forwards or back hair is drawn on its way down: what lies on the chest is one tail.
    fn drawn(&self, back: f32, t: f32) -> f32 {
        let drawn = back - 0.14 * self.mane.to * self.tail(back) * ss(0.5, 1.0, t) * self.long();
        // Its ends gather in one soft point.
        let gather = if self.mane.to < LAST { 0.40 * ss(0.62, 1.0, t) } else { 0.0 };
        lerp(drawn, 0.40 * self.mane.to, gather * self.long())
    }

    /// How far from the middle of the tail that lies on the chest, about -1 to 1.
    fn tail(&self, back: f32) -> f32 {
        if self.mane.to < LAST { 2.0 * back / self.mane.to - 0.9 } else { 0.0 }
    }

    /// How high hair may stand over the surface: little over the skull, less at the face.
    fn rise(&self, back: f32, at: f32, t: f32) -> f32 {
        let rise = lerp(lerp(0.10, 0.7, ss(0.2, 0.9, back)), 1.0, ss(0.0, 0.3, t));
        rise * (1.0 - 0.45 * ss(0.8, 1.0, t)) * lerp(0.35, 1.0, ss(0.0, 0.18, at))
    }

    fn spot(&self, at: f32, down: f32) -> Spot {
        let (p, out) = self.mane.place(at, down);
        Spot { at, down, p, out, beside: norm(cross(out, self.mane.tangent(at, down))) }
    }

    /// How much light comes to it: tips that are turned under are behind what they are seen with, or they are crumbs.
    fn lit(&self, t: f32) -> f32 {
        1.0 - 0.65 * ss(1.5, 2.0, self.mane.cut.turn_in) * (1.0 - self.long()) * ss(0.93, 0.98, t)
    }

    /// How much a surface leans aside that is as fine as a few hairs.
    fn fine(&self, spot: &Spot) -> f32 {
        sin(spot.at * 61.0 + 9.0 * noise([3.0 * spot.at, 2.0 * spot.down, self.mane.side]))
    }

    /// What a strand's shade is: its tress's, that of the few that stick to it, and its own.
    fn tone(&self, tress: &Tress, back: f32, dice: &mut Dice) -> f32 {
        let few = ss(0.25, 0.75, noise([44.0 * back, 3.1 * self.mane.side, 1.7]));
        0.20 + 0.15 * tress.tone + 0.20 * few + 0.25 * dice.unit()
    }

    /// A strand of the even mass under the tresses.
    fn mass(&self, grown: &Grown, dice: &mut Dice, into: &mut Strands) {
        let back = grown.back;
        let (_, tress) = self.of(back);
        let deep = dice.unit();
        let stray = Stray { far: 0.022 * dice.unit() * dice.unit() * dice.unit(), turn: dice.between(0.0, TAU) };
        let long = self.uneven();
        let ends = lerp(0.997, 0.97, long) - lerp(0.004, 0.12, long) * dice.unit() - self.layered(back);
        let (mut curve, mut faces) = (Vec::with_capacity(POINTS), Vec::with_capacity(POINTS));
        for i in 0..POINTS {
            let t = lerp(grown.from, 1.0, rooted(i));
            let spot = self.spot(self.drawn(back, t), ends * t);
            let over = (0.010 - 0.055 * deep * ss(0.0, 0.15, t)) * self.rise(back, spot.at, t);
            let p = add(spot.p, add(mul(spot.out, over), stray.at(t, &spot)));
            curve.push(grown.root.map_or(p, |root| mix(root, p, ss(0.0, 0.13, t - grown.from))));
            let lean = 0.16 * self.fine(&spot) * ss(0.02, 0.12, t);
            let hidden = lerp(1.0, 0.80 - 0.30 * deep, ss(0.05, 0.35, t) * ss(0.03, 0.15, spot.at) * ss(1.0, 0.70, t));
            faces.push(mul(spot.leaning(self.mane.side * lean), hidden * self.lit(t)));
        }
        into.each.push(if grown.root.is_some() {
            // At the hairline single hairs are seen against skin: thick or dark ones would be scratches.
            [dice.between(0.32, 0.56), dice.between(0.6, 1.0), 1.0]
        } else {
            [dice.between(0.85, 1.25), self.tone(tress, back, dice), 0.5]
        });
        into.curves.push(curve);
        into.faces.push(faces);
        into.guide.push(grown.child);
    }

    /// How much shorter hair is that frames the face.
    fn layered(&self, back: f32) -> f32 {
        // A tail is longest in its middle.
        let tail = self.tail(back);
        self.long() * (0.10 * ss(0.26, 0.0, back) + 0.10 * tail * tail)
    }

    /// A strand of the tress that grows there; `astray` of it leaves it.
    fn strand(&self, back: f32, child: u32, astray: f32, dice: &mut Dice, into: &mut Strands) {
        let (which, tress) = self.of(back);
        let lot = self.lot(which, back, astray, dice);
        let (mut curve, mut faces) = (Vec::with_capacity(POINTS), Vec::with_capacity(POINTS));
        for i in 0..POINTS {
            let (p, face) = self.point(tress, &lot, lerp(lot.begins, 1.0, rooted(i)));
            curve.push(p);
            faces.push(face);
        }
        let width = dice.between(0.85, 1.25) * lerp(1.0, 0.42, astray.min(1.0));
        into.each.push([width, self.tone(tress, back, dice), 0.5]);
        into.curves.push(curve);
        into.faces.push(faces);
        into.guide.push(child);
    }

    fn lot(&self, which: usize, back: f32, astray: f32, dice: &mut Dice) -> Lot {
        let (tress, long) = (&self.all[which], self.uneven());
        let across = ((back - tress.home) / tress.half).clamp(-1.0, 1.0);
        let third = (across + 1.0) * 0.5 * POINTED;
        let point = third.min(POINTED - 1.0) as usize as f32;
        // From the middle of its point, 0, to its edge.
        let aside = 2.0 * (third - point - 0.5);
        let chance = noise([0.37 + 7.13 * which as f32, 2.9 + 3.0 * self.mane.side, 0.61 + 5.3 * point]);
        // Its middle is its longest, and a point's is: none ends in a brush.
        let short = lerp(0.001, 0.015, long) * chance
            + lerp(0.001, 0.012, long) * aside * aside
            + lerp(0.002, 0.020, long) * across * across
            + lerp(0.003, 0.05, long) * dice.unit()
            + self.layered(back);
        Lot {
            back,
            across: across + 0.10 * dice.normal(),
            towards: ((point + 0.5) / POINTED * 2.0 - 1.0) * 0.9,
            deep: dice.unit() * dice.unit(),
            // Not all grow in one line.
            begins: 0.045 * dice.unit() * dice.unit(),
            ends: tress.ends * (1.0 - short),
            stray: Stray { far: 0.010 * dice.unit() * dice.unit() + 0.03 * astray, turn: dice.between(0.0, TAU) },
            lifted: 0.035 * astray,
        }
    }

    /// Where a strand of a tress is so far along, and which way the tress faces there.
    fn point(&self, tress: &Tress, lot: &Lot, t: f32) -> (V3, V3) {
        let (mane, long) = (self.mane, self.long());
        // Towards its end a tress parts into points, each of which is fine.
        let place = lerp(lot.across, lot.towards, 0.35 * ss(0.40, 1.0, t));
        let wide = lerp(1.0, 1.24, ss(0.06, 0.35, t)) * lerp(1.0, lerp(0.95, 0.85, long), ss(0.55, 1.0, t));
        let waves = 0.055 * mane.cut.wave.min(1.5) * ss(0.30, 0.65, t);
        // Neighbours swing nearly as one.
        let swung = 11.0 * t + 4.5 * tress.home + 0.25 * tress.phase;
        let bow = tress.bow * lerp(0.02, 0.026, long) * sin(tress.phase + 4.6 * t) * ss(0.10, 0.5, t);
        let at = tress.home + bow + waves * sin(swung) + place * wide * tress.half;
        let spot = self.spot(self.drawn(at, t).clamp(mane.from, mane.to), lot.ends * t);
        let grown = ss(0.02, 0.25, t);
        let dome = (1.0 - place * place).max(0.0);
        // The edge of what lies over is higher than the middle of what lies under it: where they cross, none comes through.
        let high = 0.11 * tress.layer + 0.062 * dome * lerp(0.4, 1.0, tress.layer);
        let over = 0.018 + grown * (high - 0.006) - 0.016 * lot.deep;
        let over = over + 0.15 * waves * (0.8 + cos(swung)) * ss(0.05, 0.3, lot.back);
        let still = tress.home + place * wide * tress.half;
        let over = over * self.rise(lot.back, still, t) + lot.lifted * ss(0.15, 0.8, t);
        let p = add(spot.p, add(mul(spot.out, over), lot.stray.at(t, &spot)));
        let lean = (0.85 * place + 0.20 * self.fine(&spot) * grown) * lerp(0.9 * grown, 1.0, ss(0.2, 0.5, t));
        // What lies under its neighbours is dark beside them, but not where it grows: that would be a seam along the fringe.
        let edge = (place * place * place * place).min(1.0) * grown * 0.5 * ss(0.2, 0.5, t);
        let beside = (1.0 - (0.50 - 0.26 * tress.layer) * edge) * (1.0 - 0.15 * (1.0 - tress.layer) * grown);
        (p, mul(spot.leaning(mane.side * lean), beside * (1.0 - 0.45 * lot.deep) * self.lit(t)))
    }
}

/// A place on the surface, which way is out there, and which way is across.
struct Spot {
    at: f32,
    down: f32,
    p: V3,
    out: V3,
    beside: V3,
}

impl Spot {
    fn leaning(&self, lean: f32) -> V3 {
        norm(add(self.out, mul(self.beside, lean)))
    }
}

/// How a strand leaves its way.
struct Stray {
    far: f32,
    turn: f32,
}

impl Stray {
    fn at(&self, t: f32, spot: &Spot) -> V3 {
        let [out, beside] = [0.5 * cos(1.7 * self.turn + 5.0 * t), sin(self.turn + 7.0 * t)];
        mul(add(mul(spot.out, out), mul(spot.beside, beside)), self.far * t)
    }
}

/// What a strand of a tress drew.
struct Lot {
    /// Where it grows, and where that is in its tress, -1 to 1; so its point is.
    back: f32,
    across: f32,
    towards: f32,
    deep: f32,
    /// Where on its way it begins, and how far down the surface it ends.
    begins: f32,
    ends: f32,
    stray: Stray,
    /// How far it is over its tress.
    lifted: f32,
}

/// Closer together at the root, where the scalp shows through.
fn rooted(point: usize) -> f32 {
    let share = point as f32 / (POINTS - 1) as f32;
    share * lerp(0.45, 1.0, ss(0.0, 0.3, share))
}

#[cfg(test)]
mod tests {
    use super::POINTS;
    use crate::rig::body::sculpt::sculpt;
    use crate::rig::body::skin::skin;
    use crate::rig::body::skull::Skull;
    use crate::rig::ground::care::Care;
    use crate::rig::ground::data::Library;
    use crate::rig::ground::v3::{V3, length};
    use crate::rig::hair::grow;
    use crate::rig::people::CAST;
    use crate::rig::people::person::{Hair, LongCut};

    /// Where strands of somebody's hair end that is worn behind that shoulder, and where each bends before it ends.
    fn ends(alias: &str, behind: f32) -> Vec<[V3; 2]> {
        let library = Library::open(&crate::tests::assets().join("avatars")).expect("the data");
        let member = CAST.iter().find(|member| member.alias == alias).expect("one of the cast");
        let body = sculpt(&library, &member.person).expect("a body");
        let skull = Skull::new(&body, &skin(&library, &body));
        let Hair::Long(cut) = member.person.hair else { panic!("{alias} has long hair") };
        let hair = grow(Hair::Long(LongCut { behind, ..cut }), &skull, &body, Care::Glance).remove(0);
        let ends = (0..hair.points.len()).filter(|&at| hair.strands()[at].along >= 1.0);
        let bends = ends.map(|at| [at, at - POINTS / 6 * 2].map(|at| hair.points[at]));
        bends.filter(|[tip, _]| tip[1] < skull.centre[1] - 1.0).collect()
    }

    fn tips(alias: &str, behind: f32) -> Vec<V3> {
        ends(alias, behind).into_iter().map(|[tip, _]| tip).collect()
    }

    #[test]
    fn a_bob_turns_under() {
        let out = |p: V3| length([p[0], 0.0, p[2]]);
        let ends = ends("mei", 0.0);
        let under = ends.iter().filter(|[tip, bend]| out(*tip) < out(*bend) - 0.035).count();
        assert!(under * 10 > ends.len() * 7, "{under} of {}", ends.len());
    }

    #[test]
    fn long_hair_ends_in_no_line() {
        let mut low: Vec<f32> = tips("nora", 0.0).iter().map(|p| p[1]).collect();
        low.sort_by(f32::total_cmp);
        let (lowest, tenth, half) = (low[0], low[low.len() / 10], low[low.len() / 2]);
        assert!(tenth - lowest > 0.10 && half - tenth > 0.15, "{lowest} {tenth} {half}");
    }

    #[test]
    fn what_is_worn_behind_a_shoulder_is() {
        let tips = tips("priya", 1.0);
        let before = |side: f32| tips.iter().filter(|p| p[0] * side > 0.3 && p[1] < 5.2 && p[2] > 0.45).count();
        assert!(before(1.0) == 0 && before(-1.0) > 100, "{} {}", before(1.0), before(-1.0));
    }
}
