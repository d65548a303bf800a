//! How the installation is doing, and who uses it.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{Redirect, Response};
use axum::routing::{get, post};
use axum::{Form, Json, Router};
use compere_house::home::font_dirs;
use compere_office::{Invitation, Newcomer, Office};
use compere_store::{Account, DeliveryState, Export, ExportState, Holdings, Past, Plan, Role};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::doctor::{self, Check, Machine, State as Found};
use crate::web::fault::Fault;
use crate::web::session::{Admin, said};
use crate::web::shell::{Shell, page};
use crate::web::{chart, view, words};
use compere_house::home::sandbox;

/// Days in the charts.
const DAYS: i64 = 30;

pub fn routes() -> Router<Arc<Office>> {
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
    mail: Vec<(DeliveryState, i64)>,
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

async fn overview(State(office): State<Arc<Office>>, Admin(member): Admin) -> Result<Response, Fault> {
    let now = office.now();
    let past = office.past(None, DAYS).await?;
    let accounts = office.register.accounts().await?;
    let failed = office.failures(12).await?;
    let failure = |export: Export| Failure {
        owner: owner(&accounts, &export.account),
        reason: export.error.as_deref().map(view::said).unwrap_or_default(),
        at: export.finished_at.unwrap_or(export.created_at),
        name: export.order.name,
    };
    page(&Overview {
        shell: Shell::new(&member, "admin", "Admin"),
        tab: "overview",
        queue: queue_now(&office, &accounts).await?,
        holdings: office.holdings().await?,
        free: office.free_bytes().map(|bytes| bytes as i64),
        films: films(now, &past)?,
        stages: stages(&past),
        figures: figures(&past),
        failures: failed.into_iter().map(failure).collect(),
        mail: office.mail().await?,
        now,
    })
}

fn owner(accounts: &[Account], id: &str) -> String {
    accounts.iter().find(|account| account.id == id).map_or_else(|| "a former account".to_owned(), |a| a.email.clone())
}

async fn queue_now(office: &Office, accounts: &[Account]) -> Result<Queue, Fault> {
    let queue = office.queue().await?;
    let job = |export: Export| {
        let (word, tone) = words::state(export.state);
        Job {
            owner: owner(accounts, &export.account),
            word,
            tone,
            doing: doing(&export),
            progress: export.progress,
            at: export.created_at,
            name: export.order.name,
        }
    };
    Ok(Queue {
        waiting: queue.count(|state| state == ExportState::Queued),
        running: queue.count(ExportState::is_running),
        workers: office.settings.workers,
        oldest: queue.oldest.map(|since| words::length((office.now() - since) as f64 / 1000.0)),
        jobs: office.at_work().await?.into_iter().map(job).collect(),
    })
}

fn doing(export: &Export) -> String {
    let step = words::step(export.state, export.activity);
    match export.state {
        ExportState::Queued => step.to_owned(),
        _ => format!("{step}, {} %", words::percent(export.progress)),
    }
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
    for (stage, seconds) in past.iter().filter_map(|past| past.made.as_ref()).flat_map(|made| &made.cut.took) {
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
    let seconds = films.iter().map(|(_, made)| made.cut.duration).sum::<f64>() + 0.0;
    let took: f64 = films.iter().filter_map(|(past, _)| Some(past.finished_at - past.started_at?)).sum::<i64>() as f64;
    let waited: Vec<i64> = past.iter().filter_map(|past| Some(past.started_at? - past.created_at)).collect();
    let (frames, drawn) =
        films.iter().fold((0, 0), |(a, b), (_, made)| (a + made.cut.frames, b + made.cut.drawn_frames));
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
async fn queue(State(office): State<Arc<Office>>, Admin(_): Admin) -> Result<Json<Value>, Fault> {
    let (queue, running) = (office.queue().await?, office.running());
    let counts: Vec<Value> = queue.counts.iter().map(|(state, n)| json!([state.as_str(), n])).collect();
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

async fn accounts(State(office): State<Arc<Office>>, admin: Admin) -> Result<Response, Fault> {
    people(&office, &admin, None).await
}

async fn people(office: &Office, Admin(member): &Admin, invited: Option<Invitation>) -> Result<Response, Fault> {
    let past = office.past(None, DAYS).await?;
    let mut people = Vec::new();
    for account in office.register.accounts().await? {
        let balance = office.register.balance(&account).await?;
        let balance = balance.map_or_else(|| "unlimited".to_owned(), words::grouped);
        let made = |past: &&Past| past.account == account.id && past.state == ExportState::Exported;
        let films = past.iter().filter(made).count() as i64;
        people.push(Person { account, balance, films });
    }
    page(&Accounts {
        shell: Shell::new(member, "admin", "Accounts"),
        tab: "accounts",
        people,
        plans: office.settings.all_plans(),
        me: member.who.account.id.clone(),
        link: invited.map(|invited| (invited.account.email, invited.link)),
    })
}

#[derive(Deserialize)]
struct Invited {
    email: String,
    name: String,
    plan: String,
}

async fn invite(
    State(office): State<Arc<Office>>,
    admin: Admin,
    Form(invited): Form<Invited>,
) -> Result<Response, Fault> {
    let Invited { email, name, plan } = &invited;
    let new = Newcomer { email, name, plan, role: Role::Member, password: None };
    let invited = office.register.add(new).await?;
    people(&office, &admin, Some(invited)).await
}

/// For somebody who lost the link, or the password.
async fn invite_again(
    State(office): State<Arc<Office>>,
    admin: Admin,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    let invited = office.register.invite_again(&id).await?;
    people(&office, &admin, Some(invited)).await
}

/// For those who come back to where a link was shown: it is shown once.
async fn to_accounts(_: Admin) -> Redirect {
    Redirect::to("/admin/accounts")
}

#[derive(Deserialize)]
struct Chosen {
    value: String,
}

async fn plan(
    State(office): State<Arc<Office>>,
    _: Admin,
    Path(id): Path<String>,
    Form(wanted): Form<Chosen>,
) -> Result<Response, Fault> {
    let account = office.register.set_plan(&id, &wanted.value).await?;
    Ok(said("/admin/accounts", &format!("{} has the plan “{}” now.", account.email, wanted.value)))
}

async fn role(
    State(office): State<Arc<Office>>,
    Admin(member): Admin,
    Path(id): Path<String>,
    Form(wanted): Form<Chosen>,
) -> Result<Response, Fault> {
    let role = Role::parse(&wanted.value).ok_or_else(|| Fault::bad("There is no such role."))?;
    let account = office.register.set_role(&member.who, &id, role).await?;
    let what = if role == Role::Admin { "an administrator" } else { "a member" };
    Ok(said("/admin/accounts", &format!("{} is {what} now.", account.email)))
}

async fn suspend(
    State(office): State<Arc<Office>>,
    Admin(member): Admin,
    Path(id): Path<String>,
    Form(wanted): Form<Chosen>,
) -> Result<Response, Fault> {
    let suspended = wanted.value == "yes";
    let account = office.register.suspend(Some(&member.who), &id, suspended).await?;
    let toast = if suspended { "is suspended. Sessions and tokens have ended." } else { "may come in again." };
    Ok(said("/admin/accounts", &format!("{} {toast}", account.email)))
}

async fn credits(
    State(office): State<Arc<Office>>,
    Admin(member): Admin,
    Path(id): Path<String>,
    Form(wanted): Form<Chosen>,
) -> Result<Response, Fault> {
    let amount: i64 = wanted.value.trim().parse().map_err(|_| Fault::bad("Write a whole number of credits."))?;
    let note = format!("by {}", member.who.account.email);
    let account = office.register.grant(&id, amount, &note).await?;
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

async fn health(State(office): State<Arc<Office>>, Admin(member): Admin) -> Result<Response, Fault> {
    let home = office.home.clone();
    let examined = tokio::task::spawn_blocking(move || {
        let machine = Machine::new(font_dirs(), &sandbox()?);
        Ok::<_, String>(doctor::examine(&machine, &home.assets, &home.data).checks)
    });
    let checks = examined.await.map_err(Fault::inside)?.map_err(Fault::inside)?;
    let shell = Shell::new(&member, "admin", "Health");
    page(&Health { shell, tab: "health", checks, settings: settings(&office) })
}

/// Those that somebody asks about; passwords inside addresses stay there.
fn settings(office: &Office) -> Vec<(&'static str, String)> {
    let s = &office.settings;
    let or = |text: String, otherwise: &str| if text.is_empty() { otherwise.to_owned() } else { text };
    let database = match s.database.as_deref().and_then(|url| url::Url::parse(url).ok()) {
        Some(url) if url.scheme().starts_with("postgres") => format!("PostgreSQL at {}", url.host_str().unwrap_or("?")),
        _ => "SQLite in the data folder".to_owned(),
    };
    vec![
        ("Address", s.base_url()),
        ("Data folder", office.home.data.display().to_string()),
        ("Database", database),
        ("Objects", s.objects.clone().unwrap_or_else(|| "in the data folder".to_owned())),
        ("Films at once", s.workers.to_string()),
        ("Memory of a worker", s.worker_memory.to_string()),
        ("Own addresses that links may name", or(s.allow.clone(), "none")),
        ("A proxy stands in front", if s.behind_proxy { "yes" } else { "no" }.to_owned()),
        ("Origins that may call the API", or(s.cors.join(", "), "none")),
        ("Replaced exports are kept", words::plural(i64::from(s.keep_exports), "day")),
        ("Download links work", words::plural(i64::from(s.link_days), "day")),
        ("Longest film", format!("{} minutes", s.limits.film)),
        ("Largest upload", s.limits.asset.to_string()),
    ]
}
