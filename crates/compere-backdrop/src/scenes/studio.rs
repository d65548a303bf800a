//! Photographers' studios: a wall, a floor and the light on them.

use crate::Canvas;
use crate::light::{Light, between, hex, plus, times, tinted};
use crate::math::{chance, clouds, cos, exp, mix, noise, sin, smooth};
use crate::plate::Plate;
use crate::shape::{Shape, block, stick};

/// Where wall and floor meet, low enough to stay behind a presenter's waist.
const FLOOR: f32 = 0.86;

/// A round pool of lamp light with a long tail.
fn pool(x: f32, y: f32, at: [f32; 2], reach: [f32; 2]) -> f32 {
    let (dx, dy) = ((x - at[0]) / reach[0], (y - at[1]) / reach[1]);
    1.0 / (1.0 + (dx * dx + dy * dy) * (1.0 + 0.35 * (dx * dx + dy * dy)))
}

/// Uneven plaster, felt rather than seen.
fn plaster(x: f32, y: f32, seed: u32) -> f32 {
    1.0 + 0.03 * clouds(x * 2.2, y * 2.2, seed) + 0.016 * clouds(x * 14.0, y * 14.0, seed + 9)
}

pub(super) fn warm(canvas: Canvas) -> Plate {
    let view = canvas.view(720);
    let (wall, floor) = (hex(0xc9b29b), hex(0xa98d74));
    let lamp = |x: f32, y: f32| mix(0.34, 1.2, pool(x, y, [-0.22, 0.3], [0.72, 0.62]));
    let mut back = Plate::wall(view, |x, y| {
        let warmth = between(hex(0xffe9d2), [1.0; 3], smooth(0.3, 1.1, lamp(x, y)));
        tinted(times(wall, lamp(x, y) * plaster(x, y, 3)), warmth)
    });
    back.paint(&block(-2.0, FLOOR, 4.0, 2.0), 0.02, 1.0, |x, y| {
        let depth = smooth(FLOOR, 1.2, y);
        let sheen = lamp(x, 2.0 * FLOOR - y - 0.25) * mix(0.75, 0.55, depth);
        times(floor, sheen * (1.0 + 0.03 * noise(x * 3.0, y * 18.0, 5)))
    });
    contact(&mut back, hex(0x5a4838), 0.36);
    back.softened(0.012)
}

/// Seamless paper with a lamp on it, beside and behind whoever stands before it: skin and cloth of any tone stand off it.
pub(super) fn grey(canvas: Canvas) -> Plate {
    let view = canvas.view(720);
    let paper = hex(0x9aa3b0);
    let mut back = Plate::wall(view, |x, y| {
        let lamp = pool(x, y, [0.10, 0.34], [0.62, 0.56]);
        // Where the lamp's light thins out the room's is left, which is cooler.
        let cast = between(hex(0xe4ebf8), hex(0xfff8ee), smooth(0.15, 0.95, lamp));
        tinted(times(paper, mix(0.44, 1.62, lamp) * plaster(x, y, 57)), cast)
    });
    back.shade(|_, y| {
        let low = smooth(0.62, 1.05, y);
        between([1.0; 3], hex(0xb9bcc4), 0.5 * low)
    });
    back.softened(0.012)
}

/// The shadow gap where wall and floor meet.
fn contact(plate: &mut Plate, dark: Light, strength: f32) {
    let shade = between([1.0; 3], times(dark, 2.2), strength);
    plate.shade(|_, y| {
        let d = (y - FLOOR) / if y < FLOOR { 0.05 } else { 0.09 };
        between([1.0; 3], shade, exp(-d * d) * 0.55)
    });
}

pub(super) fn daylight(canvas: Canvas) -> Plate {
    let view = canvas.view(900);
    let wall = hex(0xd9d6cf);
    let mut back = Plate::wall(view, |x, y| {
        let fall = mix(0.52, 0.86, pool(x, y, [-0.5, 0.2], [1.3, 1.0]));
        times(wall, fall * plaster(x, y, 21))
    });
    let sun = sunlight(view).softened(0.014);
    let glass = hex(0xfff0d8);
    for (point, sun) in back.data.iter_mut().zip(&sun.data) {
        for (value, warm) in point.iter_mut().zip(glass) {
            *value *= 1.0 + sun[0] * 0.5 * warm * warm;
        }
    }
    back.softened(0.003)
}

