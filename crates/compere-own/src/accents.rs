//! When something is said, and with what weight: what heads follow while mouths follow the sounds.

use compere_media::{Marks, SAMPLE_RATE, Stress, math};

/// Seconds around a picture at which it is asked.
const TAPS: [f64; 7] = [-0.4, -0.24, -0.1, 0.0, 0.1, 0.24, 0.4];
/// Whether somebody speaks, and how much weight is on it, at each of those.
pub(crate) const ACCENT: usize = 2 * TAPS.len();
/// What speaking at all counts beside its weight.
const SPOKEN: f32 = 0.7;
/// Seconds over which a stressed sound is felt.
const FELT: f64 = 0.09;
/// Shorter gaps are no pause, in seconds.
const PAUSE: f64 = 0.18;

pub(crate) type Accent = [f32; ACCENT];

/// The accents of a speech.
pub(crate) struct Accents {
    /// From when to when something is said without a pause.
    phrases: Vec<[f64; 2]>,
    /// When a stressed sound is in its middle, and how much it weighs.
    stressed: Vec<(f64, f64)>,
}

impl Accents {
    pub(crate) fn of(marks: &Marks) -> Self {
        let seconds = |sample: u64| sample as f64 / f64::from(SAMPLE_RATE);
        let mut phrases: Vec<[f64; 2]> = Vec::new();
        let mut stressed = Vec::new();
        for mark in &marks.phonemes {
            let (start, end) = (seconds(mark.span.start), seconds(mark.span.end));
            match phrases.last_mut() {
                Some(last) if start - last[1] < PAUSE => last[1] = last[1].max(end),
                _ => phrases.push([start, end]),
            }
            let weight = match mark.stress {
                Stress::Primary => 1.0,
                Stress::Secondary => 0.5,
                Stress::None => continue,
            };
            // A long sound is a strong one.
            stressed.push(((start + end) / 2.0, weight * ((end - start) / 0.12).min(1.5)));
        }
        Self { phrases, stressed }
    }

    pub(crate) fn around(&self, seconds: f64) -> Accent {
        let mut out = [0.0; ACCENT];
        for (out, tap) in out.as_chunks_mut::<2>().0.iter_mut().zip(TAPS) {
            let at = seconds + tap;
            *out = [if self.is_spoken(at) { SPOKEN } else { 0.0 }, self.weight(at) as f32];
        }
        out
    }

    pub(crate) fn is_spoken(&self, at: f64) -> bool {
        let next = self.phrases.partition_point(|phrase| phrase[1] <= at);
        self.phrases.get(next).is_some_and(|phrase| phrase[0] <= at)
    }

    /// Whether the middle of a stressed sound is so near.
    pub(crate) fn is_stressed(&self, at: f64, near: f64) -> bool {
        let next = self.stressed.partition_point(|&(middle, _)| middle < at - near);
        self.stressed.get(next).is_some_and(|&(middle, _)| middle <= at + near)
    }

    fn weight(&self, at: f64) -> f64 {
        let first = self.stressed.partition_point(|&(middle, _)| middle < at - 4.0 * FELT);
        let near = self.stressed[first..].iter().take_while(|&&(middle, _)| middle < at + 4.0 * FELT);
        let felt = |&(middle, weight): &(f64, f64)| {
            let off = (at - middle) / FELT;
            weight * math::exp(-0.5 * off * off)
        };
        near.map(felt).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use compere_media::{PhonemeMark, SampleSpan};

    #[test]
    fn a_stressed_sound_weighs_most_in_its_middle_and_a_pause_nothing() {
        let mark = |from: f64, to: f64, stress| {
            let sample = |at: f64| (at * f64::from(SAMPLE_RATE)) as u64;
            PhonemeMark { span: SampleSpan { start: sample(from), end: sample(to) }, ipa: "a".to_owned(), stress }
        };
        let phonemes = vec![
            mark(0.0, 0.1, Stress::None),
            mark(0.1, 0.3, Stress::Primary),
            mark(0.35, 0.5, Stress::None),
            mark(2.0, 2.1, Stress::Secondary),
        ];
        let accents = Accents::of(&Marks { phonemes, words: Vec::new() });
        let now = |seconds: f64| {
            let around = accents.around(seconds);
            [around[6], around[7]]
        };
        assert!(now(0.2)[1] > 1.2 && now(0.45)[1] < 0.2, "{:?} {:?}", now(0.2), now(0.45));
        assert_eq!((now(0.33)[0], now(1.2)), (SPOKEN, [0.0; 2]), "a short gap is spoken over, a long one is not");
        assert!(now(2.05)[1] > 0.2 && now(2.05)[1] < now(0.2)[1]);
    }
}
