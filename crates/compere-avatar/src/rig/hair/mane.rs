//! Long hair combed as one: from the parting over the head, past the face, down to its ends.
//!
//! Everything hangs on one surface to each side of the parting, told by how far back a strand grows and how far down it is.
//! What lies on it is in `tresses.rs`. What reaches the shoulders falls before them or behind, and the surface is in two
//! there.

use super::groom::Drape;
use crate::maths::lerp;
use crate::rig::body::skull::{Skull, angles, direction};
use crate::rig::ground::curve::relaxed;
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::v3::{V3, add, cos, cross, dot, interp, length, mix, mul, noise, norm, pow, sin, ss, sub};
use crate::rig::people::person::{Hair, LongCut};

/// The foremost strands grow at 0, those over the ear at 1, and those at the middle of the neck here.
pub(super) const LAST: f32 = 2.0;
/// Where what is longer than to the shoulders falls to one side of them or the other.
pub(super) const SHOULDER: f32 = 1.12;
/// Hair that ends above this much below the eyes does not reach them.
pub(super) const SHORT: f32 = 1.5;
const COLUMNS: usize = 48;
/// Of a curve of hair that hangs.
pub(super) const POINTS: usize = 36;

/// A stretch of the surface.
pub(super) struct Mane<'a> {
    pub(super) cut: LongCut,
    pub(super) skull: &'a Skull,
    pub(super) side: f32,
    pub(super) from: f32,
    pub(super) to: f32,
    /// How much of the foremost column lies over the forehead.
    pub(super) brow: f32,
    /// Whether it falls before the shoulder.
    before: bool,
    columns: Vec<Vec<V3>>,
}

impl<'a> Mane<'a> {
    pub(super) fn new(
        style: Hair,
        cut: LongCut,
        skull: &'a Skull,
        drape: &Drape,
        side: f32,
        (from, to): (f32, f32),
    ) -> Self {
        let crown = Crown::new(style, cut, skull);
        let before = to <= SHOULDER && cut.behind * side <= 0.0;
        let column = |at: usize| {
            let back = lerp(from, to, at as f32 / (COLUMNS - 1) as f32);
            let passes = Passes { style, cut, skull, side, back, before };
            let mut line = paced(&through(&passes.all()), POINTS);
            // On a cheek a wave would go behind it and leave a notch.
            let sways = cut.wave * ss(0.05, 0.7, back);
            swing(&mut line, 1.9 * noise([2.2 * back, 3.1 * side, 0.4]), sways, skull.centre);
            line.iter_mut().for_each(|p| *p = draped(*p, drape, before, back, 1.0));
            relaxed(&mut line, 10);
            line.iter_mut().for_each(|p| *p = passes.off_the_face(*p));
            relaxed(&mut line, 2);
            line.iter_mut().for_each(|p| *p = crown.rounded(*p));
            // Where the arch ends and it begins to fall it bends: a corner there is seen in the outline.
            let mut soft = line.clone();
            relaxed(&mut soft, 8);
            // Over the forehead it would sink under what lies behind it, whose roots are a torn edge then.
            let low = |p: V3| {
                let (azimuth, elevation) = angles(norm(sub(p, skull.centre)));
                ss(42.0, 16.0, elevation) * ss(20.0, 42.0, azimuth.abs())
            };
            line.iter_mut().zip(soft).for_each(|(p, soft)| *p = mix(*p, soft, low(*p)));
            line
        };
        let mut columns: Vec<Vec<V3>> = (0..COLUMNS).map(column).collect();
        evened(&mut columns, skull.centre[1] - 0.85);
        // To the temple it goes to its side, from there it falls.
        let over = |p: &&V3| angles(norm(sub(**p, skull.centre))).1 > 1.0;
        let brow = columns[0].iter().take_while(over).count() as f32 / POINTS as f32;
        Self { cut, skull, side, from, to, brow, before, columns }
    }

    pub(super) fn points(&self) -> impl Iterator<Item = &V3> {
        self.columns.iter().flatten()
    }

    /// Moves all of it; what comes to lie in the body then is lifted again.
    pub(super) fn moved(&mut self, to: impl Fn(V3) -> V3, drape: &Drape) {
        let (before, from, step) = (self.before, self.from, (self.to - self.from) / (COLUMNS - 1) as f32);
        for (at, column) in self.columns.iter_mut().enumerate() {
            let back = from + step * at as f32;
            column.iter_mut().for_each(|p| *p = to(*p));
            // It lies on the body already, softly: as far out as before it would be folded where the body begins.
            let soft = if before { 0.4 } else { 1.0 };
            column.iter_mut().for_each(|p| *p = draped(*p, drape, before, back, soft));
            relaxed(column, if before { 6 } else { 3 });
        }
        // Where one column was lifted over a collar and the next was not, a tail would have a knot.
        evened(&mut self.columns, self.skull.centre[1] - 0.85);
    }

