//! Signing in, accepting an invitation, signing out.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Form, Router};
use compere_office::{Office, Refusal, SHORTEST_PASSWORD};
use serde::Deserialize;

use crate::http::Whence;
use crate::web::browser::{cookie, theme};
use crate::web::fault::Fault;
use crate::web::session::{self, said};
use crate::web::shell::{Shell, page};
use crate::web::words;

pub fn routes() -> Router<Arc<Office>> {
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
    problem: Option<String>,
    /// Nobody but the first administrator is there yet.
    first: bool,
}

#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    next: String,
}

async fn door(
    State(office): State<Arc<Office>>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    if let Some(secret) = cookie(&headers, "compere_session")
        && office.register.session(&secret).await?.is_some()
    {
        return Ok(Redirect::to(inside(&asked.next)).into_response());
    }
    open(&office, &headers, String::new(), asked.next, None).await
}

async fn open(
    office: &Office,
    headers: &HeaderMap,
    email: String,
    next: String,
    problem: Option<String>,
) -> Result<Response, Fault> {
    let first = office.register.accounts().await?.len() < 2;
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
    State(office): State<Arc<Office>>,
    Whence(address): Whence,
    headers: HeaderMap,
    Form(knock): Form<Knock>,
) -> Result<Response, Fault> {
    let (status, problem) = match office.register.sign_in(address, &knock.email, knock.password).await {
        Ok(account) => {
            let response = Redirect::to(inside(&knock.next)).into_response();
            return session::sign_in(&office, &account.id, &headers, response).await;
        }
        Err(Refusal::TooOften { seconds, .. }) => {
            let seconds = words::plural(seconds as i64, "second");
            (StatusCode::TOO_MANY_REQUESTS, format!("Too many tries. Wait {seconds}, then try again."))
        }
        Err(Refusal::Credentials(problem)) => (StatusCode::UNAUTHORIZED, problem.to_owned()),
        Err(other) => return Err(other.into()),
    };
    let email = knock.email.chars().take(200).collect();
    let mut response = open(&office, &headers, email, knock.next, Some(problem)).await?;
    *response.status_mut() = status;
    Ok(response)
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

async fn invitation(
    State(office): State<Arc<Office>>,
    Path(secret): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let account = office.register.invited(&secret).await?;
    let shell = Shell::bare(theme(&headers), "Welcome");
    page(&Welcome { shell, email: account.email, problem: None, shortest: SHORTEST_PASSWORD })
}

#[derive(Deserialize)]
struct Accepted {
    password: String,
}

async fn accept(
    State(office): State<Arc<Office>>,
    Path(secret): Path<String>,
    headers: HeaderMap,
    Form(accepted): Form<Accepted>,
) -> Result<Response, Fault> {
    let account = match office.register.accept(&secret, accepted.password).await {
        Ok(account) => account,
        Err(Refusal::Form(problem)) => {
            let email = office.register.invited(&secret).await?.email;
            let shell = Shell::bare(theme(&headers), "Welcome");
            return page(&Welcome { shell, email, problem: Some(problem), shortest: SHORTEST_PASSWORD });
        }
        Err(other) => return Err(other.into()),
    };
    let response = said("/projects", "Welcome! Your account is ready.");
    session::sign_in(&office, &account.id, &headers, response).await
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
}
