//! How much room an account's files take.

use std::sync::Arc;

use axum::extract::State;
use compere_house::settings::Megabytes;
use compere_office::Office;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::Data;
use super::error::ApiError;
use super::gate::Auth;
use super::schema::{Enveloped, Failures};

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new().routes(routes!(storage))
}

/// Bytes of an account's files.
#[derive(ToSchema)]
#[expect(dead_code, reason = "read by the document's maker")]
struct Storage {
    uploads: i64,
    /// Documents, and the pictures of their pages
    decks: i64,
    films: i64,
    /// All of it
    used: i64,
    /// What the plan gives; null where nobody counts
    limit: Option<i64>,
}

/// How much room do my files take?
///
/// Uploads, imports and exports beyond the plan's `limit` are refused with 4130 until something is deleted.
#[utoipa::path(get, path = "/api/odin/v3/storage", tag = "assets",
    responses((status = 200, description = "Bytes", body = Enveloped<Storage>), Failures))]
async fn storage(State(office): State<Arc<Office>>, auth: Auth) -> Result<Data, ApiError> {
    let (taken, limit) = office.taken(&auth).await?;
    Ok(Data(json!({
        "uploads": taken.uploads, "decks": taken.decks, "films": taken.films, "used": taken.all(),
        "limit": limit.map(Megabytes::bytes),
    })))
}
