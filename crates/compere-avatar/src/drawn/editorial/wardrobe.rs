//! Jackets, shirts and knits, for any build.

use super::figure::{self, FLOOR, dressed};
use super::knots::{C, Knot, S, line, ribbon, ribbon_on, shape, sided, symmetric};
use super::legs;
use super::person::{Garment, Outfit, Person, Tone, Under};
use crate::drawn::brush::{Brush, ellipse, mixed};

/// Where a jacket's fronts meet.
const BUTTON: f32 = 2.72;

pub(super) fn paint(brush: &mut Brush<'_>, person: &Person, outfit: &Outfit) {
    legs::paint(brush, person, outfit);
    figure::neck(brush, person);
    match &outfit.garment {
        Garment::Jacket { cloth, under, pendant } => {
            match under {
                Under::Top(top) => round_top(brush, person, top),
                Under::Shirt(shirt, tie) => dress_shirt(brush, person, shirt, tie),
            }
            jacket(brush, person, cloth);
            if *pendant {
                necklace(brush, person);
            }
        }
        Garment::Shirt { cloth } => open_shirt(brush, person, cloth),
        Garment::Knit { cloth, roll } => knit(brush, person, cloth, *roll),
        Garment::Tee { cloth } => tee(brush, person, cloth),
    }
}

/// A plain T-shirt: a narrow band at the neck.
fn tee(brush: &mut Brush<'_>, person: &Person, cloth: &Tone) {
    let n = person.build.neck;
    dressed(brush, &person.build, cloth, 0.16, |_| {});
    let hole = symmetric(&[C(0.0, 5.6), C(n + 0.06, 5.6), S(n + 0.04, 5.32), S(n * 0.68, 5.00), C(0.0, 4.90)]);
    brush.within(&hole, |brush| figure::neck(brush, person));
    let ring = symmetric(&[
        C(0.0, 4.905),
        S(n * 0.66, 5.00),
        S(n + 0.02, 5.30),
        C(n + 0.04, 5.50),
        S(n + 0.12, 5.42),
        C(n + 0.15, 5.30),
        S(n * 0.78, 4.92),
        C(0.0, 4.81),
    ]);
    brush.fill(&ring, mixed(cloth.base, cloth.light, 0.3), 1.0);
    let seam = line(&[S(-n - 0.15, 5.30), S(-n * 0.78, 4.92), S(0.0, 4.81), S(n * 0.78, 4.92), S(n + 0.15, 5.30)]);
    brush.stroke(&seam, 0.014, cloth.shade, 0.9);
}

/// The front of a plain top, as far as a jacket shows it.
fn round_top(brush: &mut Brush<'_>, person: &Person, top: &Tone) {
    let n = person.build.neck;
    let front = symmetric(&[
        C(0.0, 4.80),
        S(n * 0.62, 4.88),
        S(n + 0.06, 5.13),
        C(n + 0.08, 5.34),
        C(n + 0.16, 5.2),
        C(n + 0.10, 3.0),
        C(0.15, BUTTON - 0.3),
        C(0.0, BUTTON - 0.3),
    ]);
    brush.fill(&front, top.base, 1.0);
    brush.within(&front, |brush| {
        let hem = line(&[S(-n - 0.12, 5.30), S(-n * 0.62, 4.85), S(0.0, 4.76), S(n * 0.62, 4.85), S(n + 0.12, 5.30)]);
        brush.stroke(&hem, 0.022, top.shade, 0.8);
        let side = shape(&[C(1.5, 5.4), S(0.30, 4.7), S(0.22, 4.0), S(0.12, 3.2), C(0.1, FLOOR), C(1.5, FLOOR)]);
        brush.fill(&side, top.shade, 0.55);
        let fold = ribbon(&[[-0.30, 4.2, 0.0], [-0.16, 3.7, 0.024], [-0.04, 3.1, 0.0]]);
        brush.fill(&fold, top.shade, 0.75);
    });
}

