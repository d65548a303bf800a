//! Where the words of a slide's text stand, line by line: what the deck says, found again on the page as it was drawn.

use compere_media::{Rect, math};
use compere_scene::Place;

use std::ops::Range;

use crate::inside::bare::{Area, Paragraph, Style};
use crate::page::{Page, Word};
use crate::picture::fitted;

/// From a page to the canvas.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Map {
    /// Canvas units in a point.
    pub(crate) scale: f64,
    offset: (f64, f64),
    /// Of the page, in canvas units.
    size: (f64, f64),
}

impl Map {
    pub(crate) fn of(page: &Page, canvas: (u32, u32)) -> Self {
        let twice = (canvas.0 * 2, canvas.1 * 2);
        let drawn = fitted(page.size, twice);
        let size = (f64::from(drawn.0) / 2.0, f64::from(drawn.1) / 2.0);
        let (x, y) = page.origin(drawn, twice, 2);
        Self { scale: size.0 / page.size.0, offset: (f64::from(x) / 2.0, f64::from(y) / 2.0), size }
    }

    /// Left, top, width, height.
    pub(crate) fn area(&self, area: &Area) -> [f64; 4] {
        let (width, height) = self.size;
        [self.offset.0 + area.left * width, self.offset.1 + area.top * height, area.width * width, area.height * height]
    }

    /// The page's width in canvas units.
    pub(crate) fn wide(&self) -> f64 {
        self.size.0
    }

    pub(crate) fn across(&self, fraction: f64) -> f64 {
        self.offset.0 + fraction * self.size.0
    }

    fn point(&self, x: f64, y: f64) -> (f64, f64) {
        (self.offset.0 + x * self.scale, self.offset.1 + y * self.scale)
    }

    pub(crate) fn word(&self, word: &Word) -> Row {
        let ((x0, y0), (x1, y1)) = (self.point(word.x.0, word.y.0), self.point(word.x.1, word.y.1));
        Row { x: (x0, x1), y: (y0, y1), text: word.text.clone() }
    }
}

/// Words beside each other, in canvas units.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) x: (f64, f64),
    pub(crate) y: (f64, f64),
    pub(crate) text: String,
}

impl Row {
    pub(crate) fn middle(&self) -> (f64, f64) {
        (f64::midpoint(self.x.0, self.x.1), f64::midpoint(self.y.0, self.y.1))
    }
}

/// Paragraphs that one clip says.
#[derive(Clone, Debug)]
pub(crate) struct Block<'a> {
    pub(crate) paragraphs: Vec<&'a Paragraph>,
    pub(crate) rows: Vec<Row>,
    /// From line to line; nothing when there is one.
    pub(crate) pitch: Option<f64>,
}

