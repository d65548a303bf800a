//! English, American and British, in the phoneme set that Kokoro learnt.

use super::Spelling;
use crate::Sentence;
use misaki_rs::{Fallback, G2P, Language, fallback::FallbackError};
use std::collections::HashMap;
use std::sync::Mutex;

/// Loading takes a fifth of a second and a hundred megabytes, so there is one for each accent.
pub struct English {
    engine: G2P,
}

impl std::fmt::Debug for English {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("English").finish_non_exhaustive()
    }
}

impl English {
    pub fn new(british: bool) -> Self {
        let language = if british { Language::EnglishGB } else { Language::EnglishUS };
        let unknown = Unknown { british, known: Mutex::default() };
        Self { engine: G2P::with_fallback(language, Some(Box::new(unknown))) }
    }

    pub fn spell(&self, sentence: &Sentence) -> Result<Spelling, String> {
        let (_, tokens) = self.engine.g2p(&sentence.said()).map_err(|error| error.to_string())?;
        let owners = Owners::of(sentence);
        let mut spelling = Spelling::default();
        let mut letters = 0;
        for token in &tokens {
            let own = token.text.chars().filter(|c| c.is_alphanumeric()).count();
            let word = (own > 0).then(|| owners.word_at(letters));
            letters += own;
            spelling.push(token.phonemes.as_deref().unwrap_or_default(), word.flatten());
            spelling.push(&token.whitespace, None);
        }
        Ok(spelling)
    }

    /// Words within a sentence of another language.
    pub fn spell_words(&self, text: &str) -> Result<String, String> {
        let (phonemes, _) = self.engine.g2p(text.trim()).map_err(|error| error.to_string())?;
        Ok(phonemes)
    }
}

/// Which word the n-th letter of the spoken line belongs to. Letters are what tokenisers leave alone, whatever they do
/// to spaces and punctuation.
struct Owners(Vec<usize>);

impl Owners {
    fn of(sentence: &Sentence) -> Self {
        let mut ends = 0;
        let ends_of = |word: &crate::Word| {
            ends += word.said.chars().filter(|c| c.is_alphanumeric()).count();
            ends
        };
        Self(sentence.words.iter().map(ends_of).collect())
    }

    fn word_at(&self, letter: usize) -> Option<usize> {
        let word = self.0.partition_point(|end| *end <= letter);
        (word < self.0.len()).then_some(word)
    }
}

/// Words the lexicon lacks.
struct Unknown {
    british: bool,
    known: Mutex<HashMap<String, String>>,
}

impl Fallback for Unknown {
    fn phonemize(&self, word: &str) -> Result<String, FallbackError> {
        let lock = || self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(known) = lock().get(word) {
            return Ok(known.clone());
        }
        let voice = if self.british { "en" } else { "en-us" };
        let ipa = crate::espeak::phonemes(voice, word).unwrap_or_else(|_| by_letters(word));
        let spelled = from_espeak(&ipa);
        lock().insert(word.to_owned(), spelled.clone());
        Ok(spelled)
    }
}

/// The same sounds in the letters that English voices know.
fn from_espeak(ipa: &str) -> String {
    const RULES: [(&str, &str); 32] = [
        ("a^ɪ", "I"),
        ("a^ʊ", "W"),
        ("d^ʒ", "ʤ"),
        ("e^ɪ", "A"),
        ("o^ʊ", "O"),
        ("ə^ʊ", "Q"),
        ("t^ʃ", "ʧ"),
        ("ɔ^ɪ", "Y"),
        ("ə^l", "ᵊl"),
        ("^", ""),
        ("ʔˌn\u{329}", "tᵊn"),
        ("n\u{329}", "ᵊn"),
        ("ɜːɹ", "ɜɹ"),
        ("ɜː", "ɜɹ"),
        ("ɪə", "iə"),
        ("ɚ", "əɹ"),
        ("oːɹ", "ɔɹ"),
        ("oː", "ɔ"),
        ("ː", ""),
        ("ɐ", "ə"),
        ("ɬ", "l"),
        ("x", "k"),
        ("ç", "k"),
        ("e", "A"),
        ("o", "ɔ"),
        ("r", "ɹ"),
        ("ɾ", "T"),
        ("ʔ", "t"),
        ("ʲ", ""),
        ("_", ""),
        ("ˈˈ", "ˈ"),
        ("-", ""),
    ];
    let mut spelled = ipa.trim().to_owned();
    for (from, to) in RULES {
        spelled = spelled.replace(from, to);
    }
    spelled
}

/// A guess that can at least be heard, for machines without espeak-ng.
fn by_letters(word: &str) -> String {
    let sound = |letter: char| match letter {
        'a' => "æ",
        'b' => "b",
        'c' | 'k' | 'q' => "k",
        'd' => "d",
        'e' => "ɛ",
        'f' => "f",
        'g' => "ɡ",
        'h' => "h",
        'i' | 'y' => "ɪ",
        'j' => "ʤ",
        'l' => "l",
        'm' => "m",
        'n' => "n",
        'o' => "ɑ",
        'p' => "p",
        'r' => "ɹ",
        's' => "s",
        't' => "t",
        'u' => "ʌ",
        'v' => "v",
        'w' => "w",
        'x' => "ks",
        'z' => "z",
        _ => "",
    };
    word.to_lowercase().chars().map(sound).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Word;

    fn sentence(words: &[(&str, Option<char>)]) -> Sentence {
        let words = words
            .iter()
            .map(|(said, stop)| Word { written: (*said).into(), said: (*said).into(), stop: *stop })
            .collect();
        Sentence { words, language: "en-US".into(), speed: 1.0 }
    }

    #[test]
    fn every_symbol_knows_its_word() {
        let sentence =
            sentence(&[("don't", None), ("say", None), ("twenty-one dollars", Some(',')), ("Lee", Some('!'))]);
        let spelling = English::new(false).spell(&sentence).unwrap();
        let of = |word| -> String {
            spelling.symbols.iter().filter(|symbol| symbol.word == Some(word)).map(|symbol| symbol.letter).collect()
        };
        assert_eq!(of(0), "dˈOnt");
        assert_eq!(of(1), "sˈA");
        assert!(of(2).starts_with("twˌɛnti") && of(2).ends_with("dˈɑləɹz"), "{}", of(2));
        assert_eq!(of(3), "lˈi");
        assert!(spelling.text().ends_with('!'));
    }

    #[test]
    fn accents_differ() {
        let say = |british| English::new(british).spell(&sentence(&[("tomato", None)])).unwrap().text();
        assert_ne!(say(false), say(true));
    }
}
