//! The member's own page: name, password, plan and usage, presenter, workspaces, webhooks, keys.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Form, Json, Router};
use compere_store::{ExportState, KeyPair, Plan, Store, Workspace, verify_password};
use serde::Deserialize;
use serde_json::{Value, json};

use super::door;
use crate::serve::app::App;
use crate::web::fault::Fault;
use crate::web::session::{self, Member, said};
use crate::web::shell::{Shell, page};
use crate::web::{chart, words};

/// Longest name of a key, a workspace, a person.
const NAME: usize = 80;
/// Days in the chart.
const DAYS: i64 = 30;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/profile", get(profile))
        .route("/profile/name", post(rename))
        .route("/profile/password", post(password))
        .route("/profile/presenter", post(presenter))
        .route("/profile/webhook-secret", get(hook_secret).post(rotate))
        .route("/profile/keys", post(issue))
        .route("/profile/keys/{id}/revoke", post(revoke))
        .route("/profile/workspaces", post(add_workspace))
        .route("/profile/workspaces/{id}/rename", post(rename_workspace))
        .route("/profile/workspaces/{id}/delete", post(delete_workspace))
        .route("/sign-out", post(sign_out))
        .route("/sign-out-everywhere", post(sign_out_everywhere))
}

#[derive(Template)]
#[template(path = "profile.html")]
struct Profile {
    shell: Shell,
    plan: Plan,
    balance: i64,
    used: i64,
    films: i64,
    chart: String,
    devices: i64,
    presenters: Vec<Choice>,
    workspaces: Vec<Workspace>,
    keys: Vec<KeyPair>,
    old_secret_until: Option<i64>,
    shortest: usize,
    now: i64,
    base: String,
}

/// A presenter in an outfit, as `presenter/outfit`.
struct Choice {
    value: String,
    title: String,
    chosen: bool,
}

impl Profile {
    fn workspace(&self, id: Option<&String>) -> &str {
        let found = id.and_then(|id| self.workspaces.iter().find(|workspace| workspace.id == **id));
        found.map_or("all workspaces", |workspace| &workspace.name)
    }
}

async fn profile(State(app): State<Arc<App>>, member: Member) -> Result<Response, Fault> {
    let (store, account) = (&app.store, &member.account);
    let now = store.now();
    let (films, used, chart) = usage(store, &account.id, now).await?;
    page(&Profile {
        shell: Shell::new(&member, "profile", "Profile"),
        plan: store.plan(&account.plan),
        balance: store.balance(&account.id).await?,
        used,
        films,
        chart,
        devices: store.session_count(&account.id).await?,
        presenters: choices(&app, &member),
        workspaces: store.workspaces(&account.id).await?,
        keys: store.keys(&account.id).await?,
        old_secret_until: account.hook_secret_old.as_ref().map(|(_, until)| *until).filter(|until| *until > now),
        shortest: door::SHORTEST,
        now,
        base: app.settings.base_url(),
    })
}

async fn usage(store: &Store, account: &str, now: i64) -> Result<(i64, i64, String), Fault> {
    let past = store.past_exports(account, now - DAYS * 86_400_000).await?;
    let films: Vec<_> = past.iter().filter(|past| past.state == ExportState::Exported).collect();
    let used = films.iter().map(|past| past.credits).sum();
    let bars = chart::days(now, DAYS, |from, to| {
        let within = films.iter().filter(|past| (from..to).contains(&past.finished_at));
        let (count, credits) = within.fold((0, 0), |(count, sum), past| (count + 1, sum + past.credits));
        (credits as f64, 0.0, format!("{}, {}", words::plural(credits, "credit"), words::plural(count, "film")))
    });
    let (title, nothing) = ("Credits used on each of the last 30 days", "No credits were used in the last 30 days");
    Ok((films.len() as i64, used, chart::bars(title, nothing, bars)?))
}

