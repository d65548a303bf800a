//! One project: its film, its scenes, its history, and what a program would send to make it.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::get;
use compere_media::{Format, Orientation};
use compere_office::{Office, State as Now, seconds_left};
use compere_speech::language_name;
use compere_store::{Delivery, Export, ExportState, Product, Project, Try};
use serde_json::Value;

use crate::web::fault::Fault;
use crate::web::member::Member;
use crate::web::shell::{Shell, page};
use crate::web::tongues::of_captions;
use crate::web::view::{self, Past};
use crate::web::words::{self, FORMATS, RESOLUTIONS};

/// Exports in the history.
const HISTORY: i64 = 20;
/// Scenes in the strip; longer films show the first ones.
const STRIP: usize = 60;

pub fn routes() -> Router<Arc<Office>> {
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
    /// The project was edited after the film on the page was made.
    changed: bool,
    files: Vec<File>,
    strip: Vec<Scene>,
    more_scenes: usize,
    facts: Vec<(&'static str, String)>,
    warnings: Vec<String>,
    /// What the latest version of its document changed.
    changes: Vec<String>,
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
        captions: Option<Track>,
        /// Where its chapters begin.
        chapters: Option<String>,
        sound: bool,
    },
    Busy {
        export: String,
        doing: &'static str,
        progress: f64,
        left: Option<String>,
        /// What is drawn of it can be watched here.
        stream: Option<String>,
    },
    Failed {
        reason: String,
        scene: Option<usize>,
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

/// Captions as players are told of them.
struct Track {
    file: String,
    language: String,
    label: String,
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
    /// What its chapter is called.
    name: String,
    script: String,
    /// Second of the film that is on the page.
    start: Option<f64>,
}

async fn project(State(office): State<Arc<Office>>, member: Member, Path(id): Path<String>) -> Result<Response, Fault> {
    let project = office.project(&member.who, &id).await?;
    let body = project.body()?;
    let (exports, mail) = office.history(&member.who, &id, &compere_store::Page::newest(HISTORY)).await?;
    let (word, tone) = words::state(project.state());
    let scenes = body["scenes"].as_array().map_or(&[][..], Vec::as_slice);
    let starts = starts(&project, scenes.len());
    let shown = match project.export.as_ref().filter(|export| export.made.is_some()) {
        Some(export) => Some(office.shown(export).await?),
        None => None,
    };
    let stage = stage(&office, &project, shown.as_ref());
    let played = matches!(stage, Stage::Film { .. });
    let strip = scenes.iter().take(STRIP).enumerate();
    let strip = strip.map(|(at, scene)| strip_scene(&project, at, scene, starts.get(at).copied()));
    page(&Page {
        shell: Shell::new(&member, "projects", project.name.clone()),
        word,
        tone,
        stage,
        changed: played && office.has_outgrown(&member.who, &project).await?,
        files: files(&office, &project),
        strip: strip.collect(),
        more_scenes: scenes.len().saturating_sub(STRIP),
        facts: facts(&office, &project, &body),
        warnings: compere_office::warnings(&body).into_iter().chain(warnings(project.export.as_ref())).collect(),
        changes: compere_office::changes(&body),
        original: compere_office::original(&body),
        history: exports.iter().map(|export| Past::of(&office, export)).collect(),
        mail,
        base: office.settings.base_url(),
        now: office.now(),
        picture: (!scenes.is_empty()).then(|| view::scene_picture(&project.id, project.revision, 0)),
        upright: project.orientation == Orientation::Portrait,
        workable: !scenes.is_empty() || project.importing.is_none(),
        project,
    })
}

fn stage(office: &Office, project: &Project, shown: Option<&Value>) -> Stage {
    let (state, Some(export)) = (Now::of(project), &project.export) else { return unexported(Now::of(project)) };
    match state {
        Now::Export(ExportState::Exported) => played(office, export, shown).unwrap_or(Stage::Swept),
        Now::Export(ExportState::Failed) => {
            let reason = export.error.clone().unwrap_or_else(|| "The reason was not written down.".to_owned());
            let scene = view::blamed_scene(&reason);
            Stage::Failed { reason: view::said(&reason), scene, import: false }
        }
        Now::Export(ExportState::Cancelled) => Stage::Cancelled,
        Now::Export(state) => {
            let doing = words::step(state, export.activity);
            let left = seconds_left(export, office.now()).map(words::length);
            let stream = office.progress(project).stream.map(|link| view::here(office, link));
            Stage::Busy { export: export.id.clone(), doing, progress: export.progress, left, stream }
        }
        other => unexported(other),
    }
}

fn unexported(state: Now) -> Stage {
    match state {
        Now::ImportFailed { reason, .. } => Stage::Failed { reason, scene: None, import: true },
        Now::Importing { percent } => Stage::Importing { progress: percent },
        Now::Draft | Now::Export(_) => Stage::Draft,
    }
}

fn played(office: &Office, export: &Export, shown: Option<&Value>) -> Option<Stage> {
    let made = export.made.as_ref().filter(|_| export.swept_at.is_none())?;
    let file = |part| Some(view::file(office, &export.id, part, made.name_of(part)?));
    Some(Stage::Film {
        film: file(Product::Film)?,
        poster: file(Product::Poster),
        captions: file(Product::Vtt).map(|file| track(office, &export.account, shown, file)),
        chapters: file(Product::Chapters),
        sound: export.order.format == Format::Wav,
    })
}

fn track(office: &Office, account: &str, shown: Option<&Value>, file: String) -> Track {
    let film = shown.and_then(|body| office.resolve(account, body).ok()).map(|resolved| resolved.film);
    let languages = of_captions(&film.map_or_else(Vec::new, |film| office.tongues(&film)));
    let label = languages.iter().map(|tag| language_name(tag)).collect::<Vec<_>>().join(", ");
    Track { file, language: languages[0].clone(), label }
}

fn files(office: &Office, project: &Project) -> Vec<File> {
    let Some(export) = project.export.as_ref().filter(|export| export.swept_at.is_none()) else { return Vec::new() };
    let Some(made) = &export.made else { return Vec::new() };
    let bare = made.file_name.rsplit_once('.').map_or(made.file_name.as_str(), |(bare, _)| bare);
    let file = |title, note: String, part, name: String| File {
        title,
        note,
        url: view::file(office, &export.id, part, &name),
        name,
    };
    let title = if export.order.format == Format::Wav { "Sound" } else { "Film" };
    let note = format!("{}, {}", export.order.format.as_str().to_uppercase(), words::size(made.size as i64));
    let mut files = vec![file(title, note, Product::Film, made.file_name.clone())];
    if made.captions {
        files.push(file("Captions", "WebVTT, for the web".to_owned(), Product::Vtt, format!("{bare}.vtt")));
        files.push(file("Captions", "SRT, for players".to_owned(), Product::Srt, format!("{bare}.srt")));
    }
    if made.name_of(Product::Chapters).is_some() {
        let name = format!("{bare}.chapters.vtt");
        files.push(file("Chapters", "WebVTT, for the web".to_owned(), Product::Chapters, name));
    }
    if made.poster {
        files.push(file("Poster", "JPEG".to_owned(), Product::Poster, format!("{bare}.jpg")));
    }
    files
}

/// Where the scenes begin in the film on the page. Scenes may have come and gone since it was made; then nobody knows.
fn starts(project: &Project, scenes: usize) -> &[f64] {
    let export = project.export.as_ref().filter(|export| export.swept_at.is_none());
    let starts = export.and_then(|export| export.made.as_ref()).map_or(&[][..], |made| &made.cut.starts);
    if starts.len() == scenes { starts } else { &[] }
}

fn strip_scene(project: &Project, at: usize, scene: &Value, start: Option<f64>) -> Scene {
    let script = scene.pointer("/scripts/0/org").and_then(Value::as_str).unwrap_or_default();
    let parts = compere_scene::parts(script);
    let script: String = compere_scene::written(&parts).chars().take(140).collect();
    let name = scene["name"].as_str().unwrap_or_default().trim().chars().take(80).collect();
    Scene { number: at + 1, picture: view::scene_picture(&project.id, project.revision, at), name, script, start }
}

fn facts(office: &Office, project: &Project, body: &Value) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let made = project.export.as_ref().and_then(|export| export.made.as_ref());
    match made {
        Some(made) => {
            facts.push(("Length", words::length(made.cut.duration)));
            if made.cut.width > 0 {
                facts.push(("Picture", format!("{} × {}", made.cut.width, made.cut.height)));
            }
            facts.push(("Size", words::size(made.size as i64)));
        }
        None => {
            if let Ok(resolved) = office.resolve(&project.account, body) {
                facts.push(("Length", format!("about {}", words::length(compere_office::length(&resolved)))));
            }
        }
    }
    if let Some(credits) = project.export.as_ref().and_then(|export| export.credits) {
        facts.push(("Credits", words::grouped(credits)));
    }
    if project.scene_count > 0 {
        facts.push(("Scenes", words::grouped(project.scene_count)));
    }
    facts.push((
        "Format",
        if project.orientation == Orientation::Portrait { "Portrait" } else { "Landscape" }.to_owned(),
    ));
    facts.push(("Made", words::day(project.created_at)));
    facts
}

fn warnings(export: Option<&Export>) -> Vec<String> {
    let Some(export) = export else { return Vec::new() };
    let mut texts: Vec<String> = Vec::new();
    for warning in compere_office::warned(export, export.made.as_ref()) {
        let text = match (warning["path"].as_str(), warning["message"].as_str()) {
            (Some(path), Some(message)) => format!("{}{message}", words::place(path)),
            _ => view::said(warning.as_str().unwrap_or_default()),
        };
        if !text.is_empty() && !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}
