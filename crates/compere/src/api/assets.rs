//! Files of users, to be linked in scenes.

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use compere_store::{Asset, Key, new_id};
use serde::Deserialize;
use serde_json::{Value, json};

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::{Data, date};
use super::error::{ApiError, Kind};
use super::extract::{Path, Query};
use super::gate::Auth;
use super::multipart;
use super::schema::{AssetItem, AssetUpload, Deleted, Enveloped, Failures};
use crate::serve::app::App;

pub fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(upload, list)).routes(routes!(delete))
}

/// Upload a file
///
/// A form with `file`, or the bare file with `?name=`. The answer's `url` goes into clips. What the file is decides
/// its content, not its name.
#[utoipa::path(post, path = "/api/odin/v3/assets", tag = "assets",
    request_body(content = AssetUpload, content_type = "multipart/form-data"),
    responses((status = 200, description = "Done", body = Enveloped<AssetItem>), Failures))]
async fn upload(State(app): State<Arc<App>>, auth: Auth, request: Request) -> Result<Data, ApiError> {
    let form = multipart::read(request, &app.home.data.join("uploads"), app.settings.limits.asset << 20).await?;
    let Some(upload) = form.file else {
        return Err(ApiError::field("file", "is missing: send a form with a field `file`"));
    };
    let mut head = [0; 512];
    let read = upload.file.reopen().and_then(|mut file| file.read(&mut head)).map_err(ApiError::internal)?;
    let Some(media_type) = media_type(&head[..read]) else {
        let msg = "the file is none that a scene can show or play; take PNG, JPEG, WebP, GIF, SVG, AVIF, MP4, MOV, WebM, \
                   MKV, MP3, WAV, OGG, FLAC, AAC or M4A";
        return Err(ApiError::new(Kind::UnsupportedFile, msg));
    };
    let name = form.fields.get("name").map(|name| multipart::bare(name)).filter(|name| !name.is_empty());
    let asset = Asset {
        id: new_id(app.store.now()),
        account: auth.account.id.clone(),
        name: name.unwrap_or(upload.name),
        media_type: media_type.to_owned(),
        size: upload.size as i64,
        created_at: app.store.now(),
        expires_at: None,
    };
    let key = Key::Asset(asset.id.clone());
    // The object first: a row promises that there is one.
    let (_, path) = upload.file.keep().map_err(ApiError::internal)?;
    app.objects.put_file(&key, &path).await?;
    let size = match measured(&app, &asset).await {
        Ok(size) => size,
        Err(error) => {
            app.objects.delete(&key).await?;
            return Err(error);
        }
    };
    app.store.add_asset(&asset).await?;
    let mut item = described(&app, &asset);
    if let Some((width, height)) = size {
        item["width"] = json!(width);
        item["height"] = json!(height);
    }
    Ok(Data(item))
}

/// A picture has to be one that can be drawn. Whether a film plays is found out when it is used.
async fn measured(app: &App, asset: &Asset) -> Result<Option<(u32, u32)>, ApiError> {
    if !asset.media_type.starts_with("image/") {
        return Ok(None);
    }
    let link = app.links.asset(&asset.id, &asset.name);
    match tokio::time::timeout(Duration::from_secs(20), app.desk.size(&link)).await {
        Ok(Ok(size)) => Ok(Some(size)),
        Ok(Err(error)) if error.code < 5000 => {
            let msg = format!("the picture cannot be read: {}", error.message);
            Err(ApiError::new(Kind::UnreadableFile, msg))
        }
        // Ours to blame: the picture may well be good.
        Ok(Err(_)) | Err(_) => Ok(None),
    }
}

fn described(app: &App, asset: &Asset) -> Value {
    let path = app.links.asset(&asset.id, &asset.name);
    json!({
        "id": asset.id, "name": asset.name, "url": format!("{}{path}", app.links.base()), "path": path,
        "mediaType": asset.media_type, "size": asset.size, "createdAt": date(asset.created_at),
    })
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
struct PageQuery {
    /// From 1
    page: Option<String>,
}

/// List uploaded files, newest first, a hundred to a page
#[utoipa::path(get, path = "/api/odin/v3/assets", tag = "assets", params(PageQuery),
    responses((status = 200, description = "Done", body = Enveloped<Vec<AssetItem>>), Failures))]
