//! Fonts that people send: those that are read, and those that are not, each with its reason.

#![allow(clippy::disallowed_methods, reason = "tests write files and watch the clock")]

mod common;

use std::time::Instant;

use compere_codec::font::{self, Face};
use compere_codec::{MediaError, MediaErrorKind};

const CARLITO: &str = "/usr/share/fonts/truetype/crosextra/Carlito-BoldItalic.ttf";

fn read(bytes: &[u8]) -> Result<Vec<Face>, MediaError> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("font");
    std::fs::write(&path, bytes).unwrap();
    font::read(&common::sandbox(), &path)
}

fn carlito() -> Vec<u8> {
    std::fs::read(CARLITO).unwrap()
}

/// Where the directory has a table: its entry, and its bytes.
fn table(font: &[u8], tag: &[u8; 4]) -> (usize, usize) {
    let entry = (12..).step_by(16).find(|at| &font[*at..*at + 4] == tag).unwrap();
    (entry, u32::from_be_bytes(font[entry + 8..entry + 12].try_into().unwrap()) as usize)
}

fn refused(bytes: &[u8], kind: MediaErrorKind, why: &str) {
    let started = Instant::now();
    let error = read(bytes).expect_err(why);
    assert!(error.kind == kind && error.what.contains(why), "{error:?}, not {why}");
    assert!(started.elapsed().as_secs() < 40, "{why} took {:?}", started.elapsed());
}

#[test]
fn every_face_of_a_font_comes_out_by_its_names() {
    let faces = read(&carlito()).expect("is read");
    let told: Vec<_> =
        faces.iter().map(|face| (face.family.as_str(), face.style.as_str(), face.weight, face.italic)).collect();
    assert_eq!(told, [("Carlito", "Bold Italic", 700, true)]);
    // What comes out is a font by itself, and the same as what comes of it.
    assert_eq!(read(&faces[0].bytes).expect("is read again")[0].bytes, faces[0].bytes);
    let (entry, _) = table(&faces[0].bytes, b"glyf");
    assert!(entry > 12 && !faces[0].bytes.windows(4).any(|tag| tag == b"DSIG"), "what nobody writes with is left out");
}

#[test]
fn a_collection_is_as_many_fonts() {
    let one = carlito();
    let count = usize::from(u16::from_be_bytes([one[4], one[5]]));
    // Two fonts that share all of their tables, behind a head of twenty bytes.
    let mut file =
        [b"ttcf", &[0, 1, 0, 0][..], &2u32.to_be_bytes(), &20u32.to_be_bytes(), &20u32.to_be_bytes()].concat();
    file.extend(&one);
    for at in (0..count).map(|table| 20 + 12 + table * 16 + 8) {
        let offset = u32::from_be_bytes(file[at..at + 4].try_into().unwrap()) + 20;
        file[at..at + 4].copy_from_slice(&offset.to_be_bytes());
    }
    let faces = read(&file).expect("is read");
    assert_eq!((faces.len(), &faces[0].bytes), (2, &faces[1].bytes));
    assert_eq!(faces[0].bytes, read(&one).expect("is read")[0].bytes);
    file[8..12].copy_from_slice(&17u32.to_be_bytes());
    refused(&file, MediaErrorKind::TooLarge, "at most 16");
}

#[test]
fn what_is_no_font_is_named() {
    refused(b"", MediaErrorKind::WrongType, "is empty");
    refused(b"wOFFxxxx", MediaErrorKind::WrongType, "web font");
    refused(b"wOF2xxxx", MediaErrorKind::WrongType, "web font");
    refused(b"%PDF-1.7\n", MediaErrorKind::WrongType, "not a font");
    refused(b"Dear reader, this is a letter.", MediaErrorKind::WrongType, "not a font");
}

#[test]
fn what_its_maker_allows_is_done() {
    for (rights, allowed) in [(0, true), (2, false), (4, true), (8, true), (0x0a, true)] {
        let mut font = carlito();
        let (_, at) = table(&font, b"OS/2");
        font[at + 9] = rights;
        match allowed {
            true => assert_eq!(read(&font).expect("is allowed").len(), 1, "{rights}"),
            false => refused(&font, MediaErrorKind::WrongType, "its maker forbids it"),
        }
    }
    let mut bitmaps = carlito();
    let (_, at) = table(&bitmaps, b"OS/2");
    bitmaps[at + 8] = 2;
    refused(&bitmaps, MediaErrorKind::WrongType, "its maker forbids it");
}

#[test]
fn what_is_broken_is_refused_and_soon() {
    let whole = carlito();
    for end in [4, 11, 40, 400, whole.len() / 2] {
        refused(&whole[..end], MediaErrorKind::Damaged, "is damaged");
    }
    for tag in [b"head", b"maxp", b"cmap", b"name", b"hmtx", b"OS/2", b"loca"] {
        let mut font = whole.clone();
        let (entry, _) = table(&font, tag);
        font[entry..entry + 4].copy_from_slice(b"none");
        refused(&font, MediaErrorKind::Damaged, "is damaged");
        let mut font = whole.clone();
        font[entry + 8..entry + 12].copy_from_slice(&u32::MAX.to_be_bytes());
        refused(&font, MediaErrorKind::Damaged, "lies outside the file");
    }
}

/// Whatever stands where something is counted or pointed at, the reader comes to an end.
#[test]
fn no_file_is_too_hostile() {
    let whole = carlito();
    let mut seed = 7_u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for tag in [b"head", b"maxp", b"cmap", b"loca", b"glyf", b"GSUB", b"GPOS", b"name"] {
        for _ in 0..3 {
            let mut font = whole.clone();
            let (_, at) = table(&font, tag);
            for _ in 0..40 {
                let place = (at + random(200)) % font.len();
                font[place] = [0, 0xff, 0x7f, 0x80, 1][random(5)];
            }
            let started = Instant::now();
            if let Ok(faces) = read(&font) {
                assert!(faces.iter().all(|face| !face.family.trim().is_empty()));
            }
            assert!(started.elapsed().as_secs() < 40, "{tag:?} took {:?}", started.elapsed());
        }
    }
}
