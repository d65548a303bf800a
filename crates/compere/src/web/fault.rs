//! What a handler says when it cannot do what it was asked: a status and a sentence for a person.
//!
//! [`super::dress`] makes a page or JSON of it, whichever the browser asked for.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use compere_office::Refusal;
use compere_store::StoreError;

use super::words;

#[derive(Clone, Debug)]
pub struct Fault {
    pub status: StatusCode,
    pub message: String,
    /// Everything that is wrong with a project, each with its place, for scripts.
    pub details: Vec<serde_json::Value>,
}

impl Fault {
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), details: Vec::new() }
    }

    /// Of somebody else, or never there.
    pub fn missing(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, format!("There is no such {what}, or it is not yours."))
    }

    pub fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    pub fn forbidden() -> Self {
        Self::new(StatusCode::FORBIDDEN, "Only administrators see this page.")
    }

    /// What was written into a form is the reason, and the one who wrote it can put it right there.
    pub fn is_of_the_form(&self) -> bool {
        matches!(self.status, StatusCode::BAD_REQUEST | StatusCode::CONFLICT)
    }

    pub fn inside(error: impl std::fmt::Display) -> Self {
        tracing::error!(%error, "a page could not be made");
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "Something went wrong on our side. It has been written to the log.",
        )
    }
}

/// The office's refusals in a page's words.
impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        let status = StatusCode::from_u16(refusal.kind().parts().0).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        match refusal {
            Refusal::Missing { what: "invitation", .. } => {
                Self::new(status, "This invitation has been used or has run out. Ask for a new one.")
            }
            Refusal::Missing { what, .. } => Self::missing(what),
            Refusal::Problems(problems) => {
                let details = problems.iter().map(words::problem).collect();
                Self { details, ..Self::bad(words::problems(&problems)) }
            }
            Refusal::Credits { balance, needed } => Self::bad(format!(
                "This film needs about {needed} credits and {balance} are left. Ask your administrator for more."
            )),
            Refusal::QueueFull { limit } => {
                Self::bad(format!("{limit} films are waiting already. Let some of them finish first."))
            }
            Refusal::Changed => Self::bad("The project was changed somewhere else meanwhile. Reload the page."),
            Refusal::Importing => Self::bad("The document is still being read. Wait a moment."),
            Refusal::TooLarge { most, .. } => Self::new(status, format!("A file may have at most {most}.")),
            Refusal::WrongFile => Self::new(status, WRONG_FILE),
            Refusal::Taken(what) => Self::new(status, format!("There is {what} already.")),
            Refusal::Desk(error) if error.kind.is_the_askers() => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, error.message)
            }
            Refusal::Away(why) => {
                tracing::error!(why, "the store is not available");
                Self::new(status, "The database does not answer. Please try again in a moment.")
            }
            Refusal::Inside(why) => Self::inside(why),
            other => Self::new(status, other.to_string()),
        }
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Refusal::from(error).into()
    }
}

const WRONG_FILE: &str = "This file is none of those that films are made of: pictures (PNG, JPEG, WebP, GIF, SVG, AVIF), \
  videos (MP4, MOV, WebM, MKV) and sounds (MP3, WAV, M4A, OGG, FLAC).";

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}
