//! A presenter that is to be made elsewhere: what its maker has to know, and what came of it.

use serde::{Deserialize, Serialize};

use crate::add::{Folder, Model, Wish, add, add_model};
use crate::build::{Bench, Finding, Refused};
use crate::error::OwnError;
use crate::store::Store;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Making {
    /// Out of footage or a photo.
    Person {
        wish: Box<Wish>,
        folder: Folder,
        /// As [`Bench::strict`].
        strict: bool,
    },
    Model(Model),
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Made {
    Presenter {
        /// Of speech.
        seconds: f64,
        /// Worth knowing; none refuses it.
        findings: Vec<Finding>,
    },
    /// The footage cannot be used, and why.
    Refused { findings: Vec<Finding> },
    /// This machine could not do it.
    Failed { message: String },
}

impl Making {
    /// Makes it and keeps it, or says why not and keeps nothing.
    pub fn carry_out(&self, store: &Store, bench: &Bench<'_>, watch: &(dyn Fn(f64) + Sync)) -> Made {
        let steps = |what: &'static str, done: usize, of: usize| watch(percent(what, done, of));
        let made = match self {
            Self::Person { wish, folder, strict } => {
                let bench = Bench { strict: *strict, ..*bench };
                add(store, wish, folder, &bench, &steps).map(|added| (added.manifest.seconds, added.findings))
            }
            Self::Model(model) => add_model(store, model, bench.sandbox, &steps)
                .map(|made| (made.seconds, Vec::new()))
                .map_err(Refused::from),
        };
        match made {
            Ok((seconds, findings)) => Made::Presenter { seconds, findings },
            Err(Refused::Footage(findings)) => Made::Refused { findings },
            Err(Refused::Error(OwnError::Footage(what))) => Made::Refused { findings: vec![alone(what)] },
            Err(Refused::Error(error)) => Made::Failed { message: error.to_string() },
        }
    }

    /// What it will be known by, where that is settled.
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Person { wish, .. } => wish.id.as_deref(),
            Self::Model(model) => model.id.as_deref(),
        }
    }
}

/// A sentence that names what it is about, as a finding.
fn alone(what: String) -> Finding {
    let (about, what) = match what.split_once(": ") {
        Some((about, what)) if about.starts_with("the ") => (about.to_owned(), what.to_owned()),
        _ => ("the footage".to_owned(), what),
    };
    let advice = if about == "the model" { "send another file" } else { "record it again" };
    Finding::refused(&about, what, advice)
}

/// How far making is. Looking at the footage takes longest.
fn percent(what: &str, done: usize, of: usize) -> f64 {
    let (from, to) = match what {
        "speak" => (0.0, 3.0),
        "track" => (3.0, 70.0),
        "cut" => (70.0, 95.0),
        _ => (95.0, 99.0),
    };
    from + (to - from) * done as f64 / of.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_told_of_what_it_is_about() {
        let found = alone("the consent: something else than its text is said".to_owned());
        assert_eq!(
            (found.about.as_str(), found.what.as_str()),
            ("the consent", "something else than its text is said")
        );
        assert_eq!(alone("it is dark: too dark".to_owned()).about, "the footage");
    }

    #[test]
    fn making_gets_on_from_step_to_step() {
        let steps = [
            ("speak", 0, 1),
            ("track", 1, 9),
            ("track", 9, 9),
            ("cut", 0, 8),
            ("cut", 8, 8),
            ("learn", 0, 1),
            ("keep", 1, 1),
        ];
        let told: Vec<f64> = steps.iter().map(|&(what, done, of)| percent(what, done, of)).collect();
        assert!(told.is_sorted() && told.iter().all(|percent| (0.0..100.0).contains(percent)), "{told:?}");
    }
}
