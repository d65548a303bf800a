//! The 54 voices.

use super::patch::PATCH;
use crate::sound::loudness;
use crate::{Gender, VoiceInfo, VoiceKind};

/// Id and loudness in LUFS of eight sentences as the model speaks them. Written by `cargo run --release -p
/// compere-speech --example calibrate`; a constant gain per voice brings them together and never pumps.
const LOUDNESS: &str = include_str!("loudness.tsv");

pub struct Entry {
    pub info: VoiceInfo,
    pub gain: f32,
}

pub fn catalogue() -> impl Iterator<Item = Entry> {
    LOUDNESS.lines().filter_map(|line| {
        let (id, measured) = line.split_once('\t')?;
        Some(Entry { info: info(id), gain: loudness::gain_from(measured.parse().ok()?) })
    })
}

pub fn find(id: &str) -> Option<Entry> {
    catalogue().find(|entry| entry.info.id == id)
}

/// An id tells language, gender and name: `bf_emma` is British, female, Emma.
fn info(id: &str) -> VoiceInfo {
    let (kind, name) = id.split_once('_').unwrap_or((id, id));
    let mut letters = kind.chars();
    let language = match letters.next() {
        Some('b') => "en-GB",
        Some('e') => "es",
        Some('f') => "fr",
        Some('h') => "hi",
        Some('i') => "it",
        Some('j') => "ja",
        Some('p') => "pt-BR",
        Some('z') => "zh",
        _ => "en-US",
    };
    VoiceInfo {
        id: id.to_owned(),
        kind: VoiceKind::Kokoro,
        language: language.to_owned(),
        name: capitalised(name),
        gender: if letters.next() == Some('m') { Gender::Male } else { Gender::Female },
        licence: "Apache-2.0".into(),
        version: format!("kokoro-1.0-int8 patch {PATCH} marks {}", crate::align::method(language)),
        missing: None,
        stands_in_for: None,
    }
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_tell_language_and_gender() {
        let emma = find("bf_emma").unwrap().info;
        assert_eq!((emma.language.as_str(), emma.gender, emma.name.as_str()), ("en-GB", Gender::Female, "Emma"));
        let yunxi = find("zm_yunxi").unwrap().info;
        assert_eq!((yunxi.language.as_str(), yunxi.gender), ("zh", Gender::Male));
        assert!(find("af_nobody").is_none());
    }

    #[test]
    fn every_voice_is_there_once() {
        let mut ids: Vec<_> = catalogue().map(|entry| entry.info.id).collect();
        ids.dedup();
        assert_eq!(ids.len(), 54);
        assert!(ids.is_sorted());
        assert_eq!(LOUDNESS.lines().count(), 54, "every line of the table is understood");
    }
}
