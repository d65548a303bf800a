//! All films of a member, and the ways to a new one.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Form, Router};
use compere_office::Office;
use compere_store::{Page, Project, ProjectList, ProjectState, Workspace};
use serde::Deserialize;

use crate::web::fault::Fault;
use crate::web::member::Member;
use crate::web::session::said;
use crate::web::shell::{Shell, page};
use crate::web::view::Card;
use crate::web::words;

/// Films on a page.
const PAGE: i64 = 24;

/// What a new project can begin as: a name for forms, a title, a sentence, the body.
pub const STARTS: [(&str, &str, &str, &str); 5] = [
    ("blank", "Blank", "A presenter, a background and a first line", ""),
    ("upright", "Blank, upright", "The same for phones and stories", ""),
    ("welcome", "Welcome", "Title, three cards, closing", include_str!("../../../../../examples/welcome.json")),
    (
        "training",
        "Lesson",
        "Bullets that appear one by one, and a quiz",
        include_str!("../../../../../examples/training.json"),
    ),
    ("news", "News", "News desk, straps and a ticker", include_str!("../../../../../examples/news.json")),
];

pub fn routes() -> Router<Arc<Office>> {
    Router::new()
        .route("/projects", get(projects))
        .route("/projects/first", post(first))
        .route("/projects/new", post(begin))
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Asked {
    q: String,
    state: String,
    workspace: String,
    page: i64,
}

#[derive(Template)]
#[template(path = "projects.html")]
struct Projects {
    shell: Shell,
    cards: Vec<Card>,
    count: i64,
    /// Nothing was asked for, and there is nothing.
    fresh: bool,
    asked: Asked,
    workspaces: Vec<Workspace>,
    pages: i64,
    now: i64,
    previous: String,
    next: String,
}

async fn projects(
    State(office): State<Arc<Office>>,
    member: Member,
    Query(mut asked): Query<Asked>,
) -> Result<Response, Fault> {
    asked.page = asked.page.clamp(1, 10_000);
    let some = |text: &String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let list = ProjectList {
        workspace: some(&asked.workspace),
        state: ProjectState::parse(asked.state.trim()),
        search: some(&asked.q),
        page: Page::newest(PAGE),
        offset: (asked.page - 1) * PAGE,
    };
    let anything = list.workspace.is_none() && list.state.is_none() && list.search.is_none();
    let (found, count) = office.projects(&member.who, list).await?;
    let fresh = count == 0 && anything;
    let mut cards = Vec::new();
    for project in &found {
        let changed = office.has_outgrown(&member.who, project).await?;
        cards.push(Card { changed, ..Card::of(&office, project) });
    }
    page(&Projects {
        shell: Shell::new(&member, "projects", "Projects"),
        cards,
        count,
        fresh,
        workspaces: office.register.workspaces(&member.who).await?,
        pages: (count + PAGE - 1) / PAGE,
        now: office.now(),
        previous: link(&asked, asked.page - 1),
        next: link(&asked, asked.page + 1),
        asked,
    })
}

fn link(asked: &Asked, page: i64) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    for (name, value) in [("q", &asked.q), ("state", &asked.state), ("workspace", &asked.workspace)] {
        if !value.is_empty() {
            query.append_pair(name, value);
        }
    }
    format!("/projects?{}", query.append_pair("page", &page.to_string()).finish())
}

/// The welcome film, made at once: the shortest way from nothing to something to watch.
async fn first(State(office): State<Arc<Office>>, member: Member) -> Result<Response, Fault> {
    let project = create(&office, &member, "welcome", "").await?;
    office.order(&member.who, &project.id, "720", "mp4").await?;
    Ok(Redirect::to(&format!("/projects/{}", project.id)).into_response())
}

#[derive(Deserialize)]
struct Begin {
    start: String,
    #[serde(default)]
    workspace: String,
}

async fn begin(State(office): State<Arc<Office>>, member: Member, Form(begin): Form<Begin>) -> Result<Response, Fault> {
    let project = create(&office, &member, &begin.start, &begin.workspace).await?;
    Ok(said(&format!("/projects/{}/edit", project.id), "Your project is ready. Everything is saved as you go."))
}

async fn create(office: &Office, member: &Member, start: &str, workspace: &str) -> Result<Project, Fault> {
    let body = match start {
        "blank" | "upright" => office.blank(Some(&member.who), start == "upright"),
        other => {
            let found = STARTS.iter().find(|(name, ..)| *name == other).ok_or_else(|| Fault::missing("template"))?;
            serde_json::from_str(found.3).map_err(Fault::inside)?
        }
    };
    Ok(office.begin(&member.who, body, workspace).await?)
}

/// For the template.
impl Projects {
    fn showing(&self) -> String {
        words::plural(self.count, "film")
    }
}
