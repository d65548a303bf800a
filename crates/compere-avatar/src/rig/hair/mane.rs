//! Long hair combed as one: from the parting over the head, past the face, down to its ends.
//!
//! Everything hangs on one surface to each side of the parting, told by how far back a strand grows and how far down it is.
//! Furrows run with the strands and part them into locks, which gather towards their ends. What reaches the shoulders falls
//! before them or behind, and the surface is in two there.

use super::groom::{Drape, resampled};
use super::locks::{Cover, Lock, cover};
use crate::maths::{Dice, lerp};
use crate::rig::body::skull::{Skull, angles, direction};
use crate::rig::body::strands::Strands;
use crate::rig::ground::curve::relaxed;
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::v3::{V3, add, cos, cross, dot, floor, interp, length, mix, mul, noise, norm, sin, ss, sub};
use crate::rig::people::person::{Hair, LongCut};

/// The foremost strands grow at 0, those over the ear at 1, and those at the middle of the neck here.
const LAST: f32 = 2.0;
/// Where what is longer than to the shoulders falls to one side of them or the other.
const SHOULDER: f32 = 1.12;
/// Hair that ends above this much below the eyes does not reach them.
const SHORT: f32 = 1.5;
const COLUMNS: usize = 48;
/// Of a curve of hair that hangs.
pub(super) const POINTS: usize = 36;

/// Locks from the face to the ear, and finer ones.
const LOCKS: f32 = 6.5;
const FINE: f32 = 31.0;

/// Rolls from the face to the ear that lie over the rest.
const TRESSES: f32 = 5.5;

/// Strands that share the light of one, and how many do for each step from the face to the ear.
const SHARE: u32 = 7;
const GUIDES: f32 = 1500.0;

/// A stretch of the surface.
pub(super) struct Mane<'a> {
    cut: LongCut,
    skull: &'a Skull,
    side: f32,
    from: f32,
    to: f32,
    columns: Vec<Vec<V3>>,
}

/// Hairs of the hairline, which grow back into the mass, to each side.
const HAIRLINE: usize = 900;

/// What one strand is.
struct Grown {
    back: f32,
    /// How far down the surface it begins, and where it grows if that is below it.
    from: f32,
    root: Option<V3>,
    child: u32,
}

/// Where a strand is among the others of its lock.
struct Among {
    /// The lock's middle.
    middle: f32,
    /// From one edge, -1, to the other.
    place: f32,
    chance: f32,
    tone: f32,
}

/// All of it, to both sides.
pub(super) fn mane(style: Hair, cut: LongCut, skull: &Skull, drape: &Drape, dice: &mut Dice, into: &mut Strands) {
    into.faces.resize(into.curves.len(), Vec::new());
    let whole = [(0.0, LAST)];
    let parted = [(0.0, SHOULDER), (SHOULDER, LAST)];
    let parts: &[(f32, f32)] = if cut.fall < SHORT { &whole } else { &parted };
    for side in [-1.0, 1.0] {
        for &(from, to) in parts {
            let mane = Mane::new(style, cut, skull, drape, side, (from, to));
            mane.over(dice, into);
            cover(&mane.tresses(dice), &Cover { strands: 420, frizz: 0.012, uneven: 0.10 }, skull.centre, dice, into);
        }
    }
}

impl<'a> Mane<'a> {
    fn new(style: Hair, cut: LongCut, skull: &'a Skull, drape: &Drape, side: f32, (from, to): (f32, f32)) -> Self {
        let column = |at: usize| {
            let back = lerp(from, to, at as f32 / (COLUMNS - 1) as f32);
            let passes = Passes { style, cut, skull, side, back, before: to <= SHOULDER };
            let mut line = resampled(&through(&passes.all()), POINTS, 1.0);
            // On a cheek a wave would go behind it and leave a notch.
            let sways = 1.5 * cut.wave * ss(0.05, 0.7, back);
            swing(&mut line, 1.9 * noise([2.2 * back, 3.1 * side, 0.4]), sways, skull.centre);
            line.iter_mut().for_each(|p| *p = drape.lift(*p, 0.11 + 0.05 * (1.0 - back).max(0.0)));
            relaxed(&mut line, 6);
            line.iter_mut().for_each(|p| *p = passes.off_the_face(*p));
            relaxed(&mut line, 2);
            line
        };
        Self { cut, skull, side, from, to, columns: (0..COLUMNS).map(column).collect() }
    }

