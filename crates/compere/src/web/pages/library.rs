//! What films are made of: presenters, voices, backgrounds, and the member's own files.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use compere_avatar::PresenterInfo;
use compere_compose::backdrop::{self, Backdrop};
use compere_speech::VoiceInfo;
use compere_store::{Asset, Key};
use serde::Deserialize;
use serde_json::{Value, json};

use super::media::{portrait_of, sample_of, spoken, tongue, voices};
use crate::serve::app::App;
use crate::web::fault::Fault;
use crate::web::session::Member;
use crate::web::shell::{Shell, page};
use crate::web::uploads;

/// Files on the page.
const FILES: i64 = 200;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/library", get(presenters))
        .route("/library/voices", get(speakers))
        .route("/library/backgrounds", get(backgrounds))
        .route("/library/files", get(files))
        .route("/app/assets", post(upload))
        .route("/app/assets/{id}/delete", post(delete))
        .layer(DefaultBodyLimit::disable())
}

#[derive(Template)]
#[template(path = "presenters.html")]
struct Presenters {
    shell: Shell,
    tab: &'static str,
    cast: Vec<PresenterInfo>,
}

impl Presenters {
    fn picture(&self, info: &PresenterInfo, outfit: &str) -> String {
        portrait_of(&info.id, outfit)
    }

    /// Name of each language, and where the presenter is heard in it.
    fn languages(&self, info: &PresenterInfo) -> Vec<(String, String)> {
        let heard =
            |voice: &compere_avatar::VoiceDefault| (spoken(&voice.language), sample_of(&info.id, &voice.language));
        info.voices.iter().map(heard).collect()
    }
}

async fn presenters(State(app): State<Arc<App>>, member: Member) -> Result<Response, Fault> {
    let shell = Shell::new(&member, "library", "Presenters");
    page(&Presenters { shell, tab: "presenters", cast: app.cast.list().to_vec() })
}

#[derive(Template)]
#[template(path = "voices.html")]
struct Speakers {
    shell: Shell,
    tab: &'static str,
    /// Languages by name, each with its voices.
    languages: Vec<(String, Vec<VoiceInfo>)>,
}

impl Speakers {
    fn note(&self, voice: &VoiceInfo) -> String {
        let kind = match voice.kind {
            compere_speech::Kind::Espeak => "simple",
            _ => "natural",
        };
        format!("{}, {kind}", voice.gender.name())
    }
}

async fn speakers(State(app): State<Arc<App>>, member: Member) -> Result<Response, Fault> {
    let mut languages: BTreeMap<String, Vec<VoiceInfo>> = BTreeMap::new();
    for voice in voices(&app) {
        languages.entry(tongue(&voice)).or_default().push(voice);
    }
    // Neural voices first: they are what people look for.
    let mut languages: Vec<(String, Vec<VoiceInfo>)> = languages.into_iter().collect();
    let plain = |voices: &[VoiceInfo]| voices.iter().all(|voice| voice.kind == compere_speech::Kind::Espeak);
    languages.sort_by_key(|(name, voices)| (plain(voices), !name.starts_with("English"), name.clone()));
    page(&Speakers { shell: Shell::new(&member, "library", "Voices"), tab: "voices", languages })
}

#[derive(Template)]
#[template(path = "backgrounds.html")]
struct Backgrounds {
    shell: Shell,
    tab: &'static str,
    all: &'static [Backdrop],
}

async fn backgrounds(member: Member) -> Result<Response, Fault> {
    page(&Backgrounds {
        shell: Shell::new(&member, "library", "Backgrounds"),
        tab: "backgrounds",
        all: backdrop::catalogue(),
    })
}

#[derive(Template)]
#[template(path = "files.html")]
struct Files {
    shell: Shell,
    tab: &'static str,
    files: Vec<File>,
    most: u64,
    now: i64,
}

struct File {
    asset: Asset,
    url: String,
    kind: &'static str,
}

fn kind(media_type: &str) -> &'static str {
    match media_type.split('/').next() {
        Some("image") => "image",
        Some("video") => "film",
        _ => "sound",
    }
}

async fn files(State(app): State<Arc<App>>, member: Member) -> Result<Response, Fault> {
    let found = app.store.assets(&member.account.id, FILES, 0).await?;
    let file =
        |asset: Asset| File { url: app.links.asset(&asset.id, &asset.name), kind: kind(&asset.media_type), asset };
    page(&Files {
        shell: Shell::new(&member, "library", "Your files"),
        tab: "files",
        files: found.into_iter().map(file).collect(),
        most: app.settings.limits.asset,
        now: app.store.now(),
    })
}

#[derive(Deserialize)]
struct Named {
    #[serde(default)]
    name: String,
}

async fn upload(
    State(app): State<Arc<App>>,
    member: Member,
    Query(named): Query<Named>,
    body: Body,
) -> Result<Json<Value>, Fault> {
    let asset = uploads::keep(&app, &member.account.id, &named.name, body).await?;
    let url = app.links.asset(&asset.id, &asset.name);
    let mut told =
        json!({"id": asset.id, "name": asset.name, "type": asset.media_type, "size": asset.size, "url": url});
    if asset.media_type.starts_with("image/") {
        // A picture that cannot be read is better found out now than in a film.
        match app.desk.size(&url).await {
            Ok((width, height)) => (told["width"], told["height"]) = (json!(width), json!(height)),
            Err(error) if (4000..5000).contains(&error.code) => {
                forget(&app, &member.account.id, &asset.id).await?;
                return Err(error.into());
            }
            Err(error) => tracing::warn!(%error, "a picture's size is not known"),
        }
    }
    Ok(Json(told))
}

async fn delete(State(app): State<Arc<App>>, member: Member, Path(id): Path<String>) -> Result<Json<Value>, Fault> {
    if !forget(&app, &member.account.id, &id).await? {
        return Err(Fault::missing("file"));
    }
    Ok(Json(json!({})))
}

async fn forget(app: &App, account: &str, id: &str) -> Result<bool, Fault> {
    let deleted = app.store.delete_asset(account, id).await?;
    if deleted {
        app.objects.delete(&Key::Asset(id.to_owned())).await?;
    }
    Ok(deleted)
}
