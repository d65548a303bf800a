//! Lids that shut: the edge of the upper one comes to lie on the edge of the lower one, from corner to corner.
//!
//! The data shuts eyes of its own shape. Larger eyes, turned and set apart, it leaves open at their outer corners.

use super::mimic::Expression;
use crate::act::Ch;
use crate::maths::lerp;
use crate::rig::ground::camera::LENS;
use crate::rig::ground::curve::relaxed;
use crate::rig::ground::data::Library;
use crate::rig::ground::v3::{V3, add, exp, length, mix, mul, sin, ss, sub};

/// Half the angle that the iris takes of the ball.
pub(crate) const IRIS: f32 = 0.485;
/// What is farther from an eye is not of its lids.
const AROUND: f32 = 0.42;
/// How far over its edge a lid goes with that.
const LID: f32 = 0.13;
/// The upper edge ends so far below the lower one and before it.
const OVER: V3 = [0.0, -0.004, 0.010];
/// How often edges, of which the data has few points, are evened out.
const EVENED: u32 = 6;
/// And how often that of a fold is.
const BOWED: u32 = 24;
/// And points of an edge are taken for one place of it.
pub(super) const WITHIN: f32 = 0.02;
/// Places along an edge.
const PLACES: usize = 25;

/// Lets the upper lids down, or up, until they cover `share` of an iris that looks into the lens: a sixth looks awake and
/// friendly, a third tired, none at all stares. What is left of the way to shut eyes becomes that much shorter.
pub(super) fn rest(library: &Library, points: &mut [V3], eyes: [V3; 2], share: f32, expressions: &mut [Expression]) {
    let Some(blink) = expressions.iter_mut().find(|expression| expression.channel == Ch::Blink) else { return };
    let body = library.members(&["body"]);
    let mut moved = vec![[0.0; 3]; points.len()];
    for &(v, d) in &blink.deltas {
        moved[v as usize] = add(moved[v as usize], d);
    }
    let at = |weight: f32| {
        let posed = |v: u32| add(points[v as usize], mul(moved[v as usize], weight));
        let sides = ["l", "r"].into_iter().zip(eyes).map(|(side, eye)| {
            let near: Vec<V3> = body.iter().map(|&v| posed(v)).filter(|p| length(sub(*p, eye)) < AROUND).collect();
            let strip = library.members(&[&format!("helper-{side}-eyelashes-2")]);
            let edge = edge(strip.iter().map(|&v| posed(v)).collect(), &near);
            covered(smooth(&edge, eye[0], 2.0 * WITHIN)[1] - eye[1], radius(library, points, side, eye))
        });
        sides.sum::<f32>() * 0.5
    };
    let (open, half) = (at(0.0), at(0.3));
    let weight = (0.3 * (share - open) / (half - open).max(1e-3)).clamp(-0.4, 0.6);
    for &(v, d) in &blink.deltas {
        points[v as usize] = add(points[v as usize], mul(d, weight));
    }
    blink.deltas.iter_mut().for_each(|(_, d)| *d = mul(*d, 1.0 - weight));
}

/// The share of an iris, from its upper rim to its lower one, above an edge so high over the middle of the eye.
fn covered(height: f32, radius: f32) -> f32 {
    let rim = |up: f32| sin(up * IRIS - LENS);
    (rim(1.0) - height / radius) / (rim(1.0) - rim(-1.0))
}

/// What is taken for the radius of an eye's ball: the data's is not quite round.
pub(super) fn radius(library: &Library, points: &[V3], side: &str, eye: V3) -> f32 {
    let ball = library.members(&[&format!("helper-{side}-eye")]);
    let mut far: Vec<f32> = ball.iter().map(|&v| length(sub(points[v as usize], eye))).collect();
    far.sort_by(f32::total_cmp);
    far[far.len() * 6 / 10]
}

/// One eye's lids in a mesh: skin near it, and their edges, as points in any order.
pub(super) struct Edges {
    pub(super) near: Vec<u32>,
    pub(super) upper: Vec<V3>,
    pub(super) lower: Vec<V3>,
}

impl Edges {
    /// Of the eye on a `side` of the data's.
    pub(super) fn of(library: &Library, points: &[V3], side: &str, eye: V3, around: f32) -> Self {
        let mut near = library.members(&["body"]);
        near.retain(|&v| length(sub(points[v as usize], eye)) < around);
        let skin: Vec<V3> = near.iter().map(|&v| points[v as usize]).collect();
        let [upper, lower] = ["2", "1"].map(|strip| {
            let strip = library.members(&[&format!("helper-{side}-eyelashes-{strip}")]);
            edge(strip.iter().map(|&v| points[v as usize]).collect(), &skin)
        });
        Self { near, upper, lower }
    }
}

