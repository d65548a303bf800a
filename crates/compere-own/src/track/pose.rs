//! A steady similarity from each picture into one upright face, and what the face does there.
//!
//! The upright ("canonical") face is [`SIZE`] pixels large with the outer corners of the eyes [`EYES`] pixels apart.

use super::face::Mesh;
use super::points::{BROWS, EYE_OUTER, LIDS, MOUTH, MOUTH_POINTS, RIGID};
use crate::maths::smooth;

pub(crate) const SIZE: [usize; 2] = [360, 470];
pub(crate) const EYES: f64 = 180.0;
/// How far down the eyes lie.
const EYE_LINE: f64 = 0.2;
/// Frames over which poses and turns are steadied.
const STEADY: f64 = 1.5;
const STEADY_TURN: f64 = 2.0;

pub(crate) type Point = [f64; 2];
/// The 468 points in canonical pixels.
pub(crate) type Canon = Vec<Point>;
/// Lips, chin and jaw in canonical pixels.
pub(crate) type MouthPoints = [[f32; 2]; MOUTH_POINTS];
/// Opening, outer height, width, gap of the corners, drop of the chin, protrusion.
pub(crate) type LipShape = [f32; 6];

/// Turns, scales and shifts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Similarity {
    pub(crate) cos: f64,
    pub(crate) sin: f64,
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Similarity {
    pub(crate) fn apply(&self, [x, y]: Point) -> Point {
        [self.cos * x - self.sin * y + self.x, self.sin * x + self.cos * y + self.y]
    }

    pub(crate) fn scale(&self) -> f64 {
        (self.cos * self.cos + self.sin * self.sin).sqrt()
    }

    pub(crate) fn inverse(&self) -> Self {
        let square = self.cos * self.cos + self.sin * self.sin;
        let (cos, sin) = (self.cos / square, -self.sin / square);
        Self { cos, sin, x: sin * self.y - cos * self.x, y: -sin * self.x - cos * self.y }
    }

    /// First this one, then the next.
    pub(crate) fn then(&self, next: &Self) -> Self {
        let [x, y] = next.apply([self.x, self.y]);
        let (cos, sin) = (next.cos * self.cos - next.sin * self.sin, next.sin * self.cos + next.cos * self.sin);
        Self { cos, sin, x, y }
    }

    /// The same out of a picture that was scaled by `by`.
    pub(crate) fn of_scaled(&self, by: f64) -> Self {
        Self { cos: self.cos / by, sin: self.sin / by, ..*self }
    }

    /// The same out of a part of the picture whose corner is at `(x, y)`.
    pub(crate) fn of_part(&self, x: f64, y: f64) -> Self {
        let [x, y] = self.apply([x, y]);
        Self { x, y, ..*self }
    }

    /// The least-squares way from one set of points to another.
    fn between(from: impl Iterator<Item = Point> + Clone, to: impl Iterator<Item = Point> + Clone) -> Self {
        let count = from.clone().count().max(1) as f64;
        let mean = |points: &mut dyn Iterator<Item = Point>| {
            let sum = points.fold([0.0, 0.0], |sum, p| [sum[0] + p[0], sum[1] + p[1]]);
            [sum[0] / count, sum[1] / count]
        };
        let (a, b) = (mean(&mut from.clone()), mean(&mut to.clone()));
        let (mut square, mut along, mut across) = (0.0, 0.0, 0.0);
        for (p, q) in from.zip(to) {
            let (p, q) = ([p[0] - a[0], p[1] - a[1]], [q[0] - b[0], q[1] - b[1]]);
            square += p[0] * p[0] + p[1] * p[1];
            along += p[0] * q[0] + p[1] * q[1];
            across += p[0] * q[1] - p[1] * q[0];
        }
        let square = if square > 0.0 { square } else { 1.0 };
        let (cos, sin) = (along / square, across / square);
        Self { cos, sin, x: b[0] - cos * a[0] + sin * a[1], y: b[1] - sin * a[0] - cos * a[1] }
    }
}

fn flat(mesh: &Mesh, point: usize) -> Point {
    [f64::from(mesh[point][0]), f64::from(mesh[point][1])]
}

/// The person's middle face, upright and at its place.
#[expect(clippy::needless_pass_by_value, reason = "an iterator over references")]
pub(crate) fn canonical<'a>(meshes: impl Iterator<Item = &'a Mesh> + Clone) -> Canon {
    let points = meshes.clone().next().map_or(0, Vec::len);
    let median = |point: usize, axis: usize| {
        let mut values: Vec<f32> = meshes.clone().map(|mesh| mesh[point][axis]).collect();
        values.sort_by(f32::total_cmp);
        f64::from(values[values.len() / 2])
    };
    let middle: Vec<Point> = (0..points).map(|point| [median(point, 0), median(point, 1)]).collect();
    let [right, left] = EYE_OUTER.map(|eye| middle[eye]);
    let (dx, dy) = (left[0] - right[0], left[1] - right[1]);
    let square = (dx * dx + dy * dy).max(1e-9);
    let (cos, sin) = (EYES * dx / square, -EYES * dy / square);
    let centre = [(left[0] + right[0]) / 2.0, (left[1] + right[1]) / 2.0];
    let turn = Similarity { cos, sin, x: 0.0, y: 0.0 };
    let place = |p: &Point| {
        let [x, y] = turn.apply([p[0] - centre[0], p[1] - centre[1]]);
        [x + SIZE[0] as f64 / 2.0, y + SIZE[1] as f64 * EYE_LINE]
    };
    middle.iter().map(place).collect()
}