fn dress_shirt(brush: &mut Brush<'_>, person: &Person, shirt: &Tone, tie: &Tone) {
    let n = person.build.neck;
    let front = symmetric(&[
        C(0.0, 5.12),
        C(n + 0.06, 5.46),
        C(n + 0.16, 5.2),
        C(n + 0.10, 3.0),
        C(0.15, BUTTON - 0.3),
        C(0.0, BUTTON - 0.3),
    ]);
    brush.fill(&front, shirt.base, 1.0);
    let side = shape(&[C(0.9, 5.3), S(0.34, 4.7), S(0.22, 3.6), C(0.06, 2.7), C(0.9, 2.7)]);
    brush.within(&front, |brush| brush.fill(&side, shirt.shade, 0.8));
    let blade = symmetric(&[C(0.0, 4.98), C(0.085, 4.94), S(0.15, 4.2), S(0.205, 3.3), C(0.215, 2.6), C(0.0, 2.3)]);
    brush.fill(&blade, tie.base, 1.0);
    brush.within(&blade, |brush| {
        for k in 0..9 {
            let y = 4.86 - 0.27 * k as f32;
            let stripe = shape(&[C(-0.3, y - 0.30), C(0.3, y), C(0.3, y - 0.055), C(-0.3, y - 0.355)]);
            brush.fill(&stripe, tie.light, 0.85);
        }
        let dark = shape(&[C(0.07, 5.0), S(0.075, 4.2), C(0.08, 2.2), C(0.4, 2.2), C(0.4, 5.0)]);
        brush.fill(&dark, tie.shade, 0.7);
    });
    let knot = symmetric(&[C(0.0, 5.20), C(0.135, 5.19), S(0.125, 5.06), C(0.085, 4.90), C(0.0, 4.885)]);
    brush.fill(&knot, tie.base, 1.0);
    let dent = shape(&[C(0.02, 5.2), S(0.07, 5.05), C(0.085, 4.90), C(0.135, 5.19)]);
    brush.fill(&dent, tie.shade, 0.9);
    collar(brush, person, shirt, 0.08, 4.80);
}

/// Two leaves that meet at `gap` from the axis and point down to `tip`.
fn collar(brush: &mut Brush<'_>, person: &Person, cloth: &Tone, gap: f32, tip: f32) {
    let n = person.build.neck;
    for side in [-1.0, 1.0] {
        let leaf = [
            C(gap, 5.17),
            S(n * 0.62, 5.36),
            C(n + 0.02, 5.62),
            S(n + 0.15, 5.52),
            C(n + 0.22, 5.26),
            S(n * 0.9 + 0.06, 5.02),
            C(n * 0.62 + gap, tip),
        ];
        let shadow: Vec<Knot> = leaf.iter().map(|knot| knot.moved(0.01, -0.055)).collect();
        brush.fill(&shape(&sided(&shadow, side)), mixed(cloth.shade, [60, 60, 90], 0.18), 0.8);
        brush.fill(
            &shape(&sided(&leaf, side)),
            if side > 0.0 { mixed(cloth.base, cloth.shade, 0.45) } else { cloth.base },
            1.0,
        );
        let fold = [[gap + 0.01, 5.16, 0.0], [n * 0.64, 5.34, 0.012], [n + 0.03, 5.60, 0.0]];
        brush.fill(&ribbon_on(side, &fold), cloth.shade, 1.0);
    }
}

fn jacket(brush: &mut Brush<'_>, person: &Person, cloth: &Tone) {
    let build = &person.build;
    let n = build.neck;
    // The right front first: the left one closes over it.
    for side in [1.0, -1.0] {
        front(brush, person, cloth, side);
    }
    for side in [-1.0, 1.0] {
        lapel(brush, person, cloth, side);
    }
    let button = ellipse(0.02, BUTTON - 0.13, 0.052, 0.052);
    brush.fill(&button, mixed(cloth.shade, [20, 14, 20], 0.45), 1.0);
    brush.fill(&ellipse(0.008, BUTTON - 0.118, 0.018, 0.018), cloth.light, 0.7);
    let x = n + 0.52;
    let pocket = shape(&[C(x, 3.98), C(x + 0.36, 4.05), C(x + 0.36, 3.96), C(x, 3.89)]);
    brush.fill(&pocket, mixed(cloth.shade, [20, 14, 20], 0.22), 1.0);
    for side in [-1.0, 1.0] {
        let (x, y) = (build.hip * 0.36, 1.98);
        let flap =
            [C(x, y), C(x + build.hip * 0.46, y + 0.04), C(x + build.hip * 0.47, y - 0.15), C(x + 0.01, y - 0.20)];
        brush.fill(
            &shape(&sided(&flap, side)),
            mixed(cloth.base, cloth.shade, if side > 0.0 { 1.0 } else { 0.55 }),
            1.0,
        );
        let slit =
            [[x - 0.02, y, 0.010], [x + build.hip * 0.23, y + 0.02, 0.012], [x + build.hip * 0.48, y + 0.042, 0.010]];
        brush.fill(&ribbon_on(side, &slit), mixed(cloth.shade, [20, 14, 20], 0.3), 0.9);
    }
}

