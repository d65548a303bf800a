//! The account itself: credits, key pairs, the webhook secret, what became of exports and of their webhooks.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use axum::response::{IntoResponse, Response};
use compere_office::Office;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answers::{
    AccountRecord, CreditMovement, Data, Enveloped, ExportRecord, IssuedKeyRecord, KeyRecord, Replayed, Revoked,
    WebhookSecret,
};
use super::body::{Body, MaybeBody};
use super::error::ApiError;
use super::extract::{Id, Nothing, Path, Query};
use super::gate::Auth;
use super::hooks::whole;
use super::once::{Once, told_once};
use super::paging::{self, PageQuery};
use super::schema::{Failures, IssueKey};

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new()
        .routes(routes!(account))
        .routes(routes!(credits))
        .routes(routes!(keys, issue))
        .routes(routes!(revoke))
        .routes(routes!(secret, rotate))
        .routes(routes!(history))
        .routes(routes!(replay))
}

/// The account, its plan and its credits
#[utoipa::path(get, operation_id = "readAccount", path = "/api/odin/v3/account", tag = "account",
    responses((status = 200, description = "Done", body = Enveloped<AccountRecord>), Failures))]
async fn account(State(office): State<Arc<Office>>, auth: Auth) -> Result<Data<AccountRecord>, ApiError> {
    let plan = office.register.plan_of(&auth.account);
    let balance = office.register.balance(&auth.account).await?;
    Ok(Data(AccountRecord::of(&auth.account, plan, balance)))
}

/// What credits were spent on, newest first
#[utoipa::path(get, operation_id = "listCredits", path = "/api/odin/v3/account/credits", tag = "account", params(PageQuery),
    responses((status = 200, description = "Done", body = Enveloped<Vec<CreditMovement>>), Failures))]
async fn credits(
    State(office): State<Arc<Office>>,
    auth: Auth,
    uri: Uri,
    Query(query): Query<PageQuery>,
) -> Result<Response, ApiError> {
    whole(&auth)?;
    let page = query.page()?;
    let moved = office.register.ledger(&auth, &page).await?;
    let last = paging::last(&moved, page.limit).map(|entry| (entry.created_at, entry.id.clone()));
    let answer = Data(moved.into_iter().map(CreditMovement::from).collect::<Vec<_>>()).into_response();
    Ok(paging::linked(answer, &office, &uri, last.as_ref().map(|(made, id)| (*made, id.as_str()))))
}

/// Key pairs, without their secrets
#[utoipa::path(get, operation_id = "listKeys", path = "/api/odin/v3/account/keys", tag = "account",
    responses((status = 200, description = "Done", body = Enveloped<Vec<KeyRecord>>), Failures))]
async fn keys(
    State(office): State<Arc<Office>>,
    auth: Auth,
    _: Query<Nothing>,
) -> Result<Data<Vec<KeyRecord>>, ApiError> {
    whole(&auth)?;
    Ok(Data(office.register.keys(&auth).await?.into_iter().map(KeyRecord::from).collect()))
}

/// Issue a key pair
///
/// The key is in this answer and nowhere else. With `workspaceId` it sees and makes only what is in that workspace. With
/// `test` its films are marked, at most a minute long and of 720 lines, and cost nothing.
#[utoipa::path(post, operation_id = "issueKey", path = "/api/odin/v3/account/keys", tag = "account",
    request_body = IssueKey, params(("Idempotency-Key" = Option<String>, Header,
        description = "The same key with the same body issues nothing twice; as the secret is kept nowhere, the second answer is a conflict")),
    responses((status = 200, description = "Done", body = Enveloped<IssuedKeyRecord>), Failures))]
async fn issue(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    whole(&auth)?;
    let issue = {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        let json = body.json;
        async move {
            let (issued, test) = office.register.issue_key_asked(&auth, &json).await?;
            let record = IssuedKeyRecord { id: issued.id, app_id: issued.app_id, user_key: issued.user_key, test };
            Ok(Data(record).into_response())
        }
    };
    once.run_secret(&office, &auth, &body.bytes, issue, told_once()).await
}

