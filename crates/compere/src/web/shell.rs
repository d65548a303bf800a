//! The frame that all pages share.

use askama::Template;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};

use super::fault::Fault;
use super::session::{Member, cookie};
use super::statics;

/// What the frame shows around a page.
#[derive(Clone, Debug)]
pub struct Shell {
    pub title: String,
    /// Which entry of the navigation is lit.
    pub place: &'static str,
    pub name: String,
    pub email: String,
    pub admin: bool,
    pub csrf: String,
    pub theme: &'static str,
    pub toast: Option<String>,
    pub version: &'static str,
}

/// Marks answers that have shown the waiting toast.
#[derive(Clone, Copy, Debug)]
pub struct Shown;

impl Shell {
    pub fn new(member: &Member, place: &'static str, title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            place,
            name: member.account.name.clone(),
            email: member.account.email.clone(),
            admin: member.is_admin(),
            csrf: member.csrf.clone(),
            theme: member.theme.unwrap_or_default(),
            toast: member.toast.clone(),
            version: statics::version(),
        }
    }

    /// Outside the sign-in.
    pub fn bare(theme: Option<&'static str>, title: &str) -> Self {
        Self {
            title: title.to_owned(),
            place: "",
            name: String::new(),
            email: String::new(),
            admin: false,
            csrf: String::new(),
            theme: theme.unwrap_or_default(),
            toast: None,
            version: statics::version(),
        }
    }

    /// Letters for the round picture beside the name.
    pub fn initials(&self) -> String {
        let words = self.name.split_whitespace().filter_map(|word| word.chars().next());
        let letters: String = words.take(2).flat_map(char::to_uppercase).collect();
        if letters.is_empty() { "?".to_owned() } else { letters }
    }
}

/// What the reader chose, rather than their system.
pub fn theme(headers: &HeaderMap) -> Option<&'static str> {
    match cookie(headers, "compere_theme").as_deref() {
        Some("dark") => Some("dark"),
        Some("light") => Some("light"),
        _ => None,
    }
}

pub fn page(template: &impl Template) -> Result<Response, Fault> {
    let mut response = Html(template.render().map_err(Fault::inside)?).into_response();
    response.extensions_mut().insert(Shown);
    Ok(response)
}

#[derive(Template)]
#[template(path = "fault.html")]
struct FaultPage<'a> {
    shell: Shell,
    status: u16,
    heading: &'static str,
    message: &'a str,
}

pub fn fault_page(fault: &Fault, theme: Option<&'static str>) -> Response {
    let heading = match fault.status {
        StatusCode::NOT_FOUND => "Nothing here",
        StatusCode::FORBIDDEN => "Not for you",
        StatusCode::TOO_MANY_REQUESTS => "One moment",
        StatusCode::SERVICE_UNAVAILABLE => "Back in a moment",
        status if status.is_server_error() => "That did not work",
        _ => "That cannot be done",
    };
    let (shell, status) = (Shell::bare(theme, heading), fault.status.as_u16());
    let page = FaultPage { shell, status, heading, message: &fault.message };
    match page.render() {
        Ok(text) => (fault.status, Html(text)).into_response(),
        Err(_) => (fault.status, fault.message.clone()).into_response(),
    }
}
