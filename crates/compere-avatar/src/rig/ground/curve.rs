//! Lines through space, as points.

use super::v3::{V3, add, mul};

/// Evens out kinks, as collisions leave them.
pub(crate) fn relaxed(curve: &mut [V3], times: u32) {
    for _ in 0..times {
        let mut before = curve[0];
        for at in 1..curve.len() - 1 {
            let old = curve[at];
            curve[at] = add(mul(old, 0.5), mul(add(before, curve[at + 1]), 0.25));
            before = old;
        }
    }
}
