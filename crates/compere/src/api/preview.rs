//! Pictures and speech while somebody waits.

use std::ops::RangeInclusive;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use compere_scene::{Catalogue, Code, Problem, Speaker};
use compere_store::{Asset, Key, new_id};
use serde::Deserialize;
use serde_json::{Value, json};

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::accept::own_project;
use super::answer::Data;
use super::body::Body;
use super::error::ApiError;
use super::extract::{Path, Query};
use super::gate::Auth;
use super::once::Once;
use super::schema::{Enveloped, Failures, SimpleAudio3, SpokenAnswer};
use super::{cached, problem};
use crate::crew::desk::Who;
use crate::serve::app::App;

pub fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(preview)).routes(routes!(presenter)).routes(routes!(speak))
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(default)]
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
#[utoipa::path(get, path = "/api/odin/v3/editor/project/{id}/preview", tag = "projects",
    params(("id" = String, Path, description = "Id of the project"), Moment),
    responses((status = 200, description = "The frame", body = String, content_type = "image/png"),
        (status = 304, description = "Not changed"), Failures))]
async fn preview(
    State(app): State<Arc<App>>,
    auth: Auth,
    Path(id): Path<String>,
    Query(moment): Query<Moment>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let project = own_project(&app, &auth, &id).await?;
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
    let project = project.body()?;
    let picture = app.desk.still(project, scene as usize, at, width as u32, jpeg).await?;
    Ok(cached(&headers, sent(picture.bytes, &picture.media_type)).await)
}

fn number(
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

fn sent(bytes: Vec<u8>, media_type: &str) -> Response {
    let mut response = bytes.into_response();
    if let Ok(value) = HeaderValue::from_str(media_type) {
        response.headers_mut().insert(header::CONTENT_TYPE, value);
    }
    response
}

/// A presenter in an outfit
#[utoipa::path(get, path = "/media/p/{model}/{outfit}", tag = "catalogue", security(()),
    params(("model" = String, Path, description = "Id of the presenter"),
        ("outfit" = String, Path, description = "Id of the outfit and `.jpg`")),
    responses((status = 200, description = "The picture", body = String, content_type = "image/jpeg"),
        (status = 304, description = "Not changed"), Failures))]
async fn presenter(
    State(app): State<Arc<App>>,
    Path((model, outfit)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let nobody = || ApiError::not_found("such presenter; GET /api/odin/v3/model lists them");
    // Only ids of the cast get further: strangers may call this, and each picture is drawn once.
    let cast = app.cast.get(&model).ok_or_else(nobody)?;
    let info = cast.info();
    let wanted = outfit.strip_suffix(".jpg").ok_or_else(nobody)?;
    let place = info.outfit(wanted).map_err(|_| nobody())?;
    let outfit = info.outfits.get(place).ok_or_else(nobody)?;
    let dir = app.home.data.join("presenters");
    let name: String =
        format!("{}-{}", info.id, outfit.id).chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let file = dir.join(format!("{name}-{}.jpg", env!("CARGO_PKG_VERSION")));
    let bytes = match tokio::fs::read(&file).await {
        Ok(bytes) => bytes,
        Err(_) => {
            let bytes = app.desk.still(portrait(&info.id, &outfit.id), 0, 0.0, 360, true).await?.bytes;
            let kept = tokio::fs::create_dir_all(&dir).await.and(tokio::fs::write(&file, &bytes).await);
            if let Err(error) = kept {
                tracing::warn!(%error, "a presenter's picture was not kept");
            }
            bytes
        }
    };
    Ok(cached(&headers, sent(bytes, "image/jpeg")).await)
}

/// A presenter before a plain wall, in portrait.
fn portrait(model: &str, outfit: &str) -> Value {
    json!({
        "name": "portrait", "orientation": "portrait",
        "scenes": [{
            "sceneIdx": 0, "duration": 1,
            "scripts": [{ "org": "", "isTTS": false, "tts": null, "modelId": model, "clothId": outfit }],
            "background": { "source_type": "color", "source_color": "rgb(233,238,244)" },
            "clips": [{
                "id": "presenter", "type": "aiModel", "layer": 1, "left": 90, "top": 360, "width": 900, "height": 1560,
                "model": { "ai_name": model, "emotion": outfit },
            }],
        }],
    })
}

/// A text spoken, while you wait
///
/// With the voice of a presenter, or of `tts`. `metaList` has the times of the words.
#[utoipa::path(post, path = "/api/odin/v3/simple/audio", tag = "simple", request_body = SimpleAudio3,
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<SpokenAnswer>), Failures))]
async fn speak(State(app): State<Arc<App>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&app, &auth, &body.bytes.clone(), {
        let (app, auth) = (Arc::clone(&app), auth.clone());
        async move { Ok(Data(spoken(&app, &auth, &body.json).await?).into_response()) }
    })
    .await
}

