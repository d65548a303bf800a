//! What is wrong with a document, and where.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;

use crate::nearest::nearest;
use crate::schema::Schema;

/// One thing the author has to change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// `scenes[2].clips[0].width`; empty for the body as a whole.
    pub path: String,
    /// What was wrong and what would be right.
    pub message: String,
    /// A way out, where one is likely.
    pub hint: Option<String>,
    pub code: Code,
}

impl Problem {
    /// The message with its hint, for answers that carry the path beside it.
    pub fn advice(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{} ({hint})", self.message),
            None => self.message.clone(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => write!(f, "the body {}", self.advice()),
            path => write!(f, "{path}: {}", self.advice()),
        }
    }
}

impl std::error::Error for Problem {}

/// The kinds of problem that a document alone can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    InvalidBody,
    ScriptModelMismatch,
    UnknownModel,
    UnknownCloth,
    UnknownVoice,
    AssetUnreachable,
}

impl Code {
    /// The one that stands for a whole answer: the most general that occurs.
    pub fn leading(problems: &[Problem]) -> Self {
        problems.iter().map(|problem| problem.code).min().unwrap_or(Self::InvalidBody)
    }
}

/// Something that works, though perhaps not as it was meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    pub path: String,
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// After so many the rest says nothing new, and the answer would outgrow the question.
const ENOUGH: usize = 1000;

/// Everything said about one document while it is read.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    problems: RefCell<Vec<Problem>>,
    warnings: RefCell<Vec<Warning>>,
    /// What an unknown key of one kind of object may mean. Documents repeat themselves, and comparing is slow.
    meant: RefCell<HashMap<(&'static str, String), Option<&'static str>>>,
}

impl Notes {
    pub(crate) fn problem(&self, code: Code, path: String, message: String, hint: Option<String>) {
        let mut problems = self.problems.borrow_mut();
        if problems.len() < ENOUGH {
            problems.push(Problem { path, message, hint, code });
        }
    }

    pub(crate) fn warning(&self, path: String, message: String) {
        let mut warnings = self.warnings.borrow_mut();
        if warnings.len() < ENOUGH {
            warnings.push(Warning { path, message });
        }
    }

    /// Whether another problem would not be told any more.
    pub(crate) fn are_enough(&self) -> bool {
        self.problems.borrow().len() >= ENOUGH
    }

    /// The known key that an unknown one resembles.
    pub(crate) fn meant(&self, schema: &'static Schema, key: &str) -> Option<&'static str> {
        let mut meant = self.meant.borrow_mut();
        if meant.len() >= ENOUGH {
            return None;
        }
        // What the older generation called what a webhook's address is called now.
        let renamed = || schema.keys().into_iter().find(|known| key == "webhook" && *known == "webhookUrl");
        let compare = || renamed().or_else(|| nearest(key, schema.keys()).first().copied());
        *meant.entry((schema.of, key.to_owned())).or_insert_with(compare)
    }

    /// The value, if nothing was wrong.
    pub(crate) fn settle<T>(self, value: T) -> Result<(T, Vec<Warning>), Vec<Problem>> {
        let problems = self.problems.into_inner();
        if problems.is_empty() { Ok((value, self.warnings.into_inner())) } else { Err(problems) }
    }
}
