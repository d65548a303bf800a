//! More hair: a round afro, a side parting, a straight crop, and a headscarf.

use compere_media::math;
use tiny_skia::Path;

use super::hull::Hulls;
use super::knots::{C, Knot, S, line, ribbon, shape, sided};
use super::person::Person;
use super::strands::{lights, strands};
use crate::drawn::brush::{Brush, mixed};

/// A round mass with a soft edge of curls.
fn cloud([x, y]: [f32; 2], radius: f32, curls: usize, curl: f32, from: f32, to: f32) -> Option<Path> {
    let mut hulls = Hulls::default().around(&[[x, y, radius]]);
    for k in 0..curls {
        let angle = from + (to - from) * k as f32 / (curls - 1) as f32;
        let wobble = if k % 3 == 1 { 0.02 } else { 0.0 };
        let far = radius - curl * 0.35 + wobble;
        hulls = hulls.around(&[[x + far * math::cosf(angle), y + far * math::sinf(angle), curl]]);
    }
    hulls.path()
}

const AFRO: [f32; 2] = [0.0, 7.36];

pub(super) fn afro_back(brush: &mut Brush<'_>, person: &Person) {
    let Some(all) = cloud(AFRO, 1.12, 26, 0.13, -0.75, std::f32::consts::PI + 0.75) else { return };
    brush.fill(&all, person.hair.shade, 1.0);
}

/// The hairline and what stands above it.
fn afro_line() -> Vec<Knot> {
    vec![
        C(-1.5, 9.0),
        C(1.5, 9.0),
        C(1.5, 6.9),
        C(0.83, 6.62),
        S(0.765, 6.95),
        S(0.70, 7.26),
        S(0.50, 7.50),
        S(0.20, 7.60),
        S(-0.20, 7.60),
        S(-0.50, 7.50),
        S(-0.70, 7.26),
        S(-0.765, 6.95),
        C(-0.83, 6.62),
        C(-1.5, 6.9),
    ]
}

pub(super) fn afro(brush: &mut Brush<'_>, person: &Person) {
    let hair = person.hair;
    let Some(all) = cloud(AFRO, 1.12, 26, 0.13, -0.45, std::f32::consts::PI + 0.45) else { return };
    brush.within(&shape(&afro_line()), |brush| {
        brush.fill(&all, hair.base, 1.0);
        brush.within(&all, |brush| {
            if let Some(light) = cloud([-0.20, 7.50], 0.86, 18, 0.12, 0.0, std::f32::consts::TAU) {
                brush.fill(&light, mixed(hair.base, hair.light, 0.35), 1.0);
            }
            let dark = shape(&[C(1.4, 8.4), S(0.80, 8.05), S(0.86, 7.4), C(0.80, 6.5), C(1.5, 6.5)]);
            brush.fill(&dark, hair.shade, 0.7);
            curls(brush, person);
        });
    });
}

/// Little arcs on rings, denser towards the light.
fn curls(brush: &mut Brush<'_>, person: &Person) {
    let hair = person.hair;
    for ring in 0..6 {
        let far = 0.30 + 0.155 * ring as f32;
        let count = 7 + ring * 4;
        for k in 0..count {
            let angle = (k as f32 + 0.37 * ring as f32) / count as f32 * std::f32::consts::TAU;
            let (x, y) = (AFRO[0] + far * math::cosf(angle), AFRO[1] + 0.08 + far * math::sinf(angle));
            let turn = angle + 0.9 + 0.8 * ((k * 7 + ring * 3) % 5) as f32;
            let (c, s) = (0.062 * math::cosf(turn), 0.062 * math::sinf(turn));
            let arc = [[x - c, y - s, 0.004], [x - s * 0.7, y + c * 0.7, 0.016], [x + c, y + s, 0.003]];
            let near = x < 0.25 && y > 7.2;
            let tone = if near { hair.light } else { hair.shade };
            brush.fill(&ribbon(&arc), tone, if near { 0.75 } else { 0.7 });
        }
    }
}

/// The whole of short hair with a parting, its temples gone back.
pub(super) fn parted() -> Vec<Knot> {
    vec![
        C(-0.805, 6.70),
        S(-0.870, 6.98),
        S(-0.900, 7.35),
        S(-0.870, 7.72),
        S(-0.74, 7.98),
        C(-0.47, 8.12),
        S(-0.30, 8.30),
        S(0.16, 8.37),
        S(0.58, 8.25),
        S(0.86, 7.92),
        S(0.935, 7.45),
        S(0.885, 7.00),
        C(0.805, 6.70),
        S(0.745, 6.95),
        S(0.735, 7.22),
        C(0.66, 7.48),
        C(0.60, 7.66),
        S(0.36, 7.62),
        S(0.08, 7.70),
        S(-0.22, 7.80),
        C(-0.44, 7.90),
        S(-0.56, 7.72),
        C(-0.66, 7.50),
        S(-0.735, 7.22),
        S(-0.745, 6.95),
    ]
}

