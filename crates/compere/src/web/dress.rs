//! What every answer of the dashboard wears: the headers that keep browsers strict, and pages for what went wrong.

use axum::Json;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::browser::{theme, wants_page};
use super::fault::Fault;
use super::shell;

/// Scripts, styles and connections of our own only; nothing inline, no frames, no plugins. Pictures may come out of the
/// page itself (a file about to be uploaded).
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
  media-src 'self' blob:; connect-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'self'; \
  base-uri 'none'; frame-ancestors 'none'; object-src 'none'";

pub async fn dress(request: Request, next: Next) -> Response {
    let page = wants_page(request.headers());
    let chosen = theme(request.headers());
    let mut response = next.run(request).await;
    if let Some(fault) = response.extensions_mut().remove::<Fault>() {
        let frame = response.extensions_mut().remove::<shell::Frame>();
        response = if page { shell::fault_page(&fault, chosen, frame) } else { told(&fault) };
    } else if response.status() == StatusCode::METHOD_NOT_ALLOWED && page {
        response =
            shell::fault_page(&Fault::new(response.status(), "This address cannot be opened like that."), chosen, None);
    }
    strict(&mut response);
    response
}

/// A page for an address that nobody knows, for those who look at it with a browser.
pub fn nowhere(headers: &HeaderMap) -> Option<Response> {
    wants_page(headers).then(|| {
        let fault = Fault::new(StatusCode::NOT_FOUND, "There is no page at this address.");
        let mut response = shell::fault_page(&fault, theme(headers), None);
        strict(&mut response);
        response
    })
}

fn strict(response: &mut Response) {
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "same-origin");
    set(header::X_FRAME_OPTIONS, "DENY");
    set(header::CACHE_CONTROL, "no-store");
    set(HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
}

fn told(fault: &Fault) -> Response {
    (fault.status, Json(json!({ "error": fault.message, "details": fault.details }))).into_response()
}
