//! Inside the sandbox: every letter of a font is drawn, and all of them are set as a text.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Write};
use std::process::ExitCode;

use harfrust::{ShapeOptions, ShaperData, UnicodeBuffer};
use skrifa::attribute::Style;
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::raw::{FontRef, TableProvider as _};
use skrifa::string::StringId;
use skrifa::{GlyphId, MetadataProvider as _};

use super::sfnt::{self, Flaw};
use super::{LONGEST_NAME, MOST_FACES, Told, damaged, may_be_used};
use crate::sniff::{HEAD, other};
use crate::{MediaError, MediaErrorKind};

const RIGHT: &str = "TTF, OTF or TTC would be right";
/// Lines and curves of one letter. The most ornate have a few thousand.
const MOST_STROKES: u32 = 100_000;
/// Characters that are set as a text, and how many make a line of it.
const MOST_SET: usize = 20_000;
const LINE: usize = 60;

const KINDS: [(&str, MediaErrorKind); 3] =
    [("wrong", MediaErrorKind::WrongType), ("large", MediaErrorKind::TooLarge), ("machine", MediaErrorKind::Machine)];

/// By its word in an answer.
pub(super) fn kind(word: &str) -> MediaErrorKind {
    KINDS.iter().find(|(known, _)| *known == word).map_or(MediaErrorKind::Damaged, |(_, kind)| *kind)
}

