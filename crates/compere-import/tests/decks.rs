//! Presentations: order, words and pictures.

mod common;

use std::path::Path;

use common::{Imported, changed, corpus, imported, imported_with, replaced, write};
use compere_codec::image;
use compere_import::{DeckKind, Layout, Presenter, Quiet, Slide, Want, Wish, deck_to_project};
use compere_media::Orientation;
use serde_json::{Value, json};

/// Compares a slide with the small picture in the tree; `COMPERE_BLESS=1` writes it.
fn looks_like(slide: &Path, name: &str) {
    let sandbox = common::sandbox();
    let small = image::Want { max_width: 128, max_height: 128 };
    let found = image::decode(&sandbox, slide, small).unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures").join(format!("{name}.png"));
    if std::env::var_os("COMPERE_BLESS").is_some() {
        std::fs::write(&golden, image::pixmap_to_png(&found).unwrap()).unwrap();
    }
    let expected = image::decode(&sandbox, &golden, small).unwrap();
    assert_eq!((found.width(), found.height()), (expected.width(), expected.height()), "{name}");
    let difference =
        |(a, b): (&[u8; 4], &[u8; 4])| a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(*b))).sum::<u64>();
    let sum: u64 = found.data().iter().zip(expected.data()).map(difference).sum();
    let mean = sum as f64 / found.data().len() as f64;
    assert!(mean < 6.0, "{name} differs by {mean:.1} a pixel; the picture is {}", slide.display());
}

fn words(imported: &Imported) -> Vec<(&str, &str)> {
    imported.deck.slides.iter().map(|slide| (slide.name.as_str(), slide.notes.as_str())).collect()
}

fn business() -> [(&'static str, &'static str); 5] {
    [
        ("Quarterly review", "Welcome to the quarterly review.\nWe have six slides & one message."),
        ("What happened", "Revenue grew. That was not expected by <everyone>."),
        ("Revenue by region", "The chart shows the three regions."),
        ("Numbers", ""),
        ("Thank you", "Thank you for listening. Are there any questions?"),
    ]
}

#[test]
fn a_business_deck_comes_whole() {
    let found = imported(&corpus("business.pptx"));
    assert_eq!(words(&found), business(), "titles and notes, hidden slides left out");
    let deck = &found.deck;
    assert_eq!(
        (deck.kind, deck.orientation, deck.title.as_deref()),
        (DeckKind::Pptx, Orientation::Landscape, Some("Quarterly review"))
    );
    assert!(deck.warnings.iter().any(|warning| warning.message.contains("Calibri")), "{:?}", deck.warnings);
    for (slide, name) in deck.slides.iter().zip(["title", "bullets", "chart", "table", "dark"]) {
        looks_like(&slide.picture, &format!("business-{name}"));
        assert!(slide.thumbnail.is_file());
    }
    assert_eq!(deck.slides[4].edge_colour, [16, 24, 40]);
    // Nothing but pictures and thumbnails is left in the folder.
    assert_eq!(std::fs::read_dir(found.dir.path()).unwrap().count(), deck.slides.len() * 2);

    let presenter = Presenter { model: "nora".into(), cloth: "nora/blazer".into(), voice: None };
    let link = |path: &Path| format!("/x/{}", path.file_name().unwrap().to_string_lossy());
    let project = deck_to_project(deck, &link, None, &presenter);
    assert_eq!(project["name"], "Quarterly review");
    let scenes = project["scenes"].as_array().unwrap();
    assert_eq!(scenes.len(), 5);
    assert_eq!(
        scenes[0]["scripts"][0]["org"],
        "<p>Welcome to the quarterly review.</p><p>We have six slides &amp; one message.</p>"
    );
    assert_eq!(scenes[0]["background"]["source_url"], "/x/slide-001.png");
    assert_eq!(clip(&scenes[0], "presenter")["model"]["ai_name"], "nora");
    // No notes: she listens, as long as the slide is read.
    assert_eq!(
        (&scenes[3]["scripts"][0]["org"], &clip(&scenes[3], "presenter")["type"]),
        (&json!(""), &json!("aiModel"))
    );
    assert_eq!(scenes[3]["duration"].as_f64(), Some(deck.slides[3].reading));
    assert!((5.0..12.0).contains(&deck.slides[3].reading), "twelve cells: {} s", deck.slides[3].reading);
    assert!(scenes[0].get("duration").is_none());
}

/// A scene's clip of that id; null when it has none.
fn clip<'a>(scene: &'a Value, id: &str) -> &'a Value {
    let clips = scene["clips"].as_array().unwrap();
    clips.iter().find(|clip| clip["id"] == id).unwrap_or(&Value::Null)
}

