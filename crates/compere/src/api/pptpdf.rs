//! Documents that become projects, one scene for each slide. Nothing is synthesized.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{self, Request};
use axum::response::{IntoResponse, Response};
use compere_office::{Office, Sent, State};
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answers::{Data, Enveloped, Imported};
use super::error::ApiError;
use super::gate::Auth;
use super::multipart::{self, Form};
use super::once::Once;
use super::schema::{Failures, PptPdf};

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new().routes(routes!(import))
}

/// Whoever sent a document that takes longer finds its project importing.
const PATIENCE: Duration = Duration::from_secs(30);

/// Make a project of a PDF, PPT, PPTX or ODP
///
/// A form with `file`. Speaker notes become scripts, spoken by a presenter who hides nothing of the slides: `layout`
/// (ours) chooses how. With `editable` (ours) texts and pictures of a PPTX become clips
/// where they then look as the slide does; `importWarnings` of the project says where they do not. A long document
/// answers with a project that is `importing`. With `projectId` (ours) it is a new version of that project's document:
/// scenes of slides that are as they were stay as they have been edited.
#[utoipa::path(post, operation_id = "importDocument", path = "/api/odin/v3/editor/project/pptpdf", tag = "projects",
    request_body(content = PptPdf, content_type = "multipart/form-data"),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key with the same document within 24 hours gives the same answer")),
    responses((status = 200, description = "Done", body = Enveloped<Imported>), Failures))]
async fn import(
    extract::State(office): extract::State<Arc<Office>>,
    auth: Auth,
    once: Once,
    request: Request,
) -> Result<Response, ApiError> {
    let form = multipart::read(request, &office.arrivals(), office.settings.limits.document).await?;
    let print = once.print_of(&form).await?;
    once.run(&office, &auth, &print, {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move { Ok(Data(import_form(&office, &auth, form).await?).into_response()) }
    })
    .await
}

async fn import_form(office: &Arc<Office>, auth: &Auth, form: Form) -> Result<Imported, ApiError> {
    let body: Value = form.fields.iter().map(|(key, text)| (key.clone(), json!(text))).collect();
    let mut problems = Vec::new();
    let name = form.fields.get("name").map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    if name.as_ref().is_some_and(|name| name.chars().count() > 200) {
        problems.push(super::problem("name", "must have at most 200 characters"));
    }
    if form.file.is_none() {
        problems.push(super::problem("file", "is missing: send a form with a field `file`, a pdf, ppt or pptx"));
    }
    let (wish, presenter, wrong) = office.wish_of(auth, &form.fields);
    problems.extend(wrong);
    let (workspace, more) = office.workspace_of(auth, &body).await?;
    problems.extend(more);
    let Some(upload) = form.file.filter(|_| problems.is_empty()) else { return Err(ApiError::problems(&problems)) };
    let into = form.fields.get("projectId").map(|id| id.trim().to_owned()).filter(|id| !id.is_empty());
    let (file, file_name) = (upload.file.into_temp_path(), upload.name);
    let sent = Sent { file, name, file_name, workspace, wish, presenter, into };
    let project = office.import(auth, sent, PATIENCE).await?;
    let state = State::of(&project).word().into();
    Ok(Imported { project_id: project.id, state })
}
