//! The document of the API, and pages that show it without asking anybody else on the network.

use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use utoipa_swagger_ui::Config;

use super::error::ApiError;
use super::extract::Path;
use compere_office::Office;

pub fn router() -> Router<Arc<Office>> {
    // Not at `/docs/`: slashes at the end are taken off before anything else looks at a path.
    Router::new()
        .route("/docs", get(async || Redirect::to("/docs/index.html")))
        .route("/docs/openapi.json", get(document))
        .route("/docs/{file}", get(page))
}

async fn document() -> Response {
    static DOCUMENT: OnceLock<String> = OnceLock::new();
    let text = DOCUMENT.get_or_init(|| super::openapi().to_json().unwrap_or_default());
    ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], text.as_str()).into_response()
}

async fn page(Path(file): Path<String>) -> Result<Response, ApiError> {
    let config = Arc::new(Config::from("/docs/openapi.json").try_it_out_enabled(true));
    let found = utoipa_swagger_ui::serve(&file, config).map_err(ApiError::internal)?;
    let found = found.ok_or_else(|| ApiError::not_found(format!("page `{file}`")))?;
    let mut response = found.bytes.into_owned().into_response();
    if let Ok(kind) = HeaderValue::from_str(&found.content_type) {
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
    }
    if found.gzpipped {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Ok(response)
}
