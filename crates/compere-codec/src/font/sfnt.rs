//! The tables of a font file, and a font of those that are needed.

use skrifa::Tag;
use skrifa::raw::{FontRef, TableProvider as _};

/// What texts are written with. Whatever else a font holds is for others: signatures, pictures, programs of one system.
const KEPT: [&[u8; 4]; 34] = [
    b"BASE", b"CFF ", b"CFF2", b"GDEF", b"GPOS", b"GSUB", b"HVAR", b"JSTF", b"MATH", b"MVAR", b"OS/2", b"STAT",
    b"VORG", b"VVAR", b"avar", b"cmap", b"cvar", b"cvt ", b"fpgm", b"fvar", b"gasp", b"glyf", b"gvar", b"head",
    b"hhea", b"hmtx", b"kern", b"loca", b"maxp", b"name", b"post", b"prep", b"vhea", b"vmtx",
];
/// Without which there is no text.
const NEEDED: [&[u8; 4]; 7] = [b"cmap", b"head", b"hhea", b"hmtx", b"maxp", b"name", b"OS/2"];
const PICTURES: [&[u8; 4]; 5] = [b"CBDT", b"EBDT", b"sbix", b"SVG ", b"COLR"];
/// In a table `head`.
const ADJUSTMENT: usize = 8;

/// Why a font is none that can be used, in words that follow "it".
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    Damaged(String),
    Useless(String),
}

/// A font of the tables that are needed.
pub(super) fn cleaned(font: &FontRef<'_>) -> Result<Vec<u8>, Flaw> {
    let whole = font.data().len();
    let mut tables: Vec<(Tag, &[u8])> = Vec::new();
    for record in font.table_directory().table_records() {
        let (tag, start) = (record.tag(), record.offset() as usize);
        let end = start.checked_add(record.length() as usize).filter(|end| *end <= whole);
        let Some(end) = end else {
            return Err(Flaw::Damaged(format!("its table `{tag}` lies outside the file, which may be cut off")));
        };
        let known = tables.iter().any(|(known, _)| *known == tag);
        if KEPT.iter().any(|kept| tag == Tag::new(kept)) && !known {
            tables.push((tag, &font.data().as_bytes()[start..end]));
        }
    }
    check(font, &tables)?;
    tables.sort_by_key(|(tag, _)| *tag);
    let outlines = if tables.iter().any(|(tag, _)| *tag == Tag::new(b"glyf")) { [0, 1, 0, 0] } else { *b"OTTO" };
    Ok(written(outlines, &tables))
}

fn check(font: &FontRef<'_>, tables: &[(Tag, &[u8])]) -> Result<(), Flaw> {
    let has = |name: &[u8; 4]| tables.iter().any(|(tag, _)| *tag == Tag::new(name));
    if let Some(lacking) = NEEDED.into_iter().find(|name| !has(name)) {
        return Err(Flaw::Damaged(format!("it lacks the table `{}`", String::from_utf8_lossy(lacking))));
    }
    if (has(b"glyf") && has(b"loca")) || has(b"CFF ") || has(b"CFF2") {
        return Ok(());
    }
    let pictures = PICTURES.iter().any(|name| font.table_data(Tag::new(name)).is_some());
    if pictures {
        let why = "has pictures where letters are drawn by outlines; a font with outlines would be right";
        return Err(Flaw::Useless(why.to_owned()));
    }
    Err(Flaw::Damaged("it has no outlines".to_owned()))
}

fn written(version: [u8; 4], tables: &[(Tag, &[u8])]) -> Vec<u8> {
    let count = tables.len() as u16;
    let entry = count.checked_ilog2().unwrap_or(0) as u16;
    let range = 16 << entry;
    let mut file = version.to_vec();
    for number in [count, range, entry, count * 16 - range] {
        file.extend(number.to_be_bytes());
    }
    let mut at = file.len() + tables.len() * 16;
    for (tag, table) in tables {
        file.extend(tag.to_be_bytes());
        let table = without_sum(*tag, table);
        for number in [sum(&table), at as u32, table.len() as u32] {
            file.extend(number.to_be_bytes());
        }
        at += table.len().next_multiple_of(4);
    }
    let mut head = None;
    for (tag, table) in tables {
        if *tag == Tag::new(b"head") {
            head = Some(file.len());
        }
        file.extend(without_sum(*tag, table));
        file.resize(file.len().next_multiple_of(4), 0);
    }
    let adjustment = 0xb1b0_afba_u32.wrapping_sub(sum(&file)).to_be_bytes();
    if let Some(place) = head.and_then(|head| file.get_mut(head + ADJUSTMENT..head + ADJUSTMENT + 4)) {
        place.copy_from_slice(&adjustment);
    }
    file
}

/// A `head` says what the whole file sums up to, and is summed up as if it said nothing.
fn without_sum(tag: Tag, table: &[u8]) -> Vec<u8> {
    let mut table = table.to_vec();
    if tag == Tag::new(b"head")
        && let Some(place) = table.get_mut(ADJUSTMENT..ADJUSTMENT + 4)
    {
        place.fill(0);
    }
    table
}

fn sum(bytes: &[u8]) -> u32 {
    let word = |four: &[u8]| {
        let mut word = [0; 4];
        word[..four.len()].copy_from_slice(four);
        u32::from_be_bytes(word)
    };
    bytes.chunks(4).map(word).fold(0, u32::wrapping_add)
}

/// What its maker allows (`fsType` of the table `OS/2`).
pub(super) fn rights(font: &FontRef<'_>) -> Option<u16> {
    font.os2().ok().map(|table| table.fs_type())
}

/// Whether a font of these rights (`fsType`) may be used: anybody may, or at least whoever shows and prints a document; and
/// as outlines.
pub fn may_be_used(rights: u16) -> bool {
    const PREVIEW_OR_EDIT: u16 = 0x000c;
    const FORBIDDEN: u16 = 0x0002;
    const BITMAPS_ONLY: u16 = 0x0200;
    rights & BITMAPS_ONLY == 0 && (rights & FORBIDDEN == 0 || rights & PREVIEW_OR_EDIT != 0)
}
