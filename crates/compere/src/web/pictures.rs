//! Pictures and sounds for pages: made by the desk when they are first asked for, then kept under `data/cache/web`.
//!
//! Their names are hashes of everything that they depend on, the program included, so a kept one is never stale. The
//! folder is emptied from its oldest end when it grows too large.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde_json::Value;
use tokio::sync::Semaphore;

use super::fault::Fault;
use crate::crew::desk::{DeskError, Who};
use crate::serve::app::App;

/// Bytes that the folder may hold.
const CAP: u64 = 512 << 20;
/// Looked after once in so many new files.
const EVERY: u32 = 64;

/// What a kept file's name is made of.
#[derive(Debug)]
pub struct Name(blake3::Hasher);

impl Name {
    pub fn of(kind: &str) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(program().as_bytes());
        Self(hasher).and(kind)
    }

    pub fn and(mut self, part: impl AsRef<[u8]>) -> Self {
        let part = part.as_ref();
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part);
        self
    }

    fn file(&self, app: &App) -> PathBuf {
        app.home.cache().join("web").join(self.0.finalize().to_hex().as_str())
    }
}

/// Another build may draw otherwise.
fn program() -> &'static str {
    static PROGRAM: OnceLock<String> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let exe = std::env::current_exe().unwrap_or_default();
        crate::studio::engine(&exe).unwrap_or_else(|_| env!("CARGO_PKG_VERSION").to_owned())
    })
}

pub async fn kept(app: &App, name: &Name) -> Option<Bytes> {
    tokio::fs::read(name.file(app)).await.ok().map(Bytes::from)
}

/// Keeps a file. That it could not be kept is no reason not to show it.
pub async fn keep(app: &App, name: &Name, bytes: &Bytes) {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let (file, bytes) = (name.file(app), bytes.clone());
    let tidy = COUNT.fetch_add(1, Ordering::Relaxed) % EVERY == EVERY - 1;
    let kept = tokio::task::spawn_blocking(move || -> std::io::Result<()> {
        let dir = file.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(dir)?;
        let mut beside = tempfile::NamedTempFile::new_in(dir)?;
        std::io::Write::write_all(&mut beside, &bytes)?;
        beside.persist(&file)?;
        if tidy { trim(dir, CAP) } else { Ok(()) }
    });
    if let Ok(Err(error)) = kept.await {
        tracing::warn!(%error, "a picture could not be kept");
    }
}

fn trim(dir: &Path, cap: u64) -> std::io::Result<()> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        let meta = entry.metadata()?;
        files.push((meta.modified()?, meta.len(), entry.path()));
    }
    files.sort();
    let mut total: u64 = files.iter().map(|(_, size, _)| size).sum();
    for (_, size, path) in files {
        if total <= cap {
            break;
        }
        std::fs::remove_file(path)?;
        total -= size;
    }
    Ok(())
}

/// A picture for a list: one at a time, so that whoever edits need not wait for all of a page's pictures. Those whose
/// page was left meanwhile are not drawn at all.
pub async fn thumbnail(app: &App, project: &Value, scene: usize, at: f64, width: u32) -> Result<Bytes, Fault> {
    static ONE: Semaphore = Semaphore::const_new(1);
    let project = alone(project, scene);
    if let Some(bytes) = kept(app, &name_of(&project, at, width)).await {
        return Ok(bytes);
    }
    let _turn = ONE.acquire().await.map_err(Fault::inside)?;
    Ok(still(app, &project, 0, at, width).await?)
}

fn name_of(project: &Value, at: f64, width: u32) -> Name {
    Name::of("still").and(project.to_string()).and(at.to_bits().to_le_bytes()).and(width.to_le_bytes())
}

/// One frame of a project whose other scenes do not matter, as JPEG.
pub async fn still(app: &App, project: &Value, scene: usize, at: f64, width: u32) -> Result<Bytes, DeskError> {
    let project = alone(project, scene);
    let name = name_of(&project, at, width);
    if let Some(bytes) = kept(app, &name).await {
        return Ok(bytes);
    }
    let picture = app.desk.still(project, 0, at, width, true).await?;
    let bytes = Bytes::from(picture.bytes);
    keep(app, &name, &bytes).await;
    Ok(bytes)
}

/// The project with one scene only: what a frame of it depends on.
fn alone(project: &Value, scene: usize) -> Value {
    let mut body = serde_json::Map::new();
    for key in ["orientation", "dictionary", "onAssetError"] {
        if let Some(value) = project.get(key) {
            body.insert(key.to_owned(), value.clone());
        }
    }
    let scene = project.pointer(&format!("/scenes/{scene}")).cloned().unwrap_or_default();
    body.insert("scenes".to_owned(), Value::Array(vec![scene]));
    Value::Object(body)
}

/// A text spoken, as WAV.
pub async fn say(app: &App, text: &str, who: Who) -> Result<Bytes, DeskError> {
    let name = Name::of("say").and(text).and(format!("{who:?}"));
    if let Some(bytes) = kept(app, &name).await {
        return Ok(bytes);
    }
    let bytes = Bytes::from(app.desk.say(text.to_owned(), who).await?.wav);
    keep(app, &name, &bytes).await;
    Ok(bytes)
}

/// The desk's refusals in a page's words.
impl From<DeskError> for Fault {
    fn from(error: DeskError) -> Self {
        let status = match error.code {
            4000..=4999 => StatusCode::UNPROCESSABLE_ENTITY,
            5030 => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, error.message)
    }
}

/// An answer that browsers keep: its address changes when it does.
pub fn answer(bytes: Bytes, media_type: &'static str) -> Response {
    let headers = [(header::CONTENT_TYPE, media_type), (header::CACHE_CONTROL, "private, max-age=604800")];
    (headers, bytes).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_still_depends_on_its_own_scene() {
        let project = json!({"name": "a", "orientation": "portrait", "scenes": [{"sceneIdx": 0}, {"sceneIdx": 1}]});
        assert_eq!(alone(&project, 1), json!({"orientation": "portrait", "scenes": [{"sceneIdx": 1}]}));
        assert_eq!(alone(&project, 7)["scenes"][0], Value::Null);
    }

    #[test]
    fn the_oldest_go_first() {
        let dir = tempfile::tempdir().expect("a folder");
        for name in ["a", "b", "c"] {
            std::fs::write(dir.path().join(name), [0; 10]).expect("writes");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        trim(dir.path(), 20).expect("trims");
        assert!(!dir.path().join("a").exists());
        assert!(dir.path().join("b").exists() && dir.path().join("c").exists());
    }
}
