//! The document of the API, and pages that show it without asking anybody else on the network.

use std::sync::{Arc, OnceLock};

use askama::Template as _;
use axum::Router;
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use utoipa_swagger_ui::Config;

use super::error::ApiError;
use super::extract::Path;
use compere_house::{Entry, TABLE};
use compere_office::Office;

pub fn router() -> Router<Arc<Office>> {
    // Not at `/docs/`: slashes at the end are taken off before anything else looks at a path.
    Router::new()
        .route("/docs", get(async || Redirect::to("/docs/index.html")))
        .route("/docs/openapi.json", get(document))
        .route("/docs/errors", get(async || codes(None)))
        .route("/docs/errors/{code}", get(code))
        .route("/docs/{file}", get(page))
}

async fn document() -> Response {
    static DOCUMENT: OnceLock<String> = OnceLock::new();
    let text = DOCUMENT.get_or_init(|| super::openapi().to_string());
    ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], text.as_str()).into_response()
}

/// The table of failures, or one of them.
#[derive(askama::Template)]
#[template(path = "error_codes.html")]
struct Codes {
    one: Option<Entry>,
    all: &'static [Entry],
}

mod filters {
    use askama::filters::Safe;

    /// What stands between accents is code. The sentences are ours; nothing in them comes from outside.
    #[askama::filter_fn]
    pub fn code(text: &str, _: &dyn askama::Values) -> askama::Result<Safe<String>> {
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
        let parts = escaped.split('`').enumerate();
        let html = parts.map(|(at, part)| if at % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() });
        Ok(Safe(html.collect()))
    }
}

/// Where `docUrl` of an answer leads.
async fn code(Path(code): Path<String>) -> Result<Response, ApiError> {
    let entry = TABLE.into_iter().find(|entry| entry.code.to_string() == code);
    codes(Some(entry.ok_or_else(|| ApiError::not_found(format!("error code `{code}`; /docs/errors lists them")))?))
}

fn codes(one: Option<Entry>) -> Result<Response, ApiError> {
    let page = Codes { one, all: &TABLE }.render().map_err(ApiError::internal)?;
    Ok(Html(page).into_response())
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
