//! Fonts that a presentation carries, and those that whoever sends it has.

mod common;
#[allow(dead_code, reason = "every test uses a part of it")]
#[path = "common/packing.rs"]
mod packing;

use std::path::PathBuf;
use std::sync::Arc;

use common::{Imported, imported_with};
use compere_compose::draw::{Fonts, OwnFont};
use compere_import::{ClipWhat, Want};

/// Carlito under another name of as many letters, and with other rights.
fn renamed(rights: u16) -> Vec<u8> {
    let mut font = std::fs::read("/usr/share/fonts/truetype/crosextra/Carlito-Regular.ttf").unwrap();
    let (from, to) = ("Carlito", "Quarzit");
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    for (from, to) in [(from.as_bytes().to_vec(), to.as_bytes().to_vec()), (wide(from), wide(to))] {
        while let Some(at) = font.windows(from.len()).position(|window| window == from) {
            font[at..at + to.len()].copy_from_slice(&to);
        }
    }
    let entry = font.windows(4).position(|window| window == b"OS/2").unwrap();
    let table = u32::from_be_bytes(font[entry + 8..entry + 12].try_into().unwrap()) as usize;
    font[table + 8..table + 10].copy_from_slice(&rights.to_be_bytes());
    font
}

/// A deck whose third slide asks for a family, and which brings a file for it.
fn deck(family: &str, file: Option<&[u8]>) -> Imported {
    deck_for(family, file, &common::want())
}

fn deck_for(family: &str, file: Option<&[u8]>, want: &Want) -> Imported {
    let deck = common::changed("looks.pptx", &|name, bytes| match name {
        "ppt/slides/slide3.xml" => common::replaced(bytes, "Futura\"", &format!("{family}\"")),
        "ppt/presentation.xml" if file.is_some() => {
            let list = r#"<p:embeddedFontLst><p:embeddedFont><p:font typeface="Quarzit"/><p:regular r:id="rIdFont"/></p:embeddedFont></p:embeddedFontLst></p:presentation>"#;
            common::replaced(bytes, "</p:presentation>", list)
        }
        "ppt/_rels/presentation.xml.rels" => {
            let relation = r#"<Relationship Id="rIdFont" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/font" Target="fonts/font1.fntdata"/></Relationships>"#;
            common::replaced(bytes, "</Relationships>", if file.is_some() { relation } else { "</Relationships>" })
        }
        _ => bytes,
    });
    let deck = match file {
        Some(file) => common::with_part(deck, "ppt/fonts/font1.fntdata", file),
        None => deck,
    };
    let dir = tempfile::tempdir().unwrap();
    imported_with(&common::write(dir.path(), "deck.pptx", &deck), want)
}

fn told(found: &Imported) -> Vec<&str> {
    let warnings = found.deck.warnings.iter().map(|warning| warning.message.as_str());
    warnings.filter(|message| message.contains("Quarzit")).collect()
}

#[test]
fn a_font_that_the_deck_carries_is_used() {
    let wanted = &deck("Carlito", None).deck.slides[2].print;
    let without = deck("Quarzit", None);
    assert_eq!(told(&without).len(), 1, "{:?}", told(&without));
    assert_ne!(&without.deck.slides[2].print, wanted, "what stands in looks the same");
    // As it is, turned behind a header, and packed as PowerPoint does.
    let files = [renamed(0), renamed(4), packing::wrapped(&renamed(8), 0x1000_0000), packing::eot(&renamed(8))];
    for file in files {
        let with = deck("Quarzit", Some(&file));
        assert_eq!(told(&with), Vec::<&str>::new());
        assert_eq!(&with.deck.slides[2].print, wanted);
    }
}

#[test]
fn a_font_of_whoever_sends_the_deck_is_used_and_clips_name_it() {
    let dir = tempfile::tempdir().unwrap();
    let fonts = vec![common::write(dir.path(), "0123abcd", &renamed(0))];
    let wanted = &deck("Carlito", None).deck.slides[2].print;
    let plain = deck_for("Quarzit", None, &Want { fonts: fonts.clone(), ..common::want() });
    assert_eq!(told(&plain), Vec::<&str>::new(), "nothing was replaced");
    assert_eq!(&plain.deck.slides[2].print, wanted);

    let own = OwnFont { family: "Quarzit".to_owned(), bytes: Arc::new(renamed(0)) };
    let known = Fonts::open(&Fonts::SYSTEM_DIRS.map(PathBuf::from)).unwrap().with(&[own]);
    let found = deck_for("Quarzit", None, &Want { fonts, editable: Some(Arc::new(known)), ..common::want() });
    let families = |found: &Imported| -> Vec<String> {
        let clips = found.deck.slides[2].clips.iter();
        let texts = clips.filter_map(|clip| match &clip.what {
            ClipWhat::Text(text) => Some(text.family.clone()),
            _ => None,
        });
        texts.collect()
    };
    assert!(families(&found).contains(&"Quarzit".to_owned()), "{:?}", families(&found));
    let without = deck_for("Quarzit", None, &common::editable());
    assert!(!families(&without).contains(&"Quarzit".to_owned()), "{:?}", families(&without));
}

#[test]
fn a_font_that_may_not_be_used_or_cannot_is_named() {
    let font = renamed(0);
    let mut hostile = font.clone();
    // Every table lies somewhere else than the directory says.
    (12..12 + 16 * 20).step_by(16).for_each(|entry| hostile[entry + 9] ^= 0x55);
    let files = [
        (renamed(2), "its maker forbids it"),
        (packing::eot(&renamed(2)), "its maker forbids it"),
        (packing::wrapped(&font, 4), "damaged"),
        (font[..2000].to_vec(), "damaged"),
        (hostile, "damaged"),
    ];
    for (file, why) in files {
        let found = deck("Quarzit", Some(&file));
        let told = told(&found);
        assert!(told.len() == 2 && told[0].contains(why) && told[1].contains("not installed"), "{told:?}");
        assert_eq!(found.deck.slides.len(), 3);
    }
}
