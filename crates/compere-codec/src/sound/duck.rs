//! Music that makes room for speech.
//!
//! Under speech music is 12 dB lower. It is down when the first syllable sounds, having begun to sink 250 ms before; it
//! waits 400 ms after the last one, so that it does not pump between sentences, and rises again over 700 ms.

use compere_media::{SAMPLE_RATE, math};

/// Samples of one step of the curve: 10 ms.
pub(super) const HOP: usize = SAMPLE_RATE as usize / 100;

const DEPTH_DB: f32 = -12.0;
/// Steps.
const ATTACK: usize = 25;
const HOLD: usize = 40;
const RELEASE: usize = 70;
/// Louder than this is speech: about −50 dBFS.
const FLOOR: f32 = 0.003;

/// Notes in which steps there is speech.
#[derive(Clone, Debug, Default)]
pub(super) struct Activity {
    speaking: Vec<bool>,
    energy: f32,
    samples: usize,
}

impl Activity {
    /// Interleaved stereo, block after block.
    pub(super) fn listen(&mut self, block: &[f32]) {
        for frame in block.chunks_exact(2) {
            self.energy += (frame[0] * frame[0]).max(frame[1] * frame[1]);
            self.samples += 1;
            if self.samples == HOP {
                self.close();
            }
        }
    }

    fn close(&mut self) {
        self.speaking.push(self.energy > FLOOR * FLOOR * self.samples as f32);
        (self.energy, self.samples) = (0.0, 0);
    }

    /// The factor of the music at each step.
    pub(super) fn curve(mut self) -> Curve {
        if self.samples > 0 {
            self.close();
        }
        let mut down = vec![false; self.speaking.len()];
        for (at, _) in self.speaking.iter().enumerate().filter(|(_, speaking)| **speaking) {
            let end = (at + HOLD).min(down.len());
            down[at.saturating_sub(ATTACK)..end].fill(true);
        }
        let mut level: f32 = if down.first() == Some(&true) { DEPTH_DB } else { 0.0 };
        let gains = down.iter().map(|down| {
            let step = if *down { DEPTH_DB / ATTACK as f32 } else { -DEPTH_DB / RELEASE as f32 };
            level = (level + step).clamp(DEPTH_DB, 0.0);
            math::powf(10.0, level / 20.0)
        });
        Curve { gains: gains.collect() }
    }
}

#[derive(Debug)]
pub(super) struct Curve {
    gains: Vec<f32>,
}

impl Curve {
    /// Between steps the curve is a straight line.
    pub(super) fn at(&self, sample: u64) -> f32 {
        let step = (sample / HOP as u64) as usize;
        let part = (sample % HOP as u64) as f32 / HOP as f32;
        let last = self.gains.last().copied().unwrap_or(1.0);
        let (a, b) = (self.gains.get(step).copied().unwrap_or(last), self.gains.get(step + 1).copied().unwrap_or(last));
        a + (b - a) * part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn music_is_down_before_speech_and_up_after_it() {
        let mut activity = Activity::default();
        for second in 0..6 {
            let level = if second == 2 { 0.2 } else { 0.0 };
            activity.listen(&vec![level; SAMPLE_RATE as usize * 2]);
        }
        let curve = activity.curve();
        let at = |seconds: f64| 20.0 * math::log10f(curve.at((seconds * f64::from(SAMPLE_RATE)) as u64));
        assert_eq!(at(1.0), 0.0);
        assert!((at(2.0) + 12.0).abs() < 0.6, "{}", at(2.0));
        assert!((at(3.2) + 12.0).abs() < 0.1, "{}", at(3.2));
        assert_eq!(at(5.0), 0.0);
    }
}
