//! Mixing, smoothing and noise: the arithmetic of painters, the same bits on every machine.

pub(super) use compere_media::math::quick::{cos, exp, pow, sin};

pub(super) fn mix(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

/// 0 at `from`, 1 at `to`, with level ends; `from` may be the larger.
pub(super) fn smooth(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Scrambles three numbers into one.
pub(super) fn hash(x: u32, y: u32, seed: u32) -> u32 {
    let mut h = x.wrapping_mul(0x9e37_79b1) ^ y.wrapping_mul(0x85eb_ca77) ^ seed.wrapping_mul(0xc2b2_ae3d);
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ (h >> 12)).wrapping_mul(0x297a_2d39);
    h ^ (h >> 15)
}

/// [`hash`] as a number from 0 to 1.
pub(super) fn chance(x: u32, y: u32, seed: u32) -> f32 {
    (hash(x, y, seed) >> 8) as f32 / 16_777_216.0
}

/// Smooth noise from -1 to 1 with features about one unit wide.
pub(super) fn noise(x: f32, y: f32, seed: u32) -> f32 {
    let (x0, y0) = (x.floor(), y.floor());
    let (tx, ty) = (x - x0, y - y0);
    let (tx, ty) = (tx * tx * (3.0 - 2.0 * tx), ty * ty * (3.0 - 2.0 * ty));
    let (ix, iy) = (x0 as i32 as u32, y0 as i32 as u32);
    let at = |dx: u32, dy: u32| chance(ix.wrapping_add(dx), iy.wrapping_add(dy), seed);
    mix(mix(at(0, 0), at(1, 0), tx), mix(at(0, 1), at(1, 1), tx), ty) * 2.0 - 1.0
}

/// Noise at four scales, each half as wide and half as strong.
pub(super) fn clouds(x: f32, y: f32, seed: u32) -> f32 {
    (0..4u32)
        .fold((0.0, 1.0, 0.533), |(sum, scale, strength), octave| {
            (sum + noise(x * scale, y * scale, seed + octave) * strength, scale * 2.0, strength * 0.5)
        })
        .0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_joined_without_steps() {
        let steps = (0..4000).map(|i| noise(i as f32 / 100.0 - 20.0, 0.3, 7)).collect::<Vec<_>>();
        assert!(steps.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 0.05));
        assert!(steps.iter().any(|&v| v > 0.4) && steps.iter().any(|&v| v < -0.4));
    }
}
