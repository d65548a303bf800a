//! A voice: one sentence in, sound and marks out.

use crate::{SpeechError, Utterance};

pub trait Voice: Send + Sync {
    fn info(&self) -> &VoiceInfo;

    /// Speaks one sentence. The sound begins and ends with speech; pauses around it are the caller's.
    ///
    /// The same sentence always gives the same bytes.
    fn say(&self, sentence: &Sentence) -> Result<Utterance, SpeechError>;

    /// Whether there is no sound at all in a sentence of one word. Asked of words that came out silent.
    fn lacks(&self, _word: &Sentence) -> bool {
        false
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoiceInfo {
    /// What requests name it by: `af_heart`, `espeak-de`, `tone`.
    pub id: String,
    pub kind: VoiceKind,
    /// BCP 47: `en-US`.
    pub language: String,
    /// For people: `Heart`.
    pub name: String,
    pub gender: Gender,
    pub licence: String,
    /// Changes whenever the same sentence would sound different, so that nothing stale comes from a cache.
    pub version: String,
    /// Whether everything it needs is installed; otherwise what is missing.
    pub missing: Option<String>,
    /// The id of the voice this one was given in place of, and why.
    pub stands_in_for: Option<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VoiceKind {
    /// Neural, the default.
    Kokoro,
    /// Neural, from models that the operator put into the voices folder.
    Piper,
    /// Formant synthesis for a hundred languages.
    Espeak,
    /// For tests: exact and instant.
    Tone,
}

impl VoiceKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Kokoro => "kokoro",
            Self::Piper => "piper",
            Self::Espeak => "espeak",
            Self::Tone => "tone",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gender {
    Female,
    Male,
    Neutral,
}

impl Gender {
    pub fn name(self) -> &'static str {
        match self {
            Self::Female => "female",
            Self::Male => "male",
            Self::Neutral => "neutral",
        }
    }
}

/// One breath of text with nothing left to interpret.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentence {
    pub words: Vec<Word>,
    /// BCP 47.
    pub language: String,
    /// 0.5 to 2.
    pub speed: f64,
}

impl Sentence {
    /// What is spoken, as one line of text.
    pub fn said(&self) -> String {
        let mut line = String::new();
        for word in &self.words {
            if !line.is_empty() && !word.said.is_empty() {
                line.push(' ');
            }
            line.push_str(&word.said);
            line.extend(word.stop);
        }
        line
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// As the author wrote it, with the punctuation that clings to it. Goes into the captions.
    pub written: String,
    /// How it is spoken: one or more plain words, `three dollars` for `$3`.
    pub said: String,
    /// Punctuation after it that shapes the melody: one of `,;:.!?…—`.
    pub stop: Option<char>,
}
