//! Text to speech: a script goes in, 48 kHz sound and exact marks come out.
//!
//! [`speak`] cuts a [`Script`] into sentences, writes every number, date and abbreviation out as words, asks a
//! [`Voice`] for each sentence (or the [`SpeechCache`], which gives the same bytes) and joins the answers with the pauses
//! a reader would make. Marks tell where each phoneme and each written word lies; gaps between them are silence.
//!
//! Nothing here opens a network connection or reads a clock. The same script and voice give the same bytes on any
//! number of threads.

mod align;
mod edges;
mod error;
mod espeak;
mod language;
mod onnx;
mod phonemes;
mod script;
pub mod sound;
mod sounds;
mod speak;
mod text;
mod unread;
mod utterance;
mod voice;
pub mod voices;

pub use compere_media::ScriptPart;
pub use error::{SpeechError, Warning};
pub use language::{
    Hearing, LanguageMismatch, check_language, heard, language_of, name as language_name, sample as language_sample,
};
pub use script::Script;
pub use sounds::sounds;
pub use speak::{AHEAD, NoCache, Progress, SpeechCache, Spoken, sentences, speak, speak_ahead, speak_each};
pub use utterance::{NotAnUtterance, Utterance};
pub use voice::{Gender, Sentence, Voice, VoiceInfo, VoiceKind, Word};
pub use voices::{Derived, NotKept, Voices, same_language};
