//! Why a film could not be made.

use std::path::Path;

/// One reason, with the place in the document it belongs to where there is one.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// A linked picture, video or sound cannot be had, or is not what it claims.
    #[error("{path}: {what}")]
    Asset { path: String, what: String },
    /// Something else the author asked for cannot be done.
    #[error("{path}: {what}")]
    Scene { path: String, what: String },
    /// The machine failed: disk, memory, a missing program.
    #[error("{what}")]
    Machine { what: String },
    /// An error of ours. The same film meets it again.
    #[error("{path}: {doing} it ended in an error of ours{}", said(.what))]
    Bug { path: String, doing: &'static str, what: String },
    /// The film is longer than whoever asked for it may make.
    #[error("the film would last more than {} minutes; at most {} are allowed", minutes(*.seconds), minutes(*.longest))]
    TooLong { seconds: f64, longest: f64 },
    /// Somebody asked to stop.
    #[error("cancelled")]
    Cancelled,
}

impl RenderError {
    pub(crate) fn asset(path: &str, what: impl std::fmt::Display) -> Self {
        Self::Asset { path: path.to_owned(), what: what.to_string() }
    }

    pub(crate) fn scene(path: &str, what: impl std::fmt::Display) -> Self {
        Self::Scene { path: path.to_owned(), what: what.to_string() }
    }

    /// What a panic leaves behind, with the scene that it was met in.
    pub(crate) fn bug(scene: usize, doing: &'static str, panic: &(dyn std::any::Any + Send)) -> Self {
        let what = panic.downcast_ref::<&str>().map(|&text| text.to_owned());
        let what = what.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Self::Bug { path: format!("scenes[{scene}]"), doing, what }
    }

    pub(crate) fn machine(what: impl std::fmt::Display) -> Self {
        Self::Machine { what: what.to_string() }
    }

    /// An I/O error with the file it happened to.
    pub(crate) fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        move |error| Self::Machine { what: format!("{}: {error}", path.display()) }
    }
}

/// The first line of what a panic said, in brackets.
fn said(what: &str) -> String {
    let line: String = what.lines().next().unwrap_or_default().chars().take(200).collect();
    if line.is_empty() { line } else { format!(" ({line})") }
}

/// `12:05`
fn minutes(seconds: f64) -> String {
    let whole = seconds.max(0.0) as u64;
    format!("{}:{:02}", whole / 60, whole % 60)
}

/// Something the author should know about a film that was made all the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Warning {
    /// `scenes[2].clips[0]`
    pub path: String,
    pub message: String,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}