/// A window's panes thrown across the wall, with the shadow of a plant in front of them.
fn sunlight(view: crate::plate::View) -> Plate {
    let mut sun = Plate::clear(view);
    let lean = -0.34;
    for column in 0..3 {
        for row in 0..4 {
            let (x, y) = (-0.62 + column as f32 * 0.34, -0.42 + row as f32 * 0.4 + column as f32 * 0.075);
            let corner = |dx: f32, dy: f32| [x + dx + lean * (y + dy - 0.5), y + dy + dx * 0.22];
            let pane = Shape::Facet(vec![corner(0.0, 0.0), corner(0.3, 0.0), corner(0.3, 0.355), corner(0.0, 0.355)]);
            sun.paint(&pane, 0.012, 1.0, |x, y| [0.92 - 0.3 * smooth(-0.2, 0.9, x) - 0.12 * y; 3]);
        }
    }
    let mut leaves = Plate::clear(view);
    for branch in 0..3u32 {
        let at = branch as f32;
        let root = [0.62 - at * 0.3, 1.12 + at * 0.05];
        frond(&mut leaves, root, -0.27 - 0.035 * at, 0.85 + 0.1 * at, branch);
    }
    let leaves = leaves.softened(0.012);
    for (sun, leaf) in sun.data.iter_mut().zip(&leaves.data) {
        *sun = sun.map(|v| v * (1.0 - 0.72 * leaf[3]));
    }
    sun
}

/// A bending stalk with pairs of leaves, in black.
fn frond(plate: &mut Plate, root: [f32; 2], heading: f32, long: f32, seed: u32) {
    let (mut at, mut heading) = (root, heading);
    let steps = 12u32;
    for step in 0..steps {
        let next = [at[0] + cos(heading) * long / steps as f32, at[1] + sin(heading) * long / steps as f32];
        plate.draw(&stick(at, next, 0.003), [0.0; 3]);
        if step > 1 {
            let size = 0.2 * (1.0 - 0.5 * step as f32 / steps as f32) * (0.8 + 0.4 * chance(step, seed, 4));
            for side in [-1.0, 1.0] {
                let to = heading + side * (0.12 + 0.03 * chance(step, seed, 5));
                let tip = [next[0] + cos(to) * size, next[1] + sin(to) * size];
                plate.draw(&Shape::Leaf { from: next, to: tip, width: 0.24 }, [0.0; 3]);
            }
        }
        at = next;
        heading -= 0.012 + 0.004 * seed as f32;
    }
}

pub(super) fn night(canvas: Canvas) -> Plate {
    let view = canvas.view(720);
    let wall = hex(0x8b93a3);
    let (teal, violet) = (hex(0x1fb5c9), hex(0x7a4dff));
    let lamp = |x: f32, y: f32| {
        let left = times(teal, 1.05 * pool(x, y, [view.left - 0.06, 0.62], [0.5, 0.75]));
        let right = times(violet, 1.2 * pool(x, y, [view.right() + 0.09, 0.4], [0.5, 0.75]));
        let front = times(hex(0x9fb2d0), 0.34 * pool(x, y, [0.0, 0.3], [0.55, 0.5]));
        plus(plus(left, right), plus(front, hex(0x1c2436)))
    };
    let mut back =
        Plate::wall(view, |x, y| times(tinted(wall, lamp(x, y)), 1.0 + 0.02 * clouds(x * 14.0, y * 14.0, 33)));
    seams(&mut back);
    back.paint(&block(-2.0, FLOOR, 4.0, 2.0), 0.015, 1.0, |x, y| {
        let mirrored = lamp(x * (1.0 + (y - FLOOR)), 2.0 * FLOOR - y);
        times(tinted(hex(0x6c7482), mirrored), mix(0.95, 0.55, smooth(FLOOR, 1.1, y)))
    });
    contact(&mut back, hex(0x10141c), 0.6);
    back.softened(0.009)
}

/// The joints between tall wall panels, a line of shade with a line of light beside it.
fn seams(plate: &mut Plate) {
    for panel in -4..=4 {
        let x = panel as f32 * 0.31 + 0.155;
        plate.paint(&block(x - 0.004, -1.0, 0.008, 3.0), 0.004, 0.55, |_, _| [0.0; 3]);
        plate.glow(&block(x + 0.004, -1.0, 0.004, 3.0), 0.004, [0.006, 0.008, 0.011]);
    }
}

pub(super) fn cyclorama(canvas: Canvas) -> Plate {
    let view = canvas.view(540);
    let white = hex(0xf2f3f5);
    Plate::wall(view, |x, y| {
        // The cove turns from wall to floor without an edge: only the light tells where.
        let cove = smooth(0.62, 0.95, y);
        let wall = mix(0.6, 1.05, pool(x, y, [0.0, 0.28], [1.15, 0.72]));
        let floor = mix(0.7, 0.98, pool(x, y, [0.0, 1.12], [1.25, 0.5]));
        let hollow = 1.0 - 0.05 * exp(-((y - 0.77) / 0.1) * ((y - 0.77) / 0.1));
        let tint = between([0.985, 0.993, 1.0], [1.0, 0.996, 0.985], cove);
        times(tinted(white, tint), mix(wall, floor, cove) * hollow)
    })
    .softened(0.03)
}
