//! Axum's extractors with our words when something is wrong.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::error::ApiError;

/// Parts of the path.
#[derive(Debug)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let found = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        let wrong = |_| ApiError::bad_request("the path is malformed; ids are 24 hexadecimal digits");
        Ok(Self(found.map_err(wrong)?.0))
    }
}

/// What stands behind the question mark.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let found = axum::extract::Query::<T>::from_request_parts(parts, state).await;
        Ok(Self(found.map_err(|error| ApiError::bad_request(in_our_words(&error.body_text())))?.0))
    }
}

/// Lists that nothing is asked of: a key behind the question mark is a slip, and would be passed over in silence.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// The parser's last words say which key it was and what there is; the first ones name our library.
fn in_our_words(told: &str) -> String {
    let unknown = told.split_once("unknown field `").and_then(|(_, rest)| rest.split_once('`'));
    let known = told.split_once("expected one of ").or_else(|| told.split_once("expected ")).map(|(_, known)| known);
    let shown = |key: &str| key.chars().take(40).collect::<String>();
    match (unknown, known) {
        (Some((key, _)), None) => format!("the query has `{}`; nothing can be asked of this list", shown(key)),
        (Some((key, _)), Some(known)) => {
            let shown = shown(key);
            let known: Vec<&str> =
                known.split(['`', ',', ' ']).filter(|word| !word.is_empty() && *word != "or").collect();
            let near = compere_scene::nearest(key, known.iter().copied());
            let hint = near.first().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            format!("the query has `{shown}`, which is not known here; there are {}{hint}", known.join(", "))
        }
        _ => "the query is malformed; write `?key=value&key=value`, each key once".to_owned(),
    }
}

/// The id of a project, where the path has one.
#[derive(Debug)]
pub struct Id(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Path(id) = Path::<String>::from_request_parts(parts, state).await?;
        checked(&id)?;
        Ok(Self(id))
    }
}

/// An id, if it can be one.
pub fn checked(id: &str) -> Result<&str, ApiError> {
    if id.len() == 24 && id.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Ok(id);
    }
    let shown: String = id.chars().take(40).collect();
    Err(ApiError::bad_request(format!("`{shown}` is no id; ids are 24 hexadecimal digits")))
}
