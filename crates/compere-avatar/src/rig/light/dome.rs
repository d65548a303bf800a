//! The studio's light by the direction a surface looks, all but the key's; and the key itself.

use crate::keep::keep;
use crate::rig::ground::v3::{V3, add, floor, mul, norm};

/// Nodes to a side of the table, an octahedron laid flat.
const SIDE: usize = 25;

#[derive(Clone, Debug)]
pub(crate) struct Dome {
    table: Vec<V3>,
    /// What the key adds on a surface that faces it, and where it stands.
    pub(crate) key: V3,
    pub(crate) to_key: V3,
}

keep!(Dome { table, key, to_key });

impl Dome {
    /// From what a surface receives that looks in a direction.
    pub(crate) fn new(received: impl Fn(V3) -> V3, key: V3, to_key: V3) -> Self {
        let node = |at: usize| {
            let place = |k: usize| k as f32 / (SIDE - 1) as f32 * 2.0 - 1.0;
            let (x, y) = (place(at % SIDE), place(at / SIDE));
            let z = 1.0 - x.abs() - y.abs();
            let (x, y) = if z < 0.0 {
                ((1.0 - y.abs()) * if x < 0.0 { -1.0 } else { 1.0 }, (1.0 - x.abs()) * if y < 0.0 { -1.0 } else { 1.0 })
            } else {
                (x, y)
            };
            received(norm([x, y, z]))
        };
        Self { table: (0..SIDE * SIDE).map(node).collect(), key, to_key: norm(to_key) }
    }

    /// On a surface that looks in direction `n`, of length 1.
    pub(crate) fn light(&self, n: V3) -> V3 {
        let all = n[0].abs() + n[1].abs() + n[2].abs();
        let (mut x, mut y) = (n[0] / all, n[1] / all);
        if n[2] < 0.0 {
            let side = |v: f32| if v < 0.0 { -1.0 } else { 1.0 };
            (x, y) = ((1.0 - y.abs()) * side(x), (1.0 - x.abs()) * side(y));
        }
        let place = |v: f32| ((v + 1.0) * 0.5 * (SIDE - 1) as f32).clamp(0.0, (SIDE - 1) as f32 - 0.001);
        let (x, y) = (place(x), place(y));
        let (column, row) = (floor(x) as usize, floor(y) as usize);
        let (fx, fy) = (x - column as f32, y - row as f32);
        let at = |dx: usize, dy: usize| self.table[(row + dy) * SIDE + column + dx];
        let top = add(mul(at(0, 0), 1.0 - fx), mul(at(1, 0), fx));
        let low = add(mul(at(0, 1), 1.0 - fx), mul(at(1, 1), fx));
        add(mul(top, 1.0 - fy), mul(low, fy))
    }
}
