//! Pictures and speech while somebody waits.

use std::ops::RangeInclusive;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use compere_office::{Office, Refusal};
use compere_scene::Problem;
use serde::Deserialize;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answers::{Data, Enveloped, SpokenAnswer};
use super::body::Body;
use super::error::ApiError;
use super::extract::{Id, Path, Query};
use super::gate::Auth;
use super::once::Once;
use super::schema::{Failures, SimpleAudio3};
use super::{cached, problem};

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new().routes(routes!(preview)).routes(routes!(presenter)).routes(routes!(speak))
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Moment {
    /// The scene, counted from 0
    scene: Option<String>,
    /// Seconds into the scene
    t: Option<String>,
    /// Pixels, 64 to 1920; default: 960
    width: Option<String>,
    /// `png` (default) or `jpg`
    format: Option<String>,
}

/// One frame of a project
#[utoipa::path(get, operation_id = "previewProject", path = "/api/odin/v3/editor/project/{id}/preview", tag = "projects",
    params(("id" = String, Path, description = "Id of the project"), Moment),
    responses((status = 200, description = "The frame", body = String, content_type = "image/png"),
        (status = 304, description = "Not changed"), Failures))]
async fn preview(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(id): Id,
    Query(moment): Query<Moment>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let project = office.project(&auth, &id).await?;
    let scenes = project.scene_count.max(1) as usize;
    let mut problems = Vec::new();
    let scene = number(&moment.scene, 0.0, 0.0..=(scenes - 1) as f64, "scene", &mut problems);
    let at = number(&moment.t, 0.0, 0.0..=36_000.0, "t", &mut problems);
    let width = number(&moment.width, 960.0, 64.0..=1920.0, "width", &mut problems);
    let jpeg = match moment.format.as_deref() {
        None | Some("" | "png") => false,
        Some("jpg" | "jpeg") => true,
        Some(_) => {
            problems.push(problem("format", "must be png or jpg"));
            false
        }
    };
    if !problems.is_empty() {
        return Err(ApiError::problems(&problems));
    }
    let picture = office.frame(&project, scene as usize, at, width as u32, jpeg).await?;
    cached(&headers, sent(picture.bytes.into(), &picture.media_type)).await
}

pub(super) fn number(
    text: &Option<String>,
    default: f64,
    range: RangeInclusive<f64>,
    key: &str,
    problems: &mut Vec<Problem>,
) -> f64 {
    let Some(text) = text.as_deref().filter(|text| !text.is_empty()) else { return default };
    text.parse().ok().filter(|number| range.contains(number)).unwrap_or_else(|| {
        problems.push(problem(key, format!("must be a number from {} to {}", range.start(), range.end())));
        default
    })
}

fn sent(bytes: Bytes, media_type: &str) -> Response {
    let mut response = bytes.into_response();
    if let Ok(value) = HeaderValue::from_str(media_type) {
        response.headers_mut().insert(header::CONTENT_TYPE, value);
    }
    response
}

/// A presenter in an outfit
#[utoipa::path(get, operation_id = "presenterPicture", path = "/media/p/{model}/{outfit}", tag = "catalogue", security(()),
    params(("model" = String, Path, description = "Id of the presenter"),
        ("outfit" = String, Path, description = "Id of the outfit, and `.webp` for a small portrait of the built-in cast, at once, or `.jpg`")),
    responses((status = 200, description = "The picture", content((String = "image/jpeg"), (String = "image/webp"))),
        (status = 304, description = "Not changed"), Failures))]
async fn presenter(
    State(office): State<Arc<Office>>,
    Path((model, outfit)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let nobody = || ApiError::not_found("such presenter; GET /api/odin/v3/model lists them");
    let refused = |refusal| match refusal {
        Refusal::Missing { .. } => nobody(),
        other => ApiError::from(other),
    };
    if let Some(outfit) = outfit.strip_suffix(".webp") {
        let bytes = office.kept_portrait(&model, outfit).map_err(refused)?;
        return cached(&headers, sent(bytes, "image/webp")).await;
    }
    let outfit = outfit.strip_suffix(".jpg").ok_or_else(nobody)?;
    let bytes = office.portrait(&model, outfit).await.map_err(refused)?;
    cached(&headers, sent(bytes, "image/jpeg")).await
}

/// A text spoken, while you wait
///
/// With the voice of a presenter, or of `tts`. `metaList` has the times of the words.
#[utoipa::path(post, operation_id = "speakText", path = "/api/odin/v3/simple/audio", tag = "simple", request_body = SimpleAudio3,
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<SpokenAnswer>), Failures))]
async fn speak(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move { Ok(Data(SpokenAnswer::of(&office, office.speak(&auth, &body.json).await?)).into_response()) }
    })
    .await
}
