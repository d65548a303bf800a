//! What slides hold beside their pictures: films, links, words to speak where there are no notes; and other formats.

mod common;

use std::path::Path;
use std::sync::{Arc, Mutex};

use common::{Imported, corpus, imported, imported_with};
use compere_import::{DeckKind, Fetch, Presenter, Quiet, Scribe, Want, Wish, deck_to_project};
use serde_json::{Value, json};

fn scenes(found: &Imported) -> Vec<Value> {
    let presenter = Presenter { model: "nora".into(), cloth: "nora/blazer".into(), voice: None };
    let link = |path: &Path| format!("/x/{}", path.file_name().unwrap().to_string_lossy());
    deck_to_project(&found.deck, &link, None, &presenter)["scenes"].as_array().unwrap().clone()
}

#[test]
fn films_in_slides_are_played_where_they_lie() {
    let found = imported(&corpus("played.pptx"));
    let scenes = scenes(&found);
    let film =
        |scene: &Value| scene["clips"].as_array().unwrap().iter().find(|clip| clip["type"] == "videoImage").cloned();
    let (silent, said) = (film(&scenes[0]).unwrap(), film(&scenes[1]).unwrap());
    let file = silent["video_url"].as_str().unwrap().trim_start_matches("/x/").to_owned();
    assert!(file.ends_with(".mp4") && found.dir.path().join(&file).metadata().unwrap().len() > 1000, "{file}");
    // 6.4 by 3.6 inches of 13.333 by 7.5, on the slide as the scene shows it.
    let (width, height) = (silent["width"].as_f64().unwrap(), silent["height"].as_f64().unwrap());
    assert!((width / height - 16.0 / 9.0).abs() < 0.01 && width < 930.0 && width > 600.0, "{width} by {height}");
    // Where nothing is said, the film is seen to its end; under words it is not so loud.
    assert!(scenes[0]["duration"].as_f64().unwrap() >= 9.0, "{}", scenes[0]["duration"]);
    assert_eq!((&silent["volume"], &said["volume"]), (&Value::Null, &json!(30)));
}

/// The deck of a film and one of a picture that only link to theirs.
fn linking() -> [Vec<u8>; 2] {
    const HELD: &str = "Target=\"../media/media1.mp4\"";
    const LINKED: &str = "Target=\"https://films.example/film.mp4?key=1\" TargetMode=\"External\"";
    let film = common::changed("played.pptx", &|name, bytes| match name {
        "ppt/slides/_rels/slide1.xml.rels" => common::replaced(bytes, HELD, LINKED),
        _ => bytes,
    });
    [film, std::fs::read(corpus("external.pptx")).unwrap()]
}

#[test]
fn what_lies_elsewhere_is_fetched_by_whoever_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let [film, picture] = linking();
    let film = common::write(dir.path(), "film.pptx", &film);
    let picture = common::write(dir.path(), "picture.pptx", &picture);
    let played = imported(&corpus("played.pptx"));
    let film_file = played.deck.slides[0].clips.iter().find_map(|clip| clip.what.file()).unwrap().to_owned();
    let picture_file = played.deck.slides[0].picture.clone();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    let fetch = Fetch(Arc::new(move |link: &str| {
        log.lock().unwrap().push(link.to_owned());
        Ok(if link.contains(".png") { picture_file.clone() } else { film_file.clone() })
    }));
    let want = Want { fetch: Some(fetch), ..common::want() };
    let found = imported_with(&film, &want);
    let clip = scenes(&found)[0]["clips"].as_array().unwrap().iter().find(|clip| clip["type"] == "videoImage").cloned();
    let file = clip.unwrap()["video_url"].as_str().unwrap().trim_start_matches("/x/").to_owned();
    assert!(file.ends_with(".mp4") && found.dir.path().join(file).is_file());
    assert!(scenes(&found)[0]["duration"].as_f64().unwrap() >= 9.0, "it is played to its end");
    let found = imported_with(&picture, &want);
    let [clip] = found.deck.slides[0].clips.as_slice() else { panic!("{:?}", found.deck.slides[0].clips) };
    assert!((clip.width / clip.height - 1.5).abs() < 0.01 && clip.what.file().unwrap().is_file(), "{clip:?}");
    let links = ["https://films.example/film.mp4?key=1", "http://127.0.0.1:9/compere-external.png"];
    assert_eq!(*asked.lock().unwrap(), links, "files of the machine are asked of nobody");
    let told: Vec<&str> = found.deck.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert!(told.contains(&"shows a picture that lies elsewhere and is not fetched"), "the other one: {told:?}");
}

