//! PDFs: boxes, turns, notes, outlines.

mod common;

use common::{fill, imported, imported_with, pages, write};
use compere_codec::image::{self, Want};
use compere_import::{DeckKind, Layout, Wish};
use compere_media::Orientation;
use compere_media::Pixmap;

const RED: (f32, f32, f32) = (1.0, 0.0, 0.0);
const BLUE: (f32, f32, f32) = (0.0, 0.0, 1.0);

fn opened(path: &std::path::Path) -> Pixmap {
    image::decode(&common::sandbox(), path, Want { max_width: 4000, max_height: 4000 }).unwrap()
}

fn at(picture: &Pixmap, x: f64, y: f64) -> [u8; 3] {
    let (w, h) = (picture.width(), picture.height());
    let (x, y) = ((x * f64::from(w)) as u32, (y * f64::from(h)) as u32);
    let [r, g, b, _] = picture.data()[(y * w + x) as usize];
    [r, g, b]
}

#[test]
fn pages_are_drawn_at_twice_the_canvas() {
    let dir = tempfile::tempdir().unwrap();
    let page = ("/MediaBox [0 0 1600 900]", fill(RED, (0, 0, 800, 900)) + &fill(BLUE, (800, 0, 800, 900)));
    let found = imported(&write(dir.path(), "a.pdf", &pages(&[page], "", &[])));
    assert_eq!((found.deck.kind, found.deck.slides[0].name.as_str()), (DeckKind::Pdf, "Page 1"));
    let picture = opened(&found.deck.slides[0].picture);
    assert_eq!((picture.width(), picture.height()), (3840, 2160));
    assert_eq!((at(&picture, 0.25, 0.5), at(&picture, 0.75, 0.5)), ([255, 0, 0], [0, 0, 255]));
    let bytes = std::fs::metadata(&found.deck.slides[0].picture).unwrap().len();
    assert!(bytes < 60_000, "two flat halves take {bytes} bytes");
}

#[test]
fn boxes_and_turns_are_honoured() {
    let dir = tempfile::tempdir().unwrap();
    // Blue surrounds a red crop box; turned by a quarter the box is four units wide and three high.
    let content = fill(BLUE, (0, 0, 1000, 1000))
        + &fill(RED, (100, 100, 300, 400))
        + &fill((0.0, 1.0, 0.0), (100, 100, 300, 100));
    let page = ("/MediaBox [0 0 1000 1000] /CropBox [100 100 400 500] /Rotate 90", content);
    // In the middle of the canvas, where no presenter needs room.
    let want = compere_import::Want { wish: Wish { layout: Layout::Voice, ..Wish::default() }, ..common::want() };
    let found = imported_with(&write(dir.path(), "a.pdf", &pages(&[page], "", &[])), &want);
    assert_eq!(found.deck.orientation, Orientation::Landscape);
    let picture = opened(&found.deck.slides[0].picture);
    let column = |x: f64| at(&picture, x, 0.5);
    assert_eq!(column(0.5), [255, 0, 0]);
    // What was the bottom is on the left now, and goes on in the bar beside it; so does the red on the right.
    assert_eq!((column(0.01), column(0.2), column(0.99)), ([0, 255, 0], [0, 255, 0], [255, 0, 0]));
}

