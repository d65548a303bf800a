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
    for part in split::parts(&flat, &language) {
        match part {
            split::Stretch::Pause(seconds) => {
                pieces.push(Piece::Pause(samples(seconds.clamp(0.0, LONGEST_PAUSE))));
            }
            split::Stretch::Sentence { text, before } => {
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

/// Whether a text begins in a script that puts no space before it.
pub fn is_spaceless_text(text: &str) -> bool {
    text.chars().next().is_some_and(is_spaceless)
}

/// Letters of scripts that put no space between words.
fn is_spaceless(letter: char) -> bool {
    matches!(letter,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sentence;

    fn said(text: &str, language: &str) -> String {
        let reading = read(&Script::plain(text), language);
        reading.sentences().map(Sentence::said).collect::<Vec<_>>().join(" | ")
    }

    fn suite(lines: &str, language: &str) -> String {
        let lines: Vec<String> = lines.lines().map(|line| format!("{line}\n    {}", said(line, language))).collect();
        lines.join("\n")
    }

    /// Hard texts, and how they are said (see also `english/hundred.txt`). Read a changed line aloud before accepting it.
    #[test]
    fn hard_sentences_of_other_languages() {
        for (language, lines) in [
            ("de", include_str!("suites/de.txt")),
            ("es", include_str!("suites/es.txt")),
            ("fr", include_str!("suites/fr.txt")),
            ("hi", include_str!("suites/hi.txt")),
            ("it", include_str!("suites/it.txt")),
            ("ja", include_str!("suites/ja.txt")),
            ("pt-BR", include_str!("suites/pt.txt")),
            ("zh", include_str!("suites/zh.txt")),
        ] {
            insta::assert_snapshot!(format!("hard_{language}"), suite(lines, language));
        }
        let other = |line: &str| {
            let (language, text) = line.split_once(' ').unwrap_or((line, ""));
            format!("{line}\n    {}", said(text, language))
        };
        let lines: Vec<String> = include_str!("suites/other.txt").lines().map(other).collect();
        insta::assert_snapshot!("hard_other", lines.join("\n"));
    }

    /// Whatever is read, every letter that was written is found again in the words, in order.
    #[test]
    fn nothing_written_is_lost() {
        let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        for (language, lines) in [
            ("de", include_str!("suites/de.txt")),
            ("fr", include_str!("suites/fr.txt")),
            ("ja", include_str!("suites/ja.txt")),
            ("zh", include_str!("suites/zh.txt")),
        ] {
            for line in lines.lines() {
                let reading = read(&Script::plain(line), language);
                let written: String =
                    reading.sentences().flat_map(|sentence| &sentence.words).map(|word| bare(&word.written)).collect();
                assert_eq!(written, bare(line), "{language}");
            }
        }
    }
}
