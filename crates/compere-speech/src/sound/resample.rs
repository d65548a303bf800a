//! Changing the sample rate without aliases.

use std::f64::consts::PI;

use compere_media::math;

/// Zero crossings of the kernel on each side.
const REACH: usize = 32;
/// Stop band below -90 dB.
const KAISER_BETA: f64 = 9.0;
/// Part of the lower rate's band that is passed unchanged up to the roll-off.
const PASS: f64 = 0.95;

/// Values that are summed side by side.
const LANES: usize = 8;

/// `samples` at `from` Hz, heard at `to` Hz. A polyphase windowed sinc; no delay, length rounded up.
pub fn resample(samples: &[f32], from: u32, to: u32) -> Vec<f32> {
    if from == to {
        return samples.to_vec();
    }
    let divisor = gcd(from, to);
    let (up, down) = ((to / divisor) as usize, (from / divisor) as usize);
    let filter = Filter::new(up, down);
    let len = (samples.len() * up).div_ceil(down);
    if down > 1 {
        return (0..len).map(|at| filter.at(samples, at * down)).collect();
    }
    let mut heard = vec![0.0; len];
    for phase in 0..up {
        let mut position = phase;
        while position < len {
            if let Some(values) = filter.side_by_side(samples, position) {
                heard[position..].iter_mut().step_by(up).zip(values).for_each(|(heard, value)| *heard = value);
                position += LANES * up;
            } else {
                heard[position] = filter.at(samples, position);
                position += up;
            }
        }
    }
    heard
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

struct Filter {
    up: usize,
    reach: usize,
    /// For each phase, the weights of input samples `-reach + 1 ..= reach` around the position.
    phases: Vec<Vec<f32>>,
}

impl Filter {
    fn new(up: usize, down: usize) -> Self {
        // When the rate falls, the kernel is stretched so that it cuts at the new band's edge.
        let cut = PASS * (up as f64 / down as f64).min(1.0);
        let reach = (REACH as f64 / cut).ceil() as usize;
        let phase = |phase: usize| -> Vec<f32> {
            let fraction = phase as f64 / up as f64;
            let weight = |tap: usize| kernel(tap as f64 - (reach as f64 - 1.0) - fraction, cut, reach as f64);
            let weights: Vec<f64> = (0..2 * reach).map(weight).collect();
            // Each phase passes a constant exactly; otherwise silence with an offset would hum.
            let sum: f64 = weights.iter().sum();
            weights.iter().map(|weight| (weight / sum) as f32).collect()
        };
        Self { up, reach, phases: (0..up).map(phase).collect() }
    }

    /// The value at `position` of the `up` times denser grid.
    fn at(&self, samples: &[f32], position: usize) -> f32 {
        let weights = &self.phases[position % self.up];
        let first = (position / self.up) as isize - (self.reach as isize - 1);
        let skip = (-first).max(0) as usize;
        let start = first.max(0) as usize;
        let window = &samples[start.min(samples.len())..];
        weights.get(skip..).unwrap_or_default().iter().zip(window).map(|(weight, sample)| weight * sample).sum()
    }

    /// The values at `position` and at the next ones with the same weights, where all that they see is there. Each is
    /// summed in the order of [`Filter::at`], so no bit of it is another: eight sums only don't wait for each other.
    fn side_by_side(&self, samples: &[f32], position: usize) -> Option<[f32; LANES]> {
        let weights = &self.phases[position % self.up];
        let start = (position / self.up).checked_sub(self.reach - 1)?;
        let seen = samples.get(start..start + weights.len() + LANES - 1)?;
        let mut sums = [-0.0_f32; LANES];
        for (weight, seen) in weights.iter().zip(seen.windows(LANES)) {
            sums.iter_mut().zip(seen).for_each(|(sum, sample)| *sum += weight * sample);
        }
        Some(sums)
    }
}

fn kernel(x: f64, cut: f64, reach: f64) -> f64 {
    let edge = x / reach;
    if edge.abs() >= 1.0 {
        return 0.0;
    }
    let sinc = if x == 0.0 { 1.0 } else { math::sin(PI * x * cut) / (PI * x * cut) };
    sinc * bessel(KAISER_BETA * (1.0 - edge * edge).sqrt()) / bessel(KAISER_BETA)
}

/// The modified Bessel function of order zero.
fn bessel(x: f64) -> f64 {
    let (mut sum, mut term) = (1.0, 1.0);
    for k in 1..40 {
        let factor = x / 2.0 / f64::from(k);
        term *= factor * factor;
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sine(hertz: f64, rate: u32, len: usize) -> Vec<f32> {
        (0..len).map(|at| math::sin(2.0 * PI * hertz * at as f64 / f64::from(rate)) as f32).collect()
    }

    /// The largest deviation, away from the ends.
    fn worst(a: &[f32], b: &[f32]) -> f32 {
        let inner = 200..a.len().min(b.len()) - 200;
        a[inner.clone()].iter().zip(&b[inner]).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    }

    #[test]
    fn tones_arrive_unchanged_and_undelayed() {
        for (from, hertz) in [(24_000, 440.0), (24_000, 9_000.0), (22_050, 3_000.0), (16_000, 6_500.0)] {
            let heard = resample(&sine(hertz, from, 4000), from, 48_000);
            let expected = sine(hertz, 48_000, heard.len());
            assert!(worst(&heard, &expected) < 1e-3, "{hertz} Hz from {from}: {}", worst(&heard, &expected));
        }
    }

    #[test]
    fn values_side_by_side_are_those_one_by_one() {
        let mut seed = 1_u32;
        let mut noise = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed as i32 as f32 / 2e9
        };
        for len in [1, 7, 66, 67, 74, 75, 76, 1003] {
            let samples: Vec<f32> = (0..len).map(|_| noise()).collect();
            for from in [24_000, 16_000] {
                let filter = Filter::new(48_000 / from, 1);
                let heard = resample(&samples, from as u32, 48_000);
                let alone = (0..heard.len()).map(|position| filter.at(&samples, position).to_bits());
                assert!(heard.iter().map(|value| value.to_bits()).eq(alone), "{len} samples at {from} Hz");
            }
        }
    }

    #[test]
    fn no_image_above_the_old_band() {
        // 9 kHz at 24 kHz would come back at 15 kHz.
        let heard = resample(&sine(9_000.0, 24_000, 4000), 24_000, 48_000);
        let image = sine(15_000.0, 48_000, heard.len());
        let share: f32 = heard[200..7800].iter().zip(&image[200..7800]).map(|(a, b)| a * b).sum::<f32>() / 3800.0;
        assert!(share.abs() < 3e-4, "{share}");
    }

    #[test]
    fn lengths_are_exact() {
        assert_eq!(resample(&vec![0.0; 600], 24_000, 48_000).len(), 1200);
        assert_eq!(resample(&vec![0.0; 22_050], 22_050, 48_000).len(), 48_000);
        assert!(resample(&[], 24_000, 48_000).is_empty());
    }
}