fn choices(app: &App, member: &Member) -> Vec<Choice> {
    let account = &member.account;
    let of = |info: &compere_avatar::PresenterInfo| -> Vec<Choice> {
        let each = |outfit: &compere_avatar::OutfitInfo| Choice {
            value: format!("{}/{}", info.id, outfit.id),
            title: format!("{}, {}", info.name, outfit.name),
            chosen: account.presenter.as_deref() == Some(&info.id) && account.outfit.as_deref() == Some(&outfit.id),
        };
        info.outfits.iter().map(each).collect()
    };
    app.cast.list().iter().flat_map(of).collect()
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

impl Named {
    fn checked(self) -> Result<String, Fault> {
        let name = self.name.trim().to_owned();
        match name.chars().count() {
            0 => Err(Fault::bad("Give it a name.")),
            1..=NAME => Ok(name),
            _ => Err(Fault::bad(format!("Give it a name of at most {NAME} characters."))),
        }
    }
}

async fn rename(State(app): State<Arc<App>>, member: Member, Form(named): Form<Named>) -> Result<Response, Fault> {
    app.store.set_name(&member.account.id, &named.checked()?).await?;
    Ok(said("/profile", "Your name is changed."))
}

#[derive(Deserialize)]
struct Passwords {
    current: String,
    new: String,
}

/// Ends all sessions, opens a new one for whoever changed it.
async fn password(
    State(app): State<Arc<App>>,
    member: Member,
    headers: axum::http::HeaderMap,
    Form(passwords): Form<Passwords>,
) -> Result<Response, Fault> {
    let stored = member.account.password.clone();
    let checked = tokio::task::spawn_blocking(move || verify_password(&passwords.current, stored.as_deref()));
    if !checked.await.map_err(Fault::inside)? {
        return Err(Fault::bad("That is not your current password."));
    }
    door::strong(&passwords.new, &member.account.email).map_err(Fault::bad)?;
    door::set_password(&app, &member.account.id, passwords.new).await?;
    let response = said("/profile", "Your password is changed. Other devices are signed out.");
    session::sign_in(&app, &member.account.id, &headers, response).await
}

#[derive(Deserialize)]
struct Presenter {
    presenter: String,
}

async fn presenter(
    State(app): State<Arc<App>>,
    member: Member,
    Form(chosen): Form<Presenter>,
) -> Result<Response, Fault> {
    let known = choices(&app, &member).into_iter().any(|choice| choice.value == chosen.presenter);
    let Some((presenter, outfit)) = chosen.presenter.split_once('/').filter(|_| known) else {
        return Err(Fault::bad("There is no such presenter."));
    };
    app.store.set_presenter(&member.account.id, presenter, outfit).await?;
    Ok(said("/profile", "Your presenter is chosen."))
}

async fn hook_secret(member: Member) -> Json<Value> {
    Json(json!({ "secret": member.account.hook_secret }))
}

async fn rotate(State(app): State<Arc<App>>, member: Member) -> Result<Response, Fault> {
    app.store.rotate_hook_secret(&member.account.id).await?;
    Ok(said("/profile#webhooks", "There is a new webhook secret. The old one signs beside it for 24 hours."))
}

#[derive(Deserialize)]
struct Wanted {
    name: String,
    #[serde(default)]
    workspace: String,
}

/// The one answer that has the key in it.
async fn issue(State(app): State<Arc<App>>, member: Member, Json(wanted): Json<Wanted>) -> Result<Json<Value>, Fault> {
    let name = Named { name: wanted.name }.checked()?;
    let workspaces = app.store.workspaces(&member.account.id).await?;
    let workspace = workspaces.iter().find(|workspace| workspace.id == wanted.workspace);
    if !wanted.workspace.is_empty() && workspace.is_none() {
        return Err(Fault::missing("workspace"));
    }
    let issued = app.store.issue_key(&member.account, &name, workspace.map(|workspace| workspace.id.as_str())).await?;
    Ok(Json(json!({ "id": issued.id, "appId": issued.app_id, "userKey": issued.user_key })))
}

async fn revoke(State(app): State<Arc<App>>, member: Member, Path(id): Path<String>) -> Result<Response, Fault> {
    if !app.store.revoke_key(&member.account.id, &id).await? {
        return Err(Fault::missing("key"));
    }
    Ok(said("/profile#keys", "The key is revoked. Its tokens ended with it."))
}

async fn add_workspace(
    State(app): State<Arc<App>>,
    member: Member,
    Form(named): Form<Named>,
) -> Result<Response, Fault> {
    let workspace = app.store.create_workspace(&member.account.id, &named.checked()?).await?;
    Ok(said("/profile#workspaces", &format!("“{}” is ready.", workspace.name)))
}

async fn rename_workspace(
    State(app): State<Arc<App>>,
    member: Member,
    Path(id): Path<String>,
    Form(named): Form<Named>,
) -> Result<Response, Fault> {
    if !app.store.rename_workspace(&member.account.id, &id, &named.checked()?).await? {
        return Err(Fault::missing("workspace"));
    }
    Ok(said("/profile#workspaces", "The workspace has its new name."))
}

async fn delete_workspace(
    State(app): State<Arc<App>>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    if !app.store.delete_workspace(&member.account.id, &id).await? {
        return Err(Fault::missing("workspace"));
    }
    Ok(said("/profile#workspaces", "The workspace is gone. Its projects are still there."))
}

async fn sign_out(State(app): State<Arc<App>>, member: Member) -> Result<Response, Fault> {
    app.store.close_session(&member.secret).await?;
    Ok(leave(&app))
}

async fn sign_out_everywhere(State(app): State<Arc<App>>, member: Member) -> Result<Response, Fault> {
    app.store.close_sessions(&member.account.id).await?;
    Ok(leave(&app))
}

fn leave(app: &App) -> Response {
    let mut response = axum::response::Redirect::to("/sign-in").into_response();
    session::forget(app, &mut response);
    response
}
