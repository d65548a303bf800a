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
use compere_backdrop::{self as backdrop, Backdrop};
use compere_house::settings::Megabytes;
use compere_office::Office;
use compere_speech::VoiceInfo;
use compere_store::Asset;
use serde::Deserialize;
use serde_json::{Value, json};

use super::media::{portrait_of, sample_of, spoken, tongue, voices};
use crate::web::fault::Fault;
use crate::web::member::Member;
use crate::web::shell::{Shell, page};
use crate::web::uploads;

/// Files on the page.
const FILES: i64 = 200;

pub fn routes() -> Router<Arc<Office>> {
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

async fn presenters(State(office): State<Arc<Office>>, member: Member) -> Result<Response, Fault> {
    let shell = Shell::new(&member, "library", "Presenters");
    page(&Presenters { shell, tab: "presenters", cast: office.cast.list().to_vec() })
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
            compere_speech::VoiceKind::Espeak => "simple",
            _ => "natural",
        };
        format!("{}, {kind}", voice.gender.name())
    }
}

async fn speakers(State(office): State<Arc<Office>>, member: Member) -> Result<Response, Fault> {
    let mut languages: BTreeMap<String, Vec<VoiceInfo>> = BTreeMap::new();
    for voice in voices(&office) {
        languages.entry(tongue(&voice)).or_default().push(voice);
    }
    // Neural voices first: they are what people look for.
    let mut languages: Vec<(String, Vec<VoiceInfo>)> = languages.into_iter().collect();
    let plain = |voices: &[VoiceInfo]| voices.iter().all(|voice| voice.kind == compere_speech::VoiceKind::Espeak);
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
    most: Megabytes,
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

async fn files(State(office): State<Arc<Office>>, member: Member) -> Result<Response, Fault> {
    let found = office.uploads(&member.who, &compere_store::Page::newest(FILES), 0).await?.0;
    let file =
        |asset: Asset| File { url: office.links.asset(&asset.id, &asset.name), kind: kind(&asset.media_type), asset };
    page(&Files {
        shell: Shell::new(&member, "library", "Your files"),
        tab: "files",
        files: found.into_iter().map(file).collect(),
        most: office.settings.limits.asset,
        now: office.now(),
    })
}

#[derive(Deserialize)]
struct Named {
    #[serde(default)]
    name: String,
}

async fn upload(
    State(office): State<Arc<Office>>,
    member: Member,
    Query(named): Query<Named>,
    body: Body,
) -> Result<Json<Value>, Fault> {
    let upload = uploads::receive(&office, body, &named.name, office.settings.limits.asset).await?;
    let kept = office.keep(&member.who, upload).await?;
    let (asset, size) = (kept.asset, kept.size);
    let url = office.links.asset(&asset.id, &asset.name);
    let mut told =
        json!({"id": asset.id, "name": asset.name, "type": asset.media_type, "size": asset.size, "url": url});
    if let Some((width, height)) = size {
        (told["width"], told["height"]) = (json!(width), json!(height));
    }
    Ok(Json(told))
}

async fn delete(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Json<Value>, Fault> {
    office.discard(&member.who, &id).await?;
    Ok(Json(json!({})))
}
