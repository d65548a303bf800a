//! How the installation is doing, and who uses it.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{Redirect, Response};
use axum::routing::{get, post};
use axum::{Form, Json, Router};
use compere_store::{Account, Export, ExportState, Holdings, NewAccount, Past, Plan, Role};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::doctor::{self, Check, Machine, State as Found};
use crate::home::font_dirs;
use crate::serve::app::App;
use crate::web::fault::Fault;
use crate::web::session::{Admin, said};
use crate::web::shell::{Shell, page};
use crate::web::{chart, view, words};

/// Days in the charts.
const DAYS: i64 = 30;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/admin", get(overview))
        .route("/admin/accounts", get(accounts).post(invite))
        .route("/admin/accounts/{id}/plan", post(plan))
        .route("/admin/accounts/{id}/role", post(role))
        .route("/admin/accounts/{id}/suspend", post(suspend))
        .route("/admin/accounts/{id}/credits", post(credits))
        .route("/admin/accounts/{id}/invite", get(to_accounts).post(invite_again))
        .route("/admin/health", get(health))
        .route("/app/admin/queue", get(queue))
}

#[derive(Template)]
#[template(path = "admin.html")]
struct Overview {
    shell: Shell,
    tab: &'static str,
    queue: Queue,
    holdings: Holdings,
    free: Option<i64>,
    films: String,
    stages: Vec<(String, f64, f64)>,
    figures: Vec<(&'static str, String)>,
    failures: Vec<Failure>,
    mail: Vec<(String, i64)>,
    now: i64,
}

#[derive(Clone)]
struct Queue {
    waiting: i64,
    running: i64,
    workers: usize,
    oldest: Option<String>,
    jobs: Vec<Job>,
}

#[derive(Clone)]
struct Job {
    name: String,
    owner: String,
    word: &'static str,
    tone: &'static str,
    doing: String,
    progress: f64,
    at: i64,
}

struct Failure {
    name: String,
    owner: String,
    reason: String,
    at: i64,
}

async fn overview(State(app): State<Arc<App>>, Admin(member): Admin) -> Result<Response, Fault> {
    let now = app.store.now();
    let past = app.store.past_exports("", now - DAYS * 86_400_000).await?;
    let accounts = app.store.accounts().await?;
    let failed = app.store.recent_exports("failed", 12).await?;
    let failure = |export: Export| Failure {
        owner: owner(&accounts, &export.account),
        reason: export.error.as_deref().map(view::said).unwrap_or_default(),
        at: export.finished_at.unwrap_or(export.created_at),
        name: export.name,
    };
    page(&Overview {
        shell: Shell::new(&member, "admin", "Admin"),
        tab: "overview",
        queue: queue_now(&app, &accounts).await?,
        holdings: app.store.holdings().await?,
        free: free_bytes(&app),
        films: films(now, &past)?,
        stages: stages(&past),
        figures: figures(&past),
        failures: failed.into_iter().map(failure).collect(),
        mail: app.store.delivery_counts().await?,
        now,
    })
}

fn owner(accounts: &[Account], id: &str) -> String {
    accounts.iter().find(|account| account.id == id).map_or_else(|| "a former account".to_owned(), |a| a.email.clone())
}

async fn queue_now(app: &App, accounts: &[Account]) -> Result<Queue, Fault> {
    let (counts, oldest) = app.store.queue().await?;
    let count = |is: fn(ExportState) -> bool| counts.iter().filter(|(state, _)| is(*state)).map(|(_, n)| n).sum();
    let mut jobs = Vec::new();
    for state in ["finishing", "rendering", "synthesizing", "queued"] {
        for export in app.store.recent_exports(state, 20).await? {
            let (word, tone) = words::state(export.state.as_str());
            jobs.push(Job {
                owner: owner(accounts, &export.account),
                word,
                tone,
                doing: doing(&export),
                progress: export.progress,
                at: export.created_at,
                name: export.name,
            });
        }
    }
    jobs.truncate(20);
    Ok(Queue {
        waiting: count(|state| state == ExportState::Queued),
        running: count(ExportState::is_running),
        workers: app.settings.workers,
        oldest: oldest.map(|since| words::length((app.store.now() - since) as f64 / 1000.0)),
        jobs,
    })
}

fn doing(export: &Export) -> String {
    let step = words::step(export.state, &export.step);
    match export.state {
        ExportState::Queued => step.to_owned(),
        _ => format!("{step}, {} %", words::percent(export.progress)),
    }
}

/// Room on the disk that holds the data.
fn free_bytes(app: &App) -> Option<i64> {
    let room = rustix::fs::statvfs(&app.home.data).ok()?;
    Some((room.f_bavail * room.f_frsize) as i64)
}

fn films(now: i64, past: &[Past]) -> Result<String, Fault> {
    let bars = chart::days(now, DAYS, |from, to| {
        let within = || past.iter().filter(|past| (from..to).contains(&past.finished_at));
        let made = within().filter(|past| past.state == ExportState::Exported).count() as i64;
        let failed = within().filter(|past| past.state == ExportState::Failed).count() as i64;
        (made as f64, failed as f64, format!("{}, {failed} failed", words::plural(made, "film")))
    });
    chart::bars("Films made on each of the last 30 days", "No film was made in the last 30 days", bars)
}

/// Stages of a film with their mean seconds, and their share of the longest for the bar.
fn stages(past: &[Past]) -> Vec<(String, f64, f64)> {
    let mut sums: Vec<(String, f64, f64)> = Vec::new();
    for (stage, seconds) in past.iter().filter_map(|past| past.made.as_ref()).flat_map(|made| &made.took) {
        match sums.iter_mut().find(|(known, ..)| known == stage) {
            Some((_, sum, count)) => (*sum, *count) = (*sum + seconds, *count + 1.0),
            None => sums.push((stage.clone(), *seconds, 1.0)),
        }
    }
    let means: Vec<(String, f64)> = sums.into_iter().map(|(stage, sum, count)| (stage, sum / count)).collect();
    let most = means.iter().map(|(_, mean)| *mean).fold(0.001, f64::max);
    means.into_iter().map(|(stage, mean)| (words::stage(&stage).to_owned(), mean, mean / most * 100.0)).collect()
}

fn figures(past: &[Past]) -> Vec<(&'static str, String)> {
    let films: Vec<_> = past.iter().filter_map(|past| Some((past, past.made.as_ref()?))).collect();
    // A sum of no numbers is -0.0, which people would see.
    let seconds = films.iter().map(|(_, made)| made.duration).sum::<f64>() + 0.0;
    let took: f64 = films.iter().filter_map(|(past, _)| Some(past.finished_at - past.started_at?)).sum::<i64>() as f64;
    let waited: Vec<i64> = past.iter().filter_map(|past| Some(past.started_at? - past.created_at)).collect();
    let (frames, drawn) = films.iter().fold((0, 0), |(a, b), (_, made)| (a + made.frames, b + made.drawn_frames));
    let ended = past.iter().filter(|past| past.state != ExportState::Cancelled).count();
    let share =
        |part: f64, whole: f64| if whole > 0.0 { format!("{:.0} %", part / whole * 100.0) } else { "–".into() };
    let wait = waited.iter().sum::<i64>() as f64 / 1000.0 / waited.len().max(1) as f64;
    vec![
        ("Films in 30 days", words::grouped(films.len() as i64)),
        ("Minutes of film", format!("{:.1}", seconds / 60.0)),
        ("Made without fault", share(films.len() as f64, ended as f64)),
        ("Work per film second", if seconds > 0.0 { format!("{:.1} s", took / 1000.0 / seconds) } else { "–".into() }),
        ("Mean wait", words::length(wait)),
        ("Frames from the cache", share(frames.saturating_sub(drawn) as f64, frames as f64)),
    ]
}

/// For the page that looks every other second.
async fn queue(State(app): State<Arc<App>>, Admin(_): Admin) -> Result<Json<Value>, Fault> {
    let (counts, _) = app.store.queue().await?;
    let running = app.engine.running().len();
    let counts: Vec<Value> = counts.iter().map(|(state, n)| json!([state.as_str(), n])).collect();
    Ok(Json(json!({ "counts": counts, "running": running })))
}

#[derive(Template)]
#[template(path = "accounts.html")]
struct Accounts {
    shell: Shell,
    tab: &'static str,
    people: Vec<Person>,
    plans: Vec<Plan>,
    me: String,
    /// The link of an invitation that was made just now, and whose it is.
    link: Option<(String, String)>,
}

struct Person {
    account: Account,
    balance: String,
    films: i64,
}

async fn accounts(State(app): State<Arc<App>>, admin: Admin) -> Result<Response, Fault> {
    people(&app, &admin, None).await
}

async fn people(app: &App, Admin(member): &Admin, link: Option<(String, String)>) -> Result<Response, Fault> {
    let past = app.store.past_exports("", app.store.now() - DAYS * 86_400_000).await?;
    let mut people = Vec::new();
    for account in app.store.accounts().await? {
        let unmetered = app.store.plan(&account.plan).monthly_credits.is_none();
        let balance =
            if unmetered { "unlimited".to_owned() } else { words::grouped(app.store.balance(&account.id).await?) };
        let made = |past: &&Past| past.account == account.id && past.state == ExportState::Exported;
        let films = past.iter().filter(made).count() as i64;
        people.push(Person { account, balance, films });
    }
    page(&Accounts {
        shell: Shell::new(member, "admin", "Accounts"),
        tab: "accounts",
        people,
        plans: app.settings.all_plans(),
        me: member.account.id.clone(),
        link,
    })
}

#[derive(Deserialize)]
struct Invited {
    email: String,
    name: String,
    plan: String,
}

async fn invite(State(app): State<Arc<App>>, admin: Admin, Form(invited): Form<Invited>) -> Result<Response, Fault> {
    let (email, name) = (invited.email.trim().to_lowercase(), invited.name.trim().to_owned());
    if !email.contains('@') || email.len() > 200 || email.contains(char::is_whitespace) {
        return Err(Fault::bad("That is not an e-mail address."));
    }
    if name.is_empty() || name.chars().count() > 80 {
        return Err(Fault::bad("A name has 1 to 80 characters."));
    }
    known_plan(&app, &invited.plan)?;
    let new = NewAccount { email, name, password: None, role: Role::Member, plan: invited.plan };
    let account = app.store.create_account(new).await?;
    let link = invitation(&app, &account.id).await?;
    people(&app, &admin, Some((account.email, link))).await
}

async fn invitation(app: &App, account: &str) -> Result<String, Fault> {
    Ok(format!("{}/welcome/{}", app.settings.base_url(), app.store.invite(account).await?))
}

/// For somebody who lost the link, or the password.
async fn invite_again(State(app): State<Arc<App>>, admin: Admin, Path(id): Path<String>) -> Result<Response, Fault> {
    let account = somebody(&app, &id).await?;
    let link = invitation(&app, &id).await?;
    people(&app, &admin, Some((account.email, link))).await
}

/// For those who come back to where a link was shown: it is shown once.
async fn to_accounts(_: Admin) -> Redirect {
    Redirect::to("/admin/accounts")
}

async fn somebody(app: &App, id: &str) -> Result<Account, Fault> {
    app.store.account(id).await?.ok_or_else(|| Fault::missing("account"))
}

/// Administrators do not lock themselves out.
async fn other(app: &App, Admin(member): &Admin, id: &str) -> Result<Account, Fault> {
    if member.account.id == id {
        return Err(Fault::bad("That would lock you out. Another administrator can do it."));
    }
    somebody(app, id).await
}

fn known_plan(app: &App, plan: &str) -> Result<(), Fault> {
    let known = app.settings.all_plans().iter().any(|known| known.name == plan);
    if known { Ok(()) } else { Err(Fault::bad("There is no such plan.")) }
}

#[derive(Deserialize)]
struct Chosen {
    value: String,
}

async fn plan(
    State(app): State<Arc<App>>,
    _: Admin,
    Path(id): Path<String>,
    Form(wanted): Form<Chosen>,
) -> Result<Response, Fault> {
    known_plan(&app, &wanted.value)?;
    let account = somebody(&app, &id).await?;
    app.store.set_plan(&id, &wanted.value).await?;
    Ok(said("/admin/accounts", &format!("{} has the plan “{}” now.", account.email, wanted.value)))
}

async fn role(
    State(app): State<Arc<App>>,
    admin: Admin,
    Path(id): Path<String>,
    Form(wanted): Form<Chosen>,
) -> Result<Response, Fault> {
    let account = other(&app, &admin, &id).await?;
    let role = Role::parse(&wanted.value).ok_or_else(|| Fault::bad("There is no such role."))?;
    app.store.set_role(&id, role).await?;
    let what = if role == Role::Admin { "an administrator" } else { "a member" };
    Ok(said("/admin/accounts", &format!("{} is {what} now.", account.email)))
}

async fn suspend(
    State(app): State<Arc<App>>,
    admin: Admin,
    Path(id): Path<String>,
    Form(wanted): Form<Chosen>,
) -> Result<Response, Fault> {
    let account = other(&app, &admin, &id).await?;
    let suspended = wanted.value == "yes";
    app.store.suspend(&id, suspended).await?;
    let toast = if suspended { "is suspended. Sessions and tokens have ended." } else { "may come in again." };
    Ok(said("/admin/accounts", &format!("{} {toast}", account.email)))
}

async fn credits(
    State(app): State<Arc<App>>,
    Admin(member): Admin,
    Path(id): Path<String>,
    Form(wanted): Form<Chosen>,
) -> Result<Response, Fault> {
    let amount: i64 = wanted.value.trim().parse().map_err(|_| Fault::bad("Write a whole number of credits."))?;
    if amount == 0 || amount.abs() > 100_000_000 {
        return Err(Fault::bad("Write a number of credits other than 0, up to 100 million."));
    }
    let account = somebody(&app, &id).await?;
    app.store.grant(&id, amount, &format!("by {}", member.account.email)).await?;
    Ok(said("/admin/accounts", &format!("{} got {}.", account.email, words::plural(amount, "credit"))))
}

#[derive(Template)]
#[template(path = "health.html")]
struct Health {
    shell: Shell,
    tab: &'static str,
    checks: Vec<Check>,
    settings: Vec<(&'static str, String)>,
}

impl Health {
    fn tone(&self, check: &Check) -> (&'static str, &'static str) {
        match (check.state, check.need) {
            (Found::Ok, _) => ("good", "fine"),
            (_, doctor::Need::Optional) => ("", "not there"),
            (Found::Weak, _) => ("warn", "weak"),
            (Found::Missing, doctor::Need::Expected) => ("warn", "missing"),
            (Found::Missing, doctor::Need::Vital) => ("bad", "missing"),
        }
    }

