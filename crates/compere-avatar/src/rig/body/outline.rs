//! The outline of a face, from the chin to the temples.

use crate::rig::ground::curve::{even, read};
use crate::rig::ground::data::{EYE_Y, Library};
use crate::rig::ground::v3::{V3, interp, sin, ss};

/// Of what is measured: every so many units from the chin upwards.
const LOW: f32 = EYE_Y - 1.30;
const STEP: f32 = 0.05;
const BINS: usize = 37;

type Line = [f32; BINS];

/// Shapes that add up, and planes that are pushed, leave an outline that bulges at the cheekbone and pinches below it.
/// It is drawn over as one line without a dent, a little fuller than the least there is. Ears stay where they are.
pub(super) fn even_out(library: &Library, rest: &mut [V3]) {
    let body = library.members(&["body"]);
    let ear = |v: u32| library.masks[v as usize][2];
    // Farther back than this is the neck, which is as wide as a chin.
    let face = body.iter().filter(|&&v| ear(v) < 0.25).map(|&v| rest[v as usize]).filter(|p| p[2] > 0.65);
    let mut widest: Line = [0.0; BINS];
    for p in face {
        for (edge, at) in widest.iter_mut().zip(0_u8..) {
            if (LOW + f32::from(at) * STEP - p[1]).abs() < 0.06 {
                *edge = edge.max(p[0].abs());
            }
        }
    }
    let is = even(even(widest));
    let meant = full(even(even(hull(is))));
    for v in body {
        let p = &mut rest[v as usize];
        let x = (p[1] - LOW) / STEP;
        if !(0.0..=BINS as f32 - 1.0).contains(&x) {
            continue;
        }
        // Along the jaw it would make a box of what is round.
        let ends = ss(2.0, 11.0, x) * ss(BINS as f32 - 1.0, BINS as f32 - 6.0, x);
        // Below the jaw's corner the neck is near.
        let low = ss(12.0, 6.0, x);
        let front = ss(-0.35 + 0.75 * low, 0.25 + 0.50 * low, p[2]) * (1.0 - ss(0.05, 0.5, ear(v)));
        let edge = ss(0.40, 0.95, p[0].abs() / read(&is, x).max(0.1));
        p[0] += p[0].signum() * (read(&meant, x) - read(&is, x)) * ends * front * edge;
    }
}

/// Where a jaw is, by the share of the way from the chin up to the cheekbone, as shares of the width there: of women,
/// and of men, whose jaw has a corner at the height of the mouth.
const OVAL: [(f32, f32); 9] = [
    (0.0, 0.18),
    (0.10, 0.33),
    (0.20, 0.475),
    (0.30, 0.615),
    (0.42, 0.715),
    (0.55, 0.81),
    (0.70, 0.89),
    (0.85, 0.955),
    (1.0, 1.0),
];
const ANGLE: [(f32, f32); 9] = [
    (0.0, 0.28),
    (0.10, 0.47),
    (0.20, 0.62),
    (0.30, 0.725),
    (0.42, 0.82),
    (0.55, 0.885),
    (0.70, 0.935),
    (0.85, 0.97),
    (1.0, 1.0),
];
/// The height of the cheekbone.
const CHEEK: f32 = EYE_Y - 0.20;

/// What age and weight add below the cheekbone makes boxes of some faces: where a jaw is wider than an oval it is drawn in.
/// Others have an edge beside the neck from it, so that each has a share of its own.
pub(super) fn taper(library: &Library, male: f32, oval: f32, rest: &mut [V3]) {
    if oval == 0.0 {
        return;
    }
    let mut body = library.members(&["body"]);
    body.retain(|&v| library.masks[v as usize][2] < 0.25 && rest[v as usize][2] > -0.3);
    let middle =
        || body.iter().map(|&v| rest[v as usize]).filter(|p| p[0].abs() < 0.10 && (LOW..EYE_Y - 0.85).contains(&p[1]));
    let fore = middle().map(|p| p[2]).fold(0.0, f32::max);
    let chin = middle().filter(|p| p[2] > fore - 0.15).map(|p| p[1]).fold(EYE_Y - 0.85, f32::min);
    let mut widest: Line = [0.0; BINS];
    for p in body.iter().map(|&v| rest[v as usize]).filter(|p| p[2] > 0.15) {
        for (edge, at) in widest.iter_mut().zip(0_u8..) {
            if (LOW + f32::from(at) * STEP - p[1]).abs() < 0.06 {
                *edge = edge.max(p[0].abs());
            }
        }
    }
    let is = even(widest);
    let bone = read(&is, (CHEEK - LOW) / STEP);
    let meant: Line = std::array::from_fn(|at| {
        let y = LOW + at as f32 * STEP;
        let up = ((y - chin) / (CHEEK - chin)).clamp(0.0, 1.0);
        let wanted = bone * (interp(up, &OVAL) * (1.0 - male) + interp(up, &ANGLE) * male);
        let over = (1.0 - wanted / is[at].max(0.1)).max(0.0);
        // Below the chin it is the neck.
        (0.85 - 0.10 * male) * oval * over * ss(chin - 0.22, chin, y)
    });
    let meant = even(even(meant));
    for v in body {
        let p = &mut rest[v as usize];
        let x = (p[1] - LOW) / STEP;
        if (0.0..=BINS as f32 - 1.0).contains(&x) {
            let edge = ss(0.25, 0.85, p[0].abs() / read(&is, x).max(0.1));
            // The neck stands behind a chin, and carries the head as it was.
            let low = ss(0.55, 0.10, (p[1] - chin) / (CHEEK - chin));
            p[0] *= 1.0 - read(&meant, x) * edge * ss(-0.15 + 0.50 * low, 0.30 + 0.40 * low, p[2]);
        }
    }
}

/// The least line without a dent that lies over another.
pub(super) fn hull<const N: usize>(line: [f32; N]) -> [f32; N] {
    std::array::from_fn(|at| {
        let spans = (0..at).flat_map(|from| (at + 1..N).map(move |to| (from, to)));
        spans.fold(line[at], |most, (from, to)| {
            let part = (at - from) as f32 / (to - from) as f32;
            most.max(line[from] + (line[to] - line[from]) * part)
        })
    })
}

/// Cheeks are round: between the chin and the temple a little wider than a straight line.
fn full(line: Line) -> Line {
    std::array::from_fn(|at| {
        let part = ((at as f32 - 1.0) / 25.0).clamp(0.0, 1.0);
        line[at] + 0.012 * sin(std::f32::consts::PI * part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_without_dents_stays_and_a_dent_is_filled() {
        let round: Line = std::array::from_fn(|at| 1.0 - (at as f32 - 18.0) * (at as f32 - 18.0) / 400.0);
        assert!(hull(round).iter().zip(round).all(|(a, b)| (a - b).abs() < 1e-5));
        let mut dented = round;
        dented[10] -= 0.2;
        let filled = hull(dented);
        assert!(filled[10] > dented[10] + 0.19, "{}", filled[10]);
        assert!(filled.iter().zip(dented).all(|(a, b)| *a >= b));
    }
}