fn project(found: &Imported) -> Vec<Value> {
    let presenter = Presenter { model: "nora".into(), cloth: "nora/blazer".into(), voice: None };
    let link = |path: &Path| format!("/x/{}", path.file_name().unwrap().to_string_lossy());
    deck_to_project(&found.deck, &link, None, &presenter)["scenes"].as_array().unwrap().clone()
}

fn wishing(wish: Wish) -> Want {
    Want { wish, ..common::want() }
}

/// Edge pixels of the slide as the scene shows it, and how many of them lie in the presenter's rectangle: the slide's
/// own picture is looked at, not what the import thought of it.
fn hidden(slide: &Slide, scene: &Value) -> f64 {
    let picture = image::decode(&common::sandbox(), &slide.picture, image::Want { max_width: 960, max_height: 960 });
    let picture = picture.unwrap();
    let (width, height) = (f64::from(picture.width()), f64::from(picture.height()));
    let number = |clip: &Value, key: &str| clip[key].as_f64().unwrap();
    let canvas = if width > height { 1920.0 } else { 1080.0 };
    // Where the slide lies, and what is in front of it.
    let (left, top, unit) = match clip(scene, "slide") {
        Value::Null => (0.0, 0.0, canvas / width),
        card => (number(card, "left"), number(card, "top"), number(card, "width") / width),
    };
    let who = clip(scene, "presenter");
    if who.is_null() || who["voiceOnly"] == true {
        return 0.0;
    }
    let [x0, y0] = ["left", "top"].map(|key| number(who, key));
    let [x1, y1] = [x0 + number(who, "width"), y0 + number(who, "height")];
    let bust = who["headOnly"] == true;
    let (mut all, mut covered) = (0u32, 0u32);
    for y in 1..picture.height() {
        for x in 1..picture.width() as usize {
            let [here, before, above] = [picture.row(y)[x], picture.row(y)[x - 1], picture.row(y - 1)[x]];
            let differs = |other: [u8; 4]| here.iter().zip(other).any(|(a, b)| a.abs_diff(b) > 24);
            if !differs(before) && !differs(above) {
                continue;
            }
            all += 1;
            let (x, y) = (left + x as f64 * unit, top + f64::from(y) * unit);
            // Beside a head there is nothing of head and shoulders.
            let shoulders = !bust || y > y0 + 0.6 * (y1 - y0) || (x - (x0 + x1) / 2.0).abs() < 0.34 * (x1 - x0);
            covered += u32::from(x0 < x && x < x1 && y0 < y && y < y1 && shoulders);
        }
    }
    f64::from(covered) / f64::from(all.max(1))
}

#[test]
fn the_presenter_hides_no_content_in_any_layout() {
    let decks = [
        ("training.pptx", Layout::Beside),
        ("training.pptx", Layout::Corner),
        ("business.pptx", Layout::Circle),
        ("scripts-4x3.pptx", Layout::Auto),
        ("portrait.pptx", Layout::Auto),
    ];
    for (deck, layout) in decks {
        let found = imported_with(&corpus(deck), &wishing(Wish { layout, ..Wish::default() }));
        for (slide, scene) in found.deck.slides.iter().zip(project(&found)) {
            let share = hidden(slide, &scene);
            assert!(share <= 0.01, "{deck}, {layout}, slide {}: {:.1} % hidden", slide.number, share * 100.0);
            assert!(!clip(&scene, "presenter").is_null(), "{deck}: somebody presents slide {}", slide.number);
        }
    }
}

#[test]
fn a_page_of_another_shape_makes_room_instead_of_becoming_smaller() {
    let found = imported(&corpus("scripts-4x3.pptx"));
    for scene in project(&found) {
        assert!(clip(&scene, "slide").is_null(), "{scene}");
        assert!(clip(&scene, "presenter")["left"].as_f64().unwrap() >= 1440.0);
    }
    let voice = imported_with(&corpus("scripts-4x3.pptx"), &wishing(Wish { layout: Layout::Voice, ..Wish::default() }));
    assert!(project(&voice).iter().all(|scene| clip(scene, "presenter")["voiceOnly"] == true));
}

