//! What is noted of every request: a line in the log, numbers for Prometheus, an id for the client.
//!
//! The line names the route's pattern and not the path: paths carry signatures.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use compere_office::Office;

use super::context::Context;
use super::error::ApiError;
use crate::http::Whence;

/// What an account may still ask for this minute.
const RATE: [&str; 3] = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"];

pub async fn watch(State(office): State<Arc<Office>>, request: Request, next: Next) -> Response {
    let context = Context::of(request.uri().path(), office.links.base());
    let (id, allowance) = (context.id.clone(), Arc::clone(&context.allowance));
    let route = request.extensions().get::<MatchedPath>().map_or("unknown", MatchedPath::as_str).to_owned();
    let method = request.method().clone();
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0);
    let Whence(address) = Whence::of(request.headers(), peer, office.settings.behind_proxy);
    let started = Instant::now();
    let answered = async {
        // Which of them a proxy in front went by, nobody knows.
        if request.headers().get_all(header::HOST).iter().count() > 1 {
            return ApiError::bad_request("the header `Host` is there more than once").into_response();
        }
        next.run(request).await
    };
    let mut response = context.scope(answered).await;
    let plainly = HeaderValue::from_static("nosniff");
    response.headers_mut().entry(header::X_CONTENT_TYPE_OPTIONS).or_insert(plainly);
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(HeaderName::from_static("x-request-id"), value);
    }
    if let Some(allowance) = allowance.get() {
        let numbers = [u64::from(allowance.limit), u64::from(allowance.left), allowance.seconds];
        for (name, number) in RATE.into_iter().zip(numbers) {
            response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from(number));
        }
    }
    // Whoever asks too often learns it before it is known what else there would be.
    if response.status() == StatusCode::TOO_MANY_REQUESTS
        && allowance.get().is_none()
        && let Some(after) = response.headers().get(header::RETRY_AFTER).cloned()
    {
        response.headers_mut().insert(HeaderName::from_static(RATE[1]), HeaderValue::from(0));
        response.headers_mut().insert(HeaderName::from_static(RATE[2]), after);
    }
    let (status, seconds) = (response.status().as_u16(), started.elapsed().as_secs_f64());
    if !route.starts_with("/health") && route != "/metrics" {
        tracing::info!(
            target: "compere::access",
            request = id, %method, route, status, millis = (seconds * 1000.0) as u64, address = address.name(), "request"
        );
    }
    let labels = [("method", method.to_string()), ("route", route), ("status", status.to_string())];
    metrics::counter!("compere_http_requests_total", &labels).increment(1);
    metrics::histogram!("compere_http_request_seconds", &labels[..2]).record(seconds);
    response
}
