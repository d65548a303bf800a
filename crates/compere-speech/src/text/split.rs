//! Sentences and words.

use super::flat::{Flat, Kept};
use crate::Word;

#[derive(Debug)]
pub enum Part<'a> {
    Sentence { text: &'a str, new_paragraph: bool },
    Pause(f64),
}

pub fn parts(flat: &Flat) -> Vec<Part<'_>> {
    let text = &flat.text;
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, letter) in text.char_indices() {
        if let Some(Kept::Pause(seconds)) = flat.kept(letter) {
            sentences(&text[from..at], &mut parts);
            parts.push(Part::Pause(*seconds));
            from = at + letter.len_utf8();
        }
    }
    sentences(&text[from..], &mut parts);
    parts
}

fn sentences<'a>(text: &'a str, parts: &mut Vec<Part<'a>>) {
    for sentence in text.split_inclusive(['.', '!', '?', '…']) {
        parts.push(Part::Sentence { text: sentence, new_paragraph: false });
    }
}

pub fn words(text: &str, flat: &Flat) -> Vec<Word> {
    let mut words = Vec::new();
    for written in text.split_whitespace() {
        let said = written.trim_matches(|c: char| !c.is_alphanumeric() && flat.kept(c).is_none());
        let stop = written.chars().rev().find(|c| !"\"')]”’".contains(*c)).filter(|c| ",;:.!?…—".contains(*c));
        words.push(Word { written: flat.written(written), said: flat.said(said), stop });
    }
    words
}
