//! Files that members send: streamed to disk, told by their content, put away whole.

use std::io::Write;
use std::path::Path;

use axum::body::Body;
use axum::http::StatusCode;
use compere_store::{Asset, Key, new_id};
use futures_util::StreamExt;

use super::fault::Fault;
use crate::serve::app::App;

/// A request's body in a temporary file. `most` is in megabytes.
pub async fn receive(app: &App, body: Body, most: u64) -> Result<(tempfile::NamedTempFile, u64), Fault> {
    let dir = app.home.data.join("uploads");
    std::fs::create_dir_all(&dir).map_err(Fault::inside)?;
    let mut file = tempfile::NamedTempFile::new_in(&dir).map_err(Fault::inside)?;
    let (mut stream, mut size) = (body.into_data_stream(), 0);
    while let Some(part) = stream.next().await {
        let part = part.map_err(|_| Fault::bad("The file did not arrive whole. Try again."))?;
        size += part.len() as u64;
        if size > most * 1_000_000 {
            return Err(Fault::new(StatusCode::PAYLOAD_TOO_LARGE, format!("A file may have at most {most} MB.")));
        }
        file.write_all(&part).map_err(Fault::inside)?;
    }
    if size == 0 {
        return Err(Fault::bad("The file is empty."));
    }
    Ok((file, size))
}

/// Keeps an upload as the account's asset.
pub async fn keep(app: &App, account: &str, name: &str, body: Body) -> Result<Asset, Fault> {
    let (file, size) = receive(app, body, app.settings.limits.asset).await?;
    let media_type = media_type(&head(file.path())).ok_or_else(|| {
        let kinds = "pictures (PNG, JPEG, WebP, GIF, SVG, AVIF), videos (MP4, MOV, WebM, MKV) and sounds (MP3, WAV, M4A, OGG, FLAC)";
        Fault::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("This file is none of those that films are made of: {kinds}."))
    })?;
    let name: String = name.chars().filter(|c| !c.is_control() && *c != '/').take(120).collect();
    let asset = Asset {
        id: new_id(app.store.now()),
        account: account.to_owned(),
        name: if name.trim().is_empty() { "file".to_owned() } else { name },
        media_type: media_type.to_owned(),
        size: size as i64,
        created_at: app.store.now(),
        expires_at: None,
    };
    let (_, path) = file.keep().map_err(Fault::inside)?;
    app.objects.put_file(&Key::Asset(asset.id.clone()), &path).await?;
    app.store.add_asset(&asset).await?;
    Ok(asset)
}

fn head(path: &Path) -> Vec<u8> {
    use std::io::Read;
    let mut head = Vec::new();
    if let Ok(file) = std::fs::File::open(path) {
        // What cannot be read is not known either.
        let _ = file.take(1024).read_to_end(&mut head);
    }
    head
}

/// By content: a name can say anything.
fn media_type(head: &[u8]) -> Option<&'static str> {
    let at = |from: usize, what: &[u8]| head.get(from..from + what.len()) == Some(what);
    let brand = |brands: &[&[u8]]| at(4, b"ftyp") && brands.iter().any(|brand| at(8, brand));
    let text = String::from_utf8_lossy(head);
    Some(match () {
        () if at(0, b"\x89PNG\r\n\x1a\n") => "image/png",
        () if at(0, b"\xff\xd8\xff") => "image/jpeg",
        () if at(0, b"GIF8") => "image/gif",
        () if at(0, b"RIFF") && at(8, b"WEBP") => "image/webp",
        () if brand(&[b"avif", b"avis"]) => "image/avif",
        () if brand(&[b"M4A ", b"M4B "]) => "audio/mp4",
        () if brand(&[b"qt  "]) => "video/quicktime",
        () if at(4, b"ftyp") => "video/mp4",
        () if at(0, b"\x1a\x45\xdf\xa3") => "video/webm",
        () if at(0, b"RIFF") && at(8, b"WAVE") => "audio/wav",
        () if at(0, b"ID3") || (head.len() > 2 && head[0] == 0xff && head[1] & 0xe6 == 0xe2) => "audio/mpeg",
        () if at(0, b"OggS") => "audio/ogg",
        () if at(0, b"fLaC") => "audio/flac",
        () if text.contains("<svg") && !text.contains('\u{fffd}') => "image/svg+xml",
        () => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::media_type;

    #[test]
    fn files_are_told_by_their_content() {
        assert_eq!(media_type(b"\x89PNG\r\n\x1a\n...."), Some("image/png"));
        assert_eq!(media_type(b"\0\0\0\x20ftypisom...."), Some("video/mp4"));
        assert_eq!(media_type(b"\0\0\0\x20ftypM4A ...."), Some("audio/mp4"));
        assert_eq!(media_type(b"<?xml version=\"1.0\"?><svg xmlns"), Some("image/svg+xml"));
        assert_eq!(media_type(b"\xff\xfb\x90\x00"), Some("audio/mpeg"));
        assert_eq!(media_type(b"<html><script>"), None);
        assert_eq!(media_type(b""), None);
    }
}
