//! Whoever is shown takes their presenter away, with the link that they were given and no account.
//!
//! # Promises
//!
//! - To open the link changes nothing: programs look at links before people do.
//! - The page tells what its person agreed to and how many films there are, and nothing else of the account than what it is
//!   called: somebody else may have found the link.
//! - A link that nobody was given, that another one took the place of, or that was used is the same "not found".
//! - No search engine keeps it, and no other page learns of its address.

use std::sync::Arc;

use askama::Template;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use axum::routing::get;
use axum::{Form, Router};
use compere_office::{Office, Refusal, Shown};
use compere_store::{PresenterState, WithdrawnBy};
use serde::Deserialize;

use crate::http::Whence;
use crate::web::browser::theme;
use crate::web::dress::dress;
use crate::web::fault::Fault;
use crate::web::shell::{Shell, page};
use crate::web::words;

/// Bytes of the form, which has one box.
const FORM: usize = 1024;

/// Where a form was sent from is not asked, as it is of others outside the sign-in: whoever knows the code needs no browser of the
/// person's, and a page without a referrer cannot say where it is.
pub fn routes() -> Router<Arc<Office>> {
    Router::new()
        .route("/withdraw/{code}", get(look).post(take_back))
        .layer(DefaultBodyLimit::max(FORM))
        .layer(from_fn(dress))
        .layer(from_fn(unlisted))
}

/// Around everything, so that what went wrong wears it as well.
async fn unlisted(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex, nofollow"));
    response
}

#[derive(Template)]
#[template(path = "withdraw.html")]
struct Withdrawal {
    shell: Shell,
    shown: Shown,
    /// The box was not ticked.
    unsure: bool,
}

impl Withdrawal {
    fn of(shell: Shell, shown: Shown) -> Self {
        Self { shell, shown, unsure: false }
    }

    fn is_gone(&self) -> bool {
        self.shown.record.state == PresenterState::Withdrawn
    }

    /// Who took it away, in words to the person.
    fn by(&self) -> &'static str {
        match self.shown.record.withdrawn_by {
            Some(WithdrawnBy::Person) => "you took it away with a link like this one",
            Some(WithdrawnBy::Operator) => "whoever runs this service took it away",
            Some(WithdrawnBy::Account) | None => "the account that had it took it away",
        }
    }

    fn day_gone(&self) -> String {
        words::day(self.shown.record.withdrawn_at.unwrap_or(self.shown.record.updated_at))
    }

    /// What is shown, by name.
    fn name(&self) -> String {
        match &self.shown.worn_by {
            Some(wearer) => format!("{} in “{}”", wearer.name, self.shown.record.name),
            None => self.shown.record.name.clone(),
        }
    }

    /// What the account is called. An address of mail is what somebody signs in with, and stays theirs.
    fn named(&self) -> Option<&str> {
        Some(self.shown.account.as_str()).filter(|name| !name.is_empty() && !name.contains('@'))
    }

    fn account(&self) -> &str {
        self.named().unwrap_or("the account that has it")
    }

    /// How it is, to those who do not know how presenters are made.
    fn word(&self) -> &'static str {
        match self.shown.record.state {
            PresenterState::Collecting | PresenterState::Refused => "not made yet",
            PresenterState::Queued | PresenterState::Building => "being made",
            PresenterState::Waiting => "made, not approved yet",
            PresenterState::Ready => "may be shown in films",
            PresenterState::Withdrawn => "taken away",
        }
    }

    /// How many films, and of when.
    fn films(&self) -> String {
        let made = &self.shown.films;
        let count = words::plural(made.count as i64, "film");
        match made.between.map(|(first, last)| (words::day(first), words::day(last))) {
            None => "none".to_owned(),
            Some((first, last)) if first == last => format!("{count}, of {first}"),
            Some((first, last)) => format!("{count}, the first of {first}, the last of {last}"),
        }
    }
}

#[derive(Template)]
#[template(path = "withdraw_not.html")]
struct Not {
    shell: Shell,
    heading: &'static str,
    message: String,
}

/// What the page says where there is nothing to withdraw, or not now.
fn not(refusal: Refusal, shell: Shell) -> Result<Response, Fault> {
    let after = refusal.retry_after();
    let (status, heading, message) = match refusal {
        Refusal::Missing { .. } => (
            StatusCode::NOT_FOUND,
            "Nothing to take away here",
            "This link is not good, or not good any more: it may have been used, or a newer one took its place. What was taken away \
             stays away."
                .to_owned(),
        ),
        Refusal::TooOften { seconds, .. } => {
            let seconds = words::plural(seconds as i64, "second");
            let message = format!("Too many links that are not good were tried from here. Wait {seconds}, then try again.");
            (StatusCode::TOO_MANY_REQUESTS, "One moment", message)
        }
        other => return Err(other.into()),
    };
    let mut response = page(&Not { shell, heading, message })?;
    *response.status_mut() = status;
    if let Some(seconds) = after {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    Ok(response)
}

fn shell(headers: &HeaderMap) -> Shell {
    Shell::bare(theme(headers), "Your presenter")
}

async fn look(
    State(office): State<Arc<Office>>,
    Whence(address): Whence,
    Path(code): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    match office.shown_by(address, &code).await {
        Ok(shown) => page(&Withdrawal::of(shell(&headers), shown)),
        Err(refusal) => not(refusal, shell(&headers)),
    }
}

/// A ticked box is there, and another one is not.
#[derive(Deserialize)]
struct Sure {
    sure: Option<String>,
}

async fn take_back(
    State(office): State<Arc<Office>>,
    Whence(address): Whence,
    Path(code): Path<String>,
    headers: HeaderMap,
    Form(Sure { sure }): Form<Sure>,
) -> Result<Response, Fault> {
    if sure.is_none() {
        return match office.shown_by(address, &code).await {
            Ok(shown) => {
                let mut asked = page(&Withdrawal { unsure: true, ..Withdrawal::of(shell(&headers), shown) })?;
                *asked.status_mut() = StatusCode::BAD_REQUEST;
                Ok(asked)
            }
            Err(refusal) => not(refusal, shell(&headers)),
        };
    }
    // It goes on when the browser hangs up: half of it would be neither.
    let done = tokio::spawn(async move { office.withdraw_by_code(address, &code).await });
    match done.await.map_err(Fault::inside)? {
        Ok(shown) => page(&Withdrawal::of(shell(&headers), shown)),
        Err(refusal) => not(refusal, shell(&headers)),
    }
}
