//! One text, one presenter: video on chroma green, or the voice alone.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use compere_office::Office;
use compere_store::{Project, ProjectKind};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answers::{Both, Data, Enveloped, Exported, Flat, Key, OlderProgress, OlderProgressAnswer};
use super::body::{Body, MaybeBody};
use super::error::ApiError;
use super::extract::Id;
use super::gate::Auth;
use super::once::Once;
use super::progress;
use super::schema::{Failures, SimpleAudio, SimpleVideo, SimpleVideo3};

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new().routes(routes!(video)).routes(routes!(audio)).routes(routes!(find)).routes(routes!(video3))
}

/// A presenter alone on chroma green
///
/// The result comes by webhook, progress or `simple/find`.
#[utoipa::path(post, operation_id = "simpleVideoOlder", path = "/api/odin/simple/video", tag = "simple", request_body = SimpleVideo,
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Both<Key>), Failures))]
async fn video(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let made = office.create_simple(&auth, &body.json, ProjectKind::SimpleVideo, true).await?;
            Ok(Flat(Key::from(made)).into_response())
        }
    })
    .await
}

/// A presenter's voice
///
/// The result is a WAV file at 48 kHz; it comes by webhook, progress or `simple/find`.
#[utoipa::path(post, operation_id = "simpleAudioOlder", path = "/api/odin/simple/audio", tag = "simple", request_body = SimpleAudio,
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Both<Key>), Failures))]
async fn audio(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let made = office.create_simple(&auth, &body.json, ProjectKind::SimpleAudio, true).await?;
            Ok(Flat(Key::from(made)).into_response())
        }
    })
    .await
}

/// A presenter alone on chroma green, latest form
///
/// Exported unless `isExport` is false.
#[utoipa::path(post, operation_id = "simpleVideo", path = "/api/odin/v3/simple/video", tag = "simple", request_body = SimpleVideo3,
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<Exported>), Failures))]
async fn video3(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let made = office.create_simple(&auth, &body.json, ProjectKind::SimpleVideo, true).await?;
            Ok(Data(Exported::from(made)).into_response())
        }
    })
    .await
}

/// The result of a simple request
#[utoipa::path(post, operation_id = "findSimple", path = "/api/odin/simple/find/{key}", tag = "simple",
    params(("key" = String, Path, description = "Key of the request")),
    responses((status = 200, description = "Done", body = OlderProgressAnswer), Failures))]
async fn find(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(key): Id,
    _body: MaybeBody,
) -> Result<Response, ApiError> {
    let project = office.project(&auth, &key).await?;
    Ok(older_progress(&office, &project))
}

/// Progress with the words of the older generation, at both levels.
pub fn older_progress(office: &Office, project: &Project) -> Response {
    let progress = progress::record(office, project);
    let url = progress.download_url.clone();
    let record = OlderProgress { key: project.id.clone(), video_url: url.clone(), url, progress };
    let failure = progress::failure(project);
    let answer = OlderProgressAnswer {
        success: failure.is_none(),
        msg: failure.as_ref().map(|error| error.msg.clone()),
        error: failure.map(|error| error.to_body()),
        data: record.clone(),
        fields: record,
    };
    axum::Json(answer).into_response()
}
