//! Meshes already on the plate: channels push their vertices about, nothing is projected any more.
//!
//! A vertex is pushed along a straight line on the plate and in depth, and its light changes in proportion. Places are
//! rounded to 1/4 pixel, so that two poses which look the same are the same, and what did not move is known exactly.

use crate::act::Face;
use crate::keep::keep;
use crate::rig::ground::v3::V3;

/// Where a vertex is: x, y in 1/16 plate pixel, depth in 1/4096 model unit, light with 256 as it was baked.
pub(crate) type Spot = [i32; 4];

/// The same before rounding.
pub(crate) type Place = [f32; 4];

pub(crate) const PLACE: f32 = 16.0;
pub(crate) const DEPTH: f32 = 4096.0;

/// What one channel does in one direction, at full weight.
#[derive(Clone, Debug)]
pub(crate) struct Pushes {
    pub(crate) channel: usize,
    pub(crate) sign: f32,
    pub(crate) by: Vec<(u32, Place)>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Flat {
    pub(crate) base: Vec<Place>,
    pub(crate) triangles: Vec<[u32; 3]>,
    pub(crate) pushes: Vec<Pushes>,
}

keep!(Pushes { channel, sign, by });
keep!(Flat { base, triangles, pushes });

/// A projected point as a place.
pub(crate) fn place(projected: V3) -> Place {
    [projected[0] * PLACE, projected[1] * PLACE, projected[2] * DEPTH, 256.0]
}

impl Flat {
    /// Where all vertices are for a face.
    pub(crate) fn pose(&self, face: &Face, places: &mut Vec<Place>, out: &mut Vec<Spot>) {
        places.clear();
        places.extend_from_slice(&self.base);
        let weights: Vec<f32> = face.weights().collect();
        for pushes in &self.pushes {
            let w = (weights[pushes.channel] * pushes.sign).max(0.0);
            if w > 0.0 {
                for &(v, by) in &pushes.by {
                    let place = &mut places[v as usize];
                    *place = std::array::from_fn(|k| place[k] + by[k] * w);
                }
            }
        }
        out.clear();
        out.extend(places.iter().map(|p| {
            // Quarters of a pixel, and less in depth: finer is not seen, and would have to be painted.
            let [x, y, light] = [p[0], p[1], p[3]].map(|c| rounded(c * 0.25) * 4);
            [x, y, rounded(p[2] * (1.0 / 16.0)) * 16, light.clamp(200, 304)]
        }));
    }

    /// Whether two faces may differ in it.
    pub(crate) fn differs(&self, a: &Face, b: &Face) -> bool {
        let changes: Vec<bool> = a.weights().zip(b.weights()).map(|(a, b)| a != b).collect();
        self.pushes.iter().any(|pushes| changes[pushes.channel])
    }

    /// As it was baked.
    pub(crate) fn rest(&self) -> Vec<Spot> {
        let mut out = Vec::new();
        self.pose(&Face::default(), &mut Vec::new(), &mut out);
        out
    }

    /// Which vertices move or change their light.
    pub(crate) fn moving(&self) -> Vec<bool> {
        let mut moving = vec![false; self.base.len()];
        for (v, _) in self.pushes.iter().flat_map(|p| &p.by) {
            moving[*v as usize] = true;
        }
        moving
    }

    /// Drops what no weight makes visible.
    pub(crate) fn pruned(mut self) -> Self {
        for pushes in &mut self.pushes {
            pushes.by.retain(|(_, by)| by[0].abs().max(by[1].abs()) >= 3.0 || by[3].abs() >= 6.0);
        }
        self.pushes.retain(|p| !p.by.is_empty());
        self
    }

    /// Moves the origin to a pixel.
    pub(crate) fn seen_from(mut self, x: i32, y: i32) -> Self {
        for place in &mut self.base {
            place[0] -= x as f32 * PLACE;
            place[1] -= y as f32 * PLACE;
        }
        self
    }

    /// Only the triangles that are wanted, and their vertices; and which vertices those were.
    pub(crate) fn only(&self, wanted: impl Fn(usize) -> bool) -> (Self, Vec<u32>) {
        let mut name = vec![u32::MAX; self.base.len()];
        let mut kept = Vec::new();
        let chosen = self.triangles.iter().enumerate().filter(|(at, _)| wanted(*at));
        let triangles = chosen.map(|(_, t)| {
            t.map(|v| {
                let slot = &mut name[v as usize];
                if *slot == u32::MAX {
                    *slot = kept.len() as u32;
                    kept.push(v);
                }
                *slot
            })
        });
        let triangles = triangles.collect();
        let pushes = self.pushes.iter().map(|p| {
            let by = p.by.iter().map(|&(v, by)| (name[v as usize], by)).filter(|(v, _)| *v != u32::MAX);
            Pushes { by: by.collect(), ..*p }
        });
        let flat = Self {
            pushes: pushes.filter(|p| !p.by.is_empty()).collect(),
            base: kept.iter().map(|&v| self.base[v as usize]).collect(),
            triangles,
        };
        (flat, kept)
    }
}

/// To the nearest whole, without a call into the platform's library. Good for what fits on a plate.
#[inline]
fn rounded(v: f32) -> i32 {
    const AWAY: f32 = 262_144.0;
    (v + (AWAY + 0.5)) as i32 - AWAY as i32
}
