//! Slides in, a project out.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use compere_store::Workspace;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::serve::app::App;
use crate::slides::{self, Refusal, Sent};
use crate::web::fault::Fault;
use crate::web::session::Member;
use crate::web::shell::{Shell, page};
use crate::web::uploads;

/// How long a page waits before it shows the project as importing.
const PATIENCE: Duration = Duration::from_secs(4);

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/import", get(import)).route("/app/import", post(receive)).layer(DefaultBodyLimit::disable())
}

#[derive(Template)]
#[template(path = "import.html")]
struct Import {
    shell: Shell,
    most: u64,
    slides: u32,
    workspaces: Vec<Workspace>,
}

async fn import(State(app): State<Arc<App>>, member: Member) -> Result<Response, Fault> {
    let limits = &app.settings.limits;
    page(&Import {
        shell: Shell::new(&member, "projects", "Import slides"),
        most: limits.document,
        slides: limits.slides,
        workspaces: app.store.workspaces(&member.account.id).await?,
    })
}

#[derive(Deserialize)]
struct Named {
    name: String,
    #[serde(default)]
    workspace: String,
    #[serde(default)]
    editable: bool,
}

async fn receive(
    State(app): State<Arc<App>>,
    member: Member,
    Query(named): Query<Named>,
    body: Body,
) -> Result<Json<Value>, Fault> {
    let workspaces = app.store.workspaces(&member.account.id).await?;
    let workspace = workspaces.into_iter().find(|known| known.id == named.workspace).map(|known| known.id);
    let (file, _) = uploads::receive(&app, body, app.settings.limits.document).await?;
    let sent = Sent {
        file: file.into_temp_path(),
        name: None,
        file_name: named.name,
        account: member.account.clone(),
        workspace,
        editable: named.editable,
    };
    let project = slides::import(&app, sent, PATIENCE).await?;
    let warnings = slides::warnings(&project.body()?);
    Ok(Json(json!({ "id": project.id, "ready": project.importing.is_none(), "warnings": warnings })))
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        let status = match refusal.code {
            4130 => StatusCode::PAYLOAD_TOO_LARGE,
            4150 => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            4220 => StatusCode::UNPROCESSABLE_ENTITY,
            5030 => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, refusal.message)
    }
}
