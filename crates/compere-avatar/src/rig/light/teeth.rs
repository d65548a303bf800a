//! Teeth, tongue, and the light on the ball of an eye: colours by place, for whoever paints them.

use super::gloss::gloss;
use crate::rig::ground::v3::{V3, add, cos, dot, exp, length, mix, mul, mulv, noise, norm, ss, sub};

/// Light on the ball at a height in radii, where it faces `n`: the lids shade it above, a little below, and the side
/// away from the key is darker. Even otherwise, so that eyes stay bright on every skin.
pub(crate) fn eye_light(y: f32, n: V3) -> V3 {
    let shade = 1.0 - 0.70 * ss(0.02, 0.44, y) - 0.16 * ss(-0.20, -0.60, y);
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
        if dot(mirror, towards) < 0.0 { 0.0 } else { ss(wide * 1.32, wide * 0.72, length(off)) }
    };
    // Low enough for lids that cover the upper third of the iris.
    round([-0.36, 0.11, 0.93], 0.135) * 1.15 + round([0.44, -0.46, 0.78], 0.20) * 0.015
}

/// Teeth from their normal, rest position and (lowest, highest, row); `jaw` lets light in.
pub(crate) fn teeth(n: V3, r: V3, row: V3, jaw: f32) -> V3 {
    let f = (r[1] - row[0]) / (row[1] - row[0]).max(0.01);
    let upper = row[2] > 0.0;
    let g = if upper { f } else { 1.0 - f };
    let x = r[0].abs();
    let mut gap = 0.0_f32;
    for edge in [0.0, 0.083, 0.148, 0.215, 0.27] {
        // Corners of teeth are round: gaps open towards the edge that bites.
        let wide = 0.008 + 0.014 * ss(0.35, 0.0, g);
        gap = gap.max(1.0 - ss(0.0, wide, (x - edge).abs()));
    }
    // Each tooth is round: it darkens towards its neighbours. Eye teeth are a little darker than those between them.
    let tooth = [0.95, 0.88, 0.76];
    let mut a = mul(tooth, (1.0 - 0.46 * gap * ss(0.80, 0.5, g)) * (1.0 - 0.12 * ss(0.14, 0.16, x)));
    let gum = ss(0.64, 0.72, g + 0.05 * cos(x * 75.0));
    a = mix(a, [0.52, 0.22, 0.21], gum);
    let depth = 0.25 + 0.75 * ss(0.80, 1.26, r[2]);
    let facing = 0.5 + 0.5 * dot(n, norm([-0.2, 0.25, 0.95])).max(0.0);
    let light = depth * facing * (0.68 + 0.30 * jaw.min(1.0)) * if upper { 1.07 } else { 0.82 };
    let v = [0.0, 0.0, 1.0];
    // Towards the corners of the mouth it is dark between cheek and teeth.
    // The lip shades the row it hangs over.
    let light = light * (0.88 + 0.20 * ss(0.8, 0.2, g));
    // Between lips that rest on each other nothing shines.
    let shown = ss(0.02, 0.24, jaw);
    let light = light * (0.50 + shown * (0.08 + 0.92 * ss(0.24, 0.03, x) - 0.50));
    a = mix([0.46, 0.28, 0.25], a, shown);
    let shine =
        gloss(n, v, norm([-0.3, 0.5, 0.8]), 0.28, 0.04) * 0.25 * depth * (1.0 - gap) * ss(0.30, 0.15, x) * shown;
    add(mul(mulv(a, [0.98, 0.96, 0.95]), light), [shine; 3])
}

pub(crate) fn tongue(n: V3, r: V3, jaw: f32) -> V3 {
    let a = mul([0.50, 0.17, 0.165], 0.85 + 0.3 * noise(mul(r, 60.0)));
    // Only its tip comes out of the dark, and its sides fall away into it.
    let depth = 0.07 + 0.93 * ss(0.86, 1.27, r[2]);
    let facing = 0.18 + 0.82 * dot(n, norm([-0.15, 0.55, 0.8])).max(0.0);
    let middle = (1.0 - 0.34 * exp(-(r[0] * r[0]) / 0.0008)) * (0.35 + 0.65 * ss(0.24, 0.06, r[0].abs()));
    let light = mul([0.88, 0.80, 0.77], depth * facing * middle * (0.40 + 0.55 * jaw.min(1.0)));
    let shine = gloss(n, [0.0, 0.0, 1.0], norm([-0.3, 0.6, 0.7]), 0.34, 0.04) * 0.15 * depth;
    add(mulv(a, light), [shine; 3])
}
