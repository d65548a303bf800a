//! Signing in, accepting an invitation, signing out.

use std::net::SocketAddr;
use std::sync::{Arc, LazyLock};

use askama::Template;
use axum::extract::{ConnectInfo, Path, Query, State};
use axum::http::{Extensions, HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Form, Router};
use compere_store::{hash_password, verify_password};
use serde::Deserialize;

use crate::serve::app::App;
use crate::web::fault::Fault;
use crate::web::session::{self, cookie, said};
use crate::web::shell::{Shell, page, theme};
use crate::web::throttle::Throttle;

/// Shortest password that is accepted.
pub const SHORTEST: usize = 10;
/// Tries a minute for one account.
const PER_ACCOUNT: u32 = 10;

static TRIES: LazyLock<Throttle> = LazyLock::new(Throttle::default);

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(home))
        .route("/sign-in", get(door).post(knock))
        .route("/welcome/{secret}", get(invitation).post(accept))
}

async fn home() -> Redirect {
    Redirect::to("/projects")
}

#[derive(Template)]
#[template(path = "sign_in.html")]
struct Door {
    shell: Shell,
    email: String,
    next: String,
    problem: Option<&'static str>,
    /// Nobody but the first administrator is there yet.
    first: bool,
}

#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    next: String,
}

async fn door(State(app): State<Arc<App>>, Query(asked): Query<Asked>, headers: HeaderMap) -> Result<Response, Fault> {
    if let Some(secret) = cookie(&headers, "compere_session")
        && app.store.session(&secret).await?.is_some()
    {
        return Ok(Redirect::to(inside(&asked.next)).into_response());
    }
    open(&app, &headers, String::new(), asked.next, None).await
}

async fn open(
    app: &App,
    headers: &HeaderMap,
    email: String,
    next: String,
    problem: Option<&'static str>,
) -> Result<Response, Fault> {
    let first = app.store.accounts().await?.len() < 2;
    page(&Door { shell: Shell::bare(theme(headers), "Sign in"), email, next, problem, first })
}

#[derive(Deserialize)]
struct Knock {
    email: String,
    password: String,
    #[serde(default)]
    next: String,
}

async fn knock(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extensions: Extensions,
    Form(knock): Form<Knock>,
) -> Result<Response, Fault> {
    let address = extensions.get::<ConnectInfo<SocketAddr>>().map_or_else(String::new, |peer| peer.0.ip().to_string());
    let (now, email) = (app.store.now(), knock.email.trim().to_lowercase());
    let by_address = TRIES.admits(&format!("from {address}"), app.settings.limits.auth_per_minute, now);
    if !TRIES.admits(&format!("to {email}"), PER_ACCOUNT, now) || !by_address {
        let problem = Some("Too many tries. Wait a minute, then try again.");
        let mut response = open(&app, &headers, knock.email, knock.next, problem).await?;
        *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
        return Ok(response);
    }
    let account = app.store.account_by_email(&email).await?;
    let stored = account.as_ref().and_then(|account| account.password.clone());
    let checked = tokio::task::spawn_blocking(move || verify_password(&knock.password, stored.as_deref()));
    let right = checked.await.map_err(Fault::inside)?;
    match account.filter(|account| right && account.suspended_at.is_none()) {
        Some(account) => {
            let response = Redirect::to(inside(&knock.next)).into_response();
            session::sign_in(&app, &account.id, &headers, response).await
        }
        None => {
            let problem = Some("That e-mail address and password do not belong together.");
            let mut response = open(&app, &headers, knock.email, knock.next, problem).await?;
            *response.status_mut() = StatusCode::UNAUTHORIZED;
            Ok(response)
        }
    }
}

/// A path of ours, whatever the address bar said.
fn inside(next: &str) -> &str {
    let ours = next.starts_with('/') && !next.starts_with("//") && !next.contains(['\\', '\n', '\r', '\t']);
    if ours { next } else { "/projects" }
}

#[derive(Template)]
#[template(path = "welcome.html")]
struct Welcome {
    shell: Shell,
    email: String,
    problem: Option<String>,
    shortest: usize,
}

async fn invited(app: &App, secret: &str) -> Result<compere_store::Account, Fault> {
    let gone = || Fault::new(StatusCode::NOT_FOUND, "This invitation has been used or has run out. Ask for a new one.");
    app.store.invited(secret).await?.ok_or_else(gone)
}

async fn invitation(
    State(app): State<Arc<App>>,
    Path(secret): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let account = invited(&app, &secret).await?;
    let shell = Shell::bare(theme(&headers), "Welcome");
    page(&Welcome { shell, email: account.email, problem: None, shortest: SHORTEST })
}

#[derive(Deserialize)]
struct Accepted {
    password: String,
}

async fn accept(
    State(app): State<Arc<App>>,
    Path(secret): Path<String>,
    headers: HeaderMap,
    Form(accepted): Form<Accepted>,
) -> Result<Response, Fault> {
    let account = invited(&app, &secret).await?;
    if let Err(problem) = strong(&accepted.password, &account.email) {
        let shell = Shell::bare(theme(&headers), "Welcome");
        return page(&Welcome { shell, email: account.email, problem: Some(problem), shortest: SHORTEST });
    }
    set_password(&app, &account.id, accepted.password).await?;
    let response = said("/projects", "Welcome! Your account is ready.");
    session::sign_in(&app, &account.id, &headers, response).await
}

/// Says what is wrong with a password that somebody chose.
pub fn strong(password: &str, email: &str) -> Result<(), String> {
    if password.chars().count() < SHORTEST {
        return Err(format!("Choose a password of {SHORTEST} characters or more."));
    }
    if password.len() > 1000 {
        return Err("Choose a password of less than 1,000 characters.".to_owned());
    }
    let first = password.chars().next();
    if password.chars().all(|c| Some(c) == first) || password.eq_ignore_ascii_case(email) {
        return Err("That password is easy to guess. Choose another one.".to_owned());
    }
    Ok(())
}

pub async fn set_password(app: &App, account: &str, password: String) -> Result<(), Fault> {
    let hash = tokio::task::spawn_blocking(move || hash_password(&password)).await.map_err(Fault::inside)?;
    Ok(app.store.set_password(account, &hash).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_led_away() {
        assert_eq!(inside("/projects/abc?x=1"), "/projects/abc?x=1");
        for elsewhere in ["", "//evil.example", "https://evil.example", "/\\evil.example", "/\t/evil"] {
            assert_eq!(inside(elsewhere), "/projects", "{elsewhere}");
        }
    }

    #[test]
    fn passwords_that_are_easy_to_guess_are_refused() {
        assert!(strong("short", "a@b.c").is_err());
        assert!(strong("aaaaaaaaaaaa", "a@b.c").is_err());
        assert!(strong("ADA@example.com", "ada@example.com").is_err());
        assert!(strong("correct horse", "a@b.c").is_ok());
    }
}
