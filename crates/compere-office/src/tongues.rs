//! Which language each line of a film is taken to be in, and which one speaks it.

use compere_scene::{Film, Speaker, SpeechLine};
use compere_speech::{Hearing, LanguageMismatch, VoiceInfo, VoiceKind, check_language, heard, language_of};

use crate::Office;

compere_media::words! {
    /// What decides the language that a line is spoken in.
    pub enum ToldBy {
        /// Its author: `tts.language`, `model.language`.
        Author = "author",
        /// The voice that was named.
        Voice = "voice",
        /// The text, which plainly looks it.
        Text = "text",
        /// The film: its `language`, or its other lines.
        Film = "film",
        /// The presenter, where nothing else tells.
        Presenter = "presenter",
    }
}

/// The language of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tongue {
    /// Index of its scene.
    pub scene: usize,
    /// `scenes[2].scripts[0]`
    pub path: String,
    /// What its text looks like, where that is plain.
    pub written: Option<&'static str>,
    /// What it is spoken in, and who says so; none where a voice speaks anything.
    pub spoken: Option<(String, ToldBy)>,
    /// What it would be spoken in if its text had no say: the film's language, else the presenter's own.
    pub expected: Option<String>,
    pub clash: Option<LanguageMismatch>,
    pub letters: usize,
}

impl Office {
    /// Of every line that says something.
    pub fn tongues(&self, film: &Film) -> Vec<Tongue> {
        // The list, not the voices themselves: those would load their weights to be asked for their language.
        let voices = self.voices.list();
        let lines = film.scenes.iter().flat_map(|scene| scene.lines.iter().map(|line| (scene.index, line)));
        let words = lines.filter(|(_, line)| line.says_words());
        words.map(|(scene, line)| self.tongue(film, scene, line, &voices)).collect()
    }

    fn tongue(&self, film: &Film, scene: usize, line: &SpeechLine, voices: &[VoiceInfo]) -> Tongue {
        let text = line.text();
        let speaks = self.languages_of(&line.speaker);
        let own = speaks.first().cloned();
        let spoken = match &line.speaker {
            Speaker::Avatar { language: Some(said), .. } | Speaker::Voice { language: Some(said), .. } => {
                Some((said.clone(), ToldBy::Author))
            }
            Speaker::Voice { voice, .. } => of_voice(voice, voices).map(|language| (language, ToldBy::Voice)),
            Speaker::Avatar { .. } => {
                match heard(&text, film.language.as_deref(), &speaks.iter().map(String::as_str).collect::<Vec<_>>()) {
                    Some(Hearing::Text(language)) => Some((language.to_owned(), ToldBy::Text)),
                    Some(Hearing::Film) => film.language.clone().map(|language| (language, ToldBy::Film)),
                    Some(Hearing::Presenter) | None => own.clone().map(|language| (language, ToldBy::Presenter)),
                }
            }
        };
        let fixed = spoken.as_ref().filter(|(_, by)| [ToldBy::Author, ToldBy::Voice].contains(by));
        let clash = fixed.and_then(|(spoken, _)| check_language(&text, spoken, film.language.as_deref()).err());
        let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
        let expected = film.language.clone().or(own);
        Tongue { scene, path: line.path.clone(), written: language_of(&text), spoken, expected, clash, letters }
    }

    /// What the presenter of a line speaks, the own language first.
    fn languages_of(&self, speaker: &Speaker) -> Vec<String> {
        let Speaker::Avatar { avatar, .. } = speaker else { return Vec::new() };
        let voices = self.anybody(avatar).map(|who| who.voices);
        voices.into_iter().flatten().map(|voice| voice.language).collect()
    }
}

fn of_voice(id: &str, voices: &[VoiceInfo]) -> Option<String> {
    let known = voices.iter().find(|info| info.id.eq_ignore_ascii_case(id));
    known.filter(|info| info.kind != VoiceKind::Tone).map(|info| info.language.clone())
}
