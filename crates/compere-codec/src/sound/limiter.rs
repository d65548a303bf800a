//! A limiter that knows of the peaks between samples.
//!
//! It looks 5 ms ahead, so gain is already down when a peak comes, moves smoothly, and comes back over 80 ms.

use std::collections::VecDeque;

/// Samples of look-ahead and of smoothing.
const AHEAD: usize = 240;
/// The interpolating filter's delay, and one sample to either side of a peak it finds.
const CENTRE: usize = 6;
const WINDOW: usize = AHEAD + 2 * CENTRE;
/// Share of the way back to full gain per sample: 80 ms.
const RELEASE: f32 = 1.0 / 3840.0;

/// The interpolator of ITU-R BS.1770 annex 2: four phases of twelve taps; the last two mirror the first two.
const PHASES: [[f32; 12]; 2] = [
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
    history: [[f32; 12]; 2],
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
            history: [[0.0; 12]; 2],
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

    /// The highest point of the curve through the last twelve samples.
    fn true_peak(&mut self, frame: [f32; 2]) -> f32 {
        let mut peak: f32 = 0.0;
        for (history, sample) in self.history.iter_mut().zip(frame) {
            history.rotate_left(1);
            history[11] = sample;
            // No curve through twelve samples is more than twice as high as the highest of them.
            let highest = history.iter().fold(0.0, |peak: f32, sample| peak.max(sample.abs()));
            peak = peak.max(highest);
            if highest * 2.0 > self.ceiling {
                peak = PHASES.iter().fold(peak, |peak, phase| peak.max(between(history, phase)));
            }
        }
        peak
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

/// The curve at one phase and at its mirror image.
fn between(history: &[f32; 12], phase: &[f32; 12]) -> f32 {
    let (mut there, mut back) = (0.0, 0.0);
    for tap in 0..12 {
        there += history[tap] * phase[tap];
        back += history[tap] * phase[11 - tap];
    }
    f32::max(f32::abs(there), f32::abs(back))
}
