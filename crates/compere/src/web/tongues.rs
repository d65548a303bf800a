//! Which language each line of a film is written in, as far as it can be told, and which one was chosen to speak it.

use compere_office::Office;
use compere_scene::{Film, Speaker};
use compere_speech::{LanguageMismatch, VoiceKind, check_language, language_name, language_of};
use serde_json::{Value, json};

/// The language of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tongue {
    /// `scenes[2].scripts[0]`
    pub path: String,
    /// What its text looks like, where that is plain.
    pub written: Option<&'static str>,
    /// What it is spoken in whatever is written: by a voice that speaks one language, or because somebody said so.
    pub spoken: Option<String>,
    pub clash: Option<LanguageMismatch>,
    letters: usize,
}

impl Tongue {
    /// For scripts, with names for people.
    pub fn told(&self) -> Value {
        json!({
            "path": self.path, "written": self.written, "writtenName": self.written.map(language_name),
            "spoken": self.spoken, "spokenName": self.spoken.as_deref().map(language_name),
            "clash": self.clash.is_some(),
        })
    }
}

/// Of every line that says something.
pub fn tongues(office: &Office, film: &Film) -> Vec<Tongue> {
    // The list, not the voices themselves: those would load their weights to be asked for their language.
    let voices = office.voices.list();
    let of_voice = |id: &str| {
        let known = voices.iter().find(|info| info.id.eq_ignore_ascii_case(id));
        known.filter(|info| info.kind != VoiceKind::Tone).map(|info| info.language.clone())
    };
    let lines = film.scenes.iter().flat_map(|scene| &scene.lines).filter(|line| line.says_words());
    let tongue = |line: &compere_scene::SpeechLine| {
        let text = line.text();
        let spoken = match &line.speaker {
            Speaker::Avatar { language, .. } => language.clone(),
            Speaker::Voice { voice, language, .. } => language.clone().or_else(|| of_voice(voice)),
        };
        let clash = spoken.as_deref().and_then(|spoken| check_language(&text, spoken).err());
        let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
        Tongue { path: line.path.clone(), written: language_of(&text), spoken, clash, letters }
    };
    lines.map(tongue).collect()
}

/// The languages of a film's captions as tags, the one with most words first.
pub fn of_captions(tongues: &[Tongue]) -> Vec<String> {
    let mut shares: Vec<(String, usize)> = Vec::new();
    for tongue in tongues {
        let language = tongue.written.map(str::to_owned).or_else(|| tongue.spoken.clone());
        let Some(language) = language else { continue };
        let primary = language.split('-').next().unwrap_or(&language).to_owned();
        match shares.iter_mut().find(|(known, _)| *known == primary) {
            Some((_, letters)) => *letters += tongue.letters,
            None => shares.push((primary, tongue.letters)),
        }
    }
    shares.sort_by_key(|(_, letters)| std::cmp::Reverse(*letters));
    if shares.is_empty() { vec!["en".to_owned()] } else { shares.into_iter().map(|(language, _)| language).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tongue(written: Option<&'static str>, spoken: Option<&str>, letters: usize) -> Tongue {
        Tongue { path: String::new(), written, spoken: spoken.map(str::to_owned), clash: None, letters }
    }

    #[test]
    fn captions_are_in_the_language_of_most_of_their_letters() {
        let film =
            [tongue(Some("en"), None, 20), tongue(Some("ko"), Some("ko-KR"), 90), tongue(None, Some("en-GB"), 30)];
        assert_eq!(of_captions(&film), ["ko", "en"]);
        assert_eq!(of_captions(&[tongue(None, None, 9)]), ["en"], "too short to tell, and nobody said");
    }
}
