//! The older generation (1.4.x), translated at the door.
//!
//! What was sent is kept beside its translation, so that it can be read, edited and translated again.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use compere_store::{Project, ProjectKind, Refused};
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::accept::{self, Checked, Draft, own_project};
use super::answer::Flat;
use super::body::{Body, MaybeBody};
use super::error::ApiError;
use super::extract::Path;
use super::gate::Auth;
use super::once::Once;
use super::options::{self, Options};
use super::schema::{CubeAnswer, Failures, LegacyAnswer, LegacyEdit, LegacyProject, LegacyScene, LegacySceneIndex};
use super::simple::{older_progress, with_options};
use crate::serve::app::App;

pub fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(create))
        .routes(routes!(read, edit))
        .routes(routes!(read_by_name))
        .routes(routes!(duplicate))
        .routes(routes!(add_scene, replace_scene, delete_scene))
        .routes(routes!(progress))
}

/// Create and export a project (1.4.x)
#[utoipa::path(post, path = "/api/odin/editor/project", tag = "1.4.x", request_body = LegacyProject,
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = CubeAnswer), Failures))]
async fn create(State(app): State<Arc<App>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&app, &auth, &body.bytes.clone(), {
        let (app, auth) = (Arc::clone(&app), auth.clone());
        async move { export(&app, &auth, body.json).await }
    })
    .await
}

/// Makes a new project of an older body and exports it.
async fn export(app: &Arc<App>, auth: &Auth, request: Value) -> Result<Response, ApiError> {
    let (film, options, checked) = translate(app, auth, &request).await?;
    let export = options.is_export.unwrap_or(true);
    let draft = Draft { kind: ProjectKind::Legacy, film, request: Some(options::kept(&request)) };
    let project = accept::create(app, auth, draft, &options, &checked, export).await?;
    Ok(cubes(&project, if export { checked.credits() } else { 0 }))
}

async fn translate(app: &App, auth: &Auth, request: &Value) -> Result<(Value, Options, Checked), ApiError> {
    let limits = app.settings.limits.of_scenes();
    let sizes = super::ask::sizes(app, request).await;
    let film = compere_scene::legacy_to_project(request, &limits, &app.house, &|link| sizes.get(link).copied());
    let film = film.map_err(|problems| with_options(request, problems))?;
    let (options, checked) = accept::read(app, auth, request, &film).await?;
    Ok((film, options, checked))
}

fn cubes(project: &Project, cubes: i64) -> Response {
    Flat(json!({ "cube_used": cubes, "key": project.id, "projectId": project.id })).into_response()
}

/// Read a project (1.4.x)
#[utoipa::path(get, path = "/api/odin/editor/project/{key}", tag = "1.4.x",
    params(("key" = String, Path, description = "Key of the project")),
    responses((status = 200, description = "Done", body = LegacyAnswer), Failures))]
async fn read(State(app): State<Arc<App>>, auth: Auth, Path(key): Path<String>) -> Result<Flat, ApiError> {
    answer(&own_project(&app, &auth, &key).await?)
}

/// Read the newest project of a name (1.4.x)
#[utoipa::path(get, path = "/api/odin/editor/project/name/{name}", tag = "1.4.x",
    params(("name" = String, Path, description = "Name of the project")),
    responses((status = 200, description = "Done", body = LegacyAnswer), Failures))]
async fn read_by_name(State(app): State<Arc<App>>, auth: Auth, Path(name): Path<String>) -> Result<Flat, ApiError> {
    let found = app.store.project_by_name(&auth.account.id, &name).await?;
    let visible = |project: &Project| auth.workspace.is_none() || auth.workspace == project.workspace;
    answer(&found.filter(visible).ok_or_else(|| ApiError::no_project(&name))?)
}

fn answer(project: &Project) -> Result<Flat, ApiError> {
    Ok(Flat(json!({ "response": described(project)?, "msg": "", "key": project.id })))
}

