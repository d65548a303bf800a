//! Words in a writing that a voice does not read.
//!
//! Left to themselves, voices for languages in Latin letters say "Japanese letter, Japanese letter" or the number of each
//! character. Such words are left out and told instead. A dictionary entry or a `Say` part makes them heard.

use crate::{Sentence, VoiceInfo, VoiceKind, Warning};

/// Languages that are not written in Latin letters; their voices are left to read what they can.
const OTHERWISE: [&str; 54] = [
    "am", "ar", "as", "ba", "be", "bg", "bn", "bpy", "chr", "cmn", "cv", "el", "fa", "grc", "gu", "hak", "he", "hi",
    "hy", "ja", "ka", "kk", "kn", "ko", "kok", "ky", "mk", "ml", "mn", "mr", "my", "ne", "nog", "or", "pa", "ps", "ru",
    "sa", "sd", "shn", "si", "sr", "ta", "te", "th", "ti", "tt", "ug", "uk", "ur", "yi", "yue", "zh", "lo",
];

/// Silences the words of a sentence that the voice does not read; tells each.
pub fn silence(sentence: &mut Sentence, voice: &VoiceInfo) -> Vec<Warning> {
    let language = sentence.language.split(['-', '_']).next().unwrap_or_default().to_lowercase();
    if voice.kind == VoiceKind::Tone || OTHERWISE.contains(&language.as_str()) {
        return Vec::new();
    }
    let unread = sentence.words.iter_mut().filter(|word| word.said.chars().any(is_other));
    unread
        .map(|word| {
            word.said.clear();
            let reason =
                format!("voice `{}` does not read this writing; a dictionary entry would tell it how", voice.id);
            Warning::Unspoken { text: word.written.clone(), reason }
        })
        .collect()
}

/// A letter that is neither Latin nor Greek: formulas have Greek letters in every language.
fn is_other(letter: char) -> bool {
    let familiar = matches!(letter,
        '\0'..='\u{3FF}' | '\u{1D00}'..='\u{1FFF}' | '\u{2000}'..='\u{2BFF}' | '\u{2C60}'..='\u{2C7F}'
        | '\u{A720}'..='\u{A7FF}' | '\u{AB30}'..='\u{AB6F}' | '\u{FB00}'..='\u{FB06}' | '\u{FF10}'..='\u{FF5A}'
        | '\u{1D400}'..='\u{1D7FF}');
    letter.is_alphabetic() && !familiar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_and_greek_are_read_everywhere_and_other_writing_is_not() {
        for letter in "aZéßłŵỡΩπµªﬁ™№℃²Ａ½ŋə𝗛".chars() {
            assert!(!is_other(letter), "{letter}");
        }
        for letter in "привет你こンשלוםمनกꙮᚠ한".chars().filter(|letter| letter.is_alphabetic()) {
            assert!(is_other(letter), "{letter}");
        }
    }
}