#[test]
fn what_is_behind_smaller_slides_can_be_chosen() {
    let wish = |background: &str, layout| Wish { background: background.parse().unwrap(), layout, ..Wish::default() };
    let smaller = |found: &Imported| {
        let scenes = project(found);
        let scene = scenes.iter().find(|scene| !clip(scene, "slide").is_null()).expect("a smaller slide").clone();
        [&scene["background"]["source_type"], &scene["background"]["source_url"], &scene["background"]["source_color"]]
            .map(|value| value.as_str().unwrap_or_default().to_owned())
    };
    let few = |wish: Wish| wishing(Wish { slides: "9".parse().unwrap(), ..wish });
    let found = imported_with(&corpus("training.pptx"), &few(wish("#0a2540", Layout::Beside)));
    assert_eq!(smaller(&found), ["color", "", "rgb(10,37,64)"]);
    let found = imported_with(&corpus("training.pptx"), &few(wish("/images/background/office.png", Layout::Beside)));
    assert_eq!(&smaller(&found)[..2], ["image", "/images/background/office.png"]);
    // A page of another shape leaves room, which has the colour too.
    let found = imported_with(&corpus("scripts-4x3.pptx"), &wishing(wish("#0a2540", Layout::Auto)));
    let picture = image::decode(
        &common::sandbox(),
        &found.deck.slides[0].picture,
        image::Want { max_width: 192, max_height: 108 },
    )
    .unwrap();
    assert_eq!((picture.pixel(185, 50), picture.pixel(185, 100)), ([10, 37, 64, 255], [10, 37, 64, 255]));
}

#[test]
fn a_training_deck_can_be_shown_as_it_comes() {
    let found = imported(&corpus("training.pptx"));
    assert_eq!(found.deck.title, None, "its title is PowerPoint's");
    let names: Vec<&str> = found.deck.slides.iter().map(|slide| slide.name.as_str()).collect();
    assert_eq!(
        (names[0], names[3], names[6], names[8]),
        ("Fire safety at work", "Causes in our buildings", "Quiet minute", "Our meeting point")
    );
    let warned = |slide, part: &str| {
        found.deck.warnings.iter().any(|warning| warning.slide == slide && warning.message.contains(part))
    };
    assert!(warned(Some(2), "“10 mins”"), "{:?}", found.deck.warnings);
    assert!(warned(None, "“Segoe UI” is not installed; Liberation Sans"), "{:?}", found.deck.warnings);
    assert!(warned(Some(6), "a “[click]”, because nothing comes or goes by a click"), "{:?}", found.deck.warnings);
    let clicks = |slide: &Slide| slide.notes.contains("[click]") || slide.notes.contains("[step]");
    assert!(!found.deck.slides.iter().any(clicks), "nobody says a click");
    let scenes = project(&found);
    assert_eq!(scenes.len(), 10);
    assert!(scenes.iter().all(|scene| clip(scene, "presenter")["type"] == "aiModel"), "on every slide");
    let without = imported_with(&corpus("training.pptx"), &wishing(Wish { cues: false, ..Wish::default() }));
    assert!(without.deck.slides[1].notes.starts_with("This is the most important"), "{}", without.deck.slides[1].notes);
    let warned = without.deck.warnings.iter().any(|warning| warning.message.starts_with("left out of the notes"));
    assert!(warned, "{:?}", without.deck.warnings);
}

#[test]
fn what_is_taken_can_be_chosen() {
    let numbers = |wish: Wish| {
        let found = imported_with(&corpus("business.pptx"), &wishing(wish));
        found.deck.slides.iter().map(|slide| (slide.number, !slide.notes.is_empty())).collect::<Vec<_>>()
    };
    let plain = Wish::default;
    assert_eq!(numbers(Wish { slides: "2,4-5".parse().unwrap(), ..plain() }), [(2, true), (5, false)]);
    assert_eq!(numbers(Wish { slides: "4-5".parse().unwrap(), hidden: true, ..plain() }), [(4, true), (5, false)]);
    assert_eq!(numbers(Wish { notes: false, slides: "1-2".parse().unwrap(), ..plain() }), [(1, false), (2, false)]);
    assert_eq!(numbers(Wish { quiet: Quiet::Skip, ..plain() }).len(), 4);
    let empty = imported_with(&corpus("business.pptx"), &wishing(Wish { quiet: Quiet::Empty, ..plain() }));
    let scenes = project(&empty);
    assert!(clip(&scenes[3], "presenter").is_null() && scenes[3].get("scripts").is_none());
    let none =
        common::refused_with(&corpus("business.pptx"), &wishing(Wish { slides: "4".parse().unwrap(), ..plain() }));
    assert!(none.sentence.contains("no slide among 4"), "{none}");
}

