//! Changes parts of a project by the tags that its author gave them.
//!
//! `{"title": "Hello", "title_2": "Bye", "scripts_1": "…"}`: a key is a tag and, after an underscore, which of the clips
//! with that tag it means, counted from zero over the whole film; without one it is the first. `scripts` is what is said,
//! and its number is the scene's. A tag that itself ends in a number is taken at its word first.
//!
//! A text clip gets a text, a picture, video or sound an address. All changes are made or none.

use serde_json::{Value, json};

use super::edit::{Edited, set_script};
use super::reader::{Object, describe, shortened};
use crate::nearest::{all_of, did_you_mean, nearest};
use crate::problem::{Code, Notes, Problem};
use crate::schema::ANYTHING;

/// What is said, as opposed to a tag.
const SCRIPTS: &str = "scripts";

/// Changes `project` as `updates` say.
pub fn modify(project: &mut Value, updates: &Value) -> Result<Edited, Vec<Problem>> {
    let notes = Notes::default();
    let mut changed = project.clone();
    let mut told = Edited::default();
    if let Some(updates) = Object::new(updates, "updates".to_owned(), &ANYTHING, &notes) {
        for key in updates.keys() {
            apply(&mut changed, &updates, key, &mut told);
        }
    }
    notes.settle(())?;
    *project = changed;
    Ok(told)
}

fn apply(project: &mut Value, updates: &Object<'_>, key: &str, told: &mut Edited) {
    let Some(words) = updates.raw(key) else { return };
    let Value::String(words) = words else {
        return updates.blame(key, format!("must be a text, was {}", describe(words)));
    };
    let scenes = project.get_mut("scenes").and_then(Value::as_array_mut);
    let scenes = scenes.map_or(&mut [] as &mut [Value], Vec::as_mut_slice);
    let (name, number) = numbered(key);
    if name == SCRIPTS {
        let count = scenes.len();
        let said = scenes.get_mut(number).and_then(|scene| set_script(scene, words));
        match said {
            Some(place) => told.note(format!("scenes[{number}].{place}"), updates.path_of(key)),
            None if number < count => updates.blame(key, format!("scene {number} has nobody who could say it")),
            None => updates.blame(key, format!("there is no scene {number}; the film has {count}, counted from 0")),
        }
        return;
    }
    let tagged = |tag: &str, number: usize| place(scenes, tag, number);
    match tagged(key, 0).or_else(|| tagged(name, number)) {
        Some((scene, clip)) => {
            let Some(field) = field(&scenes[scene]["clips"][clip]) else {
                return updates.blame(key, "names a clip that has neither words nor an address");
            };
            scenes[scene]["clips"][clip][field] = json!(words);
            told.note(format!("scenes[{scene}].clips[{clip}].{field}"), updates.path_of(key));
        }
        None => unknown(scenes, updates, key, name),
    }
}

/// `title_2` is the third `title`.
fn numbered(key: &str) -> (&str, usize) {
    let parts = key.rsplit_once('_');
    parts.and_then(|(name, number)| Some((name, number.parse().ok()?))).unwrap_or((key, 0))
}

fn tag(clip: &Value) -> Option<&str> {
    clip.get("tag")?.as_str().filter(|tag| !tag.is_empty())
}

/// Every clip with its scene's number and its own.
fn clips(scenes: &[Value]) -> impl Iterator<Item = (usize, usize, &Value)> {
    scenes.iter().enumerate().flat_map(|(number, scene)| {
        let clips = scene.get("clips").and_then(Value::as_array).into_iter().flatten();
        clips.enumerate().map(move |(clip, value)| (number, clip, value))
    })
}

fn place(scenes: &[Value], wanted: &str, number: usize) -> Option<(usize, usize)> {
    let tagged = clips(scenes).filter(|(_, _, clip)| tag(clip) == Some(wanted));
    tagged.map(|(scene, clip, _)| (scene, clip)).nth(number)
}

/// What of a clip its words replace.
fn field(clip: &Value) -> Option<&'static str> {
    match clip.get("type")?.as_str()? {
        "textImage" => Some("text"),
        "image" | "audio" => Some("source_url"),
        "videoImage" => Some("video_url"),
        _ => None,
    }
}

fn unknown(scenes: &[Value], updates: &Object<'_>, key: &str, name: &str) {
    let mut tags: Vec<&str> = clips(scenes).filter_map(|(_, _, clip)| tag(clip)).collect();
    let of_name = tags.iter().filter(|tag| **tag == name).count();
    tags.sort_unstable();
    tags.dedup();
    let message = match of_name {
        0 => format!("no clip has the tag `{}`", shortened(name)),
        1 => format!("there is one clip with the tag `{name}`, which is `{name}` or `{name}_0`"),
        more => format!("there are {more} clips with the tag `{name}`, up to `{name}_{}`", more - 1),
    };
    let near = nearest(name, tags.iter().copied()).first().map(|near| did_you_mean(near));
    let listed = || match tags.as_slice() {
        [] => "the project has no tags; `scripts` changes what is said".to_owned(),
        tags => format!("the tags are {}; `scripts` changes what is said", all_of(tags.iter().copied().take(12))),
    };
    let hint = (of_name == 0).then(|| near.unwrap_or_else(listed));
    updates.blame_as(Code::InvalidBody, key, message, hint);
}
