//! Loudness as listeners hear it (ITU-R BS.1770, one channel) and keeping peaks below full scale.

use compere_media::SAMPLE_RATE;

/// What every voice is brought to, in LUFS.
pub const TARGET: f64 = -20.0;
/// No sample is louder.
pub const CEILING: f32 = 0.89;

/// Integrated loudness in LUFS with both gates; none for silence.
pub fn loudness(samples: &[f32]) -> Option<f64> {
    let blocks = block_powers(samples);
    let gate = |blocks: &[f64], limit: f64| -> Vec<f64> {
        blocks.iter().copied().filter(|power| level(*power) > limit).collect()
    };
    let heard = gate(&blocks, -70.0);
    let relative = level(mean(&heard)?) - 10.0;
    Some(level(mean(&gate(&heard, relative))?))
}

/// The gain that brings `measured` LUFS to [`TARGET`].
pub fn gain_from(measured: f64) -> f32 {
    10f64.powf((TARGET - measured) / 20.0) as f32
}

/// Turns the rare peak above [`CEILING`] down smoothly, from 5 ms before to 50 ms after; all else stays untouched.
pub fn limit(samples: &mut [f32]) {
    let ahead = SAMPLE_RATE as usize / 200;
    let release = 1.0 - (-1.0 / (0.05 * SAMPLE_RATE as f32)).exp();
    let over: Vec<usize> = (0..samples.len()).filter(|at| samples[*at].abs() > CEILING).collect();
    if over.is_empty() {
        return;
    }
    let mut gains = vec![1.0f32; samples.len()];
    for at in over {
        let gain = CEILING / samples[at].abs();
        for back in 0..=ahead.min(at) {
            // A straight line down to the peak.
            let share = back as f32 / ahead as f32;
            let here = &mut gains[at - back];
            *here = here.min(gain + (1.0 - gain) * share);
        }
    }
    let mut gain = 1.0f32;
    for (sample, wanted) in samples.iter_mut().zip(gains) {
        gain = wanted.min(gain + (1.0 - gain) * release);
        *sample *= gain;
    }
}

fn level(power: f64) -> f64 {
    -0.691 + 10.0 * power.max(1e-20).log10()
}

fn mean(powers: &[f64]) -> Option<f64> {
    (!powers.is_empty()).then(|| powers.iter().sum::<f64>() / powers.len() as f64)
}

/// Mean squares of weighted blocks of 400 ms every 100 ms. What is shorter than a block is one block.
fn block_powers(samples: &[f32]) -> Vec<f64> {
    let (mut shelf, mut high_pass) = (Biquad::SHELF, Biquad::HIGH_PASS);
    let step = SAMPLE_RATE as usize / 10;
    let steps: Vec<(f64, usize)> = samples
        .chunks(step)
        .map(|chunk| {
            let weighted = |sample: &f32| high_pass.next(shelf.next(f64::from(*sample))).powi(2);
            (chunk.iter().map(weighted).sum(), chunk.len())
        })
        .collect();
    let power = |steps: &[(f64, usize)]| {
        let (sum, len) = steps.iter().fold((0.0, 0), |all, step| (all.0 + step.0, all.1 + step.1));
        sum / len as f64
    };
    match steps.len() {
        0 => Vec::new(),
        1..=4 => vec![power(&steps)],
        _ => steps.windows(4).map(power).collect(),
    }
}

/// The two filters of the recommendation, for 48 kHz.
struct Biquad {
    b: [f64; 3],
    a: [f64; 2],
    state: [f64; 2],
}

impl Biquad {
    const SHELF: Self = Self {
        b: [1.535_124_859_586_97, -2.691_696_189_406_38, 1.198_392_810_852_85],
        a: [-1.690_659_293_182_41, 0.732_480_774_215_85],
        state: [0.0; 2],
    };
    const HIGH_PASS: Self =
        Self { b: [1.0, -2.0, 1.0], a: [-1.990_047_454_833_98, 0.990_072_250_366_21], state: [0.0; 2] };

    fn next(&mut self, x: f64) -> f64 {
        let y = self.b[0] * x + self.state[0];
        self.state[0] = self.b[1] * x - self.a[0] * y + self.state[1];
        self.state[1] = self.b[2] * x - self.a[1] * y;
        y
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn sine(amplitude: f64, seconds: f64) -> Vec<f32> {
        let len = (seconds * f64::from(SAMPLE_RATE)) as usize;
        (0..len).map(|at| (amplitude * (TAU * 997.0 * at as f64 / f64::from(SAMPLE_RATE)).sin()) as f32).collect()
    }

    /// The recommendation's own check: a full-scale sine of 997 Hz in one channel reads -3.01.
    #[test]
    fn the_reference_tone_reads_right() {
        assert!((loudness(&sine(1.0, 5.0)).unwrap() + 3.01).abs() < 0.02);
        assert!((loudness(&sine(0.1, 5.0)).unwrap() + 23.01).abs() < 0.02);
    }

    #[test]
    fn silence_is_gated_and_has_no_loudness() {
        let mut speech = sine(0.1, 5.0);
        speech.extend(vec![0.0; 480_000]);
        assert!((loudness(&speech).unwrap() + 23.01).abs() < 0.2);
        assert_eq!(loudness(&vec![0.0; 48_000]), None);
        assert_eq!(loudness(&[]), None);
    }

    #[test]
    fn only_peaks_are_turned_down_and_nothing_jumps() {
        let mut samples = sine(0.5, 1.0);
        samples[24_000] = 1.6;
        let before = samples.clone();
        limit(&mut samples);
        assert!(samples.iter().all(|sample| sample.abs() <= CEILING + 1e-6));
        assert_eq!(samples[..23_700], before[..23_700]);
        let gain = |at: usize| samples[at] / before[at];
        assert!((23_761..23_999).filter(|at| before[*at].abs() > 0.1).all(|at| gain(at) > 0.5));
        assert!(gain(47_990) > 0.999, "and it comes back");
    }
}
