//! What language a film is in.

use super::Given;
use crate::catalogue::speaks;
use crate::document::reader::{Object, shortened};
use crate::film::{Scene, Speaker};

/// As its author says, else as most of its letters plainly look.
pub(super) fn of_film(project: &Object<'_>, scenes: &[Scene], given: Given<'_>) -> Option<String> {
    let Some(said) = project.word("language") else { return of_most_letters(scenes, given) };
    let mut voices = given.catalogue.voices().iter().filter(|voice| !voice.languages.is_empty()).peekable();
    if voices.peek().is_some() && !voices.any(|voice| speaks(&voice.languages, &said)) {
        project.warn("language", format!("no voice here speaks `{}`", shortened(&said)));
    }
    Some(said.into_owned())
}

/// The language of more than half of the letters of which anybody can tell; but one line alone says nothing of a film.
fn of_most_letters(scenes: &[Scene], given: Given<'_>) -> Option<String> {
    let mut shares: Vec<(String, usize, usize)> = Vec::new();
    for line in scenes.iter().flat_map(|scene| &scene.lines) {
        let text = line.text();
        let said = match &line.speaker {
            Speaker::Avatar { language, .. } | Speaker::Voice { language, .. } => language.as_deref(),
        };
        let Some(language) = said.or_else(|| given.catalogue.language_of(&text)) else { continue };
        let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
        match shares.iter_mut().find(|(known, ..)| known == language) {
            Some((_, count, lines)) => (*count, *lines) = (*count + letters, *lines + 1),
            None => shares.push((language.to_owned(), letters, 1)),
        }
    }
    let all: usize = shares.iter().map(|(_, letters, _)| letters).sum();
    let (language, most, lines) = shares.into_iter().max_by_key(|(_, letters, _)| *letters)?;
    (lines > 1 && most * 2 > all).then_some(language)
}
