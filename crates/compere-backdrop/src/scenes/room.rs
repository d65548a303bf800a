//! Rooms a person might sit in, well behind the plane of focus.

use crate::Canvas;
use crate::light::{Light, between, hex, plus, times};
use crate::math::{chance, clouds, cos, exp, mix, noise, sin, smooth};
use crate::plate::{Plate, View};
use crate::shape::{Shape, block, disc, stick};

pub(super) fn office(canvas: Canvas) -> Plate {
    let view = canvas.view_towards(0.16, 720);
    let mut set = Plate::wall(view, |x, y| {
        let bright = mix(0.62, 0.95, smooth(0.9, -0.6, x));
        times(hex(0xcfd2d2), bright * (1.0 + 0.02 * clouds(x * 2.0, y * 2.0, 1)))
    });
    set.under(&outlook(view).softened(0.022));
    set.under(&office_furniture(view).defocused(0.02));
    set.under(&office_foreground(view).defocused(0.03));
    // Daylight from the left spills over everything.
    set.shine(|x, y| times(hex(0xe9f3ff), 0.1 * exp(-((x + 0.95) * (x + 0.95) * 1.3 + (y - 0.3) * (y - 0.3)))));
    set.softened(0.004)
}

/// A row of tall windows with sky, trees and a distant building.
fn outlook(view: View) -> Plate {
    let mut plate = Plate::clear(view);
    for pane in 0..4 {
        let x = -1.13 + pane as f32 * 0.325;
        plate.paint(&block(x, -0.9, 0.305, 1.5), 0.0, 1.0, |x, y| {
            let sky = between(hex(0xc9dff2), hex(0xf5f7f8), smooth(-0.5, 0.5, y));
            let tree = smooth(0.0, 0.22, y - 0.36 + 0.1 * clouds(x * 5.0, y * 5.0, 3));
            let block = if (x + 0.62).abs() < 0.16 && y > 0.2 { 0.6 } else { 0.0 };
            let far = between(sky, hex(0xb7c2cc), block);
            times(between(far, hex(0x7d9a78), tree * 0.9), 0.98)
        });
    }
    for bar in 0..5 {
        let x = -1.14 + bar as f32 * 0.325;
        plate.draw(&block(x - 0.012, -0.9, 0.024, 1.53), hex(0x8c9196));
    }
    plate.draw(&block(-1.2, 0.6, 1.38, 0.03), hex(0xb9bdbf));
    plate
}

fn office_furniture(view: View) -> Plate {
    let mut plate = Plate::clear(view);
    // A partition to the right with shelves on it.
    plate.paint(&block(0.4, -1.0, 1.2, 3.0), 0.0, 1.0, |x, y| {
        times(hex(0xb8b2a8), mix(0.85, 0.6, smooth(0.4, 1.0, x)) * mix(1.0, 0.85, smooth(0.2, 1.0, y)))
    });
    for shelf in 0..4 {
        let y = -0.16 + shelf as f32 * 0.26;
        plate.draw(&block(0.47, y, 0.5, 0.016), hex(0x8a6b4d));
        plate.paint(&block(0.47, y + 0.016, 0.5, 0.035), 0.03, 0.35, |_, _| hex(0x3c342c));
        office_things(&mut plate, y, shelf);
    }
    // Low cupboard under the windows.
    plate.paint(&block(-1.2, 0.7, 1.61, 0.6), 0.0, 1.0, |x, _| {
        times(hex(0xa8a49d), mix(1.0, 0.75, smooth(-0.6, 0.3, x)))
    });
    plate.draw(&block(-1.2, 0.685, 1.62, 0.018), hex(0xd7d0c4));
    plant(&mut plate, [0.29, 0.72], 0.34, 3, [0x56724f, 0x6d8a5c, 0x466046]);
    plate.draw(&block(0.235, 0.6, 0.11, 0.13).rounded(0.02), hex(0xd9d4cb));
    // Hanging lamps.
    for lamp in 0..2 {
        let x = -0.42 + lamp as f32 * 0.4;
        plate.draw(&block(x - 0.002, -0.9, 0.004, 0.96), hex(0x6d6d6d));
        plate.draw(&disc(x, 0.075, 0.045), times(hex(0xfff0d6), 1.35));
        plate.draw(&block(x - 0.05, 0.02, 0.1, 0.045).rounded(0.02), hex(0x5c5f63));
    }
    plate
}

