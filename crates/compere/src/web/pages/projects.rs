//! All films of a member, and the ways to a new one.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Form, Router};
use compere_store::{NewProject, Project, ProjectKind, ProjectList, Workspace};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::serve::app::App;
use crate::web::fault::Fault;
use crate::web::session::{Member, said};
use crate::web::shell::{Shell, page};
use crate::web::view::Card;
use crate::web::{order, words};

/// Films on a page.
const PAGE: i64 = 24;

pub const STATES: [(&str, &str); 9] = [
    ("draft", "Drafts"),
    ("importing", "Importing"),
    ("queued", "Waiting"),
    ("synthesizing", "Speaking"),
    ("rendering", "Drawing"),
    ("finishing", "Finishing"),
    ("exported", "Ready"),
    ("failed", "Failed"),
    ("cancelled", "Cancelled"),
];

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

pub fn routes() -> Router<Arc<App>> {
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
    State(app): State<Arc<App>>,
    member: Member,
    Query(mut asked): Query<Asked>,
) -> Result<Response, Fault> {
    asked.page = asked.page.clamp(1, 10_000);
    let some = |text: &String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let list = ProjectList {
        workspace: some(&asked.workspace),
        state: some(&asked.state),
        search: some(&asked.q),
        limit: PAGE,
        offset: (asked.page - 1) * PAGE,
    };
    let (found, count) = app.store.projects(&member.account.id, &list).await?;
    let fresh = count == 0 && list.workspace.is_none() && list.state.is_none() && list.search.is_none();
    page(&Projects {
        shell: Shell::new(&member, "projects", "Projects"),
        cards: found.iter().map(|project| Card::of(&app, project)).collect(),
        count,
        fresh,
        workspaces: app.store.workspaces(&member.account.id).await?,
        pages: (count + PAGE - 1) / PAGE,
        now: app.store.now(),
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
async fn first(State(app): State<Arc<App>>, member: Member) -> Result<Response, Fault> {
    let project = create(&app, &member, "welcome", String::new()).await?;
    order::export(&app, &project, "720", "mp4").await?;
    Ok(Redirect::to(&format!("/projects/{}", project.id)).into_response())
}

#[derive(Deserialize)]
struct Begin {
    start: String,
    #[serde(default)]
    workspace: String,
}

async fn begin(State(app): State<Arc<App>>, member: Member, Form(begin): Form<Begin>) -> Result<Response, Fault> {
    let project = create(&app, &member, &begin.start, begin.workspace).await?;
    Ok(said(&format!("/projects/{}/edit", project.id), "Your project is ready. Everything is saved as you go."))
}

async fn create(app: &App, member: &Member, start: &str, workspace: String) -> Result<Project, Fault> {
    let account = &member.account;
    let workspaces = app.store.workspaces(&account.id).await?;
    let workspace = workspaces.into_iter().find(|known| known.id == workspace).map(|known| known.id);
    let body = match start {
        "blank" => blank(app, member, false),
        "upright" => blank(app, member, true),
        other => {
            let found = STARTS.iter().find(|(name, ..)| *name == other).ok_or_else(|| Fault::missing("template"))?;
            serde_json::from_str(found.3).map_err(Fault::inside)?
        }
    };
    let text = |key: &str| body[key].as_str().unwrap_or_default().to_owned();
    let new = NewProject {
        id: None,
        account: account.id.clone(),
        workspace,
        name: text("name"),
        orientation: text("orientation"),
        kind: ProjectKind::Scenes,
        body,
        request: None,
        callback_id: None,
        importing: None,
    };
    Ok(app.store.create_project(new).await?)
}

/// The member's presenter before a calm background, with a line to change.
fn blank(app: &App, member: &Member, upright: bool) -> Value {
    plain(app, member.account.presenter.as_deref(), member.account.outfit.as_deref(), upright)
}

pub fn plain(app: &App, presenter: Option<&str>, outfit: Option<&str>, upright: bool) -> Value {
    let known = presenter.and_then(|id| app.cast.get(id));
    let info = known.map(|presenter| presenter.info().clone()).or_else(|| app.cast.list().first().cloned());
    let (who, outfit) = info.map_or_else(Default::default, |info| {
        let chosen = outfit.filter(|id| info.outfits.iter().any(|outfit| outfit.id == **id)).map(str::to_owned);
        let first = info.outfits.first().map(|outfit| outfit.id.clone()).unwrap_or_default();
        (info.id, chosen.unwrap_or(first))
    });
    let (suffix, place, title) = if upright {
        ("-portrait", json!({"left": 90, "top": 620, "width": 900, "height": 1300}), (90, 150, 900, 72))
    } else {
        ("", json!({"left": 1040, "top": 120, "width": 800, "height": 960}), (130, 360, 900, 80))
    };
    let mut presenter = json!({
        "id": "presenter", "type": "aiModel", "layer": 5, "model": {"ai_name": who, "emotion": outfit}
    });
    if let (Some(clip), Some(place)) = (presenter.as_object_mut(), place.as_object()) {
        clip.extend(place.clone());
    }
    json!({
        "name": "New film", "orientation": if upright { "portrait" } else { "landscape" },
        "scenes": [{
            "sceneIdx": 0,
            "scripts": [{"org": "Hello! Write here what I should say.", "isTTS": false, "tts": null, "modelId": who, "clothId": outfit}],
            "background": {"id": "background", "type": "background", "source_type": "image",
                "source_url": format!("/images/background/studio-daylight{suffix}.png"), "source_color": "rgb(255,255,255)"},
            "clips": [
                {"id": "title", "type": "textImage", "layer": 3, "left": title.0, "top": title.1, "width": title.2,
                 "height": 240, "text": "Your title\ngoes here", "fill": "rgb(16,24,40)", "fontSize": title.3,
                 "fontFamily": "Noto Sans", "fontWeight": 800},
                presenter
            ],
            "watermark": false, "thumbnailUrl": null
        }]
    })
}

/// For the template.
impl Projects {
    fn showing(&self) -> String {
        words::plural(self.count, "film")
    }
}
