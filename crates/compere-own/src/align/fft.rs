//! The spectrum of a window, by the same operations in the same order on every machine.

use compere_media::math;
use std::f64::consts::PI;

/// A transform of a fixed number of points, a power of two.
#[derive(Debug)]
pub(super) struct Fft {
    /// `[cos, sin]` of the first half turn.
    turns: Vec<[f32; 2]>,
    order: Vec<usize>,
}

impl Fft {
    pub(super) fn new(points: usize) -> Self {
        assert!(points.is_power_of_two() && points > 1, "a power of two");
        let angle = |n: usize| -2.0 * PI * n as f64 / points as f64;
        let turns = (0..points / 2).map(|n| [math::cos(angle(n)) as f32, math::sin(angle(n)) as f32]);
        let bits = points.trailing_zeros();
        let order = (0..points).map(|n| n.reverse_bits() >> (usize::BITS - bits));
        Self { turns: turns.collect(), order: order.collect() }
    }

    /// The power at frequencies 0 to half the rate.
    #[expect(clippy::needless_pass_by_value, reason = "callers have no further use for their window")]
    pub(super) fn power(&self, samples: Vec<f32>) -> Vec<f32> {
        let points = self.order.len();
        assert_eq!(samples.len(), points, "as many samples as points");
        let mut re: Vec<f32> = self.order.iter().map(|&at| samples[at]).collect();
        let mut im = vec![0.0f32; points];
        let mut half = 1;
        while half < points {
            let stride = points / (2 * half);
            for start in (0..points).step_by(2 * half) {
                for k in 0..half {
                    let [cos, sin] = self.turns[k * stride];
                    let (a, b) = (start + k, start + k + half);
                    let (x, y) = (re[b] * cos - im[b] * sin, re[b] * sin + im[b] * cos);
                    (re[b], im[b]) = (re[a] - x, im[a] - y);
                    (re[a], im[a]) = (re[a] + x, im[a] + y);
                }
            }
            half *= 2;
        }
        re.iter().zip(&im).take(points / 2 + 1).map(|(re, im)| re * re + im * im).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tone_lies_at_its_frequency_and_power_is_kept() {
        let points = 512;
        let samples: Vec<f32> =
            (0..points).map(|n| math::sin(2.0 * PI * 37.0 * n as f64 / points as f64) as f32).collect();
        let power = Fft::new(points).power(samples);
        assert!((power[37] - 65_536.0).abs() < 1.0, "{}", power[37]);
        assert!(power.iter().enumerate().all(|(at, &power)| at == 37 || power < 1e-3));
    }
}
