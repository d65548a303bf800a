//! The editor's page, and what its scripts ask: the body, its revisions, true frames, spoken sentences.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use compere_house::desk::{View, Who};
use compere_house::settings::Megabytes;
use compere_office::{Office, Saved};
use compere_scene::{estimate, timeline};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::web::fault::Fault;
use crate::web::member::Member;
use crate::web::sent::Sent;
use crate::web::shell::{Shell, kept_by_browsers, page};
use crate::web::tongues;
use crate::web::words::{self, FORMATS, RESOLUTIONS};

/// Characters spoken at once as a sample.
const SAMPLE: usize = 600;
/// The editor may use the microphone: somebody may say a script themselves.
const MICROPHONE: &str = "camera=(), microphone=(self), geolocation=()";

pub fn routes() -> Router<Arc<Office>> {
    Router::new()
        .route("/projects/{id}/edit", get(editor))
        .route("/app/projects/{id}/body", get(body_of).put(save))
        .route("/app/projects/{id}/revisions", get(revisions))
        .route("/app/projects/{id}/revisions/{number}/restore", post(restore))
        .route("/app/still", post(still))
        .route("/app/say", post(say))
}

#[derive(Template)]
#[template(path = "editor.html")]
struct Editor {
    shell: Shell,
    id: String,
    name: String,
    upright: bool,
    /// Of each scene, whether one of several speakers is chosen in it: their place is kept before the scripts come, so nothing
    /// jumps. Which scene is opened only browsers know.
    several: String,
    /// Of a recording that is sent.
    most: Megabytes,
}

async fn editor(State(office): State<Arc<Office>>, member: Member, Path(id): Path<String>) -> Result<Response, Fault> {
    let project = office.project(&member.who, &id).await?;
    if project.scene_count == 0 && project.importing.is_some() {
        // Nothing to edit yet: its own page says how far the import is.
        return Ok(Redirect::to(&format!("/projects/{id}")).into_response());
    }
    let upright = project.orientation == compere_media::Orientation::Portrait;
    let shell = Shell::new(&member, "projects", format!("Edit {}", project.name));
    let most = office.settings.limits.asset;
    let several = project.body().map(|body| several(&body)).unwrap_or_default();
    let mut shown = page(&Editor { shell, id, name: project.name, upright, several, most })?;
    shown.headers_mut().insert(HeaderName::from_static("permissions-policy"), HeaderValue::from_static(MICROPHONE));
    Ok(shown)
}

/// A digit for each scene: 1 where several present.
fn several(body: &Value) -> String {
    let presents = |clip: &&Value| clip["type"] == "aiModel" && clip["isDelete"] != true;
    let speakers = |scene: &Value| scene["clips"].as_array().map_or(0, |clips| clips.iter().filter(presents).count());
    let scenes = body["scenes"].as_array().into_iter().flatten();
    scenes.map(|scene| if speakers(scene) > 1 { '1' } else { '0' }).collect()
}

/// What the editor shows beside the body: lengths of the scenes, the languages of their lines, and what an export would be
/// refused for.
fn judged(office: &Office, member: &Member, body: &Value) -> Value {
    let (checked, problems) = match office.judge(&member.who, body) {
        Ok((checked, problems)) => (checked.resolved, problems),
        Err(problems) => {
            let problems: Vec<Value> = problems.iter().map(words::problem).collect();
            return json!({"seconds": [], "problems": problems, "warnings": [], "tongues": []});
        }
    };
    let times = timeline(&checked.film, &estimate(&checked.film));
    let lengths: Vec<f64> = times.scenes.iter().map(|scene| scene.frames.len as f64 / 30.0).collect();
    let tongues = office.tongues(&checked.film);
    // A clash of languages is put right with one click, so its sentence needs no ids of voices.
    let problem = |problem: &compere_scene::Problem| {
        let clash = tongues.iter().find(|tongue| tongue.path == problem.path).and_then(|tongue| tongue.clash.as_ref());
        match clash.map(ToString::to_string).filter(|clash| *clash == problem.message) {
            Some(text) => {
                json!({"path": problem.path, "place": words::place(&problem.path), "text": text, "tongue": true})
            }
            None => words::problem(problem),
        }
    };
    let warning =
        |w: &compere_scene::Warning| json!({"path": w.path, "text": w.message, "place": words::place(&w.path)});
    json!({
        "seconds": lengths,
        "problems": problems.iter().map(problem).collect::<Vec<_>>(),
        "warnings": checked.warnings.iter().map(warning).collect::<Vec<_>>(),
        "language": checked.film.language,
        "tongues": tongues.iter().map(tongues::told).collect::<Vec<_>>(),
    })
}

