//! Colour and nothing else: wide pools of it that run into each other.

use crate::Canvas;
use crate::light::{from_oklab, hex, to_oklab};
use crate::math::{clouds, exp};
use crate::plate::{Plate, View};

/// Where a colour is strongest, in parts of the picture, and how far it reaches.
struct Pool {
    color: u32,
    at: [f32; 2],
    reach: f32,
}

const fn pool(color: u32, x: f32, y: f32, reach: f32) -> Pool {
    Pool { color, at: [x, y], reach }
}

pub(super) fn dawn(canvas: Canvas) -> Plate {
    pools(
        canvas.view(540),
        3,
        &[
            pool(0xf7c9a8, 0.08, 0.95, 0.55),
            pool(0xfbe3cf, 0.35, 0.45, 0.5),
            pool(0xe9b7bd, 0.62, 1.0, 0.5),
            pool(0xc3b3d9, 1.0, 0.5, 0.5),
            pool(0xdfe2f3, 0.75, 0.0, 0.5),
            pool(0xfdf0e2, 0.0, 0.05, 0.5),
        ],
    )
}

pub(super) fn ocean(canvas: Canvas) -> Plate {
    pools(
        canvas.view(540),
        5,
        &[
            pool(0x06243f, 0.0, 0.0, 0.5),
            pool(0x0a3f63, 0.45, 0.3, 0.45),
            pool(0x0f6a80, 0.95, 0.1, 0.45),
            pool(0x1d8f93, 1.0, 0.75, 0.35),
            pool(0x083256, 0.1, 0.95, 0.5),
            pool(0x0a2c4e, 0.6, 1.0, 0.45),
        ],
    )
}

pub(super) fn pearl(canvas: Canvas) -> Plate {
    pools(
        canvas.view(540),
        7,
        &[
            pool(0xf5f4f1, 0.1, 0.1, 0.5),
            pool(0xe4e8ee, 0.9, 0.1, 0.5),
            pool(0xd5dbe4, 1.0, 0.95, 0.5),
            pool(0xece7e2, 0.35, 0.9, 0.5),
            pool(0xf8f8f7, 0.5, 0.4, 0.35),
            pool(0xdfe0e6, 0.0, 1.0, 0.4),
        ],
    )
}

pub(super) fn plum(canvas: Canvas) -> Plate {
    pools(
        canvas.view(540),
        9,
        &[
            pool(0x1e1038, 0.0, 0.1, 0.5),
            pool(0x3a1b5e, 0.4, 0.15, 0.45),
            pool(0x6a2a72, 0.85, 0.0, 0.45),
            pool(0xa8426f, 1.05, 0.65, 0.38),
            pool(0x45205f, 0.6, 0.9, 0.45),
            pool(0x1a1134, 0.1, 1.0, 0.5),
        ],
    )
}

/// Every point takes each pool's colour by its nearness; a slow warp keeps the borders from looking drawn.
fn pools(view: View, seed: u32, pools: &[Pool]) -> Plate {
    let colors: Vec<_> = pools.iter().map(|pool| to_oklab(hex(pool.color))).collect();
    Plate::wall(view, |x, y| {
        let (u, v) = ((x - view.left) / view.width, (y - view.top) / view.height);
        let (u, v) = (u + 0.07 * clouds(u * 1.3, v * 1.3, seed), v + 0.07 * clouds(u * 1.3, v * 1.3, seed + 40));
        let mut sum = [0.0f32; 3];
        let mut weights = 0.0;
        for (pool, color) in pools.iter().zip(&colors) {
            let (dx, dy) = (u - pool.at[0], v - pool.at[1]);
            let weight = exp(-(dx * dx + dy * dy) / (pool.reach * pool.reach) * 3.0) + 1e-4;
            for (sum, value) in sum.iter_mut().zip(color) {
                *sum += value * weight;
            }
            weights += weight;
        }
        from_oklab(sum.map(|v| v / weights))
    })
    .softened(0.04)
}
