//! Files of users, to be linked in scenes.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use compere_office::Office;
use compere_store::Page;
use serde::Deserialize;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answers::{AssetItem, Data, Deleted, Enveloped};
use super::error::ApiError;
use super::extract::{Id, Query};
use super::gate::Auth;
use super::once::Once;
use super::schema::{AssetUpload, Failures};
use super::{multipart, paging};
use crate::http::arrival::bare;

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new().routes(routes!(upload, list)).routes(routes!(delete))
}

/// Upload a file
///
/// A form with `file`, or the bare file with `?name=`. The answer's `url` goes into clips. What the file is decides
/// its content, not its name.
#[utoipa::path(post, operation_id = "uploadAsset", path = "/api/odin/v3/assets", tag = "assets",
    request_body(content = AssetUpload, content_type = "multipart/form-data"),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key with the same file within 24 hours gives the same answer")),
    responses((status = 200, description = "Done", body = Enveloped<AssetItem>), Failures))]
async fn upload(
    State(office): State<Arc<Office>>,
    auth: Auth,
    once: Once,
    request: Request,
) -> Result<Response, ApiError> {
    let form = multipart::read(request, &office.arrivals(), office.settings.limits.asset).await?;
    let print = once.print_of(&form).await?;
    once.run(&office, &auth, &print, {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let Some(mut upload) = form.file else {
                return Err(ApiError::field("file", "is missing: send a form with a field `file`"));
            };
            let name = form.fields.get("name").map(|name| bare(name)).filter(|name| !name.is_empty());
            upload.name = name.unwrap_or(upload.name);
            let kept = office.keep(&auth, upload).await?;
            Ok(Data(AssetItem::of(&office, &kept.asset, kept.size)).into_response())
        }
    })
    .await
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    /// From 1
    #[param(value_type = Option<i64>, minimum = 1)]
    page: Option<String>,
    /// Files on a page; default: 100
    #[param(value_type = Option<i64>, minimum = 1, maximum = 100)]
    limit: Option<String>,
    /// Where the page before ended; the header `Link` has the address of the next page with it
    after: Option<String>,
}

/// List uploaded files, newest first
///
/// The header `X-Total-Count` has the number of all.
#[utoipa::path(get, operation_id = "listAssets", path = "/api/odin/v3/assets", tag = "assets", params(ListQuery),
    responses((status = 200, description = "Done", body = Enveloped<Vec<AssetItem>>), Failures))]
async fn list(
    State(office): State<Arc<Office>>,
    auth: Auth,
    uri: Uri,
    Query(query): Query<ListQuery>,
) -> Result<Response, ApiError> {
    let mut problems = Vec::new();
    let number = paging::count("page", query.page.as_deref(), 1, 1_000_000, &mut problems);
    let limit = paging::count("limit", query.limit.as_deref(), 100, 100, &mut problems);
    if !problems.is_empty() {
        return Err(ApiError::problems(&problems));
    }
    let page = Page { after: paging::after(query.after)?, limit };
    let (assets, total) = office.uploads(&auth, &page, (number - 1) * limit).await?;
    let items: Vec<AssetItem> = assets.iter().map(|asset| AssetItem::of(&office, asset, None)).collect();
    let mut response = Data(items).into_response();
    response.headers_mut().insert("x-total-count", HeaderValue::from(total));
    let last = paging::last(&assets, limit).map(|asset| (asset.created_at, asset.id.as_str()));
    Ok(paging::linked(response, &office, &uri, last))
}

/// Delete an uploaded file
///
/// Scenes that link it will miss it.
#[utoipa::path(delete, operation_id = "deleteAsset", path = "/api/odin/v3/assets/{id}", tag = "assets",
    params(("id" = String, Path, description = "Id of the file")),
    responses((status = 200, description = "Done", body = Enveloped<Deleted>), Failures))]
async fn delete(State(office): State<Arc<Office>>, auth: Auth, Id(id): Id) -> Result<Response, ApiError> {
    office.discard(&auth, &id).await?;
    let mut response = Data(Deleted { deleted_count: 1 }).into_response();
    *response.status_mut() = StatusCode::OK;
    response.headers_mut().insert("cache-control", HeaderValue::from_static("no-store"));
    Ok(response)
}
