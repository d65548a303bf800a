//! Who can present and speak and which files there are, as the scene language asks for it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use compere_avatar::Cast;
use compere_scene::{AvatarEntry, BackgroundEntry, Catalogue, Code, Film, OutfitEntry, Problem, Speaker, VoiceEntry};
use compere_speech::{VoiceKind, Voices, check_language};

use crate::assets::site;
use crate::backdrops;
use crate::links::Links;

/// The cast, the voices and the files of this machine.
#[derive(Debug, Clone, Default)]
pub struct House {
    avatars: Vec<AvatarEntry>,
    voices: Vec<VoiceEntry>,
    aliases: BTreeMap<String, String>,
    fallback: Option<String>,
    backgrounds: Vec<BackgroundEntry>,
    /// Folders whose files are the site's; none where paths are not looked at.
    site: Vec<PathBuf>,
    /// Which links to media are ours; none where nobody can tell.
    links: Option<Links>,
}

impl House {
    pub fn of(cast: &Cast, voices: &Voices) -> Self {
        let voice = |voice: compere_speech::VoiceInfo| VoiceEntry { id: voice.id, languages: vec![voice.language] };
        let voices: Vec<VoiceEntry> = voices.list().into_iter().map(voice).collect();
        Self {
            avatars: cast.list().iter().map(|info| avatar_entry(info, &voices)).collect(),
            voices,
            aliases: BTreeMap::new(),
            fallback: None,
            backgrounds: backdrops::entries(),
            site: Vec::new(),
            links: None,
        }
    }

    /// The same, who also know which links to uploads and slides are ours.
    #[must_use]
    pub fn with_links(self, links: Links) -> Self {
        Self { links: Some(links), ..self }
    }

    /// The same, who also know which files paths like `/images/logo.png` lead to. May be said several times.
    #[must_use]
    pub fn with_files_of(mut self, folder: &Path) -> Self {
        self.site.push(folder.to_owned());
        self
    }

    /// The same with others behind, whom only some may show. Nobody of the cast is hidden by them.
    #[must_use]
    pub fn beside(mut self, others: &[compere_avatar::PresenterInfo]) -> Self {
        self.avatars.extend(others.iter().map(|info| avatar_entry(info, &self.voices)));
        self
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

    fn backgrounds(&self) -> &[BackgroundEntry] {
        &self.backgrounds
    }

    fn has_file(&self, path: &str) -> Option<bool> {
        let bare = path.split(['?', '#']).next().unwrap_or_default();
        // Uploads and slides are found by their signature, not by their name.
        if bare.starts_with("/media/") {
            return self.links.as_ref().map(|links| links.leads_to(bare).is_some());
        }
        if self.site.is_empty() {
            return None;
        }
        let painted = self.backgrounds.iter().any(|entry| entry.path == bare);
        Some(painted || self.site.iter().any(|folder| site::file(folder, path).is_ok()))
    }

    fn files(&self) -> Vec<String> {
        self.site.iter().flat_map(|folder| site::pictures(folder)).collect()
    }

    fn language_of(&self, text: &str) -> Option<&'static str> {
        compere_speech::language_of(text)
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

fn avatar_entry(info: &compere_avatar::PresenterInfo, voices: &[VoiceEntry]) -> AvatarEntry {
    AvatarEntry {
        id: info.id.clone(),
        aliases: info.aliases.clone(),
        outfits: info.outfits.iter().map(|outfit| outfit_entry(info, outfit)).collect(),
        languages: languages(info, voices),
    }
}

/// A presenter's own languages first, then all that any voice here speaks.
fn languages(info: &compere_avatar::PresenterInfo, voices: &[VoiceEntry]) -> Vec<String> {
    let own = info.voices.iter().map(|voice| voice.language.clone());
    let mut languages: Vec<String> = Vec::new();
    for language in own.chain(voices.iter().flat_map(|voice| voice.languages.clone())) {
        if !languages.contains(&language) {
            languages.push(language);
        }
    }
    languages
}

/// Lines whose text is plainly not in the language of the voice chosen for them. A voice that is given a language of its
/// own (`tts.language`) is taken at its word.
pub fn mismatched(voices: &Voices, film: &Film) -> Vec<Problem> {
    let mut problems = Vec::new();
    // The list, not the voices themselves: those would load their weights to be asked for their language.
    let known = voices.list();
    for line in film.scenes.iter().flat_map(|scene| &scene.lines) {
        let Speaker::Voice { voice, language: None, .. } = &line.speaker else { continue };
        let Some(info) = known.iter().find(|info| info.id.eq_ignore_ascii_case(voice)) else { continue };
        if info.kind == VoiceKind::Tone {
            continue;
        }
        if let Err(mismatch) = check_language(&line.text(), &info.language, film.language.as_deref()) {
            let fitting: Vec<String> = voices.speaking(mismatch.text).into_iter().take(4).map(|info| info.id).collect();
            let hint = format!("voices that fit: {}; or say so in tts.language", fitting.join(", "));
            let (path, message) = (line.path.clone(), mismatch.to_string());
            problems.push(Problem { path, message, hint: Some(hint), code: Code::InvalidBody });
        }
    }
    problems
}
