//! Lines of shaped glyphs, in canvas units from the clip's left top corner.
//!
//! Paragraphs are laid out one by one, because the base direction is taken once per layout. Baselines follow the font
//! size alone, as in Fabric.js: a line that holds another script or an emoji is no higher than its neighbours.

use super::family::Wish;
use super::script::{Region, Scripts, script_of};
use super::{Fonts, MissingGlyph, emoji};
use compere_scene::{Align, Text};
use parley::{
    Alignment, AlignmentOptions, BaseDirection, FontData, FontFamily, FontFamilyName, FontStyle, FontWeight, Layout,
    Line as ParleyLine, OverflowWrap, PositionedLayoutItem, StyleProperty, WordBreak,
};
use std::borrow::Cow;

/// How far below the top of its line a baseline is, in font sizes.
pub const ASCENT: f64 = 0.88;

#[derive(Debug)]
pub struct Lines {
    pub lines: Vec<TextLine>,
    pub missing: Vec<MissingGlyph>,
}

#[derive(Debug)]
pub struct TextLine {
    /// The extent of what is visible, spaces at the end not counted. Equal when nothing is.
    pub left: f64,
    pub right: f64,
    pub baseline: f64,
    pub runs: Vec<Run>,
}

/// Glyphs of one font.
#[derive(Debug)]
pub struct Run {
    pub font: FontData,
    pub coords: Vec<i16>,
    pub size: f64,
    /// Degrees by which upright letters are slanted, for want of an italic.
    pub skew: Option<f64>,
    /// Whether strokes are thickened, for want of a bold.
    pub embolden: bool,
    pub glyphs: Vec<Glyph>,
}

#[derive(Clone, Copy, Debug)]
pub struct Glyph {
    pub id: u32,
    pub x: f64,
    /// Down from the top of the clip.
    pub y: f64,
}

/// Breaks `text` into lines no wider than `width`.
pub fn lines(text: &Text, width: f64, fonts: &Fonts) -> Lines {
    let wish = Wish::of(&text.family, fonts);
    let region = Region::of(&text.text);
    let mut out = Lines { lines: Vec::new(), missing: Vec::new() };
    for paragraph in paragraphs(&text.text) {
        if paragraph.trim().is_empty() {
            let baseline = baseline(text, out.lines.len());
            out.lines.push(TextLine { left: 0.0, right: 0.0, baseline, runs: Vec::new() });
            continue;
        }
        let layout = layout(paragraph, text, width, &wish, region, fonts);
        for line in layout.lines() {
            let baseline = baseline(text, out.lines.len());
            out.lines.push(positioned(&line, baseline, layout.is_rtl()));
            find_missing(&line, paragraph, &mut out.missing);
        }
    }
    out
}

fn baseline(text: &Text, line: usize) -> f64 {
    text.size * (ASCENT + line as f64 * text.line_height)
}

fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '\u{2028}', '\u{2029}']).map(|line| line.trim_end_matches('\r'))
}

fn layout(paragraph: &str, text: &Text, width: f64, wish: &Wish, region: Region, fonts: &Fonts) -> Layout<()> {
    let scripts = Scripts::of(paragraph);
    let stack = wish.stack(&scripts, region, fonts);
    let weight = wish.weight.filter(|_| text.weight == 400).unwrap_or(text.weight);
    let style = if text.italic || wish.is_italic { FontStyle::Italic } else { FontStyle::Normal };
    fonts.with_bench(|bench| {
        let mut builder = bench.layouts.ranged_builder(&mut bench.fonts, paragraph, 1.0, false);
        builder.set_base_direction(BaseDirection::Auto);
        builder.push_default(StyleProperty::FontFamily(family(&stack)));
        builder.push_default(StyleProperty::FontSize(text.size as f32));
        builder.push_default(StyleProperty::FontWeight(FontWeight::new(f32::from(weight))));
        builder.push_default(StyleProperty::FontStyle(style));
        builder.push_default(StyleProperty::OverflowWrap(OverflowWrap::Anywhere));
        if scripts.has_hangul() {
            // Korean has spaces and is read more easily when lines end at them.
            builder.push_default(StyleProperty::WordBreak(WordBreak::KeepAll));
        }
        if let Some(pictures) = fonts.installed("Noto Color Emoji") {
            let with_pictures: Vec<String> = std::iter::once(pictures.to_owned()).chain(stack.clone()).collect();
            for range in emoji::ranges(paragraph) {
                builder.push(StyleProperty::FontFamily(family(&with_pictures)), range.clone());
                // There are no slanted or bold pictures to look for.
                builder.push(StyleProperty::FontStyle(FontStyle::Normal), range.clone());
                builder.push(StyleProperty::FontWeight(FontWeight::NORMAL), range);
            }
        }
        let mut layout = builder.build(paragraph);
        layout.break_all_lines(Some(width as f32));
        let options = AlignmentOptions { align_when_overflowing: true, ..AlignmentOptions::default() };
        layout.align(alignment(text.align), options);
        layout
    })
}

fn family(names: &[String]) -> FontFamily<'_> {
    FontFamily::List(Cow::Owned(names.iter().map(|name| FontFamilyName::named(name)).collect()))
}

fn alignment(align: Align) -> Alignment {
    match align {
        Align::Left => Alignment::Left,
        Align::Center => Alignment::Center,
        Align::Right => Alignment::Right,
        Align::Justify => Alignment::Justify,
    }
}

/// `is_rtl` is the paragraph's: its spaces at the end then hang out on the left.
fn positioned(line: &ParleyLine<'_, ()>, baseline: f64, is_rtl: bool) -> TextLine {
    let mut runs = Vec::new();
    let (mut left, mut right) = (f64::MAX, f64::MIN);
    for item in line.items() {
        let PositionedLayoutItem::GlyphRun(run) = item else { continue };
        left = left.min(f64::from(run.offset()));
        right = right.max(f64::from(run.offset() + run.advance()));
        let mut pen = f64::from(run.offset());
        let glyphs = run.glyphs().map(|glyph| {
            let at = Glyph { id: glyph.id, x: pen + f64::from(glyph.x), y: baseline + f64::from(glyph.y) };
            pen += f64::from(glyph.advance);
            at
        });
        let synthesis = run.run().synthesis();
        runs.push(Run {
            glyphs: glyphs.collect(),
            font: run.run().font().clone(),
            coords: run.run().normalized_coords().iter().map(|coord| coord.to_bits()).collect(),
            size: f64::from(run.run().font_size()),
            skew: synthesis.skew().map(f64::from),
            embolden: synthesis.embolden(),
        });
    }
    if left > right {
        (left, right) = (0.0, 0.0);
    }
    let hanging = f64::from(line.metrics().hanging_advance);
    if is_rtl {
        left += hanging;
    } else {
        right -= hanging;
    }
    TextLine { left, right: right.max(left), baseline, runs }
}

fn find_missing(line: &ParleyLine<'_, ()>, paragraph: &str, missing: &mut Vec<MissingGlyph>) {
    for cluster in line.runs().flat_map(|run| run.clusters().collect::<Vec<_>>()) {
        let written = &paragraph[cluster.text_range()];
        let is_visible = written.chars().any(|c| !c.is_whitespace() && !c.is_control() && !is_ignorable(c));
        if is_visible && cluster.glyphs().any(|glyph| glyph.id == 0) {
            let glyph = MissingGlyph { cluster: written.to_owned(), script: script_of(written) };
            if !missing.contains(&glyph) {
                missing.push(glyph);
            }
        }
    }
}

/// Shown by nobody: joiners, direction marks, variation selectors, tags.
fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}')
}
