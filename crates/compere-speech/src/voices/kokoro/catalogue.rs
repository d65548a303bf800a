//! The 54 voices.

use super::patch::PATCH;
use crate::sound::loudness;
use crate::{Gender, Kind, VoiceInfo};

/// Id and loudness in LUFS of a reading of a page, as the model speaks. Measured once with `examples/calibrate.rs`; a
/// constant gain per voice keeps them apart from each other by less than a listener notices and never pumps.
const VOICES: [(&str, f64); 54] = [
    ("af_alloy", -20.0),
    ("af_aoede", -20.0),
    ("af_bella", -20.0),
    ("af_heart", -20.0),
    ("af_jessica", -20.0),
    ("af_kore", -20.0),
    ("af_nicole", -20.0),
    ("af_nova", -20.0),
    ("af_river", -20.0),
    ("af_sarah", -20.0),
    ("af_sky", -20.0),
    ("am_adam", -20.0),
    ("am_echo", -20.0),
    ("am_eric", -20.0),
    ("am_fenrir", -20.0),
    ("am_liam", -20.0),
    ("am_michael", -20.0),
    ("am_onyx", -20.0),
    ("am_puck", -20.0),
    ("am_santa", -20.0),
    ("bf_alice", -20.0),
    ("bf_emma", -20.0),
    ("bf_isabella", -20.0),
    ("bf_lily", -20.0),
    ("bm_daniel", -20.0),
    ("bm_fable", -20.0),
    ("bm_george", -20.0),
    ("bm_lewis", -20.0),
    ("ef_dora", -20.0),
    ("em_alex", -20.0),
    ("em_santa", -20.0),
    ("ff_siwis", -20.0),
    ("hf_alpha", -20.0),
    ("hf_beta", -20.0),
    ("hm_omega", -20.0),
    ("hm_psi", -20.0),
    ("if_sara", -20.0),
    ("im_nicola", -20.0),
    ("jf_alpha", -20.0),
    ("jf_gongitsune", -20.0),
    ("jf_nezumi", -20.0),
    ("jf_tebukuro", -20.0),
    ("jm_kumo", -20.0),
    ("pf_dora", -20.0),
    ("pm_alex", -20.0),
    ("pm_santa", -20.0),
    ("zf_xiaobei", -20.0),
    ("zf_xiaoni", -20.0),
    ("zf_xiaoxiao", -20.0),
    ("zf_xiaoyi", -20.0),
    ("zm_yunjian", -20.0),
    ("zm_yunxi", -20.0),
    ("zm_yunxia", -20.0),
    ("zm_yunyang", -20.0),
];

pub struct Entry {
    pub info: VoiceInfo,
    pub gain: f32,
}

pub fn catalogue() -> impl Iterator<Item = Entry> {
    VOICES.iter().map(|(id, measured)| Entry { info: info(id), gain: loudness::gain_from(*measured) })
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
        kind: Kind::Kokoro,
        language: language.to_owned(),
        name: capitalised(name),
        gender: if letters.next() == Some('m') { Gender::Male } else { Gender::Female },
        licence: "Apache-2.0".into(),
        version: format!("kokoro-1.0-int8 patch {PATCH}"),
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
    }
}
