//! From what was written to what is true.
//!
//! All problems are collected: a field that cannot be read is noted and replaced by a placeholder, and a document with a
//! single problem never becomes a film.
//!
//! Where the contract leaves a choice:
//! - What the interface calls required is required. `null` is absent.
//! - Sizes of zero are refused like negative ones, except for a line's.
//! - What is not seen needs no place: audio, voice-only presenters, deleted clips.
//! - An opacity of at most 1 on a shape, image, text or video is that many percent, as documented, and a warning, since
//!   it was probably meant as a fraction.

mod background;
mod cast;
mod clip;
mod looks;
mod place;
mod presenter;
mod scene;
mod source;
mod speech;

use serde_json::Value;

use crate::catalogue::Catalogue;
use crate::document::reader::Object;
use crate::film::{Film, Music, OnAssetError, Orientation, Resolution};
use crate::limits::Limits;
use crate::problem::{Notes, Problem, Warning};

/// A film, and what its author may want to know about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    pub film: Film,
    pub warnings: Vec<Warning>,
}

/// What resolving may ask.
#[derive(Clone, Copy)]
struct Given<'a> {
    limits: &'a Limits,
    catalogue: &'a dyn Catalogue,
}

/// Reads a create-project body.
pub fn resolve(project: &Value, limits: &Limits, catalogue: &dyn Catalogue) -> Result<Resolved, Vec<Problem>> {
    let notes = Notes::default();
    let film = Object::new(project, String::new(), &notes).map(|project| film(&project, Given { limits, catalogue }));
    let (film, warnings) = notes.settle(film)?;
    let film = film.expect("a body that is no object is a problem");
    Ok(Resolved { film, warnings })
}

fn film(project: &Object<'_>, given: Given<'_>) -> Film {
    let scenes = project.need_objects("scenes", given.limits.scenes).unwrap_or_default();
    if project.raw("scenes").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        project.blame("scenes", "must have at least one scene");
    }
    let scenes = scenes.into_iter().enumerate();
    Film {
        name: name(project, given.limits),
        orientation: orientation(project),
        resolution: resolution(project),
        scenes: scenes.filter_map(|(index, object)| Some(scene::scene(&object?, index, given))).collect(),
        dictionary: dictionary(project),
        music: music(project),
        on_asset_error: on_asset_error(project),
    }
}

const DEFAULT_NAME: &str = "Default Template";

fn name(project: &Object<'_>, limits: &Limits) -> String {
    let name = project.word("name").unwrap_or(DEFAULT_NAME.into());
    let length = name.chars().count();
    if length > limits.name_chars {
        project.blame("name", format!("must have at most {} characters, has {length}", limits.name_chars));
    }
    name.into_owned()
}

fn orientation(project: &Object<'_>) -> Orientation {
    let names = [(Orientation::Landscape, "landscape"), (Orientation::Portrait, "portrait")];
    project.choice("orientation", &names).unwrap_or_default()
}

fn resolution(project: &Object<'_>) -> Resolution {
    let mut names: Vec<(Resolution, &str)> = Resolution::ALL.iter().map(|&size| (size, size.name())).collect();
    // What people call them; named last, so that messages begin with the interface's own words.
    names.extend([(Resolution::P4k, "2160"), (Resolution::P4k, "2160p")]);
    names.extend([(Resolution::P1080, "1080p"), (Resolution::P720, "720p"), (Resolution::P480, "480p")]);
    project.choice("resolution", &names).unwrap_or_default()
}

fn on_asset_error(project: &Object<'_>) -> OnAssetError {
    project.choice("onAssetError", &[(OnAssetError::Fail, "fail"), (OnAssetError::Skip, "skip")]).unwrap_or_default()
}

fn music(project: &Object<'_>) -> Option<Music> {
    let music = project.object("backgroundAudio")?;
    let source = source::need(&music, "source_url");
    let volume = looks::volume(&music);
    Some(Music { source: source?, volume, path: music.path })
}

/// Words and how to say them. An empty list is what other languages send for an empty object.
fn dictionary(project: &Object<'_>) -> Vec<(String, String)> {
    if project.raw("dictionary").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        return Vec::new();
    }
    let Some(words) = project.object("dictionary") else { return Vec::new() };
    let entry = |word: &str| {
        let said = words.text(word)?;
        if word.trim().is_empty() {
            words.blame("", "must not say an empty word");
            return None;
        }
        Some((word.trim().to_owned(), said.trim().to_owned()))
    };
    words.keys().filter_map(entry).collect()
}
