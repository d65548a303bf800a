//! Neck, torso and sleeves: the silhouettes that garments are cut from.

use tiny_skia::Path;

use super::knots::{C, S, ribbon, shape, symmetric};
use super::person::{Build, Person, Tone};
use crate::drawn::brush::{Brush, ellipse};

/// Where tops and jackets end.
pub(super) const HEM: f32 = 0.90;
/// Below every garment's hem.
pub(super) const FLOOR: f32 = 0.6;

/// Skin from the jaw to the chest.
pub(super) fn neck(brush: &mut Brush<'_>, person: &Person) {
    let (skin, n) = (&person.skin, person.build.neck);
    let path = symmetric(&[
        C(0.0, 6.5),
        C(n + 0.05, 6.5),
        S(n, 5.95),
        S(n - 0.01, 5.62),
        S(n + 0.10, 5.34),
        C(n + 0.62, 5.10),
        C(n + 0.5, 3.6),
        C(0.0, 3.4),
    ]);
    brush.fill(&path, skin.tone.base, 1.0);
    brush.within(&path, |brush| {
        let side =
            shape(&[C(0.9, 6.5), S(n * 0.45, 5.9), S(n * 0.52, 5.50), S(n + 0.12, 5.22), C(1.2, 5.0), C(1.2, 6.5)]);
        brush.fill(&side, skin.tone.shade, 0.75);
        let chin = shape(&[
            C(-0.9, 6.6),
            C(-n - 0.1, 5.86),
            S(-n * 0.4, 5.58),
            S(n * 0.35, 5.42),
            S(n * 0.85, 5.36),
            C(n + 0.3, 5.44),
            C(0.9, 6.6),
        ]);
        brush.fill(&chin, skin.tone.shade, 1.0);
        brush.fill(&chin, skin.deep, 0.28);
        for side in [-1.0, 1.0] {
            let bone = [[side * 0.10, 5.04, 0.0], [side * 0.28, 5.075, 0.016], [side * 0.62, 5.17, 0.0]];
            brush.fill(&ribbon(&bone), skin.deep, 0.5);
        }
        let pit = ribbon(&[[-0.05, 5.03, 0.0], [0.0, 4.985, 0.014], [0.05, 5.03, 0.0]]);
        brush.fill(&pit, skin.deep, 0.45);
    });
}

/// From the base of the neck to the hips, without arms.
pub(super) fn torso(build: &Build, collar: f32) -> Path {
    let Build { neck, shoulder, armpit, waist, hip, .. } = *build;
    symmetric(&[
        C(0.0, 5.10),
        C(neck + collar, 5.36),
        S(neck + 0.36, 5.215),
        S(shoulder * 0.82, 5.06),
        S(shoulder + 0.02, 4.84),
        S(shoulder + 0.10, 4.40),
        S(armpit + 0.02, 3.9),
        S((armpit + waist) * 0.5 - 0.02, 3.35),
        S(waist, 2.75),
        S(hip * 0.96, 2.0),
        C(hip + 0.03, HEM + 0.06),
        S(hip * 0.5, HEM - 0.05),
        C(0.0, HEM - 0.07),
    ])
}

/// A torso of one cloth in two tones, with the folds of a standing figure.
pub(super) fn dressed(
    brush: &mut Brush<'_>,
    build: &Build,
    cloth: &Tone,
    collar: f32,
    pattern: impl Fn(&mut Brush<'_>),
) {
    let trunk = torso(build, collar);
    brush.fill(&trunk, cloth.base, 1.0);
    brush.within(&trunk, |brush| {
        pattern(brush);
        trunk_shade(brush, build, cloth);
    });
}

pub(super) fn trunk_shade(brush: &mut Brush<'_>, build: &Build, cloth: &Tone) {
    let Build { armpit, waist, hip, shoulder, .. } = *build;
    // The side turned away from the light.
    let away = shape(&[
        C(armpit + 0.5, 4.7),
        S(armpit - 0.16, 4.35),
        S(armpit - 0.30, 3.75),
        S(waist - 0.36, 2.85),
        S(hip - 0.50, 2.0),
        C(hip - 0.55, FLOOR),
        C(hip + 0.4, FLOOR),
        C(hip + 0.4, 3.0),
    ]);
    brush.fill(&away, cloth.shade, 0.85);
    // What the arm and the chest throw on the side in the light.
    let near = shape(&[
        C(-armpit - 0.3, 4.5),
        S(-armpit + 0.02, 4.1),
        S(-armpit + 0.15, 3.7),
        S(-waist + 0.02, 3.15),
        C(-waist - 0.2, 2.7),
    ]);
    brush.fill(&near, cloth.shade, 0.8);
    for (x, y, long) in [(-waist + 0.06, 2.82, 0.46), (-waist + 0.02, 2.56, 0.34)] {
        let fold = ribbon(&[[x - 0.08, y + 0.06, 0.0], [x + long * 0.4, y - 0.03, 0.026], [x + long, y + 0.02, 0.0]]);
        brush.fill(&fold, cloth.shade, 0.75);
    }
    let light = ellipse(-shoulder * 0.62, 4.72, 0.62, 0.62);
    brush.glow(&light, [-shoulder * 0.62, 4.72], 0.60, cloth.light, 0.7);
    // Under the head.
    let chin = [0.10, 5.30];
    brush.glow(&ellipse(chin[0], chin[1], 0.66, 0.66), chin, 0.64, cloth.shade, 0.9);
}
