//! Where each phoneme and each word of a speech lies.

use crate::SampleSpan;

/// Marks of one stretch of speech, in samples from its start.
///
/// Spans are in order, never overlap and never reach past the sound. Gaps between them are silence: a mouth closes there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    pub phonemes: Vec<PhonemeMark>,
    pub words: Vec<WordMark>,
}

impl Marks {
    /// Puts `other` behind, `at` samples from the start.
    pub fn append(&mut self, other: &Self, at: u64) {
        self.phonemes.extend(other.phonemes.iter().cloned().map(|mut mark| {
            mark.span = mark.span.shifted(at);
            mark
        }));
        self.words.extend(other.words.iter().cloned().map(|mut mark| {
            mark.span = mark.span.shifted(at);
            mark
        }));
    }
}

/// One sound of speech.
#[derive(Clone, Debug, PartialEq)]
pub struct PhonemeMark {
    pub span: SampleSpan,
    /// IPA, one symbol or an affricate or diphthong, without stress marks: `m`, `tʃ`, `aɪ`.
    pub ipa: String,
    pub stress: Stress,
}

/// One word as it is written, for captions.
#[derive(Clone, Debug, PartialEq)]
pub struct WordMark {
    pub span: SampleSpan,
    /// As the author wrote it, punctuation that clings to it included.
    pub text: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stress {
    #[default]
    None,
    Secondary,
    Primary,
}
