//! Failures as clients see them: one table, one envelope.

use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use compere_office::Refusal;
use compere_scene::{Code, Problem};
use compere_store::StoreError;
use serde::Serialize;
use utoipa::ToSchema;

use super::context::{self, Context};

pub use compere_house::Kind;

pub fn problem(path: &str, message: impl Into<String>) -> Problem {
    Problem { path: path.to_owned(), message: message.into(), hint: None, code: Code::InvalidBody }
}

/// Failure.
#[derive(Debug, Serialize, ToSchema)]
pub struct Failure {
    /// Always false
    pub success: bool,
    pub error: ErrorBody,
    /// Of the older generation's paths: the same as in `error`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub msg: Option<String>,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    /// A number of the table behind `docUrl`
    #[schema(example = 4001)]
    pub code: i64,
    /// What was wrong and what would be right
    pub msg: String,
    #[schema(example = "invalid_body")]
    pub name: std::borrow::Cow<'static, str>,
    /// All problems, each with its place
    pub details: Vec<Detail>,
    /// Where the kind of failure is described
    pub doc_url: String,
    /// Finds the request in the log of the service
    pub request_id: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Detail {
    #[schema(example = "scenes[2].clips[0].width")]
    pub path: String,
    pub msg: String,
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

    /// As it stands in an answer.
    pub fn to_body(&self) -> ErrorBody {
        self.in_context(Context::current())
    }

    /// A whole answer's body, where no request has come to be.
    pub fn to_text(&self) -> String {
        let failure = Failure { success: false, error: self.in_context(Context::of("", "")), msg: None };
        serde_json::to_string(&failure).unwrap_or_default()
    }

    fn in_context(&self, context: Context) -> ErrorBody {
        let (_, code, name) = self.kind.parts();
        let detail = |(path, msg): &(String, String)| Detail { path: path.clone(), msg: msg.clone() };
        ErrorBody {
            code,
            msg: self.msg.clone(),
            name: name.into(),
            details: self.details.iter().map(detail).collect(),
            doc_url: format!("{}/docs/errors/{code}", context.base),
            request_id: context.id,
        }
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
        let msg = context::is_older().then(|| self.msg.clone());
        let body = Failure { success: false, error: self.to_body(), msg };
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
