//! The frame that all pages share.

use askama::Template;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use bytes::Bytes;

use super::fault::Fault;
use super::member::{BAD, Member};
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
    /// The toast tells of a failure.
    pub bad: bool,
    pub version: &'static str,
}

/// Who looks at a page that could not be made, so that they keep the navigation. Toasts wait for the next page.
#[derive(Clone, Debug)]
pub struct Frame(Shell);

impl Frame {
    pub fn of(member: &Member) -> Self {
        Self(Shell { toast: None, ..Shell::new(member, "", "") })
    }
}

/// Marks answers that have shown the waiting toast.
#[derive(Clone, Copy, Debug)]
pub struct Shown;

impl Shell {
    pub fn new(member: &Member, place: &'static str, title: impl Into<String>) -> Self {
        let told = member.toast.as_deref();
        let bad = told.and_then(|toast| toast.strip_prefix(BAD));
        Self {
            title: title.into(),
            place,
            name: member.who.account.name.clone(),
            email: member.who.account.email.clone(),
            admin: member.is_admin(),
            csrf: member.csrf.clone(),
            theme: member.theme.unwrap_or_default(),
            toast: bad.or(told).map(str::to_owned),
            bad: bad.is_some(),
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
            bad: false,
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

pub fn page(template: &impl Template) -> Result<Response, Fault> {
    let mut response = Html(template.render().map_err(Fault::inside)?).into_response();
    response.extensions_mut().insert(Shown);
    Ok(response)
}

/// An answer that browsers keep: its address changes when it does.
pub fn kept_by_browsers(bytes: Bytes, media_type: &'static str) -> Response {
    let headers = [(header::CONTENT_TYPE, media_type), (header::CACHE_CONTROL, "private, max-age=604800")];
    (headers, bytes).into_response()
}

#[derive(Template)]
#[template(path = "fault.html")]
struct FaultPage<'a> {
    shell: Shell,
    status: u16,
    heading: &'static str,
    message: &'a str,
}

/// With the navigation around it.
#[derive(Template)]
#[template(path = "fault_inside.html")]
struct FaultInside<'a> {
    shell: Shell,
    status: u16,
    heading: &'static str,
    message: &'a str,
}

pub fn fault_page(fault: &Fault, theme: Option<&'static str>, frame: Option<Frame>) -> Response {
    let heading = match fault.status {
        StatusCode::NOT_FOUND => "Nothing here",
        StatusCode::FORBIDDEN => "This is not open to you",
        StatusCode::TOO_MANY_REQUESTS => "One moment",
        StatusCode::SERVICE_UNAVAILABLE => "Back in a moment",
        status if status.is_server_error() => "That did not work",
        _ => "That cannot be done",
    };
    let (status, message) = (fault.status.as_u16(), fault.message.as_str());
    let rendered = match frame {
        Some(Frame(shell)) => {
            FaultInside { shell: Shell { title: heading.to_owned(), ..shell }, status, heading, message }.render()
        }
        None => FaultPage { shell: Shell::bare(theme, heading), status, heading, message }.render(),
    };
    match rendered {
        Ok(text) => (fault.status, Html(text)).into_response(),
        Err(_) => (fault.status, fault.message.clone()).into_response(),
    }
}
