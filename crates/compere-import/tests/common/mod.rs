//! What the tests of this crate share: the true sandbox, documents, and imports into folders that are looked at after.

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::io::{Cursor, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use compere_codec::Sandbox;
use compere_compose::draw::Fonts;
use compere_import::{Deck, ImportError, Want, import};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// The helper program, which cargo builds beside the tests.
pub fn helper() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    let path = path.join("examples/import-helper");
    assert!(path.exists(), "{} is missing; `cargo build --examples` makes it", path.display());
    path
}

pub fn sandbox() -> Sandbox {
    Sandbox::detect(helper())
}

/// German and Japanese are told apart from the rest, which is all these tests need.
pub fn language_of(text: &str) -> Option<&'static str> {
    match () {
        () if text.contains("wir ") => Some("de"),
        () if text.contains('は') => Some("ja"),
        () => None,
    }
}

pub fn want() -> Want {
    Want::new(language_of)
}

pub fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name)
}

/// With the machine's fonts, as films are written.
pub fn editable() -> Want {
    let folders = Fonts::SYSTEM_DIRS.map(PathBuf::from);
    Want { editable: Some(Arc::new(Fonts::open(&folders).unwrap())), ..want() }
}

/// An import and the folder it went to.
pub struct Imported {
    pub dir: tempfile::TempDir,
    pub deck: Deck,
}

pub fn imported(file: &Path) -> Imported {
    imported_with(file, &want())
}

pub fn imported_with(file: &Path, want: &Want) -> Imported {
    let dir = tempfile::tempdir().unwrap();
    let deck = import(file, want, dir.path(), &sandbox(), &|_| ControlFlow::Continue(()));
    Imported { deck: deck.unwrap_or_else(|error| panic!("{}: {error}", file.display())), dir }
}

/// The error of an import that has to fail soon and leave nothing behind.
pub fn refused_with(file: &Path, want: &Want) -> ImportError {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let started = Instant::now();
    let error = import(file, want, &out, &sandbox(), &|_| ControlFlow::Continue(())).expect_err("it should be refused");
    assert!(started.elapsed().as_secs() < 120, "{} took {:?}", file.display(), started.elapsed());
    assert!(!out.exists(), "{} left something behind", file.display());
    assert!(error.sentence.ends_with('.') && error.sentence.len() > 20, "{error:?}");
    error
}

pub fn refused(file: &Path) -> ImportError {
    refused_with(file, &want())
}

pub fn write(dir: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = dir.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// An archive of these parts.
pub fn archive(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A copy of a deck of the corpus with its parts changed on the way.
pub fn changed(deck: &str, change: &dyn Fn(&str, Vec<u8>) -> Vec<u8>) -> Vec<u8> {
    let mut from = ZipArchive::new(std::fs::File::open(corpus(deck)).unwrap()).unwrap();
    let mut parts = Vec::new();
    for at in 0..from.len() {
        let mut file = from.by_index(at).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        let name = file.name().unwrap().to_string();
        let bytes = change(&name, bytes);
        parts.push((name, bytes));
    }
    let parts: Vec<(&str, &[u8])> = parts.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    archive(&parts)
}

/// An archive with a part more.
pub fn with_part(archive: Vec<u8>, name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut zip = ZipWriter::new_append(Cursor::new(archive)).unwrap();
    zip.start_file(name, SimpleFileOptions::default()).unwrap();
    zip.write_all(bytes).unwrap();
    zip.finish().unwrap().into_inner()
}

pub fn replaced(bytes: Vec<u8>, from: &str, to: &str) -> Vec<u8> {
    match String::from_utf8(bytes) {
        Ok(text) => text.replace(from, to).into_bytes(),
        Err(error) => error.into_bytes(),
    }
}

/// A PDF written by hand: objects from number 1, the first of which is the catalogue.
pub fn pdf(objects: &[String]) -> Vec<u8> {
    let mut out = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        offsets.push(out.len());
        out.extend(format!("{} 0 obj\n{object}\nendobj\n", at + 1).bytes());
    }
    let table = out.len();
    out.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    offsets.iter().for_each(|offset| out.extend(format!("{offset:010} 00000 n \n").bytes()));
    let trailer = format!("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n", objects.len() + 1);
    out.extend(trailer.bytes());
    out
}

/// Fills a rectangle.
pub fn fill((r, g, b): (f32, f32, f32), (x, y, w, h): (i32, i32, i32, i32)) -> String {
    format!("{r} {g} {b} rg {x} {y} {w} {h} re f\n")
}

/// A document of pages, each with more entries of its dictionary and what it draws; further objects after them.
pub fn pages(pages: &[(&str, String)], catalogue: &str, further: &[String]) -> Vec<u8> {
    let kids: Vec<String> = (0..pages.len()).map(|at| format!("{} 0 R", 3 + at * 2)).collect();
    let mut objects = vec![
        format!("<< /Type /Catalog /Pages 2 0 R {catalogue} >>"),
        format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), pages.len()),
    ];
    for (at, (entries, content)) in pages.iter().enumerate() {
        objects.push(format!("<< /Type /Page /Parent 2 0 R /Contents {} 0 R {entries} >>", 4 + at * 2));
        objects.push(format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()));
    }
    objects.extend_from_slice(further);
    pdf(&objects)
}
