//! Who can present and speak, as the scene language asks for it.

use std::collections::BTreeMap;

use compere_avatar::Cast;
use compere_scene::{AvatarEntry, Catalogue, OutfitEntry, VoiceEntry};
use compere_speech::Voices;

/// The cast and the voices of this machine.
#[derive(Debug, Clone, Default)]
pub struct House {
    avatars: Vec<AvatarEntry>,
    voices: Vec<VoiceEntry>,
    aliases: BTreeMap<String, String>,
    fallback: Option<String>,
}

impl House {
    pub fn of(cast: &Cast, voices: &Voices) -> Self {
        let voices = voices.list();
        let avatar = |info: &compere_avatar::PresenterInfo| AvatarEntry {
            id: info.id.clone(),
            aliases: info.aliases.clone(),
            outfits: info.outfits.iter().map(|outfit| outfit_entry(info, outfit)).collect(),
            languages: languages(info, &voices),
        };
        Self {
            avatars: cast.list().iter().map(avatar).collect(),
            voices: voices
                .iter()
                .map(|voice| VoiceEntry { id: voice.id.clone(), languages: vec![voice.language.clone()] })
                .collect(),
            aliases: BTreeMap::new(),
            fallback: None,
        }
    }

    /// The same people, who also answer to ids that the settings name.
    #[must_use]
    pub fn renamed(self, aliases: BTreeMap<String, String>, fallback: Option<String>) -> Self {
        Self { aliases, fallback, ..self }
    }
}

impl Catalogue for House {
    fn avatars(&self) -> &[AvatarEntry] {
        &self.avatars
    }

    fn voices(&self) -> &[VoiceEntry] {
        &self.voices
    }

    fn alias(&self, foreign: &str) -> Option<&str> {
        self.aliases.get(foreign).map(String::as_str)
    }

    fn foreign(&self) -> Vec<&str> {
        self.aliases.keys().map(String::as_str).collect()
    }

    fn fallback_model(&self) -> Option<&str> {
        self.fallback.as_deref()
    }
}

/// An outfit answers to `blazer` and to `nora/blazer`.
fn outfit_entry(info: &compere_avatar::PresenterInfo, outfit: &compere_avatar::OutfitInfo) -> OutfitEntry {
    let mut aliases = outfit.aliases.clone();
    let owners = info.aliases.iter().chain(std::iter::once(&info.id));
    aliases.extend(owners.flat_map(|owner| outfit.aliases.iter().map(move |alias| format!("{owner}/{alias}"))));
    OutfitEntry { id: outfit.id.clone(), aliases }
}

/// A presenter's own languages first, then all that any voice here speaks.
fn languages(info: &compere_avatar::PresenterInfo, voices: &[compere_speech::VoiceInfo]) -> Vec<String> {
    let own = info.voices.iter().map(|voice| voice.language.clone());
    let mut languages: Vec<String> = Vec::new();
    for language in own.chain(voices.iter().map(|voice| voice.language.clone())) {
        if !languages.contains(&language) {
            languages.push(language);
        }
    }
    languages
}
