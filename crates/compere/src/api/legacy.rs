//! The older generation (1.4.x), translated at the door.
//!
//! What was sent is kept beside its translation, so that it can be read, edited and translated again.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use compere_office::{Accepted, Office, Refusal, request_of};
use compere_store::Project;
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answers::{Both, Copied, Described, Flat, Key, Keyed, OlderProgressAnswer, OlderProject, SceneChanged};
use super::body::{Body, MaybeBody};
use super::error::ApiError;
use super::extract::{Id, Path};
use super::gate::Auth;
use super::once::Once;
use super::projects::wanted;
use super::schema::{Failures, LegacyEdit, LegacyProject, LegacyScene, LegacySceneIndex};
use super::simple::older_progress;

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new()
        .routes(routes!(create))
        .routes(routes!(read, edit))
        .routes(routes!(read_by_name))
        .routes(routes!(duplicate))
        .routes(routes!(add_scene, replace_scene, delete_scene))
        .routes(routes!(progress))
}

/// Create and export a project (1.4.x)
#[utoipa::path(post, operation_id = "createProjectOlder", path = "/api/odin/editor/project", tag = "1.4.x", request_body = LegacyProject,
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Both<Keyed>), Failures))]
async fn create(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move { Ok(cubes(office.create_older(&auth, &body.json).await?)) }
    })
    .await
}

fn cubes((made, cubes): (Accepted, i64)) -> Response {
    Flat(Keyed { cube_used: cubes, named: Key::from(made) }).into_response()
}

/// Read a project (1.4.x)
#[utoipa::path(get, operation_id = "readProjectOlder", path = "/api/odin/editor/project/{key}", tag = "1.4.x",
    params(("key" = String, Path, description = "Key of the project")),
    responses((status = 200, description = "Done", body = Both<OlderProject>), Failures))]
async fn read(State(office): State<Arc<Office>>, auth: Auth, Id(key): Id) -> Result<Flat<OlderProject>, ApiError> {
    answer(&office.project(&auth, &key).await?)
}

/// Read the newest project of a name (1.4.x)
#[utoipa::path(get, operation_id = "readProjectByName", path = "/api/odin/editor/project/name/{name}", tag = "1.4.x",
    params(("name" = String, Path, description = "Name of the project")),
    responses((status = 200, description = "Done", body = Both<OlderProject>), Failures))]
async fn read_by_name(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Path(name): Path<String>,
) -> Result<Flat<OlderProject>, ApiError> {
    answer(&office.project_named(&auth, &name).await?)
}

fn answer(project: &Project) -> Result<Flat<OlderProject>, ApiError> {
    Ok(Flat(OlderProject { response: described(project)?, msg: String::new(), key: project.id.clone() }))
}

fn described(project: &Project) -> Result<Described, ApiError> {
    let scenes = match request_of(project)? {
        Some(request) => request["scenes"].clone(),
        None => project.body()?["scenes"].clone(),
    };
    Ok(Described { project_name: project.name.clone(), scenes, key: project.id.clone() })
}

/// Export a changed copy of a project (1.4.x)
///
/// The original stays as it is; the answer has the key of the new project.
#[utoipa::path(post, operation_id = "editProjectOlder", path = "/api/odin/editor/project/{key}", tag = "1.4.x", request_body = LegacyEdit,
    params(("key" = String, Path, description = "Key of the project"), ("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Both<Keyed>), Failures))]
async fn edit(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(key): Id,
    once: Once,
    body: Body,
) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move { Ok(cubes(office.edit_older(&auth, &key, &body.json).await?)) }
    })
    .await
}

/// Copy a project (1.4.x)
#[utoipa::path(post, operation_id = "duplicateProject", path = "/api/odin/editor/project/duplicate/{key}", tag = "1.4.x",
    params(("key" = String, Path, description = "Key of the project"), ("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Both<Copied>), Failures))]
async fn duplicate(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(key): Id,
    once: Once,
    body: MaybeBody,
) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let copy = office.duplicate(&auth, &key, true).await?;
            Ok(Flat(Copied { project_data: described(&copy)?, key: copy.id }).into_response())
        }
    })
    .await
}

