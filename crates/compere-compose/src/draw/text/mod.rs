//! Text: shaped, wrapped in the clip's width, and drawn with everything authors may hang on it.
//!
//! The order of painting is background, shadow, stroke, letters: the stroke is centred on the outline like Fabric's,
//! but lies behind, so thick strokes surround letters instead of eating them. What is higher than the clip goes on
//! below it. "left" is the left, also for Arabic and Hebrew.

mod emoji;
mod family;
mod fonts;
mod glyph;
mod layout;
mod script;

pub use family::{asks_for, same_family};
pub use fonts::{FontError, Fonts, OwnFont};

use super::paint::{self, Step};
use super::raster::Mask;
use super::shape::{reach, shadow_of};
use super::{Drawn, placed};
use compere_media::{Rect, Rgb};
use compere_scene::{Place, Text};
use glyph::Ink;
use kurbo::{BezPath, Shape as _};
use layout::{ASCENT, Lines};

/// A cluster of characters that no font can show. Nothing is drawn in its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MissingGlyph {
    pub cluster: String,
    /// The script's English name in Unicode, "Common" for signs that belong to none.
    pub script: &'static str,
}

impl std::fmt::Display for MissingGlyph {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let codes: Vec<String> = self.cluster.chars().map(|c| format!("U+{:04X}", u32::from(c))).collect();
        write!(f, "no font shows \u{201c}{}\u{201d} ({}, script {})", self.cluster, codes.join(" "), self.script)
    }
}

/// Draws `text` into its place. `scale` is output pixels per canvas unit.
pub fn text(fonts: &Fonts, text: &Text, place: &Place, scale: f64, window: Rect) -> (Option<Drawn>, Vec<MissingGlyph>) {
    if !(text.size > 0.0 && place.width > 0.0) || text.text.trim().is_empty() {
        return (None, Vec::new());
    }
    let lines = layout::lines(text, place.width, fonts);
    let map = placed(place, scale);
    let clip = window.grown(text.shadow.as_ref().map_or(0, |shadow| reach(shadow, scale)));
    let mut ink = Ink::of(&lines, map, text.stroke.as_ref(), clip);
    for (color, bars) in underlines(&lines, text) {
        ink.add_letters(color, Mask::of(&(map * bars), clip));
    }
    let mut steps = Vec::new();
    if let Some(color) = text.background {
        steps.extend(Mask::of(&(map * backgrounds(&lines, text)), window).map(|mask| Step::Color(mask, color)));
    }
    if let Some(shadow) = &text.shadow {
        steps.extend(shadow_of(ink.silhouette().iter(), shadow, scale, window));
    }
    steps.extend(ink.stroke.zip(text.stroke.as_ref()).map(|(mask, stroke)| Step::Color(mask, stroke.color)));
    steps.extend(ink.letters.into_iter().map(|(color, mask)| Step::Color(mask, color)));
    steps.extend(ink.pictures.into_iter().map(Step::Pixels));
    (paint::flatten(&steps, window), lines.missing)
}

/// Bars a fifteenth of the size thick, as Fabric's: one to a line, or one to each stretch that has one.
fn underlines(lines: &Lines, text: &Text) -> Vec<(Rgb, BezPath)> {
    let bar = |left: f64, right: f64, baseline: f64| {
        let top = baseline + text.size * 0.11;
        kurbo::Rect::new(left, top, right, top + text.size / 15.0).to_path(0.1)
    };
    let seen = lines.lines.iter().filter(|line| line.right > line.left);
    if text.runs.is_empty() {
        let bars = seen.filter(|_| text.underline).flat_map(|line| bar(line.left, line.right, line.baseline));
        return vec![(text.color, bars.collect())];
    }
    let runs = seen.flat_map(|line| line.runs.iter().filter(|run| run.underline).map(move |run| (line, run)));
    // Spaces at the end of a line hang out of it, and have none.
    let within = runs.map(|(line, run)| (run, run.left.max(line.left), run.right.min(line.right)));
    within
        .filter(|(_, left, right)| right > left)
        .map(|(run, left, right)| (run.color, bar(left, right, run.baseline)))
        .collect()
}

/// One rectangle behind each line, high enough for ascenders and descenders and joined to its neighbours.
fn backgrounds(lines: &Lines, text: &Text) -> BezPath {
    const ABOVE: f64 = 1.0;
    const BELOW: f64 = 0.3;
    const BESIDE: f64 = 0.16;
    let spare = (text.line_height - ABOVE - BELOW).max(0.0) * text.size / 2.0;
    let mut path = BezPath::new();
    for line in lines.lines.iter().filter(|line| line.right > line.left) {
        let side = text.size * BESIDE;
        let (top, bottom) = (line.baseline - text.size * ABOVE - spare, line.baseline + text.size * BELOW + spare);
        path.extend(kurbo::Rect::new(line.left - side, top, line.right + side, bottom).path_elements(0.1));
    }
    path
}

const _: () = assert!(ASCENT < 1.0, "the background begins above the first line's ascent");
