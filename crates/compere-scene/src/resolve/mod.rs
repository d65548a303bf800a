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
pub(crate) mod cast;
mod clip;
mod effects;
mod figure;
mod looks;
mod place;
mod presenter;
mod runs;
mod scene;
mod sight;
mod source;
mod speech;
mod stock;
mod tongue;

use serde_json::Value;

use crate::catalogue::Catalogue;
use crate::document::reader::Object;
use crate::estimate::at_least;
use crate::film::{Film, Font, Music, OnAssetError, Orientation, Resolution, Source};
use crate::limits::Limits;
use crate::problem::{Notes, Problem, Warning};
use crate::schema::{PROJECT, TYPECASE};

/// A film, and what its author may want to know about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    pub film: Film,
    pub warnings: Vec<Warning>,
}

/// What resolving may ask.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    pub(crate) limits: &'a Limits,
    pub(crate) catalogue: &'a dyn Catalogue,
    /// A file that is not there is left out of the film and noted then, not refused now.
    pub(crate) skips_missing: bool,
}

/// Reads a create-project body.
pub fn resolve(project: &Value, limits: &Limits, catalogue: &dyn Catalogue) -> Result<Resolved, Vec<Problem>> {
    let notes = Notes::default();
    let film = Object::new(project, String::new(), &PROJECT, &notes).map(|project| {
        let skips_missing = project.raw("onAssetError").is_some_and(|wish| wish == "skip");
        let film = film(&project, Given { limits, catalogue, skips_missing });
        check_length_of_film(&project, &film, limits);
        sight::look(&film, &notes);
        film
    });
    let (film, warnings) = notes.settle(film)?;
    let film = film.expect("a body that is no object is a problem");
    Ok(Resolved { film, warnings })
}

fn film(project: &Object<'_>, given: Given<'_>) -> Film {
    project.warn_of_slips();
    let scenes = project.need_items("scenes", given.limits.scenes);
    if project.raw("scenes").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        project.blame("scenes", "must have at least one scene");
    }
    // In the order in which they are written: so is what is wrong with them told.
    let (name, orientation, resolution) = (name(project, given.limits), orientation(project), resolution(project));
    let scenes = scenes.into_iter().enumerate();
    let scenes: Vec<_> = scenes.filter_map(|(index, item)| Some(scene::scene(&item.object()?, index, given))).collect();
    Film {
        name,
        orientation,
        resolution,
        language: tongue::of_film(project, &scenes, given),
        scenes,
        dictionary: dictionary(project),
        music: music(project, given),
        on_asset_error: on_asset_error(project),
        fonts: fonts(project),
    }
}

/// Before anything is spoken: a thousand pauses of half a minute are a small document and a very long silence.
fn check_length_of_film(project: &Object<'_>, film: &Film, limits: &Limits) {
    let seconds = at_least(film);
    if seconds > limits.film_seconds {
        let most = limits.film_seconds;
        project.blame("scenes", format!("must last at most {most} s together, would last at least {seconds:.0} s"));
    }
}

const DEFAULT_NAME: &str = "Default Template";
/// More than any account has.
const MOST_FONTS: usize = 1000;
/// Where the service keeps fonts that it looked at.
const OURS: &str = "/media/f/";

/// A text must not be longer than a limit.
pub(crate) fn check_length(object: &Object<'_>, key: &str, text: &str, limit: usize) {
    let length = text.chars().count();
    if length > limit {
        object.blame(key, format!("must have at most {limit} characters, has {length}"));
    }
}

fn name(project: &Object<'_>, limits: &Limits) -> String {
    let name = project.word("name").unwrap_or(DEFAULT_NAME.into());
    check_length(project, "name", &name, limits.name_chars);
    name.into_owned()
}

fn orientation(project: &Object<'_>) -> Orientation {
    let names = Orientation::ALL.map(|orientation| (orientation, orientation.as_str()));
    project.choice("orientation", &names).unwrap_or_default()
}

fn resolution(project: &Object<'_>) -> Resolution {
    // What people call them besides; messages list only the interface's own words.
    match project.word("resolution").as_deref() {
        Some("2160" | "2160p") => return Resolution::P4k,
        Some("1080p") => return Resolution::P1080,
        Some("720p") => return Resolution::P720,
        Some("480p") => return Resolution::P480,
        _ => {}
    }
    let names = Resolution::ALL.map(|resolution| (resolution, resolution.as_str()));
    project.choice("resolution", &names).unwrap_or_default()
}

fn on_asset_error(project: &Object<'_>) -> OnAssetError {
    project.choice("onAssetError", &[(OnAssetError::Fail, "fail"), (OnAssetError::Skip, "skip")]).unwrap_or_default()
}

fn music(project: &Object<'_>, given: Given<'_>) -> Option<Music> {
    let music = project.object("backgroundAudio")?;
    let source = source::need(&music, "source_url", given);
    let volume = looks::volume(&music);
    Some(Music { source: source?, volume, path: music.path })
}

/// Fonts of the account that its texts ask for, which the service writes down with an order. What others write there, by
/// chance or on purpose, is nothing to draw with: a font that nobody looked at is opened by nobody.
fn fonts(project: &Object<'_>) -> Vec<Font> {
    let listed = project.raw(TYPECASE).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let font = |(at, font): (usize, &Value)| {
        let (family, source) = (font["family"].as_str()?, font["source_url"].as_str()?);
        let path = format!("{TYPECASE}[{at}]");
        source.starts_with(OURS).then(|| Font { family: family.to_owned(), source: Source(source.to_owned()), path })
    };
    listed.iter().take(MOST_FONTS).enumerate().filter_map(font).collect()
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
