//! A limiter that knows of the peaks between samples.
//!
//! It looks 5 ms ahead, so gain is already down when a peak comes, moves smoothly, and comes back over 80 ms.

use std::collections::VecDeque;

/// Samples of look-ahead and of smoothing.
const AHEAD: usize = 240;
/// Of the interpolating filter.
const TAPS: usize = 12;
/// Its delay, and one sample to either side of a peak it finds.
const CENTRE: usize = 6;
const WINDOW: usize = AHEAD + 2 * CENTRE;
/// Share of the way back to full gain per sample: 80 ms.
const RELEASE: f32 = 1.0 / 3840.0;

/// The interpolator of ITU-R BS.1770 annex 2: four phases of twelve taps; the last two mirror the first two.
const PHASES: [[f32; TAPS]; 2] = [
    [
        0.001_708_984_4,
        0.010_986_328,
        -0.019_653_32,
        0.033_203_125,
        -0.059_448_242,
        0.137_329_1,
        0.972_167_97,
        -0.102_294_92,
        0.047_607_42,
        -0.026_611_328,
        0.014_892_578,
        -0.008_300_781,
    ],
    [
        -0.029_174_805,
        0.029_296_875,
        -0.051_757_813,
        0.089_111_33,
        -0.166_503_9,
        0.465_087_9,
        0.779_785_16,
        -0.200_317_38,
        0.101_562_5,
        -0.058_227_54,
        0.033_081_055,
        -0.018_920_898,
    ],
];

/// Takes and gives stereo samples, `Limiter::DELAY` later.
#[derive(Debug)]
pub(super) struct Limiter {
    ceiling: f32,
    history: [[f32; 2 * TAPS]; 2],
    /// Where the oldest of the last samples lies in the history, and again so many taps later.
    oldest: usize,
    /// Samples until none of the history could be part of a peak.
    loud: usize,
    delayed: VecDeque<[f32; 2]>,
    /// Rising minima of the wanted gain within the window: number of the sample and gain.
    minima: VecDeque<(u64, f32)>,
    pushed: u64,
    follower: f32,
    smoothing: VecDeque<f32>,
    sum: f64,
}

impl Limiter {
    pub(super) const DELAY: usize = AHEAD + CENTRE;

    /// `ceiling` as a factor of full scale.
    pub(super) fn new(ceiling: f32) -> Self {
        Self {
            ceiling,
            history: [[0.0; 2 * TAPS]; 2],
            oldest: 0,
            loud: 0,
            delayed: VecDeque::from(vec![[0.0; 2]; Self::DELAY]),
            minima: VecDeque::new(),
            pushed: 0,
            follower: 1.0,
            smoothing: VecDeque::from(vec![1.0; AHEAD]),
            sum: AHEAD as f64,
        }
    }

    /// Takes a sample and gives the one from [`Limiter::DELAY`] samples ago, limited.
    pub(super) fn push(&mut self, frame: [f32; 2]) -> [f32; 2] {
        let peak = self.true_peak(frame);
        let wanted = if peak > self.ceiling { self.ceiling / peak } else { 1.0 };
        let lowest = self.lowest(wanted);
        self.follower =
            if lowest < self.follower { lowest } else { self.follower + (lowest - self.follower) * RELEASE };
        let gain = self.smooth(self.follower);
        self.delayed.push_back(frame);
        let [left, right] = self.delayed.pop_front().unwrap_or_default();
        [left * gain, right * gain]
    }

    /// The highest point of the curve through the last twelve samples; nothing, where it is far below the ceiling.
    fn true_peak(&mut self, frame: [f32; 2]) -> f32 {
        for (history, sample) in self.history.iter_mut().zip(frame) {
            history[self.oldest] = sample;
            history[self.oldest + TAPS] = sample;
        }
        self.oldest = (self.oldest + 1) % TAPS;
        // No curve through twelve samples is more than twice as high as the highest of them.
        let is_loud = f32::max(frame[0].abs(), frame[1].abs()) * 2.0 > self.ceiling;
        self.loud = if is_loud { TAPS } else { self.loud.saturating_sub(1) };
        if self.loud == 0 {
            return 0.0;
        }
        let last = self.history.iter().filter_map(|history| history[self.oldest..].first_chunk());
        last.fold(0.0, |peak, last| {
            PHASES.iter().fold(highest(last).max(peak), |peak, phase| between(last, phase).max(peak))
        })
    }

    fn lowest(&mut self, wanted: f32) -> f32 {
        while self.minima.back().is_some_and(|&(_, gain)| gain >= wanted) {
            self.minima.pop_back();
        }
        self.minima.push_back((self.pushed, wanted));
        if self.minima.front().is_some_and(|&(at, _)| at + (WINDOW as u64) <= self.pushed) {
            self.minima.pop_front();
        }
        self.pushed += 1;
        self.minima.front().map_or(1.0, |&(_, gain)| gain)
    }

    fn smooth(&mut self, gain: f32) -> f32 {
        self.smoothing.push_back(gain);
        self.sum += f64::from(gain) - f64::from(self.smoothing.pop_front().unwrap_or(1.0));
        (self.sum / AHEAD as f64).min(1.0) as f32
    }
}

fn highest(samples: &[f32; TAPS]) -> f32 {
    samples.iter().fold(0.0, |peak: f32, sample| peak.max(sample.abs()))
}

/// The curve at one phase and at its mirror image.
fn between(history: &[f32; TAPS], phase: &[f32; TAPS]) -> f32 {
    let (mut there, mut back) = (0.0, 0.0);
    for tap in 0..TAPS {
        there += history[tap] * phase[tap];
        back += history[tap] * phase[TAPS - 1 - tap];
    }
    f32::max(f32::abs(there), f32::abs(back))
}

#[cfg(test)]
mod tests {
    use compere_media::math;

    use super::*;

    #[test]
    fn what_is_not_looked_at_could_not_have_been_a_peak() {
        let mut limiter = Limiter::new(0.8);
        let mut last = [[0.0; TAPS]; 2];
        for n in 0..20_000_u32 {
            // Bursts of a tone whose highest points lie between its samples, and long stretches below half of the ceiling.
            let level = [0.1, 0.39, 0.41, 0.79, 0.0, 1.3][n as usize / 700 % 6];
            let wave = level * math::sin(f64::from(n) * 1.56 + 0.785) as f32;
            let frame = [wave, -wave * 0.7];
            let mut peak: f32 = 0.0;
            for (last, sample) in last.iter_mut().zip(frame) {
                last.rotate_left(1);
                last[TAPS - 1] = sample;
                peak = PHASES.iter().fold(highest(last).max(peak), |peak, phase| between(last, phase).max(peak));
            }
            let found = limiter.true_peak(frame);
            assert!(found == peak || (found == 0.0 && peak <= 0.8), "{n}: {found} is not {peak}");
        }
    }
}