/// Insert a scene (1.4.x)
///
/// Later scenes move back by one.
#[utoipa::path(post, operation_id = "addScene", path = "/api/odin/editor/scene/{key}", tag = "1.4.x", request_body = LegacyScene,
    params(("key" = String, Path, description = "Key of the project"), ("Idempotency-Key" = Option<String>, Header),
        ("If-Match" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Both<SceneChanged>), Failures))]
async fn add_scene(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(key): Id,
    once: Once,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let wanted = wanted(&headers)?;
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let scene = scene_of(&body.json)?;
            let mut at = 0;
            let add = |scenes: &mut Vec<Value>| {
                at = index(&body.json, Some(scenes.len()), scenes.len() + 1)?;
                scenes.insert(at, scene.clone());
                Ok(())
            };
            let added = office.change_older(&auth, &key, wanted, add).await;
            let project = added.map_err(|refusal| of_scene(refusal, at))?;
            Ok(Flat(SceneChanged { msg: "the scene was added".to_owned(), key: project.id }).into_response())
        }
    })
    .await
}

/// Replace a scene (1.4.x)
#[utoipa::path(put, operation_id = "replaceScene", path = "/api/odin/editor/scene/{key}", tag = "1.4.x", request_body = LegacyScene,
    params(("key" = String, Path, description = "Key of the project"), ("If-Match" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Both<SceneChanged>), Failures))]
async fn replace_scene(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(key): Id,
    headers: HeaderMap,
    body: Body,
) -> Result<Flat<SceneChanged>, ApiError> {
    let wanted = wanted(&headers)?;
    let scene = scene_of(&body.json)?;
    let mut at = 0;
    let replace = |scenes: &mut Vec<Value>| {
        at = index(&body.json, None, scenes.len())?;
        scenes[at] = scene.clone();
        Ok(())
    };
    let replaced = office.change_older(&auth, &key, wanted, replace).await;
    let project = replaced.map_err(|refusal| of_scene(refusal, at))?;
    Ok(Flat(SceneChanged { msg: "the scene was replaced".to_owned(), key: project.id }))
}

/// Delete a scene (1.4.x)
#[utoipa::path(delete, operation_id = "deleteScene", path = "/api/odin/editor/scene/{key}", tag = "1.4.x", request_body = LegacySceneIndex,
    params(("key" = String, Path, description = "Key of the project"), ("If-Match" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Both<Keyed>), Failures))]
async fn delete_scene(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(key): Id,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let project = office
        .change_older(&auth, &key, wanted(&headers)?, |scenes| {
            let at = index(&body.json, None, scenes.len())?;
            scenes.remove(at);
            Ok(())
        })
        .await?;
    Ok(cubes((Accepted { project, warnings: Vec::new() }, 0)))
}

/// What is wrong with the scene of a request, by its place there and not in the project.
fn of_scene(refusal: Refusal, at: usize) -> Refusal {
    let Refusal::Problems(mut problems) = refusal else { return refusal };
    for problem in &mut problems {
        if let Some(rest) = problem.path.strip_prefix(&format!("scenes[{at}]")) {
            problem.path = format!("scene{rest}");
        }
    }
    Refusal::Problems(problems)
}

fn scene_of(body: &Value) -> Result<Value, ApiError> {
    let scene = body.get("scene").filter(|scene| scene.is_object());
    scene.cloned().ok_or_else(|| ApiError::field("scene", "must be an object, the scene"))
}

fn index(body: &Value, default: Option<usize>, count: usize) -> Result<usize, Refusal> {
    let given = body.get("sceneIdx").filter(|index| !index.is_null());
    let index = match given {
        None => default,
        Some(index) => index.as_u64().map(|index| index as usize).or_else(|| index.as_str()?.trim().parse().ok()),
    };
    let most = count.saturating_sub(1);
    index.filter(|index| *index < count).ok_or_else(|| Refusal::field("sceneIdx", format!("must be 0 to {most}")))
}

/// Ask how far an export is (1.4.x)
#[utoipa::path(get, operation_id = "readProgressOlder", path = "/api/odin/editor/progress/{key}", tag = "1.4.x",
    params(("key" = String, Path, description = "Key of the project")),
    responses((status = 200, description = "Done", body = OlderProgressAnswer), Failures))]
async fn progress(State(office): State<Arc<Office>>, auth: Auth, Id(key): Id) -> Result<Response, ApiError> {
    let project = office.project(&auth, &key).await?;
    Ok(older_progress(&office, &project))
}
