//! Documents that become projects: by the API and by the dashboard alike.
//!
//! A document is read beside everything else. Whoever sent it waits for a while; a document that takes longer leaves a
//! project behind that is importing and fills in, or fails with its reason. One that fails at once leaves nothing.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use compere_codec::sandbox::Sandbox;
use compere_compose::draw::Fonts;
use compere_import::{ClipWhat, Deck, ImportError, ImportErrorKind, Presenter, Progress, Want, deck_to_project};
use compere_store::{Account, Key, NewProject, Project, ProjectKind, StoreError, new_id};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::home::font_dirs;
use crate::serve::app::App;

/// LibreOffice is large: one document at a time.
static READING: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(1));

/// A document as it was sent.
#[derive(Debug)]
pub struct Sent {
    pub file: tempfile::TempPath,
    /// What its project shall be called, rather than as the document says.
    pub name: Option<String>,
    /// As the sender's machine calls it.
    pub file_name: String,
    pub account: Account,
    pub workspace: Option<String>,
    /// Whether texts and pictures of a PPTX shall be clips of their own.
    pub editable: bool,
}

/// Why there is no project: a code of the interface, and a sentence.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub code: i64,
    pub message: String,
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self { code: 5030, message: error.to_string() }
    }
}

impl From<ImportError> for Refusal {
    fn from(error: ImportError) -> Self {
        let code = match error.kind {
            ImportErrorKind::WrongType => 4150,
            ImportErrorKind::Unreadable => 4220,
            ImportErrorKind::TooLarge => 4130,
            ImportErrorKind::Unavailable => 5030,
            ImportErrorKind::Cancelled | ImportErrorKind::Internal => 5000,
        };
        Self { code, message: error.sentence }
    }
}

fn inside(error: impl std::fmt::Display) -> Refusal {
    Refusal { code: 5000, message: error.to_string() }
}

