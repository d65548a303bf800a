//! Bodies as they come: JSON whatever the header says it is.
//!
//! Clients of this API send `Content-Type: application/json` on everything and JSON as everything. What counts is what
//! the bytes are.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use bytes::{Bytes, BytesMut};
use compere_house::settings::Megabytes;
use compere_office::{Office, Refusal};
use futures_util::StreamExt;
use serde_json::Value;

use super::error::ApiError;

/// However slowly it drips, a JSON body has to be there by then.
const PATIENCE: Duration = Duration::from_secs(60);

/// A JSON object. Keeps the bytes, which tell repetitions from new requests.
#[derive(Debug)]
pub struct Body {
    pub json: Value,
    pub bytes: Bytes,
}

impl FromRequest<Arc<Office>> for Body {
    type Rejection = ApiError;

    async fn from_request(request: Request, office: &Arc<Office>) -> Result<Self, ApiError> {
        let bytes = read(request, office.settings.limits.body, "JSON bodies").await?;
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(ApiError::bad_request("the body is empty; send a JSON object"));
        }
        Ok(Self { json: parse(&bytes)?, bytes })
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
        let bytes = read(request, office.settings.limits.body, "JSON bodies").await?;
        if !bytes.iter().all(u8::is_ascii_whitespace) {
            parse(&bytes)?;
        }
        Ok(Self { bytes })
    }
}

fn parse(bytes: &[u8]) -> Result<Value, ApiError> {
    // A byte order mark is what some editors leave in front.
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let json: Value = serde_json::from_slice(text)
        .map_err(|error| ApiError::bad_request(format!("the body is not JSON: {error}; send a JSON object")))?;
    if !json.is_object() {
        return Err(ApiError::bad_request("the body must be a JSON object, like {\"scenes\": […]}"));
    }
    Ok(json)
}

/// All of a body, if it is not too large and comes in time.
pub async fn read(request: Request, most: Megabytes, what: &'static str) -> Result<Bytes, ApiError> {
    let too_large = || ApiError::from(Refusal::TooLarge { what, most });
    if announced(request.headers()).is_some_and(|length| length > most.bytes()) {
        return Err(too_large());
    }
    let mut stream = request.into_body().into_data_stream();
    let collect = async {
        let mut all = BytesMut::new();
        while let Some(part) = stream.next().await {
            let part = part.map_err(|_| ApiError::bad_request("the body broke off"))?;
            if (all.len() + part.len()) as u64 > most.bytes() {
                return Err(too_large());
            }
            all.extend_from_slice(&part);
        }
        Ok(all.freeze())
    };
    let late = |_| ApiError::bad_request(format!("the body was not complete after {} s", PATIENCE.as_secs()));
    tokio::time::timeout(PATIENCE, collect).await.map_err(late)?
}

pub fn announced(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}
