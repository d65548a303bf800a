//! What browsers say of themselves, and what they keep for us.

use axum::http::{HeaderMap, header};
use axum::response::Response;

pub fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
}

pub fn append(response: &mut Response, cookie: String) {
    if let Ok(value) = cookie.try_into() {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}

/// Somebody looks at the answer, rather than a script of ours.
pub fn wants_page(headers: &HeaderMap) -> bool {
    headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"))
}

/// What the reader chose, rather than their system.
pub fn theme(headers: &HeaderMap) -> Option<&'static str> {
    match cookie(headers, "compere_theme").as_deref() {
        Some("dark") => Some("dark"),
        Some("light") => Some("light"),
        _ => None,
    }
}
