//! Slides taken apart: what becomes a clip, where it stands, and what stays in the picture.

mod common;

use common::{changed, corpus, editable, imported_with, replaced, write};
use compere_codec::image;
use compere_import::{Clip, ClipWhat, Slide, TextClip};

fn texts(slide: &Slide) -> Vec<(&Clip, &TextClip)> {
    let mut texts = Vec::new();
    for clip in &slide.clips {
        if let ClipWhat::Text(text) = &clip.what {
            texts.push((clip, text));
        }
    }
    texts
}

fn near(value: f64, golden: f64) -> bool {
    (value - golden).abs() <= 2.5
}

#[test]
fn texts_of_a_business_deck_lie_where_they_lay() {
    let found = imported_with(&corpus("business.pptx"), &editable());
    let slides = &found.deck.slides;
    let said: Vec<Vec<&str>> =
        slides.iter().map(|slide| texts(slide).iter().map(|(_, text)| text.text.as_str()).collect()).collect();
    let bullets = [
        "What happened",
        "Revenue grew in every region",
        "Europe leads with 12 %",
        "Asia follows",
        "Costs stayed flat",
    ];
    assert_eq!(said[0], ["Quarterly review", "Third quarter, in six slides"]);
    assert_eq!(
        (&*said[1], &*said[2], &said[3][..3], &*said[4]),
        (&bullets[..], &["Revenue by region"][..], &["Numbers", "Head 0.0", "Head 0.1"][..], &["Thank you"][..])
    );
    assert_eq!(said[3].len(), 1 + 4 * 3, "a clip for each cell");
    // Left, top, points: what LibreOffice drew, measured.
    let (title, look) = texts(&slides[0])[0];
    assert!(near(title.left, 121.4) && near(title.top, 408.5) && near(look.points, 66.0), "{title:?}");
    assert_eq!((look.family.as_str(), look.align, look.colour, look.bold), ("Carlito", "center", [0; 3], false));
    let (point, look) = texts(&slides[1])[2];
    assert!(near(point.left, 202.7) && near(point.top, 353.7) && near(look.points, 42.0), "{point:?}");
    let (thanks, look) = texts(&slides[4])[0];
    assert!(near(thanks.top, 452.9) && look.bold && look.colour == [255; 3], "{thanks:?}");
    let told = |slide: usize, word: &str| {
        found.deck.warnings.iter().any(|warning| warning.slide == Some(slide) && warning.message.contains(word))
    };
    assert!(told(3, "charts") && !told(5, "not editable"), "{:?}", found.deck.warnings);
    // The picture behind has no letters left: what is not dark there is not the slide's.
    let ground = image::decode(&common::sandbox(), &slides[4].picture, image::Want { max_width: 240, max_height: 240 });
    let ground = ground.unwrap();
    assert!(ground.data().iter().all(|pixel| pixel[0] < 40), "the words are gone from the picture");
}

#[test]
fn what_cannot_be_had_exactly_stays_in_the_picture() {
    let dir = tempfile::tempdir().unwrap();
    // The letters of the first slide's text stand on top of each other, the second's are raised.
    let crooked = changed("portrait.pptx", &|name, bytes| match name {
        "ppt/slides/slide1.xml" => replaced(bytes, "<a:bodyPr", "<a:bodyPr vert=\"wordArtVert\""),
        "ppt/slides/slide2.xml" => replaced(bytes, "b=\"1\"", "b=\"1\" baseline=\"30000\""),
        _ => bytes,
    });
    let found = imported_with(&write(dir.path(), "crooked.pptx", &crooked), &editable());
    assert!(found.deck.slides.iter().all(|slide| slide.clips.is_empty()));
    let told: Vec<&str> = found.deck.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert!(told.contains(&"not editable: letters on top of each other"), "{told:?}");
    assert!(told.contains(&"not editable: texts of raised or lowered letters alone"), "{told:?}");
    let plain = |slide: &Slide| slide.picture.file_name().unwrap().to_string_lossy().starts_with("slide-");
    assert!(found.deck.slides.iter().all(plain), "their pictures are those of the whole slides");
}

