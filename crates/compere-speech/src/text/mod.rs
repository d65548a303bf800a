//! From a script to sentences of words that can be spoken as they stand.
//!
//! The parts are laid out as one text in which whatever has a pronunciation of its own (dictionary entries, `Say` parts)
//! is a single placeholder letter and whatever interrupts (pauses) a placeholder mark, so that a sentence may run through
//! several parts and no later step can take such a thing apart.

mod chinese;
mod dictionary;
mod english;
mod flat;
mod foreign;
mod japanese;
mod split;
mod token;

use crate::{Script, Sentence, Warning, Word};
use compere_media::SAMPLE_RATE;
use flat::Flat;
use split::Join;

/// What is said, and the silences between.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    pub pieces: Vec<Piece>,
    pub warnings: Vec<Warning>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    Sentence(Sentence),
    /// In samples.
    Pause(u64),
}

impl Reading {
    pub fn sentences(&self) -> impl Iterator<Item = &Sentence> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Sentence(sentence) => Some(sentence),
            Piece::Pause(_) => None,
        })
    }
}

/// Seconds at speed 1.
fn silence(before: Join) -> f64 {
    match before {
        Join::Clause => 0.12,
        Join::Sentence => 0.35,
        Join::Paragraph => 0.6,
    }
}

/// What an author may ask for at most, so that a slip of a digit does not make an hour of silence.
const LONGEST_PAUSE: f64 = 60.0;

pub fn read(script: &Script, voice_language: &str) -> Reading {
    let language = script.language.clone().unwrap_or_else(|| voice_language.to_owned());
    let speed = if script.speed.is_finite() { script.speed.clamp(0.5, 2.0) } else { 1.0 };
    let flat = Flat::of(script);
    let mut pieces: Vec<Piece> = Vec::new();
    for part in split::parts(&flat) {
        match part {
            split::Part::Pause(seconds) => {
                pieces.push(Piece::Pause(samples(seconds.clamp(0.0, LONGEST_PAUSE))));
            }
            split::Part::Sentence { text, before } => {
                let words = words(&token::tokens(text, &flat), &flat, &language);
                if words.iter().all(|word| word.said.is_empty()) {
                    continue;
                }
                if matches!(pieces.last(), Some(Piece::Sentence(_))) {
                    pieces.push(Piece::Pause(samples(silence(before) / speed)));
                }
                pieces.push(Piece::Sentence(Sentence { words, language: language.clone(), speed }));
            }
        }
    }
    Reading { pieces, warnings: Vec::new() }
}

fn words(tokens: &[token::Token], flat: &Flat, language: &str) -> Vec<Word> {
    match language.split('-').next() {
        Some("en") => english::words(tokens, flat, language.eq_ignore_ascii_case("en-GB")),
        Some("zh" | "cmn") => chinese::words(tokens, flat),
        Some("ja") => japanese::words(tokens, flat),
        _ => foreign::words(tokens, flat, language),
    }
}

fn samples(seconds: f64) -> u64 {
    (seconds * f64::from(SAMPLE_RATE)).round() as u64
}

/// Full-width forms as their plain ones.
fn narrow(text: &str) -> String {
    let plain = |c: char| match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        '￥' => '¥',
        '〜' | '–' | '—' => '~',
        '−' => '-',
        c => c,
    };
    text.chars().map(plain).collect()
}

/// Letters of scripts that put no space between words.
fn is_spaceless(letter: char) -> bool {
    matches!(letter,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}
