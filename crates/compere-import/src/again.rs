//! A deck's new version: its slides take the place of the old ones in a project that people have worked on.
//!
//! Scenes of slides that are as they were stay as they are now, edits and all. Of slides that look otherwise the new scene
//! is taken, with what was said by hand or recorded and what was laid over it; of those whose notes alone are others, the
//! notes, unless somebody has rewritten or recorded them. Scenes that never were slides keep their place behind the scene before them.

use serde_json::{Map, Value, json};

/// A short name of some bytes (FNV-1a), the same in every version.
pub(crate) fn print_of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let step = |print: u64, byte: &u8| (print ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let print =
        parts.into_iter().fold(0xcbf2_9ce4_8422_2325, |print, part| part.iter().chain(&[0xff, 0]).fold(print, step));
    format!("{print:016x}")
}

fn said(scene: &Value) -> &str {
    scene["scripts"][0]["org"].as_str().unwrap_or_default()
}

/// What a scene knows of the slide it was made of.
pub(crate) fn origin(number: usize, id: Option<u32>, picture: &str, said: &str) -> Value {
    let mut origin = json!({ "number": number, "picture": picture, "words": print_of([said.as_bytes()]) });
    if let Some(id) = id {
        origin["id"] = json!(id.to_string());
    }
    origin
}

/// What became of a slide.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Kept,
    /// The notes are others.
    Notes,
    /// They are, and somebody had rewritten the old ones, which stay.
    NotesKept,
    Changed,
    New,
    Removed,
}

impl Fate {
    fn word(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Notes => "notes",
            Self::NotesKept => "notes-kept",
            Self::Changed => "changed",
            Self::New => "new",
            Self::Removed => "removed",
        }
    }
}

/// The project `old` with the slides of `new`, and what is different: `importChanges`.
pub fn renewed(old: &Value, new: &Value) -> Value {
    let none = Vec::new();
    let (before, after) = (old["scenes"].as_array().unwrap_or(&none), new["scenes"].as_array().unwrap_or(&none));
    let partners = partners(before, after);
    // Scenes that never were slides, behind which slide; none for those before the first.
    let mut own: Vec<(Option<usize>, &Value)> = Vec::new();
    let mut last = None;
    for (at, scene) in before.iter().enumerate() {
        match (scene["slide"].is_object(), partners.iter().position(|partner| *partner == Some(at))) {
            (true, Some(slide)) => last = Some(slide),
            (true, None) => (),
            (false, _) => own.push((last, scene)),
        }
    }
    let (mut scenes, mut changes) = (Vec::new(), Vec::new());
    let add_own = |behind: Option<usize>, scenes: &mut Vec<Value>| {
        scenes.extend(own.iter().filter(|(slide, _)| *slide == behind).map(|(_, scene)| (*scene).clone()));
    };
    add_own(None, &mut scenes);
    for (at, scene) in after.iter().enumerate() {
        let (merged, fate) = match partners[at] {
            Some(partner) => merged(&before[partner], scene),
            None => (scene.clone(), Fate::New),
        };
        changes.push(change(&merged, Some(scenes.len()), fate));
        scenes.push(merged);
        add_own(Some(at), &mut scenes);
    }
    let gone =
        before.iter().enumerate().filter(|(at, scene)| scene["slide"].is_object() && !partners.contains(&Some(*at)));
    changes.extend(gone.map(|(_, scene)| change(scene, None, Fate::Removed)));
    for (at, scene) in scenes.iter_mut().enumerate() {
        scene["sceneIdx"] = json!(at);
    }
    let mut body = old.as_object().cloned().unwrap_or_else(Map::new);
    for key in ["originalUrl", "importWarnings"] {
        match new.get(key) {
            Some(value) => drop(body.insert(key.to_owned(), value.clone())),
            None => drop(body.remove(key)),
        }
    }
    body.insert("scenes".to_owned(), Value::Array(scenes));
    body.insert("importChanges".to_owned(), Value::Array(changes));
    Value::Object(body)
}

