//! The HTTP API.

use std::sync::Arc;

use axum::Router;
use axum::routing::get;

use crate::serve::app::App;

pub fn router() -> Router<Arc<App>> {
    Router::new().route("/health/live", get(async || "ok"))
}
