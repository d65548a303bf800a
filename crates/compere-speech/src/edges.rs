//! Where one sound turns into the next, as the sound itself tells it.
//!
//! Models tell how long a symbol lasts, and mean by it what their decoder was given, not what is heard: behind a vowel
//! the hiss of an S or the closure of a T is there some 50 ms before its symbol, while the vowel behind it comes on
//! time. So such edges are moved to where treble rises or the voice falls off, and by what is usual where neither can
//! be told.

use crate::phonemes::is_vowel;
use compere_media::{PhonemeMark, SAMPLE_RATE, SampleSpan, math};

/// Levels are kept per millisecond.
const STEP: usize = SAMPLE_RATE as usize / 1000;
/// Of levels that are compared before and behind an edge, in milliseconds.
const BESIDE: usize = 15;
/// How far an edge may be moved, in milliseconds.
const BACK: usize = 110;
const ON: usize = 25;
/// What every sound keeps, in milliseconds.
const LEAST: usize = 20;
/// Decibels between before and behind, for an edge to be one.
const RISE: f32 = 9.0;
const FALL: f32 = 7.0;
/// What consonants usually come early by, in milliseconds.
const USUAL: usize = 40;

/// What tells that a consonant has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cue {
    TrebleRises,
    VoiceFalls,
}

/// How a consonant begins.
fn cue(ipa: &str) -> Cue {
    if ipa.starts_with(['s', 'ʃ', 'z', 'ʒ', 'ɕ', 'ʂ', 'ʑ']) { Cue::TrebleRises } else { Cue::VoiceFalls }
}

/// Moves the edges between vowels and the consonants behind them.
pub fn heard<'a>(sounds: impl Iterator<Item = &'a mut PhonemeMark>, samples: &[f32]) {
    let levels = Levels::of(samples);
    let mut before: Option<&mut PhonemeMark> = None;
    for sound in sounds {
        if let Some(before) = before.filter(|before| before.span.end == sound.span.start && is_vowel(&before.ipa))
            && !is_vowel(&sound.ipa)
            && let Some(edge) = edge(before.span, sound.span, cue(&sound.ipa), &levels)
        {
            before.span.end = edge;
            sound.span.start = edge;
        }
        before = Some(sound);
    }
}

fn edge(vowel: SampleSpan, consonant: SampleSpan, cue: Cue, levels: &Levels) -> Option<u64> {
    let millisecond = |at: u64| at as usize / STEP;
    let told = millisecond(consonant.start);
    let first = (millisecond(vowel.start) + LEAST).max(told.saturating_sub(BACK));
    let last = (millisecond(consonant.end).saturating_sub(LEAST)).min(told + ON);
    if first > last {
        return None;
    }
    let seen = (first..=last).map(|at| (levels.step(at, cue), at)).max_by(|one, other| one.0.total_cmp(&other.0));
    let enough = if cue == Cue::TrebleRises { RISE } else { FALL };
    let edge = match seen {
        Some((step, at)) if step >= enough => at,
        _ => told.saturating_sub(USUAL).clamp(first, last),
    };
    Some((edge * STEP) as u64)
}

/// Sums of decibels, millisecond by millisecond.
struct Levels {
    treble: Vec<f32>,
    voice: Vec<f32>,
}

impl Levels {
    fn of(samples: &[f32]) -> Self {
        // One difference takes away what stays of a voice behind closed lips, two what a vowel has beside a hiss.
        let once: Vec<f32> = samples.windows(2).map(|two| two[1] - two[0]).collect();
        let twice: Vec<f32> = once.windows(2).map(|two| two[1] - two[0]).collect();
        Self { treble: sums(&twice), voice: sums(&once) }
    }

    /// By how many decibels treble rises, or the voice falls, at a millisecond.
    fn step(&self, at: usize, cue: Cue) -> f32 {
        let sums = if cue == Cue::TrebleRises { &self.treble } else { &self.voice };
        let mean = |from: usize, to: usize| {
            let (from, to) = (from.min(sums.len() - 1), to.min(sums.len() - 1));
            (sums[to] - sums[from]) / to.saturating_sub(from).max(1) as f32
        };
        let rise = mean(at, at + BESIDE) - mean(at.saturating_sub(BESIDE), at);
        if cue == Cue::TrebleRises { rise } else { -rise }
    }
}

fn sums(samples: &[f32]) -> Vec<f32> {
    let mut sum = 0.0;
    let level = |window: &[f32]| {
        let power = window.iter().map(|sample| sample * sample).sum::<f32>() / window.len() as f32;
        10.0 * math::log10f(power + 1e-9)
    };
    // Windows of five milliseconds, around the one that is meant.
    let all = (0..samples.len().div_ceil(STEP)).map(|at| {
        let middle = at * STEP + STEP / 2;
        let from = middle.saturating_sub(STEP * 5 / 2);
        sum += level(&samples[from..(from + STEP * 5).min(samples.len())]);
        sum
    });
    std::iter::once(0.0).chain(all).collect()
}
