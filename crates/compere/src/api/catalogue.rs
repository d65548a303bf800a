//! Who and what there is to make films with.

use std::sync::{Arc, OnceLock};

use axum::extract::State;
use compere_avatar::PresenterInfo;
use compere_compose::draw::Fonts;
use compere_speech::VoiceKind;
use serde::Deserialize;
use serde_json::{Value, json};

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::Data;
use super::error::ApiError;
use super::extract::Query;
use super::gate::Auth;
use super::schema::{BackgroundItem, Enveloped, Failures, FontItem, ModelItem, Models, VoiceItem, WorkspaceItem};
use compere_house::backdrops;
use compere_house::home::font_dirs;
use compere_office::Office;

pub fn router() -> OpenApiRouter<Arc<Office>> {
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
    responses((status = 200, description = "Done", body = Enveloped<Models>), Failures))]
async fn models(State(office): State<Arc<Office>>, _auth: Auth) -> Data {
    let models: Vec<Value> = office.cast.list().iter().map(|info| model(&office, info)).collect();
    Data(json!({ "models": models }))
}

fn model(office: &Office, info: &PresenterInfo) -> Value {
    let picture = |outfit: &str| format!("{}{}", office.links.base(), office.links.portrait(&info.id, outfit));
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
    responses((status = 200, description = "Done", body = Enveloped<Vec<ModelItem>>), Failures))]
async fn flat_models(State(office): State<Arc<Office>>, _auth: Auth) -> Data {
    let one = |info: &PresenterInfo| json!({ "id": info.id, "modelId": info.id, "label": info.name, "avatarType": info.style.name() });
    Data(office.cast.list().iter().map(one).collect())
}

/// Workspaces of the account
#[utoipa::path(get, path = "/api/odin/v3/dropdown/workspaces", tag = "catalogue",
    responses((status = 200, description = "Done", body = Enveloped<Vec<WorkspaceItem>>), Failures))]
async fn workspaces(State(office): State<Arc<Office>>, auth: Auth) -> Result<Data, ApiError> {
    let all = office.register.workspaces(&auth).await?;
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
    responses((status = 200, description = "Done", body = Enveloped<Vec<VoiceItem>>), Failures))]
async fn voices(State(office): State<Arc<Office>>, _auth: Auth, Query(query): Query<VoiceQuery>) -> Data {
    let wanted = query.language.unwrap_or_default().to_lowercase();
    let fits = |language: &str| {
        let language = language.to_lowercase();
        wanted.is_empty() || language == wanted || language.starts_with(&format!("{wanted}-"))
    };
    let voices = office.voices.list().into_iter().filter(|voice| fits(&voice.language));
    let one = |voice: compere_speech::VoiceInfo| {
        json!({
            "id": voice.id, "name": voice.name, "language": voice.language, "gender": voice.gender.name(),
            "type": voice.kind.name(), "licence": voice.licence, "available": voice.missing.is_none(),
            "forTests": voice.kind == VoiceKind::Tone,
        })
    };
    Data(voices.map(one).collect())
}

/// Fonts for `fontFamily`
#[utoipa::path(get, path = "/api/odin/v3/fonts", tag = "catalogue",
    responses((status = 200, description = "Done", body = Enveloped<Vec<FontItem>>), Failures))]
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
    responses((status = 200, description = "Done", body = Enveloped<Vec<BackgroundItem>>), Failures))]
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
