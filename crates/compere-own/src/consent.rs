//! What shows that a person agreed: a text with random words, read on camera.
//!
//! The recording is aligned to its text like a prompt, and its words are held against the same ones in other orders, so an
//! older recording, or one of another text, is noticed; so is one that shows nobody. It proves no identity: somebody looks
//! at it beside the takes and approves with their name.

use std::fs;
use std::path::Path;

use compere_speech::voices::same_language;
use serde::{Deserialize, Serialize};

use crate::align::{Aligned, Reference, align, ordered};
use crate::build::{Bench, Clip, references};
use crate::error::OwnError;
use crate::footage::Footage;
use crate::recorded::DOUBTFUL;
use crate::store::Consent;
use crate::tongue::Tongue;
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
    /// BCP 47: what the text is in. It was English before there were others, and then nothing is noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

impl Form {
    /// A form with words that nobody could know before; `chance` is 64 random bits.
    pub fn new(tongue: &Tongue, person: &str, date: &str, purpose: &str, mut chance: u64) -> Result<Self, OwnError> {
        let mut list = tongue.words();
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
            language: Some(tongue.tag.to_owned()),
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
        let Some(tongue) = self.tongue() else { return missing("language in which there is a text") };
        let known = |word: &String| tongue.words().contains(&word.as_str());
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

    /// What it is in. None where somebody wrote a language into it that there is no text in.
    fn tongue(&self) -> Option<&'static Tongue> {
        self.language.as_deref().map_or(Some(Tongue::english()), Tongue::of)
    }

    /// What the person reads.
    pub fn text(&self) -> String {
        let tongue = self.tongue().unwrap_or_else(Tongue::english);
        tongue.consent(&self.person, &self.date, &self.purpose, &self.words)
    }