#[test]
fn sticky_notes_are_scripts_and_the_outline_names_pages() {
    let dir = tempfile::tempdir().unwrap();
    let note = |text: &str, y: i32, more: &str| {
        format!("<< /Type /Annot /Subtype /Text /Rect [10 {y} 30 {}] /Contents ({text}) {more} >>", y + 20)
    };
    let annotations =
        [note("Second note.", 100, ""), note("First note.", 800, ""), note("An answer.", 700, "/IRT 3 0 R")];
    let first = format!("/MediaBox [0 0 1600 900] /Annots [{}]", annotations.join(" "));
    let catalogue = "/Outlines 7 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>";
    let outline = [
        "<< /Type /Outlines /First 8 0 R /Last 8 0 R /Count 1 >>".to_owned(),
        "<< /Title <FEFF00DC006200650072> /Parent 7 0 R /Dest [5 0 R /Fit] >>".to_owned(),
    ];
    let all = [(first.as_str(), fill(RED, (0, 0, 9, 9))), ("/MediaBox [0 0 1600 900]", fill(BLUE, (0, 0, 9, 9)))];
    let found = imported(&write(dir.path(), "a.pdf", &pages(&all, catalogue, &outline)));
    assert_eq!(found.deck.slides[0].notes, "First note.\nSecond note.");
    assert_eq!(found.deck.slides[1].notes, "");
    let names: Vec<&str> = found.deck.slides.iter().map(|slide| slide.name.as_str()).collect();
    assert_eq!(names, ["Page 1", "Über"]);
    let picture = opened(&found.deck.slides[0].picture);
    assert_eq!(at(&picture, 20.0 / 1600.0, 1.0 - 110.0 / 900.0), [255; 3], "what is said is not shown as an icon too");
}

#[test]
fn marks_on_a_page_are_shown() {
    let dir = tempfile::tempdir().unwrap();
    let mark = "<< /Type /Annot /Subtype /Square /Rect [400 200 1200 700] /C [1 0 0] /IC [1 0 0] /BS << /W 6 >> >>";
    let note = "<< /Type /Annot /Subtype /Text /Rect [10 800 30 820] /Contents (Look at the frame.) >>";
    let page = format!("/MediaBox [0 0 1600 900] /Annots [{mark} {note}]");
    let found = imported(&write(dir.path(), "a.pdf", &pages(&[(page.as_str(), String::new())], "", &[])));
    assert_eq!(found.deck.slides[0].notes, "Look at the frame.");
    assert_eq!(at(&opened(&found.deck.slides[0].picture), 0.5, 0.5), [255, 0, 0]);
}

