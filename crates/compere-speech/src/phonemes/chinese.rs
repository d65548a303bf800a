//! Chinese: characters to pinyin by the words they stand in, pinyin to the letters of the model.
//!
//! The readings are those of pypinyin, which Kokoro's Chinese voices were trained with; `scripts/fetch-voices.sh` puts
//! them beside the weights. Kept as in training, on purpose: the tones are those of the dictionary, and only `一` and `不`
//! change before others. The voices have learnt from speech that of two third tones the first rises.

use super::{English, Spelling, pinyin};
use crate::Sentence;
use std::collections::HashMap;
use std::path::Path;

#[derive(Debug)]
pub struct Chinese {
    phrases: HashMap<String, Vec<String>>,
    characters: HashMap<char, String>,
    longest: usize,
}

/// Characters whose first reading in the dictionary is not how they sound alone.
const ALONE: [(char, &str); 3] = [('长', "cháng"), ('得', "de"), ('血', "xiě")];

pub const FILES: [&str; 2] = ["zh/phrases.json", "zh/characters.json"];

impl Chinese {
    pub fn open(home: &Path) -> Result<Self, String> {
        let read = |file: &str| -> Result<serde_json::Value, String> {
            let path = home.join(file);
            let text = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            serde_json::from_slice(&text).map_err(|error| format!("{}: {error}", path.display()))
        };
        let (phrases, characters) = (read(FILES[0])?, read(FILES[1])?);
        let syllables = |value: &serde_json::Value| -> Option<Vec<String>> {
            let readings = value.as_array()?;
            readings.iter().map(|reading| Some(reading.get(0)?.as_str()?.to_owned())).collect()
        };
        let phrases: HashMap<String, Vec<String>> = phrases
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(phrase, value)| Some((phrase.clone(), syllables(value)?)))
            .filter(|(phrase, syllables)| phrase.chars().count() == syllables.len())
            .collect();
        let mut characters: HashMap<char, String> = characters
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(code, value)| {
                let first = value.as_str()?.split(',').next()?.to_owned();
                Some((char::from_u32(code.parse().ok()?)?, first))
            })
            .collect();
        characters.extend(ALONE.map(|(character, reading)| (character, reading.to_owned())));
        let longest = phrases.keys().map(|phrase| phrase.chars().count()).max().unwrap_or(1);
        if characters.is_empty() {
            return Err(format!("{} holds no readings", home.join(FILES[1]).display()));
        }
        Ok(Self { phrases, characters, longest })
    }

    /// `english` reads what is written in Latin letters.
    pub fn spell(&self, sentence: &Sentence, english: &English) -> Result<Spelling, String> {
        let mut spelling = Spelling::default();
        let mut syllables = self.syllables(sentence);
        sandhi(&mut syllables);
        let mut next = syllables.into_iter().peekable();
        for (at, word) in sentence.words.iter().enumerate() {
            if at > 0 && !word.said.is_empty() {
                spelling.push(" ", None);
            }
            for run in runs(&word.said) {
                if run.starts_with(is_han) {
                    while let Some(syllable) = next.next_if(|syllable| syllable.word == at) {
                        spelling.push(&pinyin::ipa(&syllable.reading).unwrap_or_default(), Some(at));
                    }
                } else {
                    let latin = english.spell_words(run)?;
                    let space = spelling.symbols.last().is_some_and(|symbol| symbol.letter != ' ');
                    spelling.push(if space { " " } else { "" }, None);
                    spelling.push(&latin, Some(at));
                }
            }
            if let Some(stop) = word.stop {
                spelling.push(&stop.to_string(), None);
            }
        }
        Ok(spelling)
    }

    fn syllables(&self, sentence: &Sentence) -> Vec<Syllable> {
        let mut syllables = Vec::new();
        for (word, said) in sentence.words.iter().enumerate() {
            for run in runs(&said.said).filter(|run| run.starts_with(is_han)) {
                let characters: Vec<char> = run.chars().collect();
                let readings = self.readings(&characters);
                let pause = said.stop.is_some();
                let last = readings.len();
                syllables.extend(characters.into_iter().zip(readings).enumerate().map(
                    |(at, (character, (reading, fixed)))| Syllable {
                        character,
                        reading,
                        fixed,
                        word,
                        pause: pause && at + 1 == last,
                    },
                ));
            }
        }
        syllables
    }

    /// The reading of each character, and whether a phrase told it; the longest phrases win.
    fn readings(&self, characters: &[char]) -> Vec<(String, bool)> {
        let mut readings = Vec::new();
        while readings.len() < characters.len() {
            let rest = &characters[readings.len()..];
            let phrase = (2..=self.longest.min(rest.len())).rev().find_map(|len| {
                let phrase: String = rest[..len].iter().collect();
                self.phrases.get(&phrase)
            });
            match phrase {
                Some(syllables) => readings.extend(syllables.iter().map(|syllable| (syllable.clone(), true))),
                None => readings.push((self.characters.get(&rest[0]).cloned().unwrap_or_default(), false)),
            }
        }
        readings
    }
}