async fn list(State(app): State<Arc<App>>, auth: Auth, Query(query): Query<PageQuery>) -> Result<Data, ApiError> {
    let page = match query.page.as_deref() {
        None | Some("") => 1,
        Some(text) => text.parse::<i64>().ok().filter(|page| (1..=1_000_000).contains(page)).unwrap_or(0),
    };
    if page == 0 {
        return Err(ApiError::field("page", "must be a number from 1"));
    }
    let assets = app.store.assets(&auth.account.id, 100, (page - 1) * 100).await?;
    Ok(Data(assets.iter().map(|asset| described(&app, asset)).collect()))
}

/// Delete an uploaded file
///
/// Scenes that link it will miss it.
#[utoipa::path(delete, path = "/api/odin/v3/assets/{id}", tag = "assets",
    params(("id" = String, Path, description = "Id of the file")),
    responses((status = 200, description = "Done", body = Enveloped<Deleted>), Failures))]
async fn delete(State(app): State<Arc<App>>, auth: Auth, Path(id): Path<String>) -> Result<Response, ApiError> {
    if !app.store.delete_asset(&auth.account.id, &id).await? {
        return Err(ApiError::not_found("such file"));
    }
    app.objects.delete(&Key::Asset(id)).await?;
    let mut response = Data(json!({ "deletedCount": 1 })).into_response();
    *response.status_mut() = StatusCode::OK;
    response.headers_mut().insert("cache-control", HeaderValue::from_static("no-store"));
    Ok(response)
}

/// What a file is, by how it begins.
pub fn media_type(head: &[u8]) -> Option<&'static str> {
    let at = |offset: usize, magic: &[u8]| head.get(offset..).is_some_and(|rest| rest.starts_with(magic));
    let brand = head.get(8..12).filter(|_| at(4, b"ftyp"));
    Some(match () {
        () if at(0, b"\x89PNG\r\n\x1a\n") => "image/png",
        () if at(0, b"\xff\xd8\xff") => "image/jpeg",
        () if at(0, b"GIF87a") || at(0, b"GIF89a") => "image/gif",
        () if at(0, b"RIFF") && at(8, b"WEBP") => "image/webp",
        () if at(0, b"RIFF") && at(8, b"WAVE") => "audio/wav",
        () if at(0, b"RIFF") && at(8, b"AVI ") => "video/x-msvideo",
        () if at(0, b"\x1a\x45\xdf\xa3") && find(head, b"webm") => "video/webm",
        () if at(0, b"\x1a\x45\xdf\xa3") => "video/x-matroska",
        () if matches!(brand, Some(b"avif" | b"avis")) => "image/avif",
        () if matches!(brand, Some(b"M4A " | b"M4B ")) => "audio/mp4",
        () if matches!(brand, Some(b"qt  ")) => "video/quicktime",
        () if matches!(brand, Some(b"heic" | b"heix" | b"mif1" | b"crx ")) => return None,
        () if brand.is_some() => "video/mp4",
        () if at(0, b"OggS") => "audio/ogg",
        () if at(0, b"fLaC") => "audio/flac",
        () if at(0, b"ID3") => "audio/mpeg",
        () if at(0, b"\xff\xf1") || at(0, b"\xff\xf9") => "audio/aac",
        () if head.len() > 2 && head[0] == 0xff && head[1] & 0xe6 == 0xe2 => "audio/mpeg",
        () if is_svg(head) => "image/svg+xml",
        () => return None,
    })
}

fn find(head: &[u8], what: &[u8]) -> bool {
    head.windows(what.len()).any(|window| window == what)
}

fn is_svg(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    (text.starts_with("<?xml")
        || text.starts_with("<!--")
        || text.starts_with("<!DOCTYPE svg")
        || text.starts_with("<svg"))
        && text.contains("<svg")
}

#[cfg(test)]
mod tests {
    use super::media_type;

    #[test]
    fn files_are_what_they_begin_with() {
        assert_eq!(media_type(b"\x89PNG\r\n\x1a\n...."), Some("image/png"));
        assert_eq!(media_type(b"\0\0\0\x20ftypisom...."), Some("video/mp4"));
        assert_eq!(media_type(b"\0\0\0\x20ftypavif...."), Some("image/avif"));
        assert_eq!(media_type(b"<?xml version=\"1.0\"?><svg/>"), Some("image/svg+xml"));
        assert_eq!(media_type(b"\xff\xfb\x90\x64"), Some("audio/mpeg"));
        for other in [&b"<html><svg></svg>"[..], b"MZ\x90", b"%PDF-1.7", b"PK\x03\x04", b"#!/bin/sh", b""] {
            assert_eq!(media_type(other), None, "{other:?}");
        }
    }
}
