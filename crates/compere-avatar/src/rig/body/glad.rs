//! Eyes that smile: the lower lid rises as an arc, highest below the outer half of the iris, and what lies under it goes
//! along as one with the cheek. The upper lid stays: eyes that it narrows, too, are half asleep.
//!
//! One smooth field over all of it: where a lid alone rises, or a cheek alone, skin between them is pressed to a line.

use super::blink::{self, Edges, WITHIN, smooth};
use super::mimic::Expression;
use crate::act::Ch;
use crate::rig::ground::data::{Deltas, Library};
use crate::rig::ground::v3::{V3, add, exp, interp, length, mul, ss, sub};

/// How much of [`Ch::Cheek`] a face has at rest: with so much, lids lie where they were modelled.
const AT_REST: f32 = 0.20;
/// How far the lower lid goes up at full weight, as a share of the iris.
const RISES: f32 = 0.20;
/// How open an eye is, as a share of its iris, that has least of all this left to do, and one that does all of it.
const NARROW: [f32; 2] = [0.50, 0.82];
/// What narrow eyes do of it all the same: a smile of the mouth alone is none.
const LEAST: f32 = 0.30;
/// How much of that there is along a lid, from the corner at the nose to the one at the temple, where it would rise over lashes.
const ALONG: [(f32, f32); 8] =
    [(-0.15, 0.0), (0.0, 0.15), (0.25, 0.62), (0.45, 0.92), (0.65, 1.0), (0.85, 0.60), (0.96, 0.12), (1.05, 0.0)];
/// How far below the edge of the lid skin goes along, to where the cheek rises by itself.
const BELOW: f32 = 0.21;
/// What is farther from an eye does not move with it.
const AROUND: f32 = 0.60;

/// Lets [`Ch::Cheek`] narrow the eyes. After [`blink::shut`], which shuts them where they rest.
pub(super) fn narrow(library: &Library, rest: &mut [V3], eyes: [V3; 2], expressions: &mut [Expression]) {
    let Some(cheek) = expressions.iter_mut().find(|expression| expression.channel == Ch::Cheek) else { return };
    let mut moves: Deltas = Vec::new();
    for (side, eye) in ["l", "r"].into_iter().zip(eyes) {
        let Edges { near, upper, lower } = Edges::of(library, rest, side, eye, AROUND);
        let lid = Lid::new(upper, lower, eye, blink::radius(library, rest, side, eye));
        moves.extend(near.iter().map(|&v| (v, lid.rises(rest[v as usize]))));
    }
    for (v, d) in moves.into_iter().filter(|(_, d)| *d != [0.0; 3]) {
        rest[v as usize] = sub(rest[v as usize], mul(d, AT_REST));
        cheek.deltas.push((v, d));
    }
}

/// The lower lid of one eye.
struct Lid {
    upper: Vec<V3>,
    lower: Vec<V3>,
    eye: V3,
    /// Corners at the nose and at the temple.
    ends: [f32; 2],
    /// How high the iris is.
    iris: f32,
    /// Less of all of it for eyes that are narrow already.
    strength: f32,
}

impl Lid {
    fn new(upper: Vec<V3>, lower: Vec<V3>, eye: V3, radius: f32) -> Self {
        let (low, high) = upper.iter().fold((f32::MAX, f32::MIN), |(low, high), p| (low.min(p[0]), high.max(p[0])));
        let ends = if eye[0] > 0.0 { [low, high] } else { [high, low] };
        let iris = 2.0 * radius * blink::IRIS;
        let open = (smooth(&upper, eye[0], 2.0 * WITHIN)[1] - smooth(&lower, eye[0], 2.0 * WITHIN)[1]) / iris;
        Self { upper, lower, eye, ends, iris, strength: ss(NARROW[0], NARROW[1], open).max(LEAST) }
    }

    /// How far a point goes at full weight.
    fn rises(&self, p: V3) -> V3 {
        let out = (p[0] - self.ends[0]) / (self.ends[1] - self.ends[0]);
        let along = interp(out, &ALONG) * ss(self.eye[2] - 0.30, self.eye[2], p[2]);
        if along < 0.001 {
            return [0.0; 3];
        }
        let far = |edge: &[V3]| edge.iter().map(|q| length(sub(p, *q))).fold(f32::MAX, f32::min);
        let own = ss(-0.020, 0.020, far(&self.upper) - far(&self.lower));
        let x = p[0].clamp(self.ends[0].min(self.ends[1]), self.ends[0].max(self.ends[1]));
        let down = ((smooth(&self.lower, x, 2.0 * WITHIN)[1] - p[1]) / BELOW).max(0.0);
        let up = RISES * self.iris * self.strength * along * own * exp(-down * down);
        let from = sub(p, self.eye);
        let to = add(from, [0.0, up, 0.25 * up]);
        sub(mul(to, length(from) / length(to).max(1e-6)), from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An eye at the picture's right, a third of a unit wide, whose lids are so far apart.
    fn lid(open: f32) -> Lid {
        let edge = |up: f32| {
            let places = (0..=20).map(|at| at as f32 / 20.0);
            places.map(|out| [0.15 + 0.34 * out, up * 4.0 * out * (1.0 - out), 1.1]).collect()
        };
        Lid::new(edge(0.5 * open), edge(-0.5 * open), [0.32, 0.0, 1.0], 0.17)
    }

    #[test]
    fn lower_lids_rise_most_below_the_outer_iris_and_upper_ones_stay() {
        let lid = lid(0.15);
        let up = |x: f32, y: f32| lid.rises([x, y, 1.1])[1];
        let (inner, outer, temple) = (up(0.22, -0.05), up(0.38, -0.07), up(0.49, 0.0));
        assert!(outer > 0.01 && outer > inner && inner > 0.0, "{inner} {outer}");
        assert!(temple.abs() < 0.1 * outer, "over lashes: {temple}");
        assert!(up(0.38, 0.07).abs() < 1e-4, "the upper lid");
        let below = up(0.38, -0.15);
        assert!(0.0 < below && below < outer, "skin goes along: {below}");
    }

    #[test]
    fn narrow_eyes_do_less_of_it() {
        let up = |open: f32| lid(open).rises([0.38, -0.25 * open, 1.1])[1];
        assert!(up(0.05) > 0.0 && up(0.05) < 0.6 * up(0.15), "{} {}", up(0.05), up(0.15));
    }
}
