//! Every language that espeak-ng knows.
//!
//! A clause is spelled as a whole, because words change beside each other (liaison, elision); which word a sound belongs
//! to is then found by counting words or, where espeak-ng joins or multiplies them (numbers), by how long each is alone.

use super::Spelling;
use crate::{Sentence, espeak};

/// The sentence in IPA, affricates and diphthongs tied with `^`, with the punctuation that parts its clauses.
pub fn spell(voice: &str, sentence: &Sentence) -> Result<Spelling, espeak::EspeakError> {
    let mut spelling = Spelling::default();
    let mut from = 0;
    for (at, word) in sentence.words.iter().enumerate() {
        let last = at + 1 == sentence.words.len();
        if word.stop.is_none() && !last {
            continue;
        }
        clause(voice, sentence, from..at + 1, &mut spelling)?;
        if let Some(stop) = word.stop {
            spelling.push(&stop.to_string(), None);
        }
        if !last {
            spelling.push(" ", None);
        }
        from = at + 1;
    }
    Ok(spelling)
}

fn clause(
    voice: &str,
    sentence: &Sentence,
    range: std::ops::Range<usize>,
    spelling: &mut Spelling,
) -> Result<(), espeak::EspeakError> {
    let spoken: Vec<usize> = range.filter(|at| !sentence.words[*at].said.is_empty()).collect();
    let said = |at: &usize| sentence.words[*at].said.as_str();
    let text: Vec<&str> = spoken.iter().map(said).collect();
    if text.is_empty() {
        return Ok(());
    }
    let ipa = letters(voice, &espeak::phonemes(voice, &text.join(" "))?);
    let sounds: Vec<&str> = ipa.split_whitespace().collect();
    let lengths: Vec<usize> = text.iter().map(|text| text.split_whitespace().count()).collect();
    let ends = if lengths.iter().sum::<usize>() == sounds.len() {
        lengths
            .iter()
            .scan(0, |end, len| {
                *end += len;
                Some(*end)
            })
            .collect()
    } else {
        ends_by_length(&sounds, &alone(voice, &text)?)
    };
    let mut next = 0;
    for (word, end) in spoken.iter().zip(ends) {
        for sound in &sounds[next.min(sounds.len())..end.min(sounds.len())] {
            if spelling.symbols.last().is_some_and(|symbol| symbol.letter != ' ') {
                spelling.push(" ", None);
            }
            spelling.push(sound, Some(*word));
        }
        next = end.max(next);
    }
    Ok(())
}

/// How many letters each word sounds by itself.
fn alone(voice: &str, words: &[&str]) -> Result<Vec<usize>, espeak::EspeakError> {
    words.iter().map(|word| Ok(clean(&espeak::phonemes(voice, word)?).chars().count().max(1))).collect()
}

/// Cuts the sounds where the words, each as long as it is alone, would end; always between two sounds.
fn ends_by_length(sounds: &[&str], alone: &[usize]) -> Vec<usize> {
    let total: usize = sounds.iter().map(|sound| sound.chars().count()).sum();
    let expected: usize = alone.iter().sum();
    let mut ends = Vec::new();
    let (mut passed, mut sound, mut wanted) = (0.0, 0, 0.0);
    for (word, len) in alone.iter().enumerate() {
        wanted += *len as f64 / expected as f64 * total as f64;
        while sound < sounds.len() {
            let len = sounds[sound].chars().count() as f64;
            if passed + len / 2.0 > wanted {
                break;
            }
            passed += len;
            sound += 1;
        }
        let all = word + 1 == alone.len();
        ends.push(if all { sounds.len() } else { sound });
    }
    ends
}

/// Without the marks of a change of language, `(en)`, and hyphens within words.
fn clean(ipa: &str) -> String {
    let mut clean = String::with_capacity(ipa.len());
    let mut inside = false;
    for letter in ipa.chars() {
        match letter {
            '(' => inside = true,
            ')' => inside = false,
            '-' | '_' => {}
            letter if !inside => clean.push(letter),
            _ => {}
        }
    }
    clean
}

/// Its letters alone, each for one sound. The program writes the end of the German `Mutter`, an open vowel, with the letter of the
/// English `nurse`, for which lips are rounded.
pub fn letters(voice: &str, ipa: &str) -> String {
    let clean = clean(ipa);
    if voice == "de" { clean.replace('ɜ', "ɐ") } else { clean }
}

/// The same sounds in single letters, as models write them.
pub fn untied(spelling: Spelling) -> Spelling {
    const TIES: [(char, char, char); 13] = [
        ('a', 'ɪ', 'I'),
        ('a', 'ʊ', 'W'),
        ('d', 'z', 'ʣ'),
        ('d', 'ʒ', 'ʤ'),
        ('d', 'ʑ', 'ʥ'),
        ('e', 'ɪ', 'A'),
        ('o', 'ʊ', 'O'),
        ('ə', 'ʊ', 'Q'),
        ('t', 's', 'ʦ'),
        ('t', 'ʃ', 'ʧ'),
        ('t', 'ɕ', 'ʨ'),
        ('ɔ', 'ɪ', 'Y'),
        ('ɔ', 'ø', 'Y'),
    ];
    let mut untied = Spelling::default();
    let mut symbols = spelling.symbols.into_iter().peekable();
    while let Some(mut symbol) = symbols.next() {
        if symbol.letter == '^' {
            continue;
        }
        let mut ahead = symbols.clone();
        if ahead.next().is_some_and(|tie| tie.letter == '^')
            && let Some(second) = ahead.next()
            && let Some(tie) = TIES.iter().find(|tie| (tie.0, tie.1) == (symbol.letter, second.letter))
        {
            symbol.letter = tie.2;
            symbols = ahead.clone();
        }
        untied.symbols.push(symbol);
    }
    untied
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_joined_or_multiplied_keep_their_share() {
        // "1234 es" is four sounds-words and one; alone they are 20 and 2 letters.
        assert_eq!(ends_by_length(&["mil", "doscientos", "treinta", "es"], &[20, 2]), [3, 4]);
        assert_eq!(ends_by_length(&["kɛskə", "vu"], &[2, 3, 2]), [0, 1, 2]);
    }

    #[test]
    fn ties_become_single_letters() {
        let mut spelling = Spelling::default();
        spelling.push("t^ʃˈa^ɪ(", Some(0));
        assert_eq!(untied(spelling).text(), "ʧˈI(");
        assert_eq!(clean("(en)wˈɛb(fr) lə-"), "wˈɛb lə");
    }
}
