//! Parts of a project change, all asked for or none.

mod common;

use common::body;
use compere_scene::{Limits, TestCatalogue, edit, resolve};
use serde_json::{Value, json};

fn edited(name: &str, updates: &Value) -> Value {
    let mut project = body(name);
    edit(&mut project, updates).map_or_else(|problems| panic!("{problems:?}"), drop);
    resolve(&project, &Limits::default(), &TestCatalogue::default()).unwrap_or_else(|problems| panic!("{problems:?}"));
    project
}

fn refused(name: &str, updates: &Value) -> String {
    let mut project = body(name);
    let problems = edit(&mut project, updates).unwrap_err();
    assert_eq!(project, body(name), "nothing is changed");
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_entry_changes_its_clip_and_nothing_else() {
    let project = edited("every_field", &body("updates"));
    let scene = &project["scenes"][0];
    assert_eq!(scene["scripts"][0]["org"], "Now this.");
    assert_eq!(scene["scripts"][0]["clothId"], "red", "the script's ids follow the presenter");
    assert_eq!(scene["clips"][0]["model"]["emotion"], "red");
    assert_eq!(scene["clips"][0]["model"]["ai_name"], "ada", "objects are merged");
    assert!(scene["clips"][0].get("script").is_none());
    assert_eq!((&scene["clips"][4]["text"], &scene["clips"][4]["fontSize"]), (&json!("New"), &json!(40)));
    assert_eq!(scene["background"]["source_color"], "black");
    assert_eq!((&scene["clips"][1]["fill"], &scene["clips"][1]["shadow"]["blur"]), (&json!("lime"), &json!(9)));
    assert_eq!(project["backgroundAudio"]["volume"], 10);

    let mut rest = project.clone();
    for pointer in ["/scenes/0/scripts", "/scenes/0/clips", "/scenes/0/background", "/backgroundAudio"] {
        *rest.pointer_mut(pointer).unwrap() = body("every_field").pointer(pointer).unwrap().clone();
    }
    assert_eq!(rest, body("every_field"));
}

#[test]
fn a_bare_list_will_do() {
    let updates = json!([{ "sceneIdx": "0", "type": "aiModel", "values": { "script": "Left." } }]);
    let project = edited("older_form", &updates);
    assert_eq!(project["scenes"][0]["clips"][0]["script"], json!({ "org": "Left.", "tts": null }));
    assert_eq!(project["scenes"][1], body("older_form")["scenes"][1], "the first scene of that index");
}

#[test]
fn narrowed_to_one_of_several() {
    for narrow in [json!({ "id": "aiModel-2" }), json!({ "clipIdx": 1 })] {
        let mut entry = json!({ "sceneIdx": 0, "type": "aiModel", "values": { "script": "Right." } });
        entry.as_object_mut().unwrap().extend(narrow.as_object().unwrap().clone());
        let project = edited("older_form", &json!([entry]));
        assert_eq!(project["scenes"][0]["clips"][0]["script"]["org"], "Hello from the left.");
        assert_eq!(project["scenes"][0]["clips"][1]["script"]["org"], "Right.");
    }
}

#[test]
fn the_script_of_a_scene_without_faces() {
    let project =
        edited("voices", &json!([{ "sceneIdx": 3, "type": "aiModel", "values": { "script": { "org": "New." } } }]));
    assert_eq!(project["scenes"][0]["scripts"][0]["org"], "New.");
    assert_eq!(project["scenes"][0]["scripts"][0]["modelId"], "ben");
}

#[test]
fn another_presenter_by_the_scripts_own_words() {
    let values = json!({ "modelId": "ben", "clothId": "suit" });
    let project = edited("every_field", &json!([{ "sceneIdx": 0, "type": "aiModel", "values": values }]));
    assert_eq!(project["scenes"][0]["clips"][0]["model"]["ai_name"], "ben");
    assert_eq!(project["scenes"][0]["scripts"][0]["modelId"], "ben");
    assert!(project["scenes"][0]["clips"][0].get("modelId").is_none());
}

#[test]
fn a_plain_background_gets_a_picture() {
    let updates =
        json!([{ "sceneIdx": 3, "type": "background", "values": { "source_url": "/images/background/wall.png" } }]);
    assert_eq!(edited("voices", &updates)["scenes"][0]["background"]["source_type"], "image");
}

#[test]
fn music_comes_and_goes() {
    let project = edited("voices", &json!({ "backgroundAudio": { "source_url": "/music/calm.mp3" } }));
    assert_eq!(project["backgroundAudio"]["source_url"], "/music/calm.mp3");
    assert_eq!(edited("every_field", &json!({ "backgroundAudio": null }))["backgroundAudio"], Value::Null);
}

#[test]
fn what_matches_nothing_is_named_and_nothing_is_changed() {
    let updates = json!({ "value": [
        { "sceneIdx": 0, "type": "textImage", "values": { "text": "Never" } },
        { "sceneIdx": 4, "type": "textImage", "values": {} },
        { "sceneIdx": 0, "type": "textImage", "tag": "title", "values": {} },
        { "sceneIdx": 0, "type": "textImge", "values": {} },
        { "sceneIdx": 0, "type": "aiModel", "values": { "script": 7 } },
        { "type": "image" }
    ] });
    assert_eq!(
        refused("every_field", &updates),
        "updates.value[1].sceneIdx: no scene has the index 4\n\
         updates.value[2]: matches nothing: scene 0 has no clip of type `textImage` with the tag `title`\n\
         updates.value[3].type: must be `aiModel`, `shape`, `image`, `textImage`, `videoImage`, `audio` or `background`, \
         was `textImge` (did you mean `textImage`?)\n\
         updates.value[4].values.script: must be a text or an object, was 7\n\
         updates.value[5].sceneIdx: is missing\n\
         updates.value[5].values: is missing"
    );
    assert_eq!(refused("every_field", &json!({})), "updates.value: is missing");
    assert_eq!(refused("every_field", &json!(3)), "updates: must be an object, was 3");
    assert_eq!(refused("every_field", &Value::Null), "updates: is missing");
    assert_eq!(
        refused("every_field", &json!({ "backgroundAudio": 1 })),
        "updates.backgroundAudio: must be an object, was 1"
    );
}

#[test]
fn scenes_of_one_index_are_told_apart_by_their_place() {
    let scene = |text: &str| {
        json!({ "sceneIdx": 0, "background": { "source_color": "white" }, "clips": [
            { "id": "t", "type": "textImage", "layer": 1, "left": 0, "top": 0, "width": 900, "height": 90,
              "text": text, "fill": "black", "fontSize": 40 }
        ] })
    };
    let mut project = json!({ "scenes": [scene("first"), scene("second"), scene("third")] });
    let entry = |index: i32, text: &str| json!({ "sceneIdx": index, "type": "textImage", "values": { "text": text } });
    edit(&mut project, &json!([entry(0, "A"), entry(1, "B"), entry(2, "C")])).expect("three scenes");
    let texts: Vec<&Value> = (0..3).map(|n| &project["scenes"][n]["clips"][0]["text"]).collect();
    assert_eq!(texts, ["A", "B", "C"]);
    // One that says its index is found by it wherever it lies.
    project["scenes"][2]["sceneIdx"] = json!(7);
    edit(&mut project, &json!([entry(7, "D")])).expect("by its index");
    assert_eq!(project["scenes"][2]["clips"][0]["text"], "D");
    assert!(edit(&mut project, &json!([entry(9, "E")])).is_err());
}

#[test]
fn problems_of_an_edit_have_the_paths_of_the_request() {
    let mut project = body("every_field");
    let updates = json!({ "value": [
        { "sceneIdx": 0, "type": "shape", "values": { "shadow": { "blur": -1 } } },
        { "sceneIdx": 0, "type": "textImage", "values": { "fontSize": 0 } },
        { "sceneIdx": 0, "type": "aiModel", "values": { "script": "[pause 99s]", "clothId": "tulle" } },
        { "sceneIdx": 0, "type": "background", "values": { "source_color": "bleu" } }
    ], "backgroundAudio": { "volume": 400 } });
    let edited = edit(&mut project, &updates).expect("all match");
    let problems = resolve(&project, &Limits::default(), &TestCatalogue::default()).unwrap_err();
    let mut paths: Vec<String> = edited.in_request(problems).into_iter().map(|problem| problem.path).collect();
    paths.sort();
    assert_eq!(
        paths,
        [
            "updates.backgroundAudio.source_url",
            "updates.backgroundAudio.volume",
            "updates.value[0].values.shadow.blur",
            "updates.value[1].values.fontSize",
            "updates.value[2].values.clothId",
            "updates.value[2].values.script",
            "updates.value[3].values.source_color",
        ]
    );
}
