//! Exports of projects that exist: start, cancel.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use compere_store::{Before, Project};
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::accept::{self, Wanted, own_project};
use super::answer::Data;
use super::body::{Body, MaybeBody};
use super::error::ApiError;
use super::extract::Path;
use super::gate::Auth;
use super::once::Once;
use super::projects::at_resolution;
use super::schema::{Cancelled, Enveloped, ExportProject, Failures, ProjectId};
use crate::serve::app::App;

pub fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(export)).routes(routes!(cancel))
}

/// Export a project
///
/// The export takes a snapshot: later edits do not touch it. It becomes the one that progress reports.
#[utoipa::path(post, path = "/api/odin/v3/editor/project/export", tag = "exports", request_body = ExportProject,
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key with the same body within 24 hours gives the same answer")),
    responses((status = 200, description = "Done", body = Enveloped<ProjectId>), Failures))]
async fn export(State(app): State<Arc<App>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&app, &auth, &body.bytes.clone(), {
        let (app, auth) = (Arc::clone(&app), auth.clone());
        async move {
            let id = match &body.json["projectId"] {
                Value::String(id) if !id.is_empty() => id.clone(),
                _ => return Err(ApiError::field("projectId", "must be the id of a project")),
            };
            let project = again(&app, &auth, &id, &body.json).await?;
            Ok(Data(json!({ "projectId": project.id })).into_response())
        }
    })
    .await
}

/// Exports a project as it is now.
pub async fn again(app: &Arc<App>, auth: &Auth, id: &str, request: &Value) -> Result<Project, ApiError> {
    let project = own_project(app, auth, id).await?;
    if project.importing.is_some() {
        let msg = "the document is still being imported; wait until its state is draft";
        return Err(ApiError::new(super::error::Kind::Conflict, msg));
    }
    let film = project.body()?;
    let (options, checked) = accept::read(app, auth, request, &at_resolution(&film, request)).await?;
    let wanted = Wanted { project: project.id, film, kind: project.kind };
    accept::start(app, auth, Before::Nothing, wanted, &options, &checked).await
}

/// Cancel a project's running export
///
/// Nothing is charged. `cancelled` is false when there was nothing to stop.
#[utoipa::path(post, path = "/api/odin/v3/editor/project/{id}/cancel", tag = "exports",
    params(("id" = String, Path, description = "Id of the project")),
    responses((status = 200, description = "Done", body = Enveloped<Cancelled>), Failures))]
async fn cancel(
    State(app): State<Arc<App>>,
    auth: Auth,
    Path(id): Path<String>,
    _body: MaybeBody,
) -> Result<Data, ApiError> {
    let project = own_project(&app, &auth, &id).await?;
    let mut cancelled = false;
    if let Some(export) = project.export.filter(|export| !export.state.is_over()) {
        cancelled = app.store.cancel_export(&export.id).await?;
        app.engine.cancel(&export.id);
    }
    Ok(Data(json!({ "projectId": id, "cancelled": cancelled })))
}
