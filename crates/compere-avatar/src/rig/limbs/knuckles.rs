//! The back of a hand: knuckles, the tendons that run to them, joints of fingers. The data's hand has none of it, and
//! too few points to hold it.

use std::collections::HashMap;

use super::bones::Bones;
use crate::rig::ground::v3::{V3, add, dot, exp, length, mix, mul, norm, ss, sub};

/// How high a knuckle stands over the back of the hand, and how wide it is.
const KNUCKLE: [f32; 2] = [0.042, 0.085];
/// The two joints of a finger beyond it.
const JOINT: [f32; 2] = [0.018, 0.060];
/// A tendon between wrist and knuckle.
const TENDON: [f32; 2] = [0.011, 0.044];

pub(super) struct Knuckles<'a> {
    bones: &'a Bones,
    /// A hand's size against that of which the measures are.
    size: f32,
    /// Hands of women, and of the young, are smoother.
    strength: f32,
}

impl<'a> Knuckles<'a> {
    pub(super) fn new(bones: &'a Bones, strength: f32) -> Self {
        let across = length(sub(bones.digits[4][0], bones.digits[1][0]));
        Self { bones, size: across / 0.60, strength }
    }

    /// How far the surface stands out at a place on the back.
    fn height(&self, p: V3) -> f32 {
        let Bones { wrist, palm, digits, .. } = self.bones;
        // How deep below the back a joint lies is not told by the bones.
        let flat = |v: V3| sub(v, mul(*palm, dot(v, *palm)));
        let bump = |at: V3, [high, wide]: [f32; 2]| {
            let far = length(flat(sub(p, at))) / (wide * self.size);
            high * self.size * exp(-far * far)
        };
        let mut sum = 0.0;
        for joints in &digits[1..] {
            let way = flat(sub(joints[0], *wrist));
            let off = flat(sub(p, *wrist));
            let share = dot(off, way) / dot(way, way);
            let beside = length(sub(off, mul(way, share))) / (TENDON[1] * self.size);
            let along = ss(0.25, 0.6, share) * ss(1.05, 0.85, share);
            sum += bump(joints[0], KNUCKLE) + bump(joints[1], JOINT) + bump(joints[2], [JOINT[0] * 0.5, JOINT[1]]);
            sum += TENDON[0] * self.size * exp(-beside * beside) * along;
        }
        sum * self.strength
    }

    /// Whether a place on the hand is uneven enough to need more points.
    pub(super) fn uneven(&self, p: V3, normal: V3) -> bool {
        self.back(normal) > 0.0 && (self.height(p) > 0.0035 * self.size || self.at_nail(p))
    }

    /// Nails are outlined by points.
    pub(super) fn at_nail(&self, p: V3) -> bool {
        let near = |joints: &[V3; 4]| length(sub(p, mix(joints[2], joints[3], 0.77))) < 0.20 * self.size;
        self.bones.digits.iter().any(near)
    }

    fn back(&self, normal: V3) -> f32 {
        ss(0.0, 0.6, -dot(normal, self.bones.palm))
    }

    /// A point of the smooth hand as it is, and where it looks.
    pub(super) fn raised(&self, p: V3, normal: V3) -> (V3, V3) {
        const STEP: f32 = 0.012;
        let back = self.back(normal);
        if back <= 0.0 {
            return (p, normal);
        }
        let slope: V3 = std::array::from_fn(|k| {
            let step: V3 = std::array::from_fn(|axis| if axis == k { STEP } else { 0.0 });
            (self.height(add(p, step)) - self.height(sub(p, step))) / (2.0 * STEP)
        });
        let slope = mul(sub(slope, mul(normal, dot(slope, normal))), back);
        (add(p, mul(normal, back * self.height(p))), norm(sub(normal, slope)))
    }
}

/// Cuts each triangle at the edges of which `split` gives a point in the middle: nothing gapes.
pub(super) fn refined(triangles: &[[u32; 3]], mut split: impl FnMut(u32, u32) -> Option<u32>) -> Vec<[u32; 3]> {
    let mut known = HashMap::new();
    let mut middle = |a: u32, b: u32| *known.entry((a.min(b), a.max(b))).or_insert_with(|| split(a.min(b), a.max(b)));
    let mut out = Vec::with_capacity(triangles.len());
    for &[a, b, c] in triangles {
        match [middle(a, b), middle(b, c), middle(c, a)] {
            [None, None, None] => out.push([a, b, c]),
            [Some(m), None, None] => out.extend([[a, m, c], [m, b, c]]),
            [None, Some(m), None] => out.extend([[b, m, a], [m, c, a]]),
            [None, None, Some(m)] => out.extend([[c, m, b], [m, a, b]]),
            [Some(m), Some(n), None] => out.extend([[m, b, n], [a, m, n], [a, n, c]]),
            [None, Some(m), Some(n)] => out.extend([[m, c, n], [b, m, n], [b, n, a]]),
            [Some(n), None, Some(m)] => out.extend([[m, a, n], [c, m, n], [c, n, b]]),
            [Some(ab), Some(bc), Some(ca)] => {
                out.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
            }
        }
    }
    out
}
