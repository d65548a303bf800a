//! Teeth: the data has two bands, one for each row.

use crate::rig::ground::v3::{V3, ss};

/// Where teeth end, by the distance from the middle of the face: incisors, the eye tooth, and what lies behind it.
const UPPER: [f32; 8] = [0.0, 0.080, 0.142, 0.194, 0.232, 0.262, 0.288, 0.314];
const LOWER: [f32; 8] = [0.0, 0.062, 0.124, 0.180, 0.218, 0.250, 0.280, 0.312];

/// How much shorter than the front ones the others of the upper row are, by where each ends: one bow over all of them.
const SHORTER: [f32; 8] = [0.0, 0.004, 0.010, 0.017, 0.024, 0.030, 0.036, 0.042];

/// Which tooth of its row lies at a distance from the middle, counted outwards, and where on it: -1 at its inner side,
/// 1 at its outer.
pub(crate) fn tooth(x: f32, upper: bool) -> (usize, f32) {
    let ends = if upper { &UPPER } else { &LOWER };
    let which = ends[1..7].iter().take_while(|end| x > **end).count();
    let (from, to) = (ends[which], ends[which + 1]);
    (which, ((x - from) / (to - from) * 2.0 - 1.0).clamp(-1.0, 1.0))
}

/// Bands end in a straight line: edges of teeth are round, and farther out they are shorter. `high` is 0 at a row's lowest
/// and 1 at its highest; `row` is 1 for the upper, -1 for the lower, 0 for none.
pub(super) fn bitten(p: V3, high: f32, row: f32) -> V3 {
    if row == 0.0 {
        return p;
    }
    let (which, u) = tooth(p[0].abs(), row > 0.0);
    let edge = ss(0.55, 0.0, if row > 0.0 { high } else { 1.0 - high });
    let round = 0.006 * u * u * u * u;
    let along = SHORTER[which] + (SHORTER[which + 1] - SHORTER[which]) * (u * 0.5 + 0.5);
    let up = if row > 0.0 { along + round } else { -0.6 * round };
    [p[0], p[1] + edge * up, p[2]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn teeth_lie_beside_each_other() {
        for upper in [true, false] {
            assert_eq!(tooth(0.0, upper).0, 0);
            let all: Vec<usize> = (0..320).map(|at| tooth(at as f32 * 0.001, upper).0).collect();
            assert!(all.windows(2).all(|two| two[1] == two[0] || two[1] == two[0] + 1), "{all:?}");
            assert_eq!(all.last(), Some(&6));
        }
    }
}
