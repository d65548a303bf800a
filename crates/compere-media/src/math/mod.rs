//! Sines, powers and logarithms that give the same bits on every machine.
//!
//! Those of the standard library are the platform's: another C library, or another processor under the same one, gives
//! other last digits, and a film would not be the same file any more. Roots and roundings are exact everywhere and stay
//! the standard library's. The lint list of the crates below the renderer (`crates/engine.clippy.toml`) refuses the rest.

pub mod quick;

pub use libm::{
    acosf, asin, asinf, atan, atan2, atan2f, cos, cosf, exp, exp2f, expf, hypot, hypotf, log, log2, log2f, log10,
    log10f, logf, pow, powf, sin, sinf, tan,
};

/// Sine and cosine of an angle.
pub fn sin_cos(angle: f64) -> (f64, f64) {
    (sin(angle), cos(angle))
}

/// What a level in decibels multiplies amplitudes by.
pub fn amplitude(decibels: f64) -> f64 {
    pow(10.0, decibels / 20.0)
}

/// The level of an amplitude, in decibels.
pub fn decibels(amplitude: f64) -> f64 {
    20.0 * log10(amplitude)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What this machine gives, to the bit. Another machine that gives anything else would make other films.
    #[test]
    fn every_machine_gives_these_bits() {
        let mut digest = 0xcbf2_9ce4_8422_2325_u64;
        let mut take = |bits: u64| digest = (digest ^ bits).wrapping_mul(0x0100_0000_01b3);
        for step in -500..=500_i32 {
            let (x, y) = (f64::from(step) * 0.037, f64::from(step.abs() + 1) * 0.0019);
            let wide =
                [sin(x), cos(x), tan(x), asin(y.min(1.0)), atan2(x, y), hypot(x, y), exp(x), log10(y), pow(y, x)];
            let (p, q) = (x as f32, y as f32);
            let narrow = [
                sinf(p),
                cosf(p),
                asinf(q.min(1.0)),
                acosf(q.min(1.0)),
                atan2f(p, q),
                hypotf(p, q),
                expf(p),
                exp2f(p),
                log2f(q),
                log10f(q),
                powf(q, p),
            ];
            wide.map(f64::to_bits).into_iter().for_each(&mut take);
            narrow.map(|value| u64::from(value.to_bits())).into_iter().for_each(&mut take);
        }
        assert_eq!(digest, 0x7a88_10f8_468d_a516, "{digest:#018x}");
    }

    #[test]
    fn levels_and_amplitudes_are_each_others_inverse() {
        assert!((amplitude(-6.0) - 0.501_187).abs() < 1e-6);
        assert!((decibels(amplitude(-14.3)) + 14.3).abs() < 1e-12);
    }
}
