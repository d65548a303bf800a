//! Documents that become projects, one scene for each slide. Nothing is synthesized.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::accept;
use super::answer::Data;
use super::error::{ApiError, Kind};
use super::gate::Auth;
use super::multipart;
use super::schema::{Enveloped, Failures, PptPdf, ProjectId};
use crate::serve::app::App;
use crate::slides::{self, Refusal, Sent};

pub fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(import))
}

/// Whoever sent a document that takes longer finds its project importing.
const PATIENCE: Duration = Duration::from_secs(30);

/// Make a project of a PDF, PPT or PPTX
///
/// A form with `file`. Speaker notes become scripts. With `editable` (ours) texts and pictures of a PPTX become clips
/// where they then look as the slide does; `importWarnings` of the project says where they do not. A long document
/// answers with a project that is `importing`.
#[utoipa::path(post, path = "/api/odin/v3/editor/project/pptpdf", tag = "projects",
    request_body(content = PptPdf, content_type = "multipart/form-data"),
    responses((status = 200, description = "Done", body = Enveloped<ProjectId>), Failures))]
async fn import(State(app): State<Arc<App>>, auth: Auth, request: Request) -> Result<Data, ApiError> {
    let form = multipart::read(request, &app.home.data.join("uploads"), app.settings.limits.document << 20).await?;
    let body: Value = form.fields.iter().map(|(key, text)| (key.clone(), json!(text))).collect();
    let mut problems = Vec::new();
    let name = form.fields.get("name").map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    if name.as_ref().is_some_and(|name| name.chars().count() > 200) {
        problems.push(super::problem("name", "must have at most 200 characters"));
    }
    if form.file.is_none() {
        problems.push(super::problem("file", "is missing: send a form with a field `file`, a pdf, ppt or pptx"));
    }
    let editable = match form.fields.get("editable").map(|text| text.trim()) {
        None | Some("" | "false" | "0") => false,
        Some("true" | "1") => true,
        Some(_) => {
            problems.push(super::problem("editable", "must be true or false"));
            false
        }
    };
    let (options, more) = super::options::read(&body);
    problems.extend(more);
    let options = accept::workspace(&app, &auth, options, &mut problems).await?;
    let Some(upload) = form.file.filter(|_| problems.is_empty()) else { return Err(ApiError::problems(&problems)) };
    let bare = Path::new(&upload.name).file_name().map(|name| name.to_string_lossy().into_owned());
    let sent = Sent {
        file: upload.file.into_temp_path(),
        name,
        file_name: bare.unwrap_or_default(),
        account: auth.account,
        workspace: options.workspace,
        editable,
    };
    let project = slides::import(&app, sent, PATIENCE).await.map_err(|refusal| refused(&refusal))?;
    Ok(Data(json!({ "projectId": project.id, "state": super::progress::state(&project) })))
}

fn refused(refusal: &Refusal) -> ApiError {
    match Kind::of_number(refusal.code) {
        Kind::Internal => ApiError::internal(&refusal.message),
        kind => ApiError::new(kind, refusal.message.clone()),
    }
}
