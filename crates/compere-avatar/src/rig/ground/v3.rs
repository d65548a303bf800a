//! Vectors of three, and noise that is the same everywhere.

use compere_media::math;

pub(crate) type V3 = [f32; 3];

pub(crate) fn add(a: V3, b: V3) -> V3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: V3, b: V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn mul(a: V3, s: f32) -> V3 {
    [a[0] * s, a[1] * s, a[2] * s]
}

/// Component by component.
pub(crate) fn mulv(a: V3, b: V3) -> V3 {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
}

pub(crate) fn dot(a: V3, b: V3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn length(a: V3) -> f32 {
    dot(a, a).sqrt()
}

pub(crate) fn norm(a: V3) -> V3 {
    mul(a, 1.0 / length(a).max(1e-12))
}

pub(crate) fn mix(a: V3, b: V3, t: f32) -> V3 {
    add(mul(a, 1.0 - t), mul(b, t))
}

pub(crate) use crate::maths::smooth as ss;

pub(crate) use math::{acosf as acos, asinf as asin, atan2f as atan2};

pub(crate) fn sin(x: f32) -> f32 {
    math::sinf(x)
}

pub(crate) fn cos(x: f32) -> f32 {
    math::cosf(x)
}

/// To six digits, as colours need it, in a fifth of the time that all digits take. Of what has no power naught.
pub(crate) fn exp(x: f32) -> f32 {
    exp2(x * std::f32::consts::LOG2_E)
}

/// As [`exp`].
pub(crate) fn pow(x: f32, y: f32) -> f32 {
    if x < f32::MIN_POSITIVE { f32::from(y == 0.0) } else { exp2(y * log2(x)) }
}

/// Added to a number and taken away again, leaves none of what is behind its point.
pub(crate) const ROUNDS: f32 = 12_582_912.0;

pub(crate) fn exp2(x: f32) -> f32 {
    let x = x.clamp(-126.0, 126.0);
    let full = x + ROUNDS;
    let x = x - (full - ROUNDS);
    let part = 0.055_504_11 + x * (0.009_618_129 + x * (0.001_333_355_8 + x * 0.000_154_035_3));
    let part = 1.0 + x * (std::f32::consts::LN_2 + x * (0.240_226_5 + x * part));
    part * f32::from_bits((127 << 23) + (full.to_bits().wrapping_sub(ROUNDS.to_bits()) << 23))
}

/// Of a positive number.
fn log2(x: f32) -> f32 {
    // Between the root of a half and the root of two, and how many doublings that is away.
    let shifted = x.to_bits().wrapping_sub(std::f32::consts::FRAC_1_SQRT_2.to_bits());
    let doubled = (shifted as i32) >> 23;
    let near = f32::from_bits((shifted & 0x007f_ffff) + std::f32::consts::FRAC_1_SQRT_2.to_bits());
    let z = (near - 1.0) / (near + 1.0);
    let square = z * z;
    let series = 1.0 + square * (1.0 / 3.0 + square * (0.2 + square * (1.0 / 7.0 + square / 9.0)));
    doubled as f32 + 2.0 * std::f32::consts::LOG2_E * z * series
}

pub(crate) fn powi(x: f32, n: u32) -> f32 {
    let mut out = 1.0;
    for _ in 0..n {
        out *= x;
    }
    out
}

/// Turned about an axis of length 1.
pub(crate) fn spun(p: V3, axis: V3, angle: f32) -> V3 {
    let (s, c) = (sin(angle), cos(angle));
    add(add(mul(p, c), mul(cross(axis, p), s)), mul(axis, dot(axis, p) * (1.0 - c)))
}

/// A table read with straight lines between its points.
pub(crate) fn interp(x: f32, table: &[(f32, f32)]) -> f32 {
    let (first, last) = (table[0], table[table.len() - 1]);
    if x <= first.0 {
        return first.1;
    }
    for pair in table.windows(2) {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        if x <= x1 {
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
        }
    }
    last.1
}

fn hash(x: i32, y: i32, z: i32) -> f32 {
    let mut h = (x as u32).wrapping_mul(374_761_393)
        ^ (y as u32).wrapping_mul(668_265_263)
        ^ (z as u32).wrapping_mul(2_147_483_590);
    h = (h ^ (h >> 13)).wrapping_mul(1_274_126_177);
    h ^= h >> 16;
    (h & 0x00ff_ffff) as f32 / 16_777_216.0
}

/// Value noise within 0..1.
pub(crate) fn noise(p: V3) -> f32 {
    let cell = p.map(floor);
    let floor = cell.map(|v| v as f32);
    let t: V3 = std::array::from_fn(|k| {
        let a = p[k] - floor[k];
        a * a * (3.0 - 2.0 * a)
    });
    let lerp = |a: f32, b: f32, t: f32| a + (b - a) * t;
    let at = |dx, dy, dz| hash(cell[0] + dx, cell[1] + dy, cell[2] + dz);
    let plane = |dz| {
        let low = lerp(at(0, 0, dz), at(1, 0, dz), t[0]);
        let high = lerp(at(0, 1, dz), at(1, 1, dz), t[0]);
        lerp(low, high, t[1])
    };
    lerp(plane(0), plane(1), t[2])
}

pub(crate) fn fbm(p: V3, octaves: u32) -> f32 {
    let (mut sum, mut weight, mut q) = (0.0, 0.5, p);
    for _ in 0..octaves {
        sum += weight * noise(q);
        q = mul(q, 2.03);
        weight *= 0.5;
    }
    sum
}

/// Turned about x (`pitch`), then y (`yaw`), then z (`roll`).
pub(crate) fn turn(p: V3, yaw: f32, pitch: f32, roll: f32) -> V3 {
    let (s, c) = (sin(pitch), cos(pitch));
    let p = [p[0], c * p[1] - s * p[2], s * p[1] + c * p[2]];
    let (s, c) = (sin(yaw), cos(yaw));
    let p = [c * p[0] + s * p[2], p[1], -s * p[0] + c * p[2]];
    let (s, c) = (sin(roll), cos(roll));
    [c * p[0] - s * p[1], s * p[0] + c * p[1], p[2]]
}

/// Without a call into the platform's library, which the oldest processors would need.
#[inline]
pub(crate) fn floor(v: f32) -> i32 {
    let whole = v as i32;
    whole - i32::from(v < whole as f32)
}

#[inline]
pub(crate) fn ceil(v: f32) -> i32 {
    -floor(-v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_good_to_six_digits() {
        for x in (0..2000).map(|at| 0.000_5 + at as f32 * 0.001) {
            // What is wrong with a logarithm counts as often as the power says.
            for (y, most) in [(0.22, 2e-6), (1.0 / 2.4, 2e-6), (-0.25, 2e-6), (2.4, 6e-6), (4.0, 1e-5), (110.0, 3e-4)] {
                let (got, wanted) = (pow(x, y), math::powf(x, y));
                assert!((got - wanted).abs() <= most * wanted.max(1e-30), "{x} to {y}: {got} {wanted}");
            }
            let (got, wanted) = (exp(x * 20.0 - 30.0), math::expf(x * 20.0 - 30.0));
            assert!((got - wanted).abs() <= 6e-6 * wanted, "{x}: {got} {wanted}");
        }
        assert_eq!([pow(0.0, 2.4), pow(0.0, 0.0), pow(1.0, 5.0), exp(0.0)], [0.0, 1.0, 1.0, 1.0]);
        assert!((0.0..1e-30).contains(&exp(-1e9)));
    }
}