/// What is spoken while somebody waits; longer texts are for exports.
const CHARS: usize = 3000;

async fn spoken(app: &App, auth: &Auth, body: &Value) -> Result<Value, ApiError> {
    let mut limits = app.settings.limits.of_scenes();
    limits.script_chars = limits.script_chars.min(CHARS);
    let film = compere_scene::simple_audio_to_project(body, &limits, &app.house);
    let film = film.map_err(|problems| super::simple::with_options(body, problems))?;
    let (_, checked) =
        super::accept::read(app, auth, body, &film).await.map_err(super::simple::in_words_of_the_request)?;
    let text = body["text"].as_str().unwrap_or_default().to_owned();
    let speech = app.desk.say(text, speaker(app, body, &checked)?).await?;
    let id = new_id(app.store.now());
    let name = "speech.wav".to_owned();
    let size = speech.wav.len() as i64;
    app.objects.put(&Key::Asset(id.clone()), speech.wav.into()).await?;
    let (account, media_type) = (auth.account.id.clone(), "audio/wav".to_owned());
    let now = app.store.now();
    // Fetched within days and never looked at again; who wants to keep it uploads it.
    let expires_at = Some(now + i64::from(app.settings.keep_exports) * 86_400_000);
    let asset = Asset { id: id.clone(), account, name: name.clone(), media_type, size, created_at: now, expires_at };
    app.store.add_asset(&asset).await?;
    let path = app.links.asset(&id, &name);
    Ok(json!({
        "fileName": name, "downloadUrl": format!("{}{path}", app.links.base()), "path": path,
        "metaList": speech.meta_list, "duration": speech.seconds, "voice": speech.voice, "warnings": speech.warnings,
    }))
}

fn speaker(app: &App, body: &Value, checked: &super::accept::Checked) -> Result<Who, ApiError> {
    let line = checked.resolved.film.scenes.first().and_then(|scene| scene.lines.first());
    let language = body["language"].as_str().map(str::to_owned);
    match body.get("tts").filter(|tts| !tts.is_null()) {
        Some(tts) => {
            let named = tts["voice"].as_str().or_else(|| tts["model"].as_str()).unwrap_or_default();
            let Some(voice) = app.house.find_voice(named) else {
                let unknown = Problem {
                    code: Code::UnknownVoice,
                    ..problem("tts.voice", format!("`{named}` is not a voice; GET /api/odin/v3/voices lists them"))
                };
                return Err(ApiError::problems(&[unknown]));
            };
            let speed = tts["speed"].as_f64().unwrap_or(1.0);
            if !(0.5..=2.0).contains(&speed) {
                return Err(ApiError::field("tts.speed", "must be from 0.5 to 2"));
            }
            let language = tts["language"].as_str().map(str::to_owned);
            Ok(Who::Voice { id: voice.id.clone(), speed, language })
        }
        None => match line.map(|line| &line.speaker) {
            Some(Speaker::Avatar { avatar, .. }) => Ok(Who::Presenter { id: avatar.clone(), language }),
            Some(Speaker::Voice { voice, speed, .. }) => {
                Ok(Who::Voice { id: voice.clone(), speed: *speed, language: None })
            }
            None => Err(ApiError::field("text", "must not be empty")),
        },
    }
}