#[test]
fn what_cannot_be_fetched_is_told_with_its_reason() {
    let dir = tempfile::tempdir().unwrap();
    let [film, _] = linking();
    let film = common::write(dir.path(), "film.pptx", &film);
    let told = |fetch: Option<Fetch>| -> Vec<String> {
        let warnings = imported_with(&film, &Want { fetch, ..common::want() }).deck.warnings.into_iter();
        warnings.filter(|warning| warning.slide == Some(1)).map(|warning| warning.message).collect()
    };
    assert_eq!(told(None), ["holds a film that lies elsewhere and is left out"]);
    let refusing = Fetch(Arc::new(|_: &str| Err("`films.example` is not called".to_owned())));
    let wanted = "holds a film that lies elsewhere and could not be fetched: `films.example` is not called";
    assert_eq!(told(Some(refusing)), [wanted]);
    let page = common::write(dir.path(), "page.html", b"<html>Watch it here</html>");
    let no_film = Fetch(Arc::new(move |_: &str| Ok(page.clone())));
    assert_eq!(told(Some(no_film)), ["holds a film that cannot be played and is left out"]);
}

#[test]
fn transitions_of_slides_are_those_of_scenes() {
    let deck = common::changed("training.pptx", &|name, bytes| match name {
        "ppt/slides/slide2.xml" => {
            let push = r#"<p:transition spd="med"><p:push dir="u"/></p:transition></p:sld>"#;
            common::replaced(bytes, "</p:sld>", push)
        }
        _ => bytes,
    });
    let dir = tempfile::tempdir().unwrap();
    let found = imported(&common::write(dir.path(), "deck.pptx", &deck));
    let scenes = scenes(&found);
    assert_eq!(scenes[0]["transition"], Value::Null);
    assert_eq!(scenes[1]["transition"], json!({ "type": "push-down", "duration": 0.75 }));
}

#[test]
fn links_are_kept_with_their_words_and_hidden_slides_are_named() {
    let found = imported(&corpus("played.pptx"));
    let links = json!([{ "text": "The handbook", "url": "https://example.com/handbook?page=2" }]);
    let scenes = scenes(&found);
    assert_eq!((&scenes[2]["links"], &scenes[1]["links"]), (&links, &Value::Null));
    let told: Vec<&str> = found.deck.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert!(told.contains(&"slide 4 is hidden and left out"), "{told:?}");
}

#[test]
fn slides_without_notes_can_say_what_they_say() {
    let wish = Wish { quiet: Quiet::Draft, slides: "3,5-6".parse().unwrap(), ..Wish::default() };
    let found = imported_with(&corpus("business.pptx"), &Want { wish, ..common::want() });
    let notes: Vec<&str> = found.deck.slides.iter().map(|slide| slide.notes.as_str()).collect();
    assert_eq!(notes[0], "The chart shows the three regions.");
    assert_eq!(notes[1], "Numbers.");
    let told = |slide, part| found.deck.warnings.iter().any(|w| w.slide == Some(slide) && w.message.contains(part));
    assert!(told(5, "as a draft") && !told(3, "as a draft"), "{:?}", found.deck.warnings);
}

