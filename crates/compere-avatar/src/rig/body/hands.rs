//! Fingers at rest: the data's are straight, those of people curl.

use crate::rig::ground::data::Library;
use crate::rig::ground::v3::{V3, add, cross, dot, norm, spun, sub};

/// Degrees at the three joints of each finger, from the index to the little one.
const CURL: [[f32; 3]; 4] = [[20.0, 26.0, 16.0], [26.0, 32.0, 18.0], [31.0, 35.0, 20.0], [34.0, 36.0, 20.0]];

/// How far the thumb goes to the index finger.
const THUMB: f32 = 16.0;

/// Curls the fingers of both hands. `joint` says where one is.
pub(crate) fn curl(library: &Library, posed: &mut [V3], joint: &impl Fn(&[V3], &str) -> V3) {
    for (side, letter, inward) in [("l", "L", -1.0), ("r", "R", 1.0)] {
        let straight = posed.to_vec();
        let at = |finger: usize, part: usize| joint(&straight, &format!("{side}-finger-{finger}-{part}"));
        let across = norm(sub(at(5, 1), at(2, 1)));
        // Weights of a finger from one of its bones to the tip.
        let beyond = |finger: usize, part: usize| {
            library.bone_weights(|bone| (part..=3).any(|part| bone == format!("finger{finger}-{part}.{letter}")))
        };
        let mut turn = |pivot: V3, axis: V3, degrees: f32, weights: &[f32]| {
            for (p, &w) in posed.iter_mut().zip(weights).filter(|(_, w)| **w > 0.0) {
                *p = add(pivot, spun(sub(*p, pivot), axis, degrees.to_radians() * w.min(1.0)));
            }
        };
        for (finger, curl) in (2..).zip(CURL) {
            let along = sub(at(finger, 4), at(finger, 1));
            // Towards the palm, which looks at the thigh.
            let sense = if dot(cross(across, along), [inward, 0.0, 0.0]) < 0.0 { -1.0 } else { 1.0 };
            for part in (1..=3).rev() {
                turn(at(finger, part), across, sense * curl[part - 1], &beyond(finger, part));
            }
        }
        let axis = norm(cross(sub(at(1, 3), at(1, 1)), sub(at(2, 2), at(2, 1))));
        turn(at(1, 1), axis, THUMB, &beyond(1, 1));
    }
}
