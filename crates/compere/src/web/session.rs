//! Who is signed in, and whether a request that changes something was meant by them.

use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};

use super::browser::{append, cookie, theme, wants_page};
use super::fault::Fault;
use super::member::{BAD, Member};
use super::shell;
use crate::http::body::Whose;
use compere_office::Office;

const COOKIE: &str = "compere_session";
/// Of a form: scripts send what is larger as JSON or as it is.
const FORM: usize = 1 << 20;

/// A member who runs the installation.
#[derive(Clone, Debug)]
pub struct Admin(pub Member);

impl<S: Sync> FromRequestParts<S> for Admin {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Fault> {
        let member = Member::from_request_parts(parts, state).await?;
        if member.is_admin() { Ok(Self(member)) } else { Err(Fault::forbidden()) }
    }
}

/// Lets members in, and their changes only with the token of their session.
pub async fn admit(State(office): State<Arc<Office>>, mut request: Request, next: Next) -> Response {
    let member = match member_of(&office, request.headers()).await {
        Ok(Some(member)) => member,
        Ok(None) => return to_the_door(&request),
        Err(fault) => return fault.into_response(),
    };
    if changes(request.method()) {
        request = match meant(request, &member.csrf).await {
            Ok(request) => request,
            Err(fault) => return fault.into_response(),
        };
    }
    let (toast, frame) = (member.toast.is_some(), shell::Frame::of(&member));
    let back = came_from(&request);
    request.extensions_mut().insert(Whose(member.who.account.id.clone()));
    request.extensions_mut().insert(member);
    let mut response = next.run(request).await;
    if let Some((back, fault)) =
        back.zip(response.extensions().get::<Fault>()).filter(|(_, fault)| fault.is_of_the_form())
    {
        return said_badly(&back, &fault.message);
    }
    if toast && response.extensions().get::<shell::Shown>().is_some() {
        append(&mut response, "compere_toast=; Path=/; Max-Age=0".to_owned());
    }
    response.extensions_mut().insert(frame);
    response
}

/// The page of ours whose form was sent, where it can say what was wrong with it.
fn came_from(request: &Request) -> Option<String> {
    if request.method() != Method::POST || !wants_page(request.headers()) {
        return None;
    }
    let page = url::Url::parse(text(request.headers(), "referer")?).ok()?;
    let host = text(request.headers(), "host")?;
    let named = page
        .port()
        .map_or_else(|| page.host_str().map(str::to_owned), |port| Some(format!("{}:{port}", page.host_str()?)));
    (named? == host).then(|| page.path().to_owned())
}

/// For forms outside the sign-in: a page of another site cannot send them.
pub async fn same_site(request: Request, next: Next) -> Response {
    if changes(request.method()) && !from_here(request.headers()) {
        return stranger().into_response();
    }
    next.run(request).await
}

async fn member_of(office: &Office, headers: &HeaderMap) -> Result<Option<Member>, Fault> {
    let Some(secret) = cookie(headers, COOKIE) else { return Ok(None) };
    let Some(session) = office.register.session(&secret).await? else { return Ok(None) };
    let toast = cookie(headers, "compere_toast").and_then(|toast| unpercent(&toast));
    let who = compere_office::Member::of(session.account);
    Ok(Some(Member { who, csrf: session.csrf, secret, theme: theme(headers), toast }))
}

fn to_the_door(request: &Request) -> Response {
    if request.method() == Method::GET && wants_page(request.headers()) {
        let next = request.uri().path_and_query().map_or("/", |path| path.as_str());
        return Redirect::to(&format!("/sign-in?next={}", percent(next))).into_response();
    }
    Fault::new(StatusCode::UNAUTHORIZED, "You are signed out. Sign in and try again.").into_response()
}

