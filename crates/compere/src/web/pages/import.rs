//! Slides in, a project out.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use compere_backdrop as backdrop;
use compere_house::settings::Megabytes;
use compere_import::Layout;
use compere_office::{Office, Sent};
use compere_store::{Page, Project, ProjectKind, ProjectList, Workspace};
use serde_json::{Value, json};

use crate::web::fault::Fault;
use crate::web::member::Member;
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
    presenters: Vec<(String, String)>,
    /// Projects that were made of documents: id, name, and whether it is the one that was asked for.
    older: Vec<(String, String, bool)>,
    /// Each with its name and what it is.
    layouts: [(Layout, &'static str, &'static str); 5],
    /// Whether there is a language model.
    written: bool,
    /// The painted backgrounds: links and titles.
    grounds: Vec<(String, &'static str)>,
}

const LAYOUTS: [(Layout, &str, &str); 5] = [
    (Layout::Auto, "Automatic", "What suits most slides"),
    (Layout::Beside, "Beside", "Standing next to the slide"),
    (Layout::Corner, "Corner", "Head and shoulders"),
    (Layout::Circle, "Circle", "In a disc"),
    (Layout::Voice, "Voice", "Heard, not seen"),
];

/// Among how many projects those are looked for that a document may be a new version of.
const OLDER: i64 = 100;

async fn import(
    State(office): State<Arc<Office>>,
    member: Member,
    Query(fields): Query<BTreeMap<String, String>>,
) -> Result<Response, Fault> {
    let limits = &office.settings.limits;
    let asked = fields.get("projectId").map(String::as_str).unwrap_or_default();
    page(&Import {
        shell: Shell::new(&member, "projects", "Import slides"),
        most: limits.document,
        slides: limits.slides,
        workspaces: office.register.workspaces(&member.who).await?,
        presenters: office.people(&member.who.account.id).into_iter().map(|info| (info.id, info.name)).collect(),
        older: older(&office, &member, asked).await?,
        layouts: LAYOUTS,
        written: office.writes(),
        grounds: backdrop::catalogue().iter().map(ground).collect(),
    })
}

fn ground(painted: &backdrop::Backdrop) -> (String, &'static str) {
    (format!("/images/background/{}.png", painted.name), painted.title)
}

async fn older(office: &Office, member: &Member, asked: &str) -> Result<Vec<(String, String, bool)>, Fault> {
    let list = ProjectList { page: Page::newest(OLDER), ..ProjectList::default() };
    let (mut projects, _) = office.projects(&member.who, list).await?;
    if !asked.is_empty() && projects.iter().all(|project| project.id != asked) {
        projects.insert(0, office.project(&member.who, asked).await?);
    }
    let renewable = |project: &Project| project.kind == ProjectKind::Slides && project.importing.is_none();
    let imported = projects.into_iter().filter(renewable);
    Ok(imported.map(|project| (project.id.clone(), project.name, project.id == asked)).collect())
}

async fn receive(
    State(office): State<Arc<Office>>,
    member: Member,
    Query(fields): Query<BTreeMap<String, String>>,
    body: Body,
) -> Result<Json<Value>, Fault> {
    let (wish, presenter, wrong) = office.wish_of(&member.who, &fields);
    if !wrong.is_empty() {
        return Err(compere_office::Refusal::Problems(wrong).into());
    }
    let field = |key: &str| fields.get(key).map(String::as_str).unwrap_or_default();
    let workspace = office.workspace_or_none(&member.who, field("workspace")).await?;
    let upload = receive_file(&office, body, field("name"), office.settings.limits.document).await?;
    let file = upload.file.into_temp_path();
    let into = fields.get("projectId").map(|id| id.trim().to_owned()).filter(|id| !id.is_empty());
    let sent = Sent { file, name: None, file_name: upload.name, workspace, wish, presenter, into };
    let project = office.import(&member.who, sent, PATIENCE).await?;
    let warnings = compere_office::warnings(&project.body()?);
    let changes = compere_office::changes(&project.body()?);
    let ready = project.importing.is_none();
    Ok(Json(json!({ "id": project.id, "ready": ready, "warnings": warnings, "changes": changes })))
}
