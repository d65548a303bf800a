//! What the buttons of the project pages do.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use compere_office::Office;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::web::fault::Fault;
use crate::web::member::Member;
use crate::web::sent::Sent;
use crate::web::shell::kept_by_browsers;
use crate::web::words;

/// Projects in one go.
const MANY: usize = 500;

pub fn routes() -> Router<Arc<Office>> {
    Router::new()
        .route("/app/projects/delete", post(delete))
        .route("/app/projects/move", post(relocate))
        .route("/app/projects/export", post(export_many))
        .route("/app/projects/{id}/duplicate", post(duplicate))
        .route("/app/projects/{id}/rename", post(rename))
        .route("/app/projects/{id}/export", post(export))
        .route("/app/projects/{id}/cancel", post(cancel))
        .route("/app/projects/{id}/share", post(share))
        .route("/app/projects/{id}/scenes/{file}", get(scene))
        .route("/app/deliveries/{id}/replay", post(replay))
}

#[derive(Deserialize)]
struct Chosen {
    ids: Vec<String>,
    #[serde(default)]
    workspace: String,
}

impl Chosen {
    fn ids(&self) -> Result<&[String], Fault> {
        if self.ids.len() > MANY { Err(Fault::bad(format!("Choose at most {MANY} projects."))) } else { Ok(&self.ids) }
    }
}

async fn delete(
    State(office): State<Arc<Office>>,
    member: Member,
    Sent(chosen, _room): Sent<Chosen>,
) -> Result<Json<Value>, Fault> {
    Ok(Json(json!({ "deleted": office.delete(&member.who, chosen.ids()?).await? })))
}

async fn relocate(
    State(office): State<Arc<Office>>,
    member: Member,
    Sent(chosen, _room): Sent<Chosen>,
) -> Result<Json<Value>, Fault> {
    let moved = office.relocate(&member.who, chosen.ids()?, &chosen.workspace).await?;
    Ok(Json(json!({ "moved": moved })))
}

#[derive(Deserialize)]
struct Wanted {
    resolution: String,
    #[serde(default = "mp4")]
    format: String,
}

fn mp4() -> String {
    "mp4".to_owned()
}

#[derive(Deserialize)]
struct WantedMany {
    ids: Vec<String>,
    resolution: String,
}

/// As many as can be; says how many could not, and why the first could not.
async fn export_many(
    State(office): State<Arc<Office>>,
    member: Member,
    Sent(wanted, _room): Sent<WantedMany>,
) -> Result<Json<Value>, Fault> {
    let (mut started, mut problem) = (0, None);
    for id in wanted.ids.iter().take(MANY) {
        match office.order(&member.who, id, &wanted.resolution, "mp4").await {
            Ok(_) => started += 1,
            Err(refusal) if problem.is_none() => {
                let name = office.project(&member.who, id).await?.name;
                problem = Some(format!("“{name}”: {}", Fault::from(refusal).message));
            }
            Err(_) => {}
        }
    }
    Ok(Json(json!({ "started": started, "problem": problem })))
}

async fn export(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
    Sent(wanted, _room): Sent<Wanted>,
) -> Result<Json<Value>, Fault> {
    office.order(&member.who, &id, &wanted.resolution, &wanted.format).await?;
    Ok(Json(json!({ "project": id })))
}

async fn cancel(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Json<Value>, Fault> {
    let nothing = || Fault::bad("There is nothing to cancel: the film is not being made.");
    let export = office.cancel(&member.who, &id).await?.ok_or_else(nothing)?;
    Ok(Json(json!({ "export": export })))
}

#[derive(Deserialize)]
struct Shared {
    days: u32,
}

/// A link to the film that works without an account, until a day.
async fn share(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
    Sent(shared, _room): Sent<Shared>,
) -> Result<Json<Value>, Fault> {
    let (link, end) = office.share(&member.who, &id, shared.days).await?;
    Ok(Json(json!({ "link": link, "until": words::exact(end) })))
}

async fn duplicate(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Json<Value>, Fault> {
    let copy = office.duplicate(&member.who, &id, false).await?;
    Ok(Json(json!({ "id": copy.id })))
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

async fn rename(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
    Sent(named, _room): Sent<Named>,
) -> Result<Json<Value>, Fault> {
    let revision = office.rename(&member.who, &id, &named.name).await?;
    Ok(Json(json!({ "name": named.name.trim(), "revision": revision })))
}

/// `3.jpg`: a frame of the fourth scene, when everything has come in.
async fn scene(
    State(office): State<Arc<Office>>,
    member: Member,
    Path((id, file)): Path<(String, String)>,
) -> Result<Response, Fault> {
    let scene = file.strip_suffix(".jpg").and_then(|number| number.parse().ok());
    let scene: usize = scene.ok_or_else(|| Fault::missing("picture"))?;
    let body = office.project(&member.who, &id).await?.body()?;
    Ok(kept_by_browsers(office.thumbnail(&member.who.account.id, &body, scene, 480).await?, "image/jpeg"))
}

async fn replay(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Json<Value>, Fault> {
    if !office.replay(&member.who, &id).await? {
        return Err(Fault::bad("This webhook is on its way already, or it is not yours."));
    }
    Ok(Json(json!({})))
}
