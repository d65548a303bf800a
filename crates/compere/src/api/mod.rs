//! The HTTP API: what clients send and what they are answered.
//!
//! # Promises
//!
//! - Every answer of `/api/…` is JSON in the envelope: success with status 200, failure with a code of the table in
//!   [`error`]. All problems of a body come together.
//! - What is not known and what is somebody else's are answered alike.
//! - A request is accepted whole or changes nothing.
//! - Tokens, keys, signed links and bodies are never written to the log.
//!
//! Handlers live in one file for each subject; each says its place in the OpenAPI document, from which the pages at
//! `/docs` are made.

pub mod accept;
mod answer;
mod ask;
pub mod assets;
mod auth;
mod body;
mod catalogue;
mod context;
mod docs;
pub mod error;
mod estimate;
mod exports;
mod extract;
mod files;
pub mod gate;
pub mod health;
mod legacy;
mod multipart;
mod once;
mod options;
mod pptpdf;
mod preview;
mod progress;
mod projects;
mod schema;
mod simple;
mod spill;
pub mod watch;

use std::sync::Arc;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{AllowOrigin, Any, CorsLayer};
use tower_http::timeout::RequestBodyTimeoutLayer;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use options::problem;

use crate::serve::app::App;
use crate::settings::Settings;

/// Every route with its place in the document.
fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(schema::document())
        .merge(auth::router())
        .merge(projects::router())
        .merge(exports::router())
        .merge(progress::router())
        .merge(estimate::router())
        .merge(simple::router())
        .merge(pptpdf::router())
        .merge(preview::router())
        .merge(catalogue::router())
        .merge(assets::router())
        .merge(legacy::router())
        .merge(health::router())
}

/// The document that describes the API.
pub fn openapi() -> OpenApi {
    routes().merge(files::router()).split_for_parts().1
}

pub fn router() -> Router<Arc<App>> {
    let (api, _) = routes().split_for_parts();
    let (files, _) = files::router().split_for_parts();
    // Films are packed as tightly as can be; answers are not.
    api.layer(CompressionLayer::new())
        .merge(files)
        .merge(docs::router())
        .layer(DefaultBodyLimit::disable())
        .method_not_allowed_fallback(error::wrong_method)
}

/// What goes around everything that the service answers, pages included.
pub fn around(router: Router, app: &Arc<App>) -> Router {
    router
        .fallback(error::unknown_path)
        .layer(axum::middleware::from_fn(spill::listen_to_the_end))
        .layer(RequestBodyTimeoutLayer::new(crate::serve::listen::STALL))
        .layer(CatchPanicLayer::custom(error::panicked))
        .layer(cors(&app.settings))
        .layer(axum::middleware::from_fn_with_state(Arc::clone(app), watch::watch))
}

/// Browsers of other origins may call the API where the settings say so. Nothing here depends on cookies.
fn cors(settings: &Settings) -> CorsLayer {
    let names = ["authorization", "content-type", "idempotency-key", "if-none-match", "range", "if-range"];
    let told = ["x-total-count", "x-request-id", "retry-after", "etag", "content-range", "idempotent-replayed"];
    let origins: Vec<HeaderValue> = settings.cors.iter().filter_map(|origin| origin.parse().ok()).collect();
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::DELETE])
        .allow_headers(names.map(HeaderName::from_static))
        .expose_headers(told.map(HeaderName::from_static));
    if settings.cors.iter().any(|origin| origin == "*") {
        layer.allow_origin(Any)
    } else {
        layer.allow_origin(AllowOrigin::list(origins))
    }
}

/// Tags an answer by its content, and leaves the content out when the client has it.
async fn cached(headers: &HeaderMap, response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, usize::MAX).await else {
        return error::ApiError::internal("an answer could not be read").into_response();
    };
    let tag = format!("W/\"{}\"", &blake3::hash(&bytes).to_hex()[..24]);
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if let Ok(value) = HeaderValue::from_str(&tag) {
        parts.headers.insert(header::ETAG, value);
        parts.headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    }
    if known.split(',').any(|one| one.trim() == tag || one.trim() == &tag[2..]) {
        parts.status = StatusCode::NOT_MODIFIED;
        parts.headers.remove(header::CONTENT_TYPE);
        parts.headers.remove(header::CONTENT_LENGTH);
        return Response::from_parts(parts, axum::body::Body::empty());
    }
    Response::from_parts(parts, bytes.into())
}