fn office_things(plate: &mut Plate, y: f32, shelf: u32) {
    let colors = [0x5f7f9c, 0xc9c2b4, 0x8a9a86, 0xb56f4f, 0x44546a, 0xe2ded6];
    let mut x = 0.49 + 0.05 * chance(shelf, 0, 5);
    for i in 0..9u32 {
        let width = mix(0.018, 0.034, chance(i, shelf, 6));
        let tall = mix(0.09, 0.16, chance(i, shelf, 7));
        if chance(i, shelf, 8) > 0.3 {
            let color = hex(colors[(chance(i, shelf, 9) * 6.0) as usize % 6]);
            plate.draw(&block(x, y - tall, width, tall), times(color, 0.8));
        }
        x += width + 0.004 + if chance(i, shelf, 10) > 0.75 { 0.05 } else { 0.0 };
    }
}

/// Leaves on bending stalks, rising from `root`.
fn plant(plate: &mut Plate, root: [f32; 2], size: f32, seed: u32, colors: [u32; 3]) {
    for i in 0..20u32 {
        let turn = -0.25 + (chance(i, 1, seed) - 0.5) * 0.42;
        let long = size * mix(0.45, 1.0, chance(i, 2, seed));
        let base = [root[0] + (chance(i, 3, seed) - 0.5) * 0.04, root[1] - 0.08];
        let middle = [base[0] + cos(turn) * long * 0.6, base[1] + sin(turn) * long * 0.6];
        let droop = turn + (turn + 0.25) * 0.9;
        let tip = [middle[0] + cos(droop) * long * 0.55, middle[1] + sin(droop) * long * 0.55];
        let color = times(hex(colors[i as usize % 3]), mix(0.6, 1.1, chance(i, 4, seed)));
        plate.draw(&stick(base, middle, 0.003), times(color, 0.7));
        plate.draw(&Shape::Leaf { from: middle, to: tip, width: 0.42 }, color);
    }
}

/// The end of a table, nearest to the lens.
fn office_foreground(view: View) -> Plate {
    let mut plate = Plate::clear(view);
    plate.paint(&block(-2.0, 0.9, 4.0, 1.0), 0.0, 1.0, |x, y| {
        let sheen = exp(-((x + 0.5) * (x + 0.5) * 1.6));
        let wood = between(hex(0x8d755c), hex(0xd9cbb6), sheen * 0.7);
        times(wood, mix(1.0, 0.6, smooth(0.9, 1.15, y)) * (1.0 + 0.04 * noise(x * 2.0, y * 30.0, 2)))
    });
    plate
}

pub(super) fn library(canvas: Canvas) -> Plate {
    let view = canvas.view_towards(-0.34, 720);
    let mut set = Plate::wall(view, |_, y| times(hex(0x5b4634), mix(0.6, 0.42, smooth(0.0, 1.0, y))));
    let mut shelves = Plate::clear(view);
    for case in -3..=2i32 {
        bookcase(&mut shelves, case as f32 * 0.4 + 0.02, case as u32);
    }
    // Lamp light from above and from the left, dim corners.
    shelves.shade(|x, y| {
        let lamp = exp(-((x + 0.45) * (x + 0.45) * 2.2 + (y - 0.18) * (y - 0.18) * 1.7));
        let other = exp(-((x - 0.75) * (x - 0.75) * 4.0 + (y - 0.1) * (y - 0.1) * 2.0));
        plus(
            times([1.0, 0.86, 0.7], 0.34),
            plus(times([1.25, 1.0, 0.76], 0.85 * lamp), times([1.2, 0.98, 0.74], 0.5 * other)),
        )
    });
    set.under(&shelves.defocused(0.027));
    set.under(&reading_lamps(view).defocused(0.026));
    set.under(&table(view, hex(0x5a3a22), hex(0xb98955)).defocused(0.03));
    set.softened(0.004)
}