#[test]
fn a_language_model_writes_for_slides_without_notes() {
    let wish = Wish { quiet: Quiet::Written, slides: "3,5-6".parse().unwrap(), ..Wish::default() };
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    let scribe = move |_: &str, request: &str| {
        log.lock().unwrap().push(request.to_owned());
        Ok("**Twelve** numbers, [pause:9] none of them large.".to_owned())
    };
    let want = Want { scribe: Some(Scribe(Arc::new(scribe))), wish: wish.clone(), ..common::want() };
    let found = imported_with(&corpus("business.pptx"), &want);
    let notes: Vec<&str> = found.deck.slides.iter().map(|slide| slide.notes.as_str()).collect();
    assert_eq!(notes[..2], ["The chart shows the three regions.", "Twelve numbers, [pause:9] none of them large."]);
    let asked = asked.lock().unwrap();
    assert_eq!(asked.len(), 1, "only of slides without notes: {asked:?}");
    assert!(asked[0].starts_with("Presentation: Quarterly review\nSlide: Numbers"), "{asked:?}");
    let told = |found: &Imported, slide, part| {
        found.deck.warnings.iter().any(|warning| warning.slide == slide && warning.message.contains(part))
    };
    assert!(told(&found, Some(5), "a language model wrote"), "{:?}", found.deck.warnings);
    // One that is away leaves what the slide says itself.
    let away = Scribe(Arc::new(|_: &str, _: &str| Err("it is away".to_owned())));
    let want = Want { scribe: Some(away), wish, ..common::want() };
    let found = imported_with(&corpus("business.pptx"), &want);
    assert_eq!(found.deck.slides[1].notes, "Numbers.");
    assert!(told(&found, None, "it is away") && told(&found, Some(5), "as a draft"), "{:?}", found.deck.warnings);
}

#[test]
fn an_open_document_presentation_is_read_like_the_others() {
    let found = imported(&corpus("open.odp"));
    assert_eq!(found.deck.kind, DeckKind::Odp);
    let notes: Vec<&str> = found.deck.slides.iter().map(|slide| slide.notes.as_str()).collect();
    assert_eq!(notes[1], "This is slide 2 of the upright deck and it is short.");
    assert!(found.deck.slides.iter().all(|slide| slide.picture.is_file()));
}

#[test]
fn a_hierarchy_whose_drawing_is_older_than_its_words_is_told_of() {
    const HIERARCHY: &str = "uniqueId=\"urn:microsoft.com/office/officeart/2005/8/layout/orgChart1\"";
    let deck = |change: &dyn Fn(&str, Vec<u8>) -> Vec<u8>| common::changed("smartart.pptx", change);
    let hierarchy = |name: &str, bytes: Vec<u8>| match name {
        "ppt/diagrams/layout1.xml" => common::replaced(bytes, "uniqueId=\"x\"", HIERARCHY),
        _ => bytes,
    };
    let renamed = |name: &str, bytes: Vec<u8>| match name {
        "ppt/diagrams/data1.xml" => common::replaced(bytes, ">Build<", ">Test<"),
        _ => bytes,
    };
    let dir = tempfile::tempdir().unwrap();
    let told = |name: &str, bytes: &[u8]| -> Vec<(Option<usize>, String)> {
        let found = imported(&common::write(dir.path(), name, bytes));
        let about = found.deck.warnings.into_iter().filter(|warning| warning.message.contains("SmartArt"));
        about.map(|warning| (warning.slide, warning.message)).collect()
    };
    assert_eq!(told("right.pptx", &deck(&hierarchy)), [], "its drawing says what its boxes say");
    assert_eq!(told("list.pptx", &deck(&renamed)), [], "a process need not show all that it holds");
    let old = told("old.pptx", &deck(&|name, bytes| renamed(name, hierarchy(name, bytes))));
    let [(Some(1), message)] = old.as_slice() else { panic!("{old:?}") };
    assert!(message.contains("hierarchy whose drawing lacks “Test”"), "{message}");
    let torn = told(
        "torn.pptx",
        &deck(&|name, bytes| match name {
            "ppt/diagrams/drawing1.xml" => b"<dsp:drawing".to_vec(),
            _ => hierarchy(name, bytes),
        }),
    );
    assert!(matches!(torn.as_slice(), [(Some(1), message)] if message.contains("without a drawing")), "{torn:?}");
}

#[test]
fn a_stand_in_is_told_with_the_slides_on_which_it_stands() {
    let told = |deck: &str| -> Vec<String> {
        let warnings = imported(&corpus(deck)).deck.warnings.into_iter();
        warnings.map(|warning| warning.message).filter(|message| message.starts_with("font “")).collect()
    };
    // All slides of this one, and of the same widths: it used to be told without a number.
    let everywhere = told("training.pptx");
    let twin = everywhere.iter().find(|message| message.contains("which has the same widths")).unwrap();
    assert!(twin.ends_with(')') && twin.contains(" (slide"), "{everywhere:?}");
    let parts = told("parts.pptx");
    assert!(!parts.is_empty() && parts.iter().all(|message| message.contains(" (slide")), "{parts:?}");
}