/// `eyes` are at the picture's right first.
pub(super) fn shut(library: &Library, rest: &[V3], eyes: [V3; 2], expressions: &mut [Expression]) -> Vec<Lids> {
    let Some(blink) = expressions.iter_mut().find(|expression| expression.channel == Ch::Blink) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    let mut moved = vec![[0.0; 3]; rest.len()];
    for &(v, d) in &blink.deltas {
        moved[v as usize] = add(moved[v as usize], d);
    }
    for (side, eye) in ["l", "r"].into_iter().zip(eyes) {
        let Edges { near, upper, lower } = Edges::of(library, rest, side, eye, AROUND);
        let lids = Lids::new(&upper, &lower, eye[0].signum());
        let left: Vec<V3> = (0..PLACES).map(|at| lids.left(at, &near, rest, &moved)).collect();
        for &v in &near {
            let p = rest[v as usize];
            let share = lids.share(p);
            if share > 0.0 {
                blink.deltas.push((v, mul(lids.at(p, &left), share)));
            }
        }
        all.push(lids);
    }
    all
}

/// The side of a strip of lashes that is at the skin.
fn edge(mut strip: Vec<V3>, skin: &[V3]) -> Vec<V3> {
    let far = |p: &V3| skin.iter().map(|q| length(sub(*q, *p))).fold(f32::MAX, f32::min);
    // Distances are positive: their bits are in their order.
    strip.sort_by_cached_key(|p| far(p).to_bits());
    strip.truncate(strip.len().div_ceil(2));
    strip
}

/// The edge at `x`, as a mean of what is within about so much of it.
pub(super) fn smooth(edge: &[V3], x: f32, within: f32) -> V3 {
    let (mut sum, mut total) = ([0.0; 3], 0.0);
    for p in edge {
        let off = (p[0] - x) / within;
        let weight = exp(-off * off) + 1e-6;
        sum = add(sum, mul(*p, weight));
        total += weight;
    }
    let p = mul(sum, 1.0 / total);
    [x, p[1], p[2]]
}

/// What lids of one eye do, at places from one corner to the other.
pub(crate) struct Lids {
    /// Where the edge of the upper one is, and where it comes to when it shuts.
    upper: Vec<V3>,
    shut: Vec<V3>,
    /// The upper edge as the fold over it follows it: without its corners.
    bow: Vec<V3>,
}

impl Lids {
    /// From edges as points in any order; `outward` is the sign of the side of the temple.
    fn new(upper: &[V3], lower: &[V3], outward: f32) -> Self {
        let (low, high) = upper.iter().fold((f32::MAX, f32::MIN), |(low, high), p| (low.min(p[0]), high.max(p[0])));
        let place = |at: usize| {
            let share = at as f32 / (PLACES - 1) as f32;
            let x = lerp(low, high, share);
            let (over, under) = (smooth(upper, x, WITHIN), add(smooth(lower, x, WITHIN), OVER));
            // Where tears gather lids meet whatever they do.
            let out = if outward > 0.0 { share } else { 1.0 - share };
            (over, mix(over, under, ss(0.0, 0.16, out) * ss(1.0, 0.96, out)))
        };
        let (mut upper, mut shut): (Vec<V3>, Vec<V3>) = (0..PLACES).map(place).unzip();
        relaxed(&mut upper, EVENED);
        relaxed(&mut shut, EVENED);
        let mut bow = upper.clone();
        relaxed(&mut bow, BOWED);
        Self { upper, shut, bow }
    }

    /// How far the upper edge moves where `p` is along it.
    pub(super) fn shuts(&self, p: V3) -> V3 {
        sub(self.at(p, &self.shut), self.at(p, &self.upper))
    }

    /// How far the upper edge still has to go at one of its places once the data has shut it.
    fn left(&self, at: usize, near: &[u32], rest: &[V3], moved: &[V3]) -> V3 {
        let p = self.upper[at];
        let (mut sum, mut total) = ([0.0; 3], 1e-9);
        for &v in near {
            let far = length(sub(rest[v as usize], p)) / 0.022;
            let weight = exp(-far * far);
            sum = add(sum, mul(moved[v as usize], weight));
            total += weight;
        }
        sub(self.shut[at], add(p, mul(sum, 1.0 / total)))
    }

