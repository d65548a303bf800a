//! Changes parts of a project.
//!
//! Entries apply in their order, and either all of them or none. An entry finds its scene by `sceneIdx` (its place in the
//! list where several scenes have that index, or none has) and in it the clip by `type`, narrowed by `id`, `tag` and
//! `clipIdx`, which counts all clips of the scene. Objects in `values` are merged, everything else is replaced.
//!
//! What surprises less than the letter would: the ids of the scene's script follow the presenter it belongs to, and a
//! background that gets a picture stops being a plain colour.
//!
//! Whether the changed project still makes a film is for [`resolve`](crate::resolve()) to say; [`Edited::in_request`] puts
//! what it says into the words of the request.

use serde_json::{Map, Value, json};

use super::reader::{Item, Object, describe, shortened};
use crate::problem::{Notes, Problem};
use crate::schema::EDIT;

/// Changes `project` as the `updates` of an edit request say: `{"value": […], "backgroundAudio": {…}}`, or a bare list.
pub fn edit(project: &mut Value, updates: &Value) -> Result<Edited, Vec<Problem>> {
    let notes = Notes::default();
    let mut edited = project.clone();
    let mut told = Edited::default();
    let wrapped = json!({ "updates": updates });
    if let Some(wrapped) = Object::new(&wrapped, String::new(), &EDIT, &notes) {
        apply_all(&mut edited, &wrapped, &mut told);
    }
    notes.settle(())?;
    *project = edited;
    Ok(told)
}

/// Which part of an edit request changed which part of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edited {
    /// A path in the project, and the one in the request that it came from; later ones win.
    moves: Vec<(String, String)>,
}

impl Edited {
    pub(crate) fn note(&mut self, project: String, request: String) {
        self.moves.push((project, request));
    }

    /// A path of the changed project as a path of the request, where the request set what stands there; of a whole element
    /// of which it set something, the path of the entry that did.
    pub fn path(&self, project: &str) -> String {
        let rest = |start: &str| {
            let rest = project.strip_prefix(start)?;
            (rest.is_empty() || rest.starts_with(['.', '['])).then_some(rest)
        };
        let found = self.moves.iter().rev().find_map(|(from, to)| Some((to, rest(from)?)));
        let part = |from: &str| from.strip_prefix(project).is_some_and(|rest| rest.starts_with(['.', '[']));
        let is_element = [".clips[", ".scripts[", ".AIModel"].iter().any(|list| project.contains(list));
        let entry = || {
            let (_, to) = self.moves.iter().rev().find(|(from, _)| is_element && part(from))?;
            to.split_once(".values").map(|(entry, _)| entry.to_owned())
        };
        found.map(|(to, rest)| format!("{to}{rest}")).or_else(entry).unwrap_or_else(|| project.to_owned())
    }

    /// Problems of the changed project with the paths of the request.
    #[must_use]
    pub fn in_request(&self, problems: Vec<Problem>) -> Vec<Problem> {
        problems.into_iter().map(|problem| Problem { path: self.path(&problem.path), ..problem }).collect()
    }
}

/// More entries than the largest project has clips.
const MOST: usize = 30_000;

