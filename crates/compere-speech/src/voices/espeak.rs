//! The fallback: formant synthesis by the espeak-ng program, in more than a hundred languages.
//!
//! The program tells sounds but not times, so marks are derived: its pauses are found in the sound and matched with the
//! punctuation, and between them each phoneme gets the time its kind usually takes. Words are right to a tenth of a
//! second or so; nothing more is promised.

use crate::align::{self, Timed};
use crate::phonemes::{foreign, ipa_of, is_vowel};
use crate::sound::{self, loudness, resample::resample, trim};
use crate::{Gender, Sentence, SpeechError, Utterance, Voice, VoiceInfo, VoiceKind, espeak};
use compere_media::{SAMPLE_RATE, SampleSpan};

#[derive(Debug)]
pub struct Espeak {
    info: VoiceInfo,
    /// As the program names it: `de`, `en-us+f3`.
    voice: String,
}

/// Words a minute at speed 1.
const RATE: f64 = 165.0;
/// Loudness of the program's own output in LUFS, the same in every language within a few decibels.
const MEASURED: f64 = -18.0;

/// Every language of the installed program with a male and a female voice; none if it is not installed.
pub fn catalogue() -> Vec<VoiceInfo> {
    let list = espeak::run(&["--voices"], "").unwrap_or_default();
    let list = String::from_utf8_lossy(&list).into_owned();
    let mut voices = Vec::new();
    for line in list.lines().skip(1) {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let (Some(language), Some(name)) = (columns.get(1), columns.get(3)) else { continue };
        for gender in [Gender::Male, Gender::Female] {
            voices.push(info(language, name, gender));
        }
    }
    voices
}

fn info(language: &str, name: &str, gender: Gender) -> VoiceInfo {
    let suffix = if gender == Gender::Female { "-female" } else { "" };
    VoiceInfo {
        id: format!("espeak-{language}{suffix}"),
        kind: VoiceKind::Espeak,
        language: tag(language),
        name: name.replace('_', " "),
        gender,
        licence: "GPL-3.0-or-later (program; its output is free)".into(),
        version: format!("espeak 2 marks {}", align::method(language)),
        missing: None,
        stands_in_for: None,
    }
}

/// BCP 47 of a language as the program writes it.
fn tag(language: &str) -> String {
    match language {
        "cmn" | "cmn-latn-pinyin" => return "zh".into(),
        "nb" => return "no".into(),
        _ => {}
    }
    let mut parts = language.split('-');
    let mut tag = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        tag.push('-');
        tag.push_str(&if part.len() == 2 { part.to_uppercase() } else { part.to_owned() });
    }
    tag
}

/// What the program calls a language.
pub fn program_voice(language: &str) -> String {
    let lower = language.to_lowercase();
    match lower.as_str() {
        "en" => "en-us".into(),
        // The plain voice of some packages reads the tones of pinyin aloud, in English.
        "zh" | "zh-cn" | "zh-tw" => "cmn-latn-pinyin".into(),
        "no" => "nb".into(),
        "pt" => "pt-br".into(),
        "en-us" | "en-gb" | "pt-br" => lower,
        _ => lower.split('-').next().unwrap_or_default().to_owned(),
    }
}

impl Espeak {
    pub fn new(info: VoiceInfo) -> Self {
        let program = info.id.trim_start_matches("espeak-").trim_end_matches("-female").to_owned();
        let voice = if info.gender == Gender::Female { format!("{program}+f3") } else { program };
        Self { info, voice }
    }

    fn try_say(&self, sentence: &Sentence) -> Result<Utterance, espeak::EspeakError> {
        let rate = (RATE * sentence.speed).round().to_string();
        let wav = espeak::run(&["--stdout", "-b", "1", "-s", &rate, "-v", &self.voice, "--stdin"], &sentence.said())?;
        let (rate, heard) =
            pcm(&wav).ok_or_else(|| espeak::EspeakError::Failed("its sound is not a WAV file".into()))?;
        let samples = resample(&heard, rate, SAMPLE_RATE);
        let language = self.voice.split('+').next().unwrap_or_default();
        let spelling = foreign::untied(foreign::spell(language, sentence)?);
        let timed = timed(&spelling, &samples);
        Ok(sound::finished(align::utterance(sentence, &timed, samples), loudness::gain_from(MEASURED)))
    }
}

impl Voice for Espeak {
    fn info(&self) -> &VoiceInfo {
        &self.info
    }

