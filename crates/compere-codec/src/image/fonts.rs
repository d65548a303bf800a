//! Which fonts the text of an SVG is set in.
//!
//! The fonts that designers name are mostly not here; what replaces them should at least be of the same kind. Characters
//! that a font lacks are taken from the Noto Sans family of their script, in the same weight, emoji from the coloured font.
//! One stretch of text that mixes Arabic or Indic script with others may still show boxes: usvg falls back glyph by glyph.

use std::sync::Arc;

use resvg::usvg::fontdb::{Database, Family, ID, Query, Stretch, Style, Weight};
use resvg::usvg::{Font, FontFamily, FontResolver, FontStretch, FontStyle};

use super::FONTS;

const SANS: &str = "Noto Sans";
const SERIF: &str = "Noto Serif";
const MONO: &str = "Noto Sans Mono";
const EMOJI: &str = "Noto Color Emoji";

pub(super) fn database() -> Database {
    let mut fonts = Database::new();
    fonts.load_fonts_dir(FONTS);
    fonts.set_sans_serif_family(SANS);
    fonts.set_serif_family(SERIF);
    fonts.set_monospace_family(MONO);
    fonts.set_cursive_family(SANS);
    fonts.set_fantasy_family(SANS);
    fonts
}

pub(super) fn resolver() -> FontResolver<'static> {
    let fallback = FontResolver::default_fallback_selector();
    FontResolver {
        select_font: Box::new(|font, fonts| select(font, fonts)),
        select_fallback: Box::new(move |c, used, fonts| {
            let mut passed_over = used.to_vec();
            passed_over.extend(worse(c, used, fonts));
            fallback(c, &passed_over, fonts).or_else(|| fallback(c, used, fonts))
        }),
    }
}

fn select(font: &Font, fonts: &Database) -> Option<ID> {
    let mut families: Vec<Family<'_>> = font.families().iter().map(family).collect();
    // The last one is there wherever Noto is; its monospace family is a package of its own.
    families.extend([substitute(font.families()), Family::SansSerif]);
    let stretch = match font.stretch() {
        FontStretch::UltraCondensed | FontStretch::ExtraCondensed | FontStretch::Condensed => Stretch::Condensed,
        FontStretch::SemiCondensed => Stretch::SemiCondensed,
        _ => Stretch::Normal,
    };
    let style = if font.style() == FontStyle::Normal { Style::Normal } else { Style::Italic };
    fonts.query(&Query { families: &families, weight: Weight(font.weight()), stretch, style })
}

fn family(family: &FontFamily) -> Family<'_> {
    match family {
        FontFamily::Serif => Family::Serif,
        FontFamily::SansSerif => Family::SansSerif,
        FontFamily::Cursive => Family::Cursive,
        FontFamily::Fantasy => Family::Fantasy,
        FontFamily::Monospace => Family::Monospace,
        FontFamily::Named(name) => Family::Name(name),
    }
}

/// A family of the kind that the first name stands for.
fn substitute(families: &[FontFamily]) -> Family<'static> {
    let name = families.first().map(ToString::to_string).unwrap_or_default().to_lowercase();
    let like = |names: &[&str]| names.iter().any(|part| name.contains(part));
    if like(&["mono", "courier", "consol", "menlo", "code"]) {
        Family::Monospace
    } else if like(&["times", "georgia", "garamond", "palatino", "cambria", "minion", "baskerville"]) {
        Family::Serif
    } else {
        Family::SansSerif
    }
}

/// Fonts that are to be looked at only when no better one has the character.
fn worse(c: char, used: &[ID], fonts: &Arc<Database>) -> Vec<ID> {
    let weight = used.first().and_then(|&id| fonts.face(id)).map(|face| face.weight);
    let emoji = u32::from(c) >= 0x1_f000 && u32::from(c) < 0x2_0000;
    let good = fonts.faces().filter(|face| {
        let named = |start: &str| face.families.iter().any(|(name, _)| name.starts_with(start));
        let plain = face.style == Style::Normal && face.stretch == Stretch::Normal;
        if emoji { named(EMOJI) } else { named(SANS) && plain && Some(face.weight) == weight }
    });
    let good: Vec<ID> = good.map(|face| face.id).collect();
    fonts.faces().map(|face| face.id).filter(|id| !good.contains(id)).collect()
}
