//! Changes parts of a project.
//!
//! Entries apply in their order, and either all of them or none. An entry finds its scene by `sceneIdx` (the first that
//! has it; its place in the list where scenes carry none) and in it the clip by `type`, narrowed by `id`, `tag` and
//! `clipIdx`, which counts all clips of the scene. Objects in `values` are merged, everything else is replaced.
//!
//! What surprises less than the letter would: the ids of the scene's script follow the presenter it belongs to, and a
//! background that gets a picture stops being a plain colour.
//!
//! Whether the changed project still makes a film is for [`resolve`](crate::resolve()) to say.

use serde_json::{Map, Value, json};

use super::reader::{Item, Object, describe, shortened};
use crate::problem::{Notes, Problem};

/// Changes `project` as the `updates` of an edit request say: `{"value": […], "backgroundAudio": {…}}`, or a bare list.
pub fn edit(project: &mut Value, updates: &Value) -> Result<(), Vec<Problem>> {
    let notes = Notes::default();
    let mut edited = project.clone();
    let wrapped = json!({ "updates": updates });
    if let Some(wrapped) = Object::new(&wrapped, String::new(), &notes) {
        apply_all(&mut edited, &wrapped);
    }
    notes.settle(())?;
    *project = edited;
    Ok(())
}

/// More entries than the largest project has clips.
const MOST: usize = 30_000;

fn apply_all(project: &mut Value, wrapped: &Object<'_>) {
    let mut entries = Vec::new();
    if wrapped.raw("updates").is_some_and(Value::is_array) {
        entries = wrapped.need_items("updates", MOST);
    } else if let Some(updates) = wrapped.need("updates", Object::object) {
        let music = updates.map().get("backgroundAudio");
        if updates.raw("value").is_some() || music.is_none() {
            entries = updates.need_items("value", MOST);
        }
        if let Some(music) = music {
            set_music(project, &updates, music);
        }
    }
    for entry in entries.into_iter().filter_map(Item::object) {
        apply(project, &entry);
    }
}

/// Null takes the music away.
fn set_music(project: &mut Value, updates: &Object<'_>, music: &Value) {
    match (project, music) {
        (Value::Object(project), Value::Object(_) | Value::Null) => {
            project.insert("backgroundAudio".to_owned(), music.clone());
        }
        (_, other) => updates.blame("backgroundAudio", format!("must be an object, was {}", describe(other))),
    }
}

const TYPES: [(&str, &str); 7] = [
    ("aiModel", "aiModel"),
    ("shape", "shape"),
    ("image", "image"),
    ("textImage", "textImage"),
    ("videoImage", "videoImage"),
    ("audio", "audio"),
    ("background", "background"),
];

fn apply(project: &mut Value, entry: &Object<'_>) {
    let index = entry.need("sceneIdx", Object::number);
    let kind = entry.need("type", |entry, key| entry.choice(key, &TYPES));
    let values = entry.need("values", Object::object);
    let (Some(index), Some(kind), Some(values)) = (index, kind, values) else { return };
    let Some(scene) = find_scene(project, index) else {
        return entry.blame("sceneIdx", format!("no scene has the index {index}"));
    };
    if kind == "background" {
        return change_background(scene, &values);
    }
    let clip = find_clip(scene, kind, entry);
    match (kind, clip) {
        ("aiModel", Some(clip)) => change_presenter(scene, clip, &values),
        ("aiModel", None) if has_script(scene) && is_only_script(&values) && !is_narrowed(entry) => {
            change_script(scene, None, &values);
        }
        (_, Some(clip)) => merge(&mut scene["clips"][clip], values.map()),
        (_, None) => entry.blame("", no_match(index, kind, entry)),
    }
}

fn no_match(scene: f64, kind: &str, entry: &Object<'_>) -> String {
    let mut message = format!("matches nothing: scene {scene} has no clip of type `{kind}`");
    for key in ["id", "tag", "clipIdx"] {
        if let Some(word) = entry.word(key) {
            message.push_str(&format!(" with the {key} `{}`", shortened(&word)));
        }
    }
    message
}

fn find_scene(project: &mut Value, index: f64) -> Option<&mut Value> {
    let scenes = project.get_mut("scenes")?.as_array_mut()?;
    let indices: Vec<Option<f64>> = scenes.iter().map(scene_index).collect();
    let found = if indices.iter().any(Option::is_some) {
        indices.iter().position(|&own| own == Some(index))
    } else {
        (index >= 0.0 && index.fract() == 0.0).then_some(index as usize)
    };
    scenes.get_mut(found?).filter(|scene| scene.is_object())
}

fn scene_index(scene: &Value) -> Option<f64> {
    match scene.get("sceneIdx")? {
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_f64(),
    }
}

fn is_narrowed(entry: &Object<'_>) -> bool {
    ["id", "tag", "clipIdx"].iter().any(|key| entry.word(key).is_some())
}

