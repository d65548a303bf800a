//! Lamps far out of focus: every one becomes a disc of its own colour.

use crate::Canvas;
use crate::light::{Light, between, hex, plus, times};
use crate::math::{chance, clouds, exp, mix, pow, smooth};
use crate::plate::{Plate, View};
use crate::shape::{block, disc};

pub(super) fn gold(canvas: Canvas) -> Plate {
    let view = canvas.view(720);
    let mut back = Plate::wall(view, |x, y| {
        let glow = exp(-((x - 0.25) * (x - 0.25) * 1.4 + (y - 0.4) * (y - 0.4) * 2.4));
        let low = between(hex(0x1a100c), hex(0x6a3c1a), glow);
        times(low, 1.0 + 0.25 * clouds(x * 1.6, y * 1.6, 2))
    });
    let colors = [0xffc46b, 0xffd99a, 0xff9d4a, 0xffe9c9, 0xf2a65a];
    for (depth, radius) in [(0u32, 0.016f32), (1, 0.034), (2, 0.058)] {
        let mut lamps = Plate::clear(view);
        let count = [70, 46, 20][depth as usize];
        scatter(
            &mut lamps,
            count,
            depth,
            |i| hex(colors[i as usize % colors.len()]),
            [0.05, 0.16, 0.3][depth as usize],
        );
        lamps.darken_rim();
        back.add(&lamps.defocused(radius), 1.0);
    }
    back.softened(0.003)
}

/// Drops `count` points of light, most of them away from the middle, each bright enough to fill its disc to `level`.
fn scatter(plate: &mut Plate, count: u32, seed: u32, color: impl Fn(u32) -> Light, level: f32) {
    let view = plate.view;
    for i in 0..count {
        let x = mix(view.left - 0.05, view.right() + 0.05, chance(i, 1, seed));
        let y = mix(view.top - 0.05, view.bottom() + 0.05, pow(chance(i, 2, seed), 1.15));
        let calm = 0.35 + 0.65 * smooth(0.1, 0.42, x.abs() / view.width);
        let bright = level * calm * mix(0.25, 1.0, pow(chance(i, 3, seed), 2.0));
        let size = 0.0065;
        plate.glow(&disc(x, y, size), 0.0, times(color(i), bright * energy(seed, size)));
    }
}

/// How much brighter than its disc a lamp of `size` must be, for the lens of each depth.
fn energy(depth: u32, size: f32) -> f32 {
    let radius = [0.016, 0.034, 0.058][depth as usize % 3];
    (radius / size) * (radius / size) * [6.0, 1.6, 0.8][depth as usize % 3]
}

pub(super) fn city(canvas: Canvas) -> Plate {
    let view = canvas.view(720);
    let mut back = Plate::wall(view, |x, y| {
        let low = smooth(-0.5, 0.75, y);
        let haze = exp(-((y - 0.66) / 0.2) * ((y - 0.66) / 0.2));
        let sky = between(hex(0x070b18), hex(0x1b2440), low);
        times(plus(sky, times(hex(0x6b4a4a), 0.28 * haze)), 1.0 + 0.15 * clouds(x * 1.2, y * 2.0, 4))
    });
    // One sheet for all towers: apart, a near roof would cut the discs of the lamps behind it.
    let mut skyline = towers(view, 0.62, 17, 0.55);
    skyline.under(&towers(view, 0.78, 29, 1.0));
    back.under(&skyline.defocused(0.017));
    back.under(&street(view).defocused(0.034));
    back.softened(0.003)
}

/// A row of dark buildings with some windows lit.
fn towers(view: View, base: f32, seed: u32, near: f32) -> Plate {
    let mut plate = Plate::clear(view);
    let mut x = -1.15;
    let mut index = 0;
    while x < 1.15 {
        let width = mix(0.1, 0.2, chance(index, 1, seed)) * mix(0.8, 1.15, near);
        let tall = mix(0.12, 0.6, pow(chance(index, 2, seed), 1.6)) * mix(1.0, 0.8, near);
        let top = base - tall;
        let wall = between(hex(0x161d33), hex(0x0a0e1b), near);
        plate.paint(&block(x, top, width, 2.0), 0.0, 1.0, |_, y| {
            times(wall, mix(0.75, 1.7, smooth(top, base + 0.1, y)))
        });
        windows(&mut plate, [x, top, width], index, seed, near);
        x += width * mix(0.92, 1.25, chance(index, 3, seed));
        index += 1;
    }
    plate
}

fn windows(plate: &mut Plate, [left, top, width]: [f32; 3], tower: u32, seed: u32, near: f32) {
    let step = mix(0.021, 0.03, near);
    let colors = [0xffc98a, 0xffe0b5, 0xffb56b, 0xcfe2ff, 0xffd7a1].map(hex);
    for column in 0..(width / step) as u32 {
        for row in 0..38u32 {
            let salt = seed * 131 + tower;
            if chance(column, row, salt) > 0.13 {
                continue;
            }
            let (x, y) = (left + (column as f32 + 0.35) * step, top + (row as f32 + 0.6) * step * 1.25);
            let bright = mix(0.8, 5.0, pow(chance(column, row, salt + 1), 3.0)) * mix(1.0, 1.7, near);
            let color = colors[(chance(column, row, salt + 2) * 5.0) as usize % 5];
            plate.glow(&block(x, y, step * 0.42, step * 0.5), 0.0, times(color, bright));
        }
    }
}

/// Headlights, tail lights and signs along the bottom.
fn street(view: View) -> Plate {
    let mut plate = Plate::clear(view);
    plate.paint(&block(-2.0, 0.84, 4.0, 2.0), 0.12, 0.85, |_, y| times(hex(0x0b0f1c), mix(1.0, 0.5, y - 0.84)));
    let colors = [0xffb347, 0xff5a3c, 0xfff1d6, 0xff8f3a, 0x5ec8ff, 0xff3d55, 0xffd27a].map(hex);
    for i in 0..64u32 {
        let x = mix(-1.0, 1.0, chance(i, 1, 77));
        let y = 0.84 + 0.2 * (chance(i, 2, 77) - 0.3) * mix(0.6, 1.4, chance(i, 3, 77));
        let calm = mix(0.45, 1.0, smooth(0.1, 0.6, x.abs()));
        let bright = mix(3.0, 22.0, pow(chance(i, 4, 77), 2.0)) * calm;
        plate.glow(&disc(x, y, 0.0075), 0.0, times(colors[i as usize % 7], bright));
    }
    plate
}
