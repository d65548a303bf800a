//! The text of a script becomes what is spoken.
//!
//! Tags go; `<p>`, `<br>` and other blocks part paragraphs, which are half a second apart; `<span data-pause="0.5">` and
//! `[pause 0.5s]` are pauses; `<span data-say="…">` is said another way. Entities are decoded, white space is gathered.
//! A `<` that opens no tag is a character like any other.
//!
//! `[smile]` and `[gesture:open]` are cues for the presenter, neither written nor heard. Whatever has the shape of one,
//! a word, a colon and a word in brackets, is one, known or not; other brackets are text. `[step]` is where clips come and go.
//!
//! An editor's pause span may show its own length ("0.5s"): such a label is not spoken. Any other content of it is.

mod entity;
mod tag;

use std::fmt::Write as _;

use compere_media::{Cue, ScriptPart};

use crate::film::{Mark, letters};
use crate::nearest::nearest;
use tag::Tag;

/// Seconds between paragraphs.
const PARAGRAPH: f64 = 0.5;

/// What a script holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Script {
    pub(crate) parts: Vec<ScriptPart>,
    pub(crate) marks: Vec<Mark>,
    /// How many letters are written before each `[step]`.
    pub(crate) steps: Vec<usize>,
    /// What looks like a cue and is none, without the brackets.
    pub(crate) unknown: Vec<String>,
    /// What is spoken and shown, though it is nearly a cue.
    pub(crate) slips: Vec<String>,
}

/// The parts of `org` in the order they are spoken.
pub fn parts(org: &str) -> Vec<ScriptPart> {
    read(org).parts
}

pub(crate) fn read(org: &str) -> Script {
    let mut speech = Speech::default();
    let mut rest = org;
    while let Some(next) = rest.chars().next() {
        let taken = match next {
            '<' => speech.tag(rest),
            '[' => speech.pause_mark(rest).or_else(|| speech.step(rest)).or_else(|| speech.cue(rest)),
            '&' => entity::decode(rest).map(|(character, len)| {
                speech.push(character);
                len
            }),
            _ => None,
        };
        let taken = taken.unwrap_or_else(|| {
            speech.push(next);
            next.len_utf8()
        });
        rest = &rest[taken..];
    }
    speech.finish()
}

/// What is heard of so far.
#[derive(Default)]
struct Speech {
    parts: Vec<ScriptPart>,
    text: String,
    /// White space that matters only if more text comes.
    space: Option<char>,
    /// A paragraph has ended; it parts what came before from what may come.
    paragraph: bool,
    /// A pronunciation has just ended: what follows without a space belongs to its word.
    clings: bool,
    spans: Vec<Span>,
    /// Letters written so far.
    letters: usize,
    marks: Vec<Mark>,
    steps: Vec<usize>,
    unknown: Vec<String>,
    slips: Vec<String>,
}

/// An open `<span>`.
enum Span {
    Plain,
    /// Everything in it is written, but `said` is heard. What was spoken before it waits outside.
    Say {
        said: String,
    },
    /// Its content begins at this length of the text.
    Pause {
        from: usize,
    },
}

impl Speech {
    fn push(&mut self, character: char) {
        self.clings &= !character.is_whitespace();
        self.letters += usize::from(character.is_alphanumeric());
        if self.clings
            && is_clinging(character)
            && let Some(ScriptPart::Say { written, said }) = self.parts.last_mut()
        {
            written.push(character);
            said.push(character);
            return;
        }
        self.clings = false;
        if character.is_whitespace() {
            let line = character == '\n' || self.space == Some('\n');
            self.space = Some(if line { '\n' } else { ' ' });
            return;
        }
        if character.is_control() {
            return;
        }
        self.break_paragraph();
        if let Some(space) = self.space.take().filter(|_| !self.text.is_empty() || !self.parts.is_empty()) {
            self.text.push(space);
        }
        self.text.push(character);
    }

    /// Puts the pause of a paragraph before what comes now, unless nothing came before.
    fn break_paragraph(&mut self) {
        if std::mem::take(&mut self.paragraph) {
            self.end_text();
            self.space = None;
            if !self.parts.is_empty() {
                self.parts.push(ScriptPart::Pause(PARAGRAPH));
            }
        }
    }

    fn end_text(&mut self) {
        let text = std::mem::take(&mut self.text);
        if !text.trim().is_empty() {
            self.parts.push(ScriptPart::Text(text.trim().to_owned()));
        }
        for span in &mut self.spans {
            if let Span::Pause { from } = span {
                *from = 0;
            }
        }
    }

    fn pause(&mut self, seconds: f64) {
        self.end_text();
        (self.space, self.clings) = (None, false);
        // A pause where a paragraph ends takes the place of the paragraph's own.
        self.paragraph = false;
        self.parts.push(ScriptPart::Pause(seconds));
    }

    /// `[pause 0.5s]`
    fn pause_mark(&mut self, rest: &str) -> Option<usize> {
        let end = rest.char_indices().take(24).find(|&(_, c)| c == ']')?.0;
        let (word, length) = rest[1..end].trim().split_once(char::is_whitespace)?;
        let seconds = if word.eq_ignore_ascii_case("pause") { seconds(length)? } else { return None };
        self.pause(seconds);
        Some(end + 1)
    }

