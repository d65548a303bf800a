//! A script as one text, with placeholders.

use super::dictionary::{Cut, Dictionary};
use crate::{Script, ScriptPart};

/// Supplementary private use area A. Authors' own characters from there have no sound and are dropped.
const FIRST: u32 = 0xF_0000;
const LAST: u32 = 0xF_FFFD;

#[derive(Debug, Default)]
pub struct Flat {
    pub text: String,
    kept: Vec<Kept>,
}

#[derive(Debug)]
pub enum Kept {
    Said { written: String, said: String },
    Pause(f64),
}

impl Flat {
    pub fn of(script: &Script) -> Self {
        let dictionary = Dictionary::new(&script.dictionary);
        let mut flat = Self::default();
        for part in &script.parts {
            match part {
                ScriptPart::Text(text) => flat.text_part(text, &dictionary),
                ScriptPart::Say { written, said } => {
                    flat.keep(Kept::Said { written: written.clone(), said: said.clone() });
                }
                ScriptPart::Pause(seconds) if seconds.is_finite() => flat.keep(Kept::Pause(*seconds)),
                ScriptPart::Pause(_) => {}
            }
        }
        flat
    }

    pub fn kept(&self, letter: char) -> Option<&Kept> {
        let index = u32::from(letter).checked_sub(FIRST)?;
        self.kept.get(index as usize)
    }

    /// As the author wrote it.
    pub fn written(&self, text: &str) -> String {
        self.expanded(text, |kept| match kept {
            Kept::Said { written, .. } => written,
            Kept::Pause(_) => "",
        })
    }

    /// As it is spoken.
    pub fn said(&self, text: &str) -> String {
        self.expanded(text, |kept| match kept {
            Kept::Said { said, .. } => said,
            Kept::Pause(_) => "",
        })
    }

    fn expanded<'a>(&'a self, text: &str, show: impl Fn(&'a Kept) -> &'a str) -> String {
        let mut out = String::with_capacity(text.len());
        for letter in text.chars() {
            match self.kept(letter) {
                Some(kept) => out.push_str(show(kept)),
                None => out.push(letter),
            }
        }
        out
    }

    fn text_part(&mut self, text: &str, dictionary: &Dictionary<'_>) {
        for cut in dictionary.cut(text) {
            match cut {
                Cut::Plain(text) => self.text.extend(text.chars().filter(|c| !(FIRST..=LAST).contains(&u32::from(*c)))),
                Cut::Entry { written, said } => {
                    self.keep(Kept::Said { written: written.to_owned(), said: said.to_owned() });
                }
            }
        }
    }

    fn keep(&mut self, kept: Kept) {
        let letter = char::from_u32(FIRST + self.kept.len() as u32);
        // 65,534 entries are three times what the longest script can hold.
        if let Some(letter) = letter.filter(|letter| u32::from(*letter) <= LAST) {
            self.text.push(letter);
            self.kept.push(kept);
        }
    }
}