fn bookcase(plate: &mut Plate, left: f32, seed: u32) {
    let wood = hex(0x7a5333);
    plate.draw(&block(left, -1.0, 0.4, 3.0), hex(0x3a281b));
    for shelf in 0..9u32 {
        let y = -0.62 + shelf as f32 * 0.205;
        books(plate, left + 0.024, y, shelf, seed);
        plate.draw(&block(left, y, 0.4, 0.02), wood);
    }
    for x in [left, left + 0.382] {
        plate.draw(&block(x, -1.0, 0.022, 3.0), times(wood, 0.85));
    }
}

fn books(plate: &mut Plate, left: f32, y: f32, shelf: u32, seed: u32) {
    let colors = [0x7d4a40, 0x4a5f6e, 0xb9a27c, 0x646d55, 0x97714f, 0xc4b8a3, 0x68505a, 0x3a4e5a, 0xa5835a];
    let salt = seed.wrapping_mul(977) + shelf;
    let mut x = left;
    let mut i = 0u32;
    while x < left + 0.335 {
        let width = mix(0.014, 0.03, chance(i, 1, salt));
        let tall = mix(0.115, 0.168, chance(i, 2, salt));
        if chance(i, 3, salt) > 0.1 {
            let color = hex(colors[(chance(i, 4, salt) * 9.0) as usize % 9]);
            plate.draw(&block(x, y - tall, width, tall), times(color, mix(0.6, 1.0, chance(i, 5, salt))));
        }
        x += width + 0.001;
        i += 1;
    }
}

/// Brass lamps with green glass; only the underside of the shade is bright.
fn reading_lamps(view: View) -> Plate {
    let mut plate = Plate::clear(view);
    for (x, y) in [(-0.6, 0.64), (0.72, 0.66)] {
        plate.draw(&stick([x, y], [x, 0.9], 0.007), hex(0xa07c42));
        plate.paint(&block(x - 0.105, y - 0.04, 0.21, 0.055).rounded(0.027), 0.0, 1.0, |px, _| {
            times(hex(0x1f6e4e), mix(1.5, 0.7, smooth(0.0, 0.1, (px - x).abs())))
        });
        plate.glow(&block(x - 0.085, y + 0.012, 0.17, 0.012).rounded(0.006), 0.01, times(hex(0xffd79a), 2.0));
        plate.glow(&disc(x, y + 0.09, 0.16), 0.3, times(hex(0xffc071), 0.1));
    }
    plate
}

fn table(view: View, dark: Light, light: Light) -> Plate {
    let mut plate = Plate::clear(view);
    plate.paint(&block(-2.0, 0.87, 4.0, 1.0), 0.0, 1.0, |x, y| {
        let sheen = exp(-((x + 0.5) * (x + 0.5) * 2.5)) + 0.6 * exp(-((x - 0.72) * (x - 0.72) * 6.0));
        times(between(dark, light, sheen * 0.5), mix(0.8, 0.45, smooth(0.87, 1.15, y)))
    });
    plate
}

pub(super) fn living(canvas: Canvas) -> Plate {
    let view = canvas.view_towards(0.4, 720);
    let lamp = [0.66f32, 0.33f32];
    let warm = |x: f32, y: f32| {
        let d = (x - lamp[0]) * (x - lamp[0]) * 1.5 + (y - lamp[1]) * (y - lamp[1]) * 1.7;
        1.0 / (1.0 + 4.5 * d)
    };
    let mut set = Plate::wall(view, |x, y| {
        let light = plus(times([0.4, 0.36, 0.34], 0.55), times([1.3, 0.98, 0.68], 0.8 * warm(x, y)));
        let wall = hex(0xcdbfae);
        let plain = 1.0 + 0.02 * clouds(x * 2.0, y * 2.0, 6);
        [wall[0] * light[0] * plain, wall[1] * light[1] * plain, wall[2] * light[2] * plain]
    });
    let mut far = living_wall(view);
    far.shade(|x, y| plus([0.34, 0.31, 0.3], times([1.2, 0.95, 0.7], 0.75 * warm(x, y))));
    set.under(&far.defocused(0.018));
    set.under(&floor_lamp(view, lamp).defocused(0.022));
    let mut near = sofa(view);
    near.shade(|x, y| plus([0.42, 0.38, 0.36], times([1.1, 0.9, 0.68], 0.7 * warm(x, y))));
    set.under(&near.defocused(0.026));
    set.shine(|x, y| times([1.0, 0.66, 0.34], 0.05 * warm(x, y)));
    set.softened(0.004)
}