fn described(project: &Project) -> Result<Value, ApiError> {
    let scenes = match request_of(project)? {
        Some(request) => request["scenes"].clone(),
        None => project.body()?["scenes"].clone(),
    };
    Ok(json!({ "projectName": project.name, "scenes": scenes, "key": project.id }))
}

/// The body that a project was made of, if it is of this generation.
fn request_of(project: &Project) -> Result<Option<Value>, ApiError> {
    match (&project.kind, &project.request) {
        (ProjectKind::Legacy, Some(request)) => serde_json::from_str(request).map(Some).map_err(ApiError::internal),
        _ => Ok(None),
    }
}

async fn own_request(app: &App, auth: &Auth, key: &str) -> Result<(Project, Value), ApiError> {
    let project = own_project(app, auth, key).await?;
    let request = request_of(&project)?.ok_or_else(|| {
        let path = format!("/api/odin/v3/editor/project/{}", project.id);
        ApiError::field(
            "",
            format!("the project is not, or no longer, of the 1.4.x generation; edit it with POST {path}"),
        )
    })?;
    Ok((project, request))
}

/// Export a changed copy of a project (1.4.x)
///
/// The original stays as it is; the answer has the key of the new project.
#[utoipa::path(post, path = "/api/odin/editor/project/{key}", tag = "1.4.x", request_body = LegacyEdit,
    params(("key" = String, Path, description = "Key of the project"), ("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = CubeAnswer), Failures))]
async fn edit(
    State(app): State<Arc<App>>,
    auth: Auth,
    Path(key): Path<String>,
    once: Once,
    body: Body,
) -> Result<Response, ApiError> {
    once.run(&app, &auth, &body.bytes.clone(), {
        let (app, auth) = (Arc::clone(&app), auth.clone());
        async move {
            let (project, mut request) = own_request(&app, &auth, &key).await?;
            let updates = body.json.get("updates").unwrap_or(&Value::Null);
            compere_scene::edit_legacy(&mut request, updates).map_err(|problems| ApiError::problems(&problems))?;
            request["projectName"] = json!(project.name);
            if let (Value::Object(request), Value::Object(sent)) = (&mut request, &body.json) {
                let others = sent.iter().filter(|(key, _)| *key != "updates" && *key != "scenes");
                request.extend(others.map(|(key, value)| (key.clone(), value.clone())));
            }
            export(&app, &auth, request).await
        }
    })
    .await
}

/// Copy a project (1.4.x)
#[utoipa::path(post, path = "/api/odin/editor/project/duplicate/{key}", tag = "1.4.x",
    params(("key" = String, Path, description = "Key of the project"), ("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = LegacyAnswer), Failures))]
async fn duplicate(
    State(app): State<Arc<App>>,
    auth: Auth,
    Path(key): Path<String>,
    once: Once,
    body: MaybeBody,
) -> Result<Response, ApiError> {
    once.run(&app, &auth, &body.bytes.clone(), {
        let (app, auth) = (Arc::clone(&app), auth.clone());
        async move {
            let project = own_project(&app, &auth, &key).await?;
            let request = project.request.as_deref().map(serde_json::from_str).transpose();
            let new = compere_store::NewProject {
                id: None,
                account: project.account.clone(),
                workspace: project.workspace.clone(),
                name: project.name.clone(),
                orientation: project.orientation.clone(),
                kind: project.kind,
                body: project.body()?,
                request: request.map_err(ApiError::internal)?,
                callback_id: None,
                importing: None,
            };
            let copy = app.store.create_project(new).await?;
            let data = described(&copy)?;
            Ok(Flat(json!({ "projectData": data, "key": copy.id })).into_response())
        }
    })
    .await
}

/// Insert a scene (1.4.x)
///
/// Later scenes move back by one.
#[utoipa::path(post, path = "/api/odin/editor/scene/{key}", tag = "1.4.x", request_body = LegacyScene,
    params(("key" = String, Path, description = "Key of the project")),
    responses((status = 200, description = "Done", body = LegacyAnswer), Failures))]
async fn add_scene(
    State(app): State<Arc<App>>,
    auth: Auth,
    Path(key): Path<String>,
    body: Body,
) -> Result<Flat, ApiError> {
    let scene = scene_of(&body.json)?;
    let project = change(&app, &auth, &key, |scenes| {
        let at = index(&body.json, Some(scenes.len()), scenes.len() + 1)?;
        scenes.insert(at, scene.clone());
        Ok(())
    })
    .await?;
    Ok(Flat(json!({ "msg": "the scene was added", "key": project.id })))
}

/// Replace a scene (1.4.x)
#[utoipa::path(put, path = "/api/odin/editor/scene/{key}", tag = "1.4.x", request_body = LegacyScene,
    params(("key" = String, Path, description = "Key of the project")),
    responses((status = 200, description = "Done", body = LegacyAnswer), Failures))]
