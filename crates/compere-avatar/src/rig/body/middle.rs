//! Faces that are shorter below the eyes: there the data's are longest, and what is long there is a mask.
//!
//! The last thing done to a face. Whatever comes before measures from eyes to mouth, cheeks that rise for one, and would
//! reach the lips of a face this short.

use super::mimic::Expression;
use crate::rig::ground::v3::{V3, add, ss, sub};

/// From where to where faces are drawn together, as shares of the way from the eyes down to the corners of the mouth: from
/// below the lids to the chin. All of it between nose and lips, or lips and chin, is seen: as a band on cheeks, as a flat mouth.
const DRAWN: [f32; 2] = [0.05, 1.90];
/// Heights of the neck between which it gives what the face takes.
const NECK: [f32; 2] = [4.80, 5.40];

/// Draws a face together by so many units; `eyes` and `mouth` are heights.
pub(super) fn shorten(rest: &mut [V3], [eyes, mouth]: [f32; 2], by: f32, expressions: &mut [Expression]) {
    let drawn = |p: V3| {
        let down = (eyes - p[1]) / (eyes - mouth);
        [p[0], p[1] + by * ss(DRAWN[0], DRAWN[1], down) * ss(NECK[0], NECK[1], p[1]), p[2]]
    };
    for expression in expressions {
        for (v, d) in &mut expression.deltas {
            let from = rest[*v as usize];
            *d = sub(drawn(add(from, *d)), drawn(from));
        }
    }
    rest.iter_mut().for_each(|p| *p = drawn(*p));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::Ch;

    /// The chin comes up by all of it, lips by half; eyes and chest stay.
    #[test]
    fn the_chin_comes_up_and_the_mouth_opens_as_it_did() {
        let heights = [6.8, 7.5, 6.0, 5.3, 4.0];
        let mut rest: Vec<V3> = heights.iter().map(|&y| [0.1, y, 1.0]).collect();
        let mut expressions = [Expression { channel: Ch::Jaw, sign: 1.0, deltas: vec![(2, [0.0, -0.05, 0.0])] }];
        shorten(&mut rest, [6.8, 6.0], 0.1, &mut expressions);
        let up: Vec<f32> = rest.iter().zip(heights).map(|(p, y)| p[1] - y).collect();
        assert!(up[0].abs() < 1e-6 && up[1].abs() < 1e-6 && up[4].abs() < 1e-6, "{up:?}");
        assert!((0.04..0.07).contains(&up[2]) && (0.08..0.1001).contains(&up[3]), "{up:?}");
        let lip = expressions[0].deltas[0].1[1];
        assert!((-0.05..-0.044).contains(&lip), "{lip}");
    }
}
