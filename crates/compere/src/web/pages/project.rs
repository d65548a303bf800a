//! One project: its film, its scenes, its history, and what a program would send to make it.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::get;
use compere_store::{Delivery, Export, ExportState, Project, Try};
use serde_json::Value;

use crate::serve::app::App;
use crate::serve::links::Part;
use crate::slides;
use crate::web::fault::Fault;
use crate::web::order::{FORMATS, RESOLUTIONS};
use crate::web::session::Member;
use crate::web::shell::{Shell, page};
use crate::web::view::{self, Past};
use crate::web::{order, words};

/// Exports in the history.
const HISTORY: i64 = 20;
/// Scenes in the strip; longer films show the first ones.
const STRIP: usize = 60;

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/projects/{id}", get(project))
}

#[derive(Template)]
#[template(path = "project.html")]
struct Page {
    shell: Shell,
    project: Project,
    word: &'static str,
    tone: &'static str,
    stage: Stage,
    files: Vec<File>,
    strip: Vec<Scene>,
    more_scenes: usize,
    facts: Vec<(&'static str, String)>,
    warnings: Vec<String>,
    /// The document that it was made of: link and kind.
    original: Option<(String, String)>,
    history: Vec<Past>,
    mail: Vec<(Delivery, Vec<Try>)>,
    base: String,
    now: i64,
    picture: Option<String>,
    upright: bool,
    /// There are scenes to edit and to export: an import that goes on, or failed, has none.
    workable: bool,
}

/// What stands at the top of the page.
enum Stage {
    Film {
        film: String,
        poster: Option<String>,
        captions: Option<String>,
        sound: bool,
    },
    Busy {
        export: String,
        doing: &'static str,
        progress: f64,
        left: Option<String>,
    },
    Failed {
        reason: String,
        scene: Option<usize>,
        credits: bool,
        import: bool,
    },
    Importing {
        progress: f64,
    },
    Draft,
    Cancelled,
    /// There was a film; its files were removed to make room.
    Swept,
}

struct File {
    title: &'static str,
    note: String,
    url: String,
    name: String,
}

struct Scene {
    number: usize,
    picture: String,
    script: String,
    /// Second of the film that is on the page.
    start: Option<f64>,
}

pub async fn owned(app: &App, member: &Member, id: &str) -> Result<Project, Fault> {
    app.store.project(&member.account.id, id).await?.ok_or_else(|| Fault::missing("project"))
}

async fn project(State(app): State<Arc<App>>, member: Member, Path(id): Path<String>) -> Result<Response, Fault> {
    let project = owned(&app, &member, &id).await?;
    let body = project.body()?;
    let exports = app.store.exports_of(&id, HISTORY).await?;
    let mut mail = Vec::new();
    for export in &exports {
        mail.extend(app.store.deliveries_of(&export.id).await?);
    }
    let (word, tone) = words::state(&view::shown_state(&project));
    let scenes = body["scenes"].as_array().map_or(&[][..], Vec::as_slice);
    let starts = starts(&project, scenes.len());
    let strip = scenes.iter().take(STRIP).enumerate();
    let strip = strip.map(|(at, scene)| strip_scene(&project, at, scene, starts.get(at).copied()));
    page(&Page {
        shell: Shell::new(&member, "projects", project.name.clone()),
        word,
        tone,
        stage: stage(&app, &project),
        files: files(&app, &project),
        strip: strip.collect(),
        more_scenes: scenes.len().saturating_sub(STRIP),
        facts: facts(&app, &project, &body),
        warnings: slides::warnings(&body).into_iter().chain(warnings(project.export.as_ref())).collect(),
        original: slides::original(&body),
        history: exports.iter().map(|export| Past::of(&app, export)).collect(),
        mail,
        base: app.settings.base_url(),
        now: app.store.now(),
        picture: (!scenes.is_empty()).then(|| view::scene_picture(&project.id, project.revision, 0)),
        upright: project.orientation == "portrait",
        workable: !scenes.is_empty() || project.importing.is_none(),
        project,
    })
}

fn stage(app: &App, project: &Project) -> Stage {
    let Some(export) = &project.export else { return unexported(project) };
    match export.state {
        ExportState::Exported => played(app, export).unwrap_or(Stage::Swept),
        ExportState::Failed => {
            let reason = export.error.clone().unwrap_or_else(|| "The reason was not written down.".to_owned());
            let scene = view::blamed_scene(&reason);
            let credits = export.error_code == Some(4020);
            Stage::Failed { reason: view::said(&reason), scene, credits, import: false }
        }
        ExportState::Cancelled => Stage::Cancelled,
        state => {
            let doing = words::step(state, &export.step);
            let left = left(export, app.store.now());
            Stage::Busy { export: export.id.clone(), doing, progress: export.progress, left }
        }
    }
}

fn unexported(project: &Project) -> Stage {
    let Some(import) = view::importing(project) else { return Stage::Draft };
    if import["state"] == "failed" {
        let reason = import["error"].as_str().unwrap_or("The document could not be read.").to_owned();
        return Stage::Failed { reason, scene: None, credits: false, import: true };
    }
    Stage::Importing { progress: import["progress"].as_f64().unwrap_or_default() }
}

fn played(app: &App, export: &Export) -> Option<Stage> {
    let made = export.made.as_ref().filter(|_| export.swept_at.is_none())?;
    let file = |part, name: &str| view::file(app, &export.id, part, name);
    Some(Stage::Film {
        film: file(Part::Film, &made.file_name),
        poster: made.poster.then(|| file(Part::Poster, "poster.jpg")),
        captions: made.captions.then(|| file(Part::Vtt, "captions.vtt")),
        sound: export.format == "wav",
    })
}

/// How long it may take still, from how long it took so far.
fn left(export: &Export, now: i64) -> Option<String> {
    let since = (now - export.started_at?) as f64 / 1000.0;
    if export.progress < 5.0 || since < 3.0 {
        return None;
    }
    Some(words::length(since * (100.0 - export.progress) / export.progress))
}

fn files(app: &App, project: &Project) -> Vec<File> {
    let Some(export) = project.export.as_ref().filter(|export| export.swept_at.is_none()) else { return Vec::new() };
    let Some(made) = &export.made else { return Vec::new() };
    let bare = made.file_name.rsplit_once('.').map_or(made.file_name.as_str(), |(bare, _)| bare);
    let file = |title, note: String, part, name: String| File {
        title,
        note,
        url: view::file(app, &export.id, part, &name),
        name,
    };
    let title = if export.format == "wav" { "Sound" } else { "Film" };
    let note = format!("{}, {}", export.format.to_uppercase(), words::size(made.size as i64));
    let mut files = vec![file(title, note, Part::Film, made.file_name.clone())];
    if made.captions {
        files.push(file("Captions", "WebVTT, for the web".to_owned(), Part::Vtt, format!("{bare}.vtt")));
        files.push(file("Captions", "SRT, for players".to_owned(), Part::Srt, format!("{bare}.srt")));
    }
    if made.poster {
        files.push(file("Poster", "JPEG".to_owned(), Part::Poster, format!("{bare}.jpg")));
    }
    files
}

/// Where the scenes begin in the film on the page. Scenes may have come and gone since it was made; then nobody knows.
fn starts(project: &Project, scenes: usize) -> &[f64] {
    let export = project.export.as_ref().filter(|export| export.swept_at.is_none());
    let starts = export.and_then(|export| export.made.as_ref()).map_or(&[][..], |made| &made.starts);
    if starts.len() == scenes { starts } else { &[] }
}

fn strip_scene(project: &Project, at: usize, scene: &Value, start: Option<f64>) -> Scene {
    let script = scene.pointer("/scripts/0/org").and_then(Value::as_str).unwrap_or_default();
    let parts = compere_scene::parts(script);
    let script: String = compere_scene::written(&parts).chars().take(140).collect();
    Scene { number: at + 1, picture: view::scene_picture(&project.id, project.revision, at), script, start }
}

fn facts(app: &App, project: &Project, body: &Value) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let made = project.export.as_ref().and_then(|export| export.made.as_ref());
    match made {
        Some(made) => {
            facts.push(("Length", words::length(made.duration)));
            if made.width > 0 {
                facts.push(("Picture", format!("{} × {}", made.width, made.height)));
            }
            facts.push(("Size", words::size(made.size as i64)));
        }
        None => {
            if let Ok(resolved) = order::read(app, body) {
                facts.push(("Length", format!("about {}", words::length(order::length(&resolved)))));
            }
        }
    }
    if let Some(credits) = project.export.as_ref().and_then(|export| export.credits) {
        facts.push(("Credits", words::grouped(credits)));
    }
    if project.scene_count > 0 {
        facts.push(("Scenes", words::grouped(project.scene_count)));
    }
    facts.push(("Format", if project.orientation == "portrait" { "Portrait" } else { "Landscape" }.to_owned()));
    facts.push(("Made", words::day(project.created_at)));
    facts
}

fn warnings(export: Option<&Export>) -> Vec<String> {
    let Some(export) = export else { return Vec::new() };
    let accepted: Vec<Value> = serde_json::from_str(&export.warnings).unwrap_or_default();
    let made = export.made.as_ref().map_or(&[][..], |made| &made.warnings);
    let mut texts: Vec<String> = Vec::new();
    for warning in accepted.iter().chain(made) {
        let text = match (warning["path"].as_str(), warning["message"].as_str()) {
            (Some(path), Some(message)) => format!("{}{message}", order::place(path)),
            _ => view::said(warning.as_str().unwrap_or_default()),
        };
        if !text.is_empty() && !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}
