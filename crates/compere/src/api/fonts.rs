//! Fonts for texts: those of the machine, and those that the account sent.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use compere_office::{LARGEST_FONT, Office};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answers::{Data, Deleted, Enveloped, FontItem};
use super::error::ApiError;
use super::extract::{Id, Nothing, Query};
use super::gate::Auth;
use super::multipart;
use super::once::Once;
use super::schema::{Failures, FontUpload};

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new().routes(routes!(list, upload)).routes(routes!(delete))
}

/// Fonts for `fontFamily`
///
/// First the account's own, face by face, with an `id` each; then the families that everybody has.
#[utoipa::path(get, operation_id = "listFonts", path = "/api/odin/v3/fonts", tag = "catalogue",
    responses((status = 200, description = "Done", body = Enveloped<Vec<FontItem>>), Failures))]
async fn list(
    State(office): State<Arc<Office>>,
    auth: Auth,
    _: Query<Nothing>,
) -> Result<Data<Vec<FontItem>>, ApiError> {
    let own = office.fonts(&auth).await?.into_iter().map(FontItem::own);
    let everybodys = office.families().await?.iter().map(|family| FontItem::everybodys(family));
    Ok(Data(own.chain(everybodys).collect()))
}

/// Send a font
///
/// A form with `file` (TTF, OTF or TTC, at most 10 MB) and `licence=true`, by which you say that you may use the font in
/// films and may give those films to others. Texts name its family from then on, also those of decks that are imported;
/// other accounts do not have it. The answer has each of its faces. Refused are fonts whose maker forbids it (`fsType`),
/// and families that everybody has.
#[utoipa::path(post, operation_id = "uploadFont", path = "/api/odin/v3/fonts", tag = "assets",
    request_body(content = FontUpload, content_type = "multipart/form-data"),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key with the same file within 24 hours gives the same answer")),
    responses((status = 200, description = "Done", body = Enveloped<Vec<FontItem>>), Failures))]
async fn upload(
    State(office): State<Arc<Office>>,
    auth: Auth,
    once: Once,
    request: Request,
) -> Result<Response, ApiError> {
    let form = multipart::read(request, &office.arrivals(), LARGEST_FONT).await?;
    let print = once.print_of(&form).await?;
    once.run(&office, &auth, &print, {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let Some(upload) = form.file else {
                return Err(ApiError::field("file", "is missing: send a form with a field `file`"));
            };
            let may_use = form.fields.get("licence").is_some_and(|said| matches!(said.trim(), "true" | "on" | "1"));
            let faces = office.keep_font(&auth, upload, may_use).await?;
            Ok(Data(faces.into_iter().map(FontItem::own).collect::<Vec<_>>()).into_response())
        }
    })
    .await
}

/// Delete a font of the account
///
/// Films that were asked for before are made with it. Texts that name it are written with another from then on.
#[utoipa::path(delete, operation_id = "deleteFont", path = "/api/odin/v3/fonts/{id}", tag = "assets",
    params(("id" = String, Path, description = "Id of a face")),
    responses((status = 200, description = "Done", body = Enveloped<Deleted>), Failures))]
async fn delete(State(office): State<Arc<Office>>, auth: Auth, Id(id): Id) -> Result<Data<Deleted>, ApiError> {
    office.delete_font(&auth, &id).await?;
    Ok(Data(Deleted { deleted_count: 1 }))
}
