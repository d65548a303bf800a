//! What a sentence sounds like, written in the symbols of a model.

mod chinese;
mod english;
pub mod foreign;
mod ipa;
mod japanese;
mod pinyin;
mod speller;

pub use chinese::is_han;
pub use english::English;
pub use ipa::{ipa_in, ipa_of, is_portuguese, is_vowel, joins_previous};
pub use speller::Speller;

/// Symbols in the order they are spoken, each with the word it belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spelling {
    pub symbols: Vec<Symbol>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub letter: char,
    /// Index into the sentence's words; spaces and punctuation belong to none.
    pub word: Option<usize>,
}

impl Spelling {
    pub fn push(&mut self, letters: &str, word: Option<usize>) {
        self.symbols.extend(letters.chars().map(|letter| Symbol { letter, word }));
    }

    #[cfg(test)]
    pub fn text(&self) -> String {
        self.symbols.iter().map(|symbol| symbol.letter).collect()
    }
}
