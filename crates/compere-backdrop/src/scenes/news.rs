//! The news set: a wall of panels and light strips behind the edge of a desk.

use crate::Canvas;
use crate::light::{Light, between, hex, plus, times};
use crate::math::{chance, clouds, exp, mix, sin, smooth};
use crate::plate::{Plate, View};
use crate::shape::{block, disc, stick};

const DESK: f32 = 0.8;

pub(super) fn desk(canvas: Canvas) -> Plate {
    let view = canvas.view(900);
    let mut set = wall(view);
    set.under(&screen(view));
    let strips = strips(view);
    set.add(&strips, 1.0);
    set.add(&strips.softened(0.03), 0.55);
    set.add(&strips.softened(0.11), 0.5);
    set.under(&counter(view));
    set.softened(0.0045)
}

fn wall(view: View) -> Plate {
    let mut plate = Plate::wall(view, |x, y| {
        let fall = exp(-(x * x * 1.1 + (y - 0.35) * (y - 0.35) * 1.6));
        times(between(hex(0x050b1a), hex(0x143264), fall), 1.0 + 0.05 * clouds(x * 2.0, y * 2.0, 8))
    });
    for panel in -5..=5i32 {
        let x = panel as f32 * 0.27 - 0.135;
        let shade = mix(0.72, 1.05, chance(panel as u32, 4, 8));
        plate.paint(&block(x + 0.004, -1.0, 0.262, 3.0), 0.0, 0.5, |_, y| {
            times(hex(0x17305c), shade * mix(0.8, 0.45, smooth(0.0, 1.0, y)))
        });
        plate.paint(&block(x - 0.004, -1.0, 0.008, 3.0), 0.0, 0.8, |_, _| hex(0x040914));
    }
    plate
}

/// The wide screen in the middle: slow bands of light, far too soft to be read as anything.
fn screen(view: View) -> Plate {
    let mut plate = Plate::clear(view);
    plate.draw(&block(-0.715, 0.075, 1.43, 0.6).rounded(0.022), hex(0x02050c));
    plate.paint(&block(-0.7, 0.09, 1.4, 0.57).rounded(0.014), 0.0, 1.0, |x, y| {
        let wave = sin(0.42 * x + 0.9 * y + 0.12 * sin(0.7 * x - 0.35)) * 0.5 + 0.5;
        let fine = sin(1.1 * x - 1.4 * y + 0.2) * 0.5 + 0.5;
        let base = between(hex(0x0a2a5e), hex(0x1a63a8), wave * 0.75);
        plus(base, times(hex(0x2bb3d6), 0.16 * fine * wave * smooth(0.1, 0.7, x.abs())))
    });
    for ring in 0..3 {
        let radius = 0.2 + ring as f32 * 0.11;
        arc(&mut plate, [0.43, 0.37], radius, times(hex(0x7fd4ff), 0.11 - 0.025 * ring as f32));
    }
    for line in 0..9 {
        let y = 0.12 + line as f32 * 0.062;
        plate.glow(&block(-0.69, y, 1.38, 0.0012), 0.004, times(hex(0x6fc3ff), 0.05));
    }
    plate
}

fn arc(plate: &mut Plate, at: [f32; 2], radius: f32, light: Light) {
    let mut ring = Plate::clear(plate.view);
    ring.draw(&disc(at[0], at[1], radius), light);
    ring.paint(&disc(at[0], at[1], radius - 0.006), 0.0, 1.0, |_, _| times(light, 0.35));
    let frame = block(-0.7, 0.09, 1.4, 0.57).rounded(0.014);
    let mut mask = Plate::clear(plate.view);
    mask.draw(&frame, [1.0; 3]);
    for ((to, ring), mask) in plate.data.iter_mut().zip(&ring.data).zip(&mask.data) {
        for (to, more) in to.iter_mut().zip(&ring[..3]) {
            *to += more * mask[3];
        }
    }
}

/// Light strips: around the screen, down the side panels, under the desk.
fn strips(view: View) -> Plate {
    let mut plate = Plate::clear(view);
    let (blue, white) = (times(hex(0x3aa0ff), 1.5), times(hex(0xcfe9ff), 1.1));
    for side in [-1.0f32, 1.0] {
        for (x, light) in [(0.79, white), (1.06, blue)] {
            plate.glow(&stick([side * x, -0.6], [side * x, 0.74], 0.0045), 0.003, light);
        }
        plate.glow(&stick([side * 0.36, -0.02], [side * 0.715, -0.02], 0.003), 0.003, blue);
    }
    plate.glow(&stick([-0.7, 0.705], [0.7, 0.705], 0.003), 0.003, times(blue, 0.8));
    plate
}

/// The desk's top and front, curving a little away at the ends.
fn counter(view: View) -> Plate {
    let mut plate = Plate::clear(view);
    let edge = |x: f32| DESK + 0.035 * x * x;
    let mut top = Plate::clear(view);
    top.change(|_, x, y| {
        let depth = y - (edge(x) - 0.035);
        let cover = smooth(-0.001, 0.002, depth);
        let light = if y < edge(x) { glossy(x, depth) } else { front(x, y - edge(x)) };
        [light[0] * cover, light[1] * cover, light[2] * cover, cover]
    });
    plate.under(&top);
    let mut lip = Plate::clear(view);
    lip.change(|_, x, y| {
        let d = (y - edge(x) - 0.006) / 0.0035;
        let k = exp(-d * d);
        let [r, g, b] = times(hex(0x7cc8ff), 1.3 * k);
        [r, g, b, 0.0]
    });
    plate.add(&lip, 1.0);
    plate.add(&lip.softened(0.03), 0.7);
    plate
}

fn glossy(x: f32, depth: f32) -> Light {
    let reflection = exp(-x * x * 1.6);
    times(between(hex(0x16243d), hex(0x5f8fc4), reflection * 0.5), mix(1.0, 0.6, depth / 0.035))
}

fn front(x: f32, down: f32) -> Light {
    let fall = mix(1.0, 0.25, smooth(0.0, 0.3, down)) * exp(-x * x * 0.6);
    times(hex(0x1c2f52), fall)
}
