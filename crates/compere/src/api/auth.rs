//! Tokens for key pairs.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use compere_office::Office;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answers::{Authenticated, Data, Enveloped, Revoked, Token};
use super::body::Body;
use super::error::ApiError;
use super::gate::{Auth, token};
use super::schema::{Failures, TokenRequest};
use crate::http::Whence;

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new().routes(routes!(issue, revoke)).routes(routes!(check))
}

/// Exchange a key pair for a token
///
/// The token is good for 24 hours. There is no refresh: ask again.
#[utoipa::path(post, operation_id = "issueToken", path = "/api/odin/v3/auth/token", tag = "auth", request_body = TokenRequest,
    responses((status = 200, description = "Done", body = Enveloped<Token>), Failures), security(()))]
async fn issue(
    State(office): State<Arc<Office>>,
    Whence(address): Whence,
    body: Body,
) -> Result<Data<Token>, ApiError> {
    let word = |key: &str| body.json[key].as_str().map(str::trim).filter(|word| !word.is_empty());
    let (Some(app_id), Some(user_key)) = (word("appId"), word("userKey")) else {
        let message = "must be a text, as it was shown when the key pair was issued";
        let missing = ["appId", "userKey"].into_iter().filter(|key| word(key).is_none());
        let problems: Vec<_> = missing.map(|key| super::problem(key, message)).collect();
        return Err(ApiError::problems(&problems));
    };
    Ok(Data(Token { token: office.register.issue_token(address, app_id, user_key).await? }))
}

/// Is my token good?
#[utoipa::path(get, operation_id = "checkToken", path = "/api/odin/v3/auth", tag = "auth",
    responses((status = 200, description = "Done", body = Enveloped<Authenticated>), Failures))]
async fn check(auth: Auth) -> Data<Authenticated> {
    let account = &auth.account;
    Data(Authenticated { is_authenticated: true, email: account.email.clone(), plan: account.plan.clone() })
}

/// Revoke the presented token
#[utoipa::path(delete, operation_id = "revokeToken", path = "/api/odin/v3/auth/token", tag = "auth",
    responses((status = 200, description = "Done", body = Enveloped<Revoked>), Failures))]
async fn revoke(State(office): State<Arc<Office>>, _auth: Auth, headers: HeaderMap) -> Result<Data<Revoked>, ApiError> {
    let revoked = match token(&headers) {
        Some(token) => office.register.revoke_token(token).await?,
        _ => false,
    };
    Ok(Data(Revoked { revoked }))
}
