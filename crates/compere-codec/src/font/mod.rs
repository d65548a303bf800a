//! Fonts that users send: looked at in the sandbox, every letter drawn once and a text of them all set, before anybody
//! else opens them.
//!
//! What comes out are fonts of the tables that texts are written with, one for each face of the file. Pictures inside fonts
//! and programs of other systems are left out. A font that its maker allows nobody to use is refused.

mod inside;
mod sfnt;

use std::path::Path;

use crate::sandbox::{Errand, Limits, Sandbox};
use crate::{MediaError, MediaErrorKind};

pub(crate) use inside::read_font_main;
pub use sfnt::may_be_used;

/// The name by which our binary is asked to read a font.
pub(crate) const READ: &str = "__read-font";

/// Faces of a collection that are read.
pub const MOST_FACES: usize = 16;
/// A face of Chinese, all of its letters drawn, takes two seconds.
const LIMITS: Limits = Limits { wall: 60, cpu: 20, ..Limits::SMALL }.with_output(256 << 20);
/// Characters of a name.
const LONGEST_NAME: usize = 80;

/// A font that can be written with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Face {
    /// As texts ask for it.
    pub family: String,
    /// What its maker calls this face: `Bold Italic`.
    pub style: String,
    /// 1 to 1000; 400 is regular. Of a font that has all weights, the one that it has by itself.
    pub weight: u16,
    pub italic: bool,
    /// A font of one face.
    pub bytes: Vec<u8>,
}

/// What the reader says of a face: its names, and how many of the bytes that follow are its.
struct Told {
    family: String,
    style: String,
    weight: u16,
    italic: bool,
    length: usize,
}

impl Told {
    const FIELDS: usize = 5;

    fn line(&self) -> String {
        let Self { family, style, weight, italic, length } = self;
        format!("{family}\n{style}\n{weight}\n{}\n{length}\n", u8::from(*italic))
    }

    fn read(lines: &[&str]) -> Option<Self> {
        let [family, style, weight, italic, length] = lines else { return None };
        let word = |text: &str| text.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect::<String>();
        let (family, style) = (word(family), word(style));
        let weight = weight.parse().ok().filter(|weight| (1..=1000).contains(weight))?;
        let told = Self { family, style, weight, italic: *italic == "1", length: length.parse().ok()? };
        (!told.family.trim().is_empty()).then_some(told)
    }
}

/// Reads a font file that somebody sent.
pub fn read(sandbox: &Sandbox, path: &Path) -> Result<Vec<Face>, MediaError> {
    let output = sandbox.run(&Errand::helper(READ, LIMITS).input(path)).map_err(|error| match error.kind {
        MediaErrorKind::TooSlow => MediaError::too_slow("has letters that nobody can draw in time"),
        MediaErrorKind::TooLarge => MediaError::too_large("needs more memory than a font may"),
        MediaErrorKind::Damaged => damaged("whoever draws with it stops"),
        _ => error,
    })?;
    faces(&output.stdout)
}

fn damaged(why: &str) -> MediaError {
    MediaError::damaged(format!("is damaged: {why}; export it anew, or upload it again"))
}

/// The answer: a line `faces`, how many, five lines for each, then their bytes; or the kind of a refusal and its words.
fn faces(answer: &[u8]) -> Result<Vec<Face>, MediaError> {
    let silent = || damaged("whoever draws with it says nothing of it");
    let (first, mut rest) = line(answer).ok_or_else(silent)?;
    if first != "faces" {
        let what = String::from_utf8_lossy(rest);
        let what: String = what.chars().filter(|c| !c.is_control()).take(400).collect();
        return Err(MediaError::new(inside::kind(first), what));
    }
    let (count, after) = line(rest).ok_or_else(silent)?;
    let count: usize = count.parse().ok().filter(|count| (1..=MOST_FACES).contains(count)).ok_or_else(silent)?;
    rest = after;
    let mut told = Vec::new();
    for _ in 0..count {
        let mut lines = Vec::new();
        for _ in 0..Told::FIELDS {
            let (text, after) = line(rest).ok_or_else(silent)?;
            lines.push(text);
            rest = after;
        }
        told.push(Told::read(&lines).ok_or_else(silent)?);
    }
    let mut faces = Vec::new();
    for Told { family, style, weight, italic, length } in told {
        let (bytes, after) = rest.split_at_checked(length).ok_or_else(silent)?;
        faces.push(Face { family, style, weight, italic, bytes: bytes.to_vec() });
        rest = after;
    }
    Ok(faces)
}

fn line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    Some((std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reader_is_believed_no_more_than_the_file() {
        let good = b"faces\n1\nBrand\nBold\n700\n0\n3\nabc";
        let face =
            Face { family: "Brand".into(), style: "Bold".into(), weight: 700, italic: false, bytes: b"abc".to_vec() };
        assert_eq!(faces(good), Ok(vec![face]));
        for end in 0..good.len() {
            assert!(faces(&good[..end]).is_err(), "cut off at {end}");
        }
        for bad in ["faces\n17\n", "faces\n0\n", "faces\n1\n \nBold\n700\n0\n0\n", "faces\n1\nA\nB\n7000\n0\n0\n"] {
            assert!(faces(bad.as_bytes()).is_err(), "{bad}");
        }
        let refused = faces(b"wrong\nis a \x1b[31mtext").unwrap_err();
        assert_eq!((refused.kind, refused.what.as_str()), (MediaErrorKind::WrongType, "is a [31mtext"));
    }
}
