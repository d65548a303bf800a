//! How far an export is: asked for again and again, or told as it happens.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use compere_jobs::Change;
use compere_store::{Export, ExportState, Project};
use futures_util::Stream;
use serde_json::{Value, json};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::accept::own_project;
use super::answer::{date, number};
use super::error::{ApiError, Kind};
use super::extract::Path;
use super::gate::Auth;
use super::schema::{Enveloped, Failures, Progress};
use crate::serve::app::App;
use crate::serve::links::Part;

pub fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(read)).routes(routes!(events))
}

/// Ask how far an export is
///
/// A failed export answers with status 200, `success` false and error 5010, so that every polling loop ends.
#[utoipa::path(get, path = "/api/odin/v3/editor/progress/{id}", tag = "exports",
    params(("id" = String, Path, description = "Id of the project")),
    responses((status = 200, description = "Done", body = Enveloped<Progress>), Failures))]
async fn read(State(app): State<Arc<App>>, auth: Auth, Path(id): Path<String>) -> Result<Response, ApiError> {
    let project = own_project(&app, &auth, &id).await?;
    Ok(axum::Json(answer(&app, &project)).into_response())
}

/// The whole answer, with the failure in the envelope where there is one.
pub fn answer(app: &App, project: &Project) -> Value {
    let data = record(app, project);
    match failure(project) {
        None => json!({ "success": true, "data": data }),
        Some(error) => json!({ "success": false, "error": error.to_json(), "data": data }),
    }
}

/// Why there will be no film.
pub fn failure(project: &Project) -> Option<ApiError> {
    if let Some(state) = import(project).filter(|import| import["state"] == "failed") {
        let kind = Kind::of_number(state["code"].as_i64().unwrap_or(5000));
        return Some(ApiError::new(kind, state["error"].as_str().unwrap_or("the import failed")));
    }
    let export = project.export.as_ref()?;
    match export.state {
        ExportState::Failed => {
            let reason = export.error.clone().unwrap_or_else(|| "the export failed".to_owned());
            Some(ApiError::new(Kind::ExportFailed, reason))
        }
        ExportState::Cancelled => Some(ApiError::new(Kind::ExportFailed, "the export was cancelled")),
        _ => None,
    }
}

fn import(project: &Project) -> Option<Value> {
    serde_json::from_str(project.importing.as_deref()?).ok()
}

/// The state in a word; a failed import is `failed`.
pub fn state(project: &Project) -> &str {
    match import(project) {
        Some(import) if import["state"] == "failed" => "failed",
        _ => project.state(),
    }
}

/// 0 to 100; 100 only when the film can be had.
pub fn percent(project: &Project) -> f64 {
    if let Some(import) = import(project) {
        return import["progress"].as_f64().unwrap_or(0.0).clamp(0.0, 99.0);
    }
    match &project.export {
        Some(export) if export.state == ExportState::Exported => 100.0,
        Some(export) => export.progress.clamp(0.0, 99.0),
        None => 0.0,
    }
}

fn finished(export: Option<&Export>) -> Option<&Export> {
    export.filter(|export| export.state == ExportState::Exported && export.swept_at.is_none())
}

/// Where the film can be had, once it can.
pub fn download(app: &App, export: Option<&Export>) -> Option<String> {
    let export = finished(export)?;
    Some(app.links.download(&export.id, Part::Film, &export.made.as_ref()?.file_name, app.store.now()))
}

pub fn thumbnail(app: &App, export: Option<&Export>) -> Option<String> {
    let export = finished(export)?;
    let made = export.made.as_ref()?;
    made.poster.then(|| app.links.download(&export.id, Part::Poster, "poster.jpg", app.store.now()))
}

pub fn captions(app: &App, export: Option<&Export>) -> Option<String> {
    let export = finished(export)?;
    let made = export.made.as_ref()?;
    made.captions.then(|| app.links.download(&export.id, Part::Vtt, "captions.vtt", app.store.now()))
}

