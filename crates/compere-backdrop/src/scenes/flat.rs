//! Sets without a room: waves, folded paper, plain paper, geometry.

use crate::Canvas;
use crate::light::{Light, between, hex, times};
use crate::math::{clouds, exp, hash, mix, noise, sin, smooth};
use crate::plate::Plate;
use crate::shape::Shape;

/// The height of a hill's crest across the picture.
type Crest = fn(f32) -> f32;

pub(super) fn waves(canvas: Canvas) -> Plate {
    let view = canvas.view(900);
    let crests: [Crest; 6] = [
        |x| 0.3 + 0.1 * sin(0.34 * x + 0.1) + 0.03 * sin(0.8 * x),
        |x| 0.44 + 0.11 * sin(0.37 * x + 0.42) + 0.025 * sin(0.9 * x + 0.3),
        |x| 0.56 + 0.1 * sin(0.41 * x + 0.7) + 0.03 * sin(0.7 * x + 0.8),
        |x| 0.68 + 0.09 * sin(0.45 * x + 0.05) + 0.02 * sin(1.1 * x + 0.2),
        |x| 0.8 + 0.08 * sin(0.5 * x + 0.4) + 0.02 * sin(0.9 * x + 0.6),
        |x| 0.93 + 0.06 * sin(0.55 * x + 0.8) + 0.015 * sin(1.2 * x + 0.1),
    ];
    let (top, low) = (hex(0x2f6fb4), hex(0x071a3a));
    let mut plate = Plate::wall(view, |x, y| {
        between(hex(0x2a66ac), hex(0x5f9fd6), exp(-((x - 0.5) * (x - 0.5) * 1.2 + (y + 0.05) * (y + 0.05) * 3.0)))
    });
    for (index, crest) in crests.iter().enumerate() {
        let body = between(top, low, (index as f32 + 1.0) / 6.0);
        hill(&mut plate, *crest, body);
    }
    plate.softened(0.0025)
}

/// Everything below `crest`: lit along its edge, with a soft shadow thrown on what lies behind.
fn hill(plate: &mut Plate, crest: Crest, body: Light) {
    let grain = plate.view.grain();
    plate.change(|under, x, y| {
        let slope = (crest(x + 0.005) - crest(x - 0.005)) * 100.0;
        let below = (y - crest(x)) / (1.0 + slope * slope).sqrt();
        let shadow = 1.0 - 0.34 * exp(-(below.min(0.0) / 0.055) * (below.min(0.0) / 0.055));
        let cover = smooth(-grain, grain, below);
        let lit = 1.0 + 0.75 * exp(-below.max(0.0) / 0.05) * mix(0.5, 1.0, smooth(0.6, -0.6, slope));
        let deep = mix(1.0, 0.72, smooth(0.0, 0.3, below));
        let [r, g, b] = times(body, lit * deep);
        let back = shadow * (1.0 - cover);
        [under[0] * back + r * cover, under[1] * back + g * cover, under[2] * back + b * cover, 1.0]
    });
}

/// Wide sheets of white card overlapping, each throwing a soft shadow on the next.
pub(super) fn folds(canvas: Canvas) -> Plate {
    let view = canvas.view(900);
    let mut plate = Plate::wall(view, |x, y| times(hex(0xeef0f3), 0.98 - 0.1 * smooth(-0.9, 0.9, x - 0.5 * (y - 0.5))));
    for (at, tilt, tone) in [(0.3f32, 0.42f32, 0xe9ecf1), (0.62, 0.62, 0xe2e7ee), (0.92, 0.3, 0xd6dde8)] {
        let edge = move |x: f32, y: f32| (x - at * view.width * 0.56 + tilt * (y - 0.5)) / (1.0 + tilt * tilt).sqrt();
        sheet(&mut plate, edge, hex(tone));
    }
    for (at, tilt, tone) in [(-0.62f32, -0.52f32, 0xe6eaf0), (-0.9, -0.3, 0xdbe1ea)] {
        let edge = move |x: f32, y: f32| -(x - at * view.width * 0.56 + tilt * (y - 0.5)) / (1.0 + tilt * tilt).sqrt();
        sheet(&mut plate, edge, hex(tone));
    }
    plate.softened(0.002)
}

