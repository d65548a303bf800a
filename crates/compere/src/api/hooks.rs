//! Webhook endpoints of an account: what it wants to be told of, and where. What an export's own `webhookUrl` gets is said in
//! the document beside it.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use axum::response::{IntoResponse, Response};
use compere_office::{HookRequest, Office, Refusal};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answers::{Data, Deleted, Enveloped, HookRecord, SentRecord};
use super::body::{Body, MaybeBody};
use super::error::ApiError;
use super::extract::{Id, Nothing, Query};
use super::gate::Auth;
use super::once::Once;
use super::paging::{self, PageQuery};
use super::schema::{ChangeHook, Failures, NewHook};

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(read, change, delete))
        .routes(routes!(rotate))
        .routes(routes!(ping))
        .routes(routes!(sent))
}

/// A key pair that is bound to a workspace does not speak for the account.
pub(super) fn whole(auth: &Auth) -> Result<(), ApiError> {
    match auth.workspace {
        None => Ok(()),
        Some(_) => {
            Err(Refusal::Forbidden("a key pair that is bound to a workspace does not speak for the account").into())
        }
    }
}

/// Webhook endpoints
#[utoipa::path(get, operation_id = "listWebhookEndpoints", path = "/api/odin/v3/account/webhooks", tag = "account",
    responses((status = 200, description = "Done", body = Enveloped<Vec<HookRecord>>), Failures))]
async fn list(
    State(office): State<Arc<Office>>,
    auth: Auth,
    _: Query<Nothing>,
) -> Result<Data<Vec<HookRecord>>, ApiError> {
    whole(&auth)?;
    Ok(Data(office.hooks(&auth).await?.into_iter().map(HookRecord::from).collect()))
}

/// Add a webhook endpoint
///
/// It is told of the `events` it names, of all where it names none, in every project of the account. What is sent is
/// described under `webhooks`; it is signed with the endpoint's own secret, which is in the answer.
#[utoipa::path(post, operation_id = "addWebhookEndpoint", path = "/api/odin/v3/account/webhooks", tag = "account",
    request_body = NewHook, params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<HookRecord>), Failures))]
async fn create(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    whole(&auth)?;
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let added = office.add_hook(&auth, HookRequest(&body.json)).await?;
            Ok(Data(HookRecord::from(added)).into_response())
        }
    })
    .await
}

/// A webhook endpoint
#[utoipa::path(get, operation_id = "readWebhookEndpoint", path = "/api/odin/v3/account/webhooks/{id}", tag = "account",
    params(("id" = String, Path, description = "Id of the endpoint")),
    responses((status = 200, description = "Done", body = Enveloped<HookRecord>), Failures))]
async fn read(State(office): State<Arc<Office>>, auth: Auth, Id(id): Id) -> Result<Data<HookRecord>, ApiError> {
    whole(&auth)?;
    Ok(Data(office.hook(&auth, &id).await?.into()))
}

/// Change a webhook endpoint
///
/// What is not said stays as it is.
#[utoipa::path(post, operation_id = "changeWebhookEndpoint", path = "/api/odin/v3/account/webhooks/{id}", tag = "account",
    request_body = ChangeHook, params(("id" = String, Path, description = "Id of the endpoint")),
    responses((status = 200, description = "Done", body = Enveloped<HookRecord>), Failures))]
async fn change(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(id): Id,
    body: Body,
) -> Result<Data<HookRecord>, ApiError> {
    whole(&auth)?;
    Ok(Data(office.change_hook(&auth, &id, HookRequest(&body.json)).await?.into()))
}

/// Delete a webhook endpoint
///
/// What is on its way there is not sent any more.
#[utoipa::path(delete, operation_id = "deleteWebhookEndpoint", path = "/api/odin/v3/account/webhooks/{id}", tag = "account",
    params(("id" = String, Path, description = "Id of the endpoint")),
    responses((status = 200, description = "Done", body = Enveloped<Deleted>), Failures))]
async fn delete(State(office): State<Arc<Office>>, auth: Auth, Id(id): Id) -> Result<Data<Deleted>, ApiError> {
    whole(&auth)?;
    office.delete_hook(&auth, &id).await?;
    Ok(Data(Deleted { deleted_count: 1 }))
}

/// Replace the secret of a webhook endpoint
///
/// The old one signs beside it for 24 hours.
#[utoipa::path(post, operation_id = "rotateWebhookEndpointSecret", path = "/api/odin/v3/account/webhooks/{id}/secret", tag = "account",
    params(("id" = String, Path, description = "Id of the endpoint"), ("Idempotency-Key" = Option<String>, Header,
        description = "The same key replaces nothing twice; the second answer is the endpoint as it is then")),
    responses((status = 200, description = "Done", body = Enveloped<HookRecord>), Failures))]
async fn rotate(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(id): Id,
    once: Once,
    body: MaybeBody,
) -> Result<Response, ApiError> {
    whole(&auth)?;
    let replace = {
        let (office, auth, id) = (Arc::clone(&office), auth.clone(), id.clone());
        async move { Ok(Data(HookRecord::from(office.rotate_hook(&auth, &id).await?)).into_response()) }
    };
    let again = async { Ok(Data(HookRecord::from(office.hook(&auth, &id).await?)).into_response()) };
    once.run_secret(&office, &auth, &body.bytes, replace, again).await
}

/// Call a webhook endpoint now
///
/// Sends the event `ping`, waits up to twelve seconds for the receiver, and answers with what it said. It is not tried
/// again.
#[utoipa::path(post, operation_id = "pingWebhookEndpoint", path = "/api/odin/v3/account/webhooks/{id}/ping", tag = "account",
    params(("id" = String, Path, description = "Id of the endpoint")),
    responses((status = 200, description = "Done", body = Enveloped<SentRecord>), Failures))]
async fn ping(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(id): Id,
    _body: MaybeBody,
) -> Result<Data<SentRecord>, ApiError> {
    whole(&auth)?;
    let (delivery, tries) = office.ping(&auth, &id).await?;
    Ok(Data(SentRecord::of(&delivery, &tries)))
}

/// What was sent to a webhook endpoint, newest first
///
/// `webhooks/{delivery}/replay` sends one once more.
#[utoipa::path(get, operation_id = "listWebhookDeliveries", path = "/api/odin/v3/account/webhooks/{id}/deliveries", tag = "account",
    params(("id" = String, Path, description = "Id of the endpoint"), PageQuery),
    responses((status = 200, description = "Done", body = Enveloped<Vec<SentRecord>>), Failures))]
async fn sent(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(id): Id,
    uri: Uri,
    Query(query): Query<PageQuery>,
) -> Result<Response, ApiError> {
    whole(&auth)?;
    let page = query.page()?;
    let sent = office.sent_to(&auth, &id, &page).await?;
    let last = paging::last(&sent, page.limit).map(|(delivery, _)| (delivery.created_at, delivery.id.as_str()));
    let told: Vec<_> = sent.iter().map(|(delivery, tries)| SentRecord::of(delivery, tries)).collect();
    Ok(paging::linked(Data(told).into_response(), &office, &uri, last))
}