    /// A place on the surface, and which way is out there.
    fn place(&self, back: f32, down: f32) -> (V3, V3) {
        let share = (back - self.from) / (self.to - self.from);
        let (x, y) = (
            (share * (COLUMNS - 1) as f32).clamp(0.0, COLUMNS as f32 - 1.001),
            (down * (POINTS - 1) as f32).clamp(0.0, POINTS as f32 - 1.001),
        );
        let (i, k) = (x as usize, y as usize);
        let at = |i: usize, k: usize| self.columns[i][k];
        let on = |i: usize| mix(at(i, k), at(i, k + 1), y - k as f32);
        let p = mix(on(i), on(i + 1), x - i as f32);
        let (left, right) = (i.saturating_sub(2), (i + 3).min(COLUMNS - 1));
        let across = sub(at(right, k + 1), at(left, k + 1));
        let along = sub(at(i, (k + 2).min(POINTS - 1)), at(i, k.saturating_sub(1)));
        let out = norm(cross(across, along));
        let away = sub(p, self.skull.centre);
        let away = norm([away[0], away[1].max(0.0), away[2]]);
        let out = if dot(out, away) < 0.0 { mul(out, -1.0) } else { out };
        // At the parting both sides face as the head does, or there is a light side and a dark one.
        (p, norm(add(mul(out, ss(0.0, 0.2, down)), mul(away, 0.5))))
    }

    fn among(&self, back: f32, down: f32) -> Among {
        let x = back * LOCKS + 0.7 * noise([1.7 * back, 1.8 * down, 7.7 + self.side]) + 20.0;
        let cell = floor(x) as f32;
        Among {
            middle: back + (cell + 0.5 - x) / LOCKS,
            place: 2.0 * (x - cell) - 1.0,
            chance: noise([0.37 + 7.13 * cell, 2.9 + 3.0 * self.side, 0.61]),
            tone: (0.618_034 * cell + 0.2 * self.side).rem_euclid(1.0),
        }
    }

    fn over(&self, dice: &mut Dice, into: &mut Strands) {
        let range = self.to - self.from;
        for _ in 0..(GUIDES * range) as usize {
            let back = self.from + range * dice.unit();
            for child in 0..SHARE {
                let apart = 0.016 * dice.normal() * f32::from(child > 0);
                let back = (back + apart).clamp(self.from, self.to);
                self.strand(&Grown { back, from: 0.0, root: None, child }, dice, into);
            }
        }
        if self.from > 0.0 {
            return;
        }
        // An edge of hair that lies on a forehead is a hood's: it has to grow out of it.
        for _ in 0..HAIRLINE {
            let (back, from) = (0.16 * dice.unit() * dice.unit(), dice.between(0.005, 0.44));
            let low = 0.3 + 2.4 * dice.unit() * dice.unit();
            let root = Some(self.root(back, from, low));
            self.strand(&Grown { back, from, root, child: 0 }, dice, into);
        }
    }

    /// Where a hair of the hairline grows that joins the surface there, so many degrees below it.
    fn root(&self, back: f32, from: f32, low: f32) -> V3 {
        let (p, _) = self.place(back, from);
        let (azimuth, elevation) = angles(norm(sub(p, self.skull.centre)));
        let d = direction(azimuth - self.side * 0.3 * low, elevation - low);
        add(self.skull.centre, mul(d, self.skull.radius(d) + 0.002))
    }

