//! Teeth, tongue, and the light on the ball of an eye: colours by place, for whoever paints them.

use super::gloss::gloss;
use crate::rig::body::bite::tooth;
use crate::rig::ground::v3::{V3, add, dot, exp, length, mix, mul, mulv, noise, norm, ss, sub};

/// Light on the ball at a height in radii, where it faces `n`: less above and a little below, and the side away from the
/// key is darker. Even otherwise, so that eyes stay bright on every skin. What lids shade is shaded where they are known.
pub(crate) fn eye_light(y: f32, n: V3) -> V3 {
    let shade = 1.0 - 0.26 * ss(0.02, 0.50, y) - 0.14 * ss(-0.20, -0.60, y);
    let round = 0.74 + 0.32 * dot(n, norm([-0.50, 0.30, 0.80])).max(0.0);
    // The corners lie deeper between the lids.
    let corners = 1.0 - 0.34 * ss(0.50, 0.95, n[0].abs());
    mul([1.0, 0.970, 0.950], shade * round * corners)
}

/// The soft boxes in the eye: a round one high on the side of the key, a faint one low on the other.
pub(crate) fn catchlight(n: V3, v: V3) -> f32 {
    let mirror = sub(mul(n, 2.0 * dot(n, v)), v);
    let round = |towards: V3, wide: f32| {
        let towards = norm(towards);
        let off = sub(mirror, mul(towards, dot(mirror, towards)));
        if dot(mirror, towards) < 0.0 { 0.0 } else { ss(wide * 1.6, wide * 0.2, length(off)) }
    };
    // Low enough for lids that cover the upper third of the iris.
    round([-0.36, 0.05, 0.93], 0.130) * 1.3 + round([0.40, -0.44, 0.80], 0.30) * 0.05
}

/// How much of a tooth's light is left from the middle of the row outwards: they stand in an arch.
const ARCH: [f32; 7] = [1.0, 0.98, 0.90, 0.72, 0.52, 0.35, 0.22];

/// Teeth from their normal, rest position and (lowest, highest, row); `jaw` lets light in.
pub(crate) fn teeth(n: V3, r: V3, row: V3, jaw: f32) -> V3 {
    let f = (r[1] - row[0]) / (row[1] - row[0]).max(0.01);
    let upper = row[2] > 0.0;
    // 0 at the edge that bites, 1 in the gum.
    let g = if upper { f } else { 1.0 - f };
    let (which, u) = tooth(r[0].abs(), upper);
    // Each is round, and its corners are: gaps are thin at the gum and open towards the edge that bites.
    let far = u * u;
    let gap = ss(0.80 - 0.24 * ss(0.40, 0.0, g), 1.00, u.abs());
    let round = (1.0 - 0.12 * far) * (1.0 - 0.36 * gap);
    // Thin at the edge, which lets some of the dark behind through; warmer where it is thick.
    let enamel = mix([0.93, 0.795, 0.61], [0.975, 0.875, 0.735], ss(0.70, 0.30, g));
    let enamel = mulv(enamel, mix([1.0; 3], [0.88, 0.89, 0.90], ss(0.14, 0.0, g) * 0.6));
    let enamel = if which == 2 { mulv(enamel, [0.97, 0.945, 0.90]) } else { enamel };
    // Gums rise between teeth.
    let gum = ss(0.66, 0.80, g + 0.11 * far - 0.04);
    let a = mix(mul(enamel, round), [0.50, 0.235, 0.215], gum);
    // Corners of the edge are round, and what shows between two is the dark of the mouth.
    let corner = 0.12 * far * far * far;
    let a = mix(a, [0.16, 0.055, 0.05], 0.15 * ss(corner + 0.015, corner - 0.025, g) * ss(0.35, 0.75, u.abs()));
    // The arch turns away from the light, smoothly over each tooth.
    let along = (u + 1.0) * 0.5;
    let next = ARCH[(which + 1).min(6)];
    let arch = ARCH[which] + (next - ARCH[which]) * along;
    // Where it ends the cheek's inside is, red in what light comes there: nothing would be a black wedge.
    let a = mix(a, [0.46, 0.165, 0.145], 0.85 * ss(0.55, 0.20, arch));
    let facing = 0.80 + 0.20 * dot(n, norm([-0.2, 0.25, 0.95])).max(0.0);
    let light = arch * facing * (1.46 + 0.21 * jaw.min(1.0)) * if upper { 1.04 } else { 0.78 };
    // What light comes out of the dark has been on lips and gums.
    let tint = mix([0.98, 0.80, 0.72], [0.985, 0.965, 0.945], arch);
    // Between lips that rest on each other nothing shines, and what is seen is of their colour.
    let shown = ss(0.02, 0.24, jaw);
    let a = mix([0.44, 0.155, 0.135], a, shown);
    let light = 0.50 + (light - 0.50) * shown;
    let shine = gloss(n, [0.0, 0.0, 1.0], norm([-0.3, 0.5, 0.8]), 0.28, 0.04);
    let shine = shine * 0.22 * (1.0 - far) * ss(0.20, 0.10, r[0].abs()) * ss(0.66, 0.50, g) * shown;
    add(mul(mulv(a, tint), light), [shine; 3])
}

pub(crate) fn tongue(n: V3, r: V3, jaw: f32) -> V3 {
    let a = mul([0.43, 0.165, 0.16], 0.88 + 0.24 * noise(mul(r, 60.0)));
    // Only its tip comes out of the dark, and its sides fall away into it.
    let depth = 0.07 + 0.93 * ss(0.86, 1.27, r[2]);
    let facing = 0.18 + 0.82 * dot(n, norm([-0.15, 0.55, 0.8])).max(0.0);
    let middle = (1.0 - 0.34 * exp(-(r[0] * r[0]) / 0.0008)) * (0.35 + 0.65 * ss(0.24, 0.06, r[0].abs()));
    let light = mul([0.88, 0.80, 0.77], depth * facing * middle * (0.40 + 0.55 * jaw.min(1.0)));
    let shine = gloss(n, [0.0, 0.0, 1.0], norm([-0.3, 0.6, 0.7]), 0.40, 0.04) * 0.12 * depth;
    add(mulv(a, light), [shine; 3])
}
