//! Slides whose parts come and go by a click do so in the film.

mod common;

use std::path::Path;

use common::{Imported, corpus, imported, imported_with};
use compere_codec::image;
use compere_import::{Presenter, Quiet, Want, Wish, deck_to_project};
use compere_scene::{AvatarEntry, Catalogue, VoiceEntry};
use serde_json::Value;

fn scenes(found: &Imported) -> Vec<Value> {
    let presenter = Presenter { model: "nora".into(), cloth: "nora/blazer".into(), voice: None };
    let link = |path: &Path| format!("/x/{}", path.file_name().unwrap().to_string_lossy());
    deck_to_project(&found.deck, &link, None, &presenter)["scenes"].as_array().unwrap().clone()
}

/// The clips that come with a step: which step, left, top, right, bottom.
fn steps(scene: &Value) -> Vec<(u64, [f64; 4])> {
    let number = |clip: &Value, key: &str| clip[key].as_f64().unwrap();
    let clips = scene["clips"].as_array().unwrap().iter().filter(|clip| clip["fromStep"].is_number());
    clips
        .map(|clip| {
            let [left, top] = ["left", "top"].map(|key| number(clip, key));
            let [width, height] = ["width", "height"].map(|key| number(clip, key));
            (clip["fromStep"].as_u64().unwrap(), [left, top, left + width, top + height])
        })
        .collect()
}

#[test]
fn paragraphs_come_where_the_notes_name_them() {
    let found = imported(&corpus("builds.pptx"));
    let scenes = scenes(&found);
    assert_eq!(
        scenes[0]["scripts"][0]["org"],
        "Three things matter when the alarm rings. [step]Close the doors behind you, so that smoke stays where it is. \
         [step]Never take the lift. [step]Then we all meet outside, at the oak."
    );
    let came = steps(&scenes[0]);
    assert_eq!(came.iter().map(|(step, _)| *step).collect::<Vec<_>>(), [1, 2, 3]);
    // One below the other, as paragraphs are, and each no higher than a line.
    assert!(came.windows(2).all(|pair| pair[0].1[3] <= pair[1].1[1] + 20.0), "{came:?}");
    assert!(came.iter().all(|(_, [_, top, _, bottom])| bottom - top < 110.0), "{came:?}");
    // At first there is the title and nothing else; the small picture shows the slide as it ends.
    let dark = |path: &Path| {
        let picture = image::decode(&common::sandbox(), path, image::Want { max_width: 480, max_height: 270 }).unwrap();
        let rows = (90..270).flat_map(|y| picture.row(y).to_vec());
        rows.filter(|[r, g, b, _]| u16::from(*r) + u16::from(*g) + u16::from(*b) < 300).count()
    };
    let slide = &found.deck.slides[0];
    assert_eq!(dark(&slide.picture), 0);
    assert!(dark(&slide.thumbnail) > 100);
    assert_eq!(slide.steps, ["Close the doors", "Do not use the lift", "Meet at the oak tree"]);
}

#[test]
fn clicks_in_the_notes_place_them_and_what_goes_is_gone() {
    let found = imported(&corpus("builds.pptx"));
    let scenes = scenes(&found);
    assert_eq!(
        scenes[1]["scripts"][0]["org"],
        "At first there was a sentence. [step] Then a picture came. [step] And the sentence went."
    );
    let [(1, picture), (2, text)] = steps(&scenes[1])[..] else { panic!("{:?}", steps(&scenes[1])) };
    assert!(picture[0] > 650.0 && text[2] < 650.0, "{picture:?} {text:?}");
    let warned = found.deck.warnings.iter().any(|warning| warning.message.contains("click"));
    assert!(!warned, "what the film honours is no cue to be warned of: {:?}", found.deck.warnings);
    // Nothing is said of the shapes: they share the time in which the slide is read.
    assert_eq!(steps(&scenes[2]).len(), 2);
    assert!(scenes[2]["duration"].as_f64().unwrap() >= 4.0);
    assert_eq!(steps(&scenes[3]), []);
    assert_eq!(scenes[3]["scripts"][0]["org"], "Nothing moves here.");
}

#[test]
fn clicks_that_bring_nothing_are_not_said() {
    let deck = common::changed("builds.pptx", &|name, bytes| {
        let more = if name.starts_with("ppt/notesSlides/notesSlide") { "(Click)" } else { "" };
        let bytes = common::replaced(bytes, "the sentence went.", &format!("the sentence {more} went. {more}"));
        common::replaced(bytes, "Nothing moves here.", &format!("{more} Nothing moves here."))
    });
    let dir = tempfile::tempdir().unwrap();
    let found = imported(&common::write(dir.path(), "deck.pptx", &deck));
    let scenes = scenes(&found);
    let said = |at: usize| scenes[at]["scripts"][0]["org"].as_str().unwrap();
    assert_eq!(said(1), "At first there was a sentence. [step] Then a picture came. [step] And the sentence went.");
    assert_eq!(said(3), "Nothing moves here.");
    let told: Vec<_> = found.deck.warnings.iter().filter(|warning| warning.message.contains("[click]")).collect();
    let [second, fourth] = told[..] else { panic!("{told:?}") };
    assert!(second.slide == Some(2) && second.message.contains("2 “[click]”, because 2 things"), "{second:?}");
    assert!(fourth.slide == Some(4) && fourth.message.contains("because nothing"), "{fourth:?}");
}

#[test]
fn without_notes_steps_come_all_the_same_and_left_out_slides_do_not() {
    let wish = Wish { notes: false, quiet: Quiet::Listen, slides: "1,4".parse().unwrap(), ..Wish::default() };
    let found = imported_with(&corpus("builds.pptx"), &Want { wish, ..common::want() });
    let scenes = scenes(&found);
    assert_eq!((scenes.len(), steps(&scenes[0]).len()), (2, 3));
    assert_eq!(scenes[0]["scripts"][0]["org"], "");
}

/// Two people nobody asks for.
struct Nobody;

impl Catalogue for Nobody {
    fn avatars(&self) -> &[AvatarEntry] {
        &[]
    }

    fn voices(&self) -> &[VoiceEntry] {
        &[]
    }
}

#[test]
fn the_scene_language_reads_what_the_import_writes() {
    let wish = Wish { notes: false, quiet: Quiet::Empty, slides: "3".parse().unwrap(), ..Wish::default() };
    let found = imported_with(&corpus("builds.pptx"), &Want { wish, ..common::want() });
    let body = serde_json::json!({ "name": "x", "orientation": "landscape", "scenes": scenes(&found) });
    let film = compere_scene::resolve(&body, &compere_scene::Limits::default(), &Nobody).unwrap().film;
    let scene = &film.scenes[0];
    let shown: Vec<_> = scene.clips.iter().map(|clip| scene.shown(clip, 300)).collect();
    assert_eq!(shown, [100..300, 200..300]);
}
