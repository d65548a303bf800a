//! What shades what: depth maps from where the key stands, and the body as a ground that arms throw shadows on.

use compere_media::Pixmap;

use crate::keep::keep;
use crate::rig::ground::v3::{V3, add, cross, dot, floor, length, mul, norm, ss, sub};

/// Cells of a depth map to a side, and model units they stand for.
pub(crate) const MAP: usize = 256;
const SPAN: f32 = 8.2;
/// Plate pixels to a side of a cell of the ground.
pub(crate) const CELL: usize = 4;

pub(crate) const EMPTY: f32 = -1e9;

/// A point of the body seen at a cell of the plate.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lit {
    pub(crate) at: V3,
    pub(crate) normal: V3,
    /// How much of its light is the key's; below zero where there is nothing.
    pub(crate) share: f32,
}

keep!(Lit { at, normal, share });

#[derive(Clone, Debug)]
pub(crate) struct Ground {
    /// The body's plate, and how far each pixel of it is from the camera, [`deep`].
    pub(crate) body: Pixmap,
    pub(crate) depth: Vec<u16>,
    pub(crate) columns: usize,
    pub(crate) lit: Vec<Lit>,
    /// How near to the key what does not move stands.
    pub(crate) still: Vec<f32>,
}

keep!(Ground { body, depth, columns, lit, still });

/// A distance from the camera in 1/4096 model unit, from 10 on.
pub(crate) fn deep(distance: f32) -> u16 {
    ((distance - 10.0) * 4096.0).clamp(0.0, 65534.0) as u16
}

/// A view from where the key stands.
#[derive(Clone, Copy)]
pub(crate) struct View {
    x: V3,
    y: V3,
    d: V3,
}

impl View {
    pub(crate) fn new(to_key: V3) -> Self {
        let d = norm(to_key);
        let x = norm(cross([0.0, 1.0, 0.0], d));
        Self { x, y: cross(d, x), d }
    }

    /// Where on a map, and how near to the key.
    #[inline]
    pub(crate) fn seen(&self, p: V3) -> V3 {
        const SCALE: f32 = MAP as f32 / SPAN;
        let q = [p[0], p[1] - 4.4, p[2] - 0.4];
        let middle = MAP as f32 * 0.5;
        [dot(q, self.x) * SCALE + middle, dot(q, self.y) * SCALE + middle, dot(q, self.d)]
    }
}

/// Marks a point with what lies between it and its neighbours.
#[inline]
pub(super) fn splat(map: &mut [f32], q: V3) {
    let (x, y) = (floor(q[0] - 0.5), floor(q[1] - 0.5));
    if x < 0 || y < 0 || x + 1 >= MAP as i32 || y + 1 >= MAP as i32 {
        return;
    }
    let at = y as usize * MAP + x as usize;
    for cell in [at, at + 1, at + MAP, at + MAP + 1] {
        if map[cell] < q[2] {
            map[cell] = q[2];
        }
    }
}

/// How much of the key passes a map to a point, read over `reach` cells to each side.
#[inline]
pub(super) fn passes(map: &[f32], q: V3, bias: f32, reach: i32) -> f32 {
    let (x, y) = (floor(q[0]), floor(q[1]));
    if x < reach || y < reach || x + reach >= MAP as i32 || y + reach >= MAP as i32 {
        return 1.0;
    }
    let (mut seen, mut all) = (0.0, 0.0);
    for dy in -reach..=reach {
        let row = (y + dy) as usize * MAP + (x - reach) as usize;
        for (dx, &near) in (-reach..).zip(&map[row..row + 2 * reach as usize + 1]) {
            // Weights of a tent about the very place.
            let off = |d: i32, v: f32, cell: i32| (d + cell) as f32 + 0.5 - v;
            let (ox, oy) = (off(dx, q[0], x), off(dy, q[1], y));
            let wide = reach as f32 + 0.6;
            let w = (wide - ox.abs()).max(0.0) * (wide - oy.abs()).max(0.0);
            all += w;
            // Soft at its edge in depth, too.
            seen += w * (1.0 - ((near - q[2] - bias) * 14.0).clamp(0.0, 1.0));
        }
    }
    seen / all.max(1e-6)
}

/// A part of an arm as a round body.
#[derive(Clone, Copy)]
pub(super) struct Capsule {
    pub(super) from: V3,
    pub(super) to: V3,
    pub(super) radius: f32,
}

impl Capsule {
    /// How much of the sky it hides from a point that looks in direction `n`.
    pub(super) fn hides(&self, p: V3, n: V3) -> f32 {
        let way = sub(self.to, self.from);
        let t = (dot(sub(p, self.from), way) / dot(way, way).max(1e-6)).clamp(0.0, 1.0);
        let to = sub(add(self.from, mul(way, t)), p);
        let far = length(to).max(1e-4);
        if far > 3.0 * self.radius {
            return 0.0;
        }
        let near = self.radius / far.max(self.radius);
        (dot(n, to) / far).max(0.0) * near * near * ss(3.0, 1.5, far / self.radius)
    }
}
