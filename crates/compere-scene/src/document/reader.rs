//! Reads one object of the document field by field and notes what is wrong with each.
//!
//! A reading method answers `None` both for "not there" and for "there, but wrong"; the second has been noted by then,
//! and a document with a problem never becomes a film, so callers may go on with any placeholder.
//!
//! Tolerances that clients rely on: `null` is absent; numbers and booleans may come as text; texts may come as numbers.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use compere_media::Rgb;
use serde_json::{Map, Value};

use super::color;
use crate::nearest::{any_of, did_you_mean, nearest};
use crate::problem::{Code, Notes};
use crate::schema::Schema;

/// No length, position or time is near this.
const HUGE: f64 = 1e9;

/// An object with more keys than this was not typed.
const MOST_KEYS: usize = 80;

#[derive(Clone, Debug)]
pub(crate) struct Object<'a> {
    map: &'a Map<String, Value>,
    pub(crate) path: String,
    /// What is not named there is not seen.
    schema: &'static Schema,
    notes: &'a Notes,
}

impl<'a> Object<'a> {
    /// The value as an object, or a problem.
    pub(crate) fn new(value: &'a Value, path: String, schema: &'static Schema, notes: &'a Notes) -> Option<Self> {
        match value {
            Value::Object(map) => Some(Self { map, path, schema, notes }),
            other => {
                let message = format!("must be an object, was {}", describe(other));
                notes.problem(Code::InvalidBody, path, message, None);
                None
            }
        }
    }

