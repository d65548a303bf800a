//! Projects: create, read, list, edit, delete.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use compere_office::{Accepted, Office};
use compere_store::{ExportState, Page, Project, ProjectList, ProjectState};
use serde::Deserialize;
use serde_json::{Value, json};

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answers::{
    Both, Created, Data, Deleted, Enveloped, Flat, Listed, ProjectAnswer, ProjectRecord, Warned, date,
};
use super::body::Body;
use super::error::ApiError;
use super::extract::{Id, Query, checked};
use super::gate::Auth;
use super::once::Once;
use super::schema::{CreateProject, DeleteProjects, EditProject, Failures};
use super::{cached_as, paging, problem};

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new().routes(routes!(create, list, delete)).routes(routes!(list_older)).routes(routes!(read, edit))
}

/// Create a project, and export it
///
/// With `isExport` false it is stored only. All problems of the body are reported together.
#[utoipa::path(post, operation_id = "createProject", path = "/api/odin/v3/editor/project", tag = "projects", request_body = CreateProject,
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key with the same body within 24 hours gives the same answer")),
    responses((status = 200, description = "Done", body = Enveloped<Created>), Failures))]
async fn create(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move { Ok(Data(created(&office.create(&auth, &body.json).await?)).into_response()) }
    })
    .await
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    /// From 1
    #[param(value_type = Option<i64>, minimum = 1)]
    page: Option<String>,
    /// Projects on a page
    #[param(value_type = Option<i64>, minimum = 1, maximum = 100)]
    limit: Option<String>,
    /// A state, or `all`; default: `exported`
    state: Option<String>,
    #[serde(rename = "workspaceId")]
    workspace_id: Option<String>,
    /// A part of the name, in any case
    name: Option<String>,
    /// Where the page before ended; the header `Link` has the address of the next page with it
    after: Option<String>,
}

/// List projects, newest first
///
/// Only exported ones unless `state` says otherwise. The header `X-Total-Count` has the number of all.
#[utoipa::path(get, operation_id = "listProjects", path = "/api/odin/v3/editor/project", tag = "projects", params(ListQuery),
    responses((status = 200, description = "Done", body = Enveloped<Vec<Listed>>), Failures))]
async fn list(
    State(office): State<Arc<Office>>,
    auth: Auth,
    uri: Uri,
    Query(query): Query<ListQuery>,
) -> Result<Response, ApiError> {
    list_page(&office, &auth, &uri, query).await
}

/// List projects, under an older name
#[utoipa::path(get, operation_id = "listProjectsOlder", path = "/api/odin/v3/editor/projects", tag = "projects", params(ListQuery),
    responses((status = 200, description = "Done", body = Enveloped<Vec<Listed>>), Failures))]
async fn list_older(
    State(office): State<Arc<Office>>,
    auth: Auth,
    uri: Uri,
    Query(query): Query<ListQuery>,
) -> Result<Response, ApiError> {
    list_page(&office, &auth, &uri, query).await
}

async fn list_page(office: &Office, auth: &Auth, uri: &Uri, query: ListQuery) -> Result<Response, ApiError> {
    let mut problems = Vec::new();
    let page = paging::count("page", query.page.as_deref(), 1, 1_000_000, &mut problems);
    let limit = paging::limit(query.limit.as_deref(), &mut problems);
    let state = match query.state.as_deref() {
        None | Some("") => Some(ProjectState::Exported),
        Some("all") => None,
        Some(state) => ProjectState::parse(state).or_else(|| {
            let words = ProjectState::ALL.map(ProjectState::as_str).join(", ");
            problems.push(problem("state", format!("must be all or one of {words}")));
            None
        }),
    };
    if !problems.is_empty() {
        return Err(ApiError::problems(&problems));
    }
    let workspace = query.workspace_id.filter(|id| !id.is_empty());
    let given = |text: Option<String>| text.filter(|text| !text.is_empty());
    let (search, after) = (given(query.name.clone()), paging::after(query.after.clone())?);
    let wanted = ProjectList { workspace, state, search, page: Page { after, limit }, offset: (page - 1) * limit };
    let (projects, total) = office.projects(auth, wanted).await?;
    let items: Vec<Listed> = projects.iter().map(|project| listed(office, project)).collect();
    let mut response = Data(items).into_response();
    response.headers_mut().insert("x-total-count", HeaderValue::from(total));
    let last = paging::last(&projects, limit).map(|project| (project.created_at, project.id.as_str()));
    Ok(paging::linked(response, office, uri, last))
}

/// The revision that `If-Match` names, where it is one of our tags of a project.
pub fn wanted(headers: &HeaderMap) -> Result<Option<i64>, ApiError> {
    let Some(value) = headers.get(header::IF_MATCH) else { return Ok(None) };
    let text = value.to_str().unwrap_or_default().trim();
    let tag = text.trim_start_matches("W/").trim_matches('"');
    match tag.split_once('-').unwrap_or((tag, "")).0.parse() {
        Ok(revision) => Ok(Some(revision)),
        Err(_) if text == "*" => Ok(None),
        Err(_) => Err(ApiError::bad_request("If-Match must be the ETag that reading the project gave")),
    }
}

