//! Who says a line, and how.

use std::sync::Arc;

use compere_avatar::Presenter;
use compere_scene::{Speaker, SpeechLine};
use compere_speech::{Gender, Hearing, Script, Voice, heard};

use crate::{RenderError, Workshop};

/// The voice of a line of a film in some language, and its text as voices take it.
pub(crate) fn casting(
    dictionary: &[(String, String)],
    of_film: Option<&str>,
    line: &SpeechLine,
    shop: &Workshop,
) -> Result<(Arc<dyn Voice>, Script), RenderError> {
    let mut script = Script { parts: line.parts.clone(), dictionary: dictionary.to_vec(), speed: 1.0, language: None };
    let voice = match &line.speaker {
        Speaker::Voice { voice, speed, language } => {
            script.speed = *speed;
            script.language.clone_from(language);
            shop.voices.get(voice)
        }
        Speaker::Avatar { avatar, language, .. } => {
            let language = language.clone().or_else(|| language_of(line, of_film, shop.cast.get(avatar).as_ref()));
            let voice = own_voice(shop, avatar, language.as_deref());
            script.language = language;
            voice
        }
    };
    Ok((voice.map_err(|error| RenderError::scene(&line.path, error))?, script))
}

/// What a line that names no language is spoken in: what it plainly looks, else what the film is in. None means the
/// presenter's own, which also makes a text doubtful that only looks like another.
fn language_of(line: &SpeechLine, of_film: Option<&str>, who: Option<&Arc<dyn Presenter>>) -> Option<String> {
    let voices = who.map_or(&[][..], |who| &who.info().voices);
    let speaks: Vec<&str> = voices.iter().map(|voice| voice.language.as_str()).collect();
    match heard(&line.text(), of_film, &speaks)? {
        Hearing::Text(language) => Some(language.to_owned()),
        Hearing::Film => of_film.map(str::to_owned),
        Hearing::Presenter => None,
    }
}

/// The voice an avatar speaks a language with: the one it was given for it, else one of its gender that can.
fn own_voice(
    shop: &Workshop,
    avatar: &str,
    language: Option<&str>,
) -> Result<Arc<dyn Voice>, compere_speech::SpeechError> {
    let Some(member) = shop.cast.get(avatar) else {
        return shop.voices.for_language(language.unwrap_or("en-US"), None);
    };
    let info = member.info();
    let primary = |language: &str| language.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    let wanted = language.map(primary);
    let exact = info.voices.iter().find(|voice| Some(voice.language.as_str()) == language);
    let near = || info.voices.iter().find(|voice| wanted.is_none() || Some(primary(&voice.language)) == wanted);
    if let Some(voice) = exact.or_else(near) {
        return shop.voices.get(&voice.voice);
    }
    let gender = match info.gender.as_str() {
        "female" => Some(Gender::Female),
        "male" => Some(Gender::Male),
        _ => None,
    };
    shop.voices.for_language(language.unwrap_or("en-US"), gender)
}

pub(crate) fn spoken_wrong(line: &SpeechLine, error: compere_speech::SpeechError) -> RenderError {
    match error {
        compere_speech::SpeechError::Cancelled => RenderError::Cancelled,
        other => RenderError::scene(&line.path, other),
    }
}