    fn say(&self, sentence: &Sentence) -> Result<Utterance, SpeechError> {
        self.try_say(sentence)
            .map_err(|error| SpeechError::Voice { voice: self.info.id.clone(), reason: error.to_string() })
    }

    fn lacks(&self, word: &Sentence) -> bool {
        let language = self.voice.split('+').next().unwrap_or_default();
        let heard = |symbol: &crate::phonemes::Symbol| ipa_of(symbol.letter).is_some();
        foreign::spell(language, word).is_ok_and(|spelling| !foreign::untied(spelling).symbols.iter().any(heard))
    }
}

/// Rate and samples of a mono 16-bit WAV that was streamed, so that its lengths say nothing.
fn pcm(wav: &[u8]) -> Option<(u32, Vec<f32>)> {
    let rate = u32::from_le_bytes(wav.get(24..28)?.try_into().ok()?);
    let data = wav.windows(4).position(|four| four == b"data")? + 8;
    let samples = wav.get(data..)?.chunks_exact(2).map(|two| f32::from(i16::from_le_bytes([two[0], two[1]])) / 32768.0);
    (rate > 0).then(|| (rate, samples.collect()))
}

/// Spreads the symbols over the sound: clauses over the stretches between its longest silences, phonemes by their kind.
pub fn timed(spelling: &crate::phonemes::Spelling, samples: &[f32]) -> Vec<Timed> {
    let clauses: Vec<_> = spelling.symbols.split_inclusive(|symbol| ",;:.!?…—".contains(symbol.letter)).collect();
    let stretches = stretches(samples, clauses.len());
    let clauses = if stretches.len() == clauses.len() { clauses } else { vec![&spelling.symbols[..]] };
    let mut timed = Vec::new();
    for (clause, (start, end)) in clauses.into_iter().zip(stretches) {
        let total: f64 = clause.iter().map(|symbol| weight(symbol.letter)).sum();
        let mut passed = 0.0;
        let at = |passed: f64| start + ((end - start) as f64 * (passed / total.max(1e-9))).round() as u64;
        for symbol in clause {
            let from = at(passed);
            passed += weight(symbol.letter);
            timed.push(Timed {
                letter: symbol.letter,
                word: symbol.word,
                span: SampleSpan { start: from, end: at(passed) },
            });
        }
    }
    timed
}

fn weight(letter: char) -> f64 {
    match ipa_of(letter) {
        Some(ipa) if is_vowel(&ipa) => 1.4,
        Some(_) => 1.0,
        None if letter == 'ː' => 0.6,
        None => 0.0,
    }
}

/// The heard stretches between the `count - 1` longest silences inside; one stretch if there are not that many.
fn stretches(samples: &[f32], count: usize) -> Vec<(u64, u64)> {
    let levels = trim::envelope(samples);
    let floor = trim::floor(&levels) * 2.0;
    let heard = |level: &f32| *level > floor;
    let Some(first) = levels.iter().position(heard) else { return Vec::new() };
    let last = levels.iter().rposition(heard).unwrap_or(first);
    let mut gaps: Vec<(usize, usize)> = Vec::new();
    let mut quiet_from = None;
    for (at, level) in levels.iter().enumerate().take(last + 1).skip(first) {
        match (heard(level), quiet_from) {
            (false, None) => quiet_from = Some(at),
            (true, Some(from)) => {
                gaps.push((from, at));
                quiet_from = None;
            }
            _ => {}
        }
    }
    gaps.sort_by_key(|(from, to)| from.abs_diff(*to));
    // Silences of stops are shorter than 80 ms.
    let mut gaps: Vec<_> =
        gaps.into_iter().rev().take(count.saturating_sub(1)).filter(|(from, to)| to - from >= 16).collect();
    if gaps.len() + 1 < count {
        gaps.clear();
    }
    gaps.sort_unstable();
    let at = |window: usize| (window * trim::WINDOW) as u64;
    let starts = [first].into_iter().chain(gaps.iter().map(|gap| gap.1));
    let ends = gaps.iter().map(|gap| gap.0).chain([last + 1]);
    starts.zip(ends).map(|(start, end)| (at(start), at(end).min(samples.len() as u64))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_named_as_others_name_them() {
        assert_eq!((tag("en-us"), tag("cmn"), tag("de")), ("en-US".into(), "zh".into(), "de".into()));
        assert_eq!(
            (program_voice("pt-BR"), program_voice("de-AT"), program_voice("zh-CN")),
            ("pt-br".into(), "de".into(), "cmn-latn-pinyin".into())
        );
    }
}
