//! How bright a model is at its vertices: a studio of soft lamps, and what of it each vertex sees past the rest of the model.
//!
//! That is baked once for a model at rest and once with its mouth open, and mixed by how far the mouth is open: teeth
//! behind closed lips are dark, and nobody sees them.

use super::mesh::{Alpha, Shape, V3};
use super::raster::{Even, Walk, snapped};

/// Directions on each of the six sides of a cube are this number squared.
const ROWS: usize = 4;
/// Shadows are told on a grid of so many cells a side.
const GRID: usize = 224;
/// What is so near, in heights of a face, shades nothing: it is the surface itself.
const NEAR: f32 = 0.03;

pub(super) type Rgb = [f32; 3];

struct Lamp {
    to: V3,
    colour: Rgb,
    /// Wide lamps are soft: the cosine to the power of two to this.
    tight: u32,
}

/// A large warm lamp from the left and above, a cool one from the right, one behind that draws an edge.
const LAMPS: [Lamp; 3] = [
    Lamp { to: [-0.48, 0.46, 0.747], colour: [3.55, 3.3, 3.0], tight: 3 },
    Lamp { to: [0.75, 0.12, 0.65], colour: [0.62, 0.70, 0.82], tight: 2 },
    Lamp { to: [0.55, 0.50, -0.668], colour: [2.4, 2.5, 2.7], tight: 3 },
];

