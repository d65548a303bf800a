//! What shows that a person agreed: a text with random words, read on camera.
//!
//! The recording is aligned to its text like a prompt, and its words are held against the same ones in other orders, so an
//! older recording, or one of another text, is noticed; so is one that shows nobody. It proves no identity: somebody looks
//! at it beside the takes and approves with their name.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::align::{Aligned, Reference, align, ordered};
use crate::build::{Bench, Clip, references};
use crate::error::OwnError;
use crate::footage::Footage;
use crate::recorded::DOUBTFUL;
use crate::store::Consent;
use crate::track::{Networks, networks};

/// What it is called where something is said of it.
const NAME: &str = "the consent";
/// Goes up when another text is read.
const TEXT_VERSION: u32 = 1;
/// How many random words are read.
const WORDS: usize = 6;
/// By how much they have to cost less than in other orders, in deviations of those. Four readers of other voices, one of another
/// accent, in a quiet and a noisy room: 4.5 to 12.5 where they are said, at most 2.8 where six others are.
const ORDERED: f32 = 3.5;
/// Every so many pictures a face is looked for, in pictures of this longer side.
const LOOKED: u64 = 10;
const SMALL: u32 = 640;
/// Part of those in which there has to be one (judged): people look down to read.
const FACED: f64 = 0.8;
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

    /// Tells texts apart that somebody read.
    pub fn hash(&self) -> String {
        blake3::hash(self.text().as_bytes()).to_hex().to_string()
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
    form.check()?;
    if approved_by.is_some_and(|by| by.trim().is_empty()) {
        return Err(OwnError::Footage("nobody approved the consent; whoever looked at it gives their name".to_owned()));
    }
    let footage = Footage::open(bench.sandbox, video, NAME)?;
    let sound = footage.sound(NAME)?;
    is_faced(&footage, &networks(bench.faces)?)?;
    let clip = Clip { path: video.to_owned(), name: NAME.to_owned(), text: form.text() };
    let spoken = references(std::slice::from_ref(&clip), language, bench)?;
    is_read(form, &sound, spoken.first().map(Vec::as_slice).unwrap_or_default())?;
    let bytes = fs::read(video).map_err(OwnError::machine)?;
    Ok(Consent {
        person: form.person.clone(),
        date: form.date.clone(),
        purpose: form.purpose.clone(),
        words: form.words.clone(),
        text_version: form.text_version,
        text_hash: form.hash(),
        hash: blake3::hash(&bytes).to_hex().to_string(),
        approved_by: approved_by.map(|by| by.trim().to_owned()),
    })
}

/// Whether somebody is seen who could be the one that agrees.
fn is_faced(footage: &Footage, networks: &Networks) -> Result<(), OwnError> {
    let (mut all, mut faced, mut at) = (0.0, 0.0, 0);
    footage.play(footage.size_within(SMALL), &mut |frame| {
        if at % LOOKED == 0 {
            let faces = networks.detect(frame).map_err(OwnError::machine)?;
            all += 1.0;
            faced += f64::from(u8::from(!faces.is_empty()));
        }
        at += 1;
        Ok(())
    })?;
    let part = faced / f64::max(all, 1.0);
    if part >= FACED {
        return Ok(());
    }
    let percent = part * 100.0;
    Err(OwnError::Footage(format!(
        "{NAME}: a face is seen in only {percent:.0} % of its pictures; film the person's face while they read the text"
    )))
}

/// Whether the text is what is said, its random words above all.
fn is_read(form: &Form, sound: &[f32], references: &[Reference]) -> Result<(), OwnError> {
    let aligned = align(sound, references).map_err(|error| OwnError::Footage(format!("{NAME}: {error}")))?;
    let Aligned { spread, .. } = aligned;
    let read = |what: String| Err(OwnError::Footage(format!("{NAME}: {what}; read exactly: {}", form.text())));
    if spread > DOUBTFUL {
        return read(format!("something else than its text is said (times differ by {:.0} ms)", spread * 1000.0));
    }
    match ordered(sound, &aligned, references, WORDS) {
        Some(less) if less < ORDERED => read(format!("the words at its end are not {}", form.words.join(", "))),
        // Voices that do not tell where their words are leave it to whoever approves.
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use compere_speech::{NoCache, Script, Voices, speak};

    use super::*;
    use crate::maths::Dice;

    fn form(chance: u64) -> Form {
        Form::new("Ada Miller", "22 November 2026", "training films of Example Limited", chance).expect("a form")
    }

    fn spoken(voices: &Voices, id: &str, text: &str, speed: f64) -> compere_speech::Utterance {
        let mut script = Script::plain(text);
        script.speed = speed;
        let voice = voices.get(id).expect("a voice");
        speak(&script, &*voice, &NoCache, &mut |_| ControlFlow::Continue(()), 2).expect("it speaks").utterance
    }

    /// Somebody in a room, at their own pace.
    fn recording(voices: &Voices, id: &str, text: &str, noise: f64) -> Vec<f32> {
        let mut samples = vec![0.0; 24_000];
        samples.extend_from_slice(spoken(voices, id, text, 0.9).sound.samples());
        samples.resize(samples.len() + 24_000, 0.0);
        let mut dice = Dice(5);
        samples.iter_mut().for_each(|sample| *sample += (noise * dice.normal()) as f32);
        samples
    }

    #[test]
    #[ignore = "for whoever changes the limit"]
    fn measured() {
        let voices = Voices::open(&crate::testing::assets(), 2);
        let (speakers, readers) = (["af_heart", "am_michael", "af_bella"], ["bm_george", "am_fenrir"]);
        let forms: Vec<Form> = (0..4).map(|n| form(Dice(n).next())).collect();
        // Voices take their time; the rest of the text is no part of the question.
        let end =
            |form: &Form| form.text().split_once("recordings of me").map_or(String::new(), |(_, end)| end.to_owned());
        let references: Vec<Vec<Reference>> = forms
            .iter()
            .map(|form| speakers.iter().map(|id| Reference::new(&spoken(&voices, id, &end(form), 1.0))).collect())
            .collect();
        for reader in readers {
            for (said, by) in forms.iter().enumerate() {
                for noise in [0.0005, 0.006] {
                    let sound = recording(&voices, reader, &end(by), noise);
                    let told: Vec<String> = references
                        .iter()
                        .map(|references| {
                            let aligned = align(&sound, references).expect("it is aligned");
                            let part = ordered(&sound, &aligned, references, WORDS).unwrap_or(9.0);
                            format!("{part:.3} ({:.0})", aligned.spread * 1000.0)
                        })
                        .collect();
                    println!("{reader} says {said}, noise {noise}: {}", told.join("  "));
                }
            }
        }
    }

    #[test]
    fn six_other_words_are_told_from_those_that_were_given_out() {
        let voices = Voices::open(&crate::testing::assets(), 2);
        let (given, other) = (form(0x1234_5678_9ABC_DEF0), form(0xFEDC_BA98_7654_3210));
        let ids = ["espeak-en-us", "espeak-en-gb"];
        let references: Vec<Reference> = ids.map(|id| Reference::new(&spoken(&voices, id, &given.text(), 1.0))).into();
        let read = |text: &str| is_read(&given, &recording(&voices, "espeak-en-us-female", text, 0.002), &references);
        assert_eq!(read(&given.text()), Ok(()));
        let bare = given.text().replace(&given.words.join(", "), "those");
        for said in [other.text(), bare] {
            let told = read(&said).expect_err("other words").to_string();
            assert!(told.starts_with(NAME) && told.contains(&given.words.join(", ")), "{told}");
        }
    }

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
