//! Who can present and speak.

use crate::nearest::{all_of, any_of, did_you_mean, nearest};

/// The avatars, voices and files of this site that documents may name.
///
/// Lookups are written once, here; whoever keeps the lists only has to show them.
pub trait Catalogue {
    fn avatars(&self) -> &[AvatarEntry];
    fn voices(&self) -> &[VoiceEntry];

    /// The background pictures that come with the product.
    fn backgrounds(&self) -> &[BackgroundEntry] {
        &[]
    }

    /// Whether a path of this site (`/images/…`) leads to a file; none where nobody can tell.
    fn has_file(&self, _path: &str) -> Option<bool> {
        None
    }

    /// Paths of this site that lead to files, for those who misspelt one.
    fn files(&self) -> Vec<String> {
        Vec::new()
    }

    /// What the settings write instead of a foreign id: the id of an avatar, an outfit or a voice, or the address of a
    /// file.
    fn alias(&self, _foreign: &str) -> Option<&str> {
        None
    }

    /// The foreign ids that the settings write something else for.
    fn foreign(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Who steps in for an avatar that nobody knows. Without one, an unknown avatar is a problem.
    fn fallback_model(&self) -> Option<&str> {
        None
    }

    /// The language that a text is plainly in; none where nobody can tell.
    fn language_of(&self, _text: &str) -> Option<&'static str> {
        None
    }

    fn find_avatar(&self, id: &str) -> Option<Found<'_>> {
        let named = |id: &str| self.avatars().iter().find(|entry| matches(&entry.id, &entry.aliases, id));
        if let Some(avatar) = named(id) {
            return Some(Found { avatar, by: Match::Name });
        }
        if let Some(avatar) = self.alias(id).and_then(named) {
            return Some(Found { avatar, by: Match::Alias });
        }
        Some(Found { avatar: self.fallback_model().and_then(named)?, by: Match::Fallback })
    }

    fn find_outfit<'c>(&'c self, avatar: &'c AvatarEntry, id: &str) -> Option<&'c OutfitEntry> {
        let named = |id: &str| avatar.outfits.iter().find(|entry| matches(&entry.id, &entry.aliases, id));
        named(id).or_else(|| self.alias(id).and_then(named))
    }

    fn find_voice(&self, id: &str) -> Option<&VoiceEntry> {
        let named = |id: &str| self.voices().iter().find(|entry| entry.id.eq_ignore_ascii_case(id));
        named(id).or_else(|| self.alias(id).and_then(named))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AvatarEntry {
    pub id: String,
    pub aliases: Vec<String>,
    /// The first is the one to wear when nothing is said; there is always one.
    pub outfits: Vec<OutfitEntry>,
    /// As in `en-US`; the first is the avatar's own.
    pub languages: Vec<String>,
}

impl AvatarEntry {
    /// Whether it speaks `language`; `en` and `en-US` understand each other.
    pub fn speaks(&self, language: &str) -> bool {
        speaks(&self.languages, language)
    }
}

pub(crate) fn speaks(languages: &[String], wanted: &str) -> bool {
    languages.iter().any(|own| primary(own).eq_ignore_ascii_case(primary(wanted)))
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutfitEntry {
    pub id: String,
    pub aliases: Vec<String>,
}

/// A background picture and what it shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BackgroundEntry {
    /// `/images/background/office.png`
    pub path: String,
    /// `office`, `business`, `daylight`
    pub words: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VoiceEntry {
    pub id: String,
    pub languages: Vec<String>,
}

/// An avatar, and how it was found.
#[derive(Clone, Copy, Debug)]
pub struct Found<'c> {
    pub avatar: &'c AvatarEntry,
    pub by: Match,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// It is the one that was named.
    Name,
    /// The settings write it instead of the one that was named.
    Alias,
    /// It steps in because nobody knows the one that was named.
    Fallback,
}

/// `en` of `en-US`. The country codes that older clients send for languages are put right.
fn primary(language: &str) -> &str {
    match language.split(['-', '_']).next().unwrap_or_default() {
        "jp" => "ja",
        "kr" => "ko",
        "cn" => "zh",
        other => other,
    }
}

fn matches(own: &str, aliases: &[String], id: &str) -> bool {
    own.eq_ignore_ascii_case(id) || aliases.iter().any(|alias| alias.eq_ignore_ascii_case(id))
}

/// "the nearest are `a` and `b`", or some that there are when none is near. Whoever also answers to `others` may be
/// meant by one of these; they are not listed when none is near.
pub(crate) fn suggestion<'c>(
    id: &str,
    known: impl Iterator<Item = &'c str>,
    others: impl Iterator<Item = &'c str>,
) -> Option<String> {
    let known: Vec<&str> = known.collect();
    let mut near = nearest(id, known.iter().copied().chain(others));
    near.truncate(3);
    match near.as_slice() {
        [] if known.is_empty() => None,
        [] if known.len() > 8 => Some(format!("there are {} and others", all_of(known.into_iter().take(8)))),
        [] => Some(format!("it may be {}", any_of(known))),
        [only] => Some(did_you_mean(only)),
        several => Some(format!("the nearest are {}", all_of(several.iter().copied()))),
    }
}

