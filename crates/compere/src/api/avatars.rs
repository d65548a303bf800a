//! Presenters of a person's own footage or photo (beta), or of a model file: takes come in, somebody agrees, one is made, an
//! operator approves.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use compere_office::{Office, OwnView, Refusal, TakeOf};
use compere_own::Tongue;
use compere_store::OwnPresenter;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answers::{
    AvatarItem, AvatarRecord, AvatarWithdrawn, BuildEnded, CustomAvatarMade, Data, Deleted, Enveloped, PromptItem,
    TakeItem,
};
use super::body::Body;
use super::cached;
use super::error::ApiError;
use super::extract::{Id, Nothing, Path, Query, checked};
use super::gate::Auth;
use super::multipart::{self, Form};
use super::once::Once;
use super::schema::{ConsentAsk, CustomAvatar, DreamAvatar, Failures, NewAvatar, TakeUpload};
use crate::http::json::{self, Unread};

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new()
        .routes(routes!(create, list))
        .routes(routes!(prompts))
        .routes(routes!(custom))
        .routes(routes!(dream))
        .routes(routes!(read, withdraw))
        .routes(routes!(take))
        .routes(routes!(drop_take))
        .routes(routes!(consent))
        .routes(routes!(build, cancel))
        .routes(routes!(portrait))
}

pub(super) async fn told(office: &Office, auth: &Auth, record: &OwnPresenter) -> Result<AvatarRecord, ApiError> {
    Ok(AvatarRecord::from(office.view_presenter(auth, &record.id).await?))
}

/// Begin a presenter of your own footage, photo or model file (beta)
///
/// It belongs to the account, and nobody else sees it. What is to come next stands in `missing`: of a person, their consent
/// before a camera; of a model, a statement of its licence.
#[utoipa::path(post, operation_id = "createAvatar", path = "/api/odin/v3/avatars", tag = "avatars",
    request_body = NewAvatar, params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<AvatarRecord>), Failures))]
async fn create(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let made = office.new_presenter(&auth, &body.json).await?;
            Ok(Data(told(&office, &auth, &made).await?).into_response())
        }
    })
    .await
}

/// List the account's presenters of footage, newest first
#[utoipa::path(get, operation_id = "listAvatars", path = "/api/odin/v3/avatars", tag = "avatars",
    responses((status = 200, description = "Done", body = Enveloped<Vec<AvatarItem>>), Failures))]
async fn list(
    State(office): State<Arc<Office>>,
    auth: Auth,
    _: Query<Nothing>,
) -> Result<Data<Vec<AvatarItem>>, ApiError> {
    Ok(Data(office.own_presenters(&auth).await?.iter().map(AvatarItem::from).collect()))
}

/// Which lines are listed.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct PromptsAsk {
    /// `en` (the default), `de`, `fr`, `es`, `it` or `pt`, with a region or without; another one is refused with the list
    language: Option<String>,
}

/// Lines that a presenter is filmed with, one clip each
///
/// The first twenty-four are enough for most. A presenter's are those of its `promptLanguage`.
#[utoipa::path(get, operation_id = "listPrompts", path = "/api/odin/v3/avatars/prompts", tag = "avatars",
    params(PromptsAsk),
    responses((status = 200, description = "Done", body = Enveloped<Vec<PromptItem>>), Failures))]
async fn prompts(_auth: Auth, Query(asked): Query<PromptsAsk>) -> Result<Data<Vec<PromptItem>>, ApiError> {
    let tongue = asked.language.as_deref().map_or_else(|| Ok(Tongue::english()), Tongue::asked);
    Ok(Data(PromptItem::all(tongue.map_err(|why| Refusal::field("language", why))?)))
}

/// Begin a presenter with one linked video
///
/// The video is fetched by the rules for every link and kept as a take. Nobody here recognises speech, so it needs the text
/// of what is said in it; what else is missing (silence, consent) is told in the answer. No voice is cloned.
#[utoipa::path(post, operation_id = "createCustomAvatar", path = "/api/odin/v3/avatars/customavatar", tag = "avatars",
    request_body = CustomAvatar, params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<CustomAvatarMade>), Failures))]
async fn custom(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let made = office.presenter_of_video(&auth, &body.json).await?;
            let view: OwnView = office.view_presenter(&auth, &made.id).await?;
            Ok(Data(CustomAvatarMade::from(view)).into_response())
        }
    })
    .await
}

/// Begin a presenter with one linked photo
///
/// The photo is fetched by the rules for every link. The person in it has to agree before a camera, which `missing` says.
#[utoipa::path(post, operation_id = "createDreamAvatar", path = "/api/odin/v3/avatars/dreamavatar", tag = "avatars",
    request_body = DreamAvatar, params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<CustomAvatarMade>), Failures))]
async fn dream(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let made = office.presenter_of_photo(&auth, &body.json).await?;
            let view: OwnView = office.view_presenter(&auth, &made.id).await?;
            Ok(Data(CustomAvatarMade::from(view)).into_response())
        }
    })
    .await
}

