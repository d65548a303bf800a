//! A text of a slide as a clip: which font, how large, where and in which colour, so that what is drawn lies on what
//! LibreOffice drew.
//!
//! The deck says most of it. What it cannot say exactly is measured: fonts stand in for others, texts shrink to fit
//! their box, and every program has an opinion about where the first line begins.

use compere_compose::draw::{self, Drawn, Fonts};
use compere_media::{Rect, Rgb};
use compere_scene::{Align, Place, Text, TextRun};

use super::canvas::{Ink, UNKNOWN, shift};
use super::place::{Block, around};
use crate::deck::{TextClip, TextStretch};
use crate::inside::bare::Style;
use crate::picture::Picture;

/// How much of the ink may lie beside the slide's. Letters of another font have more than half of it there; the same
/// letters, drawn by another program, a tenth.
const ALIKE: f32 = 0.30;
/// The same where letters have drifted: every program rounds the steps from letter to letter and from line to line in its
/// own way. Seen so softly that a shift by a sixteenth of the size counts little, as much may differ.
const DRIFTED: f32 = 0.65;
const SOFTLY: f32 = 0.22;
/// How small LibreOffice draws letters that are raised or lowered.
const SMALL: f64 = 0.58;
/// A text whose ink is fainter than this cannot be told from its ground.
const FAINT: u8 = 20;

/// A text and where it is drawn, in canvas units.
#[derive(Clone, Debug)]
pub(crate) struct Laid {
    pub(crate) text: Text,
    pub(crate) place: Place,
    pub(crate) drawn: Drawn,
}

impl Laid {
    pub(crate) fn clip(&self) -> TextClip {
        let Text { text, color, size, family, align, weight, italic, underline, line_height, .. } = &self.text;
        let align = match align {
            Align::Left => "left",
            Align::Center => "center",
            Align::Right => "right",
            Align::Justify => "justify",
        };
        TextClip {
            text: text.clone(),
            points: size * 0.75,
            family: family.clone(),
            bold: *weight >= 600,
            italic: *italic,
            underline: *underline,
            align,
            colour: [color.r, color.g, color.b],
            line_height: *line_height,
            runs: self.stretches(),
        }
    }

    /// Those of the text, and what lies between them.
    fn stretches(&self) -> Vec<TextStretch> {
        let text = &self.text;
        if text.runs.is_empty() {
            return vec![];
        }
        let plain = |end: usize| TextRun {
            range: end..end,
            color: text.color,
            family: text.family.clone(),
            weight: text.weight,
            italic: text.italic,
            underline: text.underline,
            scale: 1.0,
            raise: 0.0,
        };
        let (mut found, mut at) = (Vec::new(), 0);
        for run in text.runs.iter().cloned().chain([plain(text.text.len())]) {
            let between = TextRun { range: at..run.range.start, ..plain(0) };
            at = run.range.end;
            found.extend([between, run].iter().filter(|run| !run.range.is_empty()).map(|run| TextStretch {
                text: text.text[run.range.clone()].to_owned(),
                family: run.family.clone(),
                bold: run.weight >= 600,
                italic: run.italic,
                underline: run.underline,
                colour: [run.color.r, run.color.g, run.color.b],
                raise: run.raise,
                scale: run.scale,
            }));
        }
        found
    }
}

/// The colours of a text, that of most of it first.
fn colours(text: &Text) -> Vec<Rgb> {
    let mut all = vec![text.color];
    for run in &text.runs {
        if !all.contains(&run.color) {
            all.push(run.color);
        }
    }
    all
}

/// The text with each of its colours made another.
fn recoloured(text: &Text, colour: impl Fn(Rgb) -> Rgb) -> Text {
    let mut text = Text { color: colour(text.color), ..text.clone() };
    text.runs.iter_mut().for_each(|run| run.color = colour(run.color));
    text
}

/// The letters of one colour.
fn only(text: &Text, colour: Rgb) -> Text {
    recoloured(text, |own| if own == colour { own } else { Rgb::TRANSPARENT })
}

/// How a text may have been drawn.
#[derive(Clone, Copy)]
struct Look<'a> {
    family: &'a str,
    bold: bool,
}