impl Block<'_> {
    pub(crate) fn text(&self) -> String {
        let texts: Vec<&str> = self.paragraphs.iter().map(|paragraph| paragraph.text.trim_end()).collect();
        texts.join("\n")
    }

    /// Which stretches of a text that says what the block says look otherwise than all of it. It may be broken otherwise.
    pub(crate) fn stretches(&self, text: &str) -> Vec<(Range<usize>, &Style)> {
        let runs = self.paragraphs.iter().flat_map(|paragraph| &paragraph.runs);
        let mut styles = runs.flat_map(|run| run.text.chars().filter(|c| is_letter(*c)).map(|_| &run.style));
        let usual = &self.paragraphs[0].style;
        let mut found: Vec<(Range<usize>, &Style)> = Vec::new();
        for (at, letter) in text.char_indices().filter(|(_, c)| is_letter(*c)) {
            let style = styles.next().unwrap_or(usual);
            match found.last_mut() {
                // With what is between them, spaces above all.
                Some((range, known)) if *known == style => range.end = at + letter.len_utf8(),
                _ => found.push((at..at + letter.len_utf8(), style)),
            }
        }
        found.retain(|(_, style)| *style != usual);
        found
    }

    /// The text broken as the slide breaks it.
    pub(crate) fn broken(&self) -> String {
        self.rows.iter().map(|row| row.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn bounds(&self) -> [f64; 4] {
        let fold =
            |from: f64, with: fn(f64, f64) -> f64, of: fn(&Row) -> f64| self.rows.iter().map(of).fold(from, with);
        [
            fold(f64::MAX, f64::min, |row| row.x.0),
            fold(f64::MAX, f64::min, |row| row.y.0),
            fold(f64::MIN, f64::max, |row| row.x.1),
            fold(f64::MIN, f64::max, |row| row.y.1),
        ]
    }
}

/// Left, top, right and bottom of what may be turned.
pub(crate) fn bounds(place: &Place) -> [f64; 4] {
    let (sin, cos) = math::sin_cos(place.angle.to_radians());
    let corner = |x: f64, y: f64| (place.left + x * cos - y * sin, place.top + x * sin + y * cos);
    let corners =
        [corner(0.0, 0.0), corner(place.width, 0.0), corner(0.0, place.height), corner(place.width, place.height)];
    let fold =
        |from: f64, with: fn(f64, f64) -> f64, of: fn(&(f64, f64)) -> f64| corners.iter().map(of).fold(from, with);
    [
        fold(f64::MAX, f64::min, |corner| corner.0),
        fold(f64::MAX, f64::min, |corner| corner.1),
        fold(f64::MIN, f64::max, |corner| corner.0),
        fold(f64::MIN, f64::max, |corner| corner.1),
    ]
}

/// Whole pixels around `[left, top, right, bottom]`.
pub(crate) fn around([left, top, right, bottom]: [f64; 4], by: f64) -> Rect {
    let whole = |value: f64| value.clamp(-1e6, 1e6) as i32;
    Rect::new(
        whole((left - by).floor()),
        whole((top - by).floor()),
        whole((right + by).ceil()),
        whole((bottom + by).ceil()),
    )
}

/// The rows of words inside an area, from its top down.
pub(crate) fn rows(words: impl Iterator<Item = Row>, area: [f64; 4], slack: f64) -> Vec<Vec<Row>> {
    let [left, top, width, height] = area;
    let near = |word: &Row| {
        let (x, y) = word.middle();
        x >= left - slack && x <= left + width + slack && y >= top - slack && y <= top + height + slack
    };
    let mut inside: Vec<Row> = words.filter(near).collect();
    inside.sort_by(|a, b| (a.y.0 + a.y.1).total_cmp(&(b.y.0 + b.y.1)));
    let mut rows: Vec<Vec<Row>> = Vec::new();
    for word in inside {
        match rows.last_mut() {
            Some(row) if row.iter().any(|known| beside(known, &word)) => row.push(word),
            _ => rows.push(vec![word]),
        }
    }
    rows.iter_mut().for_each(|row| row.sort_by(|a, b| a.x.0.total_cmp(&b.x.0)));
    rows
}

/// Whether two words are on one line: most of the lower one is as high as the other. Raised and lowered ones are.
fn beside(one: &Row, other: &Row) -> bool {
    let height = |row: &Row| row.y.1 - row.y.0;
    let shared = one.y.1.min(other.y.1) - one.y.0.max(other.y.0);
    shared > 0.68 * height(one).min(height(other))
}

/// Paragraphs with their lines, as far as the words say what the paragraphs say; nothing if they do not.
pub(crate) fn found<'a>(paragraphs: &'a [Paragraph], rows: Vec<Vec<Row>>) -> Option<Vec<Block<'a>>> {
    let mut words =
        rows.into_iter().enumerate().flat_map(|(at, row)| row.into_iter().map(move |word| (at, word))).peekable();
    let mut blocks = Vec::new();
    for paragraph in paragraphs {
        let wanted = bare(&paragraph.text);
        let mut rest = wanted.as_str();
        let mut lines: Vec<(usize, Row)> = Vec::new();
        // How many letters each has.
        let mut lengths: Vec<usize> = Vec::new();
        if paragraph.bullet && words.peek().is_some_and(|(_, word)| !rest.starts_with(&bare(&word.text))) {
            words.next();
        }
        while !rest.is_empty() {
            let (at, word) = words.next()?;
            let letters = bare(&word.text);
            rest = rest.strip_prefix(&letters)?;
            match (lines.last_mut(), lengths.last_mut()) {
                (Some((row, line)), Some(length)) if *row == at => {
                    *length += letters.chars().count();
                    line.x.1 = word.x.1;
                    if word.y.1 - word.y.0 > line.y.1 - line.y.0 {
                        line.y = word.y;
                    }
                }
                _ => {
                    lengths.push(letters.chars().count());
                    lines.push((at, word));
                }
            }
        }
        let mut rows: Vec<Row> = lines.into_iter().map(|(_, row)| row).collect();
        for (row, text) in rows.iter_mut().zip(lines_of(&paragraph.text, &lengths)) {
            text.clone_into(&mut row.text);
        }
        let pitch = pitch(&rows, paragraph.style.size)?;
        blocks.push(Block { paragraphs: vec![paragraph], rows, pitch });
    }
    Some(joined(blocks))
}

fn bare(text: &str) -> String {
    text.chars().filter(|c| is_letter(*c)).collect()
}

fn is_letter(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}')
}

/// A text cut into lines of so many letters, with the author's own spaces between words.
fn lines_of<'a>(text: &'a str, lengths: &[usize]) -> Vec<&'a str> {
    let mut letters = text.char_indices().filter(|(_, c)| is_letter(*c));
    let mut lines = Vec::new();
    for &length in lengths.iter().filter(|length| **length > 0) {
        let (Some(first), last) = (letters.next(), letters.by_ref().take(length - 1).last()) else { break };
        let (end, letter) = last.unwrap_or(first);
        lines.push(&text[first.0..end + letter.len_utf8()]);
    }
    lines
}

