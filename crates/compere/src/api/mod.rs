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

mod account;
mod answers;
pub mod assets;
mod auth;
mod avatars;
mod body;
mod catalogue;
mod context;
mod designs;
mod docs;
pub mod error;
mod estimate;
mod exports;
mod extract;
mod files;
mod fonts;
pub mod gate;
pub mod health;
mod hooks;
mod legacy;
mod multipart;
mod news;
mod once;
mod paging;
mod pptpdf;
mod preview;
mod progress;
mod projects;
mod schema;
mod simple;
mod spill;
mod storage;
mod stories;
mod waiting;
pub mod watch;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::response::Response;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{AllowOrigin, Any, CorsLayer};
use tower_http::timeout::RequestBodyTimeoutLayer;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use error::{ApiError, problem};

use compere_house::settings::Settings;
use compere_office::Office;

/// Every route with its place in the document.
fn routes() -> OpenApiRouter<Arc<Office>> {
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
        .merge(avatars::router())
        .merge(designs::router())
        .merge(assets::router())
        .merge(fonts::router())
        .merge(stories::router())
        .merge(account::router())
        .merge(hooks::router())
        .merge(storage::router())
        .merge(waiting::router())
        .merge(legacy::router())
        .merge(health::router())
}

/// The document that describes the API.
pub fn openapi() -> serde_json::Value {
    let paths: OpenApi = routes().merge(files::router()).split_for_parts().1;
    let mut document = serde_json::to_value(paths).unwrap_or_default();
    document["webhooks"] = news::webhooks();
    schema::name_headers(&mut document);
    document
}

pub fn router() -> Router<Arc<Office>> {
    let (api, _) = routes().split_for_parts();
    let (files, _) = files::router().split_for_parts();
    // Films are packed as tightly as can be; answers are not.
    api.layer(CompressionLayer::new())
        .merge(files)
        .merge(docs::router())
        .merge(stories::by_other_names())
        .layer(DefaultBodyLimit::disable())
        .method_not_allowed_fallback(error::wrong_method)
}

/// What goes around everything that the service answers, pages included.
pub fn around(router: Router, office: &Arc<Office>, stall: Duration) -> Router {
    router
        .layer(axum::middleware::from_fn(spill::listen_to_the_end))
        .layer(RequestBodyTimeoutLayer::new(stall))
        .layer(CatchPanicLayer::custom(error::panicked))
        .layer(cors(&office.settings))
        .layer(axum::middleware::from_fn_with_state(Arc::clone(office), watch::watch))
}

/// Browsers of other origins may call the API where the settings say so. Nothing here depends on cookies.
fn cors(settings: &Settings) -> CorsLayer {
    let names = ["authorization", "content-type", "idempotency-key", "if-none-match", "if-match", "range", "if-range"];
    let told = [
        "x-total-count",
        "x-request-id",
        "retry-after",
        "etag",
        "content-range",
        "idempotent-replayed",
        "link",
        "ratelimit-limit",
        "ratelimit-remaining",
        "ratelimit-reset",
    ];
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

async fn cached(headers: &HeaderMap, response: Response) -> Result<Response, ApiError> {
    cached_as(headers, "", response).await
}

async fn cached_as(headers: &HeaderMap, prefix: &str, response: Response) -> Result<Response, ApiError> {
    crate::http::tagged::cached(headers, prefix, response).await.map_err(ApiError::internal)
}
