//! Hair as designed shapes: a silhouette, a shadow tone and a few highlights that follow the locks.

use super::cuts;
use super::knots::{C, Knot, S, ribbon, shape};
use super::person::{HairCut, Person};
use super::strands::{lights, strands};
use crate::drawn::brush::{Brush, ellipse, mixed};

/// What falls behind the neck. On a plate of its own, farther away.
pub(super) fn back(brush: &mut Brush<'_>, person: &Person) {
    match person.cut {
        HairCut::Lob => {}
        HairCut::Afro => return cuts::afro_back(brush, person),
        _ => return,
    }
    let fall = shape(&[
        S(0.0, 8.02),
        S(0.80, 7.6),
        S(0.97, 6.6),
        S(0.99, 5.7),
        S(0.86, 5.12),
        C(0.60, 4.92),
        S(0.0, 5.05),
        C(-0.60, 4.90),
        S(-0.86, 5.10),
        S(-0.99, 5.7),
        S(-0.97, 6.6),
        S(-0.80, 7.6),
    ]);
    let deep = mixed(person.hair.shade, [60, 26, 24], 0.28);
    brush.fill(&fall, deep, 1.0);
    for side in [-1.0, 1.0] {
        let lock = ribbon(&[[side * 0.62, 6.3, 0.0], [side * 0.66, 5.7, 0.03], [side * 0.56, 5.15, 0.0]]);
        brush.fill(&lock, person.hair.shade, 0.8);
    }
}

/// The shadow that the hair throws on the face.
pub(super) fn shadow(brush: &mut Brush<'_>, person: &Person) {
    let below = |knots: Vec<Knot>| shape(&knots.into_iter().map(|knot| knot.moved(0.035, -0.085)).collect::<Vec<_>>());
    let tone = person.skin.tone.shade;
    match person.cut {
        HairCut::Lob => {
            brush.fill(&below(sweep()), tone, 0.95);
            brush.fill(&below(fall()), tone, 0.95);
        }
        HairCut::Quiff => brush.fill(&below(quiff()), tone, 0.95),
        HairCut::SidePart => brush.fill(&below(cuts::parted()), tone, 0.95),
        HairCut::Crop => brush.fill(&below(cuts::fringe()), tone, 0.95),
        HairCut::Afro => {
            let band = ribbon(&[
                [-0.80, 6.85, 0.05],
                [-0.62, 7.34, 0.09],
                [0.0, 7.54, 0.10],
                [0.62, 7.34, 0.12],
                [0.78, 6.8, 0.08],
            ]);
            brush.fill(&band, tone, 0.9);
        }
        HairCut::Scarf => {
            brush.stroke(&cuts::scarf_opening(), 0.17, tone, 0.9);
        }
    }
}

pub(super) fn front(brush: &mut Brush<'_>, person: &Person) {
    if let Some(frame) = person.glasses {
        for side in [-1.0, 1.0] {
            let arm = ribbon(&[[side * 0.60, 6.93, 0.022], [side * 0.72, 6.95, 0.022], [side * 0.84, 6.93, 0.018]]);
            brush.fill(&arm, frame, 1.0);
        }
    }
    if let Some(gold) = person.earrings {
        for side in [-1.0, 1.0] {
            brush.fill(&ellipse(side * 0.885, 6.32, 0.060, 0.068), gold, 1.0);
            brush.fill(&ellipse(side * 0.885 - 0.018, 6.345, 0.018, 0.022), [255, 244, 206], 0.9);
        }
    }
    match person.cut {
        HairCut::Lob => lob(brush, person),
        HairCut::Quiff => waves(brush, person),
        HairCut::SidePart => cuts::side_part(brush, person),
        HairCut::Crop => cuts::crop(brush, person),
        HairCut::Afro => cuts::afro(brush, person),
        HairCut::Scarf => cuts::scarf(brush, person),
    }
}

