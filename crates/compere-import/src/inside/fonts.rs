//! Fonts that a presentation carries. Runs inside the sandbox.
//!
//! They lie in the package as they are, or in the form of EOT: a header, and behind it the font as it is or packed as
//! MicroType Express, each byte turned by one and the same. Whoever made a font says in it whether it may be used in
//! documents of others.

use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::ctf;
use super::outline::{Archive, archive_kind};
use super::package::{Found, Package, Trouble};
use crate::xml::Node;

/// Files, of which a family has up to four.
const MOST: usize = 40;
const LARGEST: usize = 32 << 20;
/// Where an EOT file says how it is written, and what marks it as one.
const EOT_FLAGS: usize = 12;
const EOT_MAGIC: usize = 34;
const PACKED: u32 = 4;
const TURNED: u32 = 0x1000_0000;
/// By which bytes are turned.
const TURN: u8 = 0x50;

/// What became of a font.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Fate {
    /// In the file of this number.
    Written(usize),
    /// It may not be used in documents.
    Forbidden,
    Damaged,
}

/// A font that a presentation carries, by the family that it is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Carried {
    pub(crate) family: String,
    pub(crate) fate: Fate,
}

pub(crate) fn file_name(number: usize) -> String {
    format!("font-{number}.ttf")
}

/// Writes the fonts of a presentation into `folder`.
pub(crate) fn write(file: &Path, folder: &Path) -> Found<Vec<Carried>> {
    let broken = |error: std::io::Error| Trouble::Damaged(error.to_string());
    let mut package = Package::open(File::open(file).map_err(broken)?)?;
    let mut carried = Vec::new();
    for (at, (family, part)) in (1..).zip(listed(&mut package)?) {
        let fate = match package.bytes(&part)?.map(plain) {
            Some(Ok(font)) => {
                std::fs::write(folder.join(file_name(at)), font).map_err(broken)?;
                Fate::Written(at)
            }
            Some(Err(fate)) => fate,
            None => Fate::Damaged,
        };
        carried.push(Carried { family, fate });
    }
    Ok(carried)
}