async fn body_of(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Json<Value>, Fault> {
    let project = office.project(&member.who, &id).await?;
    let body = project.body()?;
    let judged = judged(&office, &member, &body);
    Ok(Json(json!({"revision": project.revision, "name": project.name, "judged": judged, "body": body})))
}

#[derive(Deserialize)]
struct Save {
    revision: i64,
    body: Value,
    #[serde(default)]
    note: String,
}

/// Keeps what was written, also when no film can be made of it yet: the answer says what is missing.
async fn save(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
    Sent(save, _room): Sent<Save>,
) -> Result<Response, Fault> {
    match office.save(&member.who, &id, save.revision, &save.body, &save.note).await? {
        Saved::As(revision) => {
            Ok(Json(json!({"revision": revision, "judged": judged(&office, &member, &save.body)})).into_response())
        }
        Saved::Overtaken(revision) => {
            let told = json!({"error": "The project was changed somewhere else meanwhile.", "revision": revision});
            Ok((StatusCode::CONFLICT, Json(told)).into_response())
        }
    }
}

async fn revisions(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Json<Value>, Fault> {
    let now = office.now();
    let line = |revision: compere_store::Revision| {
        json!({"revision": revision.revision, "note": revision.note, "at": words::exact(revision.created_at),
               "ago": words::ago(revision.created_at, now)})
    };
    let list: Vec<Value> = office.revisions(&member.who, &id).await?.into_iter().map(line).collect();
    Ok(Json(json!({ "revisions": list })))
}

async fn restore(
    State(office): State<Arc<Office>>,
    member: Member,
    Path((id, number)): Path<(String, i64)>,
) -> Result<Json<Value>, Fault> {
    let (revision, body) = office.restore(&member.who, &id, number).await?;
    Ok(Json(json!({"revision": revision, "judged": judged(&office, &member, &body), "body": body})))
}

#[derive(Deserialize)]
struct Frame {
    /// With the one scene that is looked at.
    project: Value,
    /// Seconds into the scene; its best moment where nothing is said.
    at: Option<f64>,
    width: u32,
    /// A picture for the list of scenes: whatever is being edited goes before it.
    #[serde(default)]
    list: bool,
    /// A likeness of presenters who are not baked yet will do: whoever gets one asks again.
    #[serde(default)]
    soon: bool,
}

/// A frame with somebody who is only a likeness.
const SKETCHED: HeaderName = HeaderName::from_static("x-sketched");

/// A frame of what is on the screen, saved or not.
async fn still(
    State(office): State<Arc<Office>>,
    member: Member,
    Sent(frame, _room): Sent<Frame>,
) -> Result<Response, Fault> {
    let (at, width) = (frame.at.map(|at| at.clamp(0.0, 36_000.0)), frame.width.clamp(160, 1920));
    let account = &member.who.account.id;
    let view = View { soon: frame.soon, ..View::of_width(width).at(at) };
    if frame.list {
        return Ok(kept_by_browsers(office.listed(account, &frame.project, view).await?, "image/jpeg"));
    }
    let (picture, sketched) = office.still(account, &frame.project, view).await?;
    let mut answer = kept_by_browsers(picture, "image/jpeg");
    if sketched {
        answer.headers_mut().insert(SKETCHED, HeaderValue::from_static("1"));
    }
    Ok(answer)
}

#[derive(Deserialize)]
struct Line {
    text: String,
    presenter: Option<String>,
    voice: Option<String>,
    language: Option<String>,
    #[serde(default)]
    speed: Option<f64>,
}

async fn say(
    State(office): State<Arc<Office>>,
    member: Member,
    Sent(line, _room): Sent<Line>,
) -> Result<Response, Fault> {
    if line.text.chars().count() > SAMPLE {
        return Err(Fault::bad(format!("Choose at most {SAMPLE} characters to listen to.")));
    }
    let who = match (line.voice, line.presenter) {
        (Some(id), _) => {
            let speed = line.speed.unwrap_or(1.0).clamp(0.5, 2.0);
            Who::Voice { id, speed, language: line.language }
        }
        (None, Some(id)) => Who::Presenter { id, language: line.language },
        (None, None) => return Err(Fault::bad("Choose who speaks first.")),
    };
    Ok(kept_by_browsers(office.say(&member.who.account.id, &line.text, who).await?, "audio/wav"))
}