/// Runs a program that makes a PDF; says whether it is there.
fn made(program: &str, arguments: &[&std::ffi::OsStr]) -> bool {
    std::process::Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

#[test]
fn the_same_page_by_several_producers_looks_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let profile = format!("-env:UserInstallation=file://{}", at("profile").display());
    let deck = common::corpus("portrait.pptx");
    let office =
        [profile.as_ref(), "--headless".as_ref(), "--convert-to".as_ref(), "pdf".as_ref(), "--outdir".as_ref()];
    assert!(made("soffice", &[&office[..], &[dir.path().as_os_str(), deck.as_os_str()]].concat()));
    let (first, cairo, united, ghost) = (at("portrait.pdf"), at("cairo.pdf"), at("united.pdf"), at("ghost.pdf"));
    assert!(made("pdftocairo", &["-pdf".as_ref(), first.as_os_str(), cairo.as_os_str()]));
    assert!(made("pdfunite", &[first.as_os_str(), first.as_os_str(), united.as_os_str()]));
    let mut files = vec![(first, 2), (cairo, 2), (united, 4)];
    // Not every machine has it.
    if made("ps2pdf", &[files[0].0.as_os_str(), ghost.as_os_str()]) {
        files.push((ghost, 2));
    }
    let small = Want { max_width: 90, max_height: 160 };
    let mut looks: Vec<Vec<[u8; 4]>> = Vec::new();
    for (file, pages) in &files {
        let found = imported(file);
        assert_eq!(
            (found.deck.slides.len(), found.deck.orientation),
            (*pages, Orientation::Portrait),
            "{}",
            file.display()
        );
        looks.push(image::decode(&common::sandbox(), &found.deck.slides[1].picture, small).unwrap().data().to_vec());
    }
    for ((file, _), look) in files.iter().zip(&looks) {
        let apart: u64 =
            look.iter().flatten().zip(looks[0].iter().flatten()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        assert!((apart as f64) < 2.0 * look.len() as f64, "{} looks otherwise", file.display());
    }
}

#[test]
fn pages_of_every_shape_keep_their_order() {
    let dir = tempfile::tempdir().unwrap();
    let shapes = ["[0 0 1600 900]", "[0 0 400 400]", "[0 0 300 1200]", "[0 0 1600 900]", "[0 0 2000 100]"];
    let all: Vec<(String, String)> = shapes
        .iter()
        .enumerate()
        .map(|(i, shape)| (format!("/MediaBox {shape}"), fill((0.2 * i as f32, 0.0, 0.0), (0, 0, 3000, 3000))))
        .collect();
    let all: Vec<(&str, String)> = all.iter().map(|(entries, content)| (entries.as_str(), content.clone())).collect();
    let found = imported(&write(dir.path(), "a.pdf", &pages(&all, "", &[])));
    for (i, slide) in found.deck.slides.iter().enumerate() {
        let picture = opened(&slide.picture);
        assert_eq!((picture.width(), picture.height()), (3840, 2160));
        let red = (51 * i) as u8;
        assert!(slide.edge_colour[0].abs_diff(red) < 3, "slide {i}: {:?}", slide.edge_colour);
        assert!(at(&picture, 0.001, 0.001)[0].abs_diff(red) < 3 && at(&picture, 0.5, 0.5)[0].abs_diff(red) < 3);
    }
}

/// A stream of bytes, written in hexadecimal digits.
fn stream(entries: &str, bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let length = digits.len() + 1;
    format!("<< {entries} /Filter /ASCIIHexDecode /Length {length} >>\nstream\n{digits}>\nendstream")
}

/// Pages of 640 by 360, each with what it draws, its resources and further objects, which `%` names from the first on.
fn drawn(all: &[(&str, &str, Vec<String>)]) -> Vec<Pixmap> {
    let mut further = Vec::new();
    let mut written = Vec::new();
    for (content, resources, objects) in all {
        let numbered = |text: &str| {
            let first = 3 + all.len() * 2 + further.len();
            (0..objects.len())
                .fold(text.to_owned(), |text, at| text.replace(&format!("%{at} "), &format!("{} 0 R ", first + at)))
        };
        written
            .push((format!("/MediaBox [0 0 640 360] /Resources << {} >>", numbered(resources)), (*content).to_owned()));
        let objects: Vec<String> = objects.iter().map(|object| numbered(object)).collect();
        further.extend(objects);
    }
    let written: Vec<(&str, String)> =
        written.iter().map(|(entries, content)| (entries.as_str(), content.clone())).collect();
    let dir = tempfile::tempdir().unwrap();
    let found = imported(&write(dir.path(), "a.pdf", &pages(&written, "", &further)));
    found.deck.slides.iter().map(|slide| opened(&slide.picture)).collect()
}

fn near(picture: &Pixmap, (x, y): (f64, f64), wanted: [u8; 3], what: &str) {
    let found = at(picture, x, y);
    let apart = found.iter().zip(wanted).map(|(a, b)| a.abs_diff(b)).max().unwrap();
    assert!(apart < 24, "{what} at {x}, {y}: {found:?} instead of {wanted:?}");
}

/// Shadings of the kinds 4 to 7, of the whole page but the triangle's: red at the bottom left, blue at the top left, green at the
/// bottom right, yellow at the top right.
fn meshes() -> [String; 4] {
    let mesh = |kind: u8, more: &str, bytes: &[u8]| {
        let form = "/ColorSpace /DeviceRGB /BitsPerCoordinate 8 /BitsPerComponent 8 /Decode [0 640 0 360 0 1 0 1 0 1]";
        stream(&format!("/ShadingType {kind} {form} {more}"), bytes)
    };
    let corners: [&[u8]; 4] =
        [&[0, 0, 255, 0, 0], &[255, 0, 0, 255, 0], &[0, 255, 0, 0, 255], &[255, 255, 255, 255, 0]];
    let [a, b, c, d] = corners;
    let triangles = [&[0][..], a, &[0], b, &[0], c].concat();
    let rim = [0, 0, 0, 85, 0, 170, 0, 255, 85, 255, 170, 255, 255, 255, 255, 170, 255, 85, 255, 0, 170, 0, 85, 0];
    let colours = [255, 0, 0, 0, 0, 255, 255, 255, 0, 0, 255, 0];
    let patch = [&[0][..], &rim, &colours].concat();
    let inner = [&[0][..], &rim, &[85, 85, 85, 170, 170, 170, 170, 85], &colours].concat();
    [
        mesh(4, "/BitsPerFlag 8", &triangles),
        mesh(5, "/VerticesPerRow 2", &[a, b, c, d].concat()),
        mesh(6, "/BitsPerFlag 8", &patch),
        mesh(7, "/BitsPerFlag 8", &inner),
    ]
}

#[test]
fn shadings_of_all_seven_kinds_are_drawn() {
    let ramp = || "<< /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >>".to_owned();
    // Red grows to the right and green upwards; blue is their product.
    let field = stream("/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]", b"{ 2 copy mul }");
    let [triangles, lattice, patch, inner] = meshes();
    let shading = "/Shading << /S %0 >>";
    let all = [
        vec!["<< /ShadingType 1 /ColorSpace /DeviceRGB /Matrix [640 0 0 360 0 0] /Function %1 >>".into(), field],
        vec!["<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 640 0] /Function %1 >>".into(), ramp()],
        vec!["<< /ShadingType 3 /ColorSpace /DeviceRGB /Coords [320 180 0 320 180 400] /Function %1 >>".into(), ramp()],
        vec![triangles],
        vec![lattice],
        vec![patch],
        vec![inner],
    ];
    let all: Vec<(&str, &str, Vec<String>)> = all.into_iter().map(|objects| ("/S sh", shading, objects)).collect();
    let pictures = drawn(&all);
    let share = |x: f64| (255.0 * x) as u8;
    for (x, y) in [(0.25, 0.25), (0.75, 0.25), (0.5, 0.5), (0.9, 0.9)] {
        near(&pictures[0], (x, 1.0 - y), [share(x), share(y), share(x * y)], "a function");
        near(&pictures[1], (x, y), [share(1.0 - x), 0, share(x)], "along a line");
    }
    near(&pictures[2], (0.5, 0.5), [255, 0, 0], "around a point");
    near(&pictures[2], (0.5 + 0.4, 0.5), [share(0.36), 0, share(0.64)], "around a point");
    for (picture, what) in pictures[3..].iter().zip(["triangles", "a lattice", "a patch", "a patch with inner points"])
    {
        near(picture, (0.02, 0.98), [250, 3, 3], what);
        near(picture, (0.02, 0.04), [3, 3, 250], what);
        near(picture, (0.95, 0.97), [6, 248, 3], what);
    }
    near(&pictures[4], (0.98, 0.02), [248, 250, 3], "a lattice");
}

#[test]
fn what_the_quick_painter_leaves_out_is_drawn() {
    let field = stream("/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]", b"{ pop pop 0 0 1 }");
    let ramp = "<< /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >>".to_owned();
    let whole = "<< /ShadingType 1 /ColorSpace /DeviceRGB /Matrix [640 0 0 360 0 0] /Function %1 >>".to_owned();
    let clear = "/ExtGState << /A << /ca 0.5 >> >>";
    let shading = format!("/Shading << /S %0 >> {clear}");
    let pattern = format!("/Pattern << /P << /PatternType 2 /Shading %0 >> >> {clear}");
    // The shading lies in a form, and the state that makes it clear outside.
    let form =
        stream("/Type /XObject /Subtype /Form /BBox [0 0 640 360] /Resources << /Shading << /S %1 >> >>", b"/S sh");
    let inside = format!("/XObject << /F %0 >> {clear}");
    let moved = |object: &str| object.replace("%1 ", "%2 ");
    let cone = "<< /ShadingType 3 /ColorSpace /DeviceRGB /Coords [100 180 90 500 180 20] /Function %1 >>".to_owned();
    let letter = stream("", b"1000 0 d0 1 0 0 rg 0 0 400 800 re f 0 1 0 rg 400 0 400 800 re f");
    let font = "/Font << /F << /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] \
        /CharProcs << /a %0 >> /Encoding << /Type /Encoding /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1000] >> >>";
    let pictures = drawn(&[
        ("/A gs /S sh", &shading, vec![whole.clone(), field.clone()]),
        ("/A gs /Pattern cs /P scn 0 0 640 360 re f", &pattern, vec![whole.clone(), field.clone()]),
        ("/A gs /F Do", &inside, vec![form, moved(&whole), field]),
        ("/S sh", "/Shading << /S %0 >>", vec![cone, ramp]),
        ("BT /F 300 Tf 100 60 Td (a) Tj ET", font, vec![letter]),
    ]);
    for (picture, what) in pictures.iter().zip(["a shading", "a pattern", "one in a form"]) {
        near(picture, (0.5, 0.5), [127, 127, 255], what);
    }
    let halfway = 300.0 / 640.0;
    // Of the circles that a point lies on, the last is seen.
    near(&pictures[3], (halfway, 0.5), [98, 0, 157], "a cone");
    near(&pictures[3], (490.0 / 640.0, 0.5), [22, 0, 233], "a cone");
    near(&pictures[3], (0.05, 0.1), [255; 3], "beside a cone");
    near(&pictures[4], (160.0 / 640.0, 0.5), [255, 0, 0], "a letter");
    near(&pictures[4], (280.0 / 640.0, 0.5), [0, 255, 0], "a letter");
}

/// The pixels around a place, a twentieth of the picture in both directions.
fn around(picture: &Pixmap, (x, y): (f64, f64)) -> Vec<[u8; 3]> {
    let (across, down) = (picture.width() / 20, picture.height() / 20);
    let place = |at: f64, length: u32| (at * f64::from(length)) as u32;
    let (left, top) = (place(x, picture.width()) - across / 2, place(y, picture.height()) - down / 2);
    let rows = (top..top + down).map(|row| (row * picture.width() + left) as usize);
    let pixels = rows.flat_map(|first| &picture.data()[first..first + across as usize]);
    pixels.map(|&[r, g, b, _]| [r, g, b]).collect()
}

#[test]
fn half_clear_meshes_show_what_is_under_them() {
    let state = "/ExtGState << /A << /ca 0.5 >> >>";
    let shading = format!("/Shading << /S %0 >> {state}");
    let pattern = format!("/Pattern << /P << /PatternType 2 /Shading %0 >> >> {state}");
    let ways = [("/A gs /S sh", &shading), ("/A gs /Pattern cs /P scn 0 0 640 360 re f", &pattern)];
    let all: Vec<(&str, &str, Vec<String>)> = meshes()
        .into_iter()
        .flat_map(|mesh| ways.map(|(content, resources)| (content, resources.as_str(), vec![mesh.clone()])))
        .collect();
    for (picture, (kind, way)) in drawn(&all).iter().zip((4..=7).flat_map(|kind| [(kind, "sh"), (kind, "scn")])) {
        for place in [(0.2, 0.7), (0.1, 0.85)] {
            let pixels = around(picture, place);
            let mean =
                |part: usize| pixels.iter().map(|pixel| f64::from(pixel[part])).sum::<f64>() / pixels.len() as f64;
            // Of four colours that have none of white in common: half of it is what the page's white adds.
            let darkest = [0, 1, 2].map(mean).into_iter().fold(255.0, f64::min);
            assert!((110.0..190.0).contains(&darkest), "kind {kind} by {way} at {place:?}: {darkest} of white");
        }
    }
}

#[test]
fn masked_meshes_are_smooth() {
    let mask = "/Type /XObject /Subtype /Form /BBox [0 0 640 360] /Group << /S /Transparency /CS /DeviceGray >>";
    let resources = "/Shading << /S %0 >> /ExtGState << /A << /SMask << /S /Luminosity /G %1 >> >> /B << /ca 0.5 >> >>";
    let content = "/A gs /S sh";
    let all = meshes().map(|mesh| (content, resources, vec![mesh, stream(mask, b"0.5 g 0 0 640 360 re f")]));
    for (picture, kind) in drawn(&all).iter().zip(4..) {
        let pixels = around(picture, (0.2, 0.7));
        for part in 0..3 {
            let found = pixels.iter().map(|pixel| pixel[part]);
            let (least, most) = (found.clone().min().unwrap(), found.max().unwrap());
            assert!(most - least < 24, "kind {kind}: from {least} to {most}");
        }
    }
}
