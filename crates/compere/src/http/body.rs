//! Bodies as they come: all of them in memory, so few at once as their account may have there.

use std::time::Duration;

use axum::extract::Request;
use axum::http::{HeaderMap, header};
use bytes::{Bytes, BytesMut};
use compere_house::settings::Megabytes;
use compere_office::{Office, Refusal, Room};
use futures_util::StreamExt;

/// However slowly it drips, a body has to be there by then.
const PATIENCE: Duration = Duration::from_secs(60);
/// For those of whom nobody knows who they are.
const STRANGERS: Megabytes = Megabytes(1);

/// Whose request it is, once that is known. Doors leave it in the request.
#[derive(Clone, Debug)]
pub struct Whose(pub String);

/// Why there is no body.
#[derive(Clone, Debug)]
pub enum Unsent {
    Refused(Refusal),
    /// What went wrong on the way.
    Lost(String),
}

/// A body, and the room that it takes among those of its account, for as long as it is worked on.
#[derive(Debug)]
pub struct Received {
    pub bytes: Bytes,
    pub room: Option<Room>,
}

/// All of a JSON body, once there is room for it.
pub async fn received(request: Request, office: &Office) -> Result<Received, Unsent> {
    const WHAT: &str = "JSON bodies";
    let most = office.settings.limits.body;
    let Some(Whose(account)) = request.extensions().get().cloned() else {
        return Ok(Received { bytes: read(request, most.min(STRANGERS), WHAT).await?, room: None });
    };
    let length = announced(request.headers()).unwrap_or(most.bytes());
    if length > most.bytes() {
        return Err(Unsent::Refused(Refusal::TooLarge { what: WHAT, most }));
    }
    let room = office.crowd.room(&account, length).await.map_err(Unsent::Refused)?;
    Ok(Received { bytes: read(request, most, WHAT).await?, room: Some(room) })
}

/// All of a body, if it is not too large and comes in time.
pub async fn read(request: Request, most: Megabytes, what: &'static str) -> Result<Bytes, Unsent> {
    let too_large = || Unsent::Refused(Refusal::TooLarge { what, most });
    let length = announced(request.headers());
    if length.is_some_and(|length| length > most.bytes()) {
        return Err(too_large());
    }
    let mut stream = request.into_body().into_data_stream();
    let collect = async {
        // Exactly as much as there will be: a buffer that grows is twice as large for a moment.
        let mut all = BytesMut::with_capacity(length.unwrap_or(0) as usize);
        while let Some(part) = stream.next().await {
            let part = part.map_err(|_| Unsent::Lost("the body broke off".to_owned()))?;
            if (all.len() + part.len()) as u64 > most.bytes() {
                return Err(too_large());
            }
            all.extend_from_slice(&part);
        }
        Ok(all.freeze())
    };
    let late = |_| Unsent::Lost(format!("the body was not complete after {} s", PATIENCE.as_secs()));
    tokio::time::timeout(PATIENCE, collect).await.map_err(late)?
}

pub fn announced(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}
