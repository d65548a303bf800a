//! Arithmetic that gives the same bits everywhere.

use compere_media::math;

/// The value below which a part of the values lies, between neighbours as a straight line. Zero for nothing.
pub(crate) fn percentile(values: &[f32], part: f64) -> f32 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f32::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let at = part.clamp(0.0, 1.0) * last as f64;
    let low = at as usize;
    let high = (low + 1).min(last);
    sorted[low] + (sorted[high] - sorted[low]) * (at - low as f64) as f32
}

/// A Gaussian over time; the first and last values go on for ever.
pub(crate) fn smooth<const N: usize>(values: &[[f64; N]], sigma: f64) -> Vec<[f64; N]> {
    if sigma <= 0.0 || values.is_empty() {
        return values.to_vec();
    }
    let reach = (4.0 * sigma + 0.5) as isize;
    let weights: Vec<f64> =
        (-reach..=reach).map(|n| math::exp(-0.5 * (n as f64 / sigma) * (n as f64 / sigma))).collect();
    let sum: f64 = weights.iter().sum();
    let last = values.len() as isize - 1;
    let at = |middle: usize| {
        let mut mean = [0.0; N];
        for (weight, n) in weights.iter().zip(-reach..=reach) {
            let value = &values[(middle as isize + n).clamp(0, last) as usize];
            for (mean, value) in mean.iter_mut().zip(value) {
                *mean += weight / sum * value;
            }
        }
        mean
    };
    (0..values.len()).map(at).collect()
}

/// How much two rows of numbers go together, from -1 to 1; of one that never changes nothing.
pub(crate) fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let (ma, mb) = (mean(a), mean(b));
    let sum = |f: &dyn Fn(f64, f64) -> f64| a.iter().zip(b).map(|(&a, &b)| f(a - ma, b - mb)).sum::<f64>();
    sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt().max(1e-12)
}

/// Numbers that look random and follow from a seed.
#[derive(Clone, Debug)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Within 0..1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// Normal, mean 0, deviation 1.
    pub(crate) fn normal(&mut self) -> f64 {
        let (radius, turn) = ((-2.0 * math::log(1.0 - self.unit())).sqrt(), self.unit());
        radius * math::cos(std::f64::consts::TAU * turn)
    }
}
