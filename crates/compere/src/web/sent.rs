//! What scripts of our pages send: JSON, held to the same bounds as that of programs.

use std::sync::Arc;

use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use compere_office::{Office, Room};
use serde::de::DeserializeOwned;

use super::fault::Fault;
use crate::http::body::{self, Unsent};
use crate::http::json::{self, Unread};

/// What came, and the room that it takes until it is answered.
#[derive(Debug)]
pub struct Sent<T>(pub T, pub Option<Room>);

impl<T: DeserializeOwned + Send + 'static> FromRequest<Arc<Office>> for Sent<T> {
    type Rejection = Fault;

    async fn from_request(request: Request, office: &Arc<Office>) -> Result<Self, Fault> {
        let sent = body::received(request, office).await?;
        Ok(Self(json::parsed(office, &sent.bytes).await?, sent.room))
    }
}

impl From<Unsent> for Fault {
    fn from(unsent: Unsent) -> Self {
        match unsent {
            Unsent::Refused(refusal) => refusal.into(),
            Unsent::Lost(_) => Self::bad("What was sent did not arrive whole. Try again."),
        }
    }
}

impl From<Unread> for Fault {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Refused(refusal) => refusal.into(),
            Unread::Heavy { .. } => {
                let what = "The project holds more than any film needs. Take some of it out.";
                Self::new(StatusCode::PAYLOAD_TOO_LARGE, what)
            }
            Unread::Deep | Unread::Wrong(_) => Self::bad("What was sent cannot be understood. Reload the page."),
        }
    }
}
