//! The 54 voices.

use super::patch::PATCH;
use crate::sound::loudness;
use crate::{Gender, Kind, VoiceInfo};

/// Id and loudness in LUFS of a reading of a page, as the model speaks. Measured once with `examples/calibrate.rs`; a
/// constant gain per voice brings them together and never pumps. (Those that cannot be spoken yet stand at the target.)
const VOICES: [(&str, f64); 54] = [
    ("af_alloy", -20.6),
    ("af_aoede", -17.3),
    ("af_bella", -21.8),
    ("af_heart", -22.1),
    ("af_jessica", -21.5),
    ("af_kore", -18.2),
    ("af_nicole", -21.1),
    ("af_nova", -26.0),
    ("af_river", -20.7),
    ("af_sarah", -20.2),
    ("af_sky", -23.1),
    ("am_adam", -17.7),
    ("am_echo", -21.0),
    ("am_eric", -20.5),
    ("am_fenrir", -18.5),
    ("am_liam", -21.0),
    ("am_michael", -22.9),
    ("am_onyx", -21.6),
    ("am_puck", -17.9),
    ("am_santa", -21.6),
    ("bf_alice", -19.9),
    ("bf_emma", -19.5),
    ("bf_isabella", -17.1),
    ("bf_lily", -20.5),
    ("bm_daniel", -20.8),
    ("bm_fable", -20.8),
    ("bm_george", -21.1),
    ("bm_lewis", -23.1),
    ("ef_dora", -22.9),
    ("em_alex", -22.4),
    ("em_santa", -22.4),
    ("ff_siwis", -19.0),
    ("hf_alpha", -15.6),
    ("hf_beta", -16.9),
    ("hm_omega", -16.0),
    ("hm_psi", -17.5),
    ("if_sara", -14.0),
    ("im_nicola", -18.9),
    ("jf_alpha", -20.0),
    ("jf_gongitsune", -20.0),
    ("jf_nezumi", -20.0),
    ("jf_tebukuro", -20.0),
    ("jm_kumo", -20.0),
    ("pf_dora", -22.8),
    ("pm_alex", -22.6),
    ("pm_santa", -22.4),
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