/// What a text is laid on.
pub(crate) struct Page<'a> {
    pub(crate) fonts: &'a Fonts,
    /// The slide without the text, and with it, a pixel for a canvas unit.
    pub(crate) ground: &'a Picture,
    pub(crate) whole: &'a Picture,
    /// Canvas units in a point of the slide.
    pub(crate) scale: f64,
    /// The family that stretches have which the deck writes in this one.
    pub(crate) family: &'a dyn Fn(&str) -> String,
}

impl Page<'_> {
    /// The text in the first of these families that lies on the slide's, or in the best of them; or why none does.
    pub(crate) fn lay(&self, block: &Block<'_>, column: (f64, f64), families: &[String]) -> Result<Laid, &'static str> {
        let rect = around(block.bounds(), 5.0).intersect(self.ground.bounds());
        if rect.is_empty() {
            return Err("texts beyond the edge");
        }
        let wanted = self.rough(rect).ok_or("texts that are hardly seen")?;
        let mut best: Option<(f32, Laid)> = None;
        let bold = block.paragraphs[0].style.bold;
        let weights = if block.paragraphs[0].maybe_bold { &[bold, !bold][..] } else { &[bold][..] };
        let looks = families.iter().flat_map(|family| weights.iter().map(move |bold| Look { family, bold: *bold }));
        for look in looks {
            for (score, laid) in self.tries(block, column, look, &wanted) {
                // An own line break is worse to edit; what was tried first is preferred.
                let better = best.as_ref().is_none_or(|(known, _)| score < known - 0.03);
                if better {
                    best = Some((score, laid));
                }
            }
            if best.as_ref().is_some_and(|(score, _)| *score < ALIKE / 2.0) {
                break;
            }
        }
        match best {
            Some((score, laid)) if score < ALIKE || (score < DRIFTED && self.softly(rect, &laid) < SOFTLY) => Ok(laid),
            Some(_) => Err("texts that Compere's letters do not lie on exactly"),
            None => Err("letters that no font of Compere has"),
        }
    }

    /// How far the ink is from the slide's, seen softly.
    fn softly(&self, rect: Rect, laid: &Laid) -> f32 {
        let reach = (laid.text.size / 16.0).round().clamp(1.0, 8.0) as usize;
        let (wanted, drawn) = (self.exact(rect, &laid.text, &laid.place), Ink::of_drawn(rect, &laid.drawn));
        wanted.soft(reach).differs(&drawn.soft(reach))
    }

    fn tries(&self, block: &Block<'_>, column: (f64, f64), look: Look<'_>, wanted: &Ink) -> Vec<(f32, Laid)> {
        let size = block.paragraphs[0].style.size * self.scale;
        let mut found = Vec::new();
        let wrapped = self.text(block, block.text(), look, size);
        found.extend(self.fitted(block, wrapped, column, wanted));
        if found.last().is_some_and(|(score, _)| *score < ALIKE * 0.7) {
            return found;
        }
        let broken = self.text(block, block.broken(), look, size);
        let Some(first) = self.fitted(block, broken.clone(), column, wanted) else { return found };
        // Texts shrink to fit their box.
        let (is, should) = (Ink::of_drawn(wanted.rect, &first.1.drawn).width(), wanted.width());
        let ratio = f64::from(should / is.max(1.0));
        found.push(first);
        if (0.3..1.05).contains(&ratio) && (ratio - 1.0).abs() > 0.004 {
            let wrapped = Text { size: size * ratio, ..self.text(block, block.text(), look, size) };
            let broken = Text { size: size * ratio, ..broken };
            for text in [wrapped, broken] {
                let line_height = block.pitch.map_or(text.line_height, |pitch| (pitch / text.size).clamp(0.5, 5.0));
                found.extend(self.fitted(block, Text { line_height, ..text }, column, wanted));
            }
        }
        found
    }

    fn text(&self, block: &Block<'_>, text: String, look: Look<'_>, size: f64) -> Text {
        let style = &block.paragraphs[0].style;
        let align = match style.align.as_str() {
            "center" => Align::Center,
            "right" => Align::Right,
            "justify" => Align::Justify,
            _ => Align::Left,
        };
        let runs = self.runs(block, &text, look);
        Text {
            text,
            color: Rgb::opaque(0, 0, 0),
            size,
            family: look.family.to_owned(),
            align,
            weight: if look.bold { 700 } else { 400 },
            italic: style.italic,
            underline: style.underline,
            stroke: None,
            background: None,
            shadow: None,
            line_height: block.pitch.map_or(1.2, |pitch| (pitch / size).clamp(0.5, 5.0)),
            runs,
        }
    }

    /// Stretches in colours that stand for those of the deck until they are measured.
    fn runs(&self, block: &Block<'_>, text: &str, look: Look<'_>) -> Vec<TextRun> {
        let usual = &block.paragraphs[0].style;
        let stretches = block.stretches(text);
        let mut known = vec![usual.colour.as_str()];
        for (_, style) in &stretches {
            if !known.contains(&style.colour.as_str()) {
                known.push(&style.colour);
            }
        }
        let run = |(range, style): (std::ops::Range<usize>, &Style)| {
            let which = known.iter().position(|colour| *colour == style.colour).unwrap_or(0);
            let small = if style.raise == 0.0 { 1.0 } else { SMALL };
            TextRun {
                range,
                color: Rgb::opaque(0, (which / 250) as u8, (which % 250) as u8),
                family: if style.family == usual.family {
                    look.family.to_owned()
                } else {
                    (self.family)(&style.family)
                },
                weight: if (style.bold == usual.bold && look.bold) || style.bold { 700 } else { 400 },
                italic: style.italic,
                underline: style.underline,
                scale: (small * style.size / usual.size).clamp(0.1, 5.0),
                raise: style.raise,
            }
        };
        stretches.iter().cloned().map(run).collect()
    }

    /// Moved until it lies best, and coloured as the slide is there.
    fn fitted(
        &self,
        block: &Block<'_>,
        mut text: Text,
        (left, right): (f64, f64),
        wanted: &Ink,
    ) -> Option<(f32, Laid)> {
        let [x0, y0, x1, _] = block.bounds();
        let widest = x1 - x0;
        let width = (right - left).max(widest) + 1.0;
        let left = match text.align {
            Align::Left | Align::Justify => x0,
            Align::Center => f64::midpoint(left, right) - width / 2.0,
            Align::Right => right - width,
        };
        let width = if text.align == Align::Left { (right - x0).max(widest) + 1.0 } else { width };
        let lines = block.rows.len() as f64;
        let height = text.size * (1.3 + (lines - 1.0) * text.line_height);
        let mut place = Place { left, top: y0 + 0.07 * text.size, width, height, angle: 0.0 };
        let window = wanted.rect.grown((text.size * 1.2).min(400.0) as i32);
        let ink = Ink::of_drawn(window, &self.draw(&text, &place, window)?);
        let framed = Ink::of(window, |x, y| at(wanted, x, y));
        let reach = (text.size.min(400.0)) as i32;
        place.top += f64::from(shift(&framed.rows(), &ink.rows(), reach));
        place.left += f64::from(shift(&framed.columns(), &ink.columns(), reach / 2));
        text = self.coloured(&text, &place, wanted.rect)?;
        let wanted = self.exact(wanted.rect, &text, &place);
        let score = |place: &Place| {
            let drawn = self.draw(&text, place, wanted.rect)?;
            Some((wanted.differs(&Ink::of_drawn(wanted.rect, &drawn)), drawn))
        };
        let (mut best, mut drawn) = score(&place)?;
        for step in [1.0, 0.5, 0.25] {
            let mut moved = true;
            let mut rounds = 0;
            while moved && rounds < 4 {
                (moved, rounds) = (false, rounds + 1);
                for (dx, dy) in [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)] {
                    let next = Place { left: place.left + dx, top: place.top + dy, ..place };
                    if let Some((found, picture)) = score(&next)
                        && found < best
                    {
                        (best, drawn, place, moved) = (found, picture, next, true);
                    }
                }
            }
        }
        Some((best, Laid { text, place, drawn }))
    }

    /// In the colours that the slide has where it stands.
    fn coloured(&self, text: &Text, place: &Place, rect: Rect) -> Option<Text> {
        let measured = |colour: Rgb| {
            let drawn = self.draw(&only(text, colour), place, rect)?;
            self.colour(rect, &Ink::of_drawn(rect, &drawn))
        };
        let usual = measured(text.color)?;
        let found: Vec<(Rgb, Rgb)> =
            colours(text).into_iter().skip(1).map(|colour| (colour, measured(colour).unwrap_or(usual))).collect();
        Some(recoloured(text, |own| found.iter().find(|(known, _)| *known == own).map_or(usual, |(_, colour)| *colour)))
    }

    /// Nothing when a letter has no picture.
    fn draw(&self, text: &Text, place: &Place, window: Rect) -> Option<Drawn> {
        let window = window.intersect(self.ground.bounds());
        let (drawn, missing) = draw::text(self.fonts, text, place, 1.0, window);
        drawn.filter(|_| missing.is_empty())
    }

    /// What differs, as a share of what differs most.
    fn rough(&self, rect: Rect) -> Option<Ink> {
        let differs = |x: i32, y: i32| {
            let (a, b) = (self.whole.at(x as u32, y as u32), self.ground.at(x as u32, y as u32));
            a.iter().zip(b).map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0)
        };
        let ink = Ink::of(rect, |x, y| f32::from(differs(x, y)));
        let mut sorted = ink.share.clone();
        sorted.sort_by(f32::total_cmp);
        let most = sorted.get(sorted.len() * 99 / 100).copied().unwrap_or(0.0);
        if most < f32::from(FAINT) {
            return None;
        }
        Some(Ink { rect, share: ink.share.iter().map(|share| (share / most).min(1.0)).collect() })
    }

    /// The middle of the colours where letters cover all of a pixel.
    fn colour(&self, rect: Rect, ink: &Ink) -> Option<Rgb> {
        let most = ink.share.iter().copied().fold(0.0, f32::max);
        let width = (rect.width() as usize).max(1);
        let inner: Vec<[u8; 3]> = (0..ink.share.len())
            .filter(|&at| ink.share[at] >= most * 0.97)
            .map(|at| self.whole.at(rect.x0 as u32 + (at % width) as u32, rect.y0 as u32 + (at / width) as u32))
            .collect();
        if most < 0.3 || inner.is_empty() {
            return None;
        }
        let middle = |c: usize| {
            let mut values: Vec<u8> = inner.iter().map(|pixel| pixel[c]).collect();
            values.sort_unstable();
            values[values.len() / 2]
        };
        Some(Rgb::opaque(middle(0), middle(1), middle(2)))
    }

    /// How far each pixel is from the ground to the colour of the letters next to it.
    fn exact(&self, rect: Rect, text: &Text, place: &Place) -> Ink {
        let reach = (text.size / 4.0).clamp(2.0, 24.0) as usize;
        let near = |colour: Rgb| {
            let drawn = self.draw(&only(text, colour), place, rect);
            drawn.map(|drawn| Ink::of_drawn(rect, &drawn).soft(reach))
        };
        let all = colours(text);
        let mut exact = self.toward(rect, all[0]);
        let Some(mut nearest) = (if all.len() > 1 { near(all[0]) } else { None }) else { return exact };
        for colour in all.into_iter().skip(1) {
            let Some(soft) = near(colour) else { continue };
            let own = self.toward(rect, colour);
            for at in 0..exact.share.len() {
                if soft.share[at] > nearest.share[at] {
                    (nearest.share[at], exact.share[at]) = (soft.share[at], own.share[at]);
                }
            }
        }
        exact
    }

    /// How far each pixel is from the ground to a colour. On photographs and patterns some of the ground has the letters'
    /// colour already; nothing is known there.
    fn toward(&self, rect: Rect, colour: Rgb) -> Ink {
        let colour = [colour.r, colour.g, colour.b].map(f32::from);
        let apart = |x: i32, y: i32| {
            let ground = self.ground.at(x as u32, y as u32);
            (0..3).map(|c| (colour[c] - f32::from(ground[c])).powi(2)).sum::<f32>()
        };
        let most = Ink::of(rect, apart).share.into_iter().fold(0.0, f32::max);
        let least = f32::max(most / 16.0, 100.0);
        Ink::of(rect, |x, y| {
            let (whole, ground) = (self.whole.at(x as u32, y as u32), self.ground.at(x as u32, y as u32));
            let (mut along, mut length) = (0.0, 0.0);
            for c in 0..3 {
                let way = colour[c] - f32::from(ground[c]);
                along += way * (f32::from(whole[c]) - f32::from(ground[c]));
                length += way * way;
            }
            if length < least { UNKNOWN } else { (along / length).clamp(0.0, 1.0) }
        })
    }
}

fn at(ink: &Ink, x: i32, y: i32) -> f32 {
    let rect = ink.rect;
    if x < rect.x0 || x >= rect.x1 || y < rect.y0 || y >= rect.y1 {
        return 0.0;
    }
    ink.share[(y - rect.y0) as usize * rect.width() as usize + (x - rect.x0) as usize]
}