/// Revoke a key pair
///
/// Its tokens end with it.
#[utoipa::path(delete, operation_id = "revokeKey", path = "/api/odin/v3/account/keys/{key}", tag = "account",
    params(("key" = String, Path, description = "Id of the key pair")),
    responses((status = 200, description = "Done", body = Enveloped<Revoked>), Failures))]
async fn revoke(State(office): State<Arc<Office>>, auth: Auth, Id(key): Id) -> Result<Data<Revoked>, ApiError> {
    whole(&auth)?;
    office.register.revoke_key(&auth, &key).await?;
    Ok(Data(Revoked { revoked: true }))
}

/// The secret that webhooks are signed with
#[utoipa::path(get, operation_id = "readWebhookSecret", path = "/api/odin/v3/account/webhook-secret", tag = "account",
    responses((status = 200, description = "Done", body = Enveloped<WebhookSecret>), Failures))]
async fn secret(auth: Auth) -> Result<Data<WebhookSecret>, ApiError> {
    whole(&auth)?;
    Ok(Data(WebhookSecret { secret: auth.account.hook_secret.clone() }))
}

/// Replace the secret that webhooks are signed with
///
/// The old one signs beside it for 24 hours.
#[utoipa::path(post, operation_id = "rotateWebhookSecret", path = "/api/odin/v3/account/webhook-secret", tag = "account",
    params(("Idempotency-Key" = Option<String>, Header,
        description = "The same key replaces nothing twice; the second answer is the secret as it is then")),
    responses((status = 200, description = "Done", body = Enveloped<WebhookSecret>), Failures))]
async fn rotate(
    State(office): State<Arc<Office>>,
    auth: Auth,
    once: Once,
    body: MaybeBody,
) -> Result<Response, ApiError> {
    whole(&auth)?;
    let replace = {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            office.register.rotate_hook_secret(&auth).await?;
            secret_of(&office, &auth).await
        }
    };
    once.run_secret(&office, &auth, &body.bytes, replace, secret_of(&office, &auth)).await
}

async fn secret_of(office: &Office, auth: &Auth) -> Result<Response, ApiError> {
    let account = office.register.account(&auth.account.id).await?;
    Ok(Data(WebhookSecret { secret: account.hook_secret }).into_response())
}

/// Exports of a project and the webhooks that told of them, newest first
#[utoipa::path(get, operation_id = "listExports", path = "/api/odin/v3/editor/project/{id}/exports", tag = "exports",
    params(("id" = String, Path, description = "Id of the project"), PageQuery),
    responses((status = 200, description = "Done", body = Enveloped<Vec<ExportRecord>>), Failures))]
async fn history(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(id): Id,
    uri: Uri,
    Query(query): Query<PageQuery>,
) -> Result<Response, ApiError> {
    let page = query.page()?;
    let (exports, mail) = office.history(&auth, &id, &page).await?;
    let last = paging::last(&exports, page.limit).map(|export| (export.created_at, export.id.as_str()));
    let told: Vec<_> = exports.iter().map(|export| ExportRecord::of(export, &mail)).collect();
    Ok(paging::linked(Data(told).into_response(), &office, &uri, last))
}

/// Send a webhook once more
#[utoipa::path(post, operation_id = "replayWebhook", path = "/api/odin/v3/webhooks/{delivery}/replay", tag = "exports",
    params(("delivery" = String, Path, description = "Id of the delivery, from the exports of a project"),
        ("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<Replayed>), Failures))]
async fn replay(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Path(delivery): Path<String>,
    once: Once,
    body: MaybeBody,
) -> Result<Response, ApiError> {
    whole(&auth)?;
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            if !office.replay(&auth, &delivery).await? {
                return Err(ApiError::not_found("such webhook, or it is on its way already"));
            }
            Ok(Data(Replayed { replayed: true }).into_response())
        }
    })
    .await
}
