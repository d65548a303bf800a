//! What the buttons of the project pages do.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use compere_store::{NewProject, ProjectKind};
use serde::Deserialize;
use serde_json::{Value, json};

use super::project::owned;
use crate::serve::app::App;
use crate::web::fault::Fault;
use crate::web::session::Member;
use crate::web::{order, pictures};

/// Longest name of a project.
const NAME: usize = 200;
/// Projects in one go.
const MANY: usize = 500;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/app/projects/delete", post(delete))
        .route("/app/projects/move", post(relocate))
        .route("/app/projects/export", post(export_many))
        .route("/app/projects/{id}/duplicate", post(duplicate))
        .route("/app/projects/{id}/rename", post(rename))
        .route("/app/projects/{id}/export", post(export))
        .route("/app/projects/{id}/cancel", post(cancel))
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

async fn delete(State(app): State<Arc<App>>, member: Member, Json(chosen): Json<Chosen>) -> Result<Json<Value>, Fault> {
    let mut running = Vec::new();
    for id in chosen.ids()? {
        if let Some(project) = app.store.project(&member.account.id, id).await? {
            running.extend(project.export.filter(|export| !export.state.is_over()).map(|export| export.id));
        }
    }
    let deleted = app.store.delete_projects(&member.account.id, chosen.ids()?).await?;
    for export in running {
        app.engine.cancel(&export);
    }
    Ok(Json(json!({ "deleted": deleted })))
}

async fn relocate(
    State(app): State<Arc<App>>,
    member: Member,
    Json(chosen): Json<Chosen>,
) -> Result<Json<Value>, Fault> {
    let workspaces = app.store.workspaces(&member.account.id).await?;
    let to = workspaces.iter().find(|workspace| workspace.id == chosen.workspace);
    if !chosen.workspace.is_empty() && to.is_none() {
        return Err(Fault::missing("workspace"));
    }
    let mut moved = 0;
    for id in chosen.ids()? {
        let to = to.map(|workspace| workspace.id.as_str());
        moved += i64::from(app.store.move_project(&member.account.id, id, to).await?);
    }
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
    State(app): State<Arc<App>>,
    member: Member,
    Json(wanted): Json<WantedMany>,
) -> Result<Json<Value>, Fault> {
    let (mut started, mut problem) = (0, None);
    for id in wanted.ids.iter().take(MANY) {
        let project = owned(&app, &member, id).await?;
        match order::export(&app, &project, &wanted.resolution, "mp4").await {
            Ok(()) => started += 1,
            Err(fault) => {
                problem.get_or_insert(format!("“{}”: {}", project.name, fault.message));
            }
        }
    }
    Ok(Json(json!({ "started": started, "problem": problem })))
}

async fn export(
    State(app): State<Arc<App>>,
    member: Member,
    Path(id): Path<String>,
    Json(wanted): Json<Wanted>,
) -> Result<Json<Value>, Fault> {
    let project = owned(&app, &member, &id).await?;
    order::export(&app, &project, &wanted.resolution, &wanted.format).await?;
    Ok(Json(json!({ "project": id })))
}

async fn cancel(State(app): State<Arc<App>>, member: Member, Path(id): Path<String>) -> Result<Json<Value>, Fault> {
    let project = owned(&app, &member, &id).await?;
    let Some(export) = project.export.filter(|export| !export.state.is_over()) else {
        return Err(Fault::bad("There is nothing to cancel: the film is not being made."));
    };
    app.store.cancel_export(&export.id).await?;
    app.engine.cancel(&export.id);
    Ok(Json(json!({ "export": export.id })))
}

async fn duplicate(State(app): State<Arc<App>>, member: Member, Path(id): Path<String>) -> Result<Json<Value>, Fault> {
    let project = owned(&app, &member, &id).await?;
    let name: String = format!("Copy of {}", project.name).chars().take(NAME).collect();
    let mut body = project.body()?;
    if let Some(body) = body.as_object_mut() {
        body.insert("name".to_owned(), json!(name));
    }
    let copy = NewProject {
        id: None,
        account: project.account.clone(),
        workspace: project.workspace.clone(),
        name,
        orientation: project.orientation.clone(),
        kind: ProjectKind::Scenes,
        body,
        request: None,
        callback_id: None,
        importing: None,
    };
    let copy = app.store.create_project(copy).await?;
    Ok(Json(json!({ "id": copy.id })))
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

async fn rename(
    State(app): State<Arc<App>>,
    member: Member,
    Path(id): Path<String>,
    Json(named): Json<Named>,
) -> Result<Json<Value>, Fault> {
    let name = named.name.trim();
    if name.is_empty() || name.chars().count() > NAME {
        return Err(Fault::bad(format!("A name has 1 to {NAME} characters.")));
    }
    let project = owned(&app, &member, &id).await?;
    let mut body = project.body()?;
    if let Some(body) = body.as_object_mut() {
        body.insert("name".to_owned(), json!(name));
    }
    let kept = match project.request.as_deref().and_then(|request| serde_json::from_str::<Value>(request).ok()) {
        // A name changes nothing of what the request says, so it stays readable in its own form.
        Some(mut request) => {
            if project.kind == ProjectKind::Legacy {
                request["projectName"] = json!(name);
            }
            app.store.edit_request(&project, &body, &request, "renamed").await?
        }
        None => {
            let revision = app.store.edit_project(&project.account, &id, project.revision, &body, "renamed").await?;
            revision.is_some()
        }
    };
    if !kept {
        return Err(Fault::bad("The project was changed somewhere else meanwhile. Reload."));
    }
    Ok(Json(json!({ "name": name, "revision": project.revision + 1 })))
}

/// `3.jpg`: a frame of the fourth scene, from its middle, where everything has come in.
async fn scene(
    State(app): State<Arc<App>>,
    member: Member,
    Path((id, file)): Path<(String, String)>,
) -> Result<Response, Fault> {
    let scene = file.strip_suffix(".jpg").and_then(|number| number.parse().ok());
    let scene: usize = scene.ok_or_else(|| Fault::missing("picture"))?;
    let project = owned(&app, &member, &id).await?;
    let body = project.body()?;
    let picture = pictures::thumbnail(&app, &body, scene, 2.5, 480).await?;
    Ok(pictures::answer(picture, "image/jpeg"))
}

async fn replay(State(app): State<Arc<App>>, member: Member, Path(id): Path<String>) -> Result<Json<Value>, Fault> {
    if !app.store.replay_delivery(&member.account.id, &id).await? {
        return Err(Fault::bad("This webhook is on its way already, or it is not yours."));
    }
    Ok(Json(json!({})))
}