    fn is_fine(&self, check: &Check) -> bool {
        check.state == Found::Ok
    }
}

async fn health(State(app): State<Arc<App>>, Admin(member): Admin) -> Result<Response, Fault> {
    let home = app.home.clone();
    let examined = tokio::task::spawn_blocking(move || {
        let exe = std::env::current_exe().unwrap_or_default();
        let machine = Machine::new(font_dirs(), &compere_codec::sandbox::Sandbox::detect(exe));
        doctor::examine(&machine, &home.assets, &home.data).checks
    });
    let checks = examined.await.map_err(Fault::inside)?;
    let shell = Shell::new(&member, "admin", "Health");
    page(&Health { shell, tab: "health", checks, settings: settings(&app) })
}

/// Those that somebody asks about; passwords inside addresses stay there.
fn settings(app: &App) -> Vec<(&'static str, String)> {
    let s = &app.settings;
    let or = |text: String, otherwise: &str| if text.is_empty() { otherwise.to_owned() } else { text };
    let database = match s.database.as_deref().and_then(|url| url::Url::parse(url).ok()) {
        Some(url) if url.scheme().starts_with("postgres") => format!("PostgreSQL at {}", url.host_str().unwrap_or("?")),
        _ => "SQLite in the data folder".to_owned(),
    };
    vec![
        ("Address", s.base_url()),
        ("Data folder", app.home.data.display().to_string()),
        ("Database", database),
        ("Objects", s.objects.clone().unwrap_or_else(|| "in the data folder".to_owned())),
        ("Films at once", s.workers.to_string()),
        ("Memory of a worker", format!("{} MB", s.worker_memory)),
        ("Own addresses that links may name", or(s.allow.clone(), "none")),
        ("Origins that may call the API", or(s.cors.join(", "), "none")),
        ("Replaced exports are kept", words::plural(i64::from(s.keep_exports), "day")),
        ("Download links work", words::plural(i64::from(s.link_days), "day")),
        ("Longest film", format!("{} minutes", s.limits.film)),
        ("Largest upload", format!("{} MB", s.limits.asset)),
    ]
}