/// Nothing outside when the lines are not as far from each other.
#[expect(clippy::option_option, reason = "no pitch, and none that fits, are two things")]
fn pitch(rows: &[Row], size: f64) -> Option<Option<f64>> {
    let steps: Vec<f64> = rows.windows(2).map(|pair| pair[1].y.1 - pair[0].y.1).collect();
    let Some(&first) = steps.first() else { return Some(None) };
    let even = steps.iter().all(|step| (step - first).abs() < 0.06 * size);
    (even && first > 0.0).then_some(Some(steps.iter().sum::<f64>() / steps.len() as f64))
}

/// Paragraphs that look alike and follow each other line by line are one block.
fn joined(blocks: Vec<Block<'_>>) -> Vec<Block<'_>> {
    let mut all: Vec<Block<'_>> = Vec::new();
    for block in blocks {
        if let Some(last) = all.last_mut() {
            let (a, b) = (last.paragraphs[0], block.paragraphs[0]);
            let alike = a.style == b.style
                && a.from == b.from
                && !a.bullet
                && !b.bullet
                && (a.column.0 - b.column.0).abs() < 1e-6;
            let rows: Vec<Row> = last.rows.iter().chain(&block.rows).cloned().collect();
            let even = pitch(&rows, a.style.size).flatten().filter(|pitch| *pitch < a.style.size * 5.0);
            if let Some(pitch) = even.filter(|_| alike) {
                last.paragraphs.extend(block.paragraphs);
                (last.rows, last.pitch) = (rows, Some(pitch));
                continue;
            }
        }
        all.push(block);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inside::bare::{Run, Style};

    fn paragraph(text: &str, bullet: bool) -> Paragraph {
        Paragraph { bullet, ..Paragraph::plain(text, (0.1, 0.9)) }
    }

    fn word(text: &str, x: f64, y: f64) -> Word {
        Word { text: text.into(), x: (x, x + 10.0 * text.len() as f64), y: (y, y + 24.0) }
    }

    fn wide() -> Map {
        let page = Page {
            at: 0,
            size: (960.0, 540.0),
            number: 1,
            unpinned: false,
            patient: false,
            aside: None,
            rest: None,
            group: 0,
        };
        Map::of(&page, (1920, 1080))
    }

    #[test]
    fn words_are_found_again_line_by_line() {
        let map = wide();
        let words = [
            word("•", 100.0, 100.0),
            word("One", 120.0, 100.5),
            word("two", 160.0, 100.5),
            word("three", 120.0, 130.5),
        ];
        let texts = [paragraph("One two  three", true)];
        let found =
            found(&texts, rows(words.iter().map(|word| map.word(word)), [0.0, 0.0, 1920.0, 1080.0], 0.0)).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].broken(), "One two\nthree");
        assert_eq!(found[0].pitch, Some(60.0));
        assert_eq!(found[0].rows[0].x, (240.0, 380.0));
    }

    #[test]
    fn stretches_are_found_however_the_text_is_broken() {
        let map = wide();
        let mut paragraph = paragraph("Water is H2O, mostly", false);
        let plain = paragraph.style.clone();
        let lowered = Style { raise: -0.25, ..plain.clone() };
        let run = |text: &str, style: &Style| Run { text: text.into(), style: style.clone() };
        paragraph.runs = vec![run("Water is H", &plain), run("2", &lowered), run("O, mostly", &plain)];
        // Poppler begins a new word where letters are lowered.
        let small = Word { text: "2".into(), x: (190.0, 196.0), y: (112.0, 128.0) };
        let words = [
            word("Water", 100.0, 100.0),
            word("is", 160.0, 100.0),
            word("H", 180.0, 100.0),
            small,
            word("O,", 196.0, 100.0),
            word("mostly", 100.0, 130.0),
        ];
        let texts = [paragraph];
        let found = found(&texts, rows(words.iter().map(|word| map.word(word)), [0.0, 0.0, 1920.0, 1080.0], 0.0))
            .expect("both lines");
        let broken = found[0].broken();
        assert_eq!((broken.as_str(), found[0].rows.len()), ("Water is H2O,\nmostly", 2));
        for text in [found[0].text(), broken] {
            let [(range, style)] = &found[0].stretches(&text)[..] else { panic!("one stretch of {text}") };
            assert_eq!((&text[range.clone()], style.raise), ("2", -0.25));
        }
    }

    #[test]
    fn paragraphs_alike_are_one_clip_and_others_are_not() {
        let map = wide();
        let words = [word("A", 10.0, 10.0), word("B", 10.0, 40.0), word("C", 10.0, 90.0)];
        let texts = ["A", "B", "C"].map(|text| paragraph(text, false));
        let rows = rows(words.iter().map(|word| map.word(word)), [0.0, 0.0, 1920.0, 1080.0], 0.0);
        let blocks = found(&texts, rows.clone()).unwrap();
        let said: Vec<String> = blocks.iter().map(Block::text).collect();
        assert_eq!(said, ["A\nB", "C"]);
        assert!(found(&["A", "X"].map(|text| paragraph(text, false)), rows).is_none());
    }
}
