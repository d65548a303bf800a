//! The light of creases.

use crate::rig::body::parts::Mesh;
use crate::rig::ground::v3::{V3, add, cross, dot, norm, sub};

/// How light on skin changes as it folds: by how much its normals turn from those in the pose that was lit.
pub(crate) struct Relief<'a> {
    skin: &'a Mesh,
    was: Vec<V3>,
    neutral: Vec<f32>,
}

impl<'a> Relief<'a> {
    pub(crate) fn new(skin: &'a Mesh, lit: &[V3]) -> Self {
        let mut relief = Self { skin, was: swell(skin, lit), neutral: Vec::new() };
        relief.neutral = relief.of(&skin.points);
        relief
    }

    /// The light of each vertex, 256 where nothing turned.
    pub(crate) fn of(&self, points: &[V3]) -> Vec<f32> {
        let lights = [(norm(super::studio::KEY), 0.60), (norm(super::studio::FILL), 0.22), ([0.0, 1.0, 0.0], 0.10)];
        let lit = |n: V3| {
            let n = norm(n);
            0.42 + lights.iter().map(|(l, w)| w * (dot(n, *l) * 0.8 + 0.2).max(0.0)).sum::<f32>()
        };
        let ratio = |(was, now): (&V3, V3)| {
            if *was == now {
                return 256.0;
            }
            // The sheet is encoded for display: take the root, roughly.
            let ratio = (lit(now) / lit(*was)).clamp(0.6, 1.35);
            (1.0 + (ratio - 1.0) * 0.55) * 256.0
        };
        self.was.iter().zip(swell(self.skin, points)).map(ratio).collect()
    }

    /// By how much a pose at `weight` would change the light at full weight.
    pub(crate) fn change(&self, points: &[V3], weight: f32) -> Vec<f32> {
        self.of(points).iter().zip(&self.neutral).map(|(now, neutral)| (now - neutral) / weight).collect()
    }
}

/// Sums of the normals around each vertex.
fn swell(skin: &Mesh, points: &[V3]) -> Vec<V3> {
    let mut out = vec![[0.0; 3]; points.len()];
    for t in &skin.triangles {
        let [a, b, c] = t.map(|v| points[v as usize]);
        let n = cross(sub(b, a), sub(c, a));
        for &v in t {
            out[v as usize] = add(out[v as usize], n);
        }
    }
    out
}