    /// Whose voices it is compared with, of a person who speaks `language`: in their accent where it is in their language. Older
    /// texts are compared as they were.
    pub fn spoken_in<'a>(&'a self, language: &'a str) -> &'a str {
        self.language.as_deref().filter(|own| !same_language(own, language)).unwrap_or(language)
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
    let spoken = references(std::slice::from_ref(&clip), form.spoken_in(language), bench)?;
    is_read(form, &sound, spoken.first().map(Vec::as_slice).unwrap_or_default())?;
    let bytes = fs::read(video).map_err(OwnError::machine)?;
    Ok(Consent {
        person: form.person.clone(),
        date: form.date.clone(),
        purpose: form.purpose.clone(),
        words: form.words.clone(),
        text_version: form.text_version,
        language: form.language.clone(),
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

    fn form(tongue: &Tongue, chance: u64) -> Form {
        let date = tongue.date(2026, 11, 22);
        Form::new(tongue, "Ada Miller", &date, "Training", chance).expect("a form")
    }

    fn spoken(voices: &Voices, id: &str, tongue: &Tongue, text: &str, speed: f64) -> compere_speech::Utterance {
        let mut script = Script::plain(text);
        script.speed = speed;
        script.language = Some(tongue.tag.to_owned());
        let voice = voices.get(id).expect("a voice");
        speak(&script, &*voice, &NoCache, &mut |_| ControlFlow::Continue(()), 2).expect("it speaks").utterance
    }

    /// Somebody in a room, at their own pace.
    fn recording(voices: &Voices, id: &str, tongue: &Tongue, text: &str, noise: f64) -> Vec<f32> {
        let mut samples = vec![0.0; 24_000];
        samples.extend_from_slice(spoken(voices, id, tongue, text, 0.9).sound.samples());
        samples.resize(samples.len() + 24_000, 0.0);
        let mut dice = Dice(5);
        samples.iter_mut().for_each(|sample| *sample += (noise * dice.normal()) as f32);
        samples
    }

    /// Readers in each language who are not among those that they are compared with.
    const READERS: [(&str, [&str; 4]); 6] = [
        ("en", ["bm_fable", "am_fenrir", "espeak-en-us", "espeak-en-gb-female"]),
        ("de", ["am_fenrir", "if_sara", "espeak-de", "espeak-de-female"]),
        ("fr", ["if_sara", "pm_santa", "espeak-fr-fr", "espeak-fr-be-female"]),
        ("es", ["if_sara", "pm_santa", "espeak-es", "espeak-es-419-female"]),
        ("it", ["em_santa", "pf_dora", "espeak-it", "espeak-it-female"]),
        ("pt", ["em_alex", "if_sara", "espeak-pt-br", "espeak-pt-female"]),
    ];

    /// The end of a text: voices take their time, and the rest of it is no part of the question.
    fn end(form: &Form) -> String {
        form.text().split_once("Training. ").map_or(String::new(), |(_, end)| end.to_owned())
    }

    /// Words of a text that another one has in the same place: all of them where it is the same text.
    fn in_place(one: &Form, other: &Form) -> usize {
        one.words.iter().zip(&other.words).filter(|(a, b)| a == b).count()
    }

    /// What a reader says, against each text: how many words are in their place, what they cost, and milliseconds by which times differ.
    fn costs(sounds: &[(usize, Vec<f32>)], forms: &[Form], references: &[Vec<Reference>]) -> Vec<(usize, f32, f32)> {
        let against = |(said, sound): &(usize, Vec<f32>)| -> Vec<(usize, f32, f32)> {
            let cost = |(asked, references): (usize, &Vec<Reference>)| {
                let aligned = align(sound, references).expect("it is aligned");
                let cost = ordered(sound, &aligned, references, WORDS).expect("words");
                (in_place(&forms[*said], &forms[asked]), cost, aligned.spread * 1000.0)
            };
            references.iter().enumerate().map(cost).collect()
        };
        sounds.iter().flat_map(against).collect()
    }

    /// Every reader says four texts in a quiet and in a noisy room: what the six words cost where they are said, where six others are, and
    /// where one is said in its place, as it is in the second text and the first.
    #[test]
    #[ignore = "for whoever changes limit, texts or words: half an hour"]
    fn measured() {
        let voices = Voices::open(&crate::testing::assets(), 2);
        for (tag, readers) in READERS {
            let tongue = Tongue::of(tag).expect("a language");
            let forms: Vec<Form> = (0..4).map(|n| form(tongue, Dice(n).next())).collect();
            let speakers = crate::build::comparable(tag, &voices);
            let spoken = |form: &Form, id: &str| Reference::new(&spoken(&voices, id, tongue, &end(form), 1.0));
            let by_all = |form| speakers.iter().map(|voice| spoken(form, &voice.info().id)).collect();
            let references: Vec<Vec<Reference>> = forms.iter().map(by_all).collect();
            for reader in readers {
                let said = |(n, noise)| (n, recording(&voices, reader, tongue, &end(&forms[n]), noise));
                let sounds: Vec<_> = (0..4).flat_map(|n| [(n, 0.0005), (n, 0.006)]).map(said).collect();
                let costs = costs(&sounds, &forms, &references);
                let range = |words: usize, of: fn(&(usize, f32, f32)) -> f32| {
                    let all = costs.iter().filter(|cost| cost.0 == words).map(of);
                    all.fold([f32::MAX, f32::MIN], |[least, most], one| [least.min(one), most.max(one)])
                };
                let [own, others, one] = [WORDS, 0, 1].map(|words| range(words, |cost| cost.1));
                let differ = range(WORDS, |cost| cost.2);
                println!(
                    "{tag} {reader}: own {own:.1?}, others {others:.1?}, one in place {one:.1?}, times differ by {differ:.0?} ms"
                );
            }
            let whole = |id: &str| Reference::new(&self::spoken(&voices, id, tongue, &forms[0].text(), 1.0));
            let references: Vec<Reference> = speakers.iter().map(|voice| whole(&voice.info().id)).collect();
            for (reader, noise) in readers.into_iter().flat_map(|reader| [(reader, 0.0005), (reader, 0.006)]) {
                let sound = recording(&voices, reader, tongue, &forms[0].text(), noise);
                let spread = align(&sound, &references).expect("it is aligned").spread * 1000.0;
                println!("{tag} {reader} says all of it, noise {noise}: times differ by {spread:.0} ms");
            }
        }
    }

    #[test]
    fn six_other_words_are_told_from_those_that_were_given_out() {
        let voices = Voices::open(&crate::testing::assets(), 2);
        for (tag, [.., reference, reader]) in READERS {
            let tongue = Tongue::of(tag).expect("a language");
            let [given, other] = [0x1234_5678_9ABC_DEF0, 0xFEDC_BA98_7654_3210].map(|chance| form(tongue, chance));
            let references = [Reference::new(&spoken(&voices, reference, tongue, &given.text(), 1.0))];
            let read = |text: &str| is_read(&given, &recording(&voices, reader, tongue, text, 0.002), &references);
            assert_eq!(read(&given.text()), Ok(()), "{tag}");
            let told = read(&other.text()).expect_err("other words").to_string();
            assert!(told.starts_with(NAME) && told.contains(&given.words.join(", ")), "{tag}: {told}");
        }
    }

    #[test]
    fn a_consent_without_its_words_is_none() {
        let voices = Voices::open(&crate::testing::assets(), 2);
        let (english, given) = (Tongue::english(), form(Tongue::english(), 0x1234_5678_9ABC_DEF0));
        let ids = ["espeak-en-us", "espeak-en-gb"];
        let references: Vec<Reference> =
            ids.map(|id| Reference::new(&spoken(&voices, id, english, &given.text(), 1.0))).into();
        let bare = given.text().replace(&given.words.join(", "), "those");
        let read = is_read(&given, &recording(&voices, "espeak-en-us-female", english, &bare, 0.002), &references);
        assert!(read.expect_err("no words").to_string().contains(&given.words.join(", ")));
    }

    #[test]
    fn texts_are_in_their_language_and_older_ones_in_english_as_they_were_read() {
        let texts: Vec<String> = Tongue::all().map(|tongue| form(tongue, 7).text()).collect();
        let old = r#"{"person": "Ada Miller", "date": "22 November 2026", "purpose": "Training.", "textVersion": 1,
            "words": ["amber", "anchor", "apple", "basket", "beacon", "bottle"]}"#;
        let old: Form = serde_json::from_str(old).expect("a form of an earlier version");
        let read = "My name is Ada Miller. Today is 22 November 2026. I agree that a presenter is made from recordings of me, \
                    which says what I never said, for Training. I can take this back at any time. My words are: amber, anchor, \
                    apple, basket, beacon, bottle.";
        assert_eq!((old.check(), old.text().as_str()), (Ok(()), read));
        assert!(!serde_json::to_string(&old).expect("JSON").contains("language"), "written back as it was");
        for (text, has) in texts.iter().zip([
            "Today is 22 November 2026.",
            "Heute ist der 22. November 2026.",
            "Nous sommes le 22 novembre 2026.",
            "Hoy es 22 de noviembre de 2026.",
            "Oggi è il 22 novembre 2026.",
            "Hoje é dia 22 de novembro de 2026.",
        ]) {
            assert!(text.contains(has) && text.contains("Ada Miller") && text.contains("Training"), "{text}");
        }
        // An Austrian text is compared with Austrians, one in a language that its person does not speak with those who do.
        let german = form(Tongue::of("de").expect("German"), 7);
        assert_eq!([german.spoken_in("de-AT"), german.spoken_in("pl"), old.spoken_in("pl")], ["de-AT", "de", "pl"]);
        let foreign = Form { language: Some("tlh".to_owned()), ..old };
        assert!(foreign.check().is_err());
    }

    #[test]
    fn words_of_a_language_are_many_and_unlike_each_other() {
        for tongue in Tongue::all() {
            let words = tongue.words();
            assert_eq!((words.len(), tongue.date(2026, 12, 3).split(' ').count() >= 3), (48, true), "{}", tongue.name);
            let alike = |a: &str, b: &str| a.to_lowercase().chars().take(4).eq(b.to_lowercase().chars().take(4));
            for (at, word) in words.iter().enumerate() {
                assert!(word.chars().count() >= 4 && !word.contains(' '), "{word}");
                assert!(words[..at].iter().all(|other| !alike(word, other)), "{}: {word}", tongue.name);
            }
        }
    }

    #[test]
    fn words_are_six_different_ones_and_others_the_next_time() {
        let form =
            |chance| Form::new(Tongue::english(), "Ada", "22 November 2026", "training films", chance).expect("a form");
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
        assert!(Form::new(Tongue::english(), "Ada", "today", " ", 7).is_err());
        let form = Form::new(Tongue::english(), "Ada", "today", "films", 7).expect("a form");
        let words = vec!["please".to_owned(); WORDS];
        assert!(Form { words, ..form.clone() }.check().is_err());
        assert!(Form { text_version: TEXT_VERSION + 1, ..form }.check().is_err());
    }
}
