//! What a text sounds like, without speaking it.

use crate::phonemes::{Spelling, foreign, ipa_in};
use crate::voices::program_voice;
use crate::{Script, SpeechError, espeak, text};

/// The phonemes of a text in IPA, a row for each stretch that is spoken without a pause. For languages that espeak-ng reads for all
/// our voices: English, Chinese and Japanese have readers of their own.
pub fn sounds(said: &str, language: &str) -> Result<Vec<Vec<String>>, SpeechError> {
    let reading = text::read(&Script::plain(said), language);
    let sentences: Vec<String> = reading.sentences().map(crate::Sentence::said).collect();
    if sentences.is_empty() {
        return Ok(Vec::new());
    }
    let voice = program_voice(language);
    let failed =
        |error: espeak::EspeakError| SpeechError::Voice { voice: format!("espeak-{voice}"), reason: error.to_string() };
    let ipa = espeak::phonemes(&voice, &sentences.join("\n")).map_err(failed)?;
    let clause = |clause: &str| {
        let mut spelling = Spelling::default();
        spelling.push(&foreign::letters(&voice, clause), None);
        foreign::untied(spelling)
            .symbols
            .iter()
            .filter_map(|symbol| ipa_in(language, symbol.letter))
            .collect::<Vec<_>>()
    };
    Ok(ipa.lines().map(clause).filter(|sounds| !sounds.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use super::sounds;

    #[test]
    fn a_text_is_told_sound_by_sound_and_parted_where_it_pauses() {
        let told = sounds("Meine Mutter, und zwei Häuser.", "de-AT").expect("espeak-ng is installed");
        let told: Vec<String> = told.iter().map(|sounds| sounds.join(" ")).collect();
        assert_eq!(told, ["m aɪ n ə m ʊ t ɐ", "ʊ n t ts v aɪ h ɔɪ z ɐ"]);
        assert!(sounds(" ", "fr").expect("nothing").is_empty());
    }
}