/// Read a presenter of footage
///
/// Its state, how far it is made, what was found in each take, and the films made with it; of one that was withdrawn too.
#[utoipa::path(get, operation_id = "readAvatar", path = "/api/odin/v3/avatars/{id}", tag = "avatars",
    params(("id" = String, Path, description = "Id of the presenter")),
    responses((status = 200, description = "Done", body = Enveloped<AvatarRecord>), Failures))]
async fn read(State(office): State<Arc<Office>>, auth: Auth, Id(id): Id) -> Result<Data<AvatarRecord>, ApiError> {
    Ok(Data(AvatarRecord::from(office.view_presenter(&auth, &id).await?)))
}

/// How a presenter is taken away.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct WithdrawAsk {
    /// What becomes of uploaded files that takes were begun from: `delete` (the default) or `keep`
    originals: Option<String>,
}

impl WithdrawAsk {
    fn keeps(&self) -> Result<bool, Refusal> {
        match self.originals.as_deref() {
            None | Some("delete") => Ok(false),
            Some("keep") => Ok(true),
            Some(_) => Err(Refusal::field("originals", "must be `delete` or `keep`")),
        }
    }
}

/// Take a presenter of footage away
///
/// With its takes, its consent, what was made of them, and all pictures of it that are kept for later films. Exports that
/// show it end. The answer names the films that were made with it: they stay until their projects are deleted. Uploaded files that
/// takes were begun from (`assetId`) go too, but for those that projects or other presenters use; the answer says which stay.
#[utoipa::path(delete, operation_id = "withdrawAvatar", path = "/api/odin/v3/avatars/{id}", tag = "avatars",
    params(("id" = String, Path, description = "Id of the presenter"), WithdrawAsk),
    responses((status = 200, description = "Done", body = Enveloped<AvatarWithdrawn>), Failures))]
async fn withdraw(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(id): Id,
    Query(asked): Query<WithdrawAsk>,
) -> Result<Data<AvatarWithdrawn>, ApiError> {
    Ok(Data(office.withdraw_presenter(&auth, &id, asked.keeps()?).await?.into()))
}

/// What a request with or without a file says.
struct Sent {
    form: Form,
    /// The fields of the form, or a JSON object.
    fields: Value,
}

/// A form with a file, or a JSON object that names one.
async fn sent(office: &Office, request: Request) -> Result<Sent, ApiError> {
    let mut form = multipart::read(request, &office.arrivals(), office.settings.limits.asset).await?;
    let mut fields = json!(form.fields);
    if form.fields.is_empty()
        && let Some(file) = &form.file
        && file.size < (1 << 16)
    {
        let bytes = std::fs::read(file.file.path()).map_err(ApiError::internal)?;
        if bytes.trim_ascii_start().starts_with(b"{") {
            fields = match json::parsed::<Value>(office, &bytes.into()).await {
                Err(Unread::Wrong(_)) => {
                    return Err(ApiError::bad_request("the body is no JSON; send a JSON object or a form"));
                }
                read => read?,
            };
            form.file = None;
        }
    }
    Ok(Sent { form, fields })
}

/// Send a take
///
/// A form with `file` and `prompt` (the number of a line, `idle` for silence, `talk` for free talk, `photo` or `model`) or `text` (what is said); or JSON with
/// `assetId` of an uploaded file instead of the file. A take for the same line takes the place of the one before.
#[utoipa::path(post, operation_id = "sendTake", path = "/api/odin/v3/avatars/{id}/takes", tag = "avatars",
    request_body(content = TakeUpload, content_type = "multipart/form-data"),
    params(("id" = String, Path, description = "Id of the presenter"), ("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<TakeItem>), Failures))]
async fn take(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(id): Id,
    once: Once,
    request: Request,
) -> Result<Response, ApiError> {
    let Sent { form, fields } = sent(&office, request).await?;
    let print = [once.print_of(&form).await?, fields.to_string().into_bytes()].concat();
    once.run(&office, &auth, &print, {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let kept = match (form.file, fields["assetId"].as_str(), fields["name"].as_str()) {
                (Some(upload), _, _) => office.add_take(&auth, &id, TakeOf::read(&fields)?, upload).await?,
                (None, Some(asset), _) => office.take_of_upload(&auth, &id, TakeOf::read(&fields)?, asset).await?,
                (None, None, Some(name)) => {
                    office.say_take(&auth, &id, name, fields["text"].as_str().unwrap_or_default()).await?
                }
                (None, None, None) => {
                    let what = "is missing: send a form with a field `file`, or JSON with `assetId`";
                    return Err(ApiError::field("file", what));
                }
            };
            office.queue_whole(&auth, &id).await?;
            Ok(Data(TakeItem::of(&kept, &[])).into_response())
        }
    })
    .await
}

/// Take a take away
#[utoipa::path(delete, operation_id = "deleteTake", path = "/api/odin/v3/avatars/{id}/takes/{name}", tag = "avatars",
    params(("id" = String, Path, description = "Id of the presenter"), ("name" = String, Path, description = "Of the take")),
    responses((status = 200, description = "Done", body = Enveloped<Deleted>), Failures))]