    fn strand(&self, grown: &Grown, dice: &mut Dice, into: &mut Strands) {
        let back = grown.back;
        let deep = dice.unit() * dice.unit();
        let stray = 0.022 * dice.unit() * dice.unit() * dice.unit();
        let phase = dice.between(0.0, std::f32::consts::TAU);
        let home = self.among(back, 0.8);
        let middle = home.middle.clamp(self.from, self.to);
        let long = ss(1.2, 1.9, self.cut.fall);
        // Behind the neck nothing may part.
        let tress = if self.to < LAST { 2.0 * back / self.to - 0.9 } else { 0.0 };
        // Some hang between the locks, or those are fringes of a carpet.
        let loose = f32::from(dice.unit() < 0.4);
        let gathered = (0.12 + 0.22 * self.cut.locks * long) * ss(1.5, 0.9, back) * (1.0 - 0.85 * loose);
        // A lock's middle is its longest: it ends round.
        let ends = 1.0
            - (0.02 + 0.22 * self.cut.layers.min(0.4)) * home.chance * lerp(0.4, 1.0, long)
            - 0.05 * long * tress * tress
            - lerp(0.012, 0.05, long) * home.place * home.place
            - lerp(0.025, 0.085, long) * dice.unit() * lerp(dice.unit(), 1.0, loose);
        let (mut curve, mut faces) = (Vec::with_capacity(POINTS), Vec::with_capacity(POINTS));
        for i in 0..POINTS {
            // Closer together at the root, where the scalp shows through.
            let share = i as f32 / (POINTS - 1) as f32;
            let t = lerp(grown.from, 1.0, share * lerp(0.45, 1.0, ss(0.0, 0.3, share)));
            let down = ends * t;
            let at = lerp(back, middle, gathered * ss(0.55, 1.0, t) * ss(0.55, 1.0, t));
            // What lies on the chest is one tress.
            let at = at - 0.09 * self.to * tress * ss(0.6, 1.0, t);
            let among = self.among(at, down);
            let wide = among.place * among.place;
            let parted = lerp(0.45, 1.0, among.chance) * lerp(0.75 * ss(0.02, 0.12, t), 1.0, ss(0.2, 0.5, t));
            let fine = sin(at * FINE + 9.0 * noise([3.0 * at, 2.0 * down, self.side])) * ss(0.02, 0.12, t);
            let (p, out) = self.place(at, down);
            let rise = lerp(lerp(0.10, 0.7, ss(0.2, 0.9, back)), 1.0, ss(0.0, 0.12, t));
            let over = (0.075 - 0.050 * parted * wide + 0.008 * fine - 0.045 * deep) * rise;
            let over = over * (1.0 - 0.55 * ss(0.75, 1.0, t)) * lerp(0.35, 1.0, ss(0.0, 0.18, at));
            let beside = norm(cross(out, self.tangent(at, down)));
            let wander = stray * t * sin(phase + 7.0 * t);
            let p = add(p, add(mul(out, over + 0.5 * stray * t * cos(1.7 * phase + 5.0 * t)), mul(beside, wander)));
            curve.push(grown.root.map_or(p, |root| mix(root, p, ss(0.0, 0.13, t - grown.from))));
            // Beside the parting they lie in a groove.
            let groove = 1.0 - 0.34 * ss(0.075, 0.0, t) * ss(1.3, 0.5, at);
            let open = groove * (1.0 - 0.62 * parted * wide * wide) * (1.0 - 0.40 * deep) * (1.0 - 0.12 * fine);
            let lean = 0.75 * among.place * parted + 0.22 * fine;
            faces.push(mul(norm(add(out, mul(beside, self.side * lean))), open));
        }
        into.each.push([dice.between(0.85, 1.25), (0.40 * home.tone + 0.60 * dice.unit()).clamp(0.0, 1.0), 0.5]);
        into.curves.push(curve);
        into.faces.push(faces);
        into.guide.push(grown.child);
    }

