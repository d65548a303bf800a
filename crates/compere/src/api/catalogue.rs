//! Who and what there is to make films with.

use std::sync::Arc;

use axum::extract::State;
use compere_avatar::PresenterInfo;
use serde::Deserialize;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answers::{BackgroundItem, Data, Enveloped, Model, ModelItem, Models, VoiceItem, WorkspaceItem};
use super::error::ApiError;
use super::extract::{Nothing, Query};
use super::gate::Auth;
use super::schema::Failures;
use compere_house::backdrops;
use compere_media::Orientation;
use compere_office::Office;
use compere_store::Workspace;

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new()
        .routes(routes!(models))
        .routes(routes!(flat_models))
        .routes(routes!(workspaces))
        .routes(routes!(voices))
        .routes(routes!(backgrounds))
}

/// Presenters and what they wear
#[utoipa::path(get, operation_id = "listModels", path = "/api/odin/v3/model", tag = "catalogue",
    responses((status = 200, description = "Done", body = Enveloped<Models>), Failures))]
async fn models(State(office): State<Arc<Office>>, auth: Auth, _: Query<Nothing>) -> Data<Models> {
    Data(Models { models: office.people(&auth.account.id).iter().map(|info| Model::of(&office, info)).collect() })
}

/// Presenters as a flat list
#[utoipa::path(get, operation_id = "listModelsFlat", path = "/api/odin/v3/dropdown/models", tag = "catalogue",
    responses((status = 200, description = "Done", body = Enveloped<Vec<ModelItem>>), Failures))]
async fn flat_models(State(office): State<Arc<Office>>, auth: Auth, _: Query<Nothing>) -> Data<Vec<ModelItem>> {
    let one = |info: &PresenterInfo| ModelItem {
        id: info.id.clone(),
        model_id: info.id.clone(),
        label: info.name.clone(),
        avatar_type: info.style.name().to_owned(),
    };
    Data(office.people(&auth.account.id).iter().map(one).collect())
}

/// Workspaces of the account
#[utoipa::path(get, operation_id = "listWorkspaces", path = "/api/odin/v3/dropdown/workspaces", tag = "catalogue",
    responses((status = 200, description = "Done", body = Enveloped<Vec<WorkspaceItem>>), Failures))]
async fn workspaces(
    State(office): State<Arc<Office>>,
    auth: Auth,
    _: Query<Nothing>,
) -> Result<Data<Vec<WorkspaceItem>>, ApiError> {
    let all = office.register.workspaces(&auth).await?;
    let item = |one: Workspace| WorkspaceItem { workspace_id: one.id, workspace_name: one.name };
    Ok(Data(all.into_iter().map(item).collect()))
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct VoiceQuery {
    /// Only voices that speak it: `en`, `en-US`
    language: Option<String>,
}

/// Voices for `tts.voice`
#[utoipa::path(get, operation_id = "listVoices", path = "/api/odin/v3/voices", tag = "catalogue", params(VoiceQuery),
    responses((status = 200, description = "Done", body = Enveloped<Vec<VoiceItem>>), Failures))]
async fn voices(
    State(office): State<Arc<Office>>,
    _auth: Auth,
    Query(query): Query<VoiceQuery>,
) -> Data<Vec<VoiceItem>> {
    let wanted = query.language.unwrap_or_default().to_lowercase();
    let fits = |language: &str| {
        let language = language.to_lowercase();
        wanted.is_empty() || language == wanted || language.starts_with(&format!("{wanted}-"))
    };
    let voices = office.voices.list().into_iter().filter(|voice| fits(&voice.language));
    Data(voices.map(VoiceItem::from).collect())
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct BackgroundQuery {
    /// Only those for films that are so
    orientation: Option<String>,
}

/// Backgrounds that come with the product
///
/// `source_url` goes into a scene's background as it is.
#[utoipa::path(get, operation_id = "listBackgrounds", path = "/api/odin/v3/backgrounds", tag = "catalogue", params(BackgroundQuery),
    responses((status = 200, description = "Done", body = Enveloped<Vec<BackgroundItem>>), Failures))]
async fn backgrounds(_auth: Auth, Query(query): Query<BackgroundQuery>) -> Result<Data<Vec<BackgroundItem>>, ApiError> {
    let wanted = query.orientation.filter(|wanted| !wanted.is_empty());
    if wanted.as_deref().is_some_and(|wanted| Orientation::parse(wanted).is_none()) {
        return Err(ApiError::field("orientation", "must be landscape or portrait"));
    }
    let one = |path: String| {
        let name = path.rsplit('/').next().unwrap_or_default().trim_end_matches(".png").to_owned();
        let (name, orientation) = match name.strip_suffix("-portrait") {
            Some(bare) => (bare.to_owned(), "portrait"),
            None => (name, "landscape"),
        };
        BackgroundItem { name, orientation, source_url: path }
    };
    let fits = |item: &BackgroundItem| wanted.as_deref().is_none_or(|wanted| wanted == item.orientation);
    Ok(Data(backdrops::all().into_iter().map(one).filter(fits).collect()))
}
