//! The dashboard.

use std::sync::Arc;

use axum::Router;

use crate::serve::app::App;

pub fn router() -> Router<Arc<App>> {
    Router::new()
}
