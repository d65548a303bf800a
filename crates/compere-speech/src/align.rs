//! From durations that a model tells to marks that fit its sound.

use crate::edges;
use crate::phonemes::{ipa_in, is_portuguese, is_vowel, joins_previous};
use crate::sound::trim::{WINDOW, envelope, floor};
use crate::{Sentence, Utterance};
use compere_media::{Marks, PhonemeMark, SampleSpan, Sound, Stress, WordMark};

/// One model symbol with the time the model gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed {
    pub letter: char,
    pub word: Option<usize>,
    pub span: SampleSpan,
}

/// Goes up when the same speech gets other marks: kept speech carries them.
const METHOD: u32 = 2;
/// The same for Portuguese alone.
const METHOD_PORTUGUESE: u32 = 3;
/// A silence shorter than this between two sounds is part of talking; the mouth stays with the sound before it.
const SHORTEST_PAUSE: u64 = 60 * 48;
/// How far an edge at a pause may be moved to where the sound really ends or begins.
const REACH: u64 = 120 * 48;

/// What tells marks of a language from those that it had before.
pub fn method(language: &str) -> u32 {
    if is_portuguese(language) { METHOD_PORTUGUESE } else { METHOD }
}

/// The utterance of a sentence whose symbols are timed.
pub fn utterance(sentence: &Sentence, timed: &[Timed], samples: Vec<f32>) -> Utterance {
    let mut sounds = sounds(timed, &sentence.language);
    snap_to_energy(&mut sounds, &samples);
    edges::heard(sounds.iter_mut().map(|sound| &mut sound.mark), &samples);
    let words = words(sentence, &sounds);
    let phonemes = sounds.into_iter().map(|sound| sound.mark).collect();
    Utterance { sound: Sound::new(1, samples), marks: Marks { phonemes, words } }
}

struct Heard {
    mark: PhonemeMark,
    word: Option<usize>,
}

/// Symbols that sound, with stress, length and short silences folded into them.
fn sounds(timed: &[Timed], language: &str) -> Vec<Heard> {
    let mut sounds: Vec<Heard> = Vec::new();
    let (mut stress, mut early) = (Stress::None, None);
    for symbol in timed {
        if let Some(ipa) = ipa_in(language, symbol.letter) {
            let start = early.take().unwrap_or(symbol.span.start);
            let stress = if is_vowel(&ipa) { std::mem::take(&mut stress) } else { Stress::None };
            let span = SampleSpan { start, end: symbol.span.end };
            sounds.push(Heard { mark: PhonemeMark { span, ipa, stress }, word: symbol.word });
            continue;
        }
        match symbol.letter {
            'ˈ' | 'ˌ' => {
                stress = if symbol.letter == 'ˈ' { Stress::Primary } else { Stress::Secondary };
                early.get_or_insert(symbol.span.start);
            }
            letter if joins_previous(letter) => {
                if let Some(last) = sounds.last_mut() {
                    last.mark.span.end = symbol.span.end;
                    last.mark.ipa.extend(matches!(letter, 'ː' | '\u{303}').then_some(letter));
                }
            }
            _ => early = None,
        }
    }
    for at in 1..sounds.len() {
        let next = sounds[at].mark.span.start;
        let here = &mut sounds[at - 1].mark.span;
        if next.saturating_sub(here.end) < SHORTEST_PAUSE {
            here.end = next;
        }
    }
    sounds
}

/// Models round their durations to frames and blur the edges of pauses; the sound itself knows better.
fn snap_to_energy(sounds: &mut [Heard], samples: &[f32]) {
    let levels = envelope(samples);
    // Breath and reverberation lie well above digital silence.
    let quiet = floor(&levels) * 4.0;
    let loud = |at: u64| levels.get(at as usize / WINDOW).is_some_and(|level| *level > quiet);
    let step = WINDOW as u64;
    for at in 0..sounds.len() {
        let before = at.checked_sub(1).map_or(0, |before| sounds[before].mark.span.end);
        let span = sounds[at].mark.span;
        if at == 0 || before < span.start {
            let earliest = span.start.saturating_sub(REACH).max(before);
            let latest = (span.start + REACH).min(span.end.saturating_sub(step));
            if let Some(edge) = rise(earliest, span.start, latest, step, loud) {
                sounds[at].mark.span.start = edge;
            }
        }
        let after = sounds.get(at + 1).map_or(samples.len() as u64, |next| next.mark.span.start);
        if span.end < after || at + 1 == sounds.len() {
            let earliest = span.end.saturating_sub(REACH).max(sounds[at].mark.span.start + step);
            let latest = (span.end + REACH).min(after);
            if let Some(edge) = fall(earliest, span.end, latest, step, loud) {
                sounds[at].mark.span.end = edge.min(samples.len() as u64);
            }
        }
    }
}

/// Where sound begins near `guess`: if it is quiet there, the next loud window, else the first loud one of the run.
fn rise(earliest: u64, guess: u64, latest: u64, step: u64, loud: impl Fn(u64) -> bool) -> Option<u64> {
    let mut at = guess / step * step;
    if loud(at) {
        while at >= earliest + step && loud(at - step) {
            at -= step;
        }
        return Some(at.max(earliest));
    }
    while at <= latest {
        if loud(at) {
            return Some(at);
        }
        at += step;
    }
    None
}

/// Where sound ends near `guess`.
fn fall(earliest: u64, guess: u64, latest: u64, step: u64, loud: impl Fn(u64) -> bool) -> Option<u64> {
    let mut at = guess / step * step;
    if loud(at) {
        while at < latest && loud(at) {
            at += step;
        }
        return Some(at.min(latest));
    }
    while at >= earliest + step {
        at -= step;
        if loud(at) {
            return Some(at + step);
        }
    }
    None
}

/// A word lasts from its first to its last sound. One that has none of its own shares an edge with its neighbours.
fn words(sentence: &Sentence, sounds: &[Heard]) -> Vec<WordMark> {
    let mut spans: Vec<Option<SampleSpan>> = vec![None; sentence.words.len()];
    for sound in sounds {
        if let Some(span) = sound.word.and_then(|word| spans.get_mut(word)) {
            let here = sound.mark.span;
            *span = Some(span.map_or(here, |span| SampleSpan { start: span.start.min(here.start), end: here.end }));
        }
    }
    let mut marks: Vec<WordMark> = Vec::new();
    let mut silent_before = String::new();
    for (word, span) in sentence.words.iter().zip(spans) {
        match span {
            Some(span) => {
                let start = span.start.max(marks.last().map_or(0, |mark: &WordMark| mark.span.end));
                let span = SampleSpan { start, end: span.end.max(start) };
                marks.push(WordMark { span, text: std::mem::take(&mut silent_before) + &word.written });
            }
            None => match marks.last_mut() {
                Some(last) => {
                    let gap = if crate::text::is_spaceless_text(&word.written) { "" } else { " " };
                    last.text = format!("{}{gap}{}", last.text, word.written);
                }
                None => silent_before = format!("{silent_before}{} ", word.written),
            },
        }
    }
    marks
}
