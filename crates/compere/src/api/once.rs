//! Requests that may be sent twice.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::to_bytes;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use compere_office::{Member, Office, Remembered};

use super::context::Context;
use super::error::{ApiError, Kind};
use super::gate::Auth;
use super::multipart::Form;

/// What `Idempotency-Key` asks for, if it is there.
#[derive(Clone, Debug)]
pub struct Once {
    key: Option<String>,
    route: String,
}

impl FromRequestParts<Arc<Office>> for Once {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<Office>) -> Result<Self, ApiError> {
        let route = format!("{} {}", parts.method, parts.uri.path());
        let Some(value) = parts.headers.get("idempotency-key") else { return Ok(Self { key: None, route }) };
        let key = value.to_str().map(str::trim).unwrap_or_default();
        if key.is_empty() || key.len() > 255 {
            return Err(ApiError::bad_request("Idempotency-Key must have 1 to 255 plain characters"));
        }
        Ok(Self { key: Some(key.to_owned()), route })
    }
}

/// In a box, so that what follows is compiled once and not for every request that there is.
type Work<'a> = Pin<Box<dyn Future<Output = Result<Response, ApiError>> + Send + 'a>>;

impl Once {
    /// What tells one form from another: its fields and the content of its files, not the boundary between them.
    pub async fn print_of(&self, form: &Form) -> Result<Vec<u8>, ApiError> {
        let mut print: Vec<u8> = Vec::new();
        for (key, text) in &form.fields {
            print.extend_from_slice(format!("{}:{key}{}:{text}", key.len(), text.len()).as_bytes());
        }
        for upload in form.file.iter().chain(&form.more).filter(|_| self.key.is_some()) {
            let path = upload.file.path().to_owned();
            let hashed = tokio::task::spawn_blocking(move || {
                let mut hasher = blake3::Hasher::new();
                std::io::copy(&mut std::fs::File::open(path)?, &mut hasher)?;
                Ok::<_, std::io::Error>(hasher.finalize())
            });
            let hash = hashed.await.map_err(ApiError::internal)?.map_err(ApiError::internal)?;
            print.extend_from_slice(upload.name.as_bytes());
            print.extend_from_slice(hash.as_bytes());
        }
        Ok(print)
    }

    /// The same where the answer has a secret, which is not kept with it: who asks again gets what `again` still knows.
    pub async fn run_secret(
        self,
        office: &Arc<Office>,
        auth: &Auth,
        body: &[u8],
        work: impl Future<Output = Result<Response, ApiError>> + Send + 'static,
        again: impl Future<Output = Result<Response, ApiError>> + Send,
    ) -> Result<Response, ApiError> {
        self.ask(office, auth, body, true, Box::pin(work), Box::pin(again)).await
    }

    /// Answers with `work`, or with what an equal request was answered before. The work goes on when the client hangs
    /// up: half a creation would be none of both.
    pub async fn run(
        self,
        office: &Arc<Office>,
        auth: &Auth,
        body: &[u8],
        work: impl Future<Output = Result<Response, ApiError>> + Send + 'static,
    ) -> Result<Response, ApiError> {
        self.ask(office, auth, body, false, Box::pin(work), Box::pin(told_once())).await
    }

    async fn ask(
        self,
        office: &Arc<Office>,
        auth: &Auth,
        body: &[u8],
        is_secret: bool,
        work: Work<'static>,
        again: Work<'_>,
    ) -> Result<Response, ApiError> {
        let Some(key) = self.key else { return detached(work).await };
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.route.as_bytes()).update(b"\n").update(body);
        let hash = hasher.finalize().to_hex().to_string();
        match office.recall(auth, &key, &hash).await? {
            Remembered::Answered { answer, .. } if answer.is_empty() => again.await,
            Remembered::Answered { status, answer } => Ok(repeated(status, answer)),
            Remembered::Conflict => {
                let msg = "the same Idempotency-Key came with another body, or its first request still runs";
                Err(ApiError::new(Kind::Conflict, msg))
            }
            Remembered::New => {
                let (office, member) = (Arc::clone(office), auth.0.clone());
                detached(Box::pin(async move {
                    // A panic must not keep the key for a day.
                    let answer = tokio::spawn(Context::current().scope(work)).await;
                    let answer = answer.unwrap_or_else(|error| Err(ApiError::internal(error)));
                    keep(&office, (&member, &key), answer, is_secret).await
                }))
                .await
            }
        }
    }
}

async fn detached(work: Work<'static>) -> Result<Response, ApiError> {
    tokio::spawn(Context::current().scope(work)).await.unwrap_or_else(|error| Err(ApiError::internal(error)))
}

/// Good answers are remembered; after any other the request may be sent again.
async fn keep(
    office: &Office,
    (member, key): (&Member, &str),
    answer: Result<Response, ApiError>,
    is_secret: bool,
) -> Result<Response, ApiError> {
    match answer {
        Ok(response) if response.status().is_success() => {
            let (parts, body) = response.into_parts();
            let bytes = to_bytes(body, 1 << 20).await.map_err(ApiError::internal)?;
            let text = if is_secret { String::new() } else { String::from_utf8_lossy(&bytes).into_owned() };
            office.remember(member, key, parts.status.as_u16(), &text).await?;
            Ok(Response::from_parts(parts, bytes.into()))
        }
        other => {
            office.unremember(member, key).await?;
            other
        }
    }
}

/// Of a secret that is kept nowhere.
pub async fn told_once() -> Result<Response, ApiError> {
    let msg = "the request with this Idempotency-Key was carried out; its answer had a secret and is not kept";
    Err(ApiError::new(Kind::Conflict, msg))
}

fn repeated(status: u16, answer: String) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (header::HeaderName::from_static("idempotent-replayed"), HeaderValue::from_static("true")),
    ];
    (status, headers, answer).into_response()
}