    /// `[step]`: something comes or goes here.
    fn step(&mut self, rest: &str) -> Option<usize> {
        const STEP: &str = "[step]";
        rest.get(..STEP.len()).filter(|mark| mark.eq_ignore_ascii_case(STEP))?;
        self.steps.push(self.letters);
        Some(STEP.len())
    }

    /// `[smile]`, `[gesture:open]`
    fn cue(&mut self, rest: &str) -> Option<usize> {
        let end = rest.char_indices().take(40).find(|&(_, c)| c == ']')?.0;
        let name = &rest[1..end];
        let Some(cue) = Cue::parse(name) else {
            let plain = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
            let (kind, colon) = name.split_once(':').map_or((name, None), |(kind, name)| (kind, Some(name)));
            if colon.is_some_and(plain) && plain(kind) {
                self.unknown.push(name.to_owned());
                return Some(end + 1);
            }
            let words = ["smile", "serious", "surprise", "nod"];
            if colon.is_none() && plain(kind) && !nearest(kind, words).is_empty() {
                self.slips.push(name.to_owned());
            }
            return None;
        };
        self.marks.push(Mark { letters: self.letters, cue });
        Some(end + 1)
    }

    fn tag(&mut self, rest: &str) -> Option<usize> {
        let (tag, len) = tag::read(rest)?;
        match tag.name.as_str() {
            "p" | "br" | "div" | "li" | "ul" | "ol" | "tr" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.paragraph |= self.saying().is_none();
                self.clings = false;
                self.space = Some(' ');
            }
            "span" if tag.closes => self.close_span(),
            "span" if !tag.is_empty => self.open_span(&tag),
            "span" => self.empty_span(&tag),
            _ => {}
        }
        Some(len)
    }

    fn saying(&self) -> Option<usize> {
        self.spans.iter().position(|span| matches!(span, Span::Say { .. }))
    }

    fn open_span(&mut self, tag: &Tag) {
        // Deeper than this no editor nests, and the stack must not grow with the text.
        const DEEPEST: usize = 64;
        if self.spans.len() >= DEEPEST {
            return;
        }
        let inside = self.saying().is_some();
        let span = match (tag.attribute("data-say"), tag.attribute("data-pause")) {
            (Some(said), _) if !inside && !said.trim().is_empty() => {
                self.break_paragraph();
                self.end_text();
                self.space = None;
                Span::Say { said: said.trim().to_owned() }
            }
            (_, Some(length)) if !inside => match seconds(length) {
                Some(seconds) => {
                    self.pause(seconds);
                    Span::Pause { from: 0 }
                }
                None => Span::Plain,
            },
            _ => Span::Plain,
        };
        self.spans.push(span);
    }

    fn empty_span(&mut self, tag: &Tag) {
        if self.saying().is_none()
            && let Some(seconds) = tag.attribute("data-pause").and_then(seconds)
        {
            self.pause(seconds);
        }
    }

    fn close_span(&mut self) {
        match self.spans.pop() {
            Some(Span::Say { said }) => {
                let written = std::mem::take(&mut self.text).trim().to_owned();
                self.parts.push(ScriptPart::Say { written, said });
                self.clings = true;
            }
            Some(Span::Pause { from }) => {
                if let Some(label) = self.text.get(from..).filter(|text| is_pause_label(text)) {
                    self.letters -= letters(label);
                    self.text.truncate(from);
                    self.space = None;
                }
            }
            Some(Span::Plain) | None => {}
        }
    }

    fn finish(mut self) -> Script {
        while !self.spans.is_empty() {
            self.close_span();
        }
        self.end_text();
        let Self { parts, marks, steps, unknown, slips, .. } = self;
        Script { parts, marks, steps, unknown, slips }
    }
}

/// Punctuation, and endings such as that of "SQL's". Scripts without spaces go on with the next word.
fn is_clinging(character: char) -> bool {
    character.is_ascii_alphanumeric() || "'’.,;:!?…)]”»\"%。、，！？；：」』）".contains(character)
}

/// "0.5s", "(1 sec)", "⏸": shown by an editor, not meant to be heard.
fn is_pause_label(text: &str) -> bool {
    let letters: String = text.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect();
    matches!(letters.as_str(), "" | "s" | "ms" | "sec" | "pause" | "pauses")
}

/// `0.5`, `0.5s`, `500ms`; half of Europe writes `0,5s`
fn seconds(text: &str) -> Option<f64> {
    let text = text.trim().to_ascii_lowercase().replacen(',', ".", 1);
    let (number, unit) = match (text.strip_suffix("ms"), text.strip_suffix("sec"), text.strip_suffix('s')) {
        (Some(number), _, _) => (number, 0.001),
        (_, Some(number), _) | (_, _, Some(number)) => (number, 1.0),
        _ => (text.as_str(), 1.0),
    };
    let seconds = number.trim().parse::<f64>().ok()? * unit;
    (seconds.is_finite() && seconds >= 0.0).then_some(seconds)
}

/// The words as captions and logs show them, pauses left out.
pub fn written(parts: &[ScriptPart]) -> String {
    let mut text = String::new();
    for part in parts {
        let (ScriptPart::Text(words) | ScriptPart::Say { written: words, .. }) = part else { continue };
        let gap = if text.is_empty() || words.is_empty() { "" } else { " " };
        let _ = write!(text, "{gap}{words}");
    }
    text
}

#[cfg(test)]
mod tests;
