//! Kokoro: 82 million parameters, 54 voices, nine languages, one model.
//!
//! The model tells how long each symbol lasts, so marks are exact to its frame of 25 ms and are then moved to where the
//! sound really begins and ends at pauses. Given the same symbols it gives the same samples, on any number of threads.

mod catalogue;
mod model;
mod patch;
mod vocoder;

pub use catalogue::{catalogue, find};
pub use model::Model;

use crate::align::{self, Timed};
use crate::phonemes::{Speller, Spelling, ipa_of};
use crate::sound::{self, loudness, resample::resample, trim};
use crate::voices::Derived;
use crate::{Sentence, SpeechError, Utterance, Voice, VoiceInfo};
use compere_media::{SAMPLE_RATE, SampleSpan};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// What all voices share. Parts are loaded when first needed.
pub struct Engine {
    home: PathBuf,
    threads: usize,
    derived: Arc<dyn Derived>,
    model: OnceLock<Result<Model, String>>,
    speller: Speller,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("home", &self.home).finish_non_exhaustive()
    }
}

impl Engine {
    pub fn new(assets: &Path, threads: usize, derived: Arc<dyn Derived>) -> Self {
        let home = assets.join("voices/kokoro");
        Self { speller: Speller::new(&home), home, threads, derived, model: OnceLock::new() }
    }

    /// What the voice needs and does not have.
    pub fn missing(&self, voice: &str) -> Option<String> {
        let language = find(voice).map(|entry| entry.info.language).unwrap_or_default();
        let own = format!("voices/{voice}.bin");
        let mut files = ["model.onnx", "vocab.json", &own].into_iter().chain(Speller::files(&language).iter().copied());
        let absent = files.find(|file| !self.home.join(file).is_file())?;
        Some(format!("{} is missing; scripts/fetch-voices.sh fetches it", self.home.join(absent).display()))
    }

    /// Loads what the voice needs, so that what is damaged is found before anything is spoken.
    pub fn check(&self, voice: &str) -> Result<(), String> {
        self.model()?;
        model::read_style(&self.style_path(voice)).map(drop)
    }

    fn style_path(&self, voice: &str) -> PathBuf {
        self.home.join(format!("voices/{voice}.bin"))
    }

    fn model(&self) -> Result<&Model, String> {
        self.model.get_or_init(|| Model::open(&self.home, self.threads, &*self.derived)).as_ref().map_err(Clone::clone)
    }

    fn spell(&self, sentence: &Sentence) -> Result<Spelling, String> {
        self.speller.spell(sentence, &super::espeak::program_voice(&sentence.language))
    }
}

#[derive(Debug)]
pub struct Kokoro {
    info: VoiceInfo,
    engine: Arc<Engine>,
    style: OnceLock<Result<Vec<f32>, String>>,
    gain: f32,
}

/// Samples of 24 kHz in a frame of the model.
const FRAME: u64 = 600;
/// By how many frames what is heard comes before what the durations say. Measured: the best fit of vowels, stops and
/// fricatives lies between 45 and 65 ms in every voice and language that was tried.
const LEAD: u64 = 2;
/// Of the model's 510; a sentence that needs more is spoken in stretches.
const LONGEST: usize = 400;

impl Kokoro {
    pub fn new(info: VoiceInfo, gain: f32, engine: Arc<Engine>) -> Self {
        Self { info, engine, style: OnceLock::new(), gain }
    }

    fn style(&self) -> Result<&[f32], String> {
        let path = self.engine.style_path(&self.info.id);
        let read = || model::read_style(&path);
        self.style.get_or_init(read).as_deref().map_err(Clone::clone)
    }

    /// As the model speaks it, at 48 kHz, with the time of each symbol.
    fn spoken(&self, sentence: &Sentence) -> Result<(Vec<f32>, Vec<Timed>), String> {
        let (model, style) = (self.engine.model()?, self.style()?);
        let spelling = self.engine.spell(sentence)?;
        let known = spelling.symbols.into_iter().filter(|symbol| model.knows(symbol.letter)).collect();
        let stretches = stretches(known);
        let joined = stretches.len() > 1;
        let (mut samples, mut timed) = (Vec::new(), Vec::new());
        for stretch in stretches {
            let letters: Vec<char> = stretch.iter().map(|symbol| symbol.letter).collect();
            let (sound, frames) = model.run(&letters, style, sentence.speed as f32)?;
            let mut sound = resample(&sound, model::RATE, SAMPLE_RATE);
            // Between stretches there is as little silence as around a sentence, and no click.
            let heard = if joined { trim::heard(&sound) } else { 0..sound.len() };
            let (offset, cut, len) = (samples.len() as u64, heard.start as u64, heard.len() as u64);
            let at = |frame: u64| offset + (2 * FRAME * frame.saturating_sub(LEAD)).saturating_sub(cut).min(len);
            let mut passed = u64::from(frames[0]);
            for (symbol, frames) in stretch.iter().zip(&frames[1..]) {
                let span = SampleSpan { start: at(passed), end: at(passed + u64::from(*frames)) };
                timed.push(Timed { letter: symbol.letter, word: symbol.word, span });
                passed += u64::from(*frames);
            }
            if joined {
                trim::fade(&mut sound[heard.clone()]);
            }
            samples.extend_from_slice(&sound[heard]);
        }
        Ok((samples, timed))
    }

    /// How loud the model itself speaks a few sentences, in LUFS: what its gain is made from.
    pub fn natural_loudness(&self, sentences: &[Sentence]) -> Result<Option<f64>, String> {
        let mut all = Vec::new();
        for sentence in sentences {
            all.extend(self.spoken(sentence)?.0);
        }
        Ok(loudness::loudness(&all))
    }

    fn try_say(&self, sentence: &Sentence) -> Result<Utterance, String> {
        let (samples, timed) = self.spoken(sentence)?;
        Ok(sound::finished(align::utterance(sentence, &timed, samples), self.gain))
    }
}

impl Voice for Kokoro {
    fn info(&self) -> &VoiceInfo {
        &self.info
    }

    fn say(&self, sentence: &Sentence) -> Result<Utterance, SpeechError> {
        let voice = || self.info.id.clone();
        self.try_say(sentence).map_err(|reason| SpeechError::Voice { voice: voice(), reason })
    }

    fn lacks(&self, word: &Sentence) -> bool {
        let heard = |symbol: &crate::phonemes::Symbol| {
            ipa_of(symbol.letter).is_some() && self.engine.model().is_ok_and(|model| model.knows(symbol.letter))
        };
        self.engine.spell(word).is_ok_and(|spelling| !spelling.symbols.iter().any(heard))
    }
}

/// What the model can speak in one go, cut between words.
fn stretches(symbols: Vec<crate::phonemes::Symbol>) -> Vec<Vec<crate::phonemes::Symbol>> {
    let mut rest = symbols;
    let mut stretches = Vec::new();
    while rest.len() > LONGEST {
        let space = rest[..LONGEST].iter().rposition(|symbol| symbol.letter == ' ');
        let tail = rest.split_off(space.map_or(LONGEST, |space| space + 1));
        stretches.push(std::mem::replace(&mut rest, tail));
    }
    if rest.iter().any(|symbol| symbol.letter != ' ') {
        stretches.push(rest);
    }
    stretches
}