fn apply_all(project: &mut Value, wrapped: &Object<'_>, edited: &mut Edited) {
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
            edited.note("backgroundAudio".to_owned(), updates.path_of("backgroundAudio"));
        }
    }
    for entry in entries.into_iter().filter_map(Item::object) {
        apply(project, &entry, edited);
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

fn apply(project: &mut Value, entry: &Object<'_>, edited: &mut Edited) {
    let index = entry.need("sceneIdx", Object::index);
    let kind = entry.need("type", |entry, key| entry.choice(key, &TYPES));
    let values = entry.need("values", Object::object);
    let (Some(index), Some(kind), Some(values)) = (index, kind, values) else { return };
    let Some((number, scene)) = find_scene(project, index) else {
        return entry.blame("sceneIdx", format!("no scene has the index {index}"));
    };
    let mut change = Change { at: format!("scenes[{number}]"), scene, values: &values, edited };
    if kind == "background" {
        return change.background();
    }
    let clip = find_clip(change.scene, kind, entry);
    match (kind, clip) {
        ("aiModel", Some(clip)) => change.presenter(clip),
        ("aiModel", None) if has_script(change.scene) && is_only_script(&values) && !is_narrowed(entry) => {
            change.script(None);
        }
        (_, Some(clip)) => change.clip(clip),
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

/// The scene with that index, and its place. Copied scenes keep the index of the one they were copied from, so an index
/// that several have, or none, is a place.
fn find_scene(project: &mut Value, index: f64) -> Option<(usize, &mut Value)> {
    let scenes = project.get_mut("scenes")?.as_array_mut()?;
    let mut named = scenes.iter().enumerate().filter(|(_, scene)| scene_index(scene) == Some(index));
    let number = match (named.next(), named.next()) {
        (Some((only, _)), None) => only,
        _ => index as usize,
    };
    let scene = scenes.get_mut(number).filter(|scene| scene.is_object())?;
    Some((number, scene))
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

/// One entry at work on its scene.
struct Change<'p, 'v> {
    /// `scenes[2]`
    at: String,
    scene: &'p mut Value,
    values: &'v Object<'v>,
    edited: &'v mut Edited,
}

impl Change<'_, '_> {
    /// Every value stands at `place` of the scene under its own key.
    fn note_all(&mut self, place: &str) {
        for key in self.values.keys() {
            self.note(&format!("{place}.{key}"), key);
        }
    }

    fn note(&mut self, place: &str, key: &str) {
        self.edited.note(format!("{}.{place}", self.at), self.values.path_of(key));
    }

    fn clip(&mut self, clip: usize) {
        merge(&mut self.scene["clips"][clip], self.values.map());
        self.note_all(&format!("clips[{clip}]"));
    }

    fn background(&mut self) {
        if !self.scene["background"].is_object() {
            self.scene["background"] = json!({ "id": "background", "type": "background" });
        }
        let background = &mut self.scene["background"];
        merge(background, self.values.map());
        let gets_picture = self.values.word("source_url").is_some() && self.values.raw("source_type").is_none();
        if gets_picture && background["source_type"].as_str().is_some_and(|kind| kind.starts_with("colo")) {
            background["source_type"] = json!("image");
        }
        self.note_all("background");
    }

    /// Merges all but the speech into the clip; the speech goes to where it is kept.
    fn presenter(&mut self, clip: usize) {
        const IDS: [(&str, &str); 2] = [("modelId", "ai_name"), ("clothId", "emotion")];
        let owns_script = script_owner(self.scene) == Some(clip);
        self.note_all(&format!("clips[{clip}]"));
        let mut others = self.values.map().clone();
        others.shift_remove("script");
        for (short, long) in IDS {
            if let Some(id) = others.shift_remove(short)
                && let Value::Object(model) = others.entry("model").or_insert_with(|| json!({}))
            {
                model.insert(long.to_owned(), id);
                self.note(&format!("clips[{clip}].model.{long}"), short);
            }
        }
        merge(&mut self.scene["clips"][clip], &others);
        for (short, long) in IDS.iter().filter(|_| owns_script) {
            if others.get("model").and_then(|model| model.get(*long)).is_some() {
                self.scene["scripts"][0][*short] = self.scene["clips"][clip]["model"][*long].clone();
            }
        }
        self.script((!owns_script).then_some(clip));
    }

    /// Sets what is said by the clip, or by the scene's own script.
    fn script(&mut self, clip: Option<usize>) {
        let Some(script) = self.values.raw("script") else { return };
        let (kept, at) = match clip {
            None => (&mut self.scene["scripts"][0], "scripts[0]".to_owned()),
            Some(clip) => (&mut self.scene["clips"][clip]["script"], format!("clips[{clip}].script")),
        };
        match (script, kept) {
            (Value::String(_), kept) => {
                match kept {
                    Value::Object(kept) => drop(kept.insert("org".to_owned(), script.clone())),
                    kept => *kept = json!({ "org": script }),
                }
                self.note(&format!("{at}.org"), "script");
            }
            (Value::Object(fields), kept) => {
                merge(kept, fields);
                for key in fields.keys() {
                    self.note(&format!("{at}.{key}"), &format!("script.{key}"));
                }
            }
            (other, _) => {
                self.values.blame("script", format!("must be a text or an object, was {}", describe(other)));
            }
        }
    }
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

/// Puts words where the scene's first line is kept: its own script, or that of its first presenter. Answers with the
/// place in the scene; none where nobody could say them.
pub(super) fn set_script(scene: &mut Value, words: &str) -> Option<String> {
    if has_script(scene) {
        scene["scripts"][0]["org"] = json!(words);
        return Some("scripts[0].org".to_owned());
    }
    let clips = scene.get_mut("clips")?.as_array_mut()?;
    let seen = |clip: &Value| clip["type"] == "aiModel" && !is_deleted(clip);
    let clip = clips.iter().position(seen)?;
    match &mut clips[clip]["script"] {
        Value::Object(script) => drop(script.insert("org".to_owned(), json!(words))),
        script => *script = json!({ "org": words }),
    }
    Some(format!("clips[{clip}].script.org"))
}

fn has_script(scene: &Value) -> bool {
    scene.get("scripts").and_then(|scripts| scripts.get(0)).is_some_and(Value::is_object)
}

fn is_only_script(values: &Object<'_>) -> bool {
    values.keys().all(|key| key == "script")
}

/// Objects are merged, everything else is replaced.
pub(crate) fn merge(target: &mut Value, values: &Map<String, Value>) {
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