    pub(crate) fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    pub(crate) fn map(&self) -> &'a Map<String, Value> {
        self.map
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &'a str> {
        self.map.keys().map(String::as_str)
    }

    /// The field, unless it is missing or null.
    pub(crate) fn raw(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key).filter(|value| !value.is_null() && self.schema.has(key))
    }

    /// The same object, known to be of this type.
    pub(crate) fn of_type(self, kind: &str) -> Self {
        Self { schema: self.schema.variant(kind), ..self }
    }

    /// Notes a problem with the field.
    pub(crate) fn blame(&self, key: &str, message: impl Into<String>) {
        self.blame_as(Code::InvalidBody, key, message, None);
    }

    pub(crate) fn blame_as(&self, code: Code, key: &str, message: impl Into<String>, hint: Option<String>) {
        let path = if key.is_empty() { self.path.clone() } else { self.path_of(key) };
        self.notes.problem(code, path, message.into(), hint);
    }

    pub(crate) fn warn(&self, key: &str, message: impl Into<String>) {
        self.notes.warning(self.path_of(key), message.into());
    }

    /// Reads a field that has to be there.
    pub(crate) fn need<T>(&self, key: &str, read: impl FnOnce(&Self, &str) -> Option<T>) -> Option<T> {
        if self.raw(key).is_none() {
            self.missing(Code::InvalidBody, key);
            return None;
        }
        read(self, key)
    }

    /// Warns of a key that nobody reads when it looks like one that is not there. Other unknown keys are none of ours.
    pub(crate) fn warn_of_slips(&self) {
        for key in self.map.keys().take(MOST_KEYS).filter(|key| !self.schema.has(key)) {
            // Beside the right one, too, where only capitals are wrong: whoever edits means to replace it.
            let missed = |meant: &&str| !self.map.contains_key(*meant) || meant.eq_ignore_ascii_case(key);
            if let Some(meant) = self.notes.meant(self.schema, key).filter(missed) {
                self.warn(&shortened(key), format!("is not known to {}; {}", self.schema.of, did_you_mean(meant)));
            }
        }
    }

    pub(crate) fn missing(&self, code: Code, key: &str) {
        if self.notes.are_enough() {
            return;
        }
        // `locationX` is no misspelt `locationY`.
        let is_twin = |other: &str| key.ends_with(['X', 'Y']) && other.ends_with(['X', 'Y']);
        let others = self.keys().take(MOST_KEYS).filter(|&other| other != key && !is_twin(other));
        let hint = nearest(key, others).first().map(|other| format!("there is a `{other}` here"));
        self.blame_as(code, key, "is missing", hint);
    }

    /// A text, which may be empty.
    pub(crate) fn text(&self, key: &str) -> Option<Cow<'a, str>> {
        match self.raw(key)? {
            Value::String(text) => Some(Cow::Borrowed(text)),
            Value::Number(number) => Some(Cow::Owned(number.to_string())),
            other => self.wrong(key, "a text", other),
        }
    }

    /// A text that says something; an empty one counts as absent.
    pub(crate) fn word(&self, key: &str) -> Option<Cow<'a, str>> {
        let text = self.text(key)?;
        let word = text.trim();
        match word.len() {
            0 => None,
            all if all == text.len() => Some(text),
            _ => Some(Cow::Owned(word.to_owned())),
        }
    }

    /// A text that has to be there and to say something.
    pub(crate) fn need_word(&self, key: &str) -> Option<Cow<'a, str>> {
        let word = self.need(key, Self::word);
        if word.is_none() && matches!(self.raw(key), Some(Value::String(_))) {
            self.blame(key, "must not be empty");
        }
        word
    }

    pub(crate) fn number(&self, key: &str) -> Option<f64> {
        let value = self.raw(key)?;
        match parsed(value) {
            None => self.wrong(key, "a number", value),
            Some(number) if !number.is_finite() => self.wrong(key, "a finite number", value),
            Some(number) if number.abs() > HUGE => {
                self.blame(key, format!("is too large, was {}", describe(value)));
                None
            }
            number => number,
        }
    }

    pub(crate) fn number_in(&self, key: &str, range: RangeInclusive<f64>) -> Option<f64> {
        let number = self.number(key)?;
        if range.contains(&number) {
            return Some(number);
        }
        self.blame(key, format!("must be from {} to {}, was {number}", range.start(), range.end()));
        None
    }

    /// A whole number from zero, as scenes and clips are counted.
    pub(crate) fn index(&self, key: &str) -> Option<f64> {
        let number = self.number(key)?;
        if number >= 0.0 && number.fract() == 0.0 {
            return Some(number);
        }
        self.blame(key, format!("must be a whole number from 0, was {number}"));
        None
    }

    pub(crate) fn positive(&self, key: &str) -> Option<f64> {
        let number = self.number(key)?;
        if number > 0.0 {
            return Some(number);
        }
        self.blame(key, format!("must be > 0, was {number}"));
        None
    }

    pub(crate) fn flag(&self, key: &str) -> Option<bool> {
        let value = self.raw(key)?;
        match value {
            Value::Bool(flag) => Some(*flag),
            Value::String(text) if text.eq_ignore_ascii_case("true") => Some(true),
            Value::String(text) if text.eq_ignore_ascii_case("false") => Some(false),
            Value::Number(number) if number.as_u64() == Some(0) => Some(false),
            Value::Number(number) if number.as_u64() == Some(1) => Some(true),
            other => self.wrong(key, "true or false", other),
        }
    }

    pub(crate) fn is_set(&self, key: &str) -> bool {
        self.flag(key) == Some(true)
    }

    /// One of a few names, in any case; an empty text counts as absent.
    pub(crate) fn choice<T: Copy>(&self, key: &str, names: &[(T, &str)]) -> Option<T> {
        let word = self.word(key)?;
        let found = find(names, &word);
        if found.is_none() {
            let (message, hint) = none_of(names, &word);
            self.blame_as(Code::InvalidBody, key, message, hint);
        }
        found
    }

    /// A colour; an empty text counts as absent.
    pub(crate) fn color(&self, key: &str) -> Option<Rgb> {
        let word = self.word(key)?;
        let color = color::parse(&word);
        if color.is_none() {
            let message = format!("must be a colour such as `rgb(0,128,255)` or `#0080ff`, was `{}`", shortened(&word));
            let hint = color::nearest_name(&word).map(did_you_mean);
            self.blame_as(Code::InvalidBody, key, message, hint);
        }
        color
    }

    pub(crate) fn object(&self, key: &str) -> Option<Self> {
        Self::new(self.raw(key)?, self.path_of(key), self.schema.inside(key), self.notes)
    }

    /// The items of a list, each with its path.
    pub(crate) fn list(&self, key: &str) -> Option<Vec<Item<'a>>> {
        self.first(key, usize::MAX)
    }

    /// Those that begin a list. What is made of an item takes more room than many an item.
    fn first(&self, key: &str, most: usize) -> Option<Vec<Item<'a>>> {
        let path = self.path_of(key);
        let schema = self.schema.items(key);
        let item = |(n, value)| Item { value, path: format!("{path}[{n}]"), schema, notes: self.notes };
        match self.raw(key)? {
            Value::Array(items) => Some(items.iter().take(most).enumerate().map(item).collect()),
            other => self.wrong(key, "a list", other),
        }
    }

    /// At most `limit` items of a list that has to be there; more are a problem.
    pub(crate) fn need_items(&self, key: &str, limit: usize) -> Vec<Item<'a>> {
        let items = self.need(key, |object, key| object.first(key, limit)).unwrap_or_default();
        if let Some(Value::Array(all)) = self.raw(key).filter(|_| items.len() == limit)
            && all.len() > limit
        {
            self.blame(key, format!("must have at most {limit} entries, has {}", all.len()));
        }
        items
    }

    fn wrong<T>(&self, key: &str, right: &str, value: &Value) -> Option<T> {
        self.blame(key, format!("must be {right}, was {}", describe(value)));
        None
    }
}