/// The long side of the parting, over the forehead to the right.
fn sweep() -> Vec<Knot> {
    vec![
        C(-0.34, 8.10),
        S(-0.02, 8.25),
        S(0.46, 8.20),
        S(0.86, 7.84),
        S(1.01, 7.20),
        S(1.06, 6.45),
        S(1.12, 5.80),
        S(1.06, 5.22),
        S(0.82, 4.90),
        C(0.50, 4.92),
        S(0.70, 5.12),
        S(0.80, 5.55),
        S(0.745, 6.10),
        S(0.765, 6.55),
        S(0.775, 6.88),
        S(0.66, 7.16),
        S(0.40, 7.38),
        S(0.08, 7.52),
        S(-0.20, 7.70),
    ]
}

/// The short side, to the left.
fn fall() -> Vec<Knot> {
    vec![
        C(-0.22, 7.92),
        S(-0.34, 8.13),
        S(-0.62, 8.06),
        S(-0.90, 7.70),
        S(-1.01, 7.10),
        S(-1.06, 6.35),
        S(-1.11, 5.75),
        S(-1.04, 5.18),
        S(-0.80, 4.88),
        C(-0.48, 4.88),
        S(-0.68, 5.10),
        S(-0.79, 5.55),
        S(-0.745, 6.10),
        S(-0.78, 6.60),
        S(-0.775, 6.98),
        S(-0.69, 7.28),
        S(-0.52, 7.54),
        S(-0.34, 7.74),
    ]
}

fn lob(brush: &mut Brush<'_>, person: &Person) {
    let hair = person.hair;
    let (left, right) = (shape(&fall()), shape(&sweep()));
    brush.fill(&left, hair.base, 1.0);
    brush.within(&left, |brush| {
        // Under the curl and along the face.
        let inner = shape(&[
            C(-0.40, 7.86),
            S(-0.62, 7.50),
            S(-0.80, 7.02),
            S(-0.84, 6.50),
            S(-0.84, 6.0),
            S(-0.90, 5.52),
            S(-0.86, 5.2),
            C(-0.60, 4.8),
            C(-0.3, 4.8),
            C(-0.3, 7.8),
        ]);
        brush.fill(&inner, hair.shade, 0.75);
        lights(
            brush,
            person,
            &[
                &[[-0.46, 8.03, 0.0], [-0.76, 7.66, 0.040], [-0.90, 7.1, 0.034], [-0.945, 6.6, 0.0]],
                &[[-0.96, 6.35, 0.0], [-1.0, 5.9, 0.030], [-0.985, 5.5, 0.028], [-0.90, 5.15, 0.0]],
            ],
        );
        strands(
            brush,
            person,
            &[
                &[
                    [-0.36, 8.0, 0.0],
                    [-0.70, 7.52, 0.010],
                    [-0.885, 6.9, 0.012],
                    [-0.91, 6.2, 0.010],
                    [-0.96, 5.5, 0.0],
                ],
                &[[-0.94, 6.0, 0.0], [-0.985, 5.55, 0.010], [-0.90, 5.08, 0.010], [-0.70, 4.93, 0.0]],
            ],
        );
    });
    brush.fill(&right, hair.base, 1.0);
    brush.within(&right, |brush| {
        let outer = shape(&[
            C(1.3, 8.2),
            S(0.86, 7.78),
            S(0.93, 7.1),
            S(0.94, 6.45),
            S(0.965, 5.85),
            S(0.92, 5.36),
            S(0.74, 5.06),
            C(0.46, 5.0),
            C(0.5, 4.6),
            C(1.3, 4.6),
        ]);
        brush.fill(&outer, hair.shade, 0.80);
        let rim = shape(&[
            C(-0.22, 7.70),
            S(0.28, 7.72),
            S(0.62, 7.46),
            S(0.81, 7.04),
            S(0.835, 6.55),
            S(0.80, 6.1),
            S(0.85, 5.6),
            C(0.6, 5.5),
            C(0.6, 7.0),
            C(0.0, 7.6),
        ]);
        brush.fill(&rim, hair.shade, 0.60);
        lights(
            brush,
            person,
            &[
                &[[-0.14, 8.06, 0.0], [0.26, 8.02, 0.050], [0.62, 7.74, 0.062], [0.80, 7.35, 0.0]],
                &[[0.02, 7.95, 0.0], [0.34, 7.84, 0.020], [0.62, 7.56, 0.0]],
                &[[0.875, 6.6, 0.0], [0.90, 6.2, 0.022], [0.915, 5.85, 0.0]],
            ],
        );
        strands(
            brush,
            person,
            &[
                &[[-0.24, 8.02, 0.0], [0.20, 7.90, 0.010], [0.60, 7.60, 0.012], [0.82, 7.16, 0.0]],
                &[[0.02, 8.18, 0.0], [0.48, 8.04, 0.009], [0.80, 7.66, 0.010], [0.93, 7.05, 0.0]],
                &[[0.90, 6.9, 0.0], [0.915, 6.3, 0.011], [0.97, 5.7, 0.011], [0.86, 5.18, 0.0]],
            ],
        );
    });
}

