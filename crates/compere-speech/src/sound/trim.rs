//! Cutting the silence around a sentence, without a click.

use crate::Utterance;
use compere_media::{Marks, SAMPLE_RATE, SampleSpan, Sound, math};
use std::ops::Range;

/// Windows of 5 ms.
pub const WINDOW: usize = SAMPLE_RATE as usize / 200;
/// Kept before the first and behind the last sound, where breath and decay lie.
const KEPT: usize = SAMPLE_RATE as usize / 50;
const FADE: usize = SAMPLE_RATE as usize / 200;
/// Of the loudest window: what is quieter by 46 dB is silence.
const SILENCE: f32 = 0.005;

/// Root mean square of each window.
pub fn envelope(samples: &[f32]) -> Vec<f32> {
    let rms = |window: &[f32]| (window.iter().map(|sample| sample * sample).sum::<f32>() / window.len() as f32).sqrt();
    samples.chunks(WINDOW).map(rms).collect()
}

/// Below this a window of the envelope is silent.
pub fn floor(envelope: &[f32]) -> f32 {
    envelope.iter().fold(0.0f32, |loudest, level| loudest.max(*level)) * SILENCE
}

/// What is left without the silence around it; nothing of silence.
pub fn heard(samples: &[f32]) -> Range<usize> {
    let envelope = envelope(samples);
    let floor = floor(&envelope);
    let heard = |level: &f32| *level > floor;
    let Some(first) = envelope.iter().position(heard) else {
        return 0..0;
    };
    let last = envelope.iter().rposition(heard).unwrap_or(first);
    (first * WINDOW).saturating_sub(KEPT)..((last + 1) * WINDOW + KEPT).min(samples.len())
}

/// The utterance without the silence around it; its marks move along.
pub fn trimmed(utterance: Utterance) -> Utterance {
    let heard = heard(utterance.sound.samples());
    if heard.is_empty() {
        return Utterance::silence(0);
    }
    let mut samples = utterance.sound.samples()[heard.clone()].to_vec();
    fade(&mut samples);
    let marks = cut(utterance.marks, SampleSpan { start: heard.start as u64, end: heard.end as u64 });
    Utterance { sound: Sound::new(1, samples), marks }
}

/// Ramps at both ends that begin and end level, so that a join is silent.
pub fn fade(samples: &mut [f32]) {
    let len = samples.len();
    let ramp = FADE.min(len / 2);
    for step in 0..ramp {
        let gain = 0.5 - 0.5 * math::cosf(std::f32::consts::PI * (step as f32 + 0.5) / ramp as f32);
        samples[step] *= gain;
        samples[len - 1 - step] *= gain;
    }
}

/// Marks as seen from `kept.start`, nothing outside.
fn cut(mut marks: Marks, kept: SampleSpan) -> Marks {
    let mut place = Placing { kept, earliest: 0 };
    for mark in &mut marks.phonemes {
        mark.span = place.put(mark.span);
    }
    place.earliest = 0;
    for mark in &mut marks.words {
        mark.span = place.put(mark.span);
    }
    marks
}

struct Placing {
    kept: SampleSpan,
    earliest: u64,
}

impl Placing {
    /// A mark that would vanish keeps one sample where there is room, so that no word is lost.
    fn put(&mut self, span: SampleSpan) -> SampleSpan {
        let len = self.kept.len();
        let inside = |at: u64| at.saturating_sub(self.kept.start).clamp(self.earliest.min(len), len);
        let (start, end) = (inside(span.start), inside(span.end));
        let span = SampleSpan {
            start: start.min(len.saturating_sub(1).max(self.earliest)),
            end: end.max((start + 1).min(len)),
        };
        self.earliest = span.end;
        span
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use compere_media::WordMark;

    #[test]
    fn silence_goes_and_marks_follow() {
        let mut samples = vec![0.0f32; 48_000];
        samples[12_000..24_000].fill(0.3);
        let word = |start, end, text: &str| WordMark { span: SampleSpan { start, end }, text: text.into() };
        let marks = Marks { words: vec![word(0, 18_000, "a"), word(18_000, 30_000, "b")], ..Marks::default() };
        let cut = trimmed(Utterance { sound: Sound::new(1, samples), marks });
        assert_eq!(cut.sound.len(), 12_000 + 2 * KEPT as u64);
        assert_eq!(cut.marks.words[0].span, SampleSpan { start: 0, end: 6_000 + KEPT as u64 });
        assert_eq!(cut.marks.words[1].span.end, cut.sound.len());
        assert!(cut.sound.samples()[0].abs() < 0.01);
    }

    #[test]
    fn nothing_heard_is_nothing_left() {
        assert!(trimmed(Utterance::silence(500)).sound.is_empty());
        assert!(trimmed(Utterance::silence(0)).sound.is_empty());
    }

    #[test]
    fn marks_outside_stay_in_order_inside() {
        let kept = SampleSpan { start: 100, end: 110 };
        let mut place = Placing { kept, earliest: 0 };
        let spans: Vec<_> = [(0, 50), (50, 105), (105, 200), (200, 300)]
            .map(|(start, end)| place.put(SampleSpan { start, end }))
            .to_vec();
        assert!(spans.windows(2).all(|pair| pair[0].end <= pair[1].start), "{spans:?}");
        assert!(spans.iter().all(|span| span.start <= span.end && span.end <= 10), "{spans:?}");
    }
}
