//! Decks in the known forms of what Google Slides and Keynote export (tests/corpus/exports.py).

mod common;
#[allow(dead_code, reason = "every test uses a part of it")]
#[path = "common/packing.rs"]
mod packing;

use common::{Imported, corpus, imported, imported_with};
use compere_import::ClipWhat;

fn words(found: &Imported) -> Vec<(&str, &str)> {
    found.deck.slides.iter().map(|slide| (slide.name.as_str(), slide.notes.as_str())).collect()
}

/// How many texts and pictures of each slide are clips.
fn clips(found: &Imported) -> Vec<(usize, usize)> {
    let count = |what: fn(&ClipWhat) -> bool| {
        move |slide: &compere_import::Slide| slide.clips.iter().filter(|clip| what(&clip.what)).count()
    };
    let texts = count(|what| matches!(what, ClipWhat::Text(_)));
    let pictures = count(|what| matches!(what, ClipWhat::Picture(_)));
    found.deck.slides.iter().map(|slide| (texts(slide), pictures(slide))).collect()
}

fn told(found: &Imported) -> Vec<String> {
    found.deck.warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn what_google_slides_exports_comes_whole() {
    let found = imported_with(&corpus("google.pptx"), &common::editable());
    assert_eq!(found.deck.title, None, "there are no properties to read one from");
    let wanted = [
        ("A day at the shore", "Welcome to a day at the shore.\nWe leave at eight."),
        ("In the bag", ""),
        ("The tide", "Mind the tide."),
    ];
    assert_eq!(words(&found), wanted, "empty notes are none");
    // Title and subtitle; a title and three points, their letters scaled by the autofit; a title and a text in a group.
    assert_eq!(clips(&found), [(2, 0), (4, 0), (2, 0)], "{:?}", told(&found));
    assert!(told(&found).iter().any(|it| it.contains("“Lato”") && it.contains("Carlito")), "{:?}", told(&found));
}

#[test]
fn a_font_that_google_slides_puts_into_a_deck_is_used() {
    let mut font = std::fs::read("/usr/share/fonts/truetype/crosextra/Carlito-Regular.ttf").unwrap();
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    for (from, to) in [(b"Carlito".to_vec(), b"Quarzit".to_vec()), (wide("Carlito"), wide("Quarzit"))] {
        while let Some(at) = font.windows(from.len()).position(|window| window == from) {
            font[at..at + to.len()].copy_from_slice(&to);
        }
    }
    let list = r#"<p:embeddedFontLst><p:embeddedFont><p:font typeface="Quarzit"/><p:regular r:id="rIdFont"/></p:embeddedFont></p:embeddedFontLst></p:presentation>"#;
    let relation = r#"<Relationship Id="rIdFont" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/font" Target="fonts/Quarzit-regular.fntdata"/></Relationships>"#;
    let deck = common::changed("google.pptx", &|name, bytes| match name {
        "ppt/presentation.xml" => common::replaced(bytes, "</p:presentation>", list),
        "ppt/_rels/presentation.xml.rels" => common::replaced(bytes, "</Relationships>", relation),
        name if name.starts_with("ppt/slides/") => common::replaced(bytes, "\"Lato\"", "\"Quarzit\""),
        _ => bytes,
    });
    // Neither packed nor turned.
    let deck = common::with_part(deck, "ppt/fonts/Quarzit-regular.fntdata", &packing::wrapped(&font, 0));
    let dir = tempfile::tempdir().unwrap();
    let found = imported(&common::write(dir.path(), "deck.pptx", &deck));
    assert!(!told(&found).iter().any(|it| it.contains("Quarzit")), "{:?}", told(&found));
    let carlito = common::changed("google.pptx", &|_, bytes| common::replaced(bytes, "\"Lato\"", "\"Carlito\""));
    let wanted = imported(&common::write(dir.path(), "carlito.pptx", &carlito));
    let print = |found: &Imported| found.deck.slides[1].print.clone();
    assert_eq!(print(&found), print(&wanted));
}

#[test]
fn what_keynote_exports_comes_whole() {
    let found = imported_with(&corpus("keynote.pptx"), &common::editable());
    let wanted = [
        ("Tools of the workshop", "Good morning.\nThese are the tools."),
        ("The band saw", "First the saw. Guard down before it runs, and push with the stick."),
    ];
    assert_eq!(words(&found), wanted, "no shape says that it is a title: the largest words are");
    // The title of 112 points lies a hair beside Compere's letters and stays in the picture.
    assert_eq!(clips(&found), [(1, 0), (3, 1)], "{:?}", told(&found));
    let stand_in = told(&found).into_iter().find(|it| it.contains("“Helvetica Neue”"));
    assert!(stand_in.as_ref().is_some_and(|it| it.contains("Liberation Sans")), "{stand_in:?}");
}