    /// Where lids meet at the nose.
    pub(crate) fn inner(&self) -> V3 {
        let [first, last] = [self.upper[0], self.upper[PLACES - 1]];
        let [a, b] = [self.shut[0], self.shut[PLACES - 1]];
        if first[0].abs() < last[0].abs() { mix(first, a, 0.5) } else { mix(last, b, 0.5) }
    }

    /// Where a point is over the upper edge: how far along it, from the nose, and how high.
    pub(crate) fn over(&self, p: V3) -> [f32; 2] {
        let (first, last) = (self.upper[0][0], self.upper[PLACES - 1][0]);
        let along = (p[0] - first) / (last - first);
        [if first.abs() < last.abs() { along } else { 1.0 - along }, p[1] - self.at(p, &self.bow)[1]]
    }

    /// What is said of places along an edge, where `p` is along it.
    fn at(&self, p: V3, of: &[V3]) -> V3 {
        let (first, last) = (self.upper[0][0], self.upper[PLACES - 1][0]);
        let x = ((p[0] - first) / (last - first) * (PLACES - 1) as f32).clamp(0.0, (PLACES - 1) as f32 - 0.001);
        let (at, share) = (x as usize, x - (x as usize) as f32);
        mix(of[at], of[at + 1], share)
    }

    /// How much a point goes with the upper edge: as much as it is nearer to it than to the other.
    fn share(&self, p: V3) -> f32 {
        let far = |edge: &[V3]| edge.iter().map(|q| length(sub(p, *q))).fold(f32::MAX, f32::min);
        let (up, down) = (far(&self.upper), far(&self.shut));
        ss(LID, 0.012, up) * ss(-0.012, 0.018, down - up)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::body::sculpt::sculpt;
    use crate::rig::body::skin::eyes;
    use crate::rig::design::{Design, Features, shaped};
    use crate::rig::people::CAST;
    use crate::rig::people::person::Person;

    /// The edges of an eye half a unit wide, open by a tenth to each side in its middle.
    fn lids() -> Lids {
        let edge = |sign: f32| -> Vec<V3> {
            let point = |at: u8| {
                let x = 0.05 + 0.02 * f32::from(at);
                let off = (x - 0.30) / 0.25;
                [x, sign * 0.1 * (1.0 - off * off), 0.0]
            };
            (0..26).map(point).collect()
        };
        Lids::new(&edge(1.0), &edge(-1.0), 1.0)
    }

    #[test]
    fn the_upper_edge_comes_down_to_the_lower_one_and_corners_stay() {
        let lids = lids();
        let middle = lids.shuts([0.30, 0.1, 0.0]);
        assert!((-0.225..-0.185).contains(&middle[1]), "{middle:?}");
        let toward_temple = lids.shuts([0.50, 0.036, 0.0]);
        assert!((-0.10..-0.05).contains(&toward_temple[1]), "{toward_temple:?}");
        assert!(length(lids.shuts([0.05, 0.0, 0.0])) < 0.02);
    }

    #[test]
    fn what_is_of_the_lower_lid_stays() {
        let lids = lids();
        assert!(lids.share([0.30, 0.1, 0.0]) > 0.9);
        assert!(lids.share([0.30, -0.1, 0.0]) < 0.01);
        assert!(lids.share([0.30, 0.3, 0.0]) < 0.01);
    }

    /// What upper lids of both eyes cover of the iris.
    fn cover(library: &Library, person: &Person) -> [f32; 2] {
        let body = sculpt(library, person).expect("a body");
        let eyes = eyes(library, &body);
        std::array::from_fn(|side| {
            let edge = body.lids[side].at(body.eyes[side], &body.lids[side].upper);
            covered(edge[1] - body.eyes[side][1], eyes[side].2)
        })
    }

    #[test]
    fn upper_lids_rest_on_the_iris() {
        let library = Library::open(&crate::tests::assets().join("avatars")).expect("the data");
        for member in &CAST {
            for covered in cover(&library, &member.person) {
                assert!((0.06..0.27).contains(&covered), "{}: {covered:.2} of an iris is covered", member.alias);
            }
        }
    }

    #[test]
    fn eyes_that_are_designed_wide_open_are() {
        let library = Library::open(&crate::tests::assets().join("avatars")).expect("the data");
        let nora = Design::of("nora").expect("Nora");
        let [narrow, wide] = [-1.0, 1.0].map(|open| {
            let face = Features { open, ..nora.face.clone() };
            cover(&library, &shaped(&Design { face, ..nora.clone() }).person)[0]
        });
        assert!(wide + 0.1 < narrow, "{wide:.2} of an iris is covered wide open, {narrow:.2} narrow");
    }
}