fn changes(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

fn stranger() -> Fault {
    Fault::new(
        StatusCode::FORBIDDEN,
        "This form is too old or came from somewhere else. Go back, reload the page, try again.",
    )
}

/// The token is in a header (scripts) or in the form's field `_csrf`.
async fn meant(request: Request, csrf: &str) -> Result<Request, Fault> {
    if !from_here(request.headers()) {
        return Err(stranger());
    }
    let (parts, body) = request.into_parts();
    if let Some(token) = text(&parts.headers, "x-csrf-token") {
        let right = compere_store::same(token, csrf);
        return if right { Ok(Request::from_parts(parts, body)) } else { Err(stranger()) };
    }
    let form = "application/x-www-form-urlencoded";
    if !text(&parts.headers, "content-type").is_some_and(|kind| kind.starts_with(form)) {
        return Err(stranger());
    }
    let too_much = |_| Fault::new(StatusCode::PAYLOAD_TOO_LARGE, "This form is larger than any of ours.");
    let body: Bytes = to_bytes(body, FORM).await.map_err(too_much)?;
    let sent = url::form_urlencoded::parse(&body).find(|(name, _)| name == "_csrf");
    if !sent.is_some_and(|(_, token)| compere_store::same(&token, csrf)) {
        return Err(stranger());
    }
    Ok(Request::from_parts(parts, Body::from(body)))
}

/// Browsers say where a request was made. Those that do not are not asked: the token decides.
fn from_here(headers: &HeaderMap) -> bool {
    if let Some(site) = text(headers, "sec-fetch-site") {
        return matches!(site, "same-origin" | "none");
    }
    match (text(headers, "origin"), text(headers, "host")) {
        (Some(origin), Some(host)) => origin.split_once("://").is_some_and(|(_, named)| named == host),
        _ => true,
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Opens a session for an account and puts it into the answer.
pub async fn sign_in(
    office: &Office,
    account: &str,
    headers: &HeaderMap,
    mut response: Response,
) -> Result<Response, Fault> {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    let secret = office.register.open_session(account, agent).await?;
    append(&mut response, set_session(office, &secret, 14 * 24 * 3600));
    Ok(response)
}

/// Takes the session's cookie away.
pub fn forget(office: &Office, response: &mut Response) {
    append(response, set_session(office, "", 0));
}

fn set_session(office: &Office, secret: &str, seconds: u32) -> String {
    let secure = if office.settings.base_url().starts_with("https:") { "; Secure" } else { "" };
    format!("{COOKIE}={secret}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}")
}

/// A redirect whose page says something in passing.
pub fn said(to: &str, toast: &str) -> Response {
    let mut response = Redirect::to(to).into_response();
    append(&mut response, format!("compere_toast={}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax", percent(toast)));
    response
}

/// The same for what could not be done.
fn said_badly(to: &str, problem: &str) -> Response {
    said(to, &format!("{BAD}{problem}"))
}

fn percent(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

fn unpercent(text: &str) -> Option<String> {
    let pair = format!("t={text}");
    let mut pairs = url::form_urlencoded::parse(pair.as_bytes());
    pairs.next().map(|(_, value)| value.into_owned()).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|&(name, value)| (name.parse().expect("a name"), value.parse().expect("a value"))).collect()
    }

    #[test]
    fn other_sites_are_strangers() {
        assert!(from_here(&headers(&[("sec-fetch-site", "same-origin")])));
        assert!(!from_here(&headers(&[("sec-fetch-site", "same-site")])));
        assert!(!from_here(&headers(&[("sec-fetch-site", "cross-site")])));
        assert!(from_here(&headers(&[("origin", "http://box:7300"), ("host", "box:7300")])));
        assert!(!from_here(&headers(&[("origin", "http://evil"), ("host", "box:7300")])));
        assert!(!from_here(&headers(&[("origin", "null"), ("host", "box:7300")])));
    }

    #[test]
    fn cookies_are_found_by_their_whole_name() {
        let sent = headers(&[("cookie", "xcompere_session=a; compere_session=b; theme=dark")]);
        assert_eq!(cookie(&sent, COOKIE).as_deref(), Some("b"));
        assert_eq!(unpercent(&percent("Key “a;b” issued")).as_deref(), Some("Key “a;b” issued"));
    }

    #[tokio::test]
    async fn a_form_needs_the_token_of_its_session() {
        let request = |kind: &'static str, body: &'static str| {
            Request::builder().method("POST").header("content-type", kind).body(Body::from(body)).expect("a request")
        };
        let form = "application/x-www-form-urlencoded";
        assert!(meant(request(form, "a=1&_csrf=right"), "right").await.is_ok());
        assert!(meant(request(form, "a=1&_csrf=wrong"), "right").await.is_err());
        assert!(meant(request(form, "a=1"), "right").await.is_err());
        assert!(meant(request("application/json", "{\"_csrf\":\"right\"}"), "right").await.is_err());
    }
}
