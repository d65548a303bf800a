//! Hips to floor: trousers or a skirt, shoes, and the shadow they stand in.

use super::knots::{C, S, ribbon, ribbon_on, shape, sided, symmetric};
use super::person::{Below, Build, Outfit, Person, Tone};
use crate::drawn::brush::{Brush, ellipse, mixed};

/// Where the soles are.
pub(super) const GROUND: f32 = -7.85;
const ANKLE: f32 = -7.18;
const KNEE: f32 = -3.3;
const CROTCH: f32 = 0.30;

pub(super) fn paint(brush: &mut Brush<'_>, person: &Person, outfit: &Outfit) {
    let middle = [0.10, GROUND + 0.06];
    for (wide, alpha) in [(2.1, 0.16), (1.35, 0.22)] {
        let pool = ellipse(middle[0], middle[1], wide, 0.17 * wide);
        brush.glow_flat(&pool, middle, [wide, 0.17 * wide], [30, 30, 44], alpha);
    }
    let build = &person.build;
    match &outfit.below {
        Below::Trousers(cloth) => {
            for side in [1.0, -1.0] {
                shoe(brush, build, &outfit.shoes, side);
                trouser(brush, build, cloth, side);
            }
            fly(brush, build, cloth);
        }
        Below::Skirt(cloth, hem, stocking) => {
            for side in [1.0, -1.0] {
                leg(brush, build, stocking, side);
                shoe(brush, build, &outfit.shoes, side);
            }
            skirt(brush, build, cloth, *hem);
        }
    }
}

/// Across from the axis: a leg at the ankle and at the knee. The picture's right one carries the weight.
fn stance(build: &Build, side: f32) -> [f32; 2] {
    let wide = build.hip / 1.3;
    if side > 0.0 { [0.56 * wide, 0.60 * wide] } else { [0.84 * wide, 0.72 * wide] }
}

fn trouser(brush: &mut Brush<'_>, build: &Build, cloth: &Tone, side: f32) {
    let [ankle, knee] = stance(build, side);
    let hip = build.hip;
    let w = hip / 1.3;
    let outline = [
        C(-0.04, 2.0),
        C(hip * 0.98, 2.0),
        S(hip + 0.04, 1.1),
        S(hip + 0.05, 0.0),
        S(knee + 0.47 * w, -1.9),
        S(knee + 0.38 * w, KNEE),
        S(ankle + 0.37 * w, -5.2),
        C(ankle + 0.31 * w, ANKLE + 0.02),
        S(ankle, ANKLE - 0.09),
        C(ankle - 0.30 * w, ANKLE + 0.02),
        S(ankle - 0.31 * w, -5.2),
        S(knee - 0.36 * w, KNEE),
        S(knee - 0.46 * w, -1.6),
        C(0.02, CROTCH),
    ];
    let path = shape(&sided(&outline, side));
    brush.fill(&path, cloth.base, 1.0);
    brush.within(&path, |brush| {
        // The side away from the light: the outer one at the right, the inner one at the left.
        let shade = if side > 0.0 {
            shape(&[
                C(hip + 0.6, 2.0),
                S(hip - 0.34, 0.9),
                S(knee + 0.12 * w, -1.8),
                S(knee + 0.08 * w, KNEE),
                S(ankle + 0.10 * w, -5.2),
                C(ankle + 0.06 * w, ANKLE - 0.3),
                C(ankle + 1.4, ANKLE - 0.3),
                C(hip + 1.4, 0.0),
            ])
        } else {
            shape(&[
                C(0.3, CROTCH + 0.2),
                S(-0.26, 0.0),
                S(-knee + 0.14 * w, -1.8),
                S(-knee + 0.13 * w, KNEE),
                S(-ankle + 0.10 * w, -5.2),
                C(-ankle + 0.07 * w, ANKLE - 0.3),
                C(0.4, ANKLE - 0.3),
            ])
        };
        brush.fill(&shade, cloth.shade, 0.9);
        // Below the jacket, and the folds of a standing leg.
        let hem =
            shape(&[C(-hip - 0.4, 1.2), C(hip + 0.4, 1.2), C(hip + 0.4, 0.60), S(0.0, 0.48), C(-hip - 0.4, 0.62)]);
        brush.fill(&hem, mixed(cloth.shade, [20, 14, 24], 0.2), 0.55);
        let folds = [
            [[0.06, 0.05, 0.0], [0.34, 0.28, 0.026], [0.66, 0.42, 0.0]],
            [[0.10, -0.28, 0.0], [0.36, -0.06, 0.020], [0.58, 0.02, 0.0]],
            [[knee - 0.40, KNEE + 0.20, 0.0], [knee - 0.12, KNEE + 0.06, 0.026], [knee + 0.14, KNEE + 0.12, 0.0]],
            [[knee + 0.42, KNEE - 0.14, 0.0], [knee + 0.16, KNEE - 0.26, 0.022], [knee - 0.06, KNEE - 0.18, 0.0]],
            [[ankle - 0.32, ANKLE + 0.42, 0.0], [ankle, ANKLE + 0.27, 0.030], [ankle + 0.30, ANKLE + 0.44, 0.0]],
            [[ankle + 0.34, ANKLE + 0.74, 0.0], [ankle + 0.08, ANKLE + 0.60, 0.022], [ankle - 0.16, ANKLE + 0.70, 0.0]],
        ];
        for fold in &folds {
            brush.fill(&ribbon_on(side, fold), mixed(cloth.shade, [20, 14, 24], 0.12), 0.85);
        }
    });
}

