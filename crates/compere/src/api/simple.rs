//! One text, one presenter: video on chroma green, or the voice alone.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use compere_scene::Problem;
use compere_store::{Project, ProjectKind};
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::accept::{self, Draft, own_project};
use super::answer::{Data, Flat};
use super::body::{Body, MaybeBody};
use super::error::ApiError;
use super::extract::Path;
use super::gate::Auth;
use super::once::Once;
use super::options;
use super::progress;
use super::schema::{Enveloped, Failures, KeyAnswer, ProjectId, SimpleAudio, SimpleVideo, SimpleVideo3};
use crate::serve::app::App;

pub fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(video)).routes(routes!(audio)).routes(routes!(find)).routes(routes!(video3))
}

/// A presenter alone on chroma green
///
/// The result comes by webhook, progress or `simple/find`.
#[utoipa::path(post, path = "/api/odin/simple/video", tag = "simple", request_body = SimpleVideo,
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = KeyAnswer), Failures))]
async fn video(State(app): State<Arc<App>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&app, &auth, &body.bytes.clone(), {
        let (app, auth) = (Arc::clone(&app), auth.clone());
        async move {
            let project = create(&app, &auth, &body.json, ProjectKind::SimpleVideo, true).await?;
            Ok(Flat(json!({ "key": project.id, "projectId": project.id })).into_response())
        }
    })
    .await
}

/// A presenter's voice
///
/// The result is a WAV file at 48 kHz; it comes by webhook, progress or `simple/find`.
#[utoipa::path(post, path = "/api/odin/simple/audio", tag = "simple", request_body = SimpleAudio,
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = KeyAnswer), Failures))]
async fn audio(State(app): State<Arc<App>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&app, &auth, &body.bytes.clone(), {
        let (app, auth) = (Arc::clone(&app), auth.clone());
        async move {
            let project = create(&app, &auth, &body.json, ProjectKind::SimpleAudio, true).await?;
            Ok(Flat(json!({ "key": project.id, "projectId": project.id })).into_response())
        }
    })
    .await
}

/// A presenter alone on chroma green, latest form
///
/// Not exported unless `isExport` is true.
#[utoipa::path(post, path = "/api/odin/v3/simple/video", tag = "simple", request_body = SimpleVideo3,
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<ProjectId>), Failures))]
async fn video3(State(app): State<Arc<App>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&app, &auth, &body.bytes.clone(), {
        let (app, auth) = (Arc::clone(&app), auth.clone());
        async move {
            let project = create(&app, &auth, &body.json, ProjectKind::SimpleVideo, false).await?;
            Ok(Data(json!({ "projectId": project.id })).into_response())
        }
    })
    .await
}

async fn create(
    app: &Arc<App>,
    auth: &Auth,
    body: &Value,
    kind: ProjectKind,
    by_default: bool,
) -> Result<Project, ApiError> {
    let limits = app.settings.limits.of_scenes();
    let film = match kind {
        ProjectKind::SimpleAudio => compere_scene::simple_audio_to_project(body, &limits, &app.house),
        _ => compere_scene::simple_video_to_project(body, &limits, &app.house),
    };
    let film = film.map_err(|problems| with_options(body, problems))?;
    let (options, checked) = accept::read(app, auth, body, &film).await.map_err(in_words_of_the_request)?;
    let export = options.is_export.unwrap_or(by_default);
    let draft = Draft { kind, film, request: Some(options::kept(body)) };
    accept::create(app, auth, draft, &options, &checked, export).await
}

/// What is wrong with the options too: all of it in one answer.
pub fn with_options(body: &Value, mut problems: Vec<Problem>) -> ApiError {
    problems.append(&mut options::read(body).1);
    ApiError::problems(&problems)
}

/// The project is ours; what is wrong with it stands in the request as `text` or `model`.
pub fn in_words_of_the_request(mut error: ApiError) -> ApiError {
    for (path, _) in &mut error.details {
        if path.starts_with("scenes[0].scripts[0]") {
            *path = "text".to_owned();
        } else if path.starts_with("scenes[0].clips[0]") {
            *path = "model".to_owned();
        }
    }
    error.msg = error.msg.replace("scenes[0].scripts[0]", "text").replace("scenes[0].clips[0]", "model");
    error
}

/// The result of a simple request
#[utoipa::path(post, path = "/api/odin/simple/find/{key}", tag = "simple",
    params(("key" = String, Path, description = "Key of the request")),
    responses((status = 200, description = "Done", body = KeyAnswer), Failures))]
async fn find(
    State(app): State<Arc<App>>,
    auth: Auth,
    Path(key): Path<String>,
    _body: MaybeBody,
) -> Result<Response, ApiError> {
    let project = own_project(&app, &auth, &key).await?;
    Ok(axum::Json(older_progress(&app, &project)).into_response())
}

/// Progress with the words of the older generation, at both levels.
pub fn older_progress(app: &App, project: &Project) -> Value {
    let mut record = progress::record(app, project);
    let url = record["downloadUrl"].clone();
    record["key"] = json!(project.id);
    record["videoUrl"] = url.clone();
    record["url"] = url;
    let mut answer = Flat(record).to_json();
    if let Some(error) = progress::failure(project) {
        answer["success"] = json!(false);
        answer["msg"] = json!(error.msg);
        answer["error"] = error.to_json();
    }
    answer
}
