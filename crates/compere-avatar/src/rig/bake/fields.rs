//! How strongly each place of a plate follows head and breath, read off what the place shows.

use super::{Figure, between};
use crate::maths::smooth;
use crate::puppet::{Field, Influence};
use crate::rig::body::parts::{Mesh, Stuff};
use crate::rig::ground::camera::Camera;
use crate::rig::ground::v3::V3;
use crate::rig::people::person::Hair;
use crate::rig::raster::render::{Hit, Item, Shot, trace};

/// Pixels to a model unit for a presenter of 600x900.
const USUAL: f32 = 143.0;

/// What a field is gathered for.
pub(super) struct Grid {
    /// Output pixels of the layer.
    pub(super) size: [u32; 2],
    /// Plate pixels per output pixel.
    pub(super) step: f32,
    /// Output pixels per model unit.
    pub(super) unit: f32,
}

impl Figure<'_> {
    pub(super) fn torso_field(&self, grid: &Grid, shot: &Shot, top: f32, pivot: V3) -> Field {
        let skin = &self.meshes[0];
        // Mesh 0 of the shot is skin, the rest is cloth.
        let cloth: Vec<&Mesh> = self.of(|s| matches!(s, Stuff::Cloth(_))).collect();
        gathered(grid, &shot.hits, |hit| {
            let mesh = if hit.mesh == 0 { skin } else { cloth[hit.mesh as usize - 1] };
            let t = mesh.triangles[hit.triangle as usize];
            let p = between(&mesh.points, t, hit.weights());
            let head = (0..3).map(|k| mesh.head[t[k] as usize] * hit.weights()[k]).sum();
            Influence { head, depth: p[2] - pivot[2], breath: 0.0 }
        })
        // Arms breathe with the chest, wherever they are.
        .with_breath(|y| {
            let high = top - y / grid.unit;
            smooth(2.4, 4.5, high) * (1.0 - smooth(5.0, 5.7, high))
        })
    }

    pub(super) fn hair_field(&self, grid: &Grid, items: &[Item<'_>], shot: &Shot, pivot: V3) -> Field {
        gathered(grid, &shot.hits, |hit| {
            let mesh = items[hit.mesh as usize].mesh;
            hair_influence(between(&mesh.points, mesh.triangles[hit.triangle as usize], hit.weights()), pivot)
        })
    }

    pub(super) fn head_field(&self, grid: &Grid, over: &Shot, camera: &Camera, plate: [u32; 2], pivot: V3) -> Field {
        let skin = &self.meshes[0];
        let traced = trace(skin, camera, plate);
        let cloth = self.of(|s| matches!(s, Stuff::Cloth(_))).count() as u16;
        let hair: Vec<&Mesh> = self.of(Stuff::is_headgear).collect();
        let hangs = matches!(self.shader.hair, Hair::Long(_) | Hair::Scarf);
        let of_head = |hit: &Hit| {
            let t = skin.triangles[hit.triangle as usize];
            (0..3).map(|k| skin.head[t[k] as usize] * hit.weights()[k]).sum::<f32>()
                > if hangs { super::FADE[0] } else { f32::MIN }
        };
        // Hair where it shows, else skin. Hair that hangs beside the neck must not be held back by it.
        let hits: Vec<Option<Hit>> = over
            .hits
            .iter()
            .zip(&traced)
            .map(|(over, skin)| {
                over.map(|h| Hit { mesh: h.mesh - cloth, ..h }).or(skin.filter(of_head).map(|h| Hit { mesh: 0, ..h }))
            })
            .collect();
        gathered(grid, &hits, |hit| {
            let mesh = if hit.mesh == 0 { skin } else { hair[hit.mesh as usize - 1] };
            let t = mesh.triangles[hit.triangle as usize];
            let p = between(&mesh.points, t, hit.weights());
            if hit.mesh == 0 {
                let head = (0..3).map(|k| mesh.head[t[k] as usize] * hit.weights()[k]).sum();
                Influence { head, depth: p[2] - pivot[2], breath: 0.0 }
            } else {
                hair_influence(p, pivot)
            }
        })
    }
}