#[test]
fn a_pdf_has_nothing_to_take_apart_and_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let page = ("/MediaBox [0 0 1600 900]", common::fill((0.0, 0.0, 1.0), (0, 0, 800, 900)));
    let found = imported_with(&write(dir.path(), "a.pdf", &common::pages(&[page], "", &[])), &editable());
    assert!(found.deck.slides[0].clips.is_empty());
    assert!(found.deck.warnings.iter().any(|warning| warning.message.contains("any file but a PPTX")));
}

#[test]
fn pictures_are_cut_and_turned_and_texts_lie_over_them() {
    let dir = tempfile::tempdir().unwrap();
    // As PowerPoint writes pictures that were cut.
    let parts = changed("parts.pptx", &|name, bytes| match name {
        "ppt/slides/slide2.xml" => replaced(bytes, "<a:stretch><a:fillRect/></a:stretch>", "<a:stretch/>"),
        _ => bytes,
    });
    let found = imported_with(&write(dir.path(), "parts.pptx", &parts), &editable());
    let [first, second] = found.deck.slides.as_slice() else { panic!("two slides") };
    let pictures = |slide: &Slide| {
        let pictures = slide.clips.iter().filter(|clip| matches!(clip.what, ClipWhat::Picture(_)));
        pictures.map(|clip| (clip.left, clip.top, clip.width, clip.height, clip.angle)).collect::<Vec<_>>()
    };
    assert_eq!(pictures(first).len(), 1, "{:?}", found.deck.warnings);
    let [cut, turned] = pictures(second)[..] else { panic!("{:?}", found.deck.warnings) };
    assert!(near(cut.0, 86.4) && near(cut.1, 115.2) && near(cut.2, 720.0) && near(cut.3, 576.0), "{cut:?}");
    assert!(near(turned.0, 1059.8) && near(turned.1, 103.8) && near(turned.4, 15.0), "{turned:?}");
    for clip in first.clips.iter().chain(&second.clips) {
        if let ClipWhat::Picture(path) = &clip.what {
            assert!(path.starts_with(found.dir.path()) && path.is_file());
        }
    }
    let said: Vec<&str> = texts(second).iter().map(|(_, text)| text.text.as_str()).collect();
    assert_eq!(said, ["First of two lines\nand the second", "Grouped and italic", "Some bold"]);
    let bold: Vec<_> = texts(second)[2].1.runs.iter().map(|run| (run.text.as_str(), run.bold)).collect();
    assert_eq!(bold, [("Some ", false), ("bold", true)]);
    let (_, over) = texts(first)[0];
    assert_eq!((over.family.as_str(), over.bold, over.colour), ("Liberation Sans", true, [255; 3]));
    let (wide, wrapped) = texts(first)[1];
    assert!(
        !wrapped.text.contains('\n') && wrapped.align == "right" && near(wide.left + wide.width, 1784.6),
        "{wide:?}"
    );
    assert!(texts(second)[1].1.italic);
}

#[test]
fn turned_texts_are_clips_that_are_turned() {
    let found = imported_with(&corpus("askew.pptx"), &editable());
    let slide = &found.deck.slides[0];
    let turned: Vec<(&str, f64)> = texts(slide).iter().map(|(clip, text)| (text.text.as_str(), clip.angle)).collect();
    let wanted = [
        ("Read me upwards", 270.0),
        ("Slightly turned words that need two lines", 12.0),
        ("DRAFT", 330.0),
        ("Downwards", 90.0),
        ("Upwards again", 270.0),
        ("In a turned group", 8.0),
    ];
    assert_eq!(turned, wanted, "{:?}", found.deck.warnings);
    let red = texts(slide)[1].1;
    assert!(!red.text.contains('\n') && near(red.points, 36.0) && red.colour[0] > 140 && red.colour[1] < 50, "{red:?}");
    // Upwards: what is left of it on its line is below it on the slide.
    let (upwards, _) = texts(slide)[0];
    assert!(upwards.left < 200.0 && upwards.top > 500.0 && upwards.width > 300.0, "{upwards:?}");
}