fn change(scene: &Value, at: Option<usize>, fate: Fate) -> Value {
    let mut change = json!({ "slide": scene["slide"]["number"], "name": scene["name"], "change": fate.word() });
    if let Some(at) = at {
        change["sceneIdx"] = json!(at);
    }
    change
}

/// Whether an old and a new scene are of one slide.
type Rule<'a> = dyn Fn(&Value, &Value) -> bool + 'a;

/// For each new scene the old one of its slide: by the id that the program gave it, else by its look, else by its name.
fn partners(before: &[Value], after: &[Value]) -> Vec<Option<usize>> {
    let mut found = vec![None; after.len()];
    let mut taken = vec![false; before.len()];
    let same = |key: &'static str| {
        move |old: &Value, new: &Value| {
            let of = |scene: &Value| scene["slide"][key].as_str().map(str::to_owned);
            of(old).is_some() && of(old) == of(new)
        }
    };
    let named = |old: &Value, new: &Value| {
        let name = new["name"].as_str().unwrap_or_default();
        old["slide"].is_object() && !name.is_empty() && old["name"] == new["name"]
    };
    let rules: [&Rule<'_>; 3] = [&same("id"), &same("picture"), &named];
    for rule in rules {
        for (at, new) in after.iter().enumerate().filter(|(at, _)| found[*at].is_none()).collect::<Vec<_>>() {
            let partner = (0..before.len()).find(|old| !taken[*old] && rule(&before[*old], new));
            if let Some(partner) = partner {
                taken[partner] = true;
                found[at] = Some(partner);
            }
        }
    }
    found
}

fn merged(old: &Value, new: &Value) -> (Value, Fate) {
    let same = |key: &str| old["slide"][key] == new["slide"][key];
    // Whoever recorded it says it their way, too.
    let recorded = old["scripts"][0]["audio"].is_string();
    let rewritten = recorded || old["slide"]["words"] != json!(print_of([said(old).as_bytes()]));
    let with = |base: &Value, scripts: &Value| {
        let mut scene = base.clone();
        scene["slide"] = new["slide"].clone();
        if scripts.is_array() {
            scene["scripts"] = scripts.clone();
        }
        scene
    };
    match (same("picture"), same("words")) {
        (true, true) => (with(old, &Value::Null), Fate::Kept),
        (true, false) if rewritten => (with(old, &Value::Null), Fate::NotesKept),
        (true, false) => (spoken_anew(with(old, &new["scripts"]), new), Fate::Notes),
        (false, _) => {
            let mut scene = with(new, if rewritten { &old["scripts"] } else { &Value::Null });
            let added = old["clips"].as_array().into_iter().flatten().filter(|clip| !is_ours(clip)).cloned();
            if let Some(clips) = scene["clips"].as_array_mut() {
                clips.extend(added.collect::<Vec<_>>());
            }
            (scene, Fate::Changed)
        }
    }
}

/// A silent slide lasts as long as it is read, one with notes as long as they are spoken.
fn spoken_anew(mut scene: Value, new: &Value) -> Value {
    if let Some(scene) = scene.as_object_mut() {
        match new.get("duration") {
            Some(seconds) => drop(scene.insert("duration".to_owned(), seconds.clone())),
            None => drop(scene.remove("duration")),
        }
    }
    scene
}

