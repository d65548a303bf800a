//! What a handler says when it cannot do what it was asked: a status and a sentence for a person.
//!
//! [`super::dress`] makes a page or JSON of it, whichever the browser asked for.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use compere_store::StoreError;

#[derive(Clone, Debug)]
pub struct Fault {
    pub status: StatusCode,
    pub message: String,
}

impl Fault {
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
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

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Taken(_) => Self::new(StatusCode::CONFLICT, format!("There is {error}.")),
            StoreError::Unavailable(why) => {
                tracing::error!(why, "the store is not available");
                Self::new(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "The database does not answer. Please try again in a moment.",
                )
            }
            StoreError::Damaged(_) => Self::inside(error),
        }
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}