fn fly(brush: &mut Brush<'_>, build: &Build, cloth: &Tone) {
    let seam = ribbon(&[[0.0, 1.2, 0.012], [0.0, 0.6, 0.012], [0.0, CROTCH - 0.06, 0.006]]);
    brush.fill(&seam, mixed(cloth.shade, [20, 14, 24], 0.3), 0.9);
    for side in [-1.0, 1.0] {
        let pocket = [[build.hip * 0.66, 1.0, 0.0], [build.hip * 0.86, 0.62, 0.012], [build.hip * 0.98, 0.34, 0.0]];
        brush.fill(&ribbon_on(side, &pocket), mixed(cloth.shade, [20, 14, 24], 0.15), 0.8);
    }
}

fn leg(brush: &mut Brush<'_>, build: &Build, tone: &Tone, side: f32) {
    let [ankle, knee] = stance(build, side);
    let outline = [
        C(knee - 0.30, -1.0),
        C(knee + 0.36, -1.0),
        S(knee + 0.28, KNEE),
        S(knee + 0.29, -4.5),
        S(ankle + 0.16, -6.5),
        C(ankle + 0.15, GROUND + 0.25),
        C(ankle - 0.15, GROUND + 0.25),
        S(ankle - 0.15, -6.5),
        S(knee - 0.27, -4.5),
        S(knee - 0.25, KNEE),
    ];
    let path = shape(&sided(&outline, side));
    brush.fill(&path, tone.base, 1.0);
    brush.within(&path, |brush| {
        let x = if side > 0.0 { knee } else { -knee };
        let a = if side > 0.0 { ankle } else { -ankle };
        let shade = shape(&[
            C(x + 0.08, -0.8),
            S(x + 0.06, KNEE),
            S(x + 0.06, -4.6),
            C(a + 0.03, GROUND),
            C(a + 1.0, GROUND),
            C(x + 1.0, -0.8),
        ]);
        brush.fill(&shade, tone.shade, 0.9);
        let cap = [[knee - 0.16, KNEE - 0.08, 0.0], [knee, KNEE - 0.17, 0.016], [knee + 0.16, KNEE - 0.06, 0.0]];
        brush.fill(&ribbon_on(side, &cap), tone.shade, 0.8);
    });
}

