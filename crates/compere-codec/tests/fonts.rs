//! Fonts that people send: those that are read, and those that are not, each with its reason.

#![allow(clippy::disallowed_methods, reason = "tests write files and watch the clock")]

mod common;

use std::path::{Path, PathBuf};
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
fn zz_all() {
    let mut todo = vec![PathBuf::from("/usr/share/fonts")];
    let mut files = vec![];
    while let Some(dir) = todo.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { todo.push(path) } else { files.push(path) }
        }
    }
    for file in files {
        let started = Instant::now();
        match font::read(&common::sandbox(), Path::new(&file)) {
            Ok(faces) => eprintln!("ok {:?} {} {}", started.elapsed(), file.display(), faces.iter().map(|f| format!("{} {} {} {} {}", f.family, f.style, f.weight, f.italic, f.bytes.len())).collect::<Vec<_>>().join(" | ")),
            Err(error) => eprintln!("NO {:?} {} {error}", started.elapsed(), file.display()),
        }
    }
}