#[test]
fn cells_of_a_table_are_clips_over_its_ground() {
    let found = imported_with(&corpus("askew.pptx"), &editable());
    let slide = &found.deck.slides[1];
    let cells: Vec<(&Clip, &TextClip)> =
        texts(slide).into_iter().filter(|(clip, _)| clip.name.contains(", row ")).collect();
    assert_eq!(cells.len(), 14, "{:?}", found.deck.warnings);
    let of = |words: &str| *cells.iter().find(|(_, text)| text.text.starts_with(words)).expect(words);
    let (hall, text) = of("In the hall");
    assert!(hall.name.ends_with(", row 2, column 2") && !text.text.contains('\n'), "{hall:?}");
    assert_eq!((of("Kind").1.colour, of("Water").1.colour), ([255; 3], [0; 3]));
    // The second row grew by three lines.
    let (foam, water) = (of("Foam").0.top, of("Water").0.top);
    assert!(foam - water > 150.0, "{water} {foam}");
    let bold: Vec<_> = of("Kitchen").1.runs.iter().map(|run| (run.text.as_str(), run.bold)).collect();
    assert_eq!(bold, [("Kitchen ", false), ("and bold", true)]);
    let lowered = texts(slide).into_iter().find(|(_, text)| text.text == "Water is H2O").expect("a clip").1;
    assert_eq!(lowered.runs[1].raise, -0.25, "as far as PowerPoint has them: {lowered:?}");
    // Nothing of the letters is left behind: the first column's cells have one colour each but for the lines between.
    let full = image::Want { max_width: 4000, max_height: 4000 };
    let ground = image::decode(&common::sandbox(), &slide.picture, full).unwrap();
    let strip: Vec<[u8; 4]> = (200..430).map(|x| ground.pixel(x, 2 * (of("Kind").0.top as u32 + 20))).collect();
    assert!(strip.iter().all(|pixel| pixel == &strip[0]), "{strip:?}");
}

/// A run of 24 points.
fn run(more: &str, colour: &str, text: &str) -> String {
    format!(
        "<a:r><a:rPr sz=\"2400\" {more}><a:solidFill><a:srgbClr val=\"{colour}\"/></a:solidFill>\
         <a:latin typeface=\"Liberation Sans\"/></a:rPr><a:t>{text}</a:t></a:r>"
    )
}

#[test]
fn several_styles_of_a_paragraph_are_stretches_of_one_clip() {
    let dir = tempfile::tempdir().unwrap();
    let styles = [
        run("", "202020", "Energy is E = mc"),
        run("baseline=\"30000\"", "202020", "2"),
        run("", "202020", ", and "),
        run("b=\"1\"", "C01020", "much red"),
        run("u=\"sng\"", "202020", " of it"),
    ];
    let old = "<a:r><a:rPr sz=\"2400\" b=\"0\"><a:latin typeface=\"Liberation Sans\"/></a:rPr><a:t>Some </a:t></a:r>";
    let mixed = changed("parts.pptx", &|name, bytes| match name {
        "ppt/slides/slide2.xml" => replaced(bytes, old, &styles.concat()),
        _ => bytes,
    });
    let found = imported_with(&write(dir.path(), "mixed.pptx", &mixed), &editable());
    let texts = texts(&found.deck.slides[1]);
    let (_, text) = texts.iter().find(|(_, text)| text.text.starts_with("Energy")).expect("a clip");
    let joined: String = text.runs.iter().map(|run| run.text.as_str()).collect();
    assert_eq!(joined, text.text);
    let of = |words: &str| text.runs.iter().find(|run| run.text.trim() == words).unwrap_or_else(|| panic!("{text:?}"));
    assert_eq!((of("2").raise, of("2").bold), (0.3, false));
    let red = of("much red");
    assert!(red.bold && red.colour[0] > 170 && red.colour[1] < 50, "{red:?}");
    assert!(of("of it").underline && text.colour[0] < 60 && !text.bold, "{text:?}");
}

