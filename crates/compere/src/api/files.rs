//! Files for whoever holds a signed link.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use compere_office::{Offer, Office};
use compere_store::Stored;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::ApiError;
use super::extract::Path;
use super::schema::Failures;
use crate::http::tagged;

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new().routes(routes!(film)).routes(routes!(stream)).routes(routes!(asset)).routes(routes!(slide))
}

/// Download what an export made
///
/// The link carries its own permission and expires. Ranges are answered.
#[utoipa::path(get, operation_id = "downloadFilm", path = "/files/{export}/{kind}/{expires}/{signature}/{name}", tag = "files", security(()),
    params(("export" = String, Path), ("kind" = String, Path, description = "film, poster, vtt, srt or chapters"),
        ("expires" = String, Path), ("signature" = String, Path), ("name" = String, Path)),
    responses((status = 200, description = "The file", body = String, content_type = "application/octet-stream"),
        (status = 206, description = "A part of it"), (status = 302, description = "The file is in the object store"),
        (status = 304, description = "Not changed"), (status = 416, description = "The range is outside the file"), Failures))]
async fn film(
    State(office): State<Arc<Office>>,
    method: Method,
    Path((export, kind, expires, signature, name)): Path<(String, String, String, String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let gone =
        || ApiError::not_found("file behind this link, or the link has expired; read the progress for a new one");
    let part = compere_store::Product::parse(&kind).ok_or_else(gone)?;
    let expires: i64 = expires.parse().map_err(|_| gone())?;
    let offer = office.film_file((&export, part, &name), expires, &signature).await?.ok_or_else(gone)?;
    send(&office, &method, &headers, &offer).await?.ok_or_else(gone)
}

/// Watch a film while it is made
///
/// The playlists and fragments (HLS) of an export's `streamUrl`. The link carries its own permission and expires. The
/// playlist that it names is waited for, 8 seconds at most; 204 after that means that nothing is drawn yet.
#[utoipa::path(get, operation_id = "watchFilm", path = "/files/{export}/stream/{expires}/{signature}/{name}", tag = "files", security(()),
    params(("export" = String, Path), ("expires" = String, Path), ("signature" = String, Path),
        ("name" = String, Path, description = "film.m3u8, and what it names")),
    responses((status = 200, description = "A playlist or a fragment", body = String, content_type = "application/octet-stream"),
        (status = 204, description = "Nothing is drawn yet"),
        (status = 206, description = "A part of it"), (status = 302, description = "The fragment is in the object store"),
        (status = 304, description = "Not changed"), (status = 416, description = "The range is outside the file"), Failures))]
async fn stream(
    State(office): State<Arc<Office>>,
    method: Method,
    Path((export, expires, signature, name)): Path<(String, String, String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let gone = || ApiError::not_found("film to watch behind this link, or the link has expired");
    let expires: i64 = expires.parse().map_err(|_| gone())?;
    let offer = office.stream_file((&export, &name), expires, &signature).await?.ok_or_else(gone)?;
    let mut response = match send(&office, &method, &headers, &offer).await? {
        Some(response) => response,
        // Nothing is drawn yet.
        None if offer.grows() => StatusCode::NO_CONTENT.into_response(),
        None => return Err(gone()),
    };
    // Players of other sites fetch it by script; the link is the permission, and no cookie counts.
    set(&mut response, header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    if offer.grows() {
        set(&mut response, header::CACHE_CONTROL, "private, no-store");
    }
    Ok(response)
}

/// An uploaded file, for scenes
#[utoipa::path(get, operation_id = "downloadAsset", path = "/media/a/{id}/{signature}/{name}", tag = "files", security(()),
    params(("id" = String, Path), ("signature" = String, Path), ("name" = String, Path)),
    responses((status = 200, description = "The file", body = String, content_type = "application/octet-stream"),
        (status = 206, description = "A part of it"), (status = 302, description = "The file is in the object store"),
        (status = 304, description = "Not changed"), (status = 416, description = "The range is outside the file"), Failures))]