fn front(brush: &mut Brush<'_>, person: &Person, cloth: &Tone, side: f32) {
    let build = &person.build;
    let n = build.neck;
    let cut = [
        C(n + 0.10, 5.50),
        C(2.6, 5.6),
        C(2.6, FLOOR),
        C(0.02, FLOOR),
        S(-0.06, 1.7),
        C(-0.10, BUTTON - 0.30),
        C(-0.08, BUTTON),
        S(0.22, 3.9),
        S(n + 0.04, 4.9),
    ];
    let cut = shape(&sided(&cut, side));
    let trunk = figure::torso(build, 0.16);
    // The front's shadow on what is worn below.
    brush.within(&trunk, |brush| {
        brush.within(&cut, |brush| {
            brush.fill(&trunk, cloth.base, 1.0);
            figure::trunk_shade(brush, build, cloth);
        });
    });
    let edge = [[-0.09, BUTTON, 0.0], [-0.10, BUTTON - 0.30, 0.014], [-0.065, 1.8, 0.014], [0.02, FLOOR, 0.010]];
    brush.fill(&ribbon_on(side, &edge), mixed(cloth.shade, [20, 14, 20], 0.25), if side < 0.0 { 0.9 } else { 0.3 });
}

fn lapel(brush: &mut Brush<'_>, person: &Person, cloth: &Tone, side: f32) {
    let n = person.build.neck;
    let reach = n + 0.52;
    let blade = [
        C(-0.075, BUTTON + 0.02),
        S(0.20, 3.85),
        S(n * 0.9, 4.75),
        C(n + 0.06, 5.16),
        C(n + 0.30, 4.93),
        C(n + 0.25, 4.83),
        C(reach + 0.07, 4.78),
        S(reach - 0.07, 4.25),
        S(0.34, 3.45),
    ];
    let shadow: Vec<Knot> = blade.iter().map(|knot| knot.moved(0.045, -0.055)).collect();
    let trunk = figure::torso(&person.build, 0.16);
    let tone = if side > 0.0 { mixed(cloth.base, cloth.shade, 0.30) } else { mixed(cloth.base, cloth.light, 0.38) };
    brush.within(&trunk, |brush| {
        brush.fill(&shape(&sided(&shadow, side)), mixed(cloth.shade, [24, 16, 24], 0.16), 0.85);
        brush.fill(&shape(&sided(&blade, side)), tone, 1.0);
    });
    let band = [
        C(n + 0.06, 5.14),
        S(n + 0.01, 5.36),
        C(n + 0.03, 5.66),
        S(n + 0.18, 5.60),
        S(n + 0.32, 5.30),
        C(n + 0.42, 5.01),
        C(n + 0.30, 4.93),
    ];
    brush.fill(&shape(&sided(&band, side)), mixed(tone, cloth.shade, 0.25), 1.0);
    let gorge = [[n + 0.06, 5.15, 0.004], [n + 0.18, 5.04, 0.010], [n + 0.30, 4.93, 0.006]];
    brush.fill(&ribbon_on(side, &gorge), mixed(cloth.shade, [24, 16, 24], 0.2), 0.9);
}

fn necklace(brush: &mut Brush<'_>, person: &Person) {
    let n = person.build.neck;
    let chain = line(&[S(-n - 0.05, 5.40), S(-n * 0.55, 5.10), S(0.0, 4.96), S(n * 0.55, 5.10), S(n + 0.05, 5.40)]);
    brush.stroke(&chain, 0.016, [206, 158, 74], 1.0);
    brush.fill(&ellipse(0.0, 4.925, 0.042, 0.048), [222, 176, 88], 1.0);
    brush.fill(&ellipse(-0.012, 4.938, 0.014, 0.016), [255, 234, 180], 1.0);
}