fn skirt(brush: &mut Brush<'_>, build: &Build, cloth: &Tone, hem: f32) {
    let hip = build.hip;
    let wide = if hem < -4.0 { hip * 1.22 } else { hip * 0.92 };
    let outline = symmetric(&[
        C(0.0, 2.0),
        C(hip * 0.98, 2.0),
        S(hip + 0.05, 1.0),
        S(hip + 0.06, 0.0),
        S((hip + wide) * 0.5 + 0.04, hem * 0.55),
        C(wide, hem + 0.06),
        S(wide * 0.5, hem - 0.05),
        C(0.0, hem - 0.07),
    ]);
    brush.fill(&outline, cloth.base, 1.0);
    brush.within(&outline, |brush| {
        let shade = shape(&[
            C(hip + 0.6, 2.0),
            S(hip - 0.42, 0.8),
            S(hip - 0.52, hem * 0.5),
            C(wide - 0.62, hem - 0.3),
            C(wide + 1.0, hem - 0.3),
        ]);
        brush.fill(&shade, cloth.shade, 0.9);
        let dark = mixed(cloth.shade, [20, 14, 24], 0.12);
        let top =
            shape(&[C(-hip - 0.4, 1.2), C(hip + 0.4, 1.2), C(hip + 0.4, 0.60), S(0.0, 0.48), C(-hip - 0.4, 0.62)]);
        brush.fill(&top, dark, 0.55);
        if hem < -4.0 {
            for (x, w) in [(-0.72, 0.030), (-0.28, 0.024), (0.22, 0.034), (0.66, 0.028)] {
                let fold = [[x * 0.7, -0.6, 0.0], [x * 0.95, hem * 0.55, w], [x * 1.2, hem, w * 1.6]];
                brush.fill(&ribbon(&fold), dark, 0.7);
            }
        } else {
            for side in [-1.0, 1.0] {
                let fold = [[side * 0.1, 0.15, 0.0], [side * 0.42, 0.32, 0.022], [side * 0.8, 0.38, 0.0]];
                brush.fill(&ribbon(&fold), dark, 0.8);
            }
        }
    });
}

/// From the front, the toe turned out.
fn shoe(brush: &mut Brush<'_>, build: &Build, tone: &Tone, side: f32) {
    let [x, _] = stance(build, side);
    let outline = [
        C(x - 0.25, ANKLE + 0.12),
        C(x + 0.25, ANKLE + 0.12),
        S(x + 0.30, ANKLE - 0.22),
        S(x + 0.50, ANKLE - 0.44),
        S(x + 0.50, GROUND + 0.05),
        S(x + 0.22, GROUND - 0.02),
        S(x - 0.14, GROUND + 0.01),
        S(x - 0.27, GROUND + 0.13),
        S(x - 0.24, ANKLE - 0.30),
    ];
    let path = shape(&sided(&outline, side));
    brush.fill(&path, tone.base, 1.0);
    brush.within(&path, |brush| {
        let sole = shape(&sided(
            &[
                C(x - 0.5, GROUND + 0.10),
                S(x + 0.1, GROUND + 0.055),
                C(x + 0.7, GROUND + 0.12),
                C(x + 0.7, GROUND - 0.2),
                C(x - 0.5, GROUND - 0.2),
            ],
            side,
        ));
        brush.fill(&sole, mixed(tone.shade, [16, 12, 16], 0.4), 1.0);
        let at = side * x;
        let shade = shape(&[
            C(at + 0.10, ANKLE + 0.2),
            S(at + 0.20, ANKLE - 0.35),
            C(at + 0.22, GROUND + 0.08),
            C(at + 0.9, GROUND),
            C(at + 0.9, ANKLE),
        ]);
        brush.fill(&shade, tone.shade, 0.8);
        let shine = [
            [at - 0.02, ANKLE - 0.34, 0.0],
            [at + 0.06 + 0.12 * side, ANKLE - 0.44, 0.026],
            [at + 0.16 + 0.22 * side, GROUND + 0.24, 0.0],
        ];
        brush.fill(&ribbon(&shine), tone.light, 0.8);
    });
}
