//! How long somebody would wait.

use std::sync::Arc;

use axum::extract::State;
use compere_office::Office;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answers::{Data, Enveloped, Waiting};
use super::gate::Auth;
use super::schema::Failures;

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new().routes(routes!(waiting))
}

/// How long would I wait?
///
/// Before work on something begins that I ask for now, as things go. Accounts take turns, so that it is mostly my own
/// requests that count.
#[utoipa::path(get, operation_id = "readWaiting", path = "/api/odin/v3/waiting", tag = "account",
    responses((status = 200, description = "Seconds", body = Enveloped<Waiting>), Failures))]
async fn waiting(State(office): State<Arc<Office>>, auth: Auth) -> Data<Waiting> {
    let waits = office.waits(&auth);
    Data(Waiting { preview_seconds: waits.preview, check_seconds: waits.check, document_seconds: waits.document })
}
