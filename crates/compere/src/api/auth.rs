//! Tokens for key pairs.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use compere_office::Office;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::Data;
use super::body::Body;
use super::error::ApiError;
use super::gate::{Auth, token};
use super::schema::{Authenticated, Enveloped, Failures, Revoked, Token, TokenRequest};
use crate::http::Whence;

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new().routes(routes!(issue, revoke)).routes(routes!(check))
}

/// Exchange a key pair for a token
///
/// The token is good for 24 hours. There is no refresh: ask again.
#[utoipa::path(post, path = "/api/odin/v3/auth/token", tag = "auth", request_body = TokenRequest,
    responses((status = 200, description = "Done", body = Enveloped<Token>), Failures), security(()))]
async fn issue(State(office): State<Arc<Office>>, Whence(address): Whence, body: Body) -> Result<Data, ApiError> {
    let word = |key: &str| body.json[key].as_str().map(str::trim).filter(|word| !word.is_empty());
    let (Some(app_id), Some(user_key)) = (word("appId"), word("userKey")) else {
        let message = "must be a text, as it was shown when the key pair was issued";
        let missing = ["appId", "userKey"].into_iter().filter(|key| word(key).is_none());
        let problems: Vec<_> = missing.map(|key| super::problem(key, message)).collect();
        return Err(ApiError::problems(&problems));
    };
    Ok(Data(json!({ "token": office.register.issue_token(address, app_id, user_key).await? })))
}

/// Is my token good?
#[utoipa::path(get, path = "/api/odin/v3/auth", tag = "auth",
    responses((status = 200, description = "Done", body = Enveloped<Authenticated>), Failures))]
async fn check(auth: Auth) -> Data {
    Data(json!({ "isAuthenticated": true, "email": auth.account.email, "plan": auth.account.plan }))
}

/// Revoke the presented token
#[utoipa::path(delete, path = "/api/odin/v3/auth/token", tag = "auth",
    responses((status = 200, description = "Done", body = Enveloped<Revoked>), Failures))]
async fn revoke(State(office): State<Arc<Office>>, _auth: Auth, headers: HeaderMap) -> Result<Data, ApiError> {
    let revoked = match token(&headers) {
        Some(token) => office.register.revoke_token(token).await?,
        _ => false,
    };
    Ok(Data(json!({ "revoked": revoked })))
}
