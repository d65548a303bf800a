//! Bodies as they come: JSON whatever the header says it is.
//!
//! Clients of this API send `Content-Type: application/json` on everything and JSON as everything. What counts is what
//! the bytes are.

use std::sync::Arc;

use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use compere_house::settings::Megabytes;
use compere_office::{Office, Room};
use serde_json::Value;

use super::error::{ApiError, Kind};
use crate::http::body::{self, Unsent};
use crate::http::json::{self, Unread};

pub use crate::http::body::announced;

/// A JSON object. Keeps the bytes, which tell repetitions from new requests.
#[derive(Debug)]
pub struct Body {
    pub json: Value,
    pub bytes: Bytes,
    /// Until the request is answered.
    _room: Option<Room>,
}

impl FromRequest<Arc<Office>> for Body {
    type Rejection = ApiError;

    async fn from_request(request: Request, office: &Arc<Office>) -> Result<Self, ApiError> {
        let sent = body::received(request, office).await?;
        if is_empty(&sent.bytes) {
            return Err(ApiError::bad_request("the body is empty; send a JSON object"));
        }
        Ok(Self { json: object(office, &sent.bytes).await?, bytes: sent.bytes, _room: sent.room })
    }
}

/// A JSON object that may be left out; only whether it is one matters.
#[derive(Debug)]
pub struct MaybeBody {
    pub bytes: Bytes,
}

impl FromRequest<Arc<Office>> for MaybeBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, office: &Arc<Office>) -> Result<Self, ApiError> {
        let sent = body::received(request, office).await?;
        if !is_empty(&sent.bytes) {
            object(office, &sent.bytes).await?;
        }
        Ok(Self { bytes: sent.bytes })
    }
}

fn is_empty(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_whitespace)
}

async fn object(office: &Office, bytes: &Bytes) -> Result<Value, ApiError> {
    let json: Value = json::parsed(office, bytes).await?;
    if !json.is_object() {
        return Err(ApiError::bad_request("the body must be a JSON object, like {\"scenes\": […]}"));
    }
    Ok(json)
}

/// All of a body, if it is not too large and comes in time.
pub async fn read(request: Request, most: Megabytes, what: &'static str) -> Result<Bytes, ApiError> {
    Ok(body::read(request, most, what).await?)
}

impl From<Unsent> for ApiError {
    fn from(unsent: Unsent) -> Self {
        match unsent {
            Unsent::Refused(refusal) => refusal.into(),
            Unsent::Lost(what) => Self::bad_request(what),
        }
    }
}

impl From<Unread> for ApiError {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Refused(refusal) => refusal.into(),
            Unread::Wrong(_) => Self::bad_request(format!("{unread}; send a JSON object")),
            Unread::Heavy { .. } => Self::new(Kind::TooLarge, unread.to_string()),
            Unread::Deep => Self::bad_request(unread.to_string()),
        }
    }
}