/// A take as the bank and the base see it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Posed {
    /// From each picture to the canonical face, steadied.
    pub(crate) poses: Vec<Similarity>,
    /// The tip of the nose against the line of the eyes: which way the head is turned.
    pub(crate) turns: Vec<[f32; 2]>,
    pub(crate) lips: Vec<LipShape>,
    /// Not steadied.
    pub(crate) mouths: Vec<MouthPoints>,
    /// How far the lids are apart, and the brows above the eyes, in canonical pixels. Not kept of older presenters.
    pub(crate) lids: Vec<[f32; 2]>,
}

impl Posed {
    /// The pictures of another take behind its own.
    pub(crate) fn join(&mut self, other: &Self) {
        self.poses.extend_from_slice(&other.poses);
        self.turns.extend_from_slice(&other.turns);
        self.lips.extend_from_slice(&other.lips);
        self.mouths.extend_from_slice(&other.mouths);
        self.lids.extend_from_slice(&other.lids);
    }

    /// Some of its pictures.
    pub(crate) fn part(&self, pictures: std::ops::Range<usize>) -> Self {
        Self {
            poses: self.poses[pictures.clone()].to_vec(),
            turns: self.turns[pictures.clone()].to_vec(),
            lips: self.lips[pictures.clone()].to_vec(),
            mouths: self.mouths[pictures.clone()].to_vec(),
            lids: self.lids[pictures].to_vec(),
        }
    }

    pub(crate) fn of(meshes: &[Mesh], canon: &Canon) -> Self {
        let raw: Vec<[f64; 4]> = meshes
            .iter()
            .map(|mesh| {
                let from = RIGID.iter().map(|&point| flat(mesh, point));
                let s = Similarity::between(from, RIGID.iter().map(|&point| canon[point]));
                [s.cos, s.sin, s.x, s.y]
            })
            .collect();
        let poses: Vec<Similarity> =
            smooth(&raw, STEADY).into_iter().map(|[cos, sin, x, y]| Similarity { cos, sin, x, y }).collect();
        let both = || meshes.iter().zip(&poses);
        let turns: Vec<[f64; 2]> = both().map(|(mesh, pose)| turn(mesh, pose)).collect();
        let turns = smooth(&turns, STEADY_TURN).into_iter().map(|turn| turn.map(|value| value as f32)).collect();
        let lips = both().map(|(mesh, pose)| lip_shape(mesh, pose)).collect();
        let mouths = both().map(|(mesh, pose)| mouth(mesh, pose)).collect();
        let lids = both().map(|(mesh, pose)| lids(mesh, pose)).collect();
        Self { poses, turns, lips, mouths, lids }
    }
}

fn turn(mesh: &Mesh, pose: &Similarity) -> [f64; 2] {
    let [nose, right, left] = [1, EYE_OUTER[0], EYE_OUTER[1]].map(|point| pose.apply(flat(mesh, point)));
    [nose[0] - (right[0] + left[0]) / 2.0, nose[1] - (right[1] + left[1]) / 2.0]
}

fn lip_shape(mesh: &Mesh, pose: &Similarity) -> LipShape {
    let at = |point: usize| pose.apply(flat(mesh, point));
    let between = |a: usize, b: usize| {
        let (a, b) = (at(a), at(b));
        ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt() as f32
    };
    let depth = |point: usize| f64::from(mesh[point][2]) * pose.scale();
    let protrusion = (depth(0) + depth(17)) / 2.0 - (depth(61) + depth(291)) / 2.0;
    let drop = at(152)[1] - at(168)[1];
    [between(13, 14), between(0, 17), between(61, 291), between(78, 308), drop as f32, protrusion as f32]
}

fn lids(mesh: &Mesh, pose: &Similarity) -> [f32; 2] {
    let apart =
        |[above, below]: [usize; 2]| (pose.apply(flat(mesh, below))[1] - pose.apply(flat(mesh, above))[1]) as f32;
    let both = |pairs: [[usize; 2]; 2]| (apart(pairs[0]) + apart(pairs[1])) / 2.0;
    [both(LIDS), both(BROWS)]
}

fn mouth(mesh: &Mesh, pose: &Similarity) -> MouthPoints {
    MOUTH.map(|point| pose.apply(flat(mesh, point)).map(|value| value as f32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_similarity_is_found_again_and_leads_back() {
        let truth = Similarity { cos: 1.3, sin: -0.4, x: 12.0, y: -7.0 };
        let points = [[0.0, 0.0], [10.0, 3.0], [-4.0, 8.0], [20.0, -6.0]];
        let found = Similarity::between(points.into_iter(), points.into_iter().map(|p| truth.apply(p)));
        for p in points {
            let (a, b) = (found.apply(p), truth.apply(p));
            assert!((a[0] - b[0]).abs() < 1e-9 && (a[1] - b[1]).abs() < 1e-9);
            let back = found.inverse().apply(a);
            assert!((back[0] - p[0]).abs() < 1e-9 && (back[1] - p[1]).abs() < 1e-9);
        }
    }
}
