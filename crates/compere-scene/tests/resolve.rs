//! What bodies mean.

mod common;

use common::body;
use compere_scene::{
    BackgroundEntry, ClipKind, Code, Face, Film, Framing, Limits, Orientation, Place, Resolution, ScriptPart, Speaker,
    TestCatalogue, Text, resolve,
};
use serde_json::{Value, json};

fn film(project: &Value) -> Film {
    resolve(project, &Limits::default(), &TestCatalogue::default())
        .unwrap_or_else(|problems| {
            panic!("{}", problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
        })
        .film
}

fn warnings(project: &Value) -> Vec<String> {
    let resolved = resolve(project, &Limits::default(), &TestCatalogue::default()).expect("a right body");
    resolved.warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn every_field_has_its_meaning() {
    insta::assert_debug_snapshot!(film(&body("every_field")));
}

#[test]
fn presenters_of_the_older_form_speak_in_turn() {
    let film = film(&body("older_form"));
    let [left, right] = &film.scenes[0].lines[..] else { panic!("two lines") };
    assert_eq!(left.parts, [ScriptPart::Text("Hello from the left.".to_owned())]);
    assert_eq!((left.path.as_str(), right.path.as_str()), ("scenes[0].clips[0].script", "scenes[0].clips[1].script"));
    // The right one lies on the lower layer, so it is painted first.
    assert_eq!((left.clip, right.clip), (Some(1), Some(0)));
    let ClipKind::Avatar(avatar) = &film.scenes[0].clips[1].kind else { panic!("a presenter") };
    assert_eq!((avatar.avatar.as_str(), avatar.outfit.as_str(), avatar.framing), ("ada", "navy", Framing::Head));
    assert_eq!(film.scenes[0].clips[0].opacity, 0.5);

    // An outro: the deleted presenter is neither seen nor heard nor checked.
    assert_eq!((film.scenes[1].lines.len(), film.scenes[1].clips.len()), (0, 1));
    assert!(film.scenes[1].background.video.is_some());
}

#[test]
fn voices_without_faces() {
    let film = film(&body("voices"));
    assert_eq!((film.orientation, film.resolution), (Orientation::Portrait, Resolution::P4k));
    assert_eq!(film.output(), (2160, 3840));
    let lines: Vec<_> = film.scenes.iter().flat_map(|scene| &scene.lines).collect();
    assert_eq!(lines.len(), 2);
    assert!(matches!(&lines[0].speaker, Speaker::Avatar { avatar, .. } if avatar == "ben"));
    assert!(matches!(&lines[1].speaker, Speaker::Voice { voice, speed, .. } if voice == "tone" && *speed == 1.0));
    assert!(lines.iter().all(|line| line.clip.is_none()));
    assert_eq!(film.scenes[2].duration, Some(2.5));
}

#[test]
fn unknown_keys_harm_nothing() {
    let mut project = body("every_field");
    let before = film(&project);
    project["scenes"][0]["clips"][1]["lockMovementX"] = json!({ "deeply": ["odd"] });
    project["somethingNew"] = json!(1);
    assert_eq!(film(&project), before);
}

#[test]
fn null_is_absent() {
    let mut project = body("every_field");
    let clip = project["scenes"][0]["clips"][1].as_object_mut().unwrap();
    for key in ["angle", "opacity", "stroke", "strokeWidth", "strokeRadius", "shadow", "animation"] {
        clip.shift_remove(key);
    }
    let without = film(&project);
    let clip = project["scenes"][0]["clips"][1].as_object_mut().unwrap();
    for key in ["angle", "opacity", "stroke", "strokeWidth", "strokeRadius", "shadow", "animation"] {
        clip.insert(key.to_owned(), Value::Null);
    }
    assert_eq!(film(&project), without);
}

/// The presenter of `every_field` as it stands.
fn stands(project: &Value) -> (Place, Framing) {
    let film = film(project);
    let seat = film.scenes[0].lines[0].clip.expect("a presenter");
    let clip = &film.scenes[0].clips[seat];
    let ClipKind::Avatar(avatar) = &clip.kind else { panic!("a presenter") };
    (clip.place, avatar.framing)
}

fn corners(place: Place) -> [f64; 4] {
    [place.left, place.top, place.width, place.height]
}

#[test]
fn the_face_goes_where_the_editor_had_it() {
    // The rectangle is the whole picture, 679x2229 at half its size; the figure is the tight part of it.
    let mut project = body("every_field");
    let (place, framing) = stands(&project);
    assert_eq!(corners(place), [939.5, 161.5, 250.0, 1100.0]);
    let Framing::Face(face) = framing else { panic!("{framing:?}") };
    assert_eq!((face.x, face.y), (900.0 + 170.0, 147.0 + 100.0));
    assert!((face.size - (100.0_f64 * 130.0).sqrt()).abs() < 1e-9, "{face:?}");

    // The rectangle is the tight box: what is left of the box and above it is not drawn.
    let clip = &mut project["scenes"][0]["clips"][0];
    clip["width"] = json!(500);
    clip["height"] = json!(2200);
    let (place, framing) = stands(&project);
    assert_eq!(corners(place), [900.0, 147.0, 250.0, 1100.0]);
    let Framing::Face(face) = framing else { panic!("{framing:?}") };
    assert_eq!((face.x, face.y), (900.0 + (340.0 - 79.0) / 2.0, 147.0 + (200.0 - 29.0) / 2.0));

    // Head and shoulders stay where they were.
    project["scenes"][0]["clips"][0]["effects"] = json!([{ "type": "head-only" }]);
    assert_eq!(stands(&project).1, Framing::HeadAt(face));
    project["scenes"][0]["clips"][0]["effects"] = json!(null);

    // A face that is none leaves the box.
    project["scenes"][0]["clips"][0]["model"]["editor"]["headWidth"] = json!(0);
    project["scenes"][0]["clips"][0]["model"]["editor"]["headHeight"] = json!(0);
    assert_eq!(stands(&project).1, Framing::Body);
}

#[test]
fn geometry_of_the_editor_counts_only_when_it_fits() {
    let mut project = body("every_field");
    project["scenes"][0]["clips"][0]["model"]["editor"]["modelTightW"] = json!(900);
    let (place, framing) = stands(&project);
    assert_eq!(corners(place), [900.0, 147.0, 339.5, 1114.5]);
    assert!(matches!(framing, Framing::Face(_)), "the picture's own proportions still fit");

    project["scenes"][0]["clips"][0]["width"] = json!(2400);
    let (place, framing) = stands(&project);
    assert_eq!((corners(place), framing), ([900.0, 147.0, 1200.0, 1114.5], Framing::Body));
}

/// An editor that stretched its picture a little stretched the place of the face with it.
#[test]
fn a_stretched_box_keeps_the_face_in_its_place() {
    let mut project = body("every_field");
    let (exact, Framing::Face(face)) = stands(&project) else { panic!("a face is given") };
    let before = warnings(&project).len();
    project["scenes"][0]["clips"][0]["width"] = json!(706);
    let (place, Framing::Face(wider)) = stands(&project) else { panic!("the face is still given") };
    assert!((wider.y - face.y).abs() < 0.01 && wider.size > face.size, "{wider:?} {face:?}");
    let share = |face: Face, place: Place| (face.x - place.left) / place.width;
    assert!((share(wider, place) - share(face, exact)).abs() < 1e-9);
    let told = warnings(&project);
    assert!(told.len() == before + 1 && told.iter().any(|told| told.contains("stretched")), "{told:#?}");
}

#[test]
fn hair_and_letters_beyond_the_edge_are_told() {
    let mut project = body("every_field");
    let before = warnings(&project).len();
    project["scenes"][0]["clips"][4]["left"] = json!(-40);
    project["scenes"][0]["clips"][4]["align"] = json!("left");
    project["scenes"][0]["clips"][4]["angle"] = json!(0);
    let told = warnings(&project);
    assert!(told.len() == before + 1 && told.iter().any(|told| told.contains("to the left of")), "{told:#?}");
}

/// The text of a clip of the body, with these stretches.
fn with_runs(text: &str, runs: Value) -> Value {
    let mut project = body("every_field");
    let title = &mut project["scenes"][0]["clips"][4];
    title["text"] = json!(text);
    title["runs"] = runs;
    project
}

fn title(project: &Value) -> Text {
    let clips = film(project).scenes.remove(0).clips;
    let mut texts = clips.into_iter().filter_map(|clip| match clip.kind {
        ClipKind::Text(text) => Some(text),
        _ => None,
    });
    texts.next().expect("a text")
}

#[test]
fn stretches_of_a_text_say_what_differs() {
    let text = title(&with_runs(
        "H2O\r\nis water",
        json!([
            { "text": "H", "rise": 0 },
            { "text": "2", "position": "sub", "rise": -0.25 },
            { "text": "O\r\nis ", "fill": "" },
            { "text": "water", "fill": "#0080ff", "fontWeight": 300, "fontStyle": "normal", "underline": false, "scale": 1.5 },
        ]),
    ));
    assert_eq!(text.text, "H2O\nis water");
    let [two, water] = &text.runs[..] else { panic!("two stretches look otherwise: {:?}", text.runs) };
    assert_eq!((&text.text[two.range.clone()], two.raise, two.scale), ("2", -0.25, 0.6));
    // What a stretch does not say is the clip's.
    assert_eq!((two.color, two.weight, two.italic, two.underline), (text.color, 700, true, true));
    assert_eq!((two.family.as_str(), water.family.as_str()), ("Noto Serif", "Noto Serif"));
    assert_eq!(&text.text[water.range.clone()], "water");
    assert_eq!((water.weight, water.italic, water.underline, water.scale), (300, false, false, 1.5));
    assert_eq!((water.color.r, water.color.g, water.color.b, water.raise), (0, 128, 255, 0.0));
}

/// Somebody who knows nothing of stretches changed the words.
#[test]
fn a_changed_text_is_drawn_without_its_stretches() {
    let runs = json!([{ "text": "Hel" }, { "text": "lo", "fill": "red" }]);
    let right = with_runs("Hello", runs.clone());
    assert_eq!(title(&right).runs.len(), 1);
    let changed = with_runs("Good evening", runs);
    assert_eq!((title(&changed).text.as_str(), title(&changed).runs.len()), ("Good evening", 0));
    let said = "scenes[0].clips[4].runs: are not drawn: joined, they are not the `text`".to_owned();
    assert!(warnings(&changed).contains(&said) && !warnings(&right).contains(&said), "{:?}", warnings(&changed));
}

#[test]
fn wrong_stretches_are_told_with_their_place() {
    let wrong = with_runs(
        "ab",
        json!([{ "text": "a", "fill": "wite", "position": "above" }, { "fontWeight": 2000, "scale": 0 }, "b"]),
    );
    let problems = resolve(&wrong, &Limits::default(), &TestCatalogue::default()).expect_err("wrong");
    let places: Vec<_> = problems.iter().map(|problem| problem.path.as_str()).collect();
    let runs = "scenes[0].clips[4].runs";
    let fields = ["[0].position", "[0].fill", "[1].text", "[1].fontWeight", "[1].scale", "[2]"];
    for place in fields.map(|field| format!("{runs}{field}")) {
        assert!(places.contains(&place.as_str()), "{place} is not in {places:?}");
    }
}

#[test]
fn what_cannot_be_seen_is_said() {
    let mut project = body("every_field");
    let title = 4;
    let before = warnings(&project).len();
    project["scenes"][0]["clips"][1]["left"] = json!(2500);
    project["scenes"][0]["clips"][title]["left"] = json!(1500);
    project["scenes"][0]["clips"][title]["width"] = json!(900);
    project["scenes"][0]["clips"][title]["text"] = json!("Our results in the third quarter of the year");
    project["scenes"][0]["clips"][title]["fontSize"] = json!(48);
    project["scenes"][0]["clips"][title]["align"] = json!("left");
    project["scenes"][0]["clips"][title]["angle"] = json!(0);
    project["scenes"][0]["clips"][0]["top"] = json!(-70);
    let told = warnings(&project);
    for said in [
        "clips[1]: cannot be seen: all of it lies to the right of the canvas of 1920 x 1080",
        "clips[4]: the text probably runs to the right of the canvas of 1920 x 1080",
        "clips[0]: the presenter's face is cut off: it runs above the canvas of 1920 x 1080",
    ] {
        assert!(told.iter().any(|warning| warning == &format!("scenes[0].{said}")), "{said} is not in {told:#?}");
    }
    assert_eq!(told.len(), before + 3, "{told:#?}");
}

/// A bare rectangle says no more than how much of somebody is shown: the hair of those who are shown to the waist, too, is
/// told of as soon as a twentieth of the head is gone, and not before.
#[test]
fn hair_of_a_bare_rectangle_is_told() {
    let mut project = body("every_field");
    let clip = &mut project["scenes"][0]["clips"][0];
    for key in ["mask", "effects"] {
        clip.as_object_mut().expect("an object").remove(key);
    }
    clip["model"].as_object_mut().expect("an object").remove("editor");
    (clip["scaleX"], clip["scaleY"], clip["left"]) = (json!(1), json!(1), json!(600));
    for ([width, height], fine, cut) in [
        ([720, 1080], -70, -140),
        ([600, 900], -60, -110),
        ([720, 1000], -60, -110),
        ([720, 1180], -40, -90),
        ([400, 1000], -10, -60),
    ] {
        for (top, expected) in [(fine, false), (cut, true)] {
            let clip = &mut project["scenes"][0]["clips"][0];
            (clip["width"], clip["height"], clip["top"]) = (json!(width), json!(height), json!(top));
            let told = warnings(&project);
            let is_cut = told.iter().any(|told| told.contains("clips[0]") && told.contains("is cut off"));
            assert_eq!(is_cut, expected, "{width} x {height} at {top}: {told:#?}");
        }
    }
}

#[test]
fn a_clip_that_shows_needs_no_warning() {
    assert_eq!(warnings(&body("every_field")), [""; 0]);
}

#[test]
fn stock_pictures_of_others_become_the_nearest_of_ours() {
    let entry = |name: &str, words: &[&str]| BackgroundEntry {
        path: format!("/images/background/{name}.png"),
        words: words.iter().map(|&word| word.to_owned()).collect(),
    };
    let catalogue = TestCatalogue {
        backgrounds: vec![entry("office", &["office"]), entry("gradient-ocean", &["gradient", "blue"])],
        files: Some(["/music/calm.mp3", "/images/logo.png"].map(str::to_owned).to_vec()),
        aliases: vec![("/sounds/theirs.mp3".to_owned(), "/music/calm.mp3".to_owned())],
        ..TestCatalogue::default()
    };
    let mut project = json!({ "scenes": [{
        "sceneIdx": 0,
        "background": { "source_type": "image", "source_url": "/images/background/bg_blue_gradient.png" },
        "clips": [{ "id": "s", "type": "audio", "source_url": "/sounds/theirs.mp3" }]
    }] });
    let resolved = resolve(&project, &Limits::default(), &catalogue).expect("a right body");
    let scene = &resolved.film.scenes[0];
    assert_eq!(scene.background.picture.as_ref().map(|s| s.0.as_str()), Some("/images/background/gradient-ocean.png"));
    assert!(matches!(&scene.clips[0].kind, ClipKind::Audio(audio) if audio.source.0 == "/music/calm.mp3"));
    let told: Vec<String> = resolved.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        ["scenes[0].background.source_url: there is no picture `/images/background/bg_blue_gradient.png` here; \
          `/images/background/gradient-ocean.png` is shown instead"]
    );

    project["scenes"][0]["clips"][0]["source_url"] = json!("/music/calmer.mp3");
    let problems = resolve(&project, &Limits::default(), &catalogue).unwrap_err();
    assert_eq!(problems[0].code, Code::AssetUnreachable);
    assert_eq!(
        problems[0].to_string(),
        "scenes[0].clips[0].source_url: there is no file `/music/calmer.mp3` here (did you mean `/music/calm.mp3`?)"
    );
}

#[test]
fn a_presenter_may_have_percent_or_a_fraction() {
    let mut project = body("older_form");
    for (written, meant) in
        [(json!(100), 1.0), (json!(1), 1.0), (json!(0.25), 0.25), (json!("50"), 0.5), (json!(0), 0.0)]
    {
        project["scenes"][0]["clips"][1]["opacity"] = written;
        assert_eq!(film(&project).scenes[0].clips[0].opacity, meant);
    }
}

#[test]
fn what_works_but_may_be_meant_otherwise() {
    let mut project = body("every_field");
    project["scenes"][0]["clips"][3]["opacity"] = json!(0.5);
    project["scenes"][0]["clips"][0]["script"] = json!("Never heard.");
    project["scenes"][0]["clips"][0]["model"]["language"] = json!("ko");
    assert_eq!(
        warnings(&project),
        [
            "scenes[0].clips[0].model.language: `ada` does not speak `ko`, only `en-US` and `de-DE`",
            "scenes[0].clips[3].opacity: 0.5 is read as 0.5 %; a fully opaque clip has 100",
            "scenes[0].clips[0].script: is not spoken, because the scene's `scripts[0]` belongs to this presenter",
        ]
    );
}

#[test]
fn keys_that_look_like_others() {
    let mut project = body("every_field");
    project.as_object_mut().unwrap().shift_remove("onAssetError");
    project["onAssetEror"] = json!("skip");
    let clips = &mut project["scenes"][0]["clips"];
    clips[4].as_object_mut().unwrap().shift_remove("fontFamily");
    clips[4]["fontfamily"] = json!("Noto Sans");
    // Beside the key itself, and unlike any: neither is a slip.
    clips[4]["texts"] = json!("also here");
    clips[4]["customerNumber"] = json!(7);
    assert_eq!(
        warnings(&project),
        [
            "onAssetEror: is not known to a project; did you mean `onAssetError`?",
            "scenes[0].clips[4].fontfamily: is not known to a clip; did you mean `fontFamily`?",
        ]
    );
}

#[test]
fn foreign_ids_can_be_mapped() {
    let mut project = body("older_form");
    project["scenes"][0]["clips"][0]["model"] = json!({ "ai_name": "M000045058", "emotion": "BG00006160" });
    let mut catalogue =
        TestCatalogue { aliases: vec![("M000045058".to_owned(), "ben".to_owned())], ..TestCatalogue::default() };
    let avatar = |catalogue: &TestCatalogue| {
        let resolved = resolve(&project, &Limits::default(), catalogue).expect("a right body");
        let warning = resolved.warnings.first().map(ToString::to_string).unwrap_or_default();
        match &resolved.film.scenes[0].clips[1].kind {
            ClipKind::Avatar(avatar) => (avatar.avatar.clone(), avatar.outfit.clone(), warning),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(avatar(&catalogue), ("ben".to_owned(), "suit".to_owned(), String::new()));
    catalogue.aliases.clear();
    let warning = "scenes[0].clips[0].model.ai_name: `ada` presents instead of `M000045058`".to_owned();
    catalogue.fallback_model = Some("ada".to_owned());
    assert_eq!(avatar(&catalogue), ("ada".to_owned(), "navy".to_owned(), warning));
}

#[test]
fn the_script_belongs_to_the_presenter_it_names() {
    let mut project = body("older_form");
    let scene = &mut project["scenes"][0];
    scene["scripts"] = json!([{ "org": "I begin.", "isTTS": false, "tts": null, "modelId": "ben", "clothId": "suit" }]);
    scene["clips"][1].as_object_mut().unwrap().shift_remove("script");
    let scene = &film(&project).scenes[0];
    assert_eq!(scene.lines.iter().map(|line| line.clip).collect::<Vec<_>>(), [Some(0), Some(1)]);
    assert_eq!(scene.lines[0].path, "scenes[0].scripts[0]");
}

#[test]
fn a_film_is_in_the_language_that_its_author_says() {
    let mut body = body("every_field");
    body["language"] = json!(null);
    assert_eq!(film(&body).language, None, "nobody can tell");
    body["language"] = json!("en-GB");
    assert_eq!(film(&body).language.as_deref(), Some("en-GB"));
    assert!(!warnings(&body).iter().any(|warning| warning.contains("no voice here")));
    body["language"] = json!("ko");
    assert!(
        warnings(&body).iter().any(|warning| warning.contains("no voice here speaks `ko`")),
        "{:?}",
        warnings(&body)
    );
}
