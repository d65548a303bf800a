//! Japanese: morphemes and their readings by a dictionary, readings to the letters of the model.
//!
//! The dictionary is that of Open JTalk as pyopenjtalk-plus extends it; `scripts/fetch-voices.sh` puts it beside the
//! weights. It tells accents too, but the voices were trained without them and find a melody of their own. Morphemes that
//! are one word in misaki's list are written together, as they were in training.

mod kana;
mod mecab;

use super::{English, Spelling};
use crate::Sentence;
use kana::is_kana;
use mecab::{Dictionary, Morpheme};
use std::collections::HashSet;
use std::path::Path;

#[derive(Debug)]
pub struct Japanese {
    dictionary: Dictionary,
    words: HashSet<String>,
}

pub const FILES: [&str; 5] = ["ja/sys.dic", "ja/unk.dic", "ja/matrix.bin", "ja/char.bin", "ja/words.txt"];

impl Japanese {
    pub fn open(home: &Path) -> Result<Self, String> {
        let list = home.join(FILES[4]);
        let words = std::fs::read_to_string(&list).map_err(|error| format!("{}: {error}", list.display()))?;
        Ok(Self { dictionary: Dictionary::open(&home.join("ja"))?, words: words.lines().map(str::to_owned).collect() })
    }

    /// `english` reads what is written in Latin letters and is no word of the dictionary.
    pub fn spell(&self, sentence: &Sentence, english: &English) -> Result<Spelling, String> {
        let mut spelling = Spelling::default();
        let mut clause = Clause::default();
        for (at, word) in sentence.words.iter().enumerate() {
            let latin = |c: char| c.is_ascii_alphanumeric() || c == '\'' || ('\u{C0}'..'\u{250}').contains(&c);
            for run in runs(&word.said, latin) {
                if !run.starts_with(latin) {
                    clause.push(run, at);
                    continue;
                }
                self.clause(&std::mem::take(&mut clause), &mut spelling);
                space(&mut spelling);
                let sounds = match self.letters(run) {
                    Some(reading) => kana::sounds(&reading),
                    None => english.spell_words(run)?,
                };
                spelling.push(&sounds, Some(at));
            }
            if let Some(stop) = word.stop {
                self.clause(&std::mem::take(&mut clause), &mut spelling);
                spelling.push(&stop.to_string(), None);
            }
        }
        self.clause(&clause, &mut spelling);
        Ok(without_gaps_at_stops(spelling))
    }

    fn clause(&self, clause: &Clause, spelling: &mut Spelling) {
        let morphemes = self.dictionary.morphemes(&clause.text);
        let mut at = 0;
        let mut letter = 0;
        while at < morphemes.len() {
            let count = self.joined(&morphemes[at..]);
            let word = &morphemes[at..at + count];
            let reading: String = word.iter().map(reading).collect();
            let letters: usize = word.iter().map(|morpheme| morpheme.surface.chars().count()).sum();
            let sounds: Vec<char> = kana::sounds(&reading).chars().collect();
            if sounds.first().is_some_and(|first| *first != 'ː') {
                space(spelling);
            }
            for (index, sound) in sounds.iter().enumerate() {
                // A morpheme that runs over the edge of a written word is shared out by letters.
                let owner = clause.owners.get(letter + index * letters / sounds.len());
                spelling.push(&sound.to_string(), owner.copied());
            }
            letter += letters;
            at += count;
        }
    }

