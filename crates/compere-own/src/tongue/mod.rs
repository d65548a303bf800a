//! What a person is given to read, in each language that there are lines in: forty lines, and a consent with its date and its words.
//!
//! Lines stand in the order in which they say most: after two dozen of them nearly all neighbouring sounds of the forty were
//! said (`./sounds.rs` counts them). Whoever speaks another language is given the English ones, or reads lines of their own.

mod sounds;
mod texts;

pub use sounds::coverage;
use texts::{ENGLISH, FRENCH, GERMAN, ITALIAN, PORTUGUESE, SPANISH};

use compere_speech::voices::same_language;

/// A consent's text, cut where the name, the date, the purpose and the words go.
type Consent = [&'static str; 5];

/// A language that somebody can be filmed in by what is given out here.
#[derive(Debug)]
pub struct Tongue {
    /// BCP 47, without a region: whoever speaks it reads the same.
    pub tag: &'static str,
    /// In English.
    pub name: &'static str,
    /// One line each.
    prompts: &'static str,
    consent: Consent,
    /// Short common words that sound unlike each other and are about as long, parted by spaces.
    words: &'static str,
    months: &'static str,
    /// Day, month and year as they are said.
    date: fn(i64, &str, i64) -> String,
}

/// All of them, English first.
static TONGUES: [&Tongue; 6] = [&ENGLISH, &GERMAN, &FRENCH, &SPANISH, &ITALIAN, &PORTUGUESE];

impl Tongue {
    pub fn all() -> impl Iterator<Item = &'static Self> {
        TONGUES.into_iter()
    }

    pub fn english() -> &'static Self {
        &ENGLISH
    }

    /// The one that a BCP 47 tag names, whatever its region.
    pub fn of(language: &str) -> Option<&'static Self> {
        Self::all().find(|tongue| same_language(tongue.tag, language.trim()))
    }

    /// The same, or English where there are no lines in it: better than none for whoever reads English too.
    pub fn of_or_english(language: &str) -> &'static Self {
        Self::of(language).unwrap_or(&ENGLISH)
    }

    /// The same, where it is an error that there are no lines in it.
    pub fn asked(language: &str) -> Result<&'static Self, String> {
        let known = || Self::all().map(|tongue| format!("`{}`", tongue.tag)).collect::<Vec<_>>().join(", ");
        Self::of(language).ok_or_else(|| format!("must be a language that there are lines in: {}", known()))
    }

    /// All lines, one below the other.
    pub fn prompts(&self) -> &'static str {
        self.prompts
    }

    pub fn lines(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.prompts.lines()
    }

    /// The line of a number, from 1.
    pub fn line(&self, number: usize) -> Option<&'static str> {
        self.lines().nth(number.checked_sub(1)?)
    }

    /// A day as somebody says it, `22 November 2026`; `month` from 1.
    pub fn date(&self, year: i64, month: usize, day: i64) -> String {
        let name = self.months.split_whitespace().nth(month.clamp(1, 12) - 1).unwrap_or_default();
        (self.date)(day, name, year)
    }

    pub(crate) fn words(&self) -> Vec<&'static str> {
        self.words.split_whitespace().collect()
    }

    /// What the person reads.
    pub(crate) fn consent(&self, person: &str, date: &str, purpose: &str, words: &[String]) -> String {
        let [name, day, films, own, end] = self.consent;
        let words = words.join(", ");
        [name, person, day, date, films, purpose.trim_end_matches('.'), own, &words, end].concat()
    }
}

/// Which number a line has, in whichever language it is one.
pub(crate) fn number_of(line: &str) -> Option<usize> {
    Tongue::all().find_map(|tongue| tongue.lines().position(|one| one == line)).map(|at| at + 1)
}
