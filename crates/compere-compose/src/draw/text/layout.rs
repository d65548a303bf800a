//! Lines of shaped glyphs, in canvas units from the clip's left top corner.
//!
//! Paragraphs are laid out one by one, because the base direction is taken once per layout. Baselines follow the font
//! size alone, as in Fabric.js: a line that holds another script or an emoji is no higher than its neighbours.

use super::family::Wish;
use super::script::{Region, Scripts, script_of};
use super::{Fonts, MissingGlyph, emoji};
use compere_media::Rgb;
use compere_scene::{Align, Text, TextRun};
use parley::{
    Alignment, AlignmentOptions, BaseDirection, FontData, FontFamily, FontFamilyName, FontStyle, FontWeight, Layout,
    Line as ParleyLine, OverflowWrap, PositionedLayoutItem, StyleProperty, WordBreak,
};
use std::borrow::Cow;
use std::ops::Range;

/// How far below the top of its line a baseline is, in font sizes.
pub const ASCENT: f64 = 0.88;

const BREAKS: [char; 3] = ['\n', '\u{2028}', '\u{2029}'];

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

/// Glyphs of one font and one look.
#[derive(Debug)]
pub struct Run {
    pub color: Rgb,
    pub underline: bool,
    pub left: f64,
    pub right: f64,
    pub baseline: f64,
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
    for (start, paragraph) in paragraphs(&text.text) {
        if paragraph.trim().is_empty() {
            let baseline = baseline(text, out.lines.len());
            out.lines.push(TextLine { left: 0.0, right: 0.0, baseline, runs: Vec::new() });
            continue;
        }
        let layout = layout(paragraph, &within(text, start, paragraph), text, width, &wish, region, fonts);
        for line in layout.lines() {
            let baseline = baseline(text, out.lines.len());
            out.lines.push(positioned(&line, text, baseline, layout.is_rtl()));
            find_missing(&line, paragraph, &mut out.missing);
        }
    }
    out
}

fn baseline(text: &Text, line: usize) -> f64 {
    text.size * (ASCENT + line as f64 * text.line_height)
}

/// Each with where it begins.
fn paragraphs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 0;
    text.split_inclusive(BREAKS).chain(text.ends_with(BREAKS).then_some("")).map(move |line| {
        let start = next;
        next += line.len();
        (start, line.trim_end_matches(BREAKS).trim_end_matches('\r'))
    })
}

/// A stretch of a paragraph with looks of its own: which of the text's it is, what it takes up.
struct Stretch<'a> {
    which: usize,
    range: Range<usize>,
    run: &'a TextRun,
}

/// What of a paragraph that begins at `start` looks otherwise.
fn within<'a>(text: &'a Text, start: usize, paragraph: &str) -> Vec<Stretch<'a>> {
    let runs = text.runs.iter().enumerate();
    let cut = runs.map(|(which, run)| {
        let place = |at: usize| at.saturating_sub(start).min(paragraph.len());
        Stretch { which, range: place(run.range.start)..place(run.range.end), run }
    });
    cut.filter(|stretch| !stretch.range.is_empty()).collect()
}

/// The brush of letters that look as all of the text; those of stretches are counted on from there.
const PLAIN: usize = 0;

fn layout(
    paragraph: &str,
    stretches: &[Stretch<'_>],
    text: &Text,
    width: f64,
    wish: &Wish,
    region: Region,
    fonts: &Fonts,
) -> Layout<usize> {
    let scripts = Scripts::of(paragraph);
    let stack = wish.stack(&scripts, region, fonts);
    let wishes: Vec<_> = stretches.iter().map(|stretch| Wish::of(&stretch.run.family, fonts)).collect();
    let stacks: Vec<_> = wishes.iter().map(|wish| wish.stack(&scripts, region, fonts)).collect();
    fonts.with_bench(|bench| {
        let mut builder = bench.layouts.ranged_builder(&mut bench.fonts, paragraph, 1.0, false);
        builder.set_base_direction(BaseDirection::Auto);
        builder.push_default(StyleProperty::Brush(PLAIN));
        builder.push_default(StyleProperty::FontFamily(family(&stack)));
        builder.push_default(StyleProperty::FontSize(text.size as f32));
        builder.push_default(StyleProperty::FontWeight(weight(wish, text.weight)));
        builder.push_default(StyleProperty::FontStyle(slope(wish, text.italic)));
        builder.push_default(StyleProperty::OverflowWrap(OverflowWrap::Anywhere));
        if scripts.has_hangul() {
            // Korean has spaces and is read more easily when lines end at them.
            builder.push_default(StyleProperty::WordBreak(WordBreak::KeepAll));
        }
        for ((stretch, wish), stack) in stretches.iter().zip(&wishes).zip(&stacks) {
            let (run, range) = (stretch.run, || stretch.range.clone());
            builder.push(StyleProperty::Brush(stretch.which + 1), range());
            builder.push(StyleProperty::FontFamily(family(stack)), range());
            builder.push(StyleProperty::FontSize((text.size * run.scale) as f32), range());
            builder.push(StyleProperty::FontWeight(weight(wish, run.weight)), range());
            builder.push(StyleProperty::FontStyle(slope(wish, run.italic)), range());
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

/// A family may be named with its weight and slope; a weight that is asked for goes before.
fn weight(wish: &Wish, asked: u16) -> FontWeight {
    FontWeight::new(f32::from(wish.weight.filter(|_| asked == 400).unwrap_or(asked)))
}

fn slope(wish: &Wish, italic: bool) -> FontStyle {
    if italic || wish.is_italic { FontStyle::Italic } else { FontStyle::Normal }
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
fn positioned(line: &ParleyLine<'_, usize>, text: &Text, baseline: f64, is_rtl: bool) -> TextLine {
    let mut runs = Vec::new();
    let (mut left, mut right) = (f64::MAX, f64::MIN);
    for item in line.items() {
        let PositionedLayoutItem::GlyphRun(run) = item else { continue };
        left = left.min(f64::from(run.offset()));
        right = right.max(f64::from(run.offset() + run.advance()));
        let own = run.style().brush.checked_sub(PLAIN + 1).and_then(|which| text.runs.get(which));
        let on = baseline - own.map_or(0.0, |own| own.raise * text.size);
        let mut pen = f64::from(run.offset());
        let glyphs = run.glyphs().map(|glyph| {
            let at = Glyph { id: glyph.id, x: pen + f64::from(glyph.x), y: on + f64::from(glyph.y) };
            pen += f64::from(glyph.advance);
            at
        });
        let synthesis = run.run().synthesis();
        runs.push(Run {
            color: own.map_or(text.color, |own| own.color),
            underline: own.map_or(text.underline, |own| own.underline),
            left: f64::from(run.offset()),
            right: f64::from(run.offset() + run.advance()),
            baseline: on,
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

fn find_missing(line: &ParleyLine<'_, usize>, paragraph: &str, missing: &mut Vec<MissingGlyph>) {
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