    /// Rolls of hair over the even mass, each in a bow across it and in a point: what makes it hair and not a curtain.
    fn tresses(&self, dice: &mut Dice) -> Vec<Lock> {
        let range = self.to - self.from;
        let count = (TRESSES * range).round().max(1.0) as usize;
        let long = ss(1.0, 1.9, self.cut.fall);
        let tress = |at: usize| {
            let home = self.from + range * (at as f32 + dice.between(0.25, 0.75)) / count as f32;
            let (phase, bow) =
                (dice.between(0.0, std::f32::consts::TAU), dice.between(0.05, 0.11) * (0.5 + 0.5 * long));
            let (begin, end) =
                (lerp(0.42, 0.14, ss(0.2, 0.9, home)) + dice.between(0.0, 0.14), dice.between(0.86, 0.97));
            let high = dice.between(0.035, 0.055) * lerp(0.6, 1.0, ss(0.1, 0.5, home)) * lerp(0.4, 1.0, long);
            let point = |at: usize| {
                let t = at as f32 / (POINTS - 1) as f32;
                let down = lerp(begin, end, t);
                let back = home + bow * sin(phase + 5.5 * t) * ss(0.0, 0.35, t) - 0.08 * home * ss(0.5, 1.0, t) * long;
                let (p, out) = self.place(back.clamp(self.from.max(0.12), self.to), down);
                // It comes out of the mass and goes back into it.
                let over = lerp(-0.07, lerp(0.015, 0.042, long), ss(0.0, 0.34, t)) - 0.020 * ss(0.8, 1.0, t);
                add(p, mul(out, over * lerp(0.5, 1.0, ss(0.05, 0.35, home))))
            };
            let line: Vec<V3> = (0..POINTS).map(point).collect();
            Lock {
                line,
                wide: dice.between(0.085, 0.135),
                high,
                root: 0.15,
                tip: 0.14,
                fine: 0.5,
                tone: dice.between(0.15, 0.85),
            }
        };
        (0..count).map(tress).collect()
    }

    fn tangent(&self, back: f32, down: f32) -> V3 {
        let (a, _) = self.place(back, down - 0.04);
        let (b, _) = self.place(back, down + 0.04);
        norm(sub(b, a))
    }
}

/// Where strands pass that grow so far back.
struct Passes<'a> {
    style: Hair,
    cut: LongCut,
    skull: &'a Skull,
    side: f32,
    back: f32,
    /// Whether they fall before the shoulder.
    before: bool,
}

