//! How far the chest stands out, so that hands and forearms lie before it and not in it.

use crate::keep::keep;
use crate::rig::body::parts::{Mesh, PARTED, Piece, Stuff};
use crate::rig::cloth::garment::Garment;
use crate::rig::ground::v3::V3;

/// Nodes to a side, from the first place on and so far apart.
const SIDE: usize = 25;
const FROM: [f32; 2] = [-1.8, -0.5];
const STEP: [f32; 2] = [0.15, 0.25];

/// The farthest forward that anything of the body is, about every node.
#[derive(Clone, Debug)]
pub(crate) struct Front {
    nodes: Vec<f32>,
}

keep!(Front { nodes });

impl Front {
    pub(crate) fn new(garment: &Garment, meshes: &[Mesh]) -> Self {
        const NONE: f32 = -0.4;
        let mut nodes = vec![NONE; SIDE * SIDE];
        for mesh in meshes {
            let Stuff::Cloth(layer @ (Piece::Top | Piece::Jacket | Piece::Lapel)) = mesh.stuff else { continue };
            for (v, &p) in mesh.sewn.iter().enumerate() {
                let arm = mesh.arm(v);
                if arm > PARTED || garment.gone(layer, p, arm) {
                    continue;
                }
                let at: [i32; 2] = [0, 1].map(|k| ((p[k] - FROM[k]) / STEP[k]).round() as i32);
                for dy in -1..=1 {
                    for dx in -1..=1 {
                        let [x, y] = [at[0] + dx, at[1] + dy];
                        if (0..SIDE as i32).contains(&x) && (0..SIDE as i32).contains(&y) {
                            let node = &mut nodes[y as usize * SIDE + x as usize];
                            *node = node.max(p[2]);
                        }
                    }
                }
            }
        }
        for _ in 0..2 {
            let old = nodes.clone();
            for y in 1..SIDE - 1 {
                for x in 1..SIDE - 1 {
                    let at = y * SIDE + x;
                    nodes[at] = 0.4 * old[at] + 0.15 * (old[at - 1] + old[at + 1] + old[at - SIDE] + old[at + SIDE]);
                }
            }
        }
        Self { nodes }
    }

    /// How far forward the body reaches at a place seen from the front.
    pub(super) fn at(&self, p: V3) -> f32 {
        let place = |k: usize| ((p[k] - FROM[k]) / STEP[k]).clamp(0.0, (SIDE - 1) as f32 - 0.001);
        let (x, y) = (place(0), place(1));
        let (column, row) = (x as usize, y as usize);
        let (fx, fy) = (x - column as f32, y - row as f32);
        let node = |dx: usize, dy: usize| self.nodes[(row + dy) * SIDE + column + dx];
        let top = node(0, 0) * (1.0 - fx) + node(1, 0) * fx;
        let low = node(0, 1) * (1.0 - fx) + node(1, 1) * fx;
        top * (1.0 - fy) + low * fy
    }
}
