//! The member's own fonts.

use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use compere_house::settings::Megabytes;
use compere_office::{LARGEST_FONT, MAY_USE, Office};
use compere_store::Font;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::web::fault::Fault;
use crate::web::member::Member;
use crate::web::shell::{Shell, page};
use crate::web::uploads;

pub fn routes() -> Router<Arc<Office>> {
    Router::new()
        .route("/library/fonts", get(fonts))
        .route("/app/fonts", post(upload))
        .route("/app/fonts/{id}/delete", post(delete))
        .layer(DefaultBodyLimit::disable())
}

#[derive(Template)]
#[template(path = "fonts.html")]
struct Fonts {
    shell: Shell,
    tab: &'static str,
    fonts: Vec<Font>,
    most: Megabytes,
    may_use: &'static str,
    now: i64,
}

async fn fonts(State(office): State<Arc<Office>>, member: Member) -> Result<Response, Fault> {
    page(&Fonts {
        shell: Shell::new(&member, "library", "Fonts"),
        tab: "fonts",
        fonts: office.fonts(&member.who).await?,
        most: LARGEST_FONT,
        may_use: MAY_USE,
        now: office.now(),
    })
}

#[derive(Deserialize)]
struct Sending {
    #[serde(default)]
    name: String,
    #[serde(default)]
    licence: bool,
}

async fn upload(
    State(office): State<Arc<Office>>,
    member: Member,
    Query(sending): Query<Sending>,
    body: Body,
) -> Result<Json<Value>, Fault> {
    let upload = uploads::receive(&office, body, &sending.name, LARGEST_FONT).await?;
    let faces = office.keep_font(&member.who, upload, sending.licence).await?;
    let told = |font: &Font| json!({ "id": font.id, "family": font.family, "style": font.style });
    Ok(Json(json!({ "faces": faces.iter().map(told).collect::<Vec<_>>() })))
}

async fn delete(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Json<Value>, Fault> {
    office.delete_font(&member.who, &id).await?;
    Ok(Json(json!({})))
}
