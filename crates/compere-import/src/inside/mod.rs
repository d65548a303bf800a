//! Inside the sandbox: the hidden commands by which our own binary reads foreign documents, and what they answer.
//!
//! What runs here may be taken over by the document it reads. It gets the document and at most a folder, and the other
//! side believes nothing of its answers but their form.

pub(crate) mod bare;
mod ctf;
mod cut;
mod diagram;
mod extras;
pub(crate) mod fonts;
mod frame;
mod lzcomp;
pub(crate) mod media;
mod ole;
pub(crate) mod outline;
mod package;
#[cfg(test)]
#[allow(dead_code, reason = "every test uses a part of it")]
#[path = "../../tests/common/packing.rs"]
mod packing;
mod pdf_painter;
pub(crate) mod pdf_words;
mod shape;
pub(crate) mod states;
pub(crate) mod steps;
mod style;
mod table;
pub(crate) mod weight;
pub(crate) mod word;

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::process::ExitCode;

use serde::{Deserialize, Serialize};

use bare::BareSlide;
use ole::Compound;
use outline::{Archive, Outline};
use package::{Package, Trouble};
use pdf_words::PdfWords;
use weight::Weight;
use word::Writing;

/// `FILE`: what an office file is and what it says.
pub(crate) const READ_DECK: &str = "__read-deck";
/// `FILE MOST_PAGES`: outline and notes of a PDF.
pub(crate) const READ_PDF: &str = "__read-pdf";
/// `FILE FOLDER`: the deck without texts and pictures into the folder, and where they stood.
pub(crate) const BARE_DECK: &str = "__bare-deck";

/// `FILE FOLDER PARTS`: these parts, a list in JSON, as files in the folder.
pub(crate) const MEDIA_OF_DECK: &str = "__media-of-deck";
/// `FILE FOLDER NUMBERS`: a deck of the states of the numbered slides into the folder, and how many each has.
pub(crate) const STATES_DECK: &str = "__states-deck";

/// `FILE FOLDER`: the fonts of a deck as files in the folder.
pub(crate) const FONTS_OF_DECK: &str = "__fonts-of-deck";

/// `FILE FOLDER`: what a Word document says; its pictures go into the folder.
pub(crate) const READ_WORD: &str = "__read-word";

/// What a Word document turned out to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Told {
    Word(Writing),
    /// None.
    Other,
    Damaged(String),
    TooLarge(String),
}

/// What an office file turned out to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Answer {
    Pptx(Outline),
    /// With the number of its slides, about.
    Ppt(usize),
    /// With what its slides weigh, where that can be told.
    Odp(Vec<Weight>),
    Encrypted,
    /// Something else, named with its article.
    Other(String),
    Damaged(String),
    TooLarge(String),
}

/// Runs a hidden command when `args` (without the program's name) ask for one. The binary calls this, as it calls
/// [`compere_codec::helper_main`], before it does anything else.
pub fn helper_main(args: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut args = args.into_iter();
    let command = args.next()?;
    let rest: Vec<OsString> = args.collect();
    let written = match command.to_str()? {
        READ_DECK => answer(&read_deck(&rest)),
        READ_PDF => answer(&read_pdf(&rest)),
        BARE_DECK => answer(&bare_deck(&rest)),
        STATES_DECK => answer(&states_deck(&rest)),
        MEDIA_OF_DECK => answer(&media_of_deck(&rest)),
        FONTS_OF_DECK => answer(&fonts_of_deck(&rest)),
        READ_WORD => answer(&read_word(&rest)),
        _ => return None,
    };
    Some(if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub(crate) fn answer(value: &impl Serialize) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, value)?;
    out.flush()
}

fn read_deck(args: &[OsString]) -> Answer {
    let opened = args.first().ok_or(std::io::ErrorKind::InvalidInput.into()).and_then(File::open);
    match opened.map(BufReader::new) {
        Err(error) => Answer::Damaged(format!("cannot be opened ({error})")),
        Ok(mut file) => look(&mut file),
    }
}