fn sheet(plate: &mut Plate, inside: impl Fn(f32, f32) -> f32, tone: Light) {
    let grain = plate.view.grain();
    plate.change(|under, x, y| {
        let d = inside(x, y);
        let shadow = 1.0 - 0.2 * exp(d.min(0.0) / 0.05) - 0.1 * exp(d.min(0.0) / 0.012);
        let cover = smooth(-grain, grain, d);
        let [r, g, b] = times(tone, mix(1.0, 0.9, smooth(0.0, 0.5, d)) + 0.05 * exp(-d.max(0.0) / 0.006));
        let back = shadow * (1.0 - cover);
        [under[0] * back + r * cover, under[1] * back + g * cover, under[2] * back + b * cover, 1.0]
    });
}

/// Heavy watercolour paper under a raking light.
pub(super) fn paper(canvas: Canvas) -> Plate {
    let view = canvas.view(2160);
    let height = |x: f32, y: f32| {
        0.55 * noise(x * 150.0, y * 150.0, 1)
            + 0.35 * noise(x * 330.0, y * 330.0, 2)
            + 0.5 * noise(x * 55.0, y * 55.0, 3)
    };
    let step = 0.0016;
    Plate::wall(view, |x, y| {
        let relief = height(x, y) - height(x + step, y + step);
        let fall = mix(0.84, 1.0, exp(-((x + 0.35) * (x + 0.35) * 0.7 + (y - 0.25) * (y - 0.25) * 0.8)));
        let stain = 1.0 + 0.012 * clouds(x * 1.7, y * 1.7, 12);
        times(hex(0xefe7d8), fall * stain * (1.0 + 0.045 * relief))
    })
}

/// A net of triangles in a few blues that comes forward on the right and dissolves towards people and words.
pub(super) fn geometric(canvas: Canvas) -> Plate {
    let view = canvas.view(900);
    let mut plate = Plate::wall(view, |x, y| {
        between(hex(0x0c2342), hex(0x1d4a80), smooth(-0.6, 0.75, x / view.width + 0.35 * (y - 0.5)))
    });
    // Rows of equilateral triangles, every second one standing on its point.
    let (side, tall) = (0.24f32, 0.24 * 0.866_025_4);
    for row in -3..=6i32 {
        for step in -11..=11i32 {
            let up = (row + step).rem_euclid(2) == 0;
            let (x, y) = (step as f32 * side / 2.0, row as f32 * tall);
            let (left, right) = (x - side / 2.0, x + side / 2.0);
            let corners = if up {
                vec![[x, y], [right, y + tall], [left, y + tall]]
            } else {
                vec![[left, y], [right, y], [x, y + tall]]
            };
            let near = smooth(0.02, 0.52, x / view.width) + 0.35 * smooth(0.3, 0.52, -x / view.width);
            facet(&mut plate, corners, [x, y, tall], near, hash(step as u32, row as u32, 70));
        }
    }
    plate.softened(0.0015)
}

/// One triangle, a little lighter or darker than the ground, with light along its slope.
fn facet(plate: &mut Plate, corners: Vec<[f32; 2]>, [x, y, tall]: [f32; 3], near: f32, pick: u32) {
    let tone = hex([0x2d74b8, 0x14386a, 0x4596d6, 0x1c4f8c, 0x0d274d, 0x2fa3bf][pick as usize % 6]);
    let strength = near * mix(0.12, 0.75, (pick >> 8 & 255) as f32 / 255.0);
    plate.paint(&Shape::Facet(corners), 0.0, strength, |px, py| {
        times(tone, mix(1.2, 0.75, ((py - y) / tall + (px - x) * 1.5).clamp(0.0, 1.0)))
    });
}
