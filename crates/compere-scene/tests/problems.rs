//! What authors are told.

mod common;

use common::body;
use compere_scene::{Limits, Problem, TestCatalogue, resolve};
use serde_json::{Value, json};

fn told(problems: &[Problem]) -> String {
    problems.iter().map(|problem| format!("{:?} {problem}", problem.code)).collect::<Vec<_>>().join("\n")
}

fn check(project: &Value, expected: &str) {
    let problems = resolve(project, &Limits::default(), &TestCatalogue::default()).expect_err("a wrong body");
    assert_eq!(told(&problems), expected.lines().map(str::trim).collect::<Vec<_>>().join("\n"));
}

/// A right body with one field set, or taken away.
fn with(name: &str, pointer: &str, value: Value) -> Value {
    let mut project = body(name);
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    project.pointer_mut(parent).expect("something there")[key] = value;
    project
}

#[test]
fn every_problem_at_once_each_with_its_place() {
    check(
        &json!({
            "name": ["odd"],
            "orientation": "square",
            "resolution": 1440,
            "scenes": [
                { "sceneIdx": 0, "background": {}, "clips": [{ "id": "a", "type": "text", "layer": 1 }] },
                {
                    "sceneIdx": 1,
                    "background": { "source_url": "office.png", "source_color": "rgb(300,0,0)" },
                    "clips": [
                        { "id": "t", "type": "textImage", "layer": 1, "left": 0, "top": 0, "width": -4, "hight": 5, "text": "Hi", "fill": "wite", "fontSize": 0 },
                        7
                    ]
                }
            ]
        }),
        r#"InvalidBody name: must be a text, was a list
           InvalidBody orientation: must be `landscape` or `portrait`, was `square`
           InvalidBody resolution: must be `480`, `720`, `1080` or `4k`, was `1440`
           InvalidBody scenes[0].clips[0].type: must be `aiModel`, `shape`, `image`, `textImage`, `videoImage` or `audio`, was `text` (did you mean `textImage`?)
           InvalidBody scenes[1].background.source_color: must be a colour such as `rgb(0,128,255)` or `#0080ff`, was `rgb(300,0,0)`
           InvalidBody scenes[1].background.source_url: must be an http(s) address, or a path that begins with `/`, was "office.png"
           InvalidBody scenes[1].clips[0].width: must be > 0, was -4
           InvalidBody scenes[1].clips[0].height: is missing (there is a `hight` here)
           InvalidBody scenes[1].clips[0].fontSize: must be > 0, was 0
           InvalidBody scenes[1].clips[0].fill: must be a colour such as `rgb(0,128,255)` or `#0080ff`, was `wite` (did you mean `white`?)
           InvalidBody scenes[1].clips[1]: must be an object, was 7"#,
    );
}

#[test]
fn transitions() {
    check(
        &with("every_field", "/scenes/0/transition", json!({ "type": "push", "duration": 9 })),
        "InvalidBody scenes[0].transition.duration: must be from 0.1 to 2, was 9
         InvalidBody scenes[0].transition.type: must be `fade`, `push-right`, `push-left`, `push-up` or `push-down`, was `push`",
    );
    check(
        &with("every_field", "/scenes/0/transition", json!({ "duration": 1 })),
        "InvalidBody scenes[0].transition.type: is missing",
    );
}

