//! Presenters that somebody designs: faces of the cast, mixed, and what leaves them.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use compere_house::desk::Dress;
use compere_office::Office;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answers::{AvatarRecord, Data, DesignFile, Enveloped};
use super::avatars::told;
use super::body::Body;
use super::error::ApiError;
use super::extract::{Id, Query};
use super::gate::Auth;
use super::once::Once;
use super::preview::number;
use super::problem;
use super::schema::{AvatarDesign, Failures};

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new()
        .routes(routes!(design))
        .routes(routes!(begin))
        .routes(routes!(look))
        .routes(routes!(design_of, redesign))
}

/// Design a presenter
///
/// Faces of the cast, mixed, and what leaves them: scenes may name it at once. It belongs to the account, and nobody else
/// sees it. `compere avatar design --fields` lists what may be said.
#[utoipa::path(post, operation_id = "designAvatar", path = "/api/odin/v3/avatars/designs", tag = "avatars",
    request_body = AvatarDesign, params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<AvatarRecord>), Failures))]
async fn design(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let made = office.design_presenter(&auth, &body.json).await?;
            Ok(Data(told(&office, &auth, &made).await?).into_response())
        }
    })
    .await
}

/// Where somebody begins to design.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Start {
    /// A member of the cast by alias, spelled out
    from: Option<String>,
    /// Somebody by chance: the same number is the same person
    seed: Option<String>,
}

/// A design to begin with
///
/// A member of the cast spelled out, or somebody whom one might meet.
#[utoipa::path(get, operation_id = "beginDesign", path = "/api/odin/v3/avatars/designs/begin", tag = "avatars",
    params(Start), responses((status = 200, description = "Done", body = Enveloped<DesignFile>), Failures))]
async fn begin(
    State(office): State<Arc<Office>>,
    _auth: Auth,
    Query(start): Query<Start>,
) -> Result<Data<DesignFile>, ApiError> {
    let seed = start.seed.as_deref().filter(|text| !text.is_empty()).map(str::parse::<u64>).transpose();
    let seed = seed.map_err(|_| ApiError::problems(&[problem("seed", "must be a whole number from 0 on")]))?;
    let design = office.begun_design(start.from.as_deref().filter(|from| !from.is_empty()), seed)?;
    Ok(Data(DesignFile(serde_json::to_value(design).map_err(ApiError::internal)?)))
}

/// How a design is looked at.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Sight {
    /// The first one by default
    outfit: Option<String>,
    /// Pixels, 64 to 720; default: 320
    width: Option<String>,
    /// `true`: as films show it, which takes some seconds; else a likeness
    fine: Option<String>,
}

/// A design, drawn
///
/// Nothing is kept.
#[utoipa::path(post, operation_id = "lookAtDesign", path = "/api/odin/v3/avatars/designs/look", tag = "avatars",
    request_body = AvatarDesign, params(Sight),
    responses((status = 200, description = "The picture", body = String, content_type = "image/jpeg"), Failures))]
async fn look(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Query(sight): Query<Sight>,
    body: Body,
) -> Result<Response, ApiError> {
    let mut problems = Vec::new();
    let width = number(&sight.width, 320.0, 64.0..=720.0, "width", &mut problems) as u32;
    let fine = match sight.fine.as_deref() {
        None | Some("" | "false") => false,
        Some("true") => true,
        Some(_) => {
            problems.push(problem("fine", "must be true or false"));
            false
        }
    };
    if !problems.is_empty() {
        return Err(ApiError::problems(&problems));
    }
    let dress = Dress { outfit: sight.outfit.unwrap_or_default(), width, fine };
    let picture = office.design_look(&auth, &body.json, dress).await?;
    Ok(([(header::CONTENT_TYPE, picture.media_type)], picture.bytes).into_response())
}

/// The design of a presenter, to be kept as a file or changed
#[utoipa::path(get, operation_id = "readDesign", path = "/api/odin/v3/avatars/{id}/design", tag = "avatars",
    params(("id" = String, Path, description = "Id of the presenter")),
    responses((status = 200, description = "Done", body = Enveloped<DesignFile>), Failures))]
async fn design_of(State(office): State<Arc<Office>>, auth: Auth, Id(id): Id) -> Result<Data<DesignFile>, ApiError> {
    Ok(Data(DesignFile(office.design_of(&auth, &id).await?)))
}

/// Design a presenter anew
///
/// Films that are made from then on show it so; those that there are stay as they are.
#[utoipa::path(put, operation_id = "redesignAvatar", path = "/api/odin/v3/avatars/{id}/design", tag = "avatars",
    request_body = AvatarDesign, params(("id" = String, Path, description = "Id of the presenter")),
    responses((status = 200, description = "Done", body = Enveloped<AvatarRecord>), Failures))]
async fn redesign(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(id): Id,
    body: Body,
) -> Result<Data<AvatarRecord>, ApiError> {
    let made = office.redesign_presenter(&auth, &id, &body.json).await?;
    Ok(Data(told(&office, &auth, &made).await?))
}
