//! Answers that clients may keep, known by a tag of their content.

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;

/// Tags an answer by its content, and leaves the content out when the client has it. The tag begins with `prefix`.
pub async fn cached(headers: &HeaderMap, prefix: &str, response: Response) -> Result<Response, axum::Error> {
    let (mut parts, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await?;
    let tag = format!("W/\"{prefix}{}\"", &blake3::hash(&bytes).to_hex()[..24]);
    if let Ok(value) = HeaderValue::from_str(&tag) {
        parts.headers.insert(header::ETAG, value);
        parts.headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    }
    if names(headers, header::IF_NONE_MATCH, &tag) {
        parts.status = StatusCode::NOT_MODIFIED;
        parts.headers.remove(header::CONTENT_TYPE);
        parts.headers.remove(header::CONTENT_LENGTH);
        return Ok(Response::from_parts(parts, Body::empty()));
    }
    Ok(Response::from_parts(parts, bytes.into()))
}

/// Whether a header names a tag, weakly or not.
pub fn names(headers: &HeaderMap, name: HeaderName, tag: &str) -> bool {
    let bare = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let list = headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    list.split(',').any(|one| one.trim() == "*" || bare(one) == bare(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_the_same_weak_or_not() {
        let mut headers = HeaderMap::new();
        headers.insert(header::IF_NONE_MATCH, "\"a\", W/\"b\"".parse().expect("a header"));
        assert!(names(&headers, header::IF_NONE_MATCH, "W/\"a\""));
        assert!(names(&headers, header::IF_NONE_MATCH, "\"b\""));
        assert!(!names(&headers, header::IF_NONE_MATCH, "\"c\""));
        assert!(!names(&headers, header::IF_RANGE, "\"a\""));
    }
}
