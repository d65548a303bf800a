//! Older and simpler requests become projects.

mod common;

use common::body;
use compere_scene::{
    ClipKind, Code, Framing, Limits, Problem, Resolved, TestCatalogue, edit_legacy, is_legacy, legacy_to_project,
    resolve, simple_audio_to_project, simple_video_to_project,
};
use serde_json::{Value, json};

fn legacy(body: &Value) -> Result<Value, Vec<Problem>> {
    let measure = |url: &str| (url == "https://example.com/cat.png").then_some((800, 400));
    legacy_to_project(body, &Limits::default(), &TestCatalogue::default(), &measure)
}

fn simple_video(body: &Value) -> Result<Value, Vec<Problem>> {
    simple_video_to_project(body, &Limits::default(), &TestCatalogue::default())
}

/// What comes out is always a film.
fn resolved(project: &Value) -> Resolved {
    let resolved = resolve(project, &Limits::default(), &TestCatalogue::default()).expect("translations are right");
    assert_eq!(resolved.warnings, []);
    resolved
}

fn told(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn place(clip: &Value) -> [f64; 4] {
    ["left", "top", "width", "height"].map(|key| clip[key].as_f64().expect("a number"))
}

#[test]
fn the_whole_legacy_body() {
    let project = legacy(&body("legacy")).expect("a right body");
    insta::assert_json_snapshot!(project);
    let film = resolve(&project, &Limits::default(), &TestCatalogue::default()).expect("translations are right");
    // Its presenter's middle is on the right edge.
    let told: Vec<String> = film.warnings.iter().map(ToString::to_string).collect();
    let cut = "scenes[0].clips[2]: the presenter's face is cut off: it runs to the right of the canvas of 1920 x 1080";
    assert_eq!(told, [cut]);
}

#[test]
fn which_generation() {
    assert!(is_legacy(&body("legacy")));
    assert!(is_legacy(&json!({ "scenes": [{ "clips": [{ "type": "image", "detail": {} }] }] })));
    for latest in ["every_field", "older_form", "voices", "simple_video"] {
        assert!(!is_legacy(&body(latest)), "{latest}");
    }
}

#[test]
fn legacy_places_are_midpoints_and_image_sizes_are_shares_of_the_image() {
    let project = legacy(&body("legacy")).expect("a right body");
    let clips = &project["scenes"][0]["clips"];
    // 800x400 at 1.5: 75 % of it, its middle on the left edge.
    assert_eq!(place(&clips[0]), [-300.0, 390.0, 600.0, 300.0]);
    // Half as tall as the canvas, its middle on the right edge, a quarter below the middle.
    assert_eq!(place(&clips[2]), [1720.0, 540.0, 400.0, 540.0]);
    assert_eq!(place(&project["scenes"][1]["clips"][0]), [0.0, 0.0, 1920.0, 1080.0]);
}

#[test]
fn a_legacy_image_that_cannot_be_measured_is_as_large_as_the_canvas() {
    let none = |_: &str| None;
    let project = legacy_to_project(&body("legacy"), &Limits::default(), &TestCatalogue::default(), &none).unwrap();
    assert_eq!(place(&project["scenes"][0]["clips"][0])[2..], [1440.0, 810.0]);
}

#[test]
fn legacy_problems_name_the_legacy_fields() {
    let problems = legacy(&json!({
        "scenes": [{
            "AIModel": { "model": "adda", "clothes": "navy", "script": 5, "scale": -1, "locationX": 0 },
            "clips": [{ "type": "imge", "detail": {} }, { "type": "image", "detail": { "url": "" } }, { "type": "text" }]
        }]
    }))
    .unwrap_err();
    assert_eq!(
        told(&problems),
        "scenes[0].clips[0].type: must be `image`, `background`, `text` or `userVideo`, was `imge` (did you mean `image`?)\n\
         scenes[0].clips[1].detail.url: must not be empty\n\
         scenes[0].clips[2].detail: is missing\n\
         scenes[0].AIModel.model: there is no avatar `adda` (did you mean `ada`?)\n\
         scenes[0].AIModel.scale: must be > 0, was -1\n\
         scenes[0].AIModel.locationY: is missing"
    );
    assert_eq!(Code::leading(&problems), Code::InvalidBody);
}

#[test]
fn legacy_bodies_can_be_edited() {
    let mut edited = body("legacy");
    let updates = json!([
        { "sceneIdx": 0, "property": "AIModel", "values": { "script": "Bye." } },
        { "sceneIdx": 0, "property": "clips", "clipType": "image", "clipIdx": 1, "values": { "url": "/dog.png" } },
        { "sceneIdx": 0, "property": "clips", "clipType": "text", "clipIdx": 0, "values": { "detail": { "textSource": "New" } } }
    ]);
    let changed = edit_legacy(&mut edited, &updates).expect("right updates");
    for (project, request) in [
        ("scenes[0].AIModel.script", "updates[0].values.script"),
        ("scenes[0].clips[1].detail.url", "updates[1].values.url"),
        ("scenes[0].clips[2].detail.textSource", "updates[2].values.detail.textSource"),
        ("scenes[0].clips[1]", "updates[1]"),
        ("scenes[0].AIModel", "updates[0]"),
        ("scenes[0].clips[0].detail.url", "scenes[0].clips[0].detail.url"),
    ] {
        assert_eq!(changed.path(project), request);
    }
    let scene = &edited["scenes"][0];
    assert_eq!(scene["AIModel"]["script"], "Bye.");
    assert_eq!(scene["clips"][1]["detail"]["url"], "/dog.png");
    assert_eq!(
        (&scene["clips"][2]["detail"]["textSource"], &scene["clips"][2]["detail"]["scale"]),
        (&json!("New"), &json!(2))
    );

    let before = edited.clone();
    let updates = json!([
        { "sceneIdx": 0, "property": "AIModel", "values": { "script": "Never." } },
        { "sceneIdx": 1, "property": "AIModel", "values": {} },
        { "sceneIdx": 9, "property": "clips", "values": {} },
        { "sceneIdx": 0, "property": "clips", "clipType": "image", "clipIdx": 7, "values": {} }
    ]);
    let problems = edit_legacy(&mut edited, &updates).unwrap_err();
    assert_eq!(
        told(&problems),
        "updates[1].property: scene 1 has no AIModel\n\
         updates[2].sceneIdx: there is no scene 9\n\
         updates[3].clipIdx: names no clip of that type in the scene"
    );
    assert_eq!(edited, before);
}

#[test]
fn a_presenter_on_chroma_green() {
    let project = simple_video(&body("simple_video")).expect("a right body");
    insta::assert_json_snapshot!(project);
    let film = resolved(&project).film;
    assert_eq!(film.scenes[0].background.color, compere_media::Rgb::opaque(0, 177, 64));
    assert_eq!(film.scenes[0].clips.len(), 1);
}

#[test]
fn uppercut_takes_the_room_above_the_head() {
    let headroom = |uppercut: Value| {
        let mut request = body("simple_video");
        request["uppercut"] = uppercut;
        let film = resolved(&simple_video(&request).expect("a right body")).film;
        assert_eq!(film.canvas(), (1080, 1920), "a figure is upright");
        let ClipKind::Avatar(avatar) = &film.scenes[0].clips[0].kind else { panic!("a presenter") };
        let Framing::Headroom(share) = avatar.framing else { panic!("{:?}", avatar.framing) };
        share
    };
    assert_eq!([Value::Null, json!(0), json!(50), json!("100")].map(headroom), [0.1, 0.1, 0.05, 0.0]);
}

#[test]
fn a_voice_alone() {
    let project =
        simple_audio_to_project(&body("simple_audio"), &Limits::default(), &TestCatalogue::default()).unwrap();
    let film = resolved(&project).film;
    assert_eq!((film.scenes[0].clips.len(), film.scenes[0].lines.len()), (0, 1));
    assert!(matches!(
        &film.scenes[0].lines[0].speaker,
        compere_scene::Speaker::Avatar { avatar, language: Some(language), .. } if avatar == "ben" && language == "ko"
    ));
}

#[test]
fn simple_problems() {
    let problems =
        simple_video(&json!({ "text": " ", "model": "ben", "clothes": "suit", "language": "fr", "uppercut": 101 }));
    assert_eq!(
        told(&problems.unwrap_err()),
        "language: `ben` speaks `en-GB` and `ko-KR`, not `fr`\n\
         text: must not be empty\n\
         uppercut: must be from 0 to 100, was 101"
    );
    let problems = simple_video(&json!({})).unwrap_err();
    assert_eq!(told(&problems), "language: is missing\ntext: is missing\nmodel: is missing\nclothes: is missing");
}
