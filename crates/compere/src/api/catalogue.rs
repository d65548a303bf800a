//! Who and what there is to make films with.

use std::sync::{Arc, OnceLock};

use axum::extract::State;
use compere_avatar::PresenterInfo;
use compere_compose::draw::Fonts;
use compere_speech::Kind;
use serde::Deserialize;
use serde_json::{Value, json};

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::Data;
use super::error::ApiError;
use super::extract::Query;
use super::gate::Auth;
use super::schema::{BackgroundItem, Enveloped, Failures, FontItem, ModelItem, Models, VoiceItem, WorkspaceItem};
use crate::backdrops;
use crate::home::font_dirs;
use crate::serve::app::App;

pub fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(models))
        .routes(routes!(flat_models))
        .routes(routes!(workspaces))
        .routes(routes!(voices))
        .routes(routes!(fonts))
        .routes(routes!(backgrounds))
}

/// Presenters and what they wear
#[utoipa::path(get, path = "/api/odin/v3/model", tag = "catalogue",
    responses((status = 200, body = Enveloped<Models>), Failures))]
async fn models(State(app): State<Arc<App>>, _auth: Auth) -> Data {
    let models: Vec<Value> = app.cast.list().iter().map(|info| model(&app, info)).collect();
    Data(json!({ "models": models }))
}

fn model(app: &App, info: &PresenterInfo) -> Value {
    let picture = |outfit: &str| super::ask::thumbnail(app, &info.id, outfit);
    let clothes = info.outfits.iter().map(|outfit| {
        json!({
            "id": outfit.id, "label": { "en": outfit.name, "ko": outfit.name }, "thumbnail": picture(&outfit.id),
            "aliases": outfit.aliases,
        })
    });
    let first = info.outfits.first().map(|outfit| picture(&outfit.id));
    json!({
        "id": info.id, "label": { "en": info.name, "ko": info.name }, "thumbnail": first,
        "clothes": clothes.collect::<Vec<_>>(), "aliases": info.aliases, "gender": info.gender,
        "style": info.style.name(), "licence": info.licence,
        "voices": info.voices.iter().map(|v| json!({ "language": v.language, "voice": v.voice })).collect::<Vec<_>>(),
    })
}

/// Presenters as a flat list
#[utoipa::path(get, path = "/api/odin/v3/dropdown/models", tag = "catalogue",
    responses((status = 200, body = Enveloped<Vec<ModelItem>>), Failures))]
async fn flat_models(State(app): State<Arc<App>>, _auth: Auth) -> Data {
    let one = |info: &PresenterInfo| json!({ "id": info.id, "modelId": info.id, "label": info.name, "avatarType": info.style.name() });
    Data(app.cast.list().iter().map(one).collect())
}

/// Workspaces of the account
#[utoipa::path(get, path = "/api/odin/v3/dropdown/workspaces", tag = "catalogue",
    responses((status = 200, body = Enveloped<Vec<WorkspaceItem>>), Failures))]
async fn workspaces(State(app): State<Arc<App>>, auth: Auth) -> Result<Data, ApiError> {
    let mut all = app.store.workspaces(&auth.account.id).await?;
    all.retain(|workspace| auth.workspace.as_ref().is_none_or(|bound| *bound == workspace.id));
    Ok(Data(all.iter().map(|one| json!({ "workspaceId": one.id, "workspaceName": one.name })).collect()))
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
struct VoiceQuery {
    /// Only voices that speak it: `en`, `en-US`
    language: Option<String>,
}

/// Voices for `tts.voice`
#[utoipa::path(get, path = "/api/odin/v3/voices", tag = "catalogue", params(VoiceQuery),
    responses((status = 200, body = Enveloped<Vec<VoiceItem>>), Failures))]
async fn voices(State(app): State<Arc<App>>, _auth: Auth, Query(query): Query<VoiceQuery>) -> Data {
    let wanted = query.language.unwrap_or_default().to_lowercase();
    let fits = |language: &str| {
        let language = language.to_lowercase();
        wanted.is_empty() || language == wanted || language.starts_with(&format!("{wanted}-"))
    };
    let voices = app.voices.list().into_iter().filter(|voice| fits(&voice.language));
    let one = |voice: compere_speech::VoiceInfo| {
        json!({
            "id": voice.id, "name": voice.name, "language": voice.language, "gender": voice.gender.name(),
            "type": voice.kind.name(), "licence": voice.licence, "available": voice.missing.is_none(),
            "forTests": voice.kind == Kind::Tone,
        })
    };
    Data(voices.map(one).collect())
}

/// Fonts for `fontFamily`
#[utoipa::path(get, path = "/api/odin/v3/fonts", tag = "catalogue",
    responses((status = 200, body = Enveloped<Vec<FontItem>>), Failures))]
async fn fonts(_auth: Auth) -> Result<Data, ApiError> {
    // The machine's fonts are read once: there are hundreds of files.
    static FAMILIES: OnceLock<Vec<String>> = OnceLock::new();
    let read = || FAMILIES.get_or_init(|| Fonts::open(&font_dirs()).map(|fonts| fonts.families()).unwrap_or_default());
    let families = tokio::task::spawn_blocking(read).await.map_err(ApiError::internal)?;
    Ok(Data(families.iter().map(|family| json!({ "family": family })).collect()))
}

/// Backgrounds that come with the product
///
/// `source_url` goes into a scene's background as it is.
#[utoipa::path(get, path = "/api/odin/v3/backgrounds", tag = "catalogue",
    responses((status = 200, body = Enveloped<Vec<BackgroundItem>>), Failures))]
async fn backgrounds(_auth: Auth) -> Data {
    let one = |path: String| {
        let name = path.rsplit('/').next().unwrap_or_default().trim_end_matches(".png").to_owned();
        let (name, orientation) = match name.strip_suffix("-portrait") {
            Some(bare) => (bare.to_owned(), "portrait"),
            None => (name, "landscape"),
        };
        json!({ "name": name, "orientation": orientation, "source_url": path })
    };
    Data(backdrops::all().into_iter().map(one).collect())
}