    /// How many morphemes from here make one word.
    fn joined(&self, morphemes: &[Morpheme<'_>]) -> usize {
        let mut surface = String::new();
        let mut longest = 1;
        for (at, morpheme) in morphemes.iter().enumerate().take(8) {
            surface.push_str(morpheme.surface);
            if at > 0 && self.words.contains(&surface) {
                longest = at + 1;
            }
        }
        longest
    }

    /// Latin letters that the dictionary knows or that are named one by one.
    fn letters(&self, run: &str) -> Option<String> {
        let wide: String = run.chars().map(|c| char::from_u32(c as u32 + 0xFEE0).unwrap_or(c)).collect();
        if run.len() > 1 && run.is_ascii() {
            let morphemes = self.dictionary.morphemes(&wide);
            if let [whole] = &morphemes[..]
                && !whole.unknown
            {
                return Some(reading(whole)).filter(|reading| reading.chars().all(is_kana));
            }
        }
        let initials = run.len() <= 5 && run.chars().all(|c| c.is_ascii_uppercase()) || run.len() == 1;
        initials.then(|| run.chars().map(letter_name).collect())
    }
}

/// Text without a stop, and the word that each of its letters belongs to.
#[derive(Default)]
struct Clause {
    text: String,
    owners: Vec<usize>,
}

impl Clause {
    fn push(&mut self, text: &str, word: usize) {
        let text: String =
            text.chars().filter(|c| c.is_alphanumeric() || matches!(c, 'ー' | '々' | 'ゝ' | 'ゞ')).collect();
        self.owners.extend(text.chars().map(|_| word));
        self.text.push_str(&text);
    }
}

/// How a morpheme is said, in kana.
fn reading(morpheme: &Morpheme<'_>) -> String {
    let mut fields = morpheme.feature.split(',');
    let kind = fields.next().unwrap_or_default();
    // The ninth field; behind verbs `う` only draws out what they end in.
    match fields.nth(7) {
        _ if kind == "助動詞" && morpheme.surface == "う" => "ー".into(),
        Some(said) if said != "*" && !morpheme.unknown => said.chars().filter(|c| is_kana(*c)).collect(),
        _ => morpheme.surface.chars().filter(|c| is_kana(*c)).collect(),
    }
}

fn letter_name(letter: char) -> &'static str {
    const NAMES: [&str; 26] = [
        "エー",
        "ビー",
        "シー",
        "ディー",
        "イー",
        "エフ",
        "ジー",
        "エイチ",
        "アイ",
        "ジェー",
        "ケー",
        "エル",
        "エム",
        "エヌ",
        "オー",
        "ピー",
        "キュー",
        "アール",
        "エス",
        "ティー",
        "ユー",
        "ブイ",
        "ダブリュー",
        "エックス",
        "ワイ",
        "ズィー",
    ];
    let at = (letter.to_ascii_lowercase() as usize).wrapping_sub('a' as usize);
    NAMES.get(at).copied().unwrap_or_default()
}

fn space(spelling: &mut Spelling) {
    if spelling.symbols.last().is_some_and(|symbol| symbol.letter != ' ') {
        spelling.push(" ", None);
    }
}

/// A small tsu clings to what follows it, even the next word.
fn without_gaps_at_stops(spelling: Spelling) -> Spelling {
    let mut kept = Spelling::default();
    for symbol in spelling.symbols {
        let after_stop = kept.symbols.last().is_some_and(|last| last.letter == 'ʔ');
        if !(symbol.letter == ' ' && after_stop) {
            kept.symbols.push(symbol);
        }
    }
    kept
}

/// Stretches of letters of a kind and stretches of the rest.
fn runs(text: &str, kind: impl Fn(char) -> bool) -> Vec<&str> {
    let mut rest = text;
    let mut runs = Vec::new();
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| kind(c) != kind(first)).unwrap_or(rest.len());
        let (run, behind) = rest.split_at(end);
        runs.push(run);
        rest = behind;
    }
    runs
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests find and make their own files")]
mod tests {
    use super::*;
    use crate::Word;

    /// Needs the dictionary, which the set-up fetches (`scripts/fetch-voices.sh`).
    #[test]
    fn sentences_are_read_as_people_read_them() {
        let home = std::env::var_os("COMPERE_ASSETS").map_or_else(
            || std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets")),
            std::path::PathBuf::from,
        );
        let home = home.join("voices/kokoro");
        assert!(home.join(FILES[0]).is_file(), "scripts/fetch-voices.sh fetches the dictionary");
        let japanese = Japanese::open(&home).unwrap();
        let english = English::new(false);
        for (text, sound) in [
            ("私は東京へ行きます", "βataɕi βa toːkʲoː e ikʲimasɨ"),
            ("今日は良い天気でしょう", "kʲoː βa joi teŋkʲi deɕoː"),
            ("学校に行った", "ɡaʔkoː ɲi iʔta"),
            ("AIとコンピューター", "eːai to kompʲɨːtaː"),
        ] {
            let words = vec![Word { written: text.into(), said: text.into(), stop: None }];
            let sentence = Sentence { words, language: "ja".into(), speed: 1.0 };
            assert_eq!(japanese.spell(&sentence, &english).unwrap().text(), sound, "{text}");
        }
        assert!(japanese.dictionary.knows("東京") && !japanese.dictionary.knows("東京は"));
    }

    #[test]
    fn what_is_no_dictionary_is_refused() {
        let folder = std::env::temp_dir().join(format!("compere-mecab-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for file in ["sys.dic", "unk.dic", "matrix.bin", "char.bin"] {
            std::fs::write(folder.join(file), [7; 100]).unwrap();
        }
        let error = Dictionary::open(&folder).unwrap_err();
        assert!(error.contains("is not a MeCab dictionary"), "{error}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
