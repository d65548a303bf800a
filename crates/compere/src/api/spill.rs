//! What a client still has to say when its answer is ready.
//!
//! A connection that is closed on somebody who is still sending is reset, and the reason of the refusal is lost with
//! it: the client reports a broken pipe. So the rest of a refused body is listened to, a bounded while, and thrown away.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes, HttpBody};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use futures_util::StreamExt;

use super::body::announced;

/// So much is listened to; whoever announces more is cut off.
const MOST: u64 = 32 << 20;
const PATIENCE: Duration = Duration::from_secs(10);

pub async fn listen_to_the_end(request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let length = announced(request.headers());
    let (parts, body) = request.into_parts();
    let source = Arc::new(Mutex::new(Source { body: body.into_data_stream(), read: 0 }));
    let told = Body::from_stream(Told(Arc::clone(&source)));
    let response = next.run(Request::from_parts(parts, told)).await;
    if response.status().is_client_error() {
        let rest = Told(Arc::clone(&source));
        let left = length.map(|length| length.saturating_sub(lock(&source).read));
        if left.is_none_or(|left| left <= MOST) {
            let _ = tokio::time::timeout(PATIENCE, swallow(rest)).await;
        }
    }
    response
}

async fn swallow(mut rest: Told) {
    let mut taken = 0;
    while let Some(Ok(bytes)) = rest.next().await {
        taken += bytes.len() as u64;
        if taken > MOST {
            return;
        }
    }
}

struct Source {
    body: BodyDataStream,
    read: u64,
}

/// A body that can be read on after its first reader lost interest.
struct Told(Arc<Mutex<Source>>);

impl futures_util::Stream for Told {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut source = lock(&self.0);
        let polled = source.body.poll_next_unpin(context);
        if let Poll::Ready(Some(Ok(bytes))) = &polled {
            source.read += bytes.len() as u64;
        }
        polled
    }
}

fn lock(source: &Mutex<Source>) -> std::sync::MutexGuard<'_, Source> {
    source.lock().unwrap_or_else(PoisonError::into_inner)
}
