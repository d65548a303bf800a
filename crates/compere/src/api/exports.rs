//! Exports of projects that exist: start, cancel.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use compere_office::Office;
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answers::{Cancelled, Data, Enveloped, Exported};
use super::body::{Body, MaybeBody};
use super::error::ApiError;
use super::extract::{Id, checked};
use super::gate::Auth;
use super::once::Once;
use super::schema::{ExportProject, Failures};

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new().routes(routes!(export)).routes(routes!(cancel))
}

/// Export a project
///
/// The export takes a snapshot: later edits do not touch it. It becomes the one that progress reports.
#[utoipa::path(post, operation_id = "exportProject", path = "/api/odin/v3/editor/project/export", tag = "exports", request_body = ExportProject,
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key with the same body within 24 hours gives the same answer")),
    responses((status = 200, description = "Done", body = Enveloped<Exported>), Failures))]
async fn export(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let id = match &body.json["projectId"] {
                Value::String(id) if !id.is_empty() => checked(id)?.to_owned(),
                _ => return Err(ApiError::field("projectId", "must be the id of a project")),
            };
            let project = office.export(&auth, &id, &body.json).await?;
            Ok(Data(Exported::from(project)).into_response())
        }
    })
    .await
}

/// Cancel a project's running export
///
/// Nothing is charged. `cancelled` is false when there was nothing to stop.
#[utoipa::path(post, operation_id = "cancelExport", path = "/api/odin/v3/editor/project/{id}/cancel", tag = "exports",
    params(("id" = String, Path, description = "Id of the project")),
    responses((status = 200, description = "Done", body = Enveloped<Cancelled>), Failures))]
async fn cancel(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(id): Id,
    _body: MaybeBody,
) -> Result<Data<Cancelled>, ApiError> {
    let cancelled = office.cancel(&auth, &id).await?.is_some();
    Ok(Data(Cancelled { project_id: id, cancelled }))
}