    /// A place on the surface, and which way is out there.
    pub(super) fn place(&self, back: f32, down: f32) -> (V3, V3) {
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
        // What is drawn together on the chest lies in folds that tell nothing: it faces as the chest does.
        let chest = if self.before { 0.9 * ss(EYE_Y - 1.05, EYE_Y - 1.5, p[1]) } else { 0.0 };
        let out = norm(mix(out, [0.45 * self.side, 0.1, 0.9], chest));
        // At the parting both sides face as the head does, or there is a light side and a dark one.
        (p, norm(add(mul(out, ss(0.0, 0.2, down)), mul(away, 0.5))))
    }

    pub(super) fn tangent(&self, back: f32, down: f32) -> V3 {
        let (a, _) = self.place(back, down - 0.04);
        let (b, _) = self.place(back, down + 0.04);
        norm(sub(b, a))
    }
}

/// Out of the body. On the chest what grows in front lies over what grows behind it, or they would come through each other.
fn draped(p: V3, drape: &Drape, before: bool, back: f32, far: f32) -> V3 {
    if before { drape.before(p, far * lerp(0.30, 0.12, (back / SHOULDER).min(1.0))) } else { drape.lift(p, far * 0.15) }
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
        let root = norm([part - self.side * 0.012 * ss(1.0, 0.3, self.back), sin(high), cos(high)]);
        let temple = direction(self.side * self.told(38.0, 86.0, 179.0), self.told(1.0, 18.0, 22.0));
        let wide = ss(0.2, 0.9, length(sub(root, temple)));
        let knot = |at: u8| {
            let t = f32::from(at) / 4.0;
            let d = norm(mix(root, temple, t));
            // The foremost follow the hairline, which is an arch.
            let (azimuth, elevation) = angles(d);
            let least = self.style.line(azimuth) + 1.5;
            let arch = ss(0.45, 0.0, self.back) * (4.0 * t * (1.0 - t)).min(1.0);
            let d = direction(azimuth, lerp(elevation, least.max(elevation.min(least + 2.0)), arch));
            let crown = 0.035 + 0.025 * ss(-5.0, 66.0, angles(d).1) + 0.22 * self.cut.volume * ss(0.1, 0.7, self.back);
            // Over the forehead it rises from its root in an arc before it falls.
            let arc = (0.02 + 0.30 * self.cut.volume) * 4.0 * t * (1.0 - t) * ss(0.7, 0.05, self.back);
            let arc = arc * wide;
            // Beside its own temple the mass is thin, or it would end over the front in a ledge.
            let crown = crown * (1.0 - 0.55 * ss(0.0, 0.4, self.cut.part * self.side) * ss(1.1, 0.3, self.back));
            let crown = crown * lerp(0.45, 1.0, ss(0.0, 0.35, self.back)) + arc;
            // A parting is a valley, deepest in front.
            let valley = lerp(lerp(0.30, 0.66, ss(0.2, 1.0, self.back)), 1.0, ss(0.0, 0.35, t));
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
        let [cheek, below] = [(37.0, -33.0, 0.13, ear), (36.5, -50.0, 0.12, low)]
            .map(|(azimuth, elevation, up, else_at)| mix(else_at, self.over(azimuth, elevation, up), frame));
        [brow, cheek, below]
    }

    /// Cheeks are round between the places where it was said to pass.
    fn off_the_face(&self, p: V3) -> V3 {
        let off = sub(p, self.skull.centre);
        let d = norm(off);
        let (azimuth, elevation) = angles(d);
        let over = 0.145 * ss(-2.0, -14.0, elevation) * ss(-68.0, -58.0, elevation) * ss(75.0, 55.0, azimuth.abs());
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
                    lerp(from[2], 0.68 - 0.14 * self.back, fallen * long)
                } else {
                    lerp(from[2], -0.25 - 0.15 * self.back, fallen * long)
                };
                // What falls behind a shoulder comes in to the back, or the shoulder would cut it off.
                let share = if self.before || cut.fall < 2.2 { share } else { share * lerp(1.0, 0.82, fallen) };
                out.push([from[0] * share, EYE_Y - down, lerp(from[2], z, 1.0) - 0.12 * fallen * (1.0 - long)]);
            }
        }
        let end = EYE_Y - cut.fall + cut.layers * self.told(0.9, 0.3, 0.1);
        let last = out.last().copied().unwrap_or(from);
        let turn = (cut.turn_in / 3.0).min(1.0);
        if turn >= 0.5 {
            // A blunt cut turns under: its edge is a bend, and its tips are behind that.
            let deep = last[2] - 0.10 * last[2].signum();
            out.push([last[0], end + 0.22, last[2]]);
            out.push([last[0] * lerp(1.0, 0.95, turn), end, 0.5 * (last[2] + deep)]);
            // Beside the neck it would be seen from below, as crumbs.
            let under = lerp(0.84, 0.60, ss(0.1, 0.7, self.back));
            out.push([last[0] * lerp(1.0, under, turn), end + 0.12, deep]);
            return out;
        }
        // What is longer bends in to its end: one soft bow.
        let inward = lerp(0.04, 0.20, turn * 2.0);
        out.push([last[0], end + 0.42, last[2]]);
        out.push([last[0] * (1.0 - 0.35 * inward), end + 0.16, last[2]]);
        out.push([last[0] * (1.0 - inward), end, last[2] - 0.06 * last[2].signum()]);
        out
    }
}

