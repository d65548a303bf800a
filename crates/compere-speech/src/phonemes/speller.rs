//! The phonemes of every language that Kokoro speaks, by the best means there is for each.

use super::{English, Spelling, chinese, chinese::Chinese, foreign, japanese, japanese::Japanese};
use crate::Sentence;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Parts are loaded when first needed.
#[derive(Debug)]
pub struct Speller {
    home: PathBuf,
    american: OnceLock<English>,
    british: OnceLock<English>,
    chinese: OnceLock<Result<Chinese, String>>,
    japanese: OnceLock<Result<Japanese, String>>,
}

impl Speller {
    /// `home` is where the weights and the dictionaries lie.
    pub fn new(home: &Path) -> Self {
        Self {
            home: home.to_owned(),
            american: OnceLock::new(),
            british: OnceLock::new(),
            chinese: OnceLock::new(),
            japanese: OnceLock::new(),
        }
    }

    /// Files that a language needs, relative to `home`.
    pub fn files(language: &str) -> &'static [&'static str] {
        match primary(language) {
            "ja" => &japanese::FILES,
            "zh" => &chinese::FILES,
            _ => &[],
        }
    }

    /// `program_voice` is what espeak-ng calls the language.
    pub fn spell(&self, sentence: &Sentence, program_voice: &str) -> Result<Spelling, String> {
        match primary(&sentence.language) {
            "en" if sentence.language.eq_ignore_ascii_case("en-GB") => {
                self.british.get_or_init(|| English::new(true)).spell(sentence)
            }
            "en" => self.american().spell(sentence),
            "ja" => {
                let japanese = self.japanese.get_or_init(|| Japanese::open(&self.home));
                japanese.as_ref().map_err(Clone::clone)?.spell(sentence, self.american())
            }
            "zh" => {
                let chinese = self.chinese.get_or_init(|| Chinese::open(&self.home));
                chinese.as_ref().map_err(Clone::clone)?.spell(sentence, self.american())
            }
            _ => {
                let spelling = foreign::spell(program_voice, sentence);
                spelling.map(foreign::untied).map_err(|error| error.to_string())
            }
        }
    }

    fn american(&self) -> &English {
        self.american.get_or_init(|| English::new(false))
    }
}

fn primary(language: &str) -> &str {
    language.split(['-', '_']).next().unwrap_or_default()
}