/// Reads a document. After `patience` the project is given back as it is then: importing.
pub async fn import(app: &Arc<App>, sent: Sent, patience: Duration) -> Result<Project, Refusal> {
    let id = new_id(app.store.now());
    let bare = Path::new(&sent.file_name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = sent.name.clone().or(bare.clone()).unwrap_or_else(|| "Slides".to_owned());
    let new = NewProject {
        id: Some(id.clone()),
        account: sent.account.id.clone(),
        workspace: sent.workspace.clone(),
        name: name.chars().take(200).collect(),
        orientation: "landscape".to_owned(),
        kind: ProjectKind::Slides,
        body: json!({ "name": name, "orientation": "landscape", "scenes": [] }),
        request: None,
        callback_id: None,
        importing: Some(json!({ "state": "importing", "progress": 0 }).to_string()),
    };
    app.store.create_project(new).await?;
    let (account, work) = (sent.account.id.clone(), tokio::spawn(read(Arc::clone(app), id.clone(), sent, bare)));
    match tokio::time::timeout(patience, work).await {
        Err(_) => {}
        Ok(done) => {
            if let Err(refusal) = done.map_err(inside).flatten() {
                app.store.delete_projects(&account, std::slice::from_ref(&id)).await?;
                return Err(refusal);
            }
        }
    }
    app.store.any_project(&id).await?.ok_or_else(|| inside("the project was deleted meanwhile"))
}

/// Reads it and fills the project in, or writes down why not.
async fn read(app: Arc<App>, id: String, sent: Sent, bare: Option<String>) -> Result<(), Refusal> {
    let done = fill(&app, &id, sent, bare).await;
    let told = done.as_ref().err().map(|refusal| {
        tracing::warn!(project = id, code = refusal.code, refusal.message, "an import failed");
        json!({ "state": "failed", "progress": 0, "error": refusal.message, "code": refusal.code }).to_string()
    });
    app.store.set_importing(&id, told.as_deref()).await?;
    done
}

async fn fill(app: &Arc<App>, id: &str, sent: Sent, bare: Option<String>) -> Result<(), Refusal> {
    let _turn = READING.acquire().await.map_err(inside)?;
    let out = app.home.data.join("imports").join(id);
    let _cleared = Cleared(out.clone());
    let (told, progress) = tokio::sync::watch::channel(0.0);
    let telling = tokio::spawn(tell(Arc::clone(app), id.to_owned(), progress));
    let mut want = Want::new(compere_speech::language_of);
    want.limits.bytes = app.settings.limits.document * 1_000_000;
    want.limits.slides = app.settings.limits.slides as usize;
    let (file, folder, stopping, editable) = (sent.file, out.clone(), app.stopping.clone(), sent.editable);
    let reading = tokio::task::spawn_blocking(move || {
        if editable {
            // A service without fonts makes no films; its slides are pictures like all others.
            want.editable = Fonts::open(&font_dirs()).ok().map(Arc::new);
        }
        let sandbox = Sandbox::detect(std::env::current_exe().unwrap_or_default());
        let watch = |progress: Progress| {
            told.send_replace(progress.percent());
            if *stopping.borrow() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        compere_import::import(&file, &want, &folder, &sandbox, &watch).map(|deck| (deck, file))
    });
    let (deck, file) = reading.await.map_err(inside)??;
    // Its last word is ours.
    let _ = telling.await;
    app.objects.put_file(&Key::Source(id.to_owned()), &file).await?;
    keep(app, id, &sent.account, sent.name.or(if deck.title.is_some() { None } else { bare }), deck).await
}

/// Writes progress down, not more often than anybody looks.
async fn tell(app: Arc<App>, id: String, mut progress: tokio::sync::watch::Receiver<f64>) {
    while progress.changed().await.is_ok() {
        let percent = progress.borrow_and_update().floor();
        let told = json!({ "state": "importing", "progress": percent }).to_string();
        if let Err(error) = app.store.set_importing(&id, Some(&told)).await {
            tracing::warn!(%error, "progress of an import was not written");
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// The deck's pictures into the object store, and the project's body in one go.
async fn keep(app: &App, id: &str, account: &Account, name: Option<String>, deck: Deck) -> Result<(), Refusal> {
    let mut names: HashMap<PathBuf, String> = HashMap::new();
    for (at, slide) in deck.slides.iter().enumerate() {
        let (number, ending) = (at as u32 + 1, extension(&slide.picture));
        names.insert(slide.picture.clone(), format!("slide-{number}.{ending}"));
        names.insert(slide.thumbnail.clone(), format!("thumb-{number}.jpg"));
        app.objects.put_file(&Key::Slide(id.to_owned(), number, ending), &slide.picture).await?;
        app.objects.put_file(&Key::Thumbnail(id.to_owned(), number), &slide.thumbnail).await?;
    }
    let images = deck.slides.iter().flat_map(|slide| &slide.clips).filter_map(|clip| match &clip.what {
        ClipWhat::Picture(path) => Some(path),
        ClipWhat::Text(_) => None,
    });
    // Pictures that stood on slides are counted on after the slides.
    for (number, path) in (deck.slides.len() as u32 + 1..).zip(images) {
        let ending = extension(path);
        names.insert(path.clone(), format!("slide-{number}.{ending}"));
        app.objects.put_file(&Key::Slide(id.to_owned(), number, ending), path).await?;
    }
    let link = |path: &Path| names.get(path).map(|name| app.links.slide(id, name)).unwrap_or_default();
    let mut body = deck_to_project(&deck, &link, name.as_deref(), &presenter(app, account));
    body["originalUrl"] = json!(app.links.slide(id, &format!("original.{}", deck.kind.name())));
    if !deck.warnings.is_empty() {
        let warnings: Vec<String> = deck.warnings.iter().map(ToString::to_string).collect();
        body["importWarnings"] = json!(warnings);
    }
    let project = app.store.any_project(id).await?.ok_or_else(|| inside("the project was deleted meanwhile"))?;
    let edited = app.store.edit_project(&account.id, id, project.revision, &body, "imported").await?;
    edited.map(|_| ()).ok_or_else(|| inside("the project was changed while it was imported"))
}

fn extension(picture: &Path) -> String {
    match picture.extension().and_then(|ending| ending.to_str()) {
        Some("jpg" | "jpeg") => "jpg",
        _ => "png",
    }
    .to_owned()
}

/// The account's own, else the first of the cast.
fn presenter(app: &App, account: &Account) -> Presenter {
    let own = account.presenter.as_deref().and_then(|id| app.cast.get(id)).map(|presenter| presenter.info().clone());
    let info = own.or_else(|| app.cast.list().first().cloned());
    let outfit = |info: &compere_avatar::PresenterInfo| {
        let chosen = info.outfit(account.outfit.as_deref().unwrap_or_default()).unwrap_or(0);
        info.outfits.get(chosen).map(|outfit| outfit.id.clone()).unwrap_or_default()
    };
    info.map_or_else(
        || Presenter { model: String::new(), cloth: String::new() },
        |info| Presenter { cloth: outfit(&info), model: info.id },
    )
}

/// A folder that is gone when the work in it is over.
struct Cleared(PathBuf);

impl Drop for Cleared {
    fn drop(&mut self) {
        // What cannot be removed now is removed with the data folder.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What is known of an import, as `{state, progress, error?, code?}`.
pub fn state(project: &Project) -> Option<Value> {
    project.importing.as_deref().and_then(|text| serde_json::from_str(text).ok())
}

/// What the author should know about an imported project.
pub fn warnings(body: &Value) -> Vec<String> {
    let list = body["importWarnings"].as_array().map_or(&[][..], Vec::as_slice);
    list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Where the document lies that a project was made of, and what it is.
pub fn original(body: &Value) -> Option<(String, String)> {
    let link = body["originalUrl"].as_str()?;
    let (_, ending) = link.rsplit_once('.')?;
    Some((link.to_owned(), ending.to_uppercase()))
}