/// Whether an import made the clip.
fn is_ours(clip: &Value) -> bool {
    let id = clip["id"].as_str().unwrap_or_default();
    matches!(id, "sheet" | "slide" | "presenter" | "disc") || id.starts_with("slide-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(number: usize, id: u32, look: &str, said: &str) -> Value {
        json!({
            "sceneIdx": number - 1, "name": format!("{id}"), "slide": origin(number, Some(id), look, said),
            "scripts": [{ "org": said }], "clips": [{ "id": "presenter" }, { "id": "slide-1", "text": look }],
        })
    }

    fn told(body: &Value) -> Vec<String> {
        let changes = body["importChanges"].as_array().expect("a list");
        let told = |change: &Value| format!("{} {}", change["slide"], change["change"].as_str().unwrap_or_default());
        changes.iter().map(told).collect()
    }

    #[test]
    fn edits_of_slides_that_stay_are_kept() {
        let mut old = json!({ "name": "Mine", "dictionary": {}, "scenes": [
            scene(1, 256, "a", "One."), scene(2, 257, "b", "Two."), scene(3, 258, "c", "Three."), scene(4, 259, "d", "Four."),
        ] });
        // A clip was edited, a text rewritten, a film put in between, a title laid over.
        old["scenes"][0]["clips"][1]["text"] = json!("edited");
        old["scenes"][1]["scripts"][0]["org"] = json!("Two, [step]by hand.");
        old["scenes"][2]["clips"].as_array_mut().expect("clips").push(json!({ "id": "mine" }));
        old["scenes"].as_array_mut().expect("scenes").insert(2, json!({ "name": "Between", "clips": [] }));
        // The last went to the front, one is new, one is gone, others changed.
        let new = json!({ "name": "New title", "originalUrl": "/x", "scenes": [
            scene(1, 260, "e", "Five."), scene(2, 256, "a", "One."), scene(3, 257, "b", "Two, said otherwise."),
            scene(4, 258, "changed", "Three."),
        ] });
        let body = renewed(&old, &new);
        assert_eq!((&body["name"], &body["originalUrl"]), (&json!("Mine"), &json!("/x")));
        assert_eq!(told(&body), ["1 new", "2 kept", "3 notes-kept", "4 changed", "4 removed"]);
        let scenes = body["scenes"].as_array().expect("scenes");
        let names: Vec<&Value> = scenes.iter().map(|scene| &scene["name"]).collect();
        assert_eq!(names, ["260", "256", "257", "Between", "258"]);
        assert_eq!(scenes[1]["clips"][1]["text"], "edited");
        assert_eq!(said(&scenes[2]), "Two, [step]by hand.");
        assert_eq!((&scenes[4]["clips"][1]["text"], &scenes[4]["clips"][2]["id"]), (&json!("changed"), &json!("mine")));
        assert_eq!(scenes[4]["sceneIdx"], 4);
    }

    #[test]
    fn a_recording_stays_with_the_text_it_is_of() {
        let mut old = json!({ "scenes": [scene(1, 256, "a", "One."), scene(2, 257, "b", "Two.")] });
        for scene in old["scenes"].as_array_mut().expect("scenes") {
            scene["scripts"][0]["audio"] = json!("/media/a/one/x/one.webm");
        }
        let new = json!({ "scenes": [scene(1, 256, "a", "One and a half."), scene(2, 257, "changed", "Two.")] });
        let body = renewed(&old, &new);
        assert_eq!(told(&body), ["1 notes-kept", "2 changed"]);
        for (at, text) in ["One.", "Two."].into_iter().enumerate() {
            assert_eq!(body["scenes"][at]["scripts"][0], old["scenes"][at]["scripts"][0]);
            assert_eq!(said(&body["scenes"][at]), text);
        }
    }

    #[test]
    fn without_ids_slides_are_known_by_their_looks_and_names() {
        let bare = |number: usize, name: &str, look: &str| json!({ "name": name, "slide": origin(number, None, look, ""), "clips": [] });
        let old = json!({ "scenes": [bare(1, "A", "a"), bare(2, "B", "b")] });
        let new = json!({ "scenes": [bare(1, "C", "b"), bare(2, "A", "x")] });
        assert_eq!(told(&renewed(&old, &new)), ["1 kept", "2 changed"]);
    }

    #[test]
    fn notes_nobody_touched_follow_the_deck() {
        let old = json!({ "scenes": [scene(1, 256, "a", "One.")] });
        let new = json!({ "scenes": [scene(1, 256, "a", "One and a half.")] });
        let body = renewed(&old, &new);
        assert_eq!((told(&body), said(&body["scenes"][0])), (vec!["1 notes".to_owned()], "One and a half."));
        assert_eq!(told(&renewed(&body, &new)), ["1 kept"]);
    }
}
