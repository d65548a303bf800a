//! Failures as clients see them: one table, one envelope.

use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use compere_office::Refusal;
use compere_scene::{Code, Problem};
use compere_store::StoreError;
use serde_json::{Value, json};

use super::context;

pub use compere_house::Kind;

pub fn problem(path: &str, message: impl Into<String>) -> Problem {
    Problem { path: path.to_owned(), message: message.into(), hint: None, code: Code::InvalidBody }
}

/// What a handler answers when it cannot do what was asked.
#[derive(Clone, Debug)]
pub struct ApiError {
    pub kind: Kind,
    pub msg: String,
    /// `{path, msg}` each.
    pub details: Vec<(String, String)>,
    /// Seconds after which it may work.
    pub retry_after: Option<u64>,
}

impl ApiError {
    pub fn new(kind: Kind, msg: impl Into<String>) -> Self {
        Self { kind, msg: msg.into(), details: Vec::new(), retry_after: None }
    }

    pub fn bad_request(msg: impl Into<String>) -> Self {
        Self::new(Kind::BadRequest, msg)
    }

    /// One field is wrong.
    pub fn field(path: &str, msg: impl Into<String>) -> Self {
        Self::problems(&[problem(path, msg)])
    }

    /// Everything that is wrong with a body.
    pub fn problems(problems: &[Problem]) -> Self {
        Refusal::Problems(problems.to_vec()).into()
    }

    pub fn not_found(what: impl std::fmt::Display) -> Self {
        Self::new(Kind::NotFound, format!("there is no {what}"))
    }

    pub fn internal(error: impl std::fmt::Display) -> Self {
        tracing::error!(%error, request = context::id(), "a request could not be answered");
        Self::new(Kind::Internal, "something went wrong on our side; the request id helps to find out what")
    }

    /// `{code, msg, name, details, requestId}`
    pub fn to_json(&self) -> Value {
        let (_, code, name) = self.kind.parts();
        let details: Vec<Value> = self.details.iter().map(|(path, msg)| json!({"path": path, "msg": msg})).collect();
        json!({ "code": code, "msg": self.msg, "name": name, "details": details, "requestId": context::id() })
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        match &refusal {
            Refusal::Inside(why) => return Self::internal(why),
            Refusal::Away(why) => tracing::error!(why, request = context::id(), "the store did not answer"),
            _ => {}
        }
        let (details, retry_after) = (refusal.details(), refusal.retry_after());
        Self { details, retry_after, ..Self::new(refusal.kind(), refusal.to_string()) }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Refusal::from(error).into()
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.kind.parts().0).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut body = json!({ "success": false, "error": self.to_json() });
        if context::is_older() {
            body["msg"] = json!(self.msg);
        }
        let mut response = (status, axum::Json(body)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// A path that leads nowhere.
pub fn unknown_path(method: &Method, uri: &Uri) -> Response {
    let path: String = uri.path().chars().take(200).collect();
    ApiError::new(Kind::NotFound, format!("there is nothing at {method} {path}; the API is described at /docs"))
        .into_response()
}

/// A path that exists for other methods.
pub async fn wrong_method(method: Method, uri: Uri) -> ApiError {
    let path: String = uri.path().chars().take(200).collect();
    ApiError::new(Kind::MethodNotAllowed, format!("{path} does not answer to {method}; see /docs for what it does"))
}

/// A handler that panicked.
#[expect(clippy::needless_pass_by_value, reason = "the layer hands it over")]
pub fn panicked(panic: Box<dyn std::any::Any + Send + 'static>) -> Response {
    let text = panic.downcast_ref::<&str>().map(|&text| text.to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    ApiError::internal(text.unwrap_or_else(|| "a panic".to_owned())).into_response()
}
