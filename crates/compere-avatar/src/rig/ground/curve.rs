//! Lines through space, as points; and those that are heights over even places.

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

/// Means over neighbours; both ends stay.
pub(crate) fn even<const N: usize>(line: [f32; N]) -> [f32; N] {
    std::array::from_fn(|at| match at {
        0 => line[at],
        last if last == N - 1 => line[at],
        _ => (line[at - 1] + 2.0 * line[at] + line[at + 1]) * 0.25,
    })
}

/// Its height at a place between others; beyond an end, that of the end.
pub(crate) fn read<const N: usize>(line: &[f32; N], at: f32) -> f32 {
    let low = (at as usize).min(N - 2);
    line[low] + (line[low + 1] - line[low]) * (at - low as f32).clamp(0.0, 1.0)
}