async fn drop_take(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Path((id, name)): Path<(String, String)>,
) -> Result<Data<Deleted>, ApiError> {
    office.drop_take(&auth, checked(&id)?, &name).await?;
    Ok(Data(Deleted { deleted_count: 1 }))
}

/// Give out the text of consent, or send its recording; or state a model's licence
///
/// Of a model, JSON with `licensedBy` states that it may be shown. What its file forbids is refused whatever is stated. Else
/// JSON with `person` and `purpose` gives out a text with six random words, and `consent.withdrawalLink`, which belongs to the
/// person: with it they take the presenter away without an account. It is told this once, and a repetition of the request has
/// none. A form (`multipart/form-data`) with `file`, or JSON with `assetId`, is the recording of the person who reads the text.
#[utoipa::path(post, operation_id = "consentToAvatar", path = "/api/odin/v3/avatars/{id}/consent", tag = "avatars",
    request_body = ConsentAsk,
    params(("id" = String, Path, description = "Id of the presenter"), ("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<AvatarRecord>), Failures))]
async fn consent(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(id): Id,
    once: Once,
    request: Request,
) -> Result<Response, ApiError> {
    let Sent { form, fields } = sent(&office, request).await?;
    let print = [once.print_of(&form).await?, fields.to_string().into_bytes()].concat();
    let gives_out = form.file.is_none() && fields["assetId"].as_str().is_none();
    let work = consented((Arc::clone(&office), auth.clone()), id.clone(), form, fields);
    if !gives_out {
        return once.run(&office, &auth, &print, work).await;
    }
    let again = async { Ok(Data(AvatarRecord::from(office.view_presenter(&auth, &id).await?)).into_response()) };
    once.run_secret(&office, &auth, &print, work, again).await
}

async fn consented(
    (office, auth): (Arc<Office>, Auth),
    id: String,
    form: Form,
    fields: Value,
) -> Result<Response, ApiError> {
    let link = match (form.file, fields["assetId"].as_str()) {
        (Some(upload), _) => office.add_take(&auth, &id, TakeOf::Consent, upload).await.map(|_| None)?,
        (None, Some(asset)) => office.take_of_upload(&auth, &id, TakeOf::Consent, asset).await.map(|_| None)?,
        (None, None) => office.ask_consent(&auth, &id, &fields).await?,
    };
    office.queue_whole(&auth, &id).await?;
    let told = AvatarRecord::from(office.view_presenter(&auth, &id).await?);
    Ok(Data(told.with_link(link)).into_response())
}

/// How a presenter is made.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct BuildAsk {
    /// `auto`, `cut` or `keep`, in place of what it was begun with
    background: Option<String>,
}

/// Make the presenter of its footage
///
/// It waits for its turn, one of an account at a time. Read it to follow; then an operator looks at consent and takes.
#[utoipa::path(post, operation_id = "buildAvatar", path = "/api/odin/v3/avatars/{id}/build", tag = "avatars",
    params(("id" = String, Path, description = "Id of the presenter"), BuildAsk),
    responses((status = 200, description = "Done", body = Enveloped<AvatarRecord>), Failures))]
async fn build(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(id): Id,
    Query(asked): Query<BuildAsk>,
) -> Result<Data<AvatarRecord>, ApiError> {
    if let Some(background) = &asked.background {
        office.choose_background(&auth, &id, background).await?;
    }
    let queued = office.build_presenter(&auth, &id).await?;
    Ok(Data(told(&office, &auth, &queued).await?))
}

/// End that
///
/// The takes stay.
#[utoipa::path(delete, operation_id = "cancelAvatarBuild", path = "/api/odin/v3/avatars/{id}/build", tag = "avatars",
    params(("id" = String, Path, description = "Id of the presenter")),
    responses((status = 200, description = "Done", body = Enveloped<BuildEnded>), Failures))]
async fn cancel(State(office): State<Arc<Office>>, auth: Auth, Id(id): Id) -> Result<Data<BuildEnded>, ApiError> {
    Ok(Data(BuildEnded { cancelled: office.cancel_presenter(&auth, &id).await? }))
}

/// A presenter of footage, as a picture
#[utoipa::path(get, operation_id = "avatarPortrait", path = "/api/odin/v3/avatars/{id}/portrait", tag = "avatars",
    params(("id" = String, Path, description = "Id of the presenter")),
    responses((status = 200, description = "The picture", body = String, content_type = "image/jpeg"),
        (status = 304, description = "Not changed"), Failures))]
async fn portrait(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Path(id): Path<String>,
    headers: axum::http::HeaderMap,
) -> Result<Response, ApiError> {
    let (bytes, media_type) = office.own_portrait(&auth, &id).await?;
    cached(&headers, ([(header::CONTENT_TYPE, media_type)], bytes).into_response()).await
}
