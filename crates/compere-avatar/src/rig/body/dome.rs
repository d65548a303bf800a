//! The cranium of who has no hair over it.

use crate::rig::ground::curve::read;
use crate::rig::ground::data::{EYE_Y, Library, samples};
use crate::rig::ground::v3::{V3, atan2, cos, exp, pow, sin};

/// From the height of the brows upwards, where a face ends.
const BASE: f32 = EYE_Y + 0.16;

/// Of what is measured: by the turn from upright to level.
const BINS: usize = 31;

/// How much of the height over the brows is left, how square the arch is, and how much wider it is over the ears.
const HEIGHT: f32 = 0.93;
const ROUND: f32 = 2.22;
const WIDER: f32 = 0.022;

type Arch = [f32; BINS];

/// Under hair the data's skulls may be high and have corners; bare they are eggs. Seen from in front the outline becomes one
/// arch, lower than it was and widest above the ears.
pub(super) fn round(library: &Library, rest: &mut [V3]) {
    let is = even(even(measured(library, rest)));
    let (high, wide) = (HEIGHT * is[0], is[BINS - 1]);
    let meant: Arch = std::array::from_fn(|at| {
        let angle = turn(at);
        let [x, y] = [sin(angle) / wide, cos(angle) / high];
        let arch = pow(pow(x, ROUND) + pow(y.max(0.0), ROUND), -1.0 / ROUND);
        let off = (angle.to_degrees() - 66.0) / 22.0;
        arch * (1.0 + WIDER * exp(-off * off))
    });
    for v in library.members(&["body"]) {
        let p = &mut rest[v as usize];
        let (x, y) = (p[0].abs(), p[1] - BASE);
        if y <= 0.0 {
            continue;
        }
        let at = atan2(x, y) / turn(1);
        let by = read(&meant, at) / read(&is, at).max(0.1);
        p[0] *= by;
        p[1] = BASE + y * by;
    }
}

fn turn(at: usize) -> f32 {
    at as f32 / (BINS - 1) as f32 * std::f32::consts::FRAC_PI_2
}

/// How far out the head reaches at each turn.
fn measured(library: &Library, rest: &[V3]) -> Arch {
    let mut out = [0.0_f32; BINS];
    let Some(body) = library.group("body") else { return [1.0; BINS] };
    for quad in library.quads.iter().filter(|quad| quad.group == body) {
        let corners = quad.corners.map(|v| rest[v as usize]);
        let ears = quad.corners.iter().any(|&v| library.masks[v as usize][2] > 0.15);
        if ears || corners.iter().any(|p| p[1] < BASE - 0.15) {
            continue;
        }
        for p in samples(corners) {
            let (x, y) = (p[0].abs(), (p[1] - BASE).max(0.0));
            let bin = (atan2(x, y) / turn(1) + 0.5) as usize;
            let cell = &mut out[bin.min(BINS - 1)];
            *cell = cell.max((x * x + y * y).sqrt());
        }
    }
    out
}

/// Means over neighbours; at both ends the arch goes on as it came.
fn even(arch: Arch) -> Arch {
    let at = |k: usize| arch[k.min(BINS - 1)];
    std::array::from_fn(|k| (at(if k == 0 { 1 } else { k - 1 }) + 2.0 * at(k) + at(k + 1)) * 0.25)
}