/// The fields of a progress record.
pub fn record(app: &App, project: &Project) -> Value {
    let export = project.export.as_ref();
    let made = finished(export).and_then(|export| export.made.as_ref());
    let mut warnings: Vec<Value> =
        export.and_then(|export| serde_json::from_str(&export.warnings).ok()).unwrap_or_default();
    for warning in made.map(|made| made.warnings.as_slice()).unwrap_or_default() {
        if !warnings.contains(warning) {
            warnings.push(warning.clone());
        }
    }
    let mut record = json!({
        "state": state(project), "progress": number(percent(project)), "downloadUrl": download(app, export),
        "projectId": project.id, "startedAt": export.and_then(|export| export.started_at).map(date),
        "finishedAt": export.and_then(|export| export.finished_at).map(date),
        "etaSeconds": eta(export, app.store.now()), "step": export.map(|export| &export.step),
        "duration": made.map(|made| made.duration), "thumbnailUrl": thumbnail(app, export),
        "captionsUrl": captions(app, export), "sizeBytes": made.map(|made| made.size),
        "backendTaskId": export.map(|export| &export.id), "callbackId": callback(project), "warnings": warnings,
    });
    if let Some(made) = made.filter(|made| !made.meta_list.is_null()) {
        record["metaList"] = made.meta_list.clone();
    }
    record
}

fn callback(project: &Project) -> Option<&str> {
    let asked = project.export.as_ref().and_then(|export| export.callback_id.as_deref());
    asked.or(project.callback_id.as_deref())
}

/// Seconds that are left, judged by those that went. Nothing is said of the first steps: they tell nothing.
fn eta(export: Option<&Export>, now: i64) -> Option<i64> {
    let export = export?;
    let started = export.started_at.filter(|_| export.state.is_running())?;
    let went = (now - started).max(0) as f64 / 1000.0;
    (export.progress >= 5.0).then(|| (went * (100.0 - export.progress) / export.progress).ceil() as i64)
}

/// Follow an export as it happens
///
/// Server-sent events: `progress` with the record after every change, until the export is over.
#[utoipa::path(get, path = "/api/odin/v3/editor/progress/{id}/events", tag = "exports",
    params(("id" = String, Path, description = "Id of the project")),
    responses((status = 200, description = "A stream of progress records", body = String, content_type = "text/event-stream"), Failures))]
async fn events(State(app): State<Arc<App>>, auth: Auth, Path(id): Path<String>) -> Result<Response, ApiError> {
    // Listening first: what happens while the project is read is told after it.
    let changes = app.engine.changes();
    own_project(&app, &auth, &id).await?;
    let follower = Follower {
        stopping: app.stopping.clone(),
        app,
        account: auth.account.id,
        id,
        changes,
        last: None,
        over: false,
    };
    let stream = futures_util::stream::unfold(follower, Follower::next);
    Ok(sse(stream).into_response())
}

fn sse(stream: impl Stream<Item = Result<Event, Infallible>> + Send + 'static) -> impl IntoResponse {
    Sse::new(stream).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)))
}

struct Follower {
    app: Arc<App>,
    account: String,
    id: String,
    changes: Receiver<Change>,
    stopping: watch::Receiver<bool>,
    last: Option<Value>,
    over: bool,
}

impl Follower {
    /// The next record that differs from the last one told.
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        loop {
            if self.over || *self.stopping.borrow() {
                return None;
            }
            // Gone, or for a moment not readable: either way there is nothing more to tell on this stream.
            let project = self.app.store.project(&self.account, &self.id).await.ok()??;
            let answer = answer(&self.app, &project);
            self.over =
                project.export.as_ref().is_none_or(|export| export.state.is_over()) && project.importing.is_none();
            if self.last.as_ref() != Some(&answer) {
                self.last = Some(answer.clone());
                return Some((Ok(Event::default().event("progress").data(answer.to_string())), self));
            }
            if !self.over {
                self.wait().await;
            }
        }
    }

    /// Until something of this project changed, the service stops, or a while has passed.
    async fn wait(&mut self) {
        let change = async {
            loop {
                match self.changes.recv().await {
                    Ok(change) if change.project == self.id => return,
                    Ok(_) => {}
                    Err(RecvError::Lagged(_)) => return,
                    Err(RecvError::Closed) => std::future::pending().await,
                }
            }
        };
        tokio::select! {
            () = change => {}
            _ = self.stopping.changed() => {}
            () = tokio::time::sleep(Duration::from_secs(10)) => {}
        }
    }
}