struct Syllable {
    character: char,
    reading: String,
    /// Tones of phrases are as they are spoken.
    fixed: bool,
    word: usize,
    pause: bool,
}

/// `一` falls or rises before other tones, `不` rises before a falling one; in numbers and before pauses `一` stays.
fn sandhi(syllables: &mut [Syllable]) {
    for at in 0..syllables.len().saturating_sub(1) {
        let here = &syllables[at];
        if here.fixed || here.pause {
            continue;
        }
        let next = &syllables[at + 1];
        let tone = pinyin::toneless(&next.reading).1;
        let counts = |character: char| "零〇一二三四五六七八九十百千万亿点幺第".contains(character);
        let counted = at.checked_sub(1).is_some_and(|before| counts(syllables[before].character));
        // `一月` is the first month, not one month.
        let dated = "月号日零〇一二三四五六七八九点".contains(next.character);
        let reading = match here.character {
            '不' if tone == 4 => "bú",
            '一' if counted || dated => continue,
            '一' if tone == 4 || next.character == '个' => "yí",
            '一' if tone > 0 => "yì",
            _ => continue,
        };
        syllables[at].reading = reading.into();
    }
}

pub fn is_han(letter: char) -> bool {
    matches!(letter, '\u{3007}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Stretches of Chinese characters and stretches of anything else.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let han = rest.chars().next().map(is_han)?;
        let end = rest.find(|c| is_han(c) != han).unwrap_or(rest.len());
        let (run, behind) = rest.split_at(end);
        rest = behind;
        Some(run)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Word;

    fn little() -> Chinese {
        let phrases = [("银行", "yín háng"), ("长大", "zhǎng dà"), ("一起", "yì qǐ")];
        let characters = [
            ('我', "wǒ"),
            ('不', "bù"),
            ('是', "shì"),
            ('去', "qù"),
            ('行', "xíng"),
            ('一', "yī"),
            ('年', "nián"),
            ('只', "zhī"),
            ('二', "èr"),
            ('长', "cháng"),
        ];
        Chinese {
            phrases: phrases
                .map(|(phrase, readings)| (phrase.into(), readings.split(' ').map(str::to_owned).collect()))
                .into(),
            characters: characters.map(|(character, reading)| (character, reading.into())).into(),
            longest: 2,
        }
    }

    fn read(chinese: &Chinese, words: &[(&str, Option<char>)]) -> String {
        let words = words
            .iter()
            .map(|(said, stop)| Word { written: (*said).into(), said: (*said).into(), stop: *stop })
            .collect();
        let sentence = Sentence { words, language: "zh".into(), speed: 1.0 };
        let mut syllables = chinese.syllables(&sentence);
        sandhi(&mut syllables);
        syllables.into_iter().map(|syllable| syllable.reading).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_decide_how_a_character_is_read() {
        let chinese = little();
        assert_eq!(read(&chinese, &[("我", None), ("去", None), ("银行", None)]), "wǒ qù yín háng");
        assert_eq!(read(&chinese, &[("长大", None), ("行", None), ("长", None)]), "zhǎng dà xíng cháng");
    }

    #[test]
    fn one_and_not_change_before_other_tones() {
        let chinese = little();
        assert_eq!(read(&chinese, &[("不", None), ("是", None)]), "bú shì");
        assert_eq!(read(&chinese, &[("不", Some(',')), ("是", None)]), "bù shì");
        assert_eq!(read(&chinese, &[("一年", None), ("一只", None)]), "yì nián yì zhī");
        assert_eq!(read(&chinese, &[("二一", None), ("去", None)]), "èr yī qù");
        assert_eq!(read(&chinese, &[("一起", None)]), "yì qǐ");
    }
}
