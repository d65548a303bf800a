//! The head: skin, nose, ears and beard; the jaw follows the mouth.

use tiny_skia::Path;

use super::hair;
use super::knots::{C, Knot, S, ribbon, ribbon_on, shape, sided, symmetric};
use super::person::Person;
use crate::act::{Ch, Face};
use crate::drawn::brush::{Brush, ellipse, mixed};

/// How far the chin sinks.
pub(super) fn drop(face: &Face) -> f32 {
    0.26 * face.get(Ch::Jaw)
}

/// Knots above the second of the jaw never move, so neither does anything above the mouth's rectangle.
fn outline(person: &Person, sunk: f32) -> Path {
    let [cheek, hinge, corner, side, chin] = person.jaw;
    let wide = cheek[0] + 0.022;
    symmetric(&[
        S(0.0, 7.98),
        S(wide * 0.62, 7.86),
        S(wide * 0.95, 7.40),
        S(wide, 6.90),
        S(cheek[0], cheek[1]),
        S(hinge[0], hinge[1]),
        S(corner[0], corner[1] - 0.55 * sunk),
        S(side[0], side[1] - sunk),
        S(chin[0], chin[1] - sunk),
    ])
}

/// Skin, nose and beard: everything below mouth and eyes.
pub(super) fn bare(brush: &mut Brush<'_>, person: &Person, face: &Face) {
    let sunk = drop(face);
    ears(brush, person);
    let skin = outline(person, sunk);
    brush.fill(&skin, person.skin.tone.base, 1.0);
    brush.within(&skin, |brush| {
        modelling(brush, person, sunk);
        hair::shadow(brush, person);
        if person.beard {
            beard(brush, person, sunk);
        }
    });
    if person.years > 0.0 {
        wrinkles(brush, person, sunk);
    }
    nose(brush, person);
}

fn ears(brush: &mut Brush<'_>, person: &Person) {
    let skin = &person.skin;
    for side in [-1.0, 1.0] {
        let lobe = [S(0.76, 6.92), S(0.87, 6.98), S(0.945, 6.86), S(0.92, 6.66), S(0.86, 6.44), S(0.76, 6.42)];
        let tone = if side < 0.0 { skin.tone.base } else { skin.tone.shade };
        brush.fill(&shape(&sided(&lobe, side)), tone, 1.0);
        let fold = ribbon_on(side, &[[0.80, 6.86, 0.0], [0.875, 6.87, 0.016], [0.885, 6.74, 0.018], [0.84, 6.60, 0.0]]);
        brush.fill(&fold, skin.deep, 0.55);
    }
}

/// The shadow side, the light side and the warmth of the cheeks.
fn modelling(brush: &mut Brush<'_>, person: &Person, sunk: f32) {
    let skin = &person.skin;
    let [_, hinge, corner, side, chin] = person.jaw;
    let shadow = shape(&[
        C(1.0, 7.8),
        S(0.70, 7.3),
        S(0.685, 6.85),
        S(hinge[0] - 0.13, 6.40),
        S(corner[0] - 0.14, corner[1] + 0.04 - 0.5 * sunk),
        S(side[0] - 0.06, side[1] + 0.065 - sunk),
        S(-0.05, chin[1] + 0.035 - sunk),
        C(-0.34, chin[1] - 0.03 - sunk),
        C(-0.34, 5.2),
        C(1.0, 5.2),
    ]);
    brush.fill(&shadow, skin.tone.shade, 0.85);
    for side in [-1.0, 1.0] {
        let at = [side * 0.50, 6.44];
        brush.glow(&ellipse(at[0], at[1], 0.24, 0.17), at, 0.20, skin.blush, 0.42);
    }
    let brow = [-0.16, 7.36];
    brush.glow(&ellipse(brow[0], brow[1], 0.5, 0.3), brow, 0.5, skin.tone.light, 0.55);
}