#[test]
fn editable_texts_go_with_a_smaller_slide() {
    let wish = Wish { layout: Layout::Beside, slides: "3".parse().unwrap(), editable: true, ..Wish::default() };
    let found = imported_with(&corpus("business.pptx"), &Want { wish, ..common::editable() });
    let scene = &project(&found)[0];
    let slide = &found.deck.slides[0];
    let (card, own) = (slide.stand.card.expect("the chart fills the slide"), &slide.clips[0]);
    let text = clip(scene, "slide-3");
    let near = |value: &Value, wanted: f64| (value.as_f64().unwrap() - wanted).abs() < 0.01;
    assert!(near(&text["left"], card.left + own.left * card.scale), "{text}");
    assert!(near(&text["width"], own.width * card.scale), "{text}");
    assert_eq!(scene["background"]["source_type"], "color");
}

#[test]
fn an_old_deck_says_what_the_new_one_says() {
    let dir = tempfile::tempdir().unwrap();
    let profile = format!("-env:UserInstallation=file://{}", dir.path().join("profile").display());
    let made = std::process::Command::new("soffice")
        .args([&profile, "--headless", "--convert-to", "ppt", "--outdir"])
        .arg(dir.path())
        .arg(corpus("business.pptx"))
        .output()
        .unwrap();
    assert!(made.status.success());
    let found = imported(&dir.path().join("business.ppt"));
    assert_eq!(found.deck.kind, DeckKind::Ppt);
    assert_eq!(words(&found), business());
}

#[test]
fn scripts_of_the_world_are_drawn_and_told_apart() {
    let found = imported(&corpus("scripts-4x3.pptx"));
    let names: Vec<&str> = found.deck.slides.iter().map(|slide| slide.name.as_str()).collect();
    assert_eq!(names, ["Latin", "CJK", "Arabic", "Indic and Thai"]);
    assert_eq!(found.deck.slides[0].language.as_deref(), Some("de"));
    assert_eq!(found.deck.slides[1].notes, "今日は東京で会議があります。");
    assert_eq!(found.deck.slides[1].language.as_deref(), Some("ja"));
    for (slide, name) in found.deck.slides.iter().zip(["latin", "cjk", "arabic", "indic"]) {
        looks_like(&slide.picture, &format!("scripts-{name}"));
    }
}

#[test]
fn gradients_and_photographs_keep_their_looks() {
    let found = imported(&corpus("looks.pptx"));
    for (slide, name) in found.deck.slides.iter().zip(["gradient", "photograph", "shapes"]) {
        looks_like(&slide.picture, &format!("looks-{name}"));
    }
    let warned = |font: &str| found.deck.warnings.iter().any(|warning| warning.message.contains(font));
    assert!(warned("Futura") && warned("Georgia") && warned("Calibri"), "{:?}", found.deck.warnings);
}

#[test]
fn upright_slides_make_an_upright_film() {
    let found = imported(&corpus("portrait.pptx"));
    assert_eq!(found.deck.orientation, Orientation::Portrait);
    assert_eq!(found.deck.slides[1].notes, "This is slide 2 of the upright deck and it is short.");
    looks_like(&found.deck.slides[1].picture, "portrait");
}

#[test]
fn order_is_that_of_the_presentation_not_of_its_parts() {
    let dir = tempfile::tempdir().unwrap();
    // The first and the last entry change places.
    let swapped = changed("portrait.pptx", &|name, bytes| match name {
        "ppt/presentation.xml" => {
            let text = replaced(bytes, "<p:sldId id=\"256\"", "<p:sldId id=\"900\"");
            let text = String::from_utf8(text).unwrap();
            let start = text.find("<p:sldIdLst>").unwrap() + "<p:sldIdLst>".len();
            let end = text.find("</p:sldIdLst>").unwrap();
            let mut entries: Vec<&str> = text[start..end].split_inclusive("/>").collect();
            entries.reverse();
            format!("{}{}{}", &text[..start], entries.concat(), &text[end..]).into_bytes()
        }
        _ => bytes,
    });
    let found = imported(&write(dir.path(), "swapped.pptx", &swapped));
    let notes: Vec<&str> = found.deck.slides.iter().map(|slide| &slide.notes[8..15]).collect();
    assert_eq!(notes, ["slide 2", "slide 1"]);
    assert_eq!(found.deck.slides[0].edge_colour, [13, 148, 136], "the picture goes with the notes");
}

#[test]
fn an_import_can_be_stopped_and_leaves_nothing() {
    use std::ops::ControlFlow;
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let stop = |progress| match progress {
        compere_import::Progress::Looking => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let result = compere_import::import(&corpus("business.pptx"), &common::want(), &out, &common::sandbox(), &stop);
    let error = result.unwrap_err();
    assert_eq!(error.kind, compere_import::ImportErrorKind::Cancelled);
    assert!(!out.exists());
}
