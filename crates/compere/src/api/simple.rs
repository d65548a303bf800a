//! One text, one presenter: video on chroma green, or the voice alone.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use compere_office::Office;
use compere_store::{Project, ProjectKind};
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::{Data, Flat};
use super::body::{Body, MaybeBody};
use super::error::ApiError;
use super::extract::Path;
use super::gate::Auth;
use super::once::Once;
use super::progress;
use super::schema::{Enveloped, Failures, KeyAnswer, ProjectId, SimpleAudio, SimpleVideo, SimpleVideo3};

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new().routes(routes!(video)).routes(routes!(audio)).routes(routes!(find)).routes(routes!(video3))
}

/// A presenter alone on chroma green
///
/// The result comes by webhook, progress or `simple/find`.
#[utoipa::path(post, path = "/api/odin/simple/video", tag = "simple", request_body = SimpleVideo,
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = KeyAnswer), Failures))]
async fn video(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let project = office.create_simple(&auth, &body.json, ProjectKind::SimpleVideo, true).await?;
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
async fn audio(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let project = office.create_simple(&auth, &body.json, ProjectKind::SimpleAudio, true).await?;
            Ok(Flat(json!({ "key": project.id, "projectId": project.id })).into_response())
        }
    })
    .await
}

/// A presenter alone on chroma green, latest form
///
/// Exported unless `isExport` is false.
#[utoipa::path(post, path = "/api/odin/v3/simple/video", tag = "simple", request_body = SimpleVideo3,
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<ProjectId>), Failures))]
async fn video3(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let project = office.create_simple(&auth, &body.json, ProjectKind::SimpleVideo, true).await?;
            Ok(Data(json!({ "projectId": project.id })).into_response())
        }
    })
    .await
}

/// The result of a simple request
#[utoipa::path(post, path = "/api/odin/simple/find/{key}", tag = "simple",
    params(("key" = String, Path, description = "Key of the request")),
    responses((status = 200, description = "Done", body = KeyAnswer), Failures))]
async fn find(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Path(key): Path<String>,
    _body: MaybeBody,
) -> Result<Response, ApiError> {
    let project = office.project(&auth, &key).await?;
    Ok(axum::Json(older_progress(&office, &project)).into_response())
}

/// Progress with the words of the older generation, at both levels.
pub fn older_progress(office: &Office, project: &Project) -> Value {
    let mut record = progress::record(office, project);
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