async fn asset(
    State(office): State<Arc<Office>>,
    method: Method,
    Path((id, signature, _name)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let gone = || ApiError::not_found("file behind this link");
    let offer = office.asset_file(&id, &signature).await?.ok_or_else(gone)?;
    send(&office, &method, &headers, &offer).await?.ok_or_else(gone)
}

/// A slide's picture, for scenes and pages, or the document that a project was made of
#[utoipa::path(get, operation_id = "downloadSlide", path = "/media/s/{project}/{signature}/{file}", tag = "files", security(()),
    params(("project" = String, Path), ("signature" = String, Path),
        ("file" = String, Path, description = "slide-1.png, thumb-1.jpg or original.pptx")),
    responses((status = 200, description = "The picture", body = String, content_type = "application/octet-stream"),
        (status = 206, description = "A part of it"), (status = 302, description = "The file is in the object store"),
        (status = 304, description = "Not changed"), (status = 416, description = "The range is outside the file"), Failures))]
async fn slide(
    State(office): State<Arc<Office>>,
    method: Method,
    Path((project, signature, file)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let gone = || ApiError::not_found("picture behind this link");
    let offer = office.slide_file(&project, &signature, &file).await?.ok_or_else(gone)?;
    send(&office, &method, &headers, &offer).await?.ok_or_else(gone)
}

/// How long a presigned link of the object store works: long enough to begin, players come back for another.
const PRESIGNED: Duration = Duration::from_secs(6 * 3600);

/// A playlist is replaced several times a second while a film is drawn, and hardly ever in between two looks at it.
const LOOKS: usize = 8;

async fn send(
    office: &Office,
    method: &Method,
    headers: &HeaderMap,
    offer: &Offer,
) -> Result<Option<Response>, ApiError> {
    for _ in 0..LOOKS {
        let Some(stored) = office.stored(offer).await? else { return Ok(None) };
        if method == Method::GET
            && let Some(url) = office.elsewhere(offer, PRESIGNED).await?
        {
            return Ok(Some(redirect(&url)));
        }
        if let Some(response) = answer(office, method, headers, offer, stored).await? {
            return Ok(Some(response));
        }
    }
    Err(ApiError::internal("a file that became another at every look"))
}

/// None when the file has become another than the one that was `seen`.
async fn answer(
    office: &Office,
    method: &Method,
    headers: &HeaderMap,
    offer: &Offer,
    seen: Stored,
) -> Result<Option<Response>, ApiError> {
    let tag = format!("\"{}-{:x}-{:x}\"", short_hash(&offer.path()), seen.size, seen.modified);
    let mut response = if tagged::names(headers, header::IF_NONE_MATCH, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        match range(headers, &tag, seen.size) {
            Wanted::All => {
                let Some(body) = content(office, method, offer, seen, 0..seen.size).await? else { return Ok(None) };
                sized(StatusCode::OK, seen.size, body)
            }
            Wanted::Part(part) => {
                let Some(body) = content(office, method, offer, seen, part.clone()).await? else { return Ok(None) };
                let mut response = sized(StatusCode::PARTIAL_CONTENT, part.end - part.start, body);
                let place = format!("bytes {}-{}/{}", part.start, part.end - 1, seen.size);
                set(&mut response, header::CONTENT_RANGE, &place);
                response
            }
            Wanted::Nothing => {
                let mut response = StatusCode::RANGE_NOT_SATISFIABLE.into_response();
                set(&mut response, header::CONTENT_RANGE, &format!("bytes */{}", seen.size));
                return Ok(Some(response));
            }
        }
    };
    set(&mut response, header::ETAG, &tag);
    set(&mut response, header::CONTENT_TYPE, &offer.media_type);
    set(&mut response, header::ACCEPT_RANGES, "bytes");
    set(&mut response, header::CACHE_CONTROL, "private, max-age=3600");
    set(&mut response, header::CONTENT_DISPOSITION, &disposition(&offer.name, offer.attached));
    set(&mut response, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    // An uploaded SVG is a document: it may be looked at, and do nothing.
    set(&mut response, header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    set(&mut response, header::HeaderName::from_static("cross-origin-resource-policy"), "cross-origin");
    Ok(Some(response))
}

fn redirect(url: &str) -> Response {
    let mut response = Redirect::temporary(url).into_response();
    *response.status_mut() = StatusCode::FOUND;
    set(&mut response, header::CACHE_CONTROL, "private, no-store");
    response
}

async fn content(
    office: &Office,
    method: &Method,
    offer: &Offer,
    seen: Stored,
    part: Range<u64>,
) -> Result<Option<Body>, ApiError> {
    if method == Method::HEAD || part.is_empty() {
        return Ok(Some(Body::empty()));
    }
    Ok(office.bytes_of(offer, seen, part).await?.map(Body::from_stream))
}

fn sized(status: StatusCode, length: u64, body: Body) -> Response {
    let mut response = (status, body).into_response();
    set(&mut response, header::CONTENT_LENGTH, &length.to_string());
    response
}

fn set(response: &mut Response, name: header::HeaderName, value: &str) {
    // What cannot be a header is left out rather than sent broken.
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

fn short_hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

#[derive(Debug, PartialEq)]
enum Wanted {
    All,
    Part(Range<u64>),
    /// A range that the file does not have.
    Nothing,
}

/// One range of bytes. Several at once, other units and what is not understood get the whole file, as the standard
/// allows.
fn range(headers: &HeaderMap, tag: &str, size: u64) -> Wanted {
    let Some(text) = headers.get(header::RANGE).and_then(|value| value.to_str().ok()) else { return Wanted::All };
    if headers.contains_key(header::IF_RANGE) && !tagged::names(headers, header::IF_RANGE, tag) {
        return Wanted::All;
    }
    let Some((first, last)) = text.trim().strip_prefix("bytes=").and_then(|range| range.split_once('-')) else {
        return Wanted::All;
    };
    let part = match (first.trim().parse::<u64>(), last.trim().parse::<u64>()) {
        (Ok(first), Ok(last)) if first <= last => first..last.saturating_add(1).min(size),
        (Ok(first), Err(_)) if last.trim().is_empty() => first..size,
        (Err(_), Ok(last)) if first.trim().is_empty() => size.saturating_sub(last)..size,
        _ => return Wanted::All,
    };
    if part.start < part.end { Wanted::Part(part) } else { Wanted::Nothing }
}

/// A file name for old readers and for new ones. Nothing in it can end the header.
fn disposition(name: &str, attached: bool) -> String {
    let name: String = name.chars().filter(|c| !c.is_control()).collect();
    // For programs that know no other letters; those that do take the name as it is.
    let plain = compere_house::links::slug(&name);
    let how = if attached { "attachment" } else { "inline" };
    format!("{how}; filename=\"{plain}\"; filename*=UTF-8''{}", compere_house::links::encoded(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(range: &str) -> Wanted {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, range.parse().expect("a header"));
        super::range(&headers, "\"t\"", 1000)
    }

    #[test]
    fn ranges_are_those_of_the_standard() {
        assert_eq!(asked("bytes=0-99"), Wanted::Part(0..100));
        assert_eq!(asked("bytes=500-"), Wanted::Part(500..1000));
        assert_eq!(asked("bytes=-200"), Wanted::Part(800..1000));
        assert_eq!(asked("bytes=-5000"), Wanted::Part(0..1000));
        assert_eq!(asked("bytes=900-5000"), Wanted::Part(900..1000));
        assert_eq!(asked("bytes=1000-"), Wanted::Nothing);
        assert_eq!(asked("bytes=-0"), Wanted::Nothing);
        for whole in ["bytes=5-2", "bytes=0-1,5-6", "lines=1-2", "bytes=a-b", "bytes=-"] {
            assert_eq!(asked(whole), Wanted::All, "{whole}");
        }
    }

    #[test]
    fn names_cannot_leave_their_header() {
        let text = disposition("Tägliche\r\nSet-Cookie: x=1; \"News\".mp4", true);
        assert!(!text.contains('\r') && !text.contains('\n'));
        assert_eq!(
            text,
            "attachment; filename=\"TaeglicheSet-Cookie-x-1-News.mp4\"; \
             filename*=UTF-8''T%C3%A4glicheSet-Cookie%3A%20x%3D1%3B%20%22News%22.mp4"
        );
    }
}
