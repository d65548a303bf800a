//! Hair and lashes as ribbons.

use super::parts::{Mesh, StrandTraits, Stuff, Traits};
use super::skull::Skull;
use crate::rig::ground::v3::{V3, add, cross, length, mul, norm, ss, sub};

/// Strands as flat ribbons that face the camera. `curves` all have the same number of points.
#[derive(Default)]
pub(crate) struct Strands {
    pub(crate) curves: Vec<Vec<V3>>,
    /// Half widths along a curve.
    pub(crate) widths: Vec<f32>,
    /// Per curve: a factor on the width, a chance, and how much finer it begins.
    pub(crate) each: Vec<[f32; 3]>,
    /// Per curve: how many curves before it its guide is, which the light is worked out for. Empty: all are guides.
    pub(crate) guide: Vec<u32>,
    /// Per curve: which way the surface faces that it lies on, point by point, where it lies on one.
    pub(crate) faces: Vec<Vec<V3>>,
    /// So many of the last curves are as wide all along.
    pub(crate) even: usize,
}

impl Strands {
    /// Lifts what begins under the skin, which seen in pieces would be a dashed line along the hairline, and ends what
    /// runs into the head: it would be seen between the lips.
    pub(crate) fn over(&mut self, skull: &Skull) {
        let near = 1 + self.widths.len() / 6;
        for curve in &mut self.curves {
            for at in 0..curve.len() {
                let q = sub(curve[at], skull.centre);
                let (far, d) = (length(q), norm(q));
                if at >= near {
                    if far < 0.86 * skull.radius(d) && curve[at][2] > 0.3 {
                        let end = curve[at - 1];
                        (at..curve.len()).for_each(|k| curve[k] = add(end, [0.0, -0.001 * (k - at + 1) as f32, 0.0]));
                        break;
                    }
                    continue;
                }
                let least = skull.radius(d) + if at == 0 { -0.01 } else { 0.014 };
                if far < least {
                    curve[at] = add(skull.centre, mul(d, least));
                }
            }
        }
    }

    /// Guides, and one in so many of the others, wider for it.
    pub(crate) fn thinned(self, keep: u32) -> Self {
        let mut out = Self { widths: self.widths, ..Self::default() };
        let mut last = 0;
        let mut faces = self.faces.into_iter();
        for (at, (curve, [wide, chance, fine])) in self.curves.into_iter().zip(self.each).enumerate() {
            let after = self.guide.get(at).copied().unwrap_or(0);
            let faces = faces.next().unwrap_or_default();
            if after % keep != 0 {
                continue;
            }
            if after == 0 {
                last = out.curves.len();
            }
            out.guide.push((out.curves.len() - last) as u32);
            out.curves.push(curve);
            out.faces.push(faces);
            out.each.push([wide * keep as f32 * 0.75, chance, fine]);
        }
        out
    }

    pub(crate) fn mesh(&self, stuff: Stuff) -> Mesh {
        let k = self.widths.len();
        let count = self.curves.len() * k * 2;
        let (mut points, mut traits) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut triangles, mut tangents) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for (which, (curve, each)) in self.curves.iter().zip(&self.each).enumerate() {
            let base = points.len() as u32;
            let guide = self.guide.get(which).copied().unwrap_or(0) as usize * k * 2;
            for at in 0..k {
                let (from, to) = (curve[at.saturating_sub(1)], curve[(at + 1).min(k - 1)]);
                let tangent = norm(sub(to, from));
                let side = cross(tangent, [0.0, 0.0, 1.0]);
                let side = if length(side) < 0.15 { [1.0, 0.0, 0.0] } else { norm(side) };
                let along = at as f32 / (k - 1) as f32;
                let faces = self.faces.get(which).and_then(|faces| faces.get(at)).copied().unwrap_or([0.0; 3]);
                let fine = 1.0 - 0.70 * each[2] * ss(0.40, 0.0, along);
                let wide = if which + self.even < self.curves.len() { self.widths[at] } else { 1.0 };
                for sign in [-1.0, 1.0] {
                    points.push(add(curve[at], mul(side, sign * wide * each[0] * fine)));
                    traits.push(StrandTraits { along, chance: each[1], guide, faces });
                    tangents.push(tangent);
                }
            }
            for at in 0..k as u32 - 1 {
                let a = base + at * 2;
                triangles.extend([[a, a + 1, a + 2], [a + 1, a + 3, a + 2]]);
            }
        }
        Mesh::facing(stuff, points, tangents, triangles, Traits::Strands(traits))
    }
}