fn find<T: Copy>(names: &[(T, &str)], word: &str) -> Option<T> {
    names.iter().find(|(_, name)| name.eq_ignore_ascii_case(word)).map(|&(value, _)| value)
}

/// The message and hint for a word that is none of the names.
fn none_of<T>(names: &[(T, &str)], word: &str) -> (String, Option<String>) {
    let names = || names.iter().map(|&(_, name)| name);
    let meant = meant_by(word).filter(|meant| names().any(|name| name == *meant));
    let hint = meant.or_else(|| nearest(word, names()).first().copied()).map(did_you_mean);
    (format!("must be {}, was `{}`", any_of(names()), shortened(word)), hint)
}

/// What other programs call our shapes and types.
fn meant_by(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "rectangle" | "rect" | "roundrect" | "roundedrectangle" => "Rectangle_corner0",
        "ellipse" | "oval" => "Oval_1",
        "pill" | "capsule" => "Oval_2",
        "line" => "Line_v2",
        "arrow" => "Arrow_1_v2",
        "drop" => "Drop_1",
        "hexagon" => "Hexagon_1",
        "octagon" => "Polygon",
        "text" | "textbox" | "i-text" => "textImage",
        "video" => "videoImage",
        "avatar" | "model" | "presenter" => "aiModel",
        "sound" | "music" => "audio",
        "picture" | "img" => "image",
        _ => return None,
    })
}

/// An item of a list.
#[derive(Clone, Debug)]
pub(crate) struct Item<'a> {
    pub(crate) value: &'a Value,
    pub(crate) path: String,
    schema: &'static Schema,
    notes: &'a Notes,
}

impl<'a> Item<'a> {
    /// One of a few names, in any case.
    pub(crate) fn choice<T: Copy>(&self, names: &[(T, &str)]) -> Option<T> {
        let word = self.value.as_str()?.trim();
        let found = find(names, word);
        if found.is_none() {
            let (message, hint) = none_of(names, word);
            self.notes.problem(Code::InvalidBody, self.path.clone(), message, hint);
        }
        found
    }

    pub(crate) fn object(self) -> Option<Object<'a>> {
        Object::new(self.value, self.path, self.schema, self.notes)
    }
}

/// A number, or a text that is one; perhaps no finite one.
pub(crate) fn parsed(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// The value as a message quotes it.
pub(crate) fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => format!("\"{}\"", shortened(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// As much of a text as a message can carry.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(40) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}
