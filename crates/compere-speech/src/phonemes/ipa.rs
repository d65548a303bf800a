//! From model symbols to the IPA that marks carry.

/// The IPA of a symbol; none for stress, tone, length and punctuation.
pub fn ipa_of(symbol: char) -> Option<String> {
    let ipa = match symbol {
        'A' => "eɪ",
        'I' => "aɪ",
        'O' => "oʊ",
        'Q' => "əʊ",
        'W' => "aʊ",
        'Y' => "ɔɪ",
        'T' => "ɾ",
        'ʣ' => "dz",
        'ʤ' => "dʒ",
        'ʥ' => "dʑ",
        'ʦ' => "ts",
        'ʧ' => "tʃ",
        'ʨ' => "tɕ",
        'ꭧ' => "tʂ",
        'ᵊ' => "ə",
        'ᵻ' => "ɪ",
        'S' => "ʃ",
        'g' => "ɡ",
        // Unicode counts the stress marks among the letters.
        'ˈ' | 'ˌ' => return None,
        _ if symbol.is_alphabetic() && !joins_previous(symbol) => return Some(symbol.to_string()),
        _ => return None,
    };
    Some(ipa.to_owned())
}

/// The same in a language: in Portuguese, espeak-ng writes the ends of `cidade` and `mãe` with the letter of the French `tu`, for which
/// lips are rounded. Models are given its letter, which they were trained with; whoever moves lips needs the sound.
pub fn ipa_in(language: &str, symbol: char) -> Option<String> {
    ipa_of(if symbol == 'y' && is_portuguese(language) { 'i' } else { symbol })
}

pub fn is_portuguese(language: &str) -> bool {
    language.split(['-', '_']).next().is_some_and(|primary| primary.eq_ignore_ascii_case("pt"))
}

/// Marks that change the sound before them (length, aspiration, nasality, tone) rather than being one.
pub fn joins_previous(symbol: char) -> bool {
    matches!(symbol, 'ː' | 'ˑ' | 'ʰ' | 'ʲ' | 'ʷ' | 'ˠ' | 'ˤ' | '\u{300}'..='\u{36F}' | '↓' | '→' | '↗' | '↘' | '˞')
}

pub fn is_vowel(ipa: &str) -> bool {
    ipa.chars().next().is_some_and(|first| "aeiouyæɑɐɒɔəɘɚɛɜɝɞɨɪɤɯɵøœɶʉʊʌɿ".contains(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_and_stress_have_no_sound() {
        for symbol in [' ', ',', '—', 'ˈ', 'ˌ', 'ː', '\u{303}', '"'] {
            assert_eq!(ipa_of(symbol), None, "{symbol:?}");
        }
    }

    #[test]
    fn the_end_of_a_portuguese_word_is_spread_and_a_french_u_is_round() {
        assert_eq!([ipa_in("pt-BR", 'y'), ipa_in("fr", 'y')].map(Option::unwrap), ["i", "y"]);
    }

    #[test]
    fn diphthongs_are_one_phoneme() {
        assert_eq!(ipa_of('A').as_deref(), Some("eɪ"));
        assert!(is_vowel("aɪ") && is_vowel("ɜ") && !is_vowel("dʒ") && !is_vowel("j"));
    }
}
