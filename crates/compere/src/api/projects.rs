//! Projects: create, read, list, edit, delete.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use compere_store::{Before, ExportState, Key, Project, ProjectKind, ProjectList};
use serde::Deserialize;
use serde_json::{Value, json};

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::accept::{self, Draft, Wanted, own_project};
use super::answer::{Data, Flat, date, number};
use super::body::Body;
use super::error::ApiError;
use super::extract::{Path, Query};
use super::gate::Auth;
use super::once::Once;
use super::progress;
use super::schema::{
    CreateProject, DeleteProjects, Deleted, EditProject, Enveloped, Failures, Listed, ProjectAnswer, ProjectId,
};
use super::{cached, problem};
use crate::serve::app::App;

pub fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(create, list, delete)).routes(routes!(list_older)).routes(routes!(read, edit))
}

/// Create a project, and export it
///
/// With `isExport` false it is stored only. All problems of the body are reported together.
#[utoipa::path(post, path = "/api/odin/v3/editor/project", tag = "projects", request_body = CreateProject,
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key with the same body within 24 hours gives the same answer")),
    responses((status = 200, description = "Done", body = Enveloped<ProjectId>), Failures))]
async fn create(State(app): State<Arc<App>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&app, &auth, &body.bytes.clone(), {
        let (app, auth) = (Arc::clone(&app), auth.clone());
        async move {
            let draft = Draft { kind: ProjectKind::Scenes, film: body.json.clone(), request: None };
            let (options, checked) = accept::read(&app, &auth, &body.json, &draft.film).await?;
            let export = options.is_export.unwrap_or(true);
            let project = accept::create(&app, &auth, draft, &options, &checked, export).await?;
            Ok(Data(json!({ "projectId": project.id })).into_response())
        }
    })
    .await
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    /// From 1
    page: Option<String>,
    /// Projects on a page, at most 100
    limit: Option<String>,
    /// A state, or `all`; default: `exported`
    state: Option<String>,
    #[serde(rename = "workspaceId")]
    workspace_id: Option<String>,
}

/// List projects, newest first
///
/// Only exported ones unless `state` says otherwise. The header `X-Total-Count` has the number of all.
#[utoipa::path(get, path = "/api/odin/v3/editor/project", tag = "projects", params(ListQuery),
    responses((status = 200, description = "Done", body = Enveloped<Vec<Listed>>), Failures))]
async fn list(State(app): State<Arc<App>>, auth: Auth, Query(query): Query<ListQuery>) -> Result<Response, ApiError> {
    list_page(&app, &auth, query).await
}

/// List projects, under an older name
#[utoipa::path(get, path = "/api/odin/v3/editor/projects", tag = "projects", params(ListQuery),
    responses((status = 200, description = "Done", body = Enveloped<Vec<Listed>>), Failures))]
async fn list_older(
    State(app): State<Arc<App>>,
    auth: Auth,
    Query(query): Query<ListQuery>,
) -> Result<Response, ApiError> {
    list_page(&app, &auth, query).await
}

const STATES: [&str; 9] =
    ["draft", "importing", "queued", "synthesizing", "rendering", "finishing", "exported", "failed", "cancelled"];

async fn list_page(app: &App, auth: &Auth, query: ListQuery) -> Result<Response, ApiError> {
    let mut problems = Vec::new();
    let mut count = |key: &str, text: Option<String>, default: i64, most: i64| match text.as_deref() {
        None | Some("") => default,
        Some(text) => text.parse().ok().filter(|n| (1..=most).contains(n)).unwrap_or_else(|| {
            problems.push(problem(key, format!("must be a number from 1 to {most}")));
            default
        }),
    };
    let (page, limit) = (count("page", query.page, 1, 1_000_000), count("limit", query.limit, 50, 100));
    let state = match query.state.as_deref() {
        None | Some("") => Some("exported".to_owned()),
        Some("all") => None,
        Some(state) if STATES.contains(&state) => Some(state.to_owned()),
        Some(_) => {
            problems.push(problem("state", format!("must be all or one of {}", STATES.join(", "))));
            None
        }
    };
    if !problems.is_empty() {
        return Err(ApiError::problems(&problems));
    }
    let workspace = auth.workspace.clone().or(query.workspace_id.filter(|id| !id.is_empty()));
    let wanted = ProjectList { workspace, state, search: None, limit, offset: (page - 1) * limit };
    let (projects, total) = app.store.projects(&auth.account.id, &wanted).await?;
    let items: Vec<Value> = projects.iter().map(|project| listed(app, project)).collect();
    let mut response = Data(Value::Array(items)).into_response();
    response.headers_mut().insert("x-total-count", HeaderValue::from(total));
    Ok(response)
}