/// Folds beside nose and mouth, below the eyes and on the forehead.
fn wrinkles(brush: &mut Brush<'_>, person: &Person, sunk: f32) {
    let (skin, years) = (&person.skin, person.years);
    for side in [-1.0, 1.0] {
        let cheek = [
            [0.175, 6.47, 0.0],
            [0.30, 6.34, 0.011],
            [0.385, 6.14 - 0.2 * sunk, 0.008],
            [0.40, 6.04 - 0.4 * sunk, 0.0],
        ];
        brush.fill(&ribbon_on(side, &cheek), skin.deep, 0.55 * years);
        let bag = [[0.20, 6.73, 0.0], [0.34, 6.675, 0.011], [0.48, 6.70, 0.0]];
        brush.fill(&ribbon_on(side, &bag), skin.deep, 0.5 * years);
        for (y, dy) in [(6.90, 0.05), (6.85, -0.02)] {
            let crow = [[0.575, y, 0.0], [0.62, y + 0.4 * dy, 0.006], [0.665, y + dy, 0.0]];
            brush.fill(&ribbon_on(side, &crow), skin.deep, 0.5 * years);
        }
        let jowl = [[0.44, 5.98 - 0.5 * sunk, 0.0], [0.49, 5.90 - 0.6 * sunk, 0.008], [0.50, 5.86 - 0.6 * sunk, 0.0]];
        brush.fill(&ribbon_on(side, &jowl), skin.deep, 0.4 * years);
    }
    for (y, half) in [(7.50, 0.30), (7.42, 0.36)] {
        let line = [
            [-half, y - 0.01, 0.0],
            [-half * 0.4, y + 0.012, 0.007],
            [half * 0.4, y + 0.008, 0.007],
            [half, y - 0.014, 0.0],
        ];
        brush.fill(&ribbon(&line), skin.deep, 0.35 * years);
    }
}

/// One shadow for the side of the nose and one stroke below it.
fn nose(brush: &mut Brush<'_>, person: &Person) {
    let skin = &person.skin;
    let wide = person.nose;
    let plane = shape(&[
        C(0.060, 6.88),
        S(0.050 * wide, 6.70),
        S(0.072 * wide, 6.55),
        S(0.058 * wide, 6.455),
        C(0.0, 6.425),
        S(0.09 * wide, 6.405),
        S(0.140 * wide, 6.455),
        S(0.115 * wide, 6.57),
        S(0.098, 6.72),
    ]);
    brush.fill(&plane, skin.tone.shade, 0.95);
    let under = ribbon(&[
        [-0.108 * wide, 6.455, 0.0],
        [-0.082 * wide, 6.415, 0.013],
        [-0.035, 6.412, 0.012],
        [0.0, 6.395, 0.014],
        [0.045, 6.410, 0.014],
        [0.090 * wide, 6.412, 0.016],
        [0.128 * wide, 6.455, 0.0],
    ]);
    brush.fill(&under, skin.deep, 0.85);
    brush.fill(&ellipse(-0.022, 6.515, 0.032, 0.042), skin.tone.light, 0.75);
}

/// Trimmed: it leaves the cheeks free and grows darker towards the chin.
fn beard(brush: &mut Brush<'_>, person: &Person, sunk: f32) {
    let half: &[Knot] = &[
        C(0.0, 6.315),
        S(0.10, 6.345),
        S(0.27, 6.30),
        S(0.40, 6.20 - 0.2 * sunk),
        S(0.52, 6.22),
        S(0.655, 6.42),
        S(0.72, 6.56),
        C(0.90, 6.60),
        C(0.95, 5.2),
        C(0.0, 5.2),
    ];
    let tone = mixed(person.hair.base, person.skin.tone.shade, 0.20);
    brush.fill(&symmetric(half), tone, 0.94);
    let dark = shape(&[
        C(0.98, 6.6),
        S(0.66, 6.36),
        S(0.56, 6.06 - 0.5 * sunk),
        S(0.30, 5.80 - sunk),
        S(-0.05, 5.72 - sunk),
        C(-0.35, 5.62 - sunk),
        C(-0.3, 5.2),
        C(0.98, 5.2),
    ]);
    brush.fill(&dark, person.hair.shade, 0.55);
}
