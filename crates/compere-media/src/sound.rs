//! Sound at 48 kHz.

use crate::SAMPLE_RATE;

/// Interleaved samples at [`SAMPLE_RATE`], nominally within -1..=1.
#[derive(Clone, PartialEq)]
pub struct Sound {
    channels: u16,
    samples: Vec<f32>,
}

impl Sound {
    /// # Panics
    ///
    /// When `channels` is neither 1 nor 2 or does not divide the number of samples.
    pub fn new(channels: u16, samples: Vec<f32>) -> Self {
        assert!(channels == 1 || channels == 2, "sound is mono or stereo");
        assert_eq!(samples.len() % usize::from(channels), 0, "whole frames of {channels} channels");
        Self { channels, samples }
    }

    pub fn silence(channels: u16, len: u64) -> Self {
        Self::new(channels, vec![0.0; len as usize * usize::from(channels)])
    }

    pub fn channels(&self) -> u16 {
        self.channels
    }

    /// Length in sample frames.
    pub fn len(&self) -> u64 {
        self.samples.len() as u64 / u64::from(self.channels)
    }

    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    pub fn seconds(&self) -> f64 {
        self.len() as f64 / f64::from(SAMPLE_RATE)
    }

    pub fn samples(&self) -> &[f32] {
        &self.samples
    }

    pub fn samples_mut(&mut self) -> &mut [f32] {
        &mut self.samples
    }

    /// Adds `other`, scaled by `gain`, from sample `at` on. What sticks out is cut; mono goes to both sides.
    pub fn mix(&mut self, other: &Self, at: u64, gain: f32) {
        let (to, from) = (usize::from(self.channels), usize::from(other.channels));
        let frames = self.len().saturating_sub(at).min(other.len()) as usize;
        let start = at as usize * to;
        if frames == 0 {
            return;
        }
        let target = self.samples[start..].chunks_exact_mut(to);
        let source = other.samples.chunks_exact(from).take(frames);
        for (target, source) in target.zip(source) {
            match (to, from) {
                (2, 1) => {
                    target[0] += source[0] * gain;
                    target[1] += source[0] * gain;
                }
                (1, 2) => target[0] += (source[0] + source[1]) * 0.5 * gain,
                _ => {
                    for (target, source) in target.iter_mut().zip(source) {
                        *target += source * gain;
                    }
                }
            }
        }
    }

    /// Puts `other` (same channels) behind.
    pub fn append(&mut self, other: &Self) {
        assert_eq!(self.channels, other.channels, "one sound, one channel layout");
        self.samples.extend_from_slice(&other.samples);
    }

    pub fn peak(&self) -> f32 {
        self.samples.iter().fold(0.0, |peak, sample| sample.abs().max(peak))
    }
}

impl std::fmt::Debug for Sound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Sound({} ch, {:.3} s)", self.channels, self.seconds())
    }
}