fn listed(app: &App, project: &Project) -> Value {
    json!({
        "id": project.id, "name": project.name, "state": project.state(),
        "download_url": progress::download(app, project.export.as_ref()),
        "progress": number(progress::percent(project)), "orientation": project.orientation,
        "workspaceId": project.workspace, "callbackId": project.callback_id,
        "createdAt": date(project.created_at), "updatedAt": date(project.updated_at),
    })
}

/// Read a project
///
/// Scenes come back exactly as they were stored, unknown keys included, so that they can be posted again.
#[utoipa::path(get, path = "/api/odin/v3/editor/project/{id}", tag = "projects",
    params(("id" = String, Path, description = "Id of the project")),
    responses((status = 200, description = "Done", body = Enveloped<ProjectAnswer>), (status = 304, description = "Not changed"), Failures))]
async fn read(
    State(app): State<Arc<App>>,
    auth: Auth,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let project = own_project(&app, &auth, &id).await?;
    Ok(cached(&headers, Data(json!({ "project": record(&app, &project)? })).into_response()).await)
}

/// All that is told of a project.
pub fn record(app: &App, project: &Project) -> Result<Value, ApiError> {
    let body = project.body()?;
    let export = project.export.as_ref();
    let settled = export.is_some_and(|export| export.state == ExportState::Exported);
    let mut record = json!({
        "_id": project.id, "name": project.name, "orientation": project.orientation, "scenes": body["scenes"],
        "userId": project.account, "templateId": null, "state": project.state(),
        "thumbnailUrl": progress::thumbnail(app, export), "baseInfoId": format!("{}.{}", project.id, project.revision),
        "dictionary": body.get("dictionary").cloned().unwrap_or_else(|| json!({})),
        "backendTaskId": export.map(|export| &export.id),
        "exportType": export.map(|export| &export.format),
        "progress": number(progress::percent(project)), "creditSubstracted": settled,
        "createdAt": date(project.created_at), "updatedAt": date(project.updated_at),
        "download_url": progress::download(app, export),
        "workspaceId": project.workspace, "callbackId": project.callback_id, "revision": project.revision,
        "resolution": export.map(|export| &export.resolution), "credit": export.and_then(|export| export.credits),
    });
    for key in ["backgroundAudio", "onAssetError", "importWarnings", "originalUrl"] {
        if let Some(value) = body.get(key) {
            record[key] = value.clone();
        }
    }
    Ok(record)
}

/// Edit a project, and export it
///
/// Entries select by `sceneIdx` and `type`, and may be narrowed by `id`, `tag` or `clipIdx`. All of them apply, or none.
/// With `copy` the edit goes into a new project and the original stays as it is.
#[utoipa::path(post, path = "/api/odin/v3/editor/project/{id}", tag = "projects", request_body = EditProject,
    params(("id" = String, Path, description = "Id of the project"),
        ("Idempotency-Key" = Option<String>, Header, description = "The same key with the same body within 24 hours gives the same answer")),
    responses((status = 200, description = "Done", body = Enveloped<ProjectId>), Failures))]
async fn edit(
    State(app): State<Arc<App>>,
    auth: Auth,
    Path(id): Path<String>,
    once: Once,
    body: Body,
) -> Result<Response, ApiError> {
    once.run(&app, &auth, &body.bytes.clone(), {
        let (app, auth) = (Arc::clone(&app), auth.clone());
        async move {
            let project = apply(&app, &auth, &id, &body.json).await?;
            Ok(Data(json!({ "projectId": project.id })).into_response())
        }
    })
    .await
}

