//! Webhook endpoints of an account: adding one, and a page for each.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use compere_office::{HookRequest, Office};
use compere_store::{Delivery, Endpoint, Occasion, Page, Try};
use serde_json::{Value, json};

use crate::web::fault::Fault;
use crate::web::member::Member;
use crate::web::sent::Sent;
use crate::web::session::said;
use crate::web::shell::{Shell, page};

/// What was sent that the page shows.
const NEWEST: i64 = 50;

pub fn routes() -> Router<Arc<Office>> {
    Router::new()
        .route("/profile/webhooks", post(add))
        .route("/profile/webhooks/{id}", get(hook).post(change))
        .route("/profile/webhooks/{id}/secret", get(secret))
        .route("/profile/webhooks/{id}/rotate", post(rotate))
        .route("/profile/webhooks/{id}/ping", post(ping))
        .route("/profile/webhooks/{id}/delete", post(delete))
}

#[derive(Template)]
#[template(path = "hook.html")]
struct Hook {
    shell: Shell,
    hook: Endpoint,
    /// What endpoints may choose.
    events: &'static [Occasion],
    mail: Vec<(Delivery, Vec<Try>)>,
    now: i64,
}

/// For the template.
impl Hook {
    fn title(&self) -> &str {
        if self.hook.name.is_empty() { "Webhook endpoint" } else { &self.hook.name }
    }

    fn old_until(&self) -> Option<i64> {
        self.hook.secret_old.as_ref().map(|(_, until)| *until).filter(|until| *until > self.now)
    }
}

async fn hook(State(office): State<Arc<Office>>, member: Member, Path(id): Path<String>) -> Result<Response, Fault> {
    let hook = office.hook(&member.who, &id).await?;
    let mail = office.sent_to(&member.who, &id, &Page::newest(NEWEST)).await?;
    let shell = Shell::new(&member, "profile", "Webhook endpoint");
    page(&Hook { shell, hook, events: &Occasion::CHOICE, mail, now: office.now() })
}

async fn add(
    State(office): State<Arc<Office>>,
    member: Member,
    Sent(wanted, _room): Sent<Value>,
) -> Result<Json<Value>, Fault> {
    let added = office.add_hook(&member.who, HookRequest(&wanted)).await?;
    Ok(Json(json!({ "id": added.id })))
}

async fn change(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
    Sent(wanted, _room): Sent<Value>,
) -> Result<Json<Value>, Fault> {
    let changed = office.change_hook(&member.who, &id, HookRequest(&wanted)).await?;
    Ok(Json(json!({ "id": changed.id })))
}

async fn secret(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Json<Value>, Fault> {
    Ok(Json(json!({ "secret": office.hook(&member.who, &id).await?.secret })))
}

async fn rotate(State(office): State<Arc<Office>>, member: Member, Path(id): Path<String>) -> Result<Response, Fault> {
    office.rotate_hook(&member.who, &id).await?;
    Ok(said(&place(&id), "There is a new secret. The old one signs beside it for 24 hours."))
}

async fn ping(State(office): State<Arc<Office>>, member: Member, Path(id): Path<String>) -> Result<Response, Fault> {
    let (_, tries) = office.ping(&member.who, &id).await?;
    let told = match tries.last() {
        Some(one) => match (one.status, &one.error) {
            (Some(status), None) => format!("It answered with status {status}."),
            (_, why) => format!("It did not work: {}.", why.as_deref().unwrap_or("nothing came back")),
        },
        None => "It has not answered yet.".to_owned(),
    };
    Ok(said(&place(&id), &told))
}

async fn delete(State(office): State<Arc<Office>>, member: Member, Path(id): Path<String>) -> Result<Response, Fault> {
    office.delete_hook(&member.who, &id).await?;
    Ok(said("/profile#endpoints", "The endpoint is deleted."))
}

fn place(id: &str) -> String {
    format!("/profile/webhooks/{id}")
}