pub(super) fn side_part(brush: &mut Brush<'_>, person: &Person) {
    let hair = person.hair;
    let all = shape(&parted());
    brush.fill(&all, hair.base, 1.0);
    brush.within(&all, |brush| {
        for side in [-1.0, 1.0] {
            let short = [C(1.1, 7.75), S(0.84, 7.62), S(0.72, 7.46), C(0.62, 7.3), C(0.6, 6.5), C(1.1, 6.5)];
            brush.fill(&shape(&sided(&short, side)), mixed(hair.base, hair.shade, 0.55), 0.9);
        }
        let under = shape(&[
            C(-0.46, 7.86),
            S(-0.20, 7.86),
            S(0.14, 7.78),
            S(0.44, 7.72),
            S(0.68, 7.80),
            S(0.80, 7.98),
            C(1.2, 7.9),
            C(0.8, 7.4),
            C(-0.5, 7.5),
        ]);
        brush.fill(&under, hair.shade, 0.75);
        lights(
            brush,
            person,
            &[
                &[[-0.34, 8.02, 0.0], [-0.06, 8.18, 0.046], [0.32, 8.18, 0.050], [0.62, 7.98, 0.0]],
                &[[-0.30, 7.92, 0.0], [0.02, 8.02, 0.030], [0.36, 8.00, 0.034], [0.60, 7.86, 0.0]],
                &[[-0.80, 7.30, 0.0], [-0.79, 7.6, 0.024], [-0.66, 7.86, 0.0]],
            ],
        );
        strands(
            brush,
            person,
            &[
                &[[-0.46, 8.06, 0.0], [-0.20, 8.22, 0.010], [0.24, 8.27, 0.012], [0.66, 8.06, 0.0]],
                &[[-0.40, 7.94, 0.0], [-0.06, 8.10, 0.012], [0.36, 8.09, 0.012], [0.72, 7.88, 0.0]],
                &[[-0.30, 7.84, 0.0], [0.04, 7.92, 0.011], [0.40, 7.88, 0.011], [0.70, 7.74, 0.0]],
                &[[0.84, 7.75, 0.0], [0.86, 7.4, 0.010], [0.82, 7.0, 0.0]],
            ],
        );
        let parting = ribbon(&[[-0.45, 7.88, 0.0], [-0.465, 8.0, 0.014], [-0.46, 8.12, 0.006]]);
        brush.fill(&parting, mixed(person.skin.tone.base, hair.shade, 0.35), 0.9);
    });
}

/// Straight, with a fringe cut in points.
pub(super) fn fringe() -> Vec<Knot> {
    vec![
        C(-0.815, 6.72),
        S(-0.895, 7.00),
        S(-0.945, 7.40),
        S(-0.90, 7.85),
        S(-0.62, 8.22),
        S(-0.16, 8.40),
        S(0.34, 8.37),
        S(0.74, 8.12),
        S(0.945, 7.70),
        S(0.945, 7.30),
        S(0.885, 7.00),
        C(0.815, 6.72),
        S(0.755, 6.98),
        C(0.735, 7.34),
        S(0.66, 7.46),
        C(0.545, 7.36),
        S(0.44, 7.48),
        C(0.27, 7.30),
        S(0.16, 7.46),
        C(-0.04, 7.31),
        S(-0.16, 7.44),
        C(-0.36, 7.27),
        S(-0.46, 7.40),
        C(-0.63, 7.24),
        S(-0.70, 7.30),
        C(-0.745, 7.16),
        S(-0.755, 6.98),
    ]
}

pub(super) fn crop(brush: &mut Brush<'_>, person: &Person) {
    let hair = person.hair;
    let all = shape(&fringe());
    brush.fill(&all, hair.base, 1.0);
    brush.within(&all, |brush| {
        let dark = shape(&[C(1.2, 8.5), S(0.66, 8.02), S(0.72, 7.6), C(0.62, 7.2), C(0.7, 6.5), C(1.2, 6.5)]);
        brush.fill(&dark, hair.shade, 0.85);
        lights(
            brush,
            person,
            &[
                &[[-0.70, 7.86, 0.0], [-0.50, 8.05, 0.034], [-0.20, 8.17, 0.046], [0.16, 8.18, 0.0]],
                &[[-0.62, 7.66, 0.0], [-0.42, 7.82, 0.022], [-0.16, 7.92, 0.026], [0.10, 7.94, 0.0]],
                &[[0.10, 8.06, 0.0], [0.30, 8.00, 0.022], [0.46, 7.86, 0.0]],
            ],
        );
        strands(
            brush,
            person,
            &[
                &[[0.06, 8.26, 0.0], [-0.30, 8.02, 0.013], [-0.54, 7.66, 0.013], [-0.64, 7.28, 0.0]],
                &[[0.12, 8.24, 0.0], [-0.10, 7.96, 0.014], [-0.28, 7.64, 0.013], [-0.36, 7.31, 0.0]],
                &[[0.18, 8.24, 0.0], [0.12, 7.94, 0.014], [0.02, 7.62, 0.013], [-0.04, 7.35, 0.0]],
                &[[0.24, 8.24, 0.0], [0.34, 7.94, 0.014], [0.32, 7.62, 0.013], [0.27, 7.34, 0.0]],
                &[[0.30, 8.22, 0.0], [0.54, 7.94, 0.013], [0.58, 7.66, 0.012], [0.55, 7.40, 0.0]],
                &[[0.0, 8.28, 0.0], [-0.48, 8.10, 0.011], [-0.78, 7.7, 0.012], [-0.84, 7.2, 0.0]],
            ],
        );
    });
}