pub(super) fn dot(a: V3, b: V3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn unit(v: V3) -> V3 {
    let length = dot(v, v).sqrt().max(1e-12);
    v.map(|x| x / length)
}

fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// What comes from a direction.
fn sky(to: V3) -> Rgb {
    let height = 0.5 + 0.5 * to[1];
    let mut light: Rgb = [0.30 + 0.34 * height, 0.29 + 0.37 * height, 0.29 + 0.42 * height];
    for lamp in &LAMPS {
        let mut share = dot(to, lamp.to).max(0.0);
        for _ in 0..lamp.tight {
            share *= share;
        }
        (0..3).for_each(|k| light[k] += share * lamp.colour[k]);
    }
    light
}

/// Directions over all of the sphere, each with its share of it.
fn directions() -> Vec<(V3, f32)> {
    let mut all = Vec::new();
    for cell in 0..6 * ROWS * ROWS {
        let (side, row, column) = (cell / (ROWS * ROWS), cell / ROWS % ROWS, cell % ROWS);
        let at = |n: usize| (2.0 * n as f32 + 1.0) / ROWS as f32 - 1.0;
        let (u, v) = (at(row), at(column));
        let axis = side / 2;
        let mut to = [0.0; 3];
        to[axis] = if side % 2 == 0 { 1.0 } else { -1.0 };
        (to[(axis + 1) % 3], to[(axis + 2) % 3]) = (u, v);
        let length = dot(to, to).sqrt();
        all.push((unit(to), 1.0 / (length * length * length)));
    }
    let sum: f32 = all.iter().map(|(_, share)| share).sum();
    all.iter_mut().for_each(|(_, share)| *share /= sum);
    all
}

/// The light at every vertex of a model whose vertices lie at `places`; one that is lit from all sides by 1 has 1.
pub(super) fn lit(shape: &Shape, places: &[V3], face: f32) -> Vec<Rgb> {
    let mut light = vec![[0.0; 3]; places.len()];
    // Red light goes some way through skin, so shadows begin later and warmer.
    const WRAP: Rgb = [0.16, 0.08, 0.05];
    for (to, share) in directions() {
        let seen = Seen::from(shape, places, to, face);
        let sky = sky(to);
        for (n, light) in light.iter_mut().enumerate() {
            let facing = dot(shape.vertices[n].normal, to);
            if facing <= -WRAP[0] {
                continue;
            }
            let open = share * 4.0 * seen.open(places[n], shape.vertices[n].normal);
            for k in 0..3 {
                light[k] += open * sky[k] * ((facing + WRAP[k]) / (1.0 + WRAP[k])).max(0.0);
            }
        }
    }
    light
}

/// A model as a lamp sees it: how near is what it sees first.
struct Seen {
    axes: [V3; 3],
    low: [f32; 2],
    scale: f32,
    near: Vec<f32>,
    face: f32,
}

impl Seen {
    fn from(shape: &Shape, places: &[V3], to: V3, face: f32) -> Self {
        let up = if to[1].abs() < 0.9 { [0.0, 1.0, 0.0] } else { [1.0, 0.0, 0.0] };
        let right = unit(cross(up, to));
        let axes = [right, cross(to, right), to];
        let flat: Vec<V3> = places.iter().map(|&at| axes.map(|axis| dot(axis, at))).collect();
        let bound = |k: usize, pick: fn(f32, f32) -> f32, from: f32| flat.iter().map(|at| at[k]).fold(from, pick);
        let low = [bound(0, f32::min, f32::MAX), bound(1, f32::min, f32::MAX)];
        let wide = (0..2).map(|k| bound(k, f32::max, f32::MIN) - low[k]).fold(1e-6, f32::max);
        let scale = (GRID as f32 - 2.0) / wide;
        let mut near = vec![f32::MIN; GRID * GRID];
        for (corners, material) in &shape.triangles {
            // Hair and lashes that are seen through would shade like boards.
            if shape.materials[*material].alpha != Alpha::Opaque {
                continue;
            }
            let three = corners.map(|n| flat[n as usize]);
            let at = three.map(|p| [(p[0] - low[0]) * scale + 1.0, (p[1] - low[1]) * scale + 1.0]);
            let Some(walk) = Walk::new(at.map(snapped), true, [GRID, GRID]) else { continue };
            let depth = Even::over(at).slope(three.map(|p| p[2]));
            walk.pixels(|x, y, covered| {
                // Looks two and three lie about the middle.
                if covered & 0b0110 != 0 {
                    let cell = &mut near[y * GRID + x];
                    *cell = cell.max(depth.at(x as f32 + 0.5, y as f32 + 0.5));
                }
            });
        }
        Self { axes, low, scale, near, face }
    }

    /// How much of the lamp a place sees: the mean of the four cells about it.
    fn open(&self, at: V3, normal: V3) -> f32 {
        let at: V3 = std::array::from_fn(|k| at[k] + 0.5 * NEAR * self.face * normal[k]);
        let [x, y, depth] = self.axes.map(|axis| dot(axis, at));
        let grid = |v: f32, low: f32| ((v - low) * self.scale + 0.5).clamp(0.0, GRID as f32 - 2.0);
        let (x, y) = (grid(x, self.low[0]), grid(y, self.low[1]));
        let (left, top) = (x as usize, y as usize);
        let (fx, fy) = (x - left as f32, y - top as f32);
        let free = |dx: usize, dy: usize| {
            let before = self.near[(top + dy) * GRID + left + dx] - depth;
            1.0 - (before / (NEAR * self.face) - 1.0).clamp(0.0, 1.0)
        };
        let upper = free(0, 0) + fx * (free(1, 0) - free(0, 0));
        let lower = free(0, 1) + fx * (free(1, 1) - free(0, 1));
        upper + fy * (lower - upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::mesh::{Material, Vertex};

    #[test]
    fn directions_are_spread_evenly() {
        let mean =
            directions().iter().fold([0.0_f32; 3], |sum, (to, share)| std::array::from_fn(|k| sum[k] + share * to[k]));
        assert!(mean.iter().all(|v| v.abs() < 1e-5), "{mean:?}");
    }

    /// A square that looks up, with another above it.
    #[test]
    fn what_lies_under_something_is_darker() {
        let corner = |x: f32, y: f32, z: f32| Vertex { at: [x, y, z], normal: [0.0, 1.0, 0.0], ..Vertex::default() };
        let square = |y: f32| [corner(-1.0, y, -1.0), corner(1.0, y, -1.0), corner(1.0, y, 1.0), corner(-1.0, y, 1.0)];
        let plain =
            Material { colour: [1.0; 4], image: None, alpha: Alpha::Opaque, is_double: true, flat: 0.0, gloss: 0.0 };
        let mut shape = Shape { materials: vec![plain], ..Shape::default() };
        shape.vertices.extend(square(0.0));
        shape.vertices.push(corner(0.0, 0.0, 0.0));
        shape.triangles = vec![([0, 1, 2], 0), ([0, 2, 3], 0)];
        let open = lit(&shape, &places(&shape), 1.0)[4];
        shape.vertices.extend(square(0.5));
        shape.triangles.extend([([5, 6, 7], 0), ([5, 7, 8], 0)]);
        let shaded = lit(&shape, &places(&shape), 1.0)[4];
        assert!(open[0] > 0.5 && shaded[0] < 0.4 * open[0], "{open:?} {shaded:?}");
    }

    fn places(shape: &Shape) -> Vec<V3> {
        shape.vertices.iter().map(|vertex| vertex.at).collect()
    }
}
