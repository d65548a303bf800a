//! What shows that a person agreed: a text with random words, read on camera.
//!
//! The recording is aligned to its text like a prompt, so an older recording, or one of another text, is noticed. It proves
//! no identity: somebody looks at it beside the takes and approves with their name.

use std::fs;
use std::path::Path;

use compere_codec::Sandbox;
use serde::{Deserialize, Serialize};

use crate::align::align;
use crate::build::{Bench, Clip, references};
use crate::error::OwnError;
use crate::footage::Footage;
use crate::recorded::DOUBTFUL;
use crate::store::Consent;

/// Goes up when another text is read.
const TEXT_VERSION: u32 = 1;
/// How many random words are read.
const WORDS: usize = 6;
/// Short words that sound unlike each other.
const LIST: [&str; 48] = [
    "amber", "anchor", "apple", "basket", "beacon", "bottle", "butter", "candle", "carpet", "cherry", "copper",
    "dragon", "eagle", "engine", "feather", "forest", "garden", "ginger", "hammer", "harbour", "island", "jacket",
    "kettle", "ladder", "lemon", "magnet", "maple", "marble", "meadow", "mirror", "napkin", "needle", "ocean",
    "orange", "paper", "pepper", "pillow", "pocket", "rabbit", "river", "saddle", "silver", "spider", "sugar",
    "temple", "tiger", "velvet", "window",
];

/// What is to be read, before it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Form {
    pub person: String,
    /// As spoken, such as `22 November 2026`.
    pub date: String,
    pub purpose: String,
    pub words: Vec<String>,
    pub text_version: u32,
}

impl Form {
    /// A form with words that nobody could know before; `chance` is 64 random bits.
    pub fn new(person: &str, date: &str, purpose: &str, mut chance: u64) -> Result<Self, OwnError> {
        let mut list = LIST.to_vec();
        let words = (0..WORDS).map(|_| {
            let at = (chance % list.len() as u64) as usize;
            chance /= list.len() as u64;
            list.swap_remove(at).to_owned()
        });
        let words = words.collect();
        let form = Self {
            person: person.trim().to_owned(),
            date: date.to_owned(),
            purpose: purpose.trim().to_owned(),
            words,
            text_version: TEXT_VERSION,
        };
        form.check()?;
        Ok(form)
    }

    fn check(&self) -> Result<(), OwnError> {
        let missing = |what: &str| Err(OwnError::Footage(format!("the consent names no {what}")));
        let known = |word: &String| LIST.contains(&word.as_str());
        if self.person.is_empty() {
            return missing("person");
        }
        if self.date.trim().is_empty() {
            return missing("date");
        }
        if self.purpose.is_empty() {
            return missing("purpose");
        }
        if self.words.len() != WORDS || !self.words.iter().all(known) {
            return missing("six words of those that are given out; `compere avatar consent` writes them");
        }
        if self.text_version != TEXT_VERSION {
            let what = format!("the consent was given to text {}, it is {TEXT_VERSION} now", self.text_version);
            return Err(OwnError::Footage(what));
        }
        Ok(())
    }

    /// What the person reads.
    pub fn text(&self) -> String {
        format!(
            "My name is {}. Today is {}. I agree that a presenter is made from recordings of me, which says what I never said, \
             for {}. I can take this back at any time. My words are: {}.",
            self.person,
            self.date,
            self.purpose.trim_end_matches('.'),
            self.words.join(", ")
        )
    }
}

/// The evidence in `video`, if it is one. Nobody may have approved it yet.
pub(crate) fn evidence(
    form: &Form,
    video: &Path,
    approved_by: Option<&str>,
    language: &str,
    bench: &Bench<'_>,
) -> Result<Consent, OwnError> {
    const NAME: &str = "the consent";
    form.check()?;
    if approved_by.is_some_and(|by| by.trim().is_empty()) {
        return Err(OwnError::Footage("nobody approved the consent; whoever looked at it gives their name".to_owned()));
    }
    let sound = sound(bench.sandbox, video, NAME)?;
    let clip = Clip { path: video.to_owned(), name: NAME.to_owned(), text: form.text() };
    let spoken = references(std::slice::from_ref(&clip), language, bench)?;
    let references = spoken.first().map(Vec::as_slice).unwrap_or_default();
    let aligned = align(&sound, references).map_err(|error| OwnError::Footage(format!("{NAME}: {error}")))?;
    if aligned.spread > DOUBTFUL {
        let ms = aligned.spread * 1000.0;
        return Err(OwnError::Footage(format!(
            "{NAME}: something else than its text is said (times differ by {ms:.0} ms); read exactly: {}",
            form.text()
        )));
    }
    let bytes = fs::read(video).map_err(OwnError::machine)?;
    Ok(Consent {
        person: form.person.clone(),
        date: form.date.clone(),
        purpose: form.purpose.clone(),
        words: form.words.clone(),
        text_version: form.text_version,
        hash: blake3::hash(&bytes).to_hex().to_string(),
        approved_by: approved_by.map(|by| by.trim().to_owned()),
    })
}

fn sound(sandbox: &Sandbox, video: &Path, name: &str) -> Result<Vec<f32>, OwnError> {
    Footage::open(sandbox, video, name)?.sound(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_six_different_ones_and_others_the_next_time() {
        let form = |chance| Form::new("Ada", "22 November 2026", "training films", chance).expect("a form");
        let (one, two) = (form(0x1234_5678_9ABC_DEF0), form(0xFEDC_BA98_7654_3210));
        assert_ne!(one.words, two.words);
        let mut words = one.words.clone();
        words.sort();
        words.dedup();
        assert_eq!(words.len(), WORDS);
        assert!(one.words.iter().all(|word| one.text().contains(word)) && one.text().contains("training films"));
    }

    #[test]
    fn a_form_without_a_purpose_or_with_words_of_ones_own_is_none() {
        assert!(Form::new("Ada", "today", " ", 7).is_err());
        let form = Form::new("Ada", "today", "films", 7).expect("a form");
        let words = vec!["please".to_owned(); WORDS];
        assert!(Form { words, ..form.clone() }.check().is_err());
        assert!(Form { text_version: TEXT_VERSION + 1, ..form }.check().is_err());
    }
}
