//! The same functions as polynomials, for loops over every pixel of a painting: a few parts in a million off, which is far
//! finer than an 8-bit picture shows, and two to four times as fast.

/// 2 to the power of `x`.
#[inline]
pub fn exp2(x: f32) -> f32 {
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
#[inline]
pub fn log2(x: f32) -> f32 {
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

#[inline]
pub fn pow(base: f32, exponent: f32) -> f32 {
    if base <= 0.0 { 0.0 } else { exp2(log2(base) * exponent) }
}

#[inline]
pub fn exp(x: f32) -> f32 {
    exp2(x * std::f32::consts::LOG2_E)
}

/// The sine of `turns` full turns: `sin(0.25)` is one.
#[inline]
pub fn sin(turns: f32) -> f32 {
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

#[inline]
pub fn cos(turns: f32) -> f32 {
    sin(turns + 0.25)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{exp2f, log2f, powf, sinf};

    #[test]
    fn the_polynomials_follow_the_real_functions() {
        for step in 1..2000 {
            let x = step as f32 / 100.0;
            assert!((exp2(x - 10.0) / exp2f(x - 10.0) - 1.0).abs() < 2e-5, "exp2 at {x}");
            assert!((log2(x) - log2f(x)).abs() < 2e-5, "log2 at {x}");
            assert!((sin(x - 10.0) - sinf((x - 10.0) * std::f32::consts::TAU)).abs() < 2e-5, "sin at {x}");
            assert!((pow(x / 20.0, 2.4) - powf(x / 20.0, 2.4)).abs() < 2e-5, "pow at {x}");
        }
    }
}
