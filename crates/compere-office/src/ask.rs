//! What a request asks for, read field by field: a value of another kind is a problem with its place.
//!
//! As in scenes, null is absent, an empty text says nothing, and numbers and truths may come as text, texts as numbers.

use std::cell::RefCell;

use compere_scene::Problem;
use compere_scene::schema::Schema;
use serde_json::Value;

use crate::Refusal;
use crate::refusal::problem;

/// Unknown keys that are told of.
const MOST_KEYS: usize = 10;

/// An object of a request.
pub(crate) struct Ask<'a> {
    body: &'a Value,
    /// Where it lies, with a dot behind it; empty for the request itself.
    at: String,
    /// What is not named there is not seen.
    schema: &'static Schema,
    problems: &'a RefCell<Vec<Problem>>,
}

impl<'a> Ask<'a> {
    /// What `of` reads in a request, or everything that is wrong there.
    pub(crate) fn read<T>(body: &Value, schema: &'static Schema, of: impl FnOnce(&Ask<'_>) -> T) -> Result<T, Refusal> {
        let (read, problems) = Ask::noted(body, schema, of);
        if problems.is_empty() { Ok(read) } else { Err(Refusal::Problems(problems)) }
    }

    pub(crate) fn noted<T>(body: &Value, schema: &'static Schema, of: impl FnOnce(&Ask<'_>) -> T) -> (T, Vec<Problem>) {
        let problems = RefCell::default();
        let read = of(&Ask { body, at: String::new(), schema, problems: &problems });
        (read, problems.into_inner())
    }

    pub(crate) fn blame(&self, key: &str, message: impl Into<String>) {
        self.problems.borrow_mut().push(problem(&format!("{}{key}", self.at), message));
    }

    /// Blames, and reads nothing.
    fn wrong<T>(&self, key: &str, message: impl Into<String>) -> Option<T> {
        self.blame(key, message);
        None
    }

    /// Blames what no schema names, where a slip would cost.
    pub(crate) fn nothing_else(&self) {
        let unknown = self.body.as_object().into_iter().flatten().filter(|(key, _)| !self.schema.has(key));
        for (key, _) in unknown.take(MOST_KEYS) {
            let shown: String = key.chars().take(40).collect();
            let near = compere_scene::nearest(key, self.schema.keys());
            let hint = near.first().map_or_else(
                || format!("there are {}", self.schema.keys().join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            self.blame(&shown, format!("is not known here; {hint}"));
        }
    }

    pub(crate) fn given(&self, key: &str) -> Option<&'a Value> {
        self.body.get(key).filter(|value| !value.is_null() && self.schema.has(key))
    }

    /// An object in this one.
    pub(crate) fn inside(&self, key: &str) -> Option<Ask<'a>> {
        match self.given(key)? {
            body @ Value::Object(_) => {
                let (at, schema) = (format!("{}{key}.", self.at), self.schema.inside(key));
                Some(Ask { body, at, schema, problems: self.problems })
            }
            _ => self.wrong(key, "must be an object"),
        }
    }

    /// As it was sent.
    pub(crate) fn text(&self, key: &str) -> Option<String> {
        let text = match self.given(key)? {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return self.wrong(key, "must be a text"),
        };
        Some(text).filter(|text| !text.trim().is_empty())
    }

    /// Without the space around it.
    pub(crate) fn word(&self, key: &str) -> Option<String> {
        self.text(key).map(|text| text.trim().to_owned())
    }

    pub(crate) fn text_of_at_most(&self, key: &str, most: usize) -> Option<String> {
        let text = self.text(key)?;
        if text.chars().count() > most {
            return self.wrong(key, format!("must have at most {most} characters"));
        }
        Some(text)
    }

    /// One that has to be there; what was meant is said when it is not. Nothing, then: the request is refused.
    pub(crate) fn need_text(&self, key: &str, meant: &str) -> String {
        let before = self.problems.borrow().len();
        self.word(key).unwrap_or_else(|| {
            if self.problems.borrow().len() == before {
                self.blame(key, meant);
            }
            String::new()
        })
    }

    pub(crate) fn flag(&self, key: &str) -> Option<bool> {
        match self.given(key)? {
            Value::Bool(flag) => Some(*flag),
            Value::String(text) if text.eq_ignore_ascii_case("true") => Some(true),
            Value::String(text) if text.eq_ignore_ascii_case("false") => Some(false),
            _ => self.wrong(key, "must be true or false"),
        }
    }

    pub(crate) fn number(&self, key: &str) -> Option<f64> {
        let value = self.given(key)?;
        let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok()).filter(|number| number.is_finite());
        number.or_else(|| self.wrong(key, "must be a number"))
    }

    /// One of a few words in any case; the first when it is not said.
    pub(crate) fn choice<T: Copy + ToString>(&self, key: &str, known: &[T]) -> T {
        let Some(value) = self.given(key) else { return known[0] };
        let is = |word: &T, text: &str| word.to_string().eq_ignore_ascii_case(text.trim());
        let found = value.as_str().and_then(|text| known.iter().find(|word| is(word, text)));
        found.copied().unwrap_or_else(|| {
            let words: Vec<String> = known.iter().map(ToString::to_string).collect();
            self.blame(key, format!("must be {}", words.join(" or ")));
            known[0]
        })
    }
}

#[cfg(test)]
mod tests {
    use compere_scene::schema::ANYTHING;
    use serde_json::json;

    use super::*;

    #[test]
    fn everything_wrong_is_told_by_its_place() {
        let body = json!({"name": [], "options": {"voiceOnly": "maybe", "duration": "long", "tone": 7}});
        let ((), problems) = Ask::noted(&body, &crate::schema::SCRIPTS, |ask| {
            ask.text("name");
            ask.need_text("scripts", "must be a text");
            let options = ask.inside("options").expect("an object");
            assert_eq!((options.flag("voiceOnly"), options.number("duration")), (None, None));
            assert_eq!(options.text("tone").as_deref(), Some("7"));
        });
        let paths: Vec<&str> = problems.iter().map(|problem| problem.path.as_str()).collect();
        assert_eq!(paths, ["name", "scripts", "options.voiceOnly", "options.duration"]);
    }

    #[test]
    fn nothing_and_null_are_the_same() {
        let body = json!({"name": null, "flag": null, "empty": " "});
        let read = Ask::read(&body, &ANYTHING, |ask| {
            (ask.text("name"), ask.flag("flag"), ask.text("empty"), ask.number("none"))
        });
        assert_eq!(read.expect("nothing is wrong"), (None, None, None, None));
    }

    /// Whoever reads a field has to describe it.
    #[test]
    fn what_no_schema_names_is_not_seen() {
        let body = json!({"topic": "Bees", "secret": "x", "options": {"tone": "calm", "secret": "x"}});
        let seen = Ask::read(&body, &crate::schema::TOPIC, |ask| {
            let options = ask.inside("options").expect("an object");
            (ask.text("topic"), ask.text("secret"), options.text("tone"), options.text("secret"))
        });
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(seen.expect("nothing is wrong"), (text("Bees"), None, text("calm"), None));
    }
}