async fn replace_scene(
    State(app): State<Arc<App>>,
    auth: Auth,
    Path(key): Path<String>,
    body: Body,
) -> Result<Flat, ApiError> {
    let scene = scene_of(&body.json)?;
    let project = change(&app, &auth, &key, |scenes| {
        let at = index(&body.json, None, scenes.len())?;
        scenes[at] = scene.clone();
        Ok(())
    })
    .await?;
    Ok(Flat(json!({ "msg": "the scene was replaced", "key": project.id })))
}

/// Delete a scene (1.4.x)
#[utoipa::path(delete, path = "/api/odin/editor/scene/{key}", tag = "1.4.x", request_body = LegacySceneIndex,
    params(("key" = String, Path, description = "Key of the project")),
    responses((status = 200, description = "Done", body = CubeAnswer), Failures))]
async fn delete_scene(
    State(app): State<Arc<App>>,
    auth: Auth,
    Path(key): Path<String>,
    body: Body,
) -> Result<Response, ApiError> {
    let project = change(&app, &auth, &key, |scenes| {
        let at = index(&body.json, None, scenes.len())?;
        scenes.remove(at);
        Ok(())
    })
    .await?;
    Ok(cubes(&project, 0))
}

fn scene_of(body: &Value) -> Result<Value, ApiError> {
    let scene = body.get("scene").filter(|scene| scene.is_object());
    scene.cloned().ok_or_else(|| ApiError::field("scene", "must be an object, the scene"))
}

fn index(body: &Value, default: Option<usize>, count: usize) -> Result<usize, ApiError> {
    let given = body.get("sceneIdx").filter(|index| !index.is_null());
    let index = match given {
        None => default,
        Some(index) => index.as_u64().map(|index| index as usize).or_else(|| index.as_str()?.trim().parse().ok()),
    };
    let most = count.saturating_sub(1);
    index.filter(|index| *index < count).ok_or_else(|| ApiError::field("sceneIdx", format!("must be 0 to {most}")))
}

/// Changes the scenes of a project in place, and keeps the old ones as a revision. All or nothing.
async fn change(
    app: &App,
    auth: &Auth,
    key: &str,
    mut act: impl FnMut(&mut Vec<Value>) -> Result<(), ApiError>,
) -> Result<Project, ApiError> {
    for _ in 0..4 {
        let (project, mut request) = own_request(app, auth, key).await?;
        let Some(scenes) = request["scenes"].as_array_mut() else {
            return Err(ApiError::internal("a stored body without scenes"));
        };
        act(scenes)?;
        let (film, _, _) = translate(app, auth, &request).await?;
        let film = options::kept(&film);
        let done = app.store.edit_request(&project, &film, &request, "api").await?;
        if done {
            return Ok(project);
        }
    }
    Err(Refused::Conflict.into())
}

/// Ask how far an export is (1.4.x)
#[utoipa::path(get, path = "/api/odin/editor/progress/{key}", tag = "1.4.x",
    params(("key" = String, Path, description = "Key of the project")),
    responses((status = 200, description = "Done", body = LegacyAnswer), Failures))]
async fn progress(State(app): State<Arc<App>>, auth: Auth, Path(key): Path<String>) -> Result<Response, ApiError> {
    let project = own_project(&app, &auth, &key).await?;
    Ok(axum::Json(older_progress(&app, &project)).into_response())
}
