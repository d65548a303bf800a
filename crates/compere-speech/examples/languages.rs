//! How often a text is taken for another language: `cargo run --release -p compere-speech --example languages FOLDER`.
//!
//! The folder holds `LANGUAGE.txt` files with a sentence a line; `scripts/languages.sh` makes one.

#![allow(clippy::disallowed_methods, reason = "a tool for developers")]
#![allow(clippy::print_stdout, reason = "an example talks to its terminal")]

use std::path::Path;

use compere_speech::{check_language, language_of};

fn main() {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let mut files: Vec<_> = std::fs::read_dir(&folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    files.sort();
    let (mut all, mut refused) = (0, 0);
    println!("language  sentences  heard  unsure  refused");
    for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "txt")) {
        let (lines, wrong) = judge(file);
        all += lines;
        refused += wrong;
    }
    println!("{refused} of {all} would be refused in their own language");
    assert!(refused * 1000 <= all, "more than one in a thousand");
}

/// Prints a row, and tells how many sentences there are and how many a voice of their language would refuse.
fn judge(file: &Path) -> (usize, usize) {
    let language = file.file_stem().unwrap_or_default().to_string_lossy().replace('_', "-");
    let text = std::fs::read_to_string(file).expect("a text");
    let heard: Vec<_> = text.lines().map(language_of).collect();
    let wrong: Vec<&str> = text.lines().filter(|line| check_language(line, &language, None).is_err()).collect();
    let unsure = heard.iter().filter(|heard| heard.is_none()).count();
    let sure = heard.len() - unsure - wrong.len();
    println!("{language:<9} {:>9} {sure:>6} {unsure:>7} {:>8}", heard.len(), wrong.len());
    for line in wrong.iter().take(5) {
        println!("          {} for {line}", language_of(line).unwrap_or("?"));
    }
    (heard.len(), wrong.len())
}
