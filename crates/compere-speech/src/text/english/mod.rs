//! English as it is said: every number, date, sign and abbreviation written out.
//!
//! A [`Reader`] walks over the tokens; at each it asks the readings in turn, and the first that understands the token
//! (and perhaps those behind it) answers. What none understands is left to the phonemes, whose lexicon knows more words
//! and names than any list here.

mod dates;
mod measures;
pub mod numbers;
mod web;
mod words;

use super::flat::Flat;
use super::token::Token;
use crate::Word;

pub fn words(tokens: &[Token], flat: &Flat, british: bool) -> Vec<Word> {
    let shouting = is_shouting(tokens);
    let mut words = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let reader = Reader { tokens, at, british, shouting };
        let reading = if tokens[at].core.chars().any(|c| flat.kept(c).is_some()) {
            Reading::one(with_placeholders(&tokens[at].core, flat))
        } else {
            reader.read()
        };
        let taken = &tokens[at..(at + reading.tokens).min(tokens.len())];
        let written: Vec<String> = taken.iter().map(|token| flat.written(&token.written)).collect();
        let stop = taken
            .last()
            .and_then(|token| token.stop)
            .filter(|stop| !(reading.eats_stop && *stop == '.' && at + reading.tokens < tokens.len()));
        words.push(Word { written: written.join(" "), said: reading.said, stop });
        at += taken.len().max(1);
    }
    words
}

/// A pronunciation of the author's, with the letters around it as they are: `tokio's`.
fn with_placeholders(core: &str, flat: &Flat) -> String {
    flat.said(core)
}

/// Everything in capitals: then capitals tell nothing about initialisms.
fn is_shouting(tokens: &[Token]) -> bool {
    let letters = tokens.iter().flat_map(|token| token.core.chars()).filter(|c| c.is_alphabetic());
    let (upper, all) = letters.fold((0, 0), |(upper, all), c| (upper + usize::from(c.is_uppercase()), all + 1));
    tokens.len() > 3 && all > 12 && upper == all
}

/// How the next tokens are said.
#[derive(Debug, PartialEq, Eq)]
pub struct Reading {
    pub said: String,
    pub tokens: usize,
    /// Its full stop belongs to an abbreviation.
    pub eats_stop: bool,
}

impl Reading {
    pub fn one(said: impl Into<String>) -> Self {
        Self { said: said.into(), tokens: 1, eats_stop: false }
    }

    pub fn of(tokens: usize, said: impl Into<String>) -> Self {
        Self { said: said.into(), tokens, eats_stop: false }
    }

    pub fn abbreviation(said: impl Into<String>) -> Self {
        Self { said: said.into(), tokens: 1, eats_stop: true }
    }
}

#[derive(Clone, Copy)]
pub struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    british: bool,
    shouting: bool,
}

impl<'a> Reader<'a> {
    fn read(self) -> Reading {
        let readings = [web::read, measures::phone, measures::money, dates::read, measures::read, words::read];
        readings.iter().find_map(|read| read(self)).unwrap_or_else(|| words::word(self.core(), self.shouting))
    }

    pub fn core(self) -> &'a str {
        &self.tokens[self.at].core
    }

    pub fn token(self) -> &'a Token {
        &self.tokens[self.at]
    }

    /// The core `by` tokens ahead, if no punctuation stands between.
    pub fn next(self, by: usize) -> Option<&'a str> {
        let between = self.tokens.get(self.at..self.at + by)?;
        let loose = between.iter().all(|token| token.stop.is_none());
        loose.then(|| self.tokens.get(self.at + by).map(|token| token.core.as_str())).flatten()
    }

    /// The same, across a comma or a full stop.
    pub fn next_after_comma(self) -> Option<&'a str> {
        let stop = self.token().stop;
        matches!(stop, None | Some(',' | '.'))
            .then(|| self.tokens.get(self.at + 1).map(|token| token.core.as_str()))
            .flatten()
    }

    pub fn previous(self) -> Option<&'a str> {
        self.at.checked_sub(1).map(|at| self.tokens[at].core.as_str())
    }

    pub fn british(self) -> bool {
        self.british
    }
}

#[cfg(test)]
mod tests {
    use crate::{Script, Sentence, text};

    /// Hard texts, and how they are said. Read a changed line aloud before accepting it.
    #[test]
    fn a_hundred_sentences() {
        let lines: Vec<String> = include_str!("hundred.txt")
            .lines()
            .map(|line| {
                let said: Vec<String> =
                    text::read(&Script::plain(line), "en-US").sentences().map(Sentence::said).collect();
                format!("{line}\n    {}", said.join(" | "))
            })
            .collect();
        assert!(lines.len() >= 100);
        insta::assert_snapshot!(lines.join("\n"));
    }

    #[test]
    fn british_dates_begin_with_the_day() {
        let said =
            |language| text::read(&Script::plain("It is 3/5/2024."), language).sentences().next().unwrap().said();
        assert_eq!(said("en-GB"), "It is the third of May twenty twenty-four.");
        assert_eq!(said("en-US"), "It is March fifth, twenty twenty-four.");
    }
}
