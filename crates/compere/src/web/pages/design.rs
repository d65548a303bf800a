//! Presenters that members design: sliders and swatches beside a picture that follows them.

use std::sync::Arc;

use askama::Template;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use compere_avatar::{Design, OUTFITS, SLIDERS, sitters};
use compere_house::desk::Dress;
use compere_office::Office;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::media::{tongue, voices};
use crate::web::fault::Fault;
use crate::web::member::Member;
use crate::web::sent::Sent;
use crate::web::shell::{Shell, page};

pub fn routes() -> Router<Arc<Office>> {
    Router::new()
        .route("/library/design", get(begin))
        .route("/library/design/{id}", get(again))
        .route("/app/design", post(create))
        .route("/app/design/begin", get(begun))
        .route("/app/design/look", post(look))
        .route("/app/design/{id}", post(change))
        .layer(DefaultBodyLimit::disable())
}

#[derive(Template)]
#[template(path = "design.html")]
struct Room {
    shell: Shell,
    /// None of one that is not kept yet.
    id: Option<String>,
    name: String,
    told: String,
}

fn room(office: &Office, member: &Member, id: Option<String>, design: &Value) -> Result<Response, Fault> {
    let words: Map<String, Value> =
        Design::WORDS.iter().map(|(path, known)| ((*path).to_owned(), json!(known()))).collect();
    let slider =
        |one: &compere_avatar::Slider| json!({"path": one.path, "title": one.title, "low": one.low, "high": one.high});
    let sitter = |(alias, name, male): (&str, &str, bool)| json!({"alias": alias, "name": name, "male": male});
    let mut spoken: Vec<Value> = voices(office)
        .iter()
        .map(|voice| {
            json!({
                "id": voice.id, "name": voice.name, "language": voice.language, "tongue": tongue(voice),
                "gender": voice.gender.name(),
            })
        })
        .collect();
    spoken.sort_by_key(|voice| (voice["tongue"].to_string(), voice["name"].to_string()));
    let told = json!({
        "id": id, "design": design, "sliders": SLIDERS.iter().map(slider).collect::<Vec<_>>(), "words": words,
        "sitters": sitters().map(sitter).collect::<Vec<_>>(), "voices": spoken, "outfits": OUTFITS,
    });
    let name = design["name"].as_str().unwrap_or_default().to_owned();
    let title = if id.is_some() { name.clone() } else { "Design a presenter".to_owned() };
    page(&Room { shell: Shell::new(member, "library", title), id, name, told: told.to_string() })
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct From {
    from: Option<String>,
    seed: Option<u64>,
}

fn started(office: &Office, asked: &From) -> Result<Value, Fault> {
    let from = asked.from.as_deref().filter(|from| !from.is_empty());
    serde_json::to_value(office.begun_design(from, asked.seed)?).map_err(Fault::inside)
}

async fn begin(
    State(office): State<Arc<Office>>,
    member: Member,
    Query(asked): Query<From>,
) -> Result<Response, Fault> {
    let design = started(&office, &asked)?;
    room(&office, &member, None, &design)
}

async fn begun(
    State(office): State<Arc<Office>>,
    _member: Member,
    Query(asked): Query<From>,
) -> Result<Json<Value>, Fault> {
    Ok(Json(started(&office, &asked)?))
}

async fn again(State(office): State<Arc<Office>>, member: Member, Path(id): Path<String>) -> Result<Response, Fault> {
    let design = office.design_of(&member.who, &id).await?;
    room(&office, &member, Some(id), &design)
}

async fn create(
    State(office): State<Arc<Office>>,
    member: Member,
    Sent(design, _room): Sent<Value>,
) -> Result<Json<Value>, Fault> {
    Ok(Json(json!({ "id": office.design_presenter(&member.who, &design).await?.id })))
}

async fn change(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
    Sent(design, _room): Sent<Value>,
) -> Result<Json<Value>, Fault> {
    Ok(Json(json!({ "id": office.redesign_presenter(&member.who, &id, &design).await?.id })))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Sight {
    outfit: String,
    fine: bool,
}

async fn look(
    State(office): State<Arc<Office>>,
    member: Member,
    Query(sight): Query<Sight>,
    Sent(design, _room): Sent<Value>,
) -> Result<Response, Fault> {
    let dress = Dress { outfit: sight.outfit, width: if sight.fine { 640 } else { WIDTH }, fine: sight.fine };
    let picture = office.design_look(&member.who, &design, dress).await?;
    Ok(([(header::CONTENT_TYPE, picture.media_type)], picture.bytes).into_response())
}

/// Of the picture that follows sliders, in pixels.
const WIDTH: u32 = 288;
