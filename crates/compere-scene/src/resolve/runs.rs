//! Stretches of a text that look otherwise.
//!
//! A text is what its `text` says, whoever changes it, and with whatever program: stretches that no longer add up to it
//! are left alone, with a warning. So nobody who knows nothing of them can end with an old text in the picture.

use super::looks::{is_italic, one_break, weight};
use crate::document::reader::{Item, Object};
use crate::film::{Text, TextRun};

/// More stretches than a text is composed of by hand.
const MOST: usize = 1000;

/// Raised and lowered letters: how far in sizes of the text, and how large. As word processors have them.
const SUPER: (f64, f64) = (0.33, 0.6);
const SUB: (f64, f64) = (-0.14, 0.6);
const NORMAL: (f64, f64) = (0.0, 1.0);

/// Those of `clip` that do not look as all of `text` does.
pub(super) fn runs(clip: &Object<'_>, text: &Text) -> Vec<TextRun> {
    if clip.raw("runs").is_none() {
        return Vec::new();
    }
    let (mut all, mut found) = (String::new(), Vec::new());
    for object in clip.need_items("runs", MOST).into_iter().filter_map(Item::object) {
        object.warn_of_slips();
        let words = object.need("text", Object::text).map(|words| one_break(&words)).unwrap_or_default();
        let start = all.len();
        all.push_str(&words);
        let run = run(&object, text, start..all.len());
        if !run.range.is_empty() && differs(&run, text) {
            found.push(run);
        }
    }
    if all != text.text {
        clip.warn("runs", "are not drawn: joined, they are not the `text`");
        found.clear();
    }
    found
}

fn run(object: &Object<'_>, text: &Text, range: std::ops::Range<usize>) -> TextRun {
    let positions = [(NORMAL, "normal"), (SUPER, "super"), (SUB, "sub")];
    let (raise, scale) = object.choice("position", &positions).unwrap_or(NORMAL);
    TextRun {
        range,
        color: object.color("fill").unwrap_or(text.color),
        family: object.word("fontFamily").map_or_else(|| text.family.clone(), std::borrow::Cow::into_owned),
        weight: weight(object).unwrap_or(text.weight),
        italic: is_italic(object).unwrap_or(text.italic),
        underline: object.flag("underline").unwrap_or(text.underline),
        scale: object.number_in("scale", 0.1..=5.0).unwrap_or(scale),
        raise: object.number_in("rise", -1.0..=1.0).unwrap_or(raise),
    }
}

fn differs(run: &TextRun, text: &Text) -> bool {
    let whole = TextRun {
        range: run.range.clone(),
        color: text.color,
        family: text.family.clone(),
        weight: text.weight,
        italic: text.italic,
        underline: text.underline,
        scale: 1.0,
        raise: 0.0,
    };
    *run != whole
}
