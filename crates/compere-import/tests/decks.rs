//! Presentations: order, words and pictures.

mod common;

use std::path::Path;

use common::{Imported, changed, corpus, imported, replaced, write};
use compere_codec::image::{self, Want};
use compere_import::{DeckKind, Orientation, Presenter, deck_to_project};

/// Compares a slide with the small picture in the tree; `COMPERE_BLESS=1` writes it.
fn looks_like(slide: &Path, name: &str) {
    let sandbox = common::sandbox();
    let small = Want { max_width: 128, max_height: 128 };
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
        ("Slide 6", "Thank you for listening. Are there any questions?"),
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

    let presenter = Presenter { model: "nora".into(), cloth: "nora/blazer".into() };
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
    assert_eq!(scenes[0]["clips"][0]["model"]["ai_name"], "nora");
    assert!(
        scenes[3].get("scripts").is_none() && scenes[3]["clips"].as_array().unwrap().is_empty(),
        "no notes, nobody"
    );
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
    assert_eq!((error.kind, error.code()), (compere_import::ImportErrorKind::Cancelled, None));
    assert!(!out.exists());
}