#[test]
fn the_body_itself() {
    check(&json!([]), "InvalidBody the body must be an object, was a list");
    check(&json!({}), "InvalidBody scenes: is missing");
    check(&json!({ "Scenes": [] }), "InvalidBody scenes: is missing (there is a `Scenes` here)");
    check(&json!({ "scenes": [] }), "InvalidBody scenes: must have at least one scene");
    check(&json!({ "scenes": "all" }), r#"InvalidBody scenes: must be a list, was "all""#);
    check(
        &json!({ "scenes": [{}] }),
        "InvalidBody scenes[0].sceneIdx: is missing
         InvalidBody scenes[0].background: is missing
         InvalidBody scenes[0].clips: is missing",
    );
}

#[test]
fn slips_of_the_hand() {
    check(
        &with("every_field", "/scenes/0/clips/4/type", json!("textImge")),
        "InvalidBody scenes[0].clips[4].type: must be `aiModel`, `shape`, `image`, `textImage`, `videoImage` or `audio`, was `textImge` (did you mean `textImage`?)",
    );
    check(
        &with("every_field", "/scenes/0/clips/1/animation/type", json!("fadein")),
        "InvalidBody scenes[0].clips[1].animation.type: must be `fade-in`, `fade-out`, `in-right`, `in-down`, `in-left`, `in-up`, \
         `out-right`, `out-down`, `out-left`, `out-up`, `zoom-in` or `zoom-out`, was `fadein` (did you mean `fade-in`?)",
    );
}

#[test]
fn numbers() {
    let width = |value| with("every_field", "/scenes/0/clips/3/width", value);
    let place = "InvalidBody scenes[0].clips[3].width:";
    check(&width(json!(0)), &format!("{place} must be > 0, was 0"));
    check(&width(json!("NaN")), &format!("{place} must be a finite number, was \"NaN\""));
    check(&width(json!("wide")), &format!("{place} must be a number, was \"wide\""));
    check(&width(json!(1e300)), &format!("{place} is too large, was 1e+300"));
    check(&width(json!(200_000)), &format!("{place} must be at most 100000 with its scale, was 200000"));
    check(&width(json!(true)), &format!("{place} must be a number, was true"));
    check(
        &with("every_field", "/scenes/0/clips/3/opacity", json!(101)),
        "InvalidBody scenes[0].clips[3].opacity: must be from 0 to 100, was 101",
    );
    check(
        &with("every_field", "/scenes/0/clips/3/scaleX", json!(-1)),
        "InvalidBody scenes[0].clips[3].scaleX: must be > 0, was -1",
    );
}

#[test]
fn script_and_presenter_agree() {
    check(
        &with("every_field", "/scenes/0/scripts/0/clothId", json!("red")),
        "ScriptModelMismatch scenes[0].scripts[0].clothId: must equal scenes[0].clips[0].model.emotion, which is `navy`, was `red`",
    );
    check(
        &with("every_field", "/scenes/0/scripts/0/modelId", Value::Null),
        "ScriptModelMismatch scenes[0].scripts[0].modelId: is missing",
    );
    check(
        &with("every_field", "/scenes/0/clips/0/model/ai_name", Value::Null),
        "ScriptModelMismatch scenes[0].clips[0].model.ai_name: is missing",
    );
    check(
        &with("every_field", "/scenes/0/clips/0/model", Value::Null),
        "ScriptModelMismatch scenes[0].clips[0].model: is missing",
    );
}

#[test]
fn who_is_not_in_the_catalogue() {
    let model = json!({ "ai_name": "adda", "emotion": "navy" });
    let mut project = with("every_field", "/scenes/0/clips/0/model", model);
    project["scenes"][0]["scripts"][0]["modelId"] = json!("adda");
    check(&project, "UnknownModel scenes[0].clips[0].model.ai_name: there is no avatar `adda` (did you mean `ada`?)");

    let mut project = with("every_field", "/scenes/0/clips/0/model/emotion", json!("tuxedo"));
    project["scenes"][0]["scripts"][0]["clothId"] = json!("tuxedo");
    check(
        &project,
        "UnknownCloth scenes[0].clips[0].model.emotion: `ada` has no outfit `tuxedo` (it may be `navy` or `red`)",
    );

    check(
        &with("every_field", "/scenes/0/scripts/0/tts/voice", json!("hart")),
        "UnknownVoice scenes[0].scripts[0].tts.voice: there is no voice `hart` (did you mean `heart`?)",
    );
    check(
        &with("voices", "/scenes/0/scripts/0/modelId", json!("zoe")),
        "UnknownModel scenes[0].scripts[0].modelId: there is no avatar `zoe` (it may be `ada` or `ben`; \
         `aliases` and `fallback_model` in the settings map the ids of another service)",
    );
}

#[test]
fn voices_and_flags() {
    check(
        &with("every_field", "/scenes/0/scripts/0/isTTS", json!(false)),
        "InvalidBody scenes[0].scripts[0].tts: must be null when `isTTS` is false (set `isTTS` to true to use this voice)",
    );
    check(
        &with("every_field", "/scenes/0/scripts/0/tts", Value::Null),
        r#"InvalidBody scenes[0].scripts[0].tts: must name a voice when `isTTS` is true (such as {"voice": "…", "speed": 1.0})"#,
    );
    check(
        &with("every_field", "/scenes/0/scripts/0/tts/speed", json!(9)),
        "InvalidBody scenes[0].scripts[0].tts.speed: must be from 0.5 to 2, was 9",
    );
    check(
        &with("every_field", "/scenes/0/scripts/0/org", json!("[pause 1000s]")),
        "InvalidBody scenes[0].scripts[0].org: a pause must last at most 30 s, was 1000",
    );
}

#[test]
fn a_scene_has_one_script() {
    check(
        &with("every_field", "/scenes/0/scripts", json!([])),
        "InvalidBody scenes[0].scripts: must have exactly one entry, has 0",
    );
    let script = body("every_field")["scenes"][0]["scripts"][0].clone();
    check(
        &with("every_field", "/scenes/0/scripts", json!([script, {}])),
        "InvalidBody scenes[0].scripts: must have exactly one entry, has 2
         InvalidBody scenes[0].scripts[1].org: is missing
         InvalidBody scenes[0].scripts[1].isTTS: is missing",
    );
    check(
        &with("every_field", "/scenes/0/scripts", Value::Null),
        "InvalidBody scenes[0].scripts: is missing (a silent presenter has one entry with an empty `org`)",
    );
}

#[test]
fn addresses() {
    for wrong in
        ["ftp://example.com/a.png", "file:///etc/passwd", "//example.com/a.png", "data:image/png;base64,AA", "a.png"]
    {
        check(
            &with("every_field", "/scenes/0/clips/3/source_url", json!(wrong)),
            &format!(
                "InvalidBody scenes[0].clips[3].source_url: must be an http(s) address, or a path that begins with `/`, was \"{wrong}\""
            ),
        );
    }
    check(
        &with("every_field", "/scenes/0/clips/3/source_url", json!("/images/../../etc/passwd")),
        r#"InvalidBody scenes[0].clips[3].source_url: must not climb out of its folder with `..`, was "/images/../../etc/passwd""#,
    );
    check(
        &with("every_field", "/scenes/0/clips/3/source_url", json!(" ")),
        "InvalidBody scenes[0].clips[3].source_url: must not be empty",
    );
}

#[test]
fn more_than_the_limits_allow() {
    let limits = Limits { scenes: 1, clips_per_scene: 2, script_chars: 9, name_chars: 5, film_seconds: 60.0 };
    let mut project = body("voices");
    project["scenes"][0]["duration"] = json!(61);
    project["scenes"][0]["clips"] = json!([null, null, null]);
    let problems = resolve(&project, &limits, &TestCatalogue::default()).expect_err("too much");
    assert_eq!(
        told(&problems),
        "InvalidBody scenes: must have at most 1 entries, has 3\n\
         InvalidBody name: must have at most 5 characters, has 6\n\
         InvalidBody scenes[0].clips: must have at most 2 entries, has 3\n\
         InvalidBody scenes[0].clips[0]: must be an object, was null\n\
         InvalidBody scenes[0].clips[1]: must be an object, was null\n\
         InvalidBody scenes[0].scripts[0].org: must have at most 9 characters, has 15\n\
         InvalidBody scenes[0].duration: must be at most 60 s, was 61"
    );
}

#[test]
fn a_film_that_would_never_end() {
    let scene = body("voices")["scenes"][0].clone();
    let with_org = |org: String| {
        let mut scene = scene.clone();
        scene["scripts"][0]["org"] = json!(org);
        json!({ "scenes": [scene] })
    };
    check(
        &with_org("[pause 30s]".repeat(1500)),
        "InvalidBody scenes: must last at most 3600 s together, would last at least 45000 s",
    );
    let scenes = |count: usize| json!({ "scenes": vec![with_org("word ".repeat(3900))["scenes"][0].clone(); count] });
    assert!(resolve(&scenes(2), &Limits::default(), &TestCatalogue::default()).is_ok());
    assert!(resolve(&scenes(20), &Limits::default(), &TestCatalogue::default()).is_err());
}

#[test]
fn a_hopeless_body_gets_a_bounded_answer() {
    let clips = vec![json!({}); 100];
    let scenes = vec![json!({ "clips": clips }); 300];
    let problems = resolve(&json!({ "scenes": scenes }), &Limits::default(), &TestCatalogue::default()).unwrap_err();
    assert_eq!(problems.len(), 1000);
}

#[test]
fn what_was_once_taken_in_silence() {
    check(
        &with("every_field", "/scenes/0/sceneIdx", json!(1.5)),
        "InvalidBody scenes[0].sceneIdx: must be a whole number from 0, was 1.5",
    );
    check(
        &with("every_field", "/scenes/0/sceneIdx", json!(-1)),
        "InvalidBody scenes[0].sceneIdx: must be a whole number from 0, was -1",
    );
    let effects = "/scenes/0/clips/0/effects";
    check(
        &with("every_field", effects, json!("head-only")),
        "InvalidBody scenes[0].clips[0].effects: must be a list, was \"head-only\"",
    );
    check(
        &with("every_field", effects, json!([{ "type": "head-onyl" }, "sepia"])),
        "InvalidBody scenes[0].clips[0].effects[0].type: must be `head-only`, was `head-onyl` (did you mean `head-only`?)
         InvalidBody scenes[0].clips[0].effects[1]: must be `head-only`, was `sepia`",
    );
}

#[test]
fn names_of_other_programs_are_known() {
    for (written, meant) in [("Rectangle", "Rectangle_corner0"), ("Rect", "Rectangle_corner0"), ("Ellipse", "Oval_1")] {
        let problems = resolve(
            &with("every_field", "/scenes/0/clips/1/shapeName", json!(written)),
            &Limits::default(),
            &TestCatalogue::default(),
        );
        assert_eq!(problems.unwrap_err()[0].hint.as_deref(), Some(format!("did you mean `{meant}`?").as_str()));
    }
    let mut project = body("every_field");
    project["scenes"][0]["clips"] = json!([{
        "id": "v", "type": "videoImage", "layer": 1, "left": 0, "top": 0, "width": 100, "height": 100,
        "source_url": "https://example.com/a.mp4"
    }]);
    check(
        &project,
        "InvalidBody scenes[0].clips[0].video_url: is missing (`source_url` of a video is its still picture)",
    );
}