/// A window at dusk with curtains to the left, pictures and a sideboard to the right.
fn living_wall(view: View) -> Plate {
    let mut plate = Plate::clear(view);
    plate.paint(&block(-0.86, -0.6, 0.5, 1.2), 0.0, 1.0, |x, y| {
        let dusk = between(hex(0x4a628a), hex(0xd59a7a), smooth(-0.3, 0.6, y));
        times(dusk, 1.5 + 0.1 * noise(x * 6.0, y * 6.0, 1))
    });
    for bar in [-0.86, -0.62, -0.372] {
        plate.draw(&block(bar, -0.6, 0.014, 1.2), hex(0xe9e2d6));
    }
    plate.draw(&block(-0.88, 0.6, 0.54, 0.02), hex(0xe9e2d6));
    for left in [-1.12, -0.4] {
        plate.paint(&block(left, -0.8, 0.24, 1.75), 0.0, 1.0, |x, _| times(hex(0xd8c6ae), 0.72 + 0.26 * sin(x * 21.0)));
    }
    for (x, y, w, h, color) in [(0.03, 0.12, 0.2, 0.26, 0x8a9a8c), (0.27, 0.16, 0.14, 0.18, 0xc08a63)] {
        plate.draw(&block(x - 0.01, y - 0.01, w + 0.02, h + 0.02), hex(0x54402f));
        plate.draw(&block(x, y, w, h), hex(0xeee6d8));
        plate.draw(&block(x + 0.03, y + 0.035, w - 0.06, h - 0.07), hex(color));
    }
    plate
}

fn floor_lamp(view: View, [x, y]: [f32; 2]) -> Plate {
    let mut plate = Plate::clear(view);
    plate.draw(&stick([x, y], [x, 1.1], 0.006), hex(0x5d4632));
    let shade =
        Shape::Facet(vec![[x - 0.075, y - 0.11], [x + 0.075, y - 0.11], [x + 0.12, y + 0.09], [x - 0.12, y + 0.09]]);
    plate.paint(&shade, 0.0, 1.0, |px, py| {
        let d = ((px - x) * (px - x) + (py - y - 0.02) * (py - y - 0.02)) * 60.0;
        times(hex(0xffd49a), mix(0.85, 1.75, exp(-d)))
    });
    plant(&mut plate, [0.93, 0.84], 0.44, 12, [0x4c6041, 0x5f7650, 0x3c5038]);
    plate
}

/// A sofa's back with cushions, cut by the lower edge.
fn sofa(view: View) -> Plate {
    let mut plate = Plate::clear(view);
    plate.paint(&block(-0.8, 0.7, 1.28, 0.8).rounded(0.07), 0.0, 1.0, |_, y| {
        times(hex(0x8d8f8a), mix(1.0, 0.6, smooth(0.7, 1.0, y)))
    });
    for (x, y, turn, color) in
        [(-0.55, 0.77, 0.03, 0xb8694a), (-0.37, 0.79, -0.02, 0xd9c7a6), (0.24, 0.77, -0.04, 0x51666b)]
    {
        plate.paint(&block(x - 0.1, y - 0.1, 0.2, 0.2).rounded(0.035).turned(turn), 0.0, 1.0, |_, py| {
            times(hex(color), mix(1.05, 0.7, smooth(y - 0.1, y + 0.12, py)))
        });
    }
    plate
}