/// Families and parts, as the presentation lists them.
fn listed<R: Read + Seek>(package: &mut Package<R>) -> Found<Vec<(String, String)>> {
    let Archive::Presentation { main } = archive_kind(package)? else { return Ok(vec![]) };
    let Some(presentation) = package.tree(&main)? else { return Ok(vec![]) };
    let Some(list) = presentation.child("embeddedFontLst") else { return Ok(vec![]) };
    let relations = package.relations(&main)?;
    let mut found = Vec::new();
    for font in list.nodes() {
        let Some(family) = font.child("font").and_then(|font| font.attr("typeface")) else { continue };
        let family: String = family.chars().filter(|c| !c.is_control()).take(80).collect();
        let faces = font.nodes().filter_map(|face: &Node| relations.get(face.relation("id")?));
        let faces = faces.filter(|relation| relation.kind == "font");
        found.extend(faces.map(|relation| (family.clone(), relation.part.clone())));
    }
    found.truncate(MOST);
    Ok(found)
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

/// A font as programs read it, when it may be used.
fn plain(bytes: Vec<u8>) -> Result<Vec<u8>, Fate> {
    let font = if is_font(&bytes) { bytes } else { unwrapped(&bytes)? };
    if !is_font(&font) || font.len() > LARGEST {
        return Err(Fate::Damaged);
    }
    match rights(&font) {
        None => Err(Fate::Damaged),
        Some(rights) if may_be_used(rights) => Ok(font),
        Some(_) => Err(Fate::Forbidden),
    }
}

fn is_font(bytes: &[u8]) -> bool {
    matches!(bytes.get(..4), Some([0, 1, 0, 0] | b"OTTO" | b"true"))
}

/// What an EOT file holds: its numbers have the least byte first, and the font is its end.
fn unwrapped(bytes: &[u8]) -> Result<Vec<u8>, Fate> {
    let number = |at: usize| {
        let bytes = bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map(u32::from_le_bytes).ok_or(Fate::Damaged)
    };
    let (whole, length, flags) = (number(0)? as usize, number(4)? as usize, number(EOT_FLAGS)?);
    if bytes.get(EOT_MAGIC..EOT_MAGIC + 2) != Some(b"LP") || whole > bytes.len() {
        return Err(Fate::Damaged);
    }
    let start = whole.checked_sub(length).filter(|start| *start > EOT_MAGIC).ok_or(Fate::Damaged)?;
    let turn = if flags & TURNED != 0 { TURN } else { 0 };
    let font: Vec<u8> = bytes[start..whole].iter().map(|byte| byte ^ turn).collect();
    if flags & PACKED != 0 { ctf::font(&font, LARGEST).ok_or(Fate::Damaged) } else { Ok(font) }
}

/// What its maker allows (`fsType` of the table `OS/2`).
fn rights(font: &[u8]) -> Option<u16> {
    let tables = usize::from(short(font, 4)?);
    let entry = (0..tables).map(|table| 12 + table * 16).find(|at| font.get(*at..*at + 4) == Some(b"OS/2"))?;
    short(font, (long(font, entry + 8)? as usize).checked_add(8)?)
}

/// Anybody may, or at least whoever shows and prints a document; and as outlines.
fn may_be_used(rights: u16) -> bool {
    const PREVIEW_OR_EDIT: u16 = 0x000c;
    const FORBIDDEN: u16 = 0x0002;
    const BITMAPS_ONLY: u16 = 0x0200;
    rights & BITMAPS_ONLY == 0 && (rights & FORBIDDEN == 0 || rights & PREVIEW_OR_EDIT != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inside::packing::{self, wrapped as eot};

    /// A font of one table that says what may be done with it.
    fn font_of(rights: u16) -> Vec<u8> {
        let directory =
            [&[0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0][..], b"OS/2", &[0; 4], &28u32.to_be_bytes(), &10u32.to_be_bytes()];
        [&directory.concat()[..], &[0; 8], &rights.to_be_bytes()].concat()
    }

    /// Packed: without outlines, there is nothing to work out.
    fn mtx(font: &[u8]) -> Vec<u8> {
        packing::three(font, &[], &[], true)
    }

    #[test]
    fn fonts_come_out_as_they_are() {
        let whole = font_of(0);
        assert_eq!(plain(whole.clone()), Ok(whole.clone()));
        assert_eq!(plain(eot(&whole, 0)), Ok(whole.clone()));
        assert_eq!(plain(eot(&whole, TURNED)), Ok(whole.clone()));
        for flags in [PACKED, PACKED | TURNED] {
            let font = plain(eot(&mtx(&whole), flags)).unwrap();
            assert_eq!((rights(&font), packing::table(&font, b"OS/2")), (Some(0), packing::table(&whole, b"OS/2")));
            assert_eq!(plain(eot(&mtx(&font_of(2)), flags)), Err(Fate::Forbidden));
            assert_eq!(plain(eot(&whole, flags)), Err(Fate::Damaged), "it is not packed");
        }
    }

    #[test]
    fn what_its_maker_allows_is_done() {
        let fates = [0, 2, 4, 8, 0x0a, 0x100, 0x200].map(|rights| plain(font_of(rights)).is_ok());
        assert_eq!(fates, [true, false, true, true, true, true, false]);
        assert_eq!(plain(font_of(2)), Err(Fate::Forbidden));
    }

    #[test]
    fn what_is_cut_off_or_lies_is_damaged() {
        let file = eot(&font_of(0), 0);
        for end in 0..file.len() {
            assert_eq!(plain(file[..end].to_vec()), Err(Fate::Damaged), "cut off at {end}");
        }
        let mut far = file.clone();
        far[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(plain(far), Err(Fate::Damaged));
        let mut astray = font_of(0);
        astray[20..24].copy_from_slice(&u32::MAX.to_be_bytes());
        assert_eq!(plain(astray), Err(Fate::Damaged));
        assert_eq!(plain(vec![]), Err(Fate::Damaged));
    }
}
