//! How light becomes a colour: lobes and tone.

use crate::rig::ground::v3::{V3, add, dot, mix, mul, mulv, norm, powi, ss};

/// Filmic: soft shoulder, a little contrast.
pub(crate) fn tone(c: V3) -> V3 {
    c.map(|x| {
        let x = x.max(0.0);
        (x * (1.506 * x + 0.03) / (x * (1.458 * x + 0.59) + 0.14)).min(1.0)
    })
}

/// Skin's dark sides keep their hue: toned channel by channel they would turn orange.
pub(crate) fn skin_tone(c: V3) -> V3 {
    let c = c.map(|x| x.max(0.0));
    let lightness = 0.30 * c[0] + 0.59 * c[1] + 0.11 * c[2];
    let as_one = tone([lightness; 3])[0] / lightness.max(1e-4);
    let apart = tone(c);
    std::array::from_fn(|k| (0.55 * (c[k] * as_one).min(1.0) + 0.45 * apart[k]).min(1.0))
}

/// How much of the colour of its light skin keeps: the rest is the same for all light of that strength.
const OWN_HUE: f32 = 0.25;

/// Skin is of one family of hues from light to shade: what is scattered takes red from the bright side of an edge, which is
/// grey-green then, and brings it to the dark one, which is orange. And no shade of it is without light off other skin.
pub(crate) fn warmed(light: V3) -> V3 {
    let bright = 0.30 * light[0] + 0.59 * light[1] + 0.11 * light[2];
    let half = ss(0.95, 0.25, bright);
    let lit = mix([1.035, 1.0, 0.955], [1.23, 0.955, 0.85], half);
    let shared = mul(lit, bright * (1.0 + 0.24 * ss(0.65, 0.25, bright)));
    mix(shared, mulv(light, mix([1.0; 3], [1.12, 1.03, 0.97], half)), OWN_HUE)
}

/// One lobe of light reflected from a rough surface.
pub(crate) fn gloss(n: V3, v: V3, l: V3, rough: f32, f0: f32) -> f32 {
    let h = norm(add(v, l));
    let (nh, nl, nv) = (dot(n, h).max(0.0), dot(n, l).max(0.0), dot(n, v).max(0.05));
    let a2 = powi(rough, 4);
    let d = a2 / (std::f32::consts::PI * powi(nh * nh * (a2 - 1.0) + 1.0, 2));
    let k = (rough + 1.0) * (rough + 1.0) / 8.0;
    let g = 0.25 / ((nl * (1.0 - k) + k) * (nv * (1.0 - k) + k));
    let f = f0 + (1.0 - f0) * powi(1.0 - dot(h, v).max(0.0), 5);
    d * g * f * nl
}
