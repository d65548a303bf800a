//! How much room an account's files take.

use std::sync::Arc;

use axum::extract::State;
use compere_house::settings::Megabytes;
use compere_office::Office;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answers::{Data, Enveloped, Storage};
use super::error::ApiError;
use super::gate::Auth;
use super::schema::Failures;

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new().routes(routes!(storage))
}

/// How much room do my files take?
///
/// Uploads, imports and exports beyond the plan's `limit` are refused with 4130 until something is deleted.
#[utoipa::path(get, operation_id = "readStorage", path = "/api/odin/v3/storage", tag = "assets",
    responses((status = 200, description = "Bytes", body = Enveloped<Storage>), Failures))]
async fn storage(State(office): State<Arc<Office>>, auth: Auth) -> Result<Data<Storage>, ApiError> {
    let (taken, limit) = office.taken(&auth).await?;
    Ok(Data(Storage {
        uploads: taken.uploads,
        decks: taken.decks,
        films: taken.films,
        presenters: taken.presenters,
        used: taken.all(),
        limit: limit.map(Megabytes::bytes),
    }))
}
