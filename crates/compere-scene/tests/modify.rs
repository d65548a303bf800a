//! Parts of a project change by their tags.

use compere_scene::modify;
use serde_json::{Value, json};

fn project() -> Value {
    let text = |tag: &str| json!({ "id": "t", "type": "textImage", "tag": tag, "text": "old" });
    json!({ "scenes": [
        { "sceneIdx": 0, "scripts": [{ "org": "one" }], "clips": [text("title"), text("subtitles"), { "type": "shape", "tag": "box" }] },
        { "sceneIdx": 1, "clips": [text("title"), { "type": "aiModel", "script": { "org": "two", "tts": null } }] },
        { "sceneIdx": 2, "clips": [text("title"), text("line_7"), { "type": "image", "tag": "logo", "source_url": "/a.png" }] }
    ] })
}

#[test]
fn a_number_says_which_of_several() {
    let mut project = project();
    let updates = json!({
        "title": "A", "title_2": "C", "subtitles_0": "S", "scripts": "first", "scripts_1": "second",
        "line_7": "seven", "logo": "/b.png"
    });
    let told = modify(&mut project, &updates).expect("all there");
    let at = |pointer: &str| project.pointer(pointer).cloned().unwrap_or_default();
    assert_eq!(at("/scenes/0/clips/0/text"), "A");
    assert_eq!(at("/scenes/1/clips/0/text"), "old");
    assert_eq!(at("/scenes/2/clips/0/text"), "C");
    assert_eq!(at("/scenes/0/clips/1/text"), "S");
    assert_eq!(at("/scenes/0/scripts/0/org"), "first");
    assert_eq!(at("/scenes/1/clips/1/script"), json!({ "org": "second", "tts": null }));
    assert_eq!(at("/scenes/2/clips/1/text"), "seven");
    assert_eq!(at("/scenes/2/clips/2/source_url"), "/b.png");
    assert_eq!(told.path("scenes[2].clips[0].text"), "updates.title_2");
    assert_eq!(told.path("scenes[1].clips[1].script.org"), "updates.scripts_1");
}

#[test]
fn what_names_nothing_is_said_and_changes_nothing() {
    let mut changed = project();
    let updates = json!({ "titel": "A", "title_3": "D", "box": "B", "scripts_2": "x", "scripts_9": "y", "title": 4 });
    let problems = modify(&mut changed, &updates).unwrap_err();
    let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "updates.titel: no clip has the tag `titel` (did you mean `title`?)",
            "updates.title_3: there are 3 clips with the tag `title`, up to `title_2`",
            "updates.box: names a clip that has neither words nor an address",
            "updates.scripts_2: scene 2 has nobody who could say it",
            "updates.scripts_9: there is no scene 9; the film has 3, counted from 0",
            "updates.title: must be a text, was 4",
        ]
    );
    assert_eq!(changed, project());
}
