//! Projects: create, read, list, edit, delete.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use compere_office::Office;
use compere_store::{ExportState, Project, ProjectList};
use serde::Deserialize;
use serde_json::{Value, json};

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::{Data, Flat, date, number};
use super::body::Body;
use super::error::ApiError;
use super::extract::{Path, Query};
use super::gate::Auth;
use super::once::Once;
use super::schema::{
    CreateProject, DeleteProjects, Deleted, EditProject, Enveloped, Failures, Listed, ProjectAnswer, ProjectId,
};
use super::{cached, problem};

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new().routes(routes!(create, list, delete)).routes(routes!(list_older)).routes(routes!(read, edit))
}

/// Create a project, and export it
///
/// With `isExport` false it is stored only. All problems of the body are reported together.
#[utoipa::path(post, path = "/api/odin/v3/editor/project", tag = "projects", request_body = CreateProject,
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key with the same body within 24 hours gives the same answer")),
    responses((status = 200, description = "Done", body = Enveloped<ProjectId>), Failures))]
async fn create(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let made = office.create(&auth, &body.json).await?;
            Ok(Data(json!({ "projectId": made.project.id, "warnings": made.warnings })).into_response())
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
async fn list(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Query(query): Query<ListQuery>,
) -> Result<Response, ApiError> {
    list_page(&office, &auth, query).await
}

/// List projects, under an older name
#[utoipa::path(get, path = "/api/odin/v3/editor/projects", tag = "projects", params(ListQuery),
    responses((status = 200, description = "Done", body = Enveloped<Vec<Listed>>), Failures))]
async fn list_older(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Query(query): Query<ListQuery>,
) -> Result<Response, ApiError> {
    list_page(&office, &auth, query).await
}

const STATES: [&str; 9] =
    ["draft", "importing", "queued", "synthesizing", "rendering", "finishing", "exported", "failed", "cancelled"];

async fn list_page(office: &Office, auth: &Auth, query: ListQuery) -> Result<Response, ApiError> {
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
    let workspace = query.workspace_id.filter(|id| !id.is_empty());
    let wanted = ProjectList { workspace, state, search: None, limit, offset: (page - 1) * limit };
    let (projects, total) = office.projects(auth, wanted).await?;
    let items: Vec<Value> = projects.iter().map(|project| listed(office, project)).collect();
    let mut response = Data(Value::Array(items)).into_response();
    response.headers_mut().insert("x-total-count", HeaderValue::from(total));
    Ok(response)
}

fn listed(office: &Office, project: &Project) -> Value {
    let progress = office.progress(project);
    json!({
        "id": project.id, "name": project.name, "state": project.state(),
        "download_url": progress.film,
        "progress": number(progress.percent), "orientation": project.orientation,
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
    State(office): State<Arc<Office>>,
    auth: Auth,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let project = office.project(&auth, &id).await?;
    cached(&headers, Data(json!({ "project": record(&office, &project)? })).into_response()).await
}

/// All that is told of a project.
pub fn record(office: &Office, project: &Project) -> Result<Value, ApiError> {
    let body = project.body()?;
    let progress = office.progress(project);
    let export = project.export.as_ref();
    let settled = export.is_some_and(|export| export.state == ExportState::Exported);
    let mut record = json!({
        "_id": project.id, "name": project.name, "orientation": project.orientation, "scenes": body["scenes"],
        "userId": project.account, "templateId": null, "state": project.state(),
        "thumbnailUrl": progress.poster, "baseInfoId": format!("{}.{}", project.id, project.revision),
        "dictionary": body.get("dictionary").cloned().unwrap_or_else(|| json!({})),
        "backendTaskId": export.map(|export| &export.id),
        "exportType": export.map(|export| export.order.format),
        "progress": number(progress.percent), "creditSubstracted": settled,
        "createdAt": date(project.created_at), "updatedAt": date(project.updated_at),
        "download_url": progress.film,
        "workspaceId": project.workspace, "callbackId": project.callback_id, "revision": project.revision,
        "resolution": export.map(|export| export.order.resolution), "credit": export.and_then(|export| export.credits),
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
    State(office): State<Arc<Office>>,
    auth: Auth,
    Path(id): Path<String>,
    once: Once,
    body: Body,
) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let edited = office.edit(&auth, &id, &body.json).await?;
            Ok(Data(json!({ "projectId": edited.project.id, "warnings": edited.warnings })).into_response())
        }
    })
    .await
}

/// Delete projects
///
/// Unknown and foreign ids are passed over. Running exports are cancelled, files go.
#[utoipa::path(delete, path = "/api/odin/v3/editor/project", tag = "projects", request_body = DeleteProjects,
    responses((status = 200, description = "Done", body = Enveloped<Deleted>), Failures))]
async fn delete(State(office): State<Arc<Office>>, auth: Auth, body: Body) -> Result<Flat, ApiError> {
    let Some(ids) = body.json["ids"].as_array() else {
        return Err(ApiError::field("ids", "must be a list of project ids"));
    };
    if ids.len() > 1000 {
        return Err(ApiError::field("ids", "must name at most 1000 projects at once"));
    }
    let text = |(at, id): (usize, &Value)| {
        let wrong = || ApiError::field(&format!("ids[{at}]"), "must be a text");
        id.as_str().map(str::to_owned).ok_or_else(wrong)
    };
    let ids: Vec<String> = ids.iter().enumerate().map(text).collect::<Result<_, _>>()?;
    Ok(Flat(json!({ "deletedCount": office.delete(&auth, &ids).await? })))
}
