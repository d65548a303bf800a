//! The lamp behind a presenter's shoulder: a thin cool line of light along the side of dark cloth that the key leaves, which
//! parts it from a dark wall. Summed with the other lamps it would be a patch as wide as a cheek; it is seen at a glance
//! only. None on skin, hair and light cloth: where it lies beside warm skin it is a haze, and pale edges melt in it.

use super::studio::RIM;
use crate::rig::ground::v3::{V3, add, dot, mul, mulv, norm, pow, ss};

/// Its colour beside the warm key's.
const COOL: V3 = [1.06, 1.12, 1.20];

/// What a cloth of `color` and normal `n` sends of it to who looks along `v`, where `share` of it arrives.
pub(crate) fn kicked(color: V3, n: V3, v: V3, share: f32) -> V3 {
    let glance = ss(-0.25, 0.45, dot(n, norm(RIM))) * ss(0.0, 0.35, n[0]) * pow(1.0 - dot(n, v).abs().min(1.0), 1.7);
    let dark = ss(0.26, 0.08, color[1]);
    mulv(COOL, mul(add(color, [0.03; 3]), share * dark * glance))
}