impl Passes<'_> {
    fn told(&self, front: f32, ear: f32, neck: f32) -> f32 {
        interp(self.back, &[(0.0, front), (1.0, ear), (LAST, neck)])
    }

    fn over(&self, azimuth: f32, elevation: f32, up: f32) -> V3 {
        let d = direction(self.side * azimuth, elevation);
        add(self.skull.centre, mul(d, self.skull.radius(d) + up))
    }

    fn all(&self) -> Vec<V3> {
        let mut out = self.crown();
        out.extend(self.sides());
        out.extend(self.hanging(out[out.len() - 1]));
        out
    }

    /// From the parting to the temple it lies on the head, higher where that is higher: as even a coat it would be a hood.
    fn crown(&self) -> Vec<V3> {
        let high = self.told(self.style.line(self.cut.parting()) + 1.5, 78.0, 122.0).to_radians();
        // The parting bends towards the middle at the crown.
        let part = self.cut.part * (1.0 - 0.75 * ss(0.4, 1.4, self.back));
        let root = norm([part - self.side * 0.004 * ss(1.0, 0.3, self.back), sin(high), cos(high)]);
        let temple = direction(self.side * self.told(38.0, 86.0, 179.0), self.told(1.0, 18.0, 22.0));
        let knot = |at: u8| {
            let t = f32::from(at) / 4.0;
            let d = norm(mix(root, temple, t));
            // The foremost follow the hairline, which is an arch.
            let (azimuth, elevation) = angles(d);
            let least = self.style.line(azimuth) + 1.5;
            let arch = ss(0.45, 0.0, self.back) * (4.0 * t * (1.0 - t)).min(1.0);
            let d = direction(azimuth, lerp(elevation, least.max(elevation.min(least + 2.0)), arch));
            let crown = 0.035 + 0.025 * ss(-5.0, 66.0, angles(d).1) + 0.22 * self.cut.volume * ss(0.1, 0.7, self.back);
            let crown = crown * lerp(0.45, 1.0, ss(0.0, 0.35, self.back));
            // A parting is a valley in front and none behind.
            let valley = lerp(lerp(0.30, 1.0, ss(0.2, 1.0, self.back)), 1.0, ss(0.0, 0.35, t));
            add(self.skull.centre, mul(d, self.skull.radius(d) + crown * valley))
        };
        (0..5).map(knot).collect()
    }

    fn sides(&self) -> [V3; 3] {
        let full = self.cut.volume * lerp(0.35, 0.75, ss(0.2, 0.9, self.back));
        let brow = self.over(self.told(39.5, 97.0, 179.0), self.told(-17.0, -10.0, -8.0), 1.1 * full);
        let ear = self.over(self.told(60.0, 104.0, 179.0), self.told(-30.0, -24.0, -24.0), 0.85 * full);
        let low = [ear[0] * 0.99, EYE_Y - 0.46, ear[2] - 0.02];
        // The foremost lie on the cheek and frame it: an outline that comes out from behind hair has a corner there.
        let frame = ss(0.55, 0.0, self.back);
        let [cheek, below] = [(37.0, -33.0, 0.08, ear), (36.5, -50.0, 0.10, low)]
            .map(|(azimuth, elevation, up, else_at)| mix(else_at, self.over(azimuth, elevation, up), frame));
        [brow, cheek, below]
    }

    /// Cheeks are round between the places where it was said to pass.
    fn off_the_face(&self, p: V3) -> V3 {
        let off = sub(p, self.skull.centre);
        let d = norm(off);
        let (azimuth, elevation) = angles(d);
        let over = 0.10 * ss(-5.0, -20.0, elevation) * ss(-68.0, -58.0, elevation) * ss(75.0, 55.0, azimuth.abs());
        let least = self.skull.radius(d) + over;
        if over > 0.0 && length(off) < least { add(self.skull.centre, mul(d, least)) } else { p }
    }

    fn hanging(&self, from: V3) -> Vec<V3> {
        let cut = self.cut;
        let slim = (cut.slim / 5.0).min(1.0);
        let long = ss(SHORT, 1.9, cut.fall);
        let mut out = Vec::new();
        for (down, share) in [(0.80, lerp(1.02, 0.98, slim)), (1.20, lerp(0.97, 0.86, slim)), (1.65, 0.86)] {
            if cut.fall > down + 0.22 {
                let fallen = ss(0.46, 1.5, down);
                let z = if self.before {
                    lerp(from[2], 0.62, fallen * long)
                } else {
                    lerp(from[2], -0.25 - 0.15 * self.back, fallen * long)
                };
                out.push([from[0] * share, EYE_Y - down, lerp(from[2], z, 1.0) - 0.12 * fallen * (1.0 - long)]);
            }
        }
        let end = EYE_Y - cut.fall + cut.layers * self.told(0.9, 0.3, 0.1);
        let last = out.last().copied().unwrap_or(from);
        let turn = (cut.turn_in / 3.0).min(1.0);
        out.push([last[0] * lerp(0.97, 0.88, turn), end, last[2] - 0.10 * turn * last[2].signum()]);
        out
    }
}

/// A smooth line through places.
fn through(knots: &[V3]) -> Vec<V3> {
    let last = knots.len() - 1;
    let mut out = Vec::new();
    for at in 0..last {
        let [a, b, c, d] = [at.saturating_sub(1), at, at + 1, (at + 2).min(last)].map(|k| knots[k]);
        for step in 0..8 {
            let t = step as f32 / 8.0;
            let (t2, t3) = (t * t, t * t * t);
            out.push(std::array::from_fn(|k| {
                let ends = 2.0 * b[k] + (c[k] - a[k]) * t;
                let bow = (2.0 * a[k] - 5.0 * b[k] + 4.0 * c[k] - d[k]) * t2;
                0.5 * (ends + bow + (3.0 * b[k] - a[k] - 3.0 * c[k] + d[k]) * t3)
            }));
        }
    }
    out.push(knots[last]);
    out
}

/// Swings a hanging curve from side to side.
fn swing(curve: &mut [V3], phase: f32, strength: f32, centre: V3) {
    let mut gone = 0.0;
    for at in 1..curve.len() {
        gone += length(sub(curve[at], curve[at - 1]));
        let down = ss(0.6, 2.0, gone) * strength;
        let p = curve[at];
        let out = norm([p[0] - centre[0], 0.0, p[2] - centre[2]]);
        let side = cross([0.0, 1.0, 0.0], out);
        let turn = p[1] * 5.4 + phase;
        curve[at] = add(p, add(mul(side, sin(turn) * 0.085 * down), mul(out, (cos(turn) + 0.3) * 0.06 * down)));
    }
}
