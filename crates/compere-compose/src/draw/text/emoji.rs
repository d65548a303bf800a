//! Emoji: where they stand in a text, and their coloured pictures.
//!
//! Several text fonts hold plain outlines of the same signs, so sequences are found before fonts are chosen and given
//! to the emoji font first. Pictures are the PNG strikes of `CBDT` and `sbix` fonts; vector colour fonts (`COLR`) are
//! not drawn.

use compere_media::Pixmap;
use parley::FontData;
use skrifa::bitmap::{BitmapData, BitmapStrikes, Origin};
use skrifa::instance::Size;
use skrifa::{FontRef, GlyphId};
use std::ops::Range;

/// The byte ranges of emoji in `text`, neighbours joined.
pub fn ranges(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((start, first)) = rest.next() {
        let next = rest.peek().map(|&(_, c)| c);
        let is_keycap = matches!(first, '0'..='9' | '#' | '*')
            && text[start + 1..].trim_start_matches(COLOR).starts_with('\u{20e3}');
        let is_emoji = match next {
            Some('\u{fe0e}') => false,
            Some(COLOR) => !first.is_ascii() || is_keycap,
            _ => is_pictured(first) || is_keycap,
        };
        if !is_emoji {
            continue;
        }
        let mut end = start + first.len_utf8();
        let mut was_joiner = false;
        while let Some(&(at, c)) = rest.peek().filter(|&&(_, c)| was_joiner || continues(c)) {
            was_joiner = c == JOINER;
            end = at + c.len_utf8();
            rest.next();
        }
        match found.last_mut() {
            Some(last) if last.end == start => last.end = end,
            _ => found.push(start..end),
        }
    }
    found
}

/// Asks for colour.
const COLOR: char = '\u{fe0f}';
const JOINER: char = '\u{200d}';

/// Modifiers, joiners, keycaps and tags belong to the emoji before.
fn continues(c: char) -> bool {
    matches!(c, COLOR | JOINER | '\u{20e3}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}')
}

/// Shown in colour unless the author asks otherwise. Unicode gives some of the signs beyond U+1F300 a plain form by
/// default; people who type them expect the picture.
fn is_pictured(c: char) -> bool {
    matches!(c,
        '\u{1f300}'..='\u{1faff}' | '\u{1f1e6}'..='\u{1f1ff}' | '\u{1f004}' | '\u{1f0cf}' | '\u{1f18e}'
        | '\u{1f191}'..='\u{1f19a}' | '\u{1f201}' | '\u{1f21a}' | '\u{1f22f}' | '\u{1f232}'..='\u{1f236}'
        | '\u{1f238}'..='\u{1f23a}' | '\u{1f250}'..='\u{1f251}'
        | '⌚' | '⌛' | '⏩'..='⏬' | '⏰' | '⏳' | '◽' | '◾' | '☔' | '☕' | '♈'..='♓' | '♿' | '⚓' | '⚡' | '⚪' | '⚫'
        | '⚽' | '⚾' | '⛄' | '⛅' | '⛎' | '⛔' | '⛪' | '⛲' | '⛳' | '⛵' | '⛺' | '⛽' | '✅' | '✊' | '✋' | '✨' | '❌'
        | '❎' | '❓'..='❕' | '❗' | '➕'..='➗' | '➰' | '➿' | '⬛' | '⬜' | '⭐' | '⭕')
}

/// A coloured glyph. Lengths are in ems, `y` up from the baseline.
#[derive(Clone, Debug)]
pub struct Picture {
    pub pixmap: Pixmap,
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

impl Picture {
    /// The largest strike of a glyph, if the font has pictures.
    pub fn of(font: &FontData, glyph: u32) -> Option<Self> {
        let font = FontRef::from_index(font.data.as_ref(), font.index).ok()?;
        let bitmap = BitmapStrikes::new(&font).glyph_for_size(Size::unscaled(), GlyphId::new(glyph))?;
        let BitmapData::Png(png) = bitmap.data else { return None };
        let pixmap = decode(png)?;
        let (across, down) = (f64::from(bitmap.ppem_x), f64::from(bitmap.ppem_y));
        let (width, height) = (f64::from(bitmap.width) / across, f64::from(bitmap.height) / down);
        let bearing = f64::from(bitmap.inner_bearing_y) / down;
        let top = if bitmap.placement_origin == Origin::TopLeft { bearing } else { bearing + height };
        Some(Self { pixmap, left: f64::from(bitmap.inner_bearing_x) / across, top, width, height })
    }
}

/// Larger than any strike that a font holds.
const MAX_SIDE: u32 = 1024;

fn decode(data: &[u8]) -> Option<Pixmap> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(data));
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().ok()?;
    let (width, height) = (reader.info().width, reader.info().height);
    if width.max(height) > MAX_SIDE {
        return None;
    }
    let mut bytes = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut bytes).ok()?;
    let pixels = match info.color_type {
        png::ColorType::Rgba => bytes.as_chunks::<4>().0.to_vec(),
        png::ColorType::GrayscaleAlpha => bytes.as_chunks::<2>().0.iter().map(|&[y, a]| [y, y, y, a]).collect(),
        _ => return None,
    };
    (pixels.len() == width as usize * height as usize).then(|| Pixmap::from_straight(width, height, pixels))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_found_whole() {
        for (text, expected) in [
            ("a👩‍👩‍👧b", vec!["👩‍👩‍👧"]),
            ("1 ❤️ 2 ❤ 3", vec!["❤️"]),
            ("🇰🇷🇩🇪 x", vec!["🇰🇷🇩🇪"]),
            ("1️⃣ 2", vec!["1️⃣"]),
            ("👍🏽 ok 🏴󠁧󠁢󠁥󠁮󠁧󠁿", vec!["👍🏽", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"]),
            ("☎︎ © 7", vec![]),
        ] {
            let found: Vec<&str> = ranges(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