/// One side of the opening for the face, from its top to below the chin.
const OPENING: [[f32; 2]; 6] = [[0.0, 7.60], [0.40, 7.50], [0.655, 7.12], [0.705, 6.68], [0.60, 6.10], [0.33, 5.76]];

pub(super) fn scarf_opening() -> Path {
    let mut knots: Vec<Knot> = OPENING.iter().map(|&[x, y]| S(x, y)).collect();
    knots.push(S(0.0, 5.665));
    super::knots::symmetric(&knots)
}

fn scarf_half(side: f32) -> Path {
    let mut knots = vec![
        C(-0.03, 8.36),
        S(0.46, 8.30),
        S(0.86, 7.98),
        S(1.02, 7.42),
        S(1.03, 6.80),
        S(0.97, 6.20),
        S(0.93, 5.72),
        S(1.08, 5.36),
        S(1.30, 5.06),
        S(1.22, 4.66),
        S(0.80, 4.30),
        C(-0.03, 4.12),
    ];
    knots.push(C(-0.03, 5.66));
    knots.extend(OPENING.iter().skip(1).rev().map(|&[x, y]| S(x, y)));
    knots.push(C(-0.03, 7.60));
    shape(&sided(&knots, side))
}

/// A headscarf: it frames the face, crosses under the chin and lies over the shoulders.
pub(super) fn scarf(brush: &mut Brush<'_>, person: &Person) {
    let cloth = person.hair;
    let dark = mixed(cloth.shade, [26, 18, 30], 0.22);
    for side in [1.0, -1.0] {
        let half = scarf_half(side);
        brush.fill(&half, cloth.base, 1.0);
        brush.within(&half, |brush| {
            if side > 0.0 {
                let shade = shape(&[
                    C(0.30, 8.5),
                    S(0.72, 7.95),
                    S(0.86, 7.3),
                    S(0.84, 6.6),
                    S(0.72, 6.0),
                    S(0.50, 5.4),
                    S(0.52, 4.9),
                    C(0.40, 4.0),
                    C(1.6, 4.0),
                    C(1.6, 8.5),
                ]);
                brush.fill(&shade, cloth.shade, 0.9);
            } else {
                let light = [[-0.30, 8.16, 0.0], [-0.72, 7.80, 0.060], [-0.88, 7.2, 0.050], [-0.89, 6.5, 0.0]];
                brush.fill(&ribbon(&light), cloth.light, 0.75);
            }
        });
    }
    let whole = [scarf_half(-1.0), scarf_half(1.0)];
    for half in &whole {
        brush.within(half, |brush| {
            // Under the chin it lies in the head's shadow.
            let under = shape(&[
                C(-0.62, 5.98),
                S(-0.30, 5.62),
                S(0.10, 5.50),
                S(0.52, 5.62),
                C(0.70, 6.05),
                C(0.4, 5.70),
                C(0.0, 5.62),
                C(-0.36, 5.72),
            ]);
            brush.fill(&under, dark, 0.8);
            for fold in [
                [[-0.66, 6.05, 0.0], [-0.36, 5.50, 0.030], [0.14, 5.06, 0.034], [0.74, 4.72, 0.0]],
                [[-0.80, 5.80, 0.0], [-0.52, 5.28, 0.028], [-0.08, 4.82, 0.034], [0.40, 4.42, 0.0]],
                [[0.62, 5.95, 0.0], [0.62, 5.50, 0.024], [0.80, 5.14, 0.030], [1.12, 4.84, 0.0]],
                [[-0.96, 5.50, 0.0], [-0.92, 5.16, 0.020], [-0.70, 4.80, 0.026], [-0.40, 4.46, 0.0]],
                [[0.86, 7.60, 0.0], [0.90, 7.0, 0.018], [0.86, 6.3, 0.020], [0.74, 5.9, 0.0]],
                [[-0.70, 7.55, 0.0], [-0.82, 7.0, 0.014], [-0.80, 6.4, 0.016], [-0.70, 6.0, 0.0]],
            ] {
                brush.fill(&ribbon(&fold), cloth.shade, 0.9);
            }
            let lap = [[-0.62, 6.02, 0.0], [-0.30, 5.58, 0.016], [0.20, 5.16, 0.018], [0.86, 4.84, 0.006]];
            brush.fill(&ribbon(&lap), dark, 0.75);
        });
    }
    // The band beneath, and the edge of the cloth.
    let edge: Vec<Knot> = [-1.0, 1.0]
        .iter()
        .flat_map(|&side: &f32| {
            let mut half: Vec<Knot> = OPENING.iter().map(|&[x, y]| S(x * side, y)).collect();
            if side < 0.0 {
                half.reverse();
            } else {
                half.remove(0);
            }
            half
        })
        .collect();
    brush.stroke(&line(&edge), 0.034, cloth.light, 0.8);
}