/// The whole of the short cut, with its sideburns.
fn quiff() -> Vec<Knot> {
    vec![
        C(-0.815, 6.64),
        S(-0.885, 6.95),
        S(-0.915, 7.35),
        S(-0.90, 7.78),
        S(-0.80, 8.10),
        S(-0.52, 8.30),
        S(-0.22, 8.34),
        C(-0.10, 8.38),
        S(0.22, 8.50),
        S(0.58, 8.40),
        C(0.72, 8.26),
        S(0.90, 8.10),
        S(0.955, 7.74),
        S(0.915, 7.30),
        S(0.885, 6.95),
        C(0.815, 6.64),
        S(0.735, 6.92),
        S(0.745, 7.20),
        C(0.655, 7.50),
        S(0.42, 7.60),
        S(0.10, 7.57),
        S(-0.26, 7.64),
        C(-0.615, 7.52),
        S(-0.745, 7.20),
        S(-0.735, 6.92),
    ]
}

fn waves(brush: &mut Brush<'_>, person: &Person) {
    let hair = person.hair;
    let all = shape(&quiff());
    brush.fill(&all, hair.base, 1.0);
    brush.within(&all, |brush| {
        // Shorn sides let the skin through.
        let sides = mixed(hair.base, person.skin.tone.shade, 0.30);
        for side in [-1.0, 1.0] {
            let shorn = shape(&[
                C(side * 1.1, 7.95),
                S(side * 0.80, 7.72),
                S(side * 0.68, 7.50),
                C(side * 0.60, 7.3),
                C(side * 0.6, 6.5),
                C(side * 1.1, 6.5),
            ]);
            brush.fill(&shorn, sides, 0.9);
        }
        let dark = shape(&[
            C(1.1, 8.6),
            S(0.62, 8.20),
            S(0.74, 7.9),
            S(0.80, 7.74),
            S(0.66, 7.62),
            S(0.3, 7.64),
            S(-0.1, 7.66),
            C(-0.5, 7.60),
            C(-0.5, 7.4),
            C(0.66, 7.4),
            C(1.1, 7.72),
        ]);
        brush.fill(&dark, hair.shade, 0.75);
        lights(
            brush,
            person,
            &[
                &[[-0.52, 7.68, 0.0], [-0.44, 7.95, 0.050], [-0.16, 8.17, 0.055], [0.16, 8.22, 0.0]],
                &[[-0.18, 7.72, 0.0], [-0.06, 7.97, 0.040], [0.22, 8.16, 0.045], [0.52, 8.16, 0.0]],
                &[[0.16, 7.70, 0.0], [0.28, 7.90, 0.030], [0.50, 8.02, 0.030], [0.70, 7.98, 0.0]],
                &[[-0.74, 7.66, 0.0], [-0.72, 7.9, 0.026], [-0.56, 8.12, 0.0]],
            ],
        );
        strands(
            brush,
            person,
            &[
                &[[-0.60, 7.58, 0.0], [-0.58, 7.9, 0.014], [-0.36, 8.16, 0.014], [0.0, 8.32, 0.0]],
                &[[-0.34, 7.64, 0.0], [-0.26, 7.94, 0.016], [0.02, 8.17, 0.016], [0.40, 8.26, 0.0]],
                &[[0.0, 7.60, 0.0], [0.10, 7.88, 0.016], [0.36, 8.06, 0.016], [0.66, 8.08, 0.0]],
                &[[0.34, 7.62, 0.0], [0.46, 7.80, 0.012], [0.66, 7.88, 0.012], [0.84, 7.84, 0.0]],
            ],
        );
    });
}
