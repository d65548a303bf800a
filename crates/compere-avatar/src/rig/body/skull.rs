//! The shape of a head under its hair.

use super::parts::Mesh;
use super::sculpt::Body;
use crate::rig::ground::v3::{V3, asin, atan2, cos, dot, exp, length, norm, sin, sub};

/// The skull as a distance in every direction from the middle of the head.
pub(crate) struct Skull {
    pub(crate) centre: V3,
    /// By azimuth and elevation, `AROUND` by `UP` nodes.
    table: Vec<f32>,
}

const AROUND: usize = 120;
const UP: usize = 60;

impl Skull {
    pub(crate) fn new(body: &Body, skin: &Mesh) -> Self {
        let eye = (body.eyes[0][1] + body.eyes[1][1]) * 0.5;
        let centre = [0.0, (eye + body.top) * 0.5 + 0.02, 0.42];
        let near = Near::new(skin, centre, eye);
        let node = |at: usize| {
            let azimuth = (at % AROUND) as f32 / AROUND as f32 * 360.0 - 180.0;
            let elevation = (at / AROUND) as f32 / (UP - 1) as f32 * 180.0 - 90.0;
            near.radius(direction(azimuth, elevation))
        };
        let table: Vec<f32> = (0..AROUND * UP).map(node).collect();
        Self { centre, table: even(&even(&even(&table))) }
    }

    pub(crate) fn radius(&self, direction: V3) -> f32 {
        let (azimuth, elevation) = angles(direction);
        let x = (azimuth + 180.0) / 360.0 * AROUND as f32;
        let y = ((elevation + 90.0) / 180.0 * (UP - 1) as f32).clamp(0.0, UP as f32 - 1.001);
        let (ix, iy) = (x as usize, y as usize);
        let (fx, fy) = (x - ix as f32, y - iy as f32);
        let at = |dx: usize, dy: usize| self.table[(iy + dy) * AROUND + (ix + dx) % AROUND];
        (at(0, 0) * (1.0 - fx) + at(1, 0) * fx) * (1.0 - fy) + (at(0, 1) * (1.0 - fx) + at(1, 1) * fx) * fy
    }
}

/// Means over neighbours: points of the skin are sparse, and what lies on plateaus about them has steps.
fn even(table: &[f32]) -> Vec<f32> {
    let row = |at: usize| at / AROUND * AROUND;
    let across = |at: usize| {
        let (left, right) = ((at + AROUND - 1) % AROUND, (at + 1) % AROUND);
        (table[row(at) + left] + 2.0 * table[at] + table[row(at) + right]) * 0.25
    };
    let rows: Vec<f32> = (0..table.len()).map(across).collect();
    let above = |at: usize| rows[if at + AROUND < rows.len() { at + AROUND } else { at }];
    let below = |at: usize| rows[if at >= AROUND { at - AROUND } else { at }];
    (0..rows.len()).map(|at| (below(at) + 2.0 * rows[at] + above(at)) * 0.25).collect()
}

/// Skin around the middle of the head, in cells by direction.
struct Near {
    samples: Vec<(V3, f32)>,
    cells: Vec<Vec<u32>>,
}

const CELLS: usize = 14;

impl Near {
    fn new(skin: &Mesh, centre: V3, eye: f32) -> Self {
        let mut samples = Vec::new();
        for (p, t) in skin.points.iter().zip(skin.skin()) {
            // Without ears and the inside of the mouth.
            if t.ear < 0.05 && t.inside < 0.05 && p[1] > eye - 1.2 {
                let d = sub(*p, centre);
                samples.push((norm(d), length(d)));
            }
        }
        let mut cells = vec![Vec::new(); CELLS * CELLS * CELLS];
        for (at, (d, _)) in samples.iter().enumerate() {
            cells[Self::cell(Self::coordinates(*d))].push(at as u32);
        }
        Self { samples, cells }
    }

    fn coordinates(d: V3) -> [i32; 3] {
        d.map(|c| (((c + 1.0) * 0.5 * CELLS as f32) as i32).clamp(0, CELLS as i32 - 1))
    }

    fn cell(c: [i32; 3]) -> usize {
        ((c[2] as usize * CELLS) + c[1] as usize) * CELLS + c[0] as usize
    }

    fn radius(&self, direction: V3) -> f32 {
        let c = Self::coordinates(direction);
        let (mut sum, mut total) = (0.0, 0.0);
        for reach in [1, 3] {
            for dz in -reach..=reach {
                for dy in -reach..=reach {
                    for dx in -reach..=reach {
                        let at = [c[0] + dx, c[1] + dy, c[2] + dz];
                        if at.iter().any(|&v| !(0..CELLS as i32).contains(&v)) {
                            continue;
                        }
                        for &s in &self.cells[Self::cell(at)] {
                            let (d, r) = self.samples[s as usize];
                            let apart = sub(d, direction);
                            let w = exp(-dot(apart, apart) / 0.004) + 1e-7;
                            sum += r * w;
                            total += w;
                        }
                    }
                }
            }
            if total > 1e-3 {
                break;
            }
        }
        if total > 0.0 { sum / total } else { 1.0 }
    }
}

pub(crate) fn angles(d: V3) -> (f32, f32) {
    (atan2(d[0], d[2]).to_degrees(), asin(d[1].clamp(-1.0, 1.0)).to_degrees())
}

pub(crate) fn direction(azimuth: f32, elevation: f32) -> V3 {
    let (a, e) = (azimuth.to_radians(), elevation.to_radians());
    [sin(a) * cos(e), sin(e), cos(a) * cos(e)]
}