/// The arch of the crown. What each strand's own way makes of it ends at the parting, at a height of its own for each side:
/// a tent or a step. So the outline is told by direction alone, as one bow from temple to temple.
struct Crown<'a> {
    style: Hair,
    skull: &'a Skull,
    /// Half of how wide the bow is, and how high.
    span: [f32; 2],
    full: f32,
}

impl<'a> Crown<'a> {
    /// How square the bow is: 2 is an ellipse.
    const ROUND: f32 = 2.08;

    fn new(style: Hair, cut: LongCut, skull: &'a Skull) -> Self {
        let full = 0.06 + 0.15 * cut.volume;
        let wide = 0.5 * (skull.radius(direction(90.0, 0.0)) + skull.radius(direction(-90.0, 0.0)));
        Self { style, skull, span: [wide + full + 0.04, skull.radius([0.0, 1.0, 0.0]) + full], full }
    }

    fn rounded(&self, p: V3) -> V3 {
        let off = sub(p, self.skull.centre);
        let d = norm(off);
        let (azimuth, elevation) = angles(d);
        let share = ss(5.0, 42.0, elevation) * ss(3.0, 23.0, elevation - self.style.line(azimuth));
        if share <= 0.0 {
            return p;
        }
        let flat = norm([d[0], d[1].max(0.0), 0.0]);
        let [x, y] = [flat[0].abs() / self.span[0], flat[1] / self.span[1]];
        let arch = pow(pow(x, Self::ROUND) + pow(y, Self::ROUND), -1.0 / Self::ROUND);
        let over = (arch - self.skull.radius(flat)).clamp(0.6 * self.full, 1.15 * self.full);
        let over = lerp(self.full, over, ss(0.2, 0.7, (d[0] * d[0] + d[1] * d[1]).sqrt()));
        add(self.skull.centre, mul(d, lerp(length(off), self.skull.radius(d) + over, share)))
    }
}

/// Evens out, below a height, what neighbours do differently: where one is lifted over a collar and the next is not, the
/// surface would be torn.
fn evened(columns: &mut [Vec<V3>], below: f32) {
    for _ in 0..40 {
        let old = columns.to_vec();
        for at in 1..columns.len() - 1 {
            for (k, p) in columns[at].iter_mut().enumerate() {
                let share = 0.6 * ss(below, below - 0.5, p[1]);
                *p = mix(*p, mul(add(old[at - 1][k], old[at + 1][k]), 0.5), share);
            }
        }
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

/// The same line with points at even distances.
fn paced(line: &[V3], count: usize) -> Vec<V3> {
    let mut gone = vec![0.0];
    for pair in line.windows(2) {
        gone.push(gone[gone.len() - 1] + length(sub(pair[1], pair[0])));
    }
    let whole = gone[gone.len() - 1];
    let mut at = 0;
    let point = |k: usize| {
        let far = whole * k as f32 / (count - 1) as f32;
        while at + 2 < line.len() && gone[at + 1] < far {
            at += 1;
        }
        mix(line[at], line[at + 1], ((far - gone[at]) / (gone[at + 1] - gone[at]).max(1e-6)).min(1.0))
    };
    (0..count).map(point).collect()
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
        curve[at] = add(p, add(mul(side, sin(turn) * 0.095 * down), mul(out, (cos(turn) + 0.3) * 0.07 * down)));
    }
}