/// A small cast for tests: `ada` and `ben`, and a voice for each.
#[derive(Clone, Debug)]
pub struct TestCatalogue {
    pub avatars: Vec<AvatarEntry>,
    pub voices: Vec<VoiceEntry>,
    /// From a foreign id to one of ours.
    pub aliases: Vec<(String, String)>,
    pub fallback_model: Option<String>,
    pub backgrounds: Vec<BackgroundEntry>,
    /// The files of the site, where somebody knows them all.
    pub files: Option<Vec<String>>,
}

impl Default for TestCatalogue {
    fn default() -> Self {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let outfit = |id: &str, aliases: &[&str]| OutfitEntry { id: id.to_owned(), aliases: words(aliases) };
        let avatar = |id: &str, aliases: &[&str], outfits, languages: &[&str]| AvatarEntry {
            id: id.to_owned(),
            aliases: words(aliases),
            outfits,
            languages: words(languages),
        };
        let voice = |id: &str, languages: &[&str]| VoiceEntry { id: id.to_owned(), languages: words(languages) };
        Self {
            avatars: vec![
                avatar(
                    "ada",
                    &["M000000001"],
                    vec![outfit("navy", &["BG00000001", "1"]), outfit("red", &[])],
                    &["en-US", "de-DE"],
                ),
                avatar("ben", &[], vec![outfit("suit", &[])], &["en-GB", "ko-KR"]),
            ],
            voices: vec![voice("tone", &[]), voice("heart", &["en-US"])],
            aliases: Vec::new(),
            fallback_model: None,
            backgrounds: Vec::new(),
            files: None,
        }
    }
}

impl Catalogue for TestCatalogue {
    fn avatars(&self) -> &[AvatarEntry] {
        &self.avatars
    }

    fn voices(&self) -> &[VoiceEntry] {
        &self.voices
    }

    fn backgrounds(&self) -> &[BackgroundEntry] {
        &self.backgrounds
    }

    fn has_file(&self, path: &str) -> Option<bool> {
        let files = self.files.as_ref()?;
        Some(files.iter().chain(self.backgrounds.iter().map(|entry| &entry.path)).any(|file| file == path))
    }

    fn files(&self) -> Vec<String> {
        self.files.clone().unwrap_or_default()
    }

    fn alias(&self, foreign: &str) -> Option<&str> {
        self.aliases.iter().find(|(from, _)| from == foreign).map(|(_, to)| to.as_str())
    }

    fn fallback_model(&self) -> Option<&str> {
        self.fallback_model.as_deref()
    }
}