/// `FILE`, the answer to `out`.
pub(crate) fn read_font_main(args: impl Iterator<Item = OsString>, out: impl Write) -> ExitCode {
    let answer = read_args(args);
    match write_answer(answer, out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn write_answer(answer: Result<Vec<(Told, Vec<u8>)>, MediaError>, mut out: impl Write) -> std::io::Result<()> {
    match answer {
        Ok(faces) => {
            write!(out, "faces\n{}\n", faces.len())?;
            faces.iter().try_for_each(|(told, _)| out.write_all(told.line().as_bytes()))?;
            faces.iter().try_for_each(|(_, bytes)| out.write_all(bytes))?;
        }
        Err(error) => {
            let word = KINDS.iter().find(|(_, kind)| *kind == error.kind).map_or("damaged", |(word, _)| word);
            write!(out, "{word}\n{}", error.what)?;
        }
    }
    out.flush()
}

fn read_args(mut args: impl Iterator<Item = OsString>) -> Result<Vec<(Told, Vec<u8>)>, MediaError> {
    let path = args.next().ok_or_else(|| MediaError::machine("the reader of fonts was called wrongly"))?;
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|mut file| file.read_to_end(&mut bytes));
    read.map_err(|error| MediaError::io("could not read the font", &error))?;
    (0..count(&bytes)?).map(|index| face(&bytes, index)).collect()
}

/// How many faces a file has.
fn count(bytes: &[u8]) -> Result<u32, MediaError> {
    let instead = |what: &str| Err(MediaError::wrong_type(format!("is {what}; {RIGHT}")));
    match bytes {
        [] => instead("empty"),
        [0, 1, 0, 0, ..] | [b'O', b'T', b'T', b'O', ..] | [b't', b'r', b'u', b'e', ..] => Ok(1),
        [b't', b't', b'c', b'f', _, _, _, _, a, b, c, d, ..] => match u32::from_be_bytes([*a, *b, *c, *d]) {
            0 => Err(damaged("it is a collection of no fonts")),
            many if many as usize > MOST_FACES => {
                let what = format!("holds {many} fonts; at most {MOST_FACES} are read, so save those you need alone");
                Err(MediaError::too_large(what))
            }
            many => Ok(many),
        },
        [b'w', b'O', b'F', b'F' | b'2', ..] => instead("a web font (WOFF)"),
        _ if bytes.get(34..36) == Some(b"LP") => instead("a font packed for documents (EOT)"),
        _ => instead(&format!("{}, not a font", other(&bytes[..bytes.len().min(HEAD)]))),
    }
}

fn face(bytes: &[u8], index: u32) -> Result<(Told, Vec<u8>), MediaError> {
    let unread = |_| damaged("it breaks off, or its list of tables is none");
    let font = FontRef::from_index(bytes, index).map_err(unread)?;
    let clean = sfnt::cleaned(&font).map_err(|flaw| match flaw {
        Flaw::Damaged(why) => damaged(&why),
        Flaw::Useless(what) => MediaError::wrong_type(what),
    })?;
    let font = FontRef::new(&clean).map_err(unread)?;
    match sfnt::rights(&font) {
        None => return Err(damaged("what its maker allows (`OS/2`) cannot be read")),
        Some(rights) if may_be_used(rights) => (),
        Some(_) => {
            let what = "may not be used: its maker forbids it (`fsType` in the font is restricted); a file that the maker \
                        allows to be embedded would be right";
            return Err(MediaError::wrong_type(what));
        }
    }
    draw_all(&font)?;
    set_all(&font)?;
    let told = told(&font, clean.len())?;
    Ok((told, clean))
}

fn told(font: &FontRef<'_>, length: usize) -> Result<Told, MediaError> {
    let name = |id: StringId| {
        let found = font.localized_strings(id).english_or_first()?;
        let text: String = found.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    };
    let family = name(StringId::TYPOGRAPHIC_FAMILY_NAME).or_else(|| name(StringId::FAMILY_NAME));
    let family = family.ok_or_else(|| damaged("it has no name"))?;
    let style = name(StringId::TYPOGRAPHIC_SUBFAMILY_NAME).or_else(|| name(StringId::SUBFAMILY_NAME));
    let attributes = font.attributes();
    let weight = attributes.weight.value().clamp(1.0, 1000.0).round() as u16;
    let italic = attributes.style != Style::Normal;
    Ok(Told { family, style: style.unwrap_or_else(|| "Regular".to_owned()), weight, italic, length })
}

/// Draws every letter, also those that only others lead to.
fn draw_all(font: &FontRef<'_>) -> Result<(), MediaError> {
    let count = font.maxp().map(|table| table.num_glyphs()).unwrap_or_default();
    let glyphs = font.outline_glyphs();
    let mut seen = false;
    for id in 0..u32::from(count) {
        let Some(outline) = glyphs.get(GlyphId::new(id)) else { continue };
        let mut strokes = Strokes(0);
        let drawn = outline.draw(DrawSettings::unhinted(Size::unscaled(), LocationRef::default()), &mut strokes);
        if drawn.is_err() {
            return Err(damaged(&format!("its letter number {id} cannot be drawn")));
        }
        if strokes.0 > MOST_STROKES {
            let what = format!("has a letter of {} strokes; at most {MOST_STROKES} are drawn", strokes.0);
            return Err(MediaError::too_large(what));
        }
        seen |= strokes.0 > 0;
    }
    if seen { Ok(()) } else { Err(damaged("all of its letters are empty")) }
}

/// Sets a text of all characters.
fn set_all(font: &FontRef<'_>) -> Result<(), MediaError> {
    let characters = font.charmap().mappings().filter_map(|(code, _)| char::from_u32(code)).take(MOST_SET);
    let characters: Vec<char> = characters.collect();
    if characters.is_empty() {
        return Err(damaged("it has no character that can be written (`cmap`)"));
    }
    let data = ShaperData::new(font);
    let shaper = data.shaper(font).build();
    for line in characters.chunks(LINE) {
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(&line.iter().collect::<String>());
        buffer.guess_segment_properties();
        let set = shaper.shape(buffer, ShapeOptions::new());
        if set.glyph_positions().len() > MOST_STROKES as usize {
            return Err(MediaError::too_large(format!("makes more than {MOST_STROKES} letters of {LINE} characters")));
        }
    }
    Ok(())
}

/// Counts what would be drawn.
struct Strokes(u32);

impl OutlinePen for Strokes {
    fn move_to(&mut self, _: f32, _: f32) {
        self.0 = self.0.saturating_add(1);
    }

    fn line_to(&mut self, _: f32, _: f32) {
        self.0 = self.0.saturating_add(1);
    }

    fn quad_to(&mut self, _: f32, _: f32, _: f32, _: f32) {
        self.0 = self.0.saturating_add(1);
    }

    fn curve_to(&mut self, _: f32, _: f32, _: f32, _: f32, _: f32, _: f32) {
        self.0 = self.0.saturating_add(1);
    }

    fn close(&mut self) {}
}
