//! How strongly each place of a plate follows head and breath.

use compere_media::Rect;

use crate::act::{Body, Head};
use crate::keep::keep;
use crate::maths::smooth;

/// Output pixels between two nodes.
pub(super) const STEP: i32 = 8;
/// Node positions are whole 1/256 of an output pixel, rounded to this many of them.
const QUANTUM: f32 = 32.0;
/// A node that follows the head less than this stays.
const STILL: f32 = 0.001;
/// Distance of the camera in model units.
const CAMERA: f32 = 17.0;

/// What moves a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Influence {
    /// 0 stays with the body, 1 goes with the head.
    pub(crate) head: f32,
    /// Towards the camera, from the pivot, in model units.
    pub(crate) depth: f32,
    pub(crate) breath: f32,
}

/// Influences on a grid over the layer.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(super) columns: usize,
    pub(super) rows: usize,
    nodes: Vec<Influence>,
}

keep!(Influence { head, depth, breath });
keep!(Field { columns, rows, nodes });

/// Where a node takes its pixel from, in 1/256 output pixel.
pub(super) type Source = [i32; 2];

impl Field {
    /// Asks `influence` at every node, given in output pixels of the layer.
    pub(crate) fn new(width: u32, height: u32, mut influence: impl FnMut(f32, f32) -> Influence) -> Self {
        let columns = width.div_ceil(STEP as u32) as usize + 1;
        let rows = height.div_ceil(STEP as u32) as usize + 1;
        let mut nodes = Vec::with_capacity(columns * rows);
        for row in 0..rows {
            for column in 0..columns {
                nodes.push(influence((column as i32 * STEP) as f32, (row as i32 * STEP) as f32));
            }
        }
        Self { columns, rows, nodes }
    }

    /// From nodes that are known already, row by row.
    pub(crate) fn from_nodes(columns: usize, rows: usize, nodes: Vec<Influence>) -> Self {
        assert_eq!(nodes.len(), columns * rows, "a node at every crossing");
        Self { columns, rows, nodes }
    }

    /// With a breath that depends on the height alone, in output pixels from the top.
    pub(crate) fn with_breath(mut self, breath: impl Fn(f32) -> f32) -> Self {
        for (row, nodes) in (0..).zip(self.nodes.chunks_mut(self.columns)) {
            let breath = breath((row * STEP) as f32);
            nodes.iter_mut().for_each(|node| node.breath = breath);
        }
        self
    }

    /// Fills `out` with the sources of all nodes for a pose. Outside `live`, in output pixels, the plate holds nothing, so
    /// its nodes stay.
    pub(super) fn bend(&self, head: &Head, body: &Body, unit: f32, pivot: [f32; 2], live: Rect, out: &mut Vec<Source>) {
        out.clear();
        for (at, influence) in self.nodes.iter().enumerate() {
            let x = ((at % self.columns) as i32 * STEP) as f32;
            let y = ((at / self.columns) as i32 * STEP) as f32;
            let stands = *body == Body::default() || y > pivot[1] + HIPS * unit;
            let idle = influence.head <= STILL && influence.breath == 0.0 && stands;
            let (px, py) = (x as i32, y as i32);
            if idle || px < live.x0 || px > live.x1 || py < live.y0 || py > live.y1 {
                out.push([x as i32 * 256, y as i32 * 256]);
                continue;
            }
            // Moves are smooth and small: one look back along the first guess is a good inverse.
            let first = shift(*influence, head, body, unit, pivot, x, y);
            let (bx, by) = (x - first[0], y - first[1]);
            let second = shift(self.at(bx, by), head, body, unit, pivot, bx, by);
            // Without a call into the platform's library; moves are far below a thousand pixels.
            let rounded = |d: f32| ((d * (256.0 / QUANTUM) + 8192.5) as i32 - 8192) * QUANTUM as i32;
            out.push([x as i32 * 256 - rounded(second[0]), y as i32 * 256 - rounded(second[1])]);
        }
    }

    /// Influence between nodes.
    fn at(&self, x: f32, y: f32) -> Influence {
        let gx = (x / STEP as f32).clamp(0.0, (self.columns - 1) as f32 - 0.001);
        let gy = (y / STEP as f32).clamp(0.0, (self.rows - 1) as f32 - 0.001);
        let (column, row) = (gx as usize, gy as usize);
        let (fx, fy) = (gx - column as f32, gy - row as f32);
        let node = |dx: usize, dy: usize| self.nodes[(row + dy) * self.columns + column + dx];
        let mix = |a: Influence, b: Influence, t: f32| Influence {
            head: a.head + (b.head - a.head) * t,
            depth: a.depth + (b.depth - a.depth) * t,
            breath: a.breath + (b.breath - a.breath) * t,
        };
        mix(mix(node(0, 0), node(1, 0), fx), mix(node(0, 1), node(1, 1), fx), fy)
    }
}

/// How far below the pivot nothing sways any more, and from where on everything does, in model units.
const HIPS: f32 = 5.4;
const CHEST: f32 = 1.6;
/// Where a shoulder lies from the pivot, and how far around it everything goes with it.
const SHOULDER: [f32; 2] = [1.30, 0.80];
const AROUND: [f32; 2] = [1.15, 1.5];

/// What weight and shoulders do at a place, in model units to the right and below the pivot.
fn weight(body: &Body, x: f32, y: f32) -> [f32; 2] {
    let across = body.sway() * (1.0 - smooth(CHEST, HIPS, y));
    let lift = |side: f32, lift: f32| {
        let (dx, dy) = ((x - side * SHOULDER[0]) / AROUND[0], (y - SHOULDER[1]) / AROUND[1]);
        let near = (1.0 - dx * dx - dy * dy).max(0.0);
        lift * near * near * (3.0 - 2.0 * near)
    };
    let [left, right] = body.shoulders();
    [across, -lift(-1.0, left) - lift(1.0, right)]
}

/// How far a point of the picture moves, in output pixels.
fn shift(of: Influence, head: &Head, body: &Body, unit: f32, pivot: [f32; 2], x: f32, y: f32) -> [f32; 2] {
    let mut moved = [0.0, 0.0];
    if *body != Body::default() {
        moved = weight(body, (x - pivot[0]) / unit, (y - pivot[1]) / unit).map(|way| way * unit);
    }
    if of.breath != 0.0 {
        moved[1] -= of.breath * head.breath() * unit;
    }
    if of.head <= STILL {
        return moved;
    }
    let (yaw, pitch, roll) = (head.yaw() * of.head, head.pitch() * of.head, head.roll() * of.head);
    let (px, py, pz) = ((x - pivot[0]) / unit, (pivot[1] - y) / unit, of.depth);
    // Rotations to second order: the angles are small.
    let (cy, cp, cr) = (1.0 - yaw * yaw * 0.5, 1.0 - pitch * pitch * 0.5, 1.0 - roll * roll * 0.5);
    let (qy, qz) = (cp * py - pitch * pz, pitch * py + cp * pz);
    let (rx, rz) = (cy * px + yaw * qz, cy * qz - yaw * px);
    let (sx, sy) = (cr * rx - roll * qy, roll * rx + cr * qy);
    let nearer = CAMERA / (CAMERA - (rz - pz));
    moved[0] += (sx * nearer - px) * unit + head.x() * of.head * unit;
    moved[1] -= (sy * nearer - py) * unit + head.y() * of.head * unit;
    moved
}
