//! Slides in, a project out.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use compere_house::settings::Megabytes;
use compere_office::{Office, Sent};
use compere_store::Workspace;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::web::fault::Fault;
use crate::web::session::Member;
use crate::web::shell::{Shell, page};
use crate::web::uploads::receive as receive_file;

/// How long a page waits before it shows the project as importing.
const PATIENCE: Duration = Duration::from_secs(4);

pub fn routes() -> Router<Arc<Office>> {
    Router::new().route("/import", get(import)).route("/app/import", post(receive)).layer(DefaultBodyLimit::disable())
}

#[derive(Template)]
#[template(path = "import.html")]
struct Import {
    shell: Shell,
    most: Megabytes,
    slides: u32,
    workspaces: Vec<Workspace>,
}

async fn import(State(office): State<Arc<Office>>, member: Member) -> Result<Response, Fault> {
    let limits = &office.settings.limits;
    page(&Import {
        shell: Shell::new(&member, "projects", "Import slides"),
        most: limits.document,
        slides: limits.slides,
        workspaces: office.register.workspaces(&member.who).await?,
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
    State(office): State<Arc<Office>>,
    member: Member,
    Query(named): Query<Named>,
    body: Body,
) -> Result<Json<Value>, Fault> {
    let workspace = office.workspace_or_none(&member.who, &named.workspace).await?;
    let upload = receive_file(&office, body, &named.name, office.settings.limits.document).await?;
    let sent = Sent {
        file: upload.file.into_temp_path(),
        name: None,
        file_name: upload.name,
        workspace,
        editable: named.editable,
    };
    let project = office.import(&member.who, sent, PATIENCE).await?;
    let warnings = compere_office::warnings(&project.body()?);
    Ok(Json(json!({ "id": project.id, "ready": project.importing.is_none(), "warnings": warnings })))
}
