//! Loudness as listeners hear it (ITU-R BS.1770, one channel) and keeping peaks below full scale.

use compere_media::{SAMPLE_RATE, math};

/// What every voice is brought to, in LUFS.
pub const TARGET: f64 = -20.0;
/// How far from that a sentence may be, in LU.
pub const TOLERANCE: f64 = 0.5;
/// What a sentence is turned up or down at most, in decibels: a whisper stays quiet, and noise is not made speech.
const MOST: f64 = 9.0;
/// No sample is louder, nor what a player makes between them: -1.1 dB.
pub const CEILING: f32 = 0.88;

/// Integrated loudness in LUFS with both gates; none for silence.
pub fn loudness(samples: &[f32]) -> Option<f64> {
    let blocks = block_powers(samples);
    let gate = |blocks: &[f64], limit: f64| -> Vec<f64> {
        blocks.iter().copied().filter(|power| lufs(*power) > limit).collect()
    };
    let heard = gate(&blocks, -70.0);
    let relative = lufs(mean(&heard)?) - 10.0;
    Some(lufs(mean(&gate(&heard, relative))?))
}

/// The gain that brings `measured` LUFS to [`TARGET`].
pub fn gain_from(measured: f64) -> f32 {
    math::amplitude(TARGET - measured) as f32
}

/// Applies the gain of the voice, and what else the sentence needs to come within [`TOLERANCE`].
pub fn level(samples: &mut [f32], gain: f32) {
    let mut factor = gain;
    if let Some(natural) = loudness(samples) {
        let off = natural + math::decibels(f64::from(gain)) - TARGET;
        let back = (off.clamp(-TOLERANCE, TOLERANCE) - off).clamp(-MOST, MOST);
        factor *= math::amplitude(back) as f32;
    }
    for sample in samples {
        *sample *= factor;
    }
}

/// Turns the rare peak above [`CEILING`] down smoothly, from 5 ms before to 50 ms after; all else stays untouched.
pub fn limit(samples: &mut [f32]) {
    let ahead = SAMPLE_RATE as usize / 200;
    let release = 1.0 - math::expf(-1.0 / (0.05 * SAMPLE_RATE as f32));
    let peaks = true_peaks(samples);
    let over: Vec<usize> = (0..peaks.len()).filter(|at| peaks[*at] > CEILING).collect();
    if over.is_empty() {
        return;
    }
    let mut gains = vec![1.0f32; samples.len()];
    for at in over {
        let gain = CEILING / peaks[at];
        for back in 0..=ahead.min(at) {
            // A straight line down to the peak.
            let share = back as f32 / ahead as f32;
            let here = &mut gains[at - back];
            *here = here.min(gain + (1.0 - gain) * share);
        }
        // What lies between two samples is made of both.
        if let Some(next) = gains.get_mut(at + 1) {
            *next = next.min(gain);
        }
    }
    let mut gain = 1.0f32;
    for (sample, wanted) in samples.iter_mut().zip(gains) {
        gain = wanted.min(gain + (1.0 - gain) * release);
        *sample *= gain;
    }
}

/// The highest that a player makes of each sample and of what lies between it and the next.
fn true_peaks(samples: &[f32]) -> Vec<f32> {
    // Between samples below this, nothing rises above the ceiling.
    let loudest = samples.iter().fold(0.0f32, |loudest, sample| loudest.max(sample.abs()));
    if loudest < CEILING / 2.0 {
        return vec![0.0; samples.len()];
    }
    let between = super::resample::resample(samples, SAMPLE_RATE, 4 * SAMPLE_RATE);
    between.chunks(4).map(|four| four.iter().fold(0.0f32, |peak, value| peak.max(value.abs()))).collect()
}

/// The highest of all, as a player makes it: 1 is full scale.
pub fn true_peak(samples: &[f32]) -> f32 {
    let between = super::resample::resample(samples, SAMPLE_RATE, 4 * SAMPLE_RATE);
    between.iter().fold(0.0f32, |peak, value| peak.max(value.abs()))
}

fn lufs(power: f64) -> f64 {
    -0.691 + 10.0 * math::log10(power.max(1e-20))
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
            let mut squared = |sample: &f32| {
                let weighted = high_pass.next(shelf.next(f64::from(*sample)));
                weighted * weighted
            };
            (chunk.iter().map(&mut squared).sum(), chunk.len())
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
        (0..len).map(|at| (amplitude * math::sin(TAU * 997.0 * at as f64 / f64::from(SAMPLE_RATE))) as f32).collect()
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

    /// A quarter of the sample rate, caught between its crests: no sample is above 0.74, the wave is.
    #[test]
    fn peaks_between_samples_count() {
        let phase = |at: usize| math::sinf(std::f32::consts::FRAC_PI_2 * at as f32 + std::f32::consts::FRAC_PI_4);
        let mut samples: Vec<f32> = (0..4800).map(|at| 1.04 * phase(at)).collect();
        assert!(samples.iter().all(|sample| sample.abs() < CEILING));
        let inner = |samples: &[f32]| true_peak(&samples[400..4400]);
        assert!(true_peak(&samples) > 1.0);
        limit(&mut samples);
        assert!(inner(&samples) <= 0.891 && inner(&samples) > 0.8, "{}", inner(&samples));
    }

    #[test]
    fn a_sentence_that_strays_is_brought_back_and_others_are_left() {
        for (amplitude, expected) in
            [(0.1, TARGET - TOLERANCE), (0.14, -20.08), (0.3, TARGET + TOLERANCE), (0.01, -34.01)]
        {
            let mut samples = sine(amplitude, 2.0);
            level(&mut samples, 1.0);
            let heard = loudness(&samples).unwrap();
            assert!((heard - expected).abs() < 0.05, "{amplitude}: {heard}");
        }
    }

    #[test]
    fn only_peaks_are_turned_down_and_nothing_jumps() {
        let mut samples = sine(0.5, 1.0);
        samples[24_000] = 1.6;
        let before = samples.clone();
        limit(&mut samples);
        assert!(true_peak(&samples) <= 0.891, "{}", true_peak(&samples));
        assert_eq!(samples[..23_700], before[..23_700]);
        let gain = |at: usize| samples[at] / before[at];
        assert!((23_761..23_999).filter(|at| before[*at].abs() > 0.1).all(|at| gain(at) > 0.5));
        assert!(gain(47_990) > 0.999, "and it comes back");
    }
}
