//! Tokens for key pairs.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use compere_store::{hash_secret, same};
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::Data;
use super::body::Body;
use super::error::{ApiError, Kind};
use super::gate::{Address, Auth, slow_down, token};
use super::schema::{Authenticated, Enveloped, Failures, Revoked, Token, TokenRequest};
use crate::serve::app::App;

pub fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(issue, revoke)).routes(routes!(check))
}

/// Exchange a key pair for a token
///
/// The token is good for 24 hours. There is no refresh: ask again.
#[utoipa::path(post, path = "/api/odin/v3/auth/token", tag = "auth", request_body = TokenRequest,
    responses((status = 200, description = "Done", body = Enveloped<Token>), Failures), security(()))]
async fn issue(State(app): State<Arc<App>>, address: Address, body: Body) -> Result<Data, ApiError> {
    let per_minute = app.settings.limits.auth_per_minute;
    app.gate.addresses.take(&address.name(), per_minute).map_err(|seconds| slow_down(seconds, "for tokens"))?;
    let word = |key: &str| body.json[key].as_str().map(str::trim).filter(|word| !word.is_empty());
    let mut problems = Vec::new();
    for key in ["appId", "userKey"] {
        if word(key).is_none() {
            problems.push(super::options::problem(key, "must be a text, as it was shown when the key pair was issued"));
        }
    }
    let (Some(app_id), Some(user_key)) = (word("appId"), word("userKey")) else {
        return Err(ApiError::problems(&problems));
    };
    let who = hash_secret(&app_id.to_lowercase());
    app.gate.refused.look(&who, per_minute).map_err(|seconds| slow_down(seconds, "for tokens of this appId"))?;
    match app.store.issue_token(app_id, user_key).await? {
        Some((_, account)) if account.suspended_at.is_some() => {
            Err(ApiError::new(Kind::Forbidden, "the account is suspended; its administrator knows why"))
        }
        Some((_, account)) if !app.store.plan(&account.plan).api => {
            let msg = format!("the plan `{}` has no API access; choose one that has", account.plan);
            Err(ApiError::new(Kind::PlanRequired, msg))
        }
        Some((token, _)) => Ok(Data(json!({ "token": token }))),
        None => {
            // Never the reason: whether the account exists is not for strangers.
            let _ = app.gate.refused.take(&who, per_minute);
            Err(ApiError::new(Kind::InvalidCredentials, "appId and userKey do not belong together, or were revoked"))
        }
    }
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
async fn revoke(State(app): State<Arc<App>>, _auth: Auth, headers: HeaderMap) -> Result<Data, ApiError> {
    let revoked = match token(&headers) {
        Some(token) if !same(token, "") => app.store.revoke_token(token).await?,
        _ => false,
    };
    Ok(Data(json!({ "revoked": revoked })))
}