fn listed(office: &Office, project: &Project) -> Listed {
    let progress = office.progress(project);
    Listed {
        id: project.id.clone(),
        name: project.name.clone(),
        state: project.state().as_str().to_owned(),
        download_url: progress.film,
        progress: progress.percent,
        orientation: project.orientation,
        workspace_id: project.workspace.clone(),
        callback_id: project.callback_id.clone(),
        created_at: date(project.created_at),
        updated_at: date(project.updated_at),
    }
}

/// Read a project
///
/// Scenes come back exactly as they were stored, unknown keys included, so that they can be posted again.
#[utoipa::path(get, operation_id = "readProject", path = "/api/odin/v3/editor/project/{id}", tag = "projects",
    params(("id" = String, Path, description = "Id of the project")),
    responses((status = 200, description = "Done", body = Enveloped<ProjectAnswer>), (status = 304, description = "Not changed"), Failures))]
async fn read(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let project = office.project(&auth, &id).await?;
    let answer = Data(ProjectAnswer { project: record(&office, &project)? }).into_response();
    cached_as(&headers, &format!("{}-", project.revision), answer).await
}

/// All that is told of a project.
fn record(office: &Office, project: &Project) -> Result<ProjectRecord, ApiError> {
    let mut body = project.body()?;
    let progress = office.progress(project);
    let export = project.export.as_ref();
    let mut sent = |key: &str| body.get_mut(key).map(Value::take);
    Ok(ProjectRecord {
        id: project.id.clone(),
        name: project.name.clone(),
        orientation: project.orientation,
        scenes: sent("scenes").unwrap_or_default(),
        user_id: project.account.clone(),
        template_id: None,
        state: project.state().as_str().to_owned(),
        thumbnail_url: progress.poster,
        base_info_id: format!("{}.{}", project.id, project.revision),
        dictionary: sent("dictionary").unwrap_or_else(|| json!({})),
        backend_task_id: export.map(|export| export.id.clone()),
        export_type: export.map(|export| export.order.format),
        progress: progress.percent,
        credit_substracted: export.is_some_and(|export| export.state == ExportState::Exported),
        created_at: date(project.created_at),
        updated_at: date(project.updated_at),
        download_url: progress.film,
        workspace_id: project.workspace.clone(),
        callback_id: project.callback_id.clone(),
        revision: project.revision,
        resolution: export.map(|export| export.order.resolution),
        credit: export.and_then(|export| export.credits),
        background_audio: sent("backgroundAudio"),
        on_asset_error: sent("onAssetError"),
        import_warnings: sent("importWarnings"),
        import_changes: sent("importChanges"),
        original_url: sent("originalUrl").map(|link| absolute(office, link)),
    })
}

/// A link of ours with the address of the service.
fn absolute(office: &Office, link: Value) -> Value {
    match link.as_str() {
        Some(path) if path.starts_with('/') => json!(format!("{}{path}", office.links.base())),
        _ => link,
    }
}

/// A project and what was found about its body.
pub fn created(accepted: &Accepted) -> Created {
    Created { project_id: accepted.project.id.clone(), warnings: accepted.warnings.iter().map(Warned::from).collect() }
}

/// Edit a project, and export it
///
/// Entries select by `sceneIdx` and `type`, and may be narrowed by `id`, `tag` or `clipIdx`. All of them apply, or none.
/// With `copy` the edit goes into a new project and the original stays as it is.
#[utoipa::path(post, operation_id = "editProject", path = "/api/odin/v3/editor/project/{id}", tag = "projects", request_body = EditProject,
    params(("id" = String, Path, description = "Id of the project"),
        ("If-Match" = Option<String>, Header, description = "The ETag of the project as it was read; when it is newer, nothing is changed"),
        ("Idempotency-Key" = Option<String>, Header, description = "The same key with the same body within 24 hours gives the same answer")),
    responses((status = 200, description = "Done", body = Enveloped<Created>), Failures))]
async fn edit(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(id): Id,
    once: Once,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let wanted = wanted(&headers)?;
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move { Ok(Data(created(&office.edit(&auth, &id, &body.json, wanted).await?)).into_response()) }
    })
    .await
}

/// Delete projects
///
/// Unknown and foreign ids are passed over. Running exports are cancelled, files go.
#[utoipa::path(delete, operation_id = "deleteProjects", path = "/api/odin/v3/editor/project", tag = "projects", request_body = DeleteProjects,
    responses((status = 200, description = "Done", body = Both<Deleted>), Failures))]
async fn delete(State(office): State<Arc<Office>>, auth: Auth, body: Body) -> Result<Flat<Deleted>, ApiError> {
    let Some(ids) = body.json["ids"].as_array() else {
        return Err(ApiError::field("ids", "must be a list of project ids"));
    };
    if ids.len() > 1000 {
        return Err(ApiError::field("ids", "must name at most 1000 projects at once"));
    }
    let text = |(at, id): (usize, &Value)| {
        let wrong = || ApiError::field(&format!("ids[{at}]"), "must be an id: 24 hexadecimal digits");
        id.as_str().filter(|id| checked(id).is_ok()).map(str::to_owned).ok_or_else(wrong)
    };
    let ids: Vec<String> = ids.iter().enumerate().map(text).collect::<Result<_, _>>()?;
    Ok(Flat(Deleted { deleted_count: office.delete(&auth, &ids).await? }))
}