#[test]
fn texts_that_come_by_a_click_are_clips_that_do() {
    let found = imported_with(&corpus("builds.pptx"), &editable());
    let slides = &found.deck.slides;
    let came: Vec<_> = texts(&slides[0]).iter().map(|(clip, text)| (clip.from, text.text.as_str())).collect();
    let wanted = [
        (None, "Leaving the building"),
        (Some(1), "Close the doors"),
        (Some(2), "Do not use the lift"),
        (Some(3), "Meet at the oak tree"),
    ];
    assert_eq!(came, wanted, "{:?}", found.deck.warnings);
    // What comes beside them, bullets, is small: no picture shows the words again.
    let pictures = slides[0].clips.iter().filter(|clip| matches!(clip.what, ClipWhat::Picture(_)));
    assert!(pictures.clone().all(|clip| clip.from.is_some() && clip.width < 60.0), "{:?}", slides[0].clips);
    // Of a slide from which something goes, everything is in pictures.
    assert!(texts(&slides[1]).is_empty() && slides[1].clips.iter().all(|clip| clip.from.is_some()));
    let told =
        |warning: &&compere_import::Warning| warning.slide == Some(2) && warning.message.contains("goes by a click");
    assert_eq!(found.deck.warnings.iter().filter(told).count(), 1, "{:?}", found.deck.warnings);
    // Small pictures show the slide as it ends, the film's first picture nothing of its texts.
    let dark = |path: &std::path::Path| {
        let picture = image::decode(&common::sandbox(), path, image::Want { max_width: 480, max_height: 270 }).unwrap();
        picture.data().iter().filter(|[r, g, b, _]| u16::from(*r) + u16::from(*g) + u16::from(*b) < 300).count()
    };
    assert_eq!(dark(&slides[0].picture), 0);
    assert!(dark(&slides[0].thumbnail) > 100);
}

#[test]
fn small_pictures_shown_large_are_clips_though_films_show_them_smooth() {
    let found = imported_with(&corpus("looks.pptx"), &editable());
    let pictures = |slide: &Slide| slide.clips.iter().filter(|clip| matches!(clip.what, ClipWhat::Picture(_))).count();
    let counted: Vec<usize> = found.deck.slides.iter().map(pictures).collect();
    assert_eq!(counted, [0, 1, 1], "{:?}", found.deck.warnings);
}

#[test]
fn pictures_with_borders_are_cut_out_with_them() {
    let dir = tempfile::tempdir().unwrap();
    let border = "<a:ln w=\"76200\"><a:solidFill><a:srgbClr val=\"D00000\"/></a:solidFill></a:ln></p:spPr></p:pic>";
    let framed = changed("parts.pptx", &|name, bytes| match name {
        "ppt/slides/slide2.xml" => replaced(bytes, "</p:spPr></p:pic>", border),
        _ => bytes,
    });
    let found = imported_with(&write(dir.path(), "framed.pptx", &framed), &editable());
    let clips = &found.deck.slides[1].clips;
    let pictures: Vec<&Clip> = clips.iter().filter(|clip| matches!(clip.what, ClipWhat::Picture(_))).collect();
    let [first, turned] = pictures[..] else { panic!("{:?}", found.deck.warnings) };
    // Six points, around the picture.
    assert!(near(first.left, 86.4 - 12.0) && near(first.width, 720.0 + 24.0), "{first:?}");
    assert_eq!(turned.angle, 0.0, "it is turned in its picture");
    let file = first.what.file().expect("a picture");
    let picture = image::decode(&common::sandbox(), file, image::Want { max_width: 4000, max_height: 4000 }).unwrap();
    let [r, g, b, a] = picture.pixel(picture.width() / 2, 4);
    assert!(r > 0xc0 && g < 0x20 && b < 0x20 && a == 255, "{r} {g} {b} {a}");
}

#[test]
fn smartart_is_drawn_and_stays_in_the_picture() {
    let found = imported_with(&corpus("smartart.pptx"), &editable());
    let slide = &found.deck.slides[0];
    let said: Vec<&str> = texts(slide).iter().map(|(_, text)| text.text.as_str()).collect();
    assert_eq!((said, slide.notes.as_str()), (vec!["A process"], "First we plan, then we build."));
    assert!(found.deck.warnings.iter().any(|warning| warning.message.contains("SmartArt")));
    let small = image::Want { max_width: 480, max_height: 270 };
    let picture = image::decode(&common::sandbox(), &slide.picture, small).unwrap();
    for x in [80, 280] {
        let [r, g, b, _] = picture.pixel(x, 130);
        assert!(r.abs_diff(0x1f) < 6 && g.abs_diff(0x6f) < 6 && b.abs_diff(0x8b) < 6, "a box at {x}: {r} {g} {b}");
    }
}