fn open_shirt(brush: &mut Brush<'_>, person: &Person, cloth: &Tone) {
    let n = person.build.neck;
    let skin = &person.skin;
    dressed(brush, &person.build, cloth, 0.16, |_| {});
    // The opening.
    let vee = symmetric(&[C(0.0, 5.5), C(n + 0.02, 5.5), S(n * 0.72, 5.12), C(0.035, 4.42), C(0.0, 4.40)]);
    brush.fill(&vee, skin.tone.base, 1.0);
    brush.within(&vee, |brush| {
        let shadow = shape(&[C(0.8, 5.6), S(n * 0.52, 5.30), S(n * 0.42, 5.0), C(0.0, 4.5), C(0.3, 4.3), C(0.8, 4.8)]);
        brush.fill(&shadow, skin.tone.shade, 0.9);
        figure::neck(brush, person);
    });
    let hem = shape(&[C(-0.02, 4.46), C(0.10, 4.50), C(0.115, FLOOR), C(-0.09, FLOOR), C(-0.085, 4.54)]);
    brush.fill(&hem, mixed(cloth.base, cloth.light, 0.5), 1.0);
    for x in [-0.088, 0.112] {
        brush.stroke(&line(&[C(x, 4.50), C(x + 0.002, FLOOR)]), 0.014, cloth.shade, 0.9);
    }
    for k in 0..6 {
        let y = 4.22 - 0.62 * k as f32;
        brush.fill(&ellipse(0.016, y - 0.008, 0.034, 0.034), cloth.shade, 1.0);
        brush.fill(&ellipse(0.012, y, 0.032, 0.032), [250, 248, 244], 1.0);
    }
    collar(brush, person, cloth, 0.05, 4.62);
    let x = n + 0.26;
    let pocket =
        line(&[C(x, 3.95), C(x + 0.44, 3.98), C(x + 0.43, 3.52), C(x + 0.22, 3.42), C(x + 0.01, 3.49), C(x, 3.95)]);
    brush.stroke(&pocket, 0.015, mixed(cloth.shade, [40, 50, 80], 0.12), 0.9);
}

fn knit(brush: &mut Brush<'_>, person: &Person, cloth: &Tone, roll: bool) {
    let n = person.build.neck;
    let ribs = |brush: &mut Brush<'_>| {
        for k in -26..=26 {
            let x = 0.088 * k as f32;
            let rib = line(&[S(x * 0.92, 5.4), S(x, 4.4), S(x * 0.94, 2.8), S(x * 1.02, FLOOR)]);
            brush.stroke(&rib, 0.017, cloth.shade, 0.38);
        }
    };
    dressed(brush, &person.build, cloth, 0.16, ribs);
    if roll {
        let tube = symmetric(&[
            C(0.0, 5.52),
            S(n * 0.7, 5.56),
            C(n + 0.07, 5.70),
            S(n + 0.12, 5.50),
            S(n + 0.17, 5.32),
            C(n + 0.22, 5.18),
            S(n * 0.7, 5.04),
            C(0.0, 5.01),
        ]);
        band(brush, person, cloth, &tube, [5.75, 4.95]);
        let lip = ribbon(&[
            [-n - 0.16, 5.40, 0.0],
            [-n * 0.6, 5.26, 0.014],
            [0.0, 5.22, 0.016],
            [n * 0.6, 5.26, 0.016],
            [n + 0.16, 5.40, 0.0],
        ]);
        brush.fill(&lip, cloth.shade, 0.9);
    } else {
        let hole = symmetric(&[C(0.0, 5.6), C(n + 0.06, 5.6), S(n + 0.03, 5.36), S(n * 0.66, 5.10), C(0.0, 5.02)]);
        brush.within(&hole, |brush| figure::neck(brush, person));
        let ring = symmetric(&[
            C(0.0, 5.035),
            S(n * 0.62, 5.12),
            S(n - 0.02, 5.34),
            C(n + 0.00, 5.54),
            S(n + 0.13, 5.44),
            C(n + 0.18, 5.33),
            S(n * 0.80, 5.00),
            C(0.0, 4.88),
        ]);
        band(brush, person, cloth, &ring, [5.6, 4.8]);
    }
}

/// A collar of ribs, with its shadow on the knit below.
fn band(brush: &mut Brush<'_>, person: &Person, cloth: &Tone, path: &tiny_skia::Path, [top, low]: [f32; 2]) {
    let n = person.build.neck;
    brush.fill(path, mixed(cloth.base, cloth.light, 0.25), 1.0);
    brush.within(path, |brush| {
        for k in -13..=13 {
            let x = (n + 0.2) * (k as f32 / 13.0);
            let lean = 0.10 * k as f32 / 13.0;
            brush.stroke(&line(&[C(x - lean, top), C(x + lean, low)]), 0.016, cloth.shade, 0.6);
        }
        let dark = shape(&[C(n * 0.3, 6.0), S(n * 0.42, 5.4), C(n * 0.5, 4.8), C(1.2, 4.8), C(1.2, 6.0)]);
        brush.fill(&dark, cloth.shade, 0.55);
    });
}
