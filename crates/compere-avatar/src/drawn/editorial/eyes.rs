//! Eyes with lids that close, lashes and brows.

use super::knots::{C, S, ribbon_on, shape, sided};
use super::person::Person;
use crate::act::{Ch, Face};
use crate::drawn::brush::{Brush, ellipse, mixed};
use crate::maths::lerp;

const EYE: [f32; 2] = [0.345, 6.86];

/// Heights of the lids over the line between the corners.
struct Lids {
    upper: f32,
    lower: f32,
    /// 1 for a closed eye.
    shut: f32,
}

impl Lids {
    fn of(person: &Person, face: &Face) -> Self {
        let shut = face.get(Ch::Blink);
        let squint = face.get(Ch::Squint) + 0.35 * face.get(Ch::Cheek);
        let wide = 0.93 * person.eye * (1.0 + 0.25 * face.get(Ch::Wide) - 0.12 * squint);
        let down = 0.02 * face.get(Ch::LookY).min(0.0);
        let lower = -0.092 + 0.05 * squint;
        Self { upper: lerp(wide + down, lower - 0.006, shut), lower: lerp(lower, lower + 0.012, shut), shut }
    }
}

pub(super) fn paint(brush: &mut Brush<'_>, person: &Person, face: &Face) {
    let lids = Lids::of(person, face);
    let gaze = [0.115 * face.get(Ch::LookX), 0.085 * face.get(Ch::LookY)];
    for side in [-1.0, 1.0] {
        lid(brush, person, &lids, side);
        if lids.shut < 0.93 {
            ball(brush, person, &lids, side, gaze);
        }
        lashes(brush, person, &lids, side);
        brow(brush, person, face, side);
    }
    if let Some(frame) = person.glasses {
        spectacles(brush, frame);
    }
}

/// Frames with a bridge; their arms lie on the head.
fn spectacles(brush: &mut Brush<'_>, frame: [u8; 3]) {
    let [x, y] = EYE;
    for side in [-1.0, 1.0] {
        let lens = [
            S(x - 0.225, y + 0.07),
            S(x - 0.12, y + 0.178),
            S(x + 0.14, y + 0.178),
            S(x + 0.265, y + 0.08),
            S(x + 0.225, y - 0.12),
            S(x + 0.06, y - 0.225),
            S(x - 0.14, y - 0.195),
            S(x - 0.225, y - 0.06),
        ];
        let lens = shape(&sided(&lens, side));
        brush.fill(&lens, [255, 255, 255], 0.10);
        let gleam = [[x - 0.13, y + 0.11, 0.0], [x - 0.02, y + 0.03, 0.020], [x + 0.02, y - 0.10, 0.0]];
        brush.within(&lens, |brush| brush.fill(&ribbon_on(side, &gleam), [255, 255, 255], 0.30));
        brush.stroke(&lens, 0.034, frame, 1.0);
    }
    let bridge = super::knots::ribbon(&[[-0.125, y + 0.06, 0.020], [0.0, y + 0.095, 0.018], [0.125, y + 0.06, 0.020]]);
    brush.fill(&bridge, frame, 1.0);
}

/// From the inner corner over the upper lid to the outer corner, mirrored for the left eye.
fn upper(lids: &Lids, lift: f32) -> [[f32; 2]; 4] {
    let [x, y] = EYE;
    let h = lids.upper + lift;
    [
        [x - 0.10, y + 0.72 * h - 0.004],
        [x - 0.015, y + h],
        [x + 0.085, y + 0.86 * h + 0.006],
        [x + 0.15, y + 0.46 * h + 0.012],
    ]
}

