//! The few functions the standard library leaves to the platform, as polynomials: the same bits on every machine.
//!
//! Accuracy is a few parts in a million, far finer than an 8-bit picture shows.

/// 2 to the power of `x`.
pub(super) fn exp2(x: f32) -> f32 {
    let x = x.clamp(-126.0, 126.0);
    let whole = x.floor();
    let part = x - whole;
    let fraction = 1.0
        + part
            * (std::f32::consts::LN_2
                + part
                    * (0.240_226_5
                        + part * (0.055_504_1 + part * (0.009_618_13 + part * (0.001_333_36 + part * 0.000_154_2)))));
    fraction * f32::from_bits(((whole as i32 + 127) as u32) << 23)
}

/// Logarithm to base 2 of a positive number.
pub(super) fn log2(x: f32) -> f32 {
    let bits = x.max(f32::MIN_POSITIVE).to_bits();
    let mut exponent = (bits >> 23) as i32 - 127;
    let mut mantissa = f32::from_bits((bits & 0x007f_ffff) | 0x3f80_0000);
    if mantissa > std::f32::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    // ln(m) = 2 atanh((m - 1) / (m + 1)), and |(m - 1) / (m + 1)| stays below 0.172.
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let t2 = t * t;
    let ln = 2.0 * t * (1.0 + t2 * (1.0 / 3.0 + t2 * (0.2 + t2 * (1.0 / 7.0))));
    exponent as f32 + ln * std::f32::consts::LOG2_E
}

pub(super) fn pow(base: f32, exponent: f32) -> f32 {
    if base <= 0.0 { 0.0 } else { exp2(log2(base) * exponent) }
}

pub(super) fn exp(x: f32) -> f32 {
    exp2(x * std::f32::consts::LOG2_E)
}

/// The sine of `turns` full turns: `sin(0.25)` is one.
pub(super) fn sin(turns: f32) -> f32 {
    let mut t = turns - turns.floor();
    let sign = if t >= 0.5 {
        t -= 0.5;
        -1.0
    } else {
        1.0
    };
    let x = t.min(0.5 - t) * std::f32::consts::TAU;
    let x2 = x * x;
    sign * x * (1.0 - x2 * (1.0 / 6.0 - x2 * (1.0 / 120.0 - x2 * (1.0 / 5040.0 - x2 / 362_880.0))))
}

pub(super) fn cos(turns: f32) -> f32 {
    sin(turns + 0.25)
}

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
    fn the_polynomials_follow_the_real_functions() {
        for step in 1..2000 {
            let x = step as f32 / 100.0;
            assert!((exp2(x - 10.0) / (x - 10.0).exp2() - 1.0).abs() < 2e-5, "exp2 at {x}");
            assert!((log2(x) - x.log2()).abs() < 2e-5, "log2 at {x}");
            assert!((sin(x - 10.0) - ((x - 10.0) * std::f32::consts::TAU).sin()).abs() < 2e-5, "sin at {x}");
            assert!((pow(x / 20.0, 2.4) - (x / 20.0).powf(2.4)).abs() < 2e-5, "pow at {x}");
        }
    }

    #[test]
    fn noise_is_joined_without_steps() {
        let steps = (0..4000).map(|i| noise(i as f32 / 100.0 - 20.0, 0.3, 7)).collect::<Vec<_>>();
        assert!(steps.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 0.05));
        assert!(steps.iter().any(|&v| v > 0.4) && steps.iter().any(|&v| v < -0.4));
    }
}
