//! The member's own page: name, password, plan and usage, presenter, workspaces, webhooks, keys.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Form, Json, Router};
use compere_office::{Office, SHORTEST_PASSWORD};
use compere_store::{Account, Endpoint, ExportState, KeyPair, Occasion, Plan, Workspace};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::web::fault::Fault;
use crate::web::member::Member;
use crate::web::sent::Sent;
use crate::web::session::{self, said};
use crate::web::shell::{Shell, page};
use crate::web::{chart, words};

/// Days in the chart.
const DAYS: i64 = 30;

pub fn routes() -> Router<Arc<Office>> {
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
    room: String,
    chart: String,
    devices: i64,
    presenters: Vec<Choice>,
    workspaces: Vec<Workspace>,
    hooks: Vec<Endpoint>,
    /// What endpoints may choose.
    events: &'static [Occasion],
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

async fn profile(State(office): State<Arc<Office>>, member: Member) -> Result<Response, Fault> {
    let (register, who, now) = (&office.register, &member.who, office.now());
    let account = &who.account;
    let (films, used, chart) = usage(&office, account, now).await?;
    let room = match office.taken(who).await? {
        (taken, Some(most)) => {
            let most = i64::try_from(most.bytes()).unwrap_or(i64::MAX);
            format!("{} of {}", words::size(taken.all()), words::size(most))
        }
        (taken, None) => words::size(taken.all()),
    };
    page(&Profile {
        shell: Shell::new(&member, "profile", "Profile"),
        plan: register.plan_of(account),
        balance: register.credits(account).await?,
        used,
        films,
        room,
        chart,
        devices: register.devices(who).await?,
        presenters: choices(&office, &member),
        workspaces: register.workspaces(who).await?,
        hooks: office.hooks(who).await?,
        events: &Occasion::CHOICE,
        keys: register.keys(who).await?,
        old_secret_until: account.hook_secret_old.as_ref().map(|(_, until)| *until).filter(|until| *until > now),
        shortest: SHORTEST_PASSWORD,
        now,
        base: office.settings.base_url(),
    })
}

async fn usage(office: &Office, account: &Account, now: i64) -> Result<(i64, i64, String), Fault> {
    let past = office.past(Some(account), DAYS).await?;
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

fn choices(office: &Office, member: &Member) -> Vec<Choice> {
    let account = &member.who.account;
    let of = |info: &compere_avatar::PresenterInfo| -> Vec<Choice> {
        let each = |outfit: &compere_avatar::OutfitInfo| Choice {
            value: format!("{}/{}", info.id, outfit.id),
            title: format!("{}, {}", info.name, outfit.name),
            chosen: account.presenter.as_deref() == Some(&info.id) && account.outfit.as_deref() == Some(&outfit.id),
        };
        info.outfits.iter().map(each).collect()
    };
    office.people(&account.id).iter().flat_map(of).collect()
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

async fn rename(
    State(office): State<Arc<Office>>,
    member: Member,
    Form(named): Form<Named>,
) -> Result<Response, Fault> {
    office.register.set_name(&member.who, &named.name).await?;
    Ok(said("/profile", "Your name is changed."))
}

#[derive(Deserialize)]
struct Passwords {
    current: String,
    new: String,
}

/// Ends all sessions, opens a new one for whoever changed it.
async fn password(
    State(office): State<Arc<Office>>,
    member: Member,
    headers: axum::http::HeaderMap,
    Form(passwords): Form<Passwords>,
) -> Result<Response, Fault> {
    office.register.change_password(&member.who, passwords.current, passwords.new).await?;
    let response = said("/profile", "Your password is changed. Other devices are signed out.");
    session::sign_in(&office, &member.who.account.id, &headers, response).await
}

#[derive(Deserialize)]
struct Presenter {
    presenter: String,
}

async fn presenter(
    State(office): State<Arc<Office>>,
    member: Member,
    Form(chosen): Form<Presenter>,
) -> Result<Response, Fault> {
    let (presenter, outfit) = chosen.presenter.split_once('/').unwrap_or_default();
    office.choose_presenter(&member.who, presenter, outfit).await?;
    Ok(said("/profile", "Your presenter is chosen."))
}

async fn hook_secret(member: Member) -> Json<Value> {
    Json(json!({ "secret": member.who.account.hook_secret }))
}

async fn rotate(State(office): State<Arc<Office>>, member: Member) -> Result<Response, Fault> {
    office.register.rotate_hook_secret(&member.who).await?;
    Ok(said("/profile#webhooks", "There is a new webhook secret. The old one signs beside it for 24 hours."))
}

#[derive(Deserialize)]
struct Wanted {
    name: String,
    #[serde(default)]
    workspace: String,
    #[serde(default)]
    test: bool,
}

/// The one answer that has the key in it.
async fn issue(
    State(office): State<Arc<Office>>,
    member: Member,
    Sent(wanted, _room): Sent<Wanted>,
) -> Result<Json<Value>, Fault> {
    let issued = office.register.issue_key(&member.who, &wanted.name, &wanted.workspace, wanted.test).await?;
    Ok(Json(json!({ "id": issued.id, "appId": issued.app_id, "userKey": issued.user_key })))
}

async fn revoke(State(office): State<Arc<Office>>, member: Member, Path(id): Path<String>) -> Result<Response, Fault> {
    office.register.revoke_key(&member.who, &id).await?;
    Ok(said("/profile#keys", "The key is revoked. Its tokens ended with it."))
}

async fn add_workspace(
    State(office): State<Arc<Office>>,
    member: Member,
    Form(named): Form<Named>,
) -> Result<Response, Fault> {
    let workspace = office.register.add_workspace(&member.who, &named.name).await?;
    Ok(said("/profile#workspaces", &format!("“{}” is ready.", workspace.name)))
}

async fn rename_workspace(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
    Form(named): Form<Named>,
) -> Result<Response, Fault> {
    office.register.rename_workspace(&member.who, &id, &named.name).await?;
    Ok(said("/profile#workspaces", "The workspace has its new name."))
}

async fn delete_workspace(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    office.register.delete_workspace(&member.who, &id).await?;
    Ok(said("/profile#workspaces", "The workspace is gone. Its projects are still there."))
}

async fn sign_out(State(office): State<Arc<Office>>, member: Member) -> Result<Response, Fault> {
    office.register.sign_out(&member.secret).await?;
    Ok(leave(&office))
}

async fn sign_out_everywhere(State(office): State<Arc<Office>>, member: Member) -> Result<Response, Fault> {
    office.register.sign_out_everywhere(&member.who).await?;
    Ok(leave(&office))
}

fn leave(office: &Office) -> Response {
    let mut response = axum::response::Redirect::to("/sign-in").into_response();
    session::forget(office, &mut response);
    response
}