/// Hair goes with the head; where it lies on the shoulders it stays.
fn hair_influence(p: V3, pivot: V3) -> Influence {
    Influence { head: 0.12 + 0.88 * smooth(4.5, 5.9, p[1]), depth: p[2] - pivot[2], breath: 0.0 }
}

/// A field from what each pixel shows: means around every node, spread into the empty places and smoothed.
fn gathered(grid: &Grid, hits: &[Option<Hit>], influence: impl Fn(&Hit) -> Influence) -> Field {
    const NODE: u32 = 8;
    let Grid { size, step, .. } = *grid;
    let (columns, rows) = (size[0].div_ceil(NODE) as usize + 1, size[1].div_ceil(NODE) as usize + 1);
    let wide = (size[0] as f32 * step).ceil() as i32;
    let high = hits.len() as i32 / wide;
    let mut nodes: Vec<Option<Influence>> = Vec::with_capacity(columns * rows);
    for row in 0..rows {
        for column in 0..columns {
            let (cx, cy) = ((column as f32 * 8.0 * step) as i32, (row as f32 * 8.0 * step) as i32);
            let reach = (6.0 * step) as i32;
            let (mut sum, mut count) = (Influence::default(), 0.0);
            for y in ((cy - reach).max(0)..(cy + reach + 1).min(high)).step_by(2) {
                for x in ((cx - reach).max(0)..(cx + reach + 1).min(wide)).step_by(2) {
                    if let Some(hit) = &hits[(y * wide + x) as usize] {
                        let i = influence(hit);
                        sum.head += i.head;
                        sum.depth += i.depth;
                        sum.breath += i.breath;
                        count += 1.0;
                    }
                }
            }
            let mean = |v: f32| v / count;
            nodes.push((count > 0.0).then(|| Influence {
                head: mean(sum.head),
                depth: mean(sum.depth),
                breath: mean(sum.breath),
            }));
        }
    }
    let filled = spread(nodes, columns, rows, grid.unit / USUAL);
    Field::from_nodes(columns, rows, filled)
}

/// Fills what is empty and smooths what is not, the same way at every size: `finer` times as many nodes lie side by
/// side as usual. Too little of it, and outlines dent where cheek, ear and hair follow the head differently.
fn spread(mut nodes: Vec<Option<Influence>>, columns: usize, rows: usize, finer: f32) -> Vec<Influence> {
    let around = |nodes: &[Option<Influence>], at: usize| {
        let (x, y) = ((at % columns) as i32, (at / columns) as i32);
        let (mut sum, mut count) = (Influence::default(), 0.0);
        for (dx, dy) in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)] {
            let (nx, ny) = (x + dx, y + dy);
            if nx < 0 || ny < 0 || nx >= columns as i32 || ny >= rows as i32 {
                continue;
            }
            if let Some(i) = nodes[ny as usize * columns + nx as usize] {
                sum.head += i.head;
                sum.depth += i.depth;
                sum.breath += i.breath;
                count += 1.0;
            }
        }
        (count > 0.0).then(|| Influence {
            head: sum.head / count,
            depth: sum.depth / count,
            breath: sum.breath / count,
        })
    };
    // Far enough that no warp reaches an empty place.
    for _ in 0..(10.0 * finer.max(1.0)) as usize {
        let old = nodes.clone();
        for at in 0..nodes.len() {
            if old[at].is_none() {
                nodes[at] = around(&old, at);
            }
        }
    }
    for _ in 0..((5.0 * finer * finer) as usize).clamp(3, 90) {
        let old = nodes.clone();
        for at in 0..nodes.len() {
            if old[at].is_some() {
                nodes[at] = around(&old, at);
            }
        }
    }
    nodes.into_iter().map(Option::unwrap_or_default).collect()
}