/// Others may edit at the same time; each edit is made to whatever the project is by then.
async fn apply(app: &Arc<App>, auth: &Auth, id: &str, body: &Value) -> Result<Project, ApiError> {
    let mut tries = 0;
    loop {
        let project = own_project(app, auth, id).await?;
        tries += 1;
        match apply_to(app, auth, project, body).await {
            Err(error) if error.kind == super::error::Kind::Conflict && tries < 4 => {}
            outcome => return outcome,
        }
    }
}

async fn apply_to(app: &Arc<App>, auth: &Auth, project: Project, body: &Value) -> Result<Project, ApiError> {
    let mut film = project.body()?;
    let updates = body.get("updates").filter(|updates| !updates.is_null());
    let Some(updates) = updates else {
        return Err(ApiError::field("updates", "is missing: an object with a list `value`, or the list itself"));
    };
    compere_scene::edit(&mut film, updates).map_err(|problems| ApiError::problems(&problems))?;
    for key in ["name", "onAssetError"] {
        if let Some(value) = body.get(key).filter(|value| !value.is_null()) {
            film[key] = value.clone();
        }
    }
    let (options, checked) = accept::read(app, auth, body, &at_resolution(&film, body)).await?;
    let export = options.is_export.unwrap_or(true);
    if options.copy {
        let draft = Draft { kind: project.kind, film, request: None };
        return accept::create(app, auth, draft, &options, &checked, export).await;
    }
    if !export {
        let revision = app.store.edit_project(&auth.account.id, &project.id, project.revision, &film, "api").await?;
        return revision.map(|_| project).ok_or_else(|| compere_store::Refused::Conflict.into());
    }
    let before = Before::Edit { revision: project.revision, body: Box::new(film.clone()), note: "api".to_owned() };
    accept::start(app, auth, before, Wanted { project: project.id, film, kind: project.kind }, &options, &checked).await
}

/// The film as an export request wants it: 1080 lines where it does not say, whatever the project was made with.
pub fn at_resolution(film: &Value, request: &Value) -> Value {
    let mut film = film.clone();
    let wanted = request.get("resolution").filter(|resolution| !resolution.is_null());
    film["resolution"] = wanted.cloned().unwrap_or_else(|| json!("1080"));
    film
}

/// Delete projects
///
/// Unknown and foreign ids are passed over. Running exports are cancelled, files go.
#[utoipa::path(delete, path = "/api/odin/v3/editor/project", tag = "projects", request_body = DeleteProjects,
    responses((status = 200, description = "Done", body = Enveloped<Deleted>), Failures))]
async fn delete(State(app): State<Arc<App>>, auth: Auth, body: Body) -> Result<Flat, ApiError> {
    let Some(ids) = body.json["ids"].as_array() else {
        return Err(ApiError::field("ids", "must be a list of project ids"));
    };
    if ids.len() > 1000 {
        return Err(ApiError::field("ids", "must name at most 1000 projects at once"));
    }
    let mut known = Vec::new();
    for (at, id) in ids.iter().enumerate() {
        let Some(id) = id.as_str() else {
            return Err(ApiError::field(&format!("ids[{at}]"), "must be a text"));
        };
        match own_project(&app, &auth, id).await {
            Ok(project) if !known.iter().any(|(known, _)| *known == project.id) => {
                let exports = app.store.exports_of(&project.id, 1000).await?;
                known.push((project.id, exports));
            }
            Ok(_) => {}
            Err(error) if error.kind == super::error::Kind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    let ids: Vec<String> = known.iter().map(|(id, _)| id.clone()).collect();
    let deleted = app.store.delete_projects(&auth.account.id, &ids).await?;
    for (id, exports) in &known {
        for export in exports {
            app.engine.cancel(&export.id);
            if export.state.is_over() {
                for key in Key::of_export(&export.id) {
                    forget(&app, &key).await;
                }
            }
        }
        if let Err(error) = app.objects.delete_owner("projects", id).await {
            tracing::warn!(project = id, %error, "files of a deleted project stay for the sweeper");
        }
    }
    Ok(Flat(json!({ "deletedCount": deleted })))
}

async fn forget(app: &App, key: &Key) {
    if let Err(error) = app.objects.delete(key).await {
        tracing::warn!(%error, "a file of a deleted project stays for the sweeper");
    }
}
