//! When eyes close in what was filmed, and where in a speech that is welcome: at its pauses, as people do it.

use std::ops::Range;

use compere_media::Marks;

use crate::accents::Accents;
use crate::lips::{Lips, soundings};
use crate::maths::percentile;

/// Lids are down where they are nearer than this part of how far apart they mostly are.
const DOWN: f32 = 0.6;
/// And not wholly up.
const LOW: f32 = 0.85;
/// Longer than this nobody blinks, in pictures: who looks down does.
const LONGEST: usize = 18;
/// Seconds before the end of a phrase, and before the next one, at which a blink belongs to the pause.
const EARLY: f64 = 0.12;
/// A blink is as welcome so near to the middle of a stressed sound, in seconds, though less than in a pause.
const NEAR: f64 = 0.08;
/// Nor in a sound for which lips close, which is when others look at them.
const SHUT: f64 = 0.06;
/// What a blink costs, or is worth.
const IN_PAUSE: f32 = -14.0;
const STRESSED: f32 = 8.0;
const AMID: f32 = 16.0;
const CLOSED: f32 = 8.0;
/// What one is worth that was missed, and so many seconds after the last it may come.
const MISSED: f32 = 22.0;
const REST: f64 = 2.5;
/// Seconds that nobody keeps their eyes open for longer than.
const WITHOUT: f64 = 8.0;

/// A blink in what was filmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Blink {
    /// In which eyes are not wholly open.
    pub(crate) pictures: Range<usize>,
    /// In which they are closed most.
    pub(crate) shut: usize,
}

/// The blinks of a stretch, of the lids' distance in each of its pictures.
pub(crate) fn blinks(lids: &[f32]) -> Vec<Blink> {
    let open = percentile(lids, 0.5);
    let mut found: Vec<Blink> = Vec::new();
    let mut n = 0;
    while n < lids.len() {
        if lids[n] >= DOWN * open {
            n += 1;
            continue;
        }
        let end = (n..lids.len()).find(|&n| lids[n] >= DOWN * open).unwrap_or(lids.len());
        let shut = (n..end).fold(n, |least, n| if lids[n] < lids[least] { n } else { least });
        let up = |n: &usize| lids[*n] >= LOW * open;
        let first = (0..n).rev().find(up).map_or(0, |n| n + 1);
        let last = (end..lids.len()).find(up).unwrap_or(lids.len());
        if end - n <= LONGEST {
            found.push(Blink { pictures: first..last, shut });
        }
        n = end;
    }
    found
}

/// Where in a speech blinks are welcome.
pub(crate) struct Welcome<'a> {
    accents: &'a Accents,
    closed: Vec<[f64; 2]>,
    /// Between which seconds one was missed.
    missed: Vec<[f64; 2]>,
}

impl<'a> Welcome<'a> {
    pub(crate) fn of(marks: &Marks, accents: &'a Accents) -> Self {
        let sounds = soundings(marks);
        let closed = sounds.iter().filter(|sound| sound.lips == Lips::Closed);
        Self {
            accents,
            closed: closed.map(|sound| [sound.start - SHUT, sound.end + SHUT]).collect(),
            missed: Vec::new(),
        }
    }

    /// What a blink costs whose eyes are closed then.
    pub(crate) fn cost(&self, at: f64) -> f32 {
        let missed = self.missed.iter().filter(|span| within(span, at)).count() as f32 * MISSED;
        let costs = if self.is_pause(at) {
            IN_PAUSE
        } else {
            let place = if self.accents.is_stressed(at, NEAR) { STRESSED } else { AMID };
            place + if self.is_closed(at) { CLOSED } else { 0.0 }
        };
        costs - missed
    }

    pub(crate) fn is_pause(&self, at: f64) -> bool {
        !self.accents.is_spoken(at + EARLY)
    }

    /// Whether lips are closed for a sound then.
    pub(crate) fn is_closed(&self, at: f64) -> bool {
        self.closed.iter().any(|span| within(span, at))
    }

    /// Asks for blinks where none is for too long, of those that there are; whether there is such a place.
    pub(crate) fn miss(&mut self, blinks: &[f64], seconds: f64) -> bool {
        let before = self.missed.len();
        let ends = blinks.iter().copied().chain([seconds]);
        let mut last = 0.0;
        for at in ends {
            if at - last > WITHOUT {
                self.missed.push([last + REST, (last + WITHOUT).min(at)]);
            }
            last = at;
        }
        self.missed.len() > before
    }
}

fn within([from, to]: &[f64; 2], at: f64) -> bool {
    (*from..*to).contains(&at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use compere_media::{PhonemeMark, SAMPLE_RATE, SampleSpan, Stress};

    #[test]
    fn a_blink_is_found_with_its_lids_on_the_way_and_who_looks_down_does_not_blink() {
        let mut lids = vec![20.0; 60];
        lids[10..15].copy_from_slice(&[16.0, 7.0, 2.0, 9.0, 15.0]);
        lids[30..50].fill(11.0);
        assert_eq!(blinks(&lids), [Blink { pictures: 10..15, shut: 12 }]);
        // Older presenters know nothing of lids.
        assert_eq!(blinks(&[0.0; 40]), []);
    }

    #[test]
    fn blinks_are_welcome_in_pauses_then_at_stressed_sounds_and_least_in_closed_lips() {
        let mark = |from: f64, to: f64, ipa: &str, stress| {
            let sample = |at: f64| (at * f64::from(SAMPLE_RATE)) as u64;
            PhonemeMark { span: SampleSpan { start: sample(from), end: sample(to) }, ipa: ipa.to_owned(), stress }
        };
        let phonemes = vec![
            mark(1.0, 1.1, "m", Stress::None),
            mark(1.1, 1.3, "ɑ", Stress::Primary),
            mark(1.3, 1.6, "s", Stress::None),
            mark(2.6, 2.8, "a", Stress::None),
        ];
        let marks = Marks { phonemes, words: Vec::new() };
        let accents = Accents::of(&marks);
        let mut welcome = Welcome::of(&marks, &accents);
        let [pause, stressed, amid, closed] = [2.0, 1.2, 1.4, 1.05].map(|at| welcome.cost(at));
        assert!(pause < 0.0 && 0.0 < stressed && stressed < amid && amid < closed);
        assert!(welcome.is_pause(1.5) && !welcome.is_pause(2.5), "a pause begins and ends a little early");
        assert!(!welcome.miss(&[3.0, 9.0], 12.0));
        assert!(welcome.miss(&[3.0], 12.0));
        assert!(welcome.cost(7.0) < pause && welcome.cost(2.0) == pause);
    }
}