/// The first clip of the type that every narrowing fits. A deleted presenter is passed over for one who is not.
fn find_clip(scene: &Value, kind: &str, entry: &Object<'_>) -> Option<usize> {
    let (id, tag, index) = (entry.word("id"), entry.word("tag"), entry.number("clipIdx"));
    let clips = scene.get("clips")?.as_array()?;
    let fits = |&(number, clip): &(usize, &Value)| {
        let is = |key: &str, wanted: Option<&str>| {
            wanted.is_none_or(|wanted| text_of(&clip[key]).as_deref() == Some(wanted))
        };
        clip["type"].as_str().is_some_and(|own| own.eq_ignore_ascii_case(kind))
            && is("id", id.as_deref())
            && is("tag", tag.as_deref())
            && index.is_none_or(|index| index == number as f64)
    };
    let fitting = || clips.iter().enumerate().filter(fits);
    fitting().find(|(_, clip)| !is_deleted(clip)).or_else(|| fitting().next()).map(|(number, _)| number)
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn is_deleted(clip: &Value) -> bool {
    clip["isDelete"] == Value::Bool(true)
}

fn change_background(scene: &mut Value, values: &Object<'_>) {
    if !scene["background"].is_object() {
        scene["background"] = json!({ "id": "background", "type": "background" });
    }
    let background = &mut scene["background"];
    merge(background, values.map());
    let gets_picture = values.word("source_url").is_some() && values.raw("source_type").is_none();
    if gets_picture && background["source_type"].as_str().is_some_and(|kind| kind.starts_with("colo")) {
        background["source_type"] = json!("image");
    }
}

/// Merges all but the speech into the clip; the speech goes to where it is kept.
fn change_presenter(scene: &mut Value, clip: usize, values: &Object<'_>) {
    let owns_script = script_owner(scene) == Some(clip);
    let mut others = values.map().clone();
    others.shift_remove("script");
    for (short, long) in [("modelId", "ai_name"), ("clothId", "emotion")] {
        if let Some(id) = others.shift_remove(short)
            && let Value::Object(model) = others.entry("model").or_insert_with(|| json!({}))
        {
            model.insert(long.to_owned(), id);
        }
    }
    merge(&mut scene["clips"][clip], &others);
    if owns_script {
        for (short, long) in [("modelId", "ai_name"), ("clothId", "emotion")] {
            if others.get("model").and_then(|model| model.get(long)).is_some() {
                scene["scripts"][0][short] = scene["clips"][clip]["model"][long].clone();
            }
        }
    }
    change_script(scene, (!owns_script).then_some(clip), values);
}

/// The presenter whom `scripts[0]` belongs to: the one it names, else the first; as when the project is resolved.
fn script_owner(scene: &Value) -> Option<usize> {
    let script = scene.get("scripts")?.get(0).filter(|script| script.is_object())?;
    let presenters = scene.get("clips")?.as_array()?.iter().enumerate();
    let presenters = presenters.filter(|(_, clip)| clip["type"] == "aiModel");
    let mut alive: Vec<(usize, &Value)> = presenters.clone().filter(|(_, clip)| !is_deleted(clip)).collect();
    if alive.is_empty() {
        alive = presenters.collect();
    }
    let named = |(_, clip): &&(usize, &Value)| {
        clip["model"]["ai_name"] == script["modelId"] && clip["model"]["emotion"] == script["clothId"]
    };
    alive.iter().find(named).or(alive.first()).map(|&(number, _)| number)
}

fn has_script(scene: &Value) -> bool {
    scene.get("scripts").and_then(|scripts| scripts.get(0)).is_some_and(Value::is_object)
}

fn is_only_script(values: &Object<'_>) -> bool {
    values.keys().all(|key| key == "script")
}

/// Sets what is said by the clip, or by the scene's own script.
fn change_script(scene: &mut Value, clip: Option<usize>, values: &Object<'_>) {
    let Some(script) = values.raw("script") else { return };
    let kept = match clip {
        None => &mut scene["scripts"][0],
        Some(clip) => &mut scene["clips"][clip]["script"],
    };
    match (script, kept) {
        (Value::String(_), kept @ Value::Object(_)) => kept["org"] = script.clone(),
        (Value::String(_), kept) => *kept = json!({ "org": script }),
        (Value::Object(fields), kept) => merge(kept, fields),
        (other, _) => values.blame("script", format!("must be a text or an object, was {}", describe(other))),
    }
}

/// Objects are merged, everything else is replaced.
pub(super) fn merge(target: &mut Value, values: &Map<String, Value>) {
    if !target.is_object() {
        *target = json!({});
    }
    let Value::Object(target) = target else { return };
    for (key, value) in values {
        match (target.get_mut(key), value) {
            (Some(own @ Value::Object(_)), Value::Object(fields)) => merge(own, fields),
            _ => {
                target.insert(key.clone(), value.clone());
            }
        }
    }
}
