//! Colours as they are chosen are colours as they are seen: studio light and film make others of what is painted.
//!
//! The curves were read off baked presenters: what a middle tone of cloth, a forehead and a head of hair looks like in a
//! frame, for what it was painted with.

use super::words::Paint;
use crate::rig::ground::v3::interp;
use crate::rig::people::person::{Color, light_of, shown_of};

type Curve = [(f32, f32)];

/// Seen, and painted.
const CLOTH: [(f32, f32); 10] = [
    (0.0, 0.0),
    (7.0, 16.0),
    (19.0, 29.0),
    (43.0, 48.0),
    (89.0, 79.0),
    (114.0, 96.0),
    (172.0, 144.0),
    (205.0, 192.0),
    (225.0, 243.0),
    (255.0, 255.0),
];
const SKIN: [(f32, f32); 10] = [
    (0.0, 0.0),
    (29.0, 28.0),
    (48.0, 44.0),
    (74.0, 59.0),
    (88.0, 72.0),
    (120.0, 92.0),
    (181.0, 140.0),
    (197.0, 163.0),
    (232.0, 207.0),
    (255.0, 240.0),
];

/// Strands are seen brighter than they are painted, by their gloss, and more colourful.
const HAIR: f32 = 0.19;
const HAIR_FLOOR: f32 = 0.006;
const PALER: f32 = 0.25;

fn painted(seen: Paint, curve: &Curve) -> Color {
    light_of(seen.0.map(|byte| interp(f32::from(byte), curve).clamp(0.0, 255.0).round() as u8))
}

fn seen(light: Color, curve: &Curve) -> Paint {
    let back: Vec<(f32, f32)> = curve.iter().map(|(seen, painted)| (*painted, *seen)).collect();
    Paint(shown_of(light).map(|byte| interp(f32::from(byte), &back).clamp(0.0, 255.0).round() as u8))
}

pub(super) fn cloth(paint: Paint) -> Color {
    painted(paint, &CLOTH)
}

pub(super) fn cloth_seen(light: Color) -> Paint {
    seen(light, &CLOTH)
}

pub(super) fn skin(paint: Paint) -> Color {
    painted(paint, &SKIN)
}

pub(super) fn skin_seen(light: Color) -> Paint {
    seen(light, &SKIN)
}

pub(super) fn hair(paint: Paint) -> Color {
    let light = light_of(paint.0);
    let grey = (light[0] + light[1] + light[2]) / 3.0;
    light.map(|v| (v + (grey - v) * PALER) * HAIR + HAIR_FLOOR)
}

pub(super) fn hair_seen(painted: Color) -> Paint {
    let paler = painted.map(|v| ((v - HAIR_FLOOR) / HAIR).max(0.0));
    let grey = (paler[0] + paler[1] + paler[2]) / 3.0;
    Paint(shown_of(paler.map(|v| (v - grey * PALER) / (1.0 - PALER))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_is_painted_and_seen_again() {
        for paint in [[0x1d, 0x4f, 0x5b], [0x80, 0x80, 0x80], [0xc8, 0x6a, 0x52], [0xee, 0xea, 0xe2]].map(Paint) {
            for (there, back) in [(cloth(paint), cloth_seen as fn(Color) -> Paint), (skin(paint), skin_seen)] {
                let again = back(there);
                assert!((0..3).all(|k| paint.0[k].abs_diff(again.0[k]) <= 2), "{paint} is {again}");
            }
        }
        let brown = Paint([0x5a, 0x3d, 0x29]);
        assert!((0..3).all(|k| brown.0[k].abs_diff(hair_seen(hair(brown)).0[k]) <= 2));
    }
}
