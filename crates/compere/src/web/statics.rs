//! Styles, scripts and pictures of the dashboard, inside the binary.
//!
//! Their addresses carry the hash of all of them, so browsers keep them for ever and never mix two versions; relative
//! imports between scripts stay inside a version.

use std::sync::OnceLock;

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../static/", $name)))),*]
    };
}

const FILES: &[(&str, &[u8])] = files![
    "admin.js",
    "app.css",
    "app.js",
    "base.css",
    "design.css",
    "design.js",
    "editor-arrange.js",
    "editor-canvas.js",
    "editor-elements.js",
    "editor-ghost.js",
    "editor-layers.js",
    "editor-making.js",
    "editor-marks.js",
    "editor-model.js",
    "editor-names.js",
    "editor-panels.js",
    "editor-pickers.js",
    "editor-pictures.js",
    "editor-place.js",
    "editor-recording.js",
    "editor-scenes.js",
    "editor-script-box.js",
    "editor-script.js",
    "editor-speakers.js",
    "editor-tongue.js",
    "editor-view.js",
    "editor-write.js",
    "editor.css",
    "editor.js",
    "hook.js",
    "icon.svg",
    "import.js",
    "library.css",
    "library.js",
    "live.js",
    "microphone.js",
    "own.js",
    "profile.js",
    "project.css",
    "project.js",
    "projects.css",
    "projects.js",
    "prompter.js",
    "send.js",
    "slow.js",
    "sounds.js",
    "stops.js",
    "watch.js",
];

/// Names the set of files. Those who work on them name a folder in `COMPERE_STATIC`, and nothing is kept then.
pub fn version() -> &'static str {
    static VERSION: OnceLock<String> = OnceLock::new();
    VERSION.get_or_init(|| {
        let mut hasher = blake3::Hasher::new();
        for (name, bytes) in FILES {
            hasher.update(name.as_bytes());
            hasher.update(bytes);
        }
        hasher.finalize().to_hex()[..12].to_owned()
    })
}

pub async fn file(Path((asked, name)): Path<(String, String)>) -> Response {
    let Some((name, bytes)) = FILES.iter().find(|(known, _)| *known == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    if let Some(dir) = std::env::var_os("COMPERE_STATIC") {
        let text = std::fs::read(std::path::Path::new(&dir).join(name)).unwrap_or_else(|_| bytes.to_vec());
        return ([(header::CONTENT_TYPE, kind(name)), (header::CACHE_CONTROL, "no-store")], text).into_response();
    }
    // Of another build: what it is now is better than nothing, but nothing to keep.
    let keep = if asked == version() { "public, max-age=31536000, immutable" } else { "no-store" };
    let headers = [
        (header::CONTENT_TYPE, kind(name)),
        (header::CACHE_CONTROL, keep),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, *bytes).into_response()
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}
