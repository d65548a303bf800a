//! Failures as clients see them: one table, one envelope.

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use compere_scene::{Code, Problem};
use compere_store::{Refused, StoreError};
use serde_json::{Value, json};

use super::context;

/// The kinds of failure. Number, name and HTTP status belong together and never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    BadRequest,
    Invalid(Code),
    AssetUnreachable,
    Unauthorized,
    TokenExpired,
    InvalidCredentials,
    CreditsExhausted,
    Forbidden,
    PlanRequired,
    NotFound,
    MethodNotAllowed,
    Conflict,
    TooLarge,
    UnsupportedFile,
    UnreadableFile,
    RateLimited,
    Internal,
    ExportFailed,
    Unavailable,
}

impl Kind {
    pub const fn parts(self) -> (u16, i64, &'static str) {
        match self {
            Self::BadRequest => (400, 4000, "bad_request"),
            Self::Invalid(Code::InvalidBody) => (400, 4001, "invalid_body"),
            Self::Invalid(Code::ScriptModelMismatch) => (400, 4002, "script_model_mismatch"),
            Self::Invalid(Code::UnknownModel) => (400, 4003, "unknown_model"),
            Self::Invalid(Code::UnknownCloth) => (400, 4004, "unknown_cloth"),
            Self::Invalid(Code::UnknownVoice) => (400, 4005, "unknown_voice"),
            Self::AssetUnreachable => (400, 4006, "asset_unreachable"),
            Self::Unauthorized => (401, 4010, "unauthorized"),
            Self::TokenExpired => (401, 4011, "token_expired"),
            Self::InvalidCredentials => (401, 4012, "invalid_credentials"),
            Self::CreditsExhausted => (402, 4020, "credits_exhausted"),
            Self::Forbidden => (403, 4030, "forbidden"),
            Self::PlanRequired => (403, 4031, "plan_required"),
            Self::NotFound => (404, 4040, "not_found"),
            Self::MethodNotAllowed => (405, 4050, "method_not_allowed"),
            Self::Conflict => (409, 4090, "conflict"),
            Self::TooLarge => (413, 4130, "too_large"),
            Self::UnsupportedFile => (415, 4150, "unsupported_file"),
            Self::UnreadableFile => (422, 4220, "unreadable_file"),
            Self::RateLimited => (429, 4290, "rate_limited"),
            Self::Internal => (500, 5000, "internal"),
            Self::ExportFailed => (500, 5010, "export_failed"),
            Self::Unavailable => (503, 5030, "unavailable"),
        }
    }

    /// The kind that a number of the table means; what is not in it is ours to blame.
    pub fn of_number(number: i64) -> Self {
        const ALL: [Kind; 22] = [
            Kind::BadRequest,
            Kind::Invalid(Code::InvalidBody),
            Kind::Invalid(Code::ScriptModelMismatch),
            Kind::Invalid(Code::UnknownModel),
            Kind::Invalid(Code::UnknownCloth),
            Kind::Invalid(Code::UnknownVoice),
            Kind::AssetUnreachable,
            Kind::Unauthorized,
            Kind::TokenExpired,
            Kind::InvalidCredentials,
            Kind::CreditsExhausted,
            Kind::Forbidden,
            Kind::PlanRequired,
            Kind::NotFound,
            Kind::MethodNotAllowed,
            Kind::Conflict,
            Kind::TooLarge,
            Kind::UnsupportedFile,
            Kind::UnreadableFile,
            Kind::RateLimited,
            Kind::ExportFailed,
            Kind::Unavailable,
        ];
        ALL.into_iter().find(|kind| kind.parts().1 == number).unwrap_or(Self::Internal)
    }
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
        let problem = Problem { path: path.to_owned(), message: msg.into(), hint: None, code: Code::InvalidBody };
        Self::problems(&[problem])
    }

    /// Everything that is wrong with a body.
    pub fn problems(problems: &[Problem]) -> Self {
        let kind = Kind::Invalid(Code::leading(problems));
        let msg = match problems {
            [] => "the body cannot be used".to_owned(),
            [only] => only.to_string(),
            [first, rest @ ..] => format!("{first}; and {} more, see details", rest.len()),
        };
        let details = problems.iter().map(|problem| (problem.path.clone(), problem.advice())).collect();
        Self { details, ..Self::new(kind, msg) }
    }

    pub fn no_project(id: &str) -> Self {
        let id: String = id.chars().take(40).collect();
        Self::new(Kind::NotFound, format!("there is no project `{id}`"))
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

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(_) => {
                tracing::error!(%error, request = context::id(), "the store did not answer");
                let mut answer =
                    Self::new(Kind::Unavailable, "the service cannot reach its storage right now; nothing was changed");
                answer.retry_after = Some(5);
                answer
            }
            StoreError::Taken(what) => Self::new(Kind::Conflict, format!("{what} exists already")),
            StoreError::Damaged(_) => Self::internal(error),
        }
    }
}

impl From<Refused> for ApiError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Credits { balance, needed } => Self::new(
                Kind::CreditsExhausted,
                format!("the film needs {needed} credits, the account has {}", balance.max(0)),
            ),
            Refused::QueueFull { limit } => {
                let msg = format!("{limit} exports of this account wait already; try again when some are done");
                Self { retry_after: Some(30), ..Self::new(Kind::RateLimited, msg) }
            }
            Refused::Conflict => {
                Self::new(Kind::Conflict, "the project was changed or deleted by another request meanwhile; try again")
            }
        }
    }
}

impl From<crate::crew::desk::DeskError> for ApiError {
    fn from(error: crate::crew::desk::DeskError) -> Self {
        let details = error.details.into_iter().map(|flaw| (flaw.path, flaw.message)).collect();
        Self { details, ..Self::new(Kind::of_number(error.code), error.message) }
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
pub async fn unknown_path(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if let Some(page) = crate::web::nowhere(&headers) {
        return page;
    }
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