fn ball(brush: &mut Brush<'_>, person: &Person, lids: &Lids, side: f32, gaze: [f32; 2]) {
    let [x, y] = EYE;
    let [a, b, c, d] = upper(lids, 0.0).map(|[x, y]| S(x, y));
    let low = lids.lower;
    let almond = [
        C(x - 0.178, y - 0.03),
        a,
        b,
        c,
        d,
        C(x + 0.188, y + 0.012),
        S(x + 0.10, y + 0.80 * low),
        S(x, y + low),
        S(x - 0.10, y + 0.80 * low),
    ];
    let almond = shape(&sided(&almond, side));
    brush.fill(&almond, [252, 248, 243], 1.0);
    brush.within(&almond, |brush| {
        let at = [side * (x - 0.004) + gaze[0], y + 0.022 + gaze[1]];
        brush.fill(&ellipse(at[0], at[1], 0.114, 0.118), person.iris.shade, 1.0);
        brush.fill(&ellipse(at[0], at[1] - 0.004, 0.096, 0.100), person.iris.base, 1.0);
        let glint = [at[0], at[1] - 0.075];
        brush.glow(&ellipse(at[0], at[1] - 0.004, 0.094, 0.098), glint, 0.12, person.iris.light, 0.95);
        brush.fill(&ellipse(at[0], at[1], 0.050, 0.052), [24, 16, 18], 1.0);
        // The lid's shadow on the ball.
        let under = upper(lids, -0.035).map(|[x, y]| S(x, y));
        let mut shadow = vec![C(x - 0.2, y + 0.3), C(x - 0.19, y - 0.04)];
        shadow.extend(under);
        shadow.extend([C(x + 0.2, y), C(x + 0.2, y + 0.3)]);
        brush.fill(&shape(&sided(&shadow, side)), mixed(person.lash, person.skin.deep, 0.4), 0.26);
        brush.fill(&ellipse(at[0] - 0.036, at[1] + 0.046, 0.030, 0.030), [255, 255, 255], 0.97);
        brush.fill(&ellipse(at[0] + 0.040, at[1] - 0.045, 0.014, 0.014), [255, 255, 255], 0.6);
    });
}

/// The skin of the upper lid, between crease and lashes.
fn lid(brush: &mut Brush<'_>, person: &Person, lids: &Lids, side: f32) {
    let [x, y] = EYE;
    let skin = &person.skin;
    let open = person.eye;
    let mut knots = vec![
        C(x - 0.178, y - 0.025),
        S(x - 0.125, y + 0.80 * open + 0.015),
        S(x - 0.02, y + open + 0.058),
        S(x + 0.11, y + 0.82 * open + 0.050),
        C(x + 0.205, y + 0.035),
    ];
    knots.extend(upper(lids, 0.0).into_iter().rev().map(|[x, y]| S(x, y)));
    brush.fill(&shape(&sided(&knots, side)), skin.tone.shade, 0.9);
    let crease = [
        [x - 0.145, y + 0.62 * open, 0.0],
        [x - 0.09, y + 0.98 * open + 0.03, 0.006],
        [x, y + open + 0.062, 0.008],
        [x + 0.11, y + 0.82 * open + 0.056, 0.008],
        [x + 0.195, y + 0.055, 0.0],
    ];
    brush.fill(&ribbon_on(side, &crease), skin.deep, 0.8 * person.crease);
    let bag = [[x - 0.10, y - 0.125, 0.0], [x + 0.01, y - 0.142, 0.006], [x + 0.12, y - 0.115, 0.0]];
    brush.fill(&ribbon_on(side, &bag), skin.deep, 0.35);
}

/// A tapered line on the upper lid that ends in a wing, and a faint lower one.
fn lashes(brush: &mut Brush<'_>, person: &Person, lids: &Lids, side: f32) {
    let [x, y] = EYE;
    let [a, b, c, d] = upper(lids, 0.004);
    let wing = person.wing;
    let drop = 0.03 * lids.shut;
    let spine = [
        [x - 0.185, y - 0.034, 0.004],
        [a[0], a[1], 0.013],
        [b[0], b[1], 0.018],
        [c[0], c[1], 0.020],
        [d[0], d[1], 0.021],
        [x + 0.192 + wing * 0.3, y + 0.014 + wing * 0.25 - drop, 0.014],
        [x + 0.205 + wing, y + 0.035 + wing * 0.8 - drop, 0.0],
    ];
    brush.fill(&ribbon_on(side, &spine), person.lash, 1.0);
    let low = lids.lower;
    let lower = [
        [x - 0.06, y + 0.93 * low, 0.0],
        [x + 0.02, y + low - 0.003, 0.006],
        [x + 0.11, y + 0.74 * low, 0.008],
        [x + 0.18, y + 0.008, 0.006],
    ];
    brush.fill(&ribbon_on(side, &lower), person.lash, 0.55 * (1.0 - lids.shut));
}

fn brow(brush: &mut Brush<'_>, person: &Person, face: &Face, side: f32) {
    let y = EYE[1] + person.eye + 0.145 - 0.07 * face.get(Ch::BrowDown);
    let (inner, outer) = (0.12 * face.get(Ch::BrowInner) - 0.014, 0.13 * face.get(Ch::BrowOuter));
    let w = person.brow_width;
    let spine = [
        [0.135, y - 0.01 + inner, w * 0.72],
        [0.20, y + 0.018 + inner, w * 1.02],
        [0.33, y + 0.052 + 0.4 * inner + 0.6 * outer, w],
        [0.45, y + 0.055 + outer, w * 0.72],
        [0.575, y - 0.012 + outer, 0.003],
    ];
    brush.fill(&ribbon_on(side, &spine), person.brow, 0.96);
}
