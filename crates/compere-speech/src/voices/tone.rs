//! The test voice: a soft vowel-like tone per word whose pitch follows the letters.
//!
//! Speaks any text in any language at once, and its marks are exact to the sample: every sample outside a word mark is
//! zero and every word begins and ends with a ramp of 5 ms. Loud enough to be measured, far too dull to be shipped.

use crate::{Gender, Sentence, SpeechError, Utterance, Voice, VoiceInfo, VoiceKind, Word};
use compere_media::{Marks, PhonemeMark, SAMPLE_RATE, SampleSpan, Sound, Stress, WordMark, math};
use std::f64::consts::TAU;

#[derive(Debug)]
pub struct Tone {
    info: VoiceInfo,
}

/// Seconds, at speed 1.
const LETTER: f64 = 0.07;
const BETWEEN_WORDS: f64 = 0.04;
const RAMP: f64 = 0.005;
const LEVEL: f64 = 0.12;

impl Tone {
    pub fn new() -> Self {
        Self {
            info: VoiceInfo {
                id: "tone".into(),
                kind: VoiceKind::Tone,
                language: "en-US".into(),
                name: "Tone".into(),
                gender: Gender::Neutral,
                licence: "MIT OR Apache-2.0".into(),
                version: "1".into(),
                missing: None,
                stands_in_for: None,
            },
        }
    }
}

impl Default for Tone {
    fn default() -> Self {
        Self::new()
    }
}

impl Voice for Tone {
    fn info(&self) -> &VoiceInfo {
        &self.info
    }

    fn say(&self, sentence: &Sentence) -> Result<Utterance, SpeechError> {
        let mut singer = Singer { samples: Vec::new(), marks: Marks::default(), phase: 0.0, speed: sentence.speed };
        let mut first = true;
        for word in sentence.words.iter().filter(|word| !word.said.is_empty()) {
            if !std::mem::take(&mut first) {
                singer.rest(BETWEEN_WORDS);
            }
            singer.word(word);
        }
        Ok(Utterance { sound: Sound::new(1, singer.samples), marks: singer.marks })
    }
}

struct Singer {
    samples: Vec<f32>,
    marks: Marks,
    phase: f64,
    speed: f64,
}

impl Singer {
    fn count(&self, seconds: f64) -> usize {
        (seconds / self.speed * f64::from(SAMPLE_RATE)).round() as usize
    }

    fn rest(&mut self, seconds: f64) {
        self.samples.resize(self.samples.len() + self.count(seconds), 0.0);
        // The next word starts its ramp from silence wherever the tone stopped.
        self.phase = 0.0;
    }

    fn word(&mut self, word: &Word) {
        let start = self.samples.len();
        let mut stressed = false;
        for letter in word.said.chars().filter(|letter| letter.is_alphanumeric()) {
            let ipa = sound_of(letter);
            let stress =
                if is_vowel(ipa) && !std::mem::replace(&mut stressed, true) { Stress::Primary } else { Stress::None };
            self.letter(letter, ipa, stress);
        }
        if self.samples.len() == start {
            self.letter('a', "a", Stress::Primary);
        }
        self.ramp(start);
        let span = SampleSpan { start: start as u64, end: self.samples.len() as u64 };
        self.marks.words.push(WordMark { span, text: word.written.clone() });
    }

    fn letter(&mut self, letter: char, ipa: &str, stress: Stress) {
        let start = self.samples.len() as u64;
        let pitch = 120.0 + f64::from(u32::from(letter.to_ascii_lowercase()) % 26) * 5.0;
        let level = if is_vowel(ipa) { LEVEL } else { LEVEL * 0.6 };
        for _ in 0..self.count(LETTER) {
            self.phase = (self.phase + TAU * pitch / f64::from(SAMPLE_RATE)) % TAU;
            // The first three partials of a dark vowel.
            let wave = math::sin(self.phase) + 0.5 * math::sin(2.0 * self.phase) + 0.25 * math::sin(3.0 * self.phase);
            self.samples.push((wave * level) as f32);
        }
        let span = SampleSpan { start, end: self.samples.len() as u64 };
        self.marks.phonemes.push(PhonemeMark { span, ipa: ipa.to_owned(), stress });
    }

    fn ramp(&mut self, start: usize) {
        let len = ((RAMP * f64::from(SAMPLE_RATE)) as usize).min((self.samples.len() - start) / 2);
        let end = self.samples.len();
        for step in 0..len {
            let gain = (step as f32 + 0.5) / len as f32;
            self.samples[start + step] *= gain;
            self.samples[end - 1 - step] *= gain;
        }
    }
}

fn is_vowel(ipa: &str) -> bool {
    matches!(ipa, "a" | "e" | "i" | "o" | "u")
}

/// A phoneme for every letter, so that mouths have something to do; those of other scripts sound by their number.
fn sound_of(letter: char) -> &'static str {
    const OTHERS: [&str; 8] = ["m", "a", "t", "o", "s", "i", "k", "u"];
    match letter.to_ascii_lowercase() {
        'a' => "a",
        'b' => "b",
        'c' | 'k' | 'q' => "k",
        'd' => "d",
        'e' => "e",
        'f' => "f",
        'g' => "ɡ",
        'h' => "h",
        'i' | 'y' => "i",
        'j' => "dʒ",
        'l' => "l",
        'm' => "m",
        'n' => "n",
        'o' => "o",
        'p' => "p",
        'r' => "ɹ",
        's' | 'x' => "s",
        't' => "t",
        'u' => "u",
        'v' => "v",
        'w' => "w",
        'z' => "z",
        other => OTHERS[u32::from(other) as usize % OTHERS.len()],
    }
}