fn look(file: &mut BufReader<File>) -> Answer {
    match ole::kind(file) {
        Compound::PowerPoint => return Answer::Ppt(ole::slides(file).unwrap_or(0)),
        Compound::Encrypted => return Answer::Encrypted,
        Compound::Other(what) => return Answer::Other(what.to_owned()),
        Compound::Damaged => (),
    }
    let mut head = [0; 8];
    let compound = std::io::Seek::rewind(file).and_then(|()| file.read_exact(&mut head)).is_ok() && head == ole::MAGIC;
    if compound {
        return Answer::Damaged("it is an old Office file that breaks off".to_owned());
    }
    let read = Package::open(file).and_then(|mut package| {
        Ok(match outline::archive_kind(&mut package)? {
            Archive::Open => Answer::Odp(outline::weights(&mut package)),
            Archive::Other(what) => Answer::Other(what.to_owned()),
            Archive::Presentation { main } => Answer::Pptx(outline::read(&mut package, &main)?),
        })
    });
    read.unwrap_or_else(|trouble| match trouble {
        Trouble::Damaged(why) => Answer::Damaged(why),
        Trouble::TooLarge(why) => Answer::TooLarge(why),
    })
}

fn read_pdf(args: &[OsString]) -> Option<PdfWords> {
    let [path, most] = args else { return None };
    let data = std::fs::read(path).ok()?;
    pdf_words::read(data, most.to_str()?.parse().ok()?)
}

fn read_word(args: &[OsString]) -> Told {
    let [path, folder] = args else { return Told::Damaged("was asked for wrongly".to_owned()) };
    let Ok(file) = File::open(path) else { return Told::Damaged("cannot be opened".to_owned()) };
    // What is no archive is said to be so by whoever reads presentations.
    let Ok(mut package) = Package::open(BufReader::new(file)) else { return Told::Other };
    let read = word::main_part(&mut package).and_then(|main| match main {
        None => Ok(Told::Other),
        Some(main) => word::read(&mut package, &main, folder.as_ref()).map(Told::Word),
    });
    read.unwrap_or_else(|trouble| match trouble {
        Trouble::Damaged(why) => Told::Damaged(why),
        Trouble::TooLarge(why) => Told::TooLarge(why),
    })
}

fn bare_deck(args: &[OsString]) -> Result<Vec<BareSlide>, String> {
    let [path, folder] = args else { return Err("was called wrongly".to_owned()) };
    bare::write(path.as_ref(), folder.as_ref()).map_err(|trouble| match trouble {
        Trouble::Damaged(why) | Trouble::TooLarge(why) => why,
    })
}

fn fonts_of_deck(args: &[OsString]) -> Result<Vec<fonts::Carried>, String> {
    let [path, folder] = args else { return Err("was called wrongly".to_owned()) };
    fonts::write(path.as_ref(), folder.as_ref()).map_err(|trouble| match trouble {
        Trouble::Damaged(why) | Trouble::TooLarge(why) => why,
    })
}

fn media_of_deck(args: &[OsString]) -> Result<(), String> {
    /// Bytes of one film.
    const MOST: u64 = 400 << 20;
    let [path, folder, parts] = args else { return Err("was called wrongly".to_owned()) };
    let parts: Vec<String> = serde_json::from_str(&parts.to_string_lossy()).map_err(|error| error.to_string())?;
    media::write(path.as_ref(), folder.as_ref(), &parts, MOST).map_err(|trouble| match trouble {
        Trouble::Damaged(why) | Trouble::TooLarge(why) => why,
    })
}

fn states_deck(args: &[OsString]) -> Result<Vec<(usize, usize)>, String> {
    let [path, folder, numbers] = args else { return Err("was called wrongly".to_owned()) };
    let numbers = numbers.to_string_lossy().split(',').filter_map(|number| number.parse().ok()).collect();
    states::write(path.as_ref(), folder.as_ref(), &numbers).map_err(|trouble| match trouble {
        Trouble::Damaged(why) | Trouble::TooLarge(why) => why,
    })
}
