//! Films made of less than scenes, and the paths of the vendor's catalogue that nothing stands behind here.
//!
//! What works is in the OpenAPI document; what clients of AI Studios may ask for and nobody here does is answered by name,
//! and `docs/compatibility.md` says what each does.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use compere_office::{Accepted, Office, Uploaded};
use compere_store::{Project, ProjectKind};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answers::{
    AutomationProgress, Created, CustomMade, Data, Deleted, Enveloped, Look, MadeUp, PaperKept, PapersKept,
    SpokenAnswer, StoryMade, TemplateItem, TextWritten, Warned,
};
use super::body::Body;
use super::error::{ApiError, Kind};
use super::extract::{Id, Nothing, Path, Query, checked};
use super::gate::Auth;
use super::multipart;
use super::once::Once;
use super::projects::{created, wanted};
use super::schema::{
    DocsToVideo, DocumentUpload, Failures, FromTemplate, ImageGenerator, ModifyProject, NewTemplate, ScriptsToVideo,
    SimpleCustom, TextGenerator, TopicToVideo, UrlToVideo, VideoGenerator, VoiceGenerator,
};
use crate::http::json::{self, Unread};
use compere_house::settings::Megabytes;

const ROOT: &str = "/api/odin/v3";
/// Documents in one upload.
const PAPERS: usize = 10;

/// What this service does not do, and what does instead.
pub const ELSEWHERE: [(&str, &str); 2] = [
    ("/automation/translatevideos", "films are made in each language from its own script"),
    ("/avatars/voiceclone", "GET /api/odin/v3/voices lists the voices; none is made of somebody's recording"),
];

/// Of the interactive avatars, whose paths begin otherwise.
const STREAMS: &str = "it makes films, and nobody here talks with whoever watches";

/// Ways to say the same as a documented path.
const MODIFY_TOO: [&str; 3] = ["/project/modify", "/editor/template/modify", "/template/modify"];

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new()
        .routes(routes!(scripts))
        .routes(routes!(topic))
        .routes(routes!(page))
        .routes(routes!(upload_papers))
        .routes(routes!(papers))
        .routes(routes!(written))
        .routes(routes!(painted))
        .routes(routes!(filmed))
        .routes(routes!(progress))
        .routes(routes!(progress_of))
        .routes(routes!(template))
        .routes(routes!(modify))
        .routes(routes!(templates, add_template))
        .routes(routes!(drop_template))
        .routes(routes!(looks))
        .routes(routes!(custom))
        .routes(routes!(voice))
}

/// What is there for clients that were written for AI Studios, and is not described.
pub fn by_other_names() -> Router<Arc<Office>> {
    let mut router = Router::new();
    for path in MODIFY_TOO {
        router = router.route(&format!("{ROOT}{path}"), post(modify));
    }
    for (path, instead) in ELSEWHERE {
        router = router.route(&format!("{ROOT}{path}"), any(async move |_: Auth| elsewhere(instead)));
    }
    // Its clients ask for a token of their own first, so nobody is asked for one here.
    for path in ["/api/v2/sessions", "/api/v2/sessions/{*rest}"] {
        router = router.route(path, any(async || elsewhere(STREAMS)));
    }
    router
        .route(&format!("{ROOT}/editor/template/{{id}}"), get(template))
        .route(&format!("{ROOT}/dropdown/templates_automation"), get(looks).post(looks))
}

fn elsewhere(instead: &str) -> ApiError {
    ApiError::new(Kind::PlanRequired, format!("this service does not do that: {instead}"))
}

/// A project of a text
///
/// Headings become titles, lists become points, paragraphs are said as they stand; with `scriptOption: "ai"` a language
/// model says them better first, where the operator has named one (else 4031). Nothing is exported yet.
#[utoipa::path(post, operation_id = "storyboardText", path = "/api/odin/v3/automation/scripts_to_video", tag = "stories",
    request_body = ScriptsToVideo, params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<StoryMade>), Failures))]
async fn scripts(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move { Ok(story(office.film_of_text(&auth, &body.json).await?)) }
    })
    .await
}

/// A project about a topic
///
/// A language model writes what is said, where the operator has named one; else 4031. Nothing is exported yet.
#[utoipa::path(post, operation_id = "storyboardTopic", path = "/api/odin/v3/automation/topic_to_video", tag = "stories",
    request_body = TopicToVideo, params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<StoryMade>), Failures))]
async fn topic(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move { Ok(story(office.film_of_topic(&auth, &body.json).await?)) }
    })
    .await
}

/// A project that tells what a page says
///
/// The page is fetched by the rules for every link. A language model writes what is said, where the operator has named
/// one; else 4031. Nothing is exported yet.
#[utoipa::path(post, operation_id = "storyboardPage", path = "/api/odin/v3/automation/url_to_video", tag = "stories",
    request_body = UrlToVideo, params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<StoryMade>), Failures))]
async fn page(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move { Ok(story(office.film_of_page(&auth, &body.json).await?)) }
    })
    .await
}

/// Upload documents that a film is to be made of
///
/// A form with `files`: PDF, PPT, PPTX, DOCX, or plain text with or without headings and lists. They are kept for a day.
#[utoipa::path(post, operation_id = "uploadDocuments", path = "/api/odin/v3/automation/docs-to-video/upload-files", tag = "stories",
    request_body(content = DocumentUpload, content_type = "multipart/form-data"),
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<PapersKept>), Failures))]
async fn upload_papers(
    State(office): State<Arc<Office>>,
    auth: Auth,
    once: Once,
    request: axum::extract::Request,
) -> Result<Response, ApiError> {
    let form = multipart::read_several(request, &office.arrivals(), office.settings.limits.document, PAPERS).await?;
    let print = once.print_of(&form).await?;
    once.run(&office, &auth, &print, {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let mut upload_results = Vec::new();
            for upload in form.file.into_iter().chain(form.more) {
                let ending = upload.name.rsplit_once('.').map_or("txt", |(_, ending)| ending).to_ascii_lowercase();
                let kept = office.keep_paper(&auth, upload).await?;
                upload_results.push(PaperKept { uri: format!("{}.{ending}", kept.id), file_name: kept.name });
            }
            if upload_results.is_empty() {
                return Err(ApiError::field("files", "is missing: send a form with a field `files`"));
            }
            Ok(Data(PapersKept { upload_results }).into_response())
        }
    })
    .await
}

/// A project of uploaded documents
///
/// A presentation becomes a scene for each slide, whose notes are said; texts and Word documents become a storyboard, with
/// headings, lists and pictures as they stand. The answer comes before
/// the project is there: `automation/progress` says how far it is. Nothing is exported yet.
#[utoipa::path(post, operation_id = "storyboardDocuments", path = "/api/odin/v3/automation/docs-to-video", tag = "stories",
    request_body = DocsToVideo, params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<StoryMade>), Failures))]
async fn papers(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move { Ok(story(office.film_of_papers(&auth, &body.json).await?)) }
    })
    .await
}

/// A text about a topic
///
/// As a presenter would say it. A language model writes it, where the operator has named one; else 4031.
#[utoipa::path(post, operation_id = "generateText", path = "/api/odin/v3/tools/text-generator", tag = "stories",
    request_body = TextGenerator, params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<TextWritten>), Failures))]
async fn written(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let script = office.text_of_topic(&auth, &body.json).await?;
            Ok(Data(TextWritten { script }).into_response())
        }
    })
    .await
}

/// A picture of a topic
///
/// An image model makes it, where the operator has named one; else 4031. It is kept for some days: fetch it, or link it in
/// a film.
#[utoipa::path(post, operation_id = "generateImage", path = "/api/odin/v3/tools/image-generator", tag = "stories",
    request_body = ImageGenerator, params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<MadeUp>), Failures))]
async fn painted(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move { Ok(made_up(&office, &office.paint(&auth, &body.json).await?)) }
    })
    .await
}

/// A short film of a topic
///
/// A video model makes it, where the operator has named one; else 4031. It is kept for some days: fetch it, or link it in
/// a film.
#[utoipa::path(post, operation_id = "generateVideo", path = "/api/odin/v3/tools/video-generator", tag = "stories",
    request_body = VideoGenerator, params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<MadeUp>), Failures))]
async fn filmed(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move { Ok(made_up(&office, &office.film_scenery(&auth, &body.json).await?)) }
    })
    .await
}

fn made_up(office: &Office, made: &Uploaded) -> Response {
    Data(MadeUp::of(office, &made.asset)).into_response()
}

fn story(told: Accepted) -> Response {
    let warnings = told.warnings.iter().map(Warned::from).collect();
    let id = told.project.id;
    Data(StoryMade { project_id: id.clone(), automation_job_id: id, warnings }).into_response()
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct Asked {
    /// Id of the project
    #[serde(rename = "projectId")]
    project_id: Option<String>,
}

/// How far a storyboard is
#[utoipa::path(get, operation_id = "readStoryboardProgress", path = "/api/odin/v3/automation/progress", tag = "stories",
    params(Asked), responses((status = 200, description = "Done", body = Enveloped<AutomationProgress>), Failures))]
async fn progress(
    state: State<Arc<Office>>,
    auth: Auth,
    Query(asked): Query<Asked>,
) -> Result<Data<AutomationProgress>, ApiError> {
    let missing = || ApiError::field("projectId", "must be the id of a project");
    let id = asked.project_id.ok_or_else(missing)?;
    checked(&id)?;
    progress_of(state, auth, Id(id)).await
}

/// How far a storyboard is, by its id
///
/// What a text becomes is there as soon as its request is answered; a presentation is read slide by slide.
#[utoipa::path(get, operation_id = "readStoryboardProgressOf", path = "/api/odin/v3/automation/progress/{id}", tag = "stories",
    params(("id" = String, Path, description = "Id of the project")),
    responses((status = 200, description = "Done", body = Enveloped<AutomationProgress>), Failures))]
async fn progress_of(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Id(id): Id,
) -> Result<Data<AutomationProgress>, ApiError> {
    let project = office.project(&auth, &id).await?;
    let (word, progress) = match compere_office::State::of(&project) {
        compere_office::State::Importing { percent } => ("processing", percent.clamp(0.0, 99.0) as i64),
        compere_office::State::ImportFailed { kind, reason } => return Err(ApiError::new(kind, reason)),
        _ => ("finish", 100),
    };
    Ok(Data(AutomationProgress { state: word.into(), progress, project_id: project.id }))
}

/// Of the names for a template, as JSON or as a form.
const NAMES: Megabytes = Megabytes(1);

/// A copy of a project
///
/// With another name or another presenter. What is to be other comes as JSON, as a form or in the query. Nothing is
/// exported yet.
#[utoipa::path(post, operation_id = "createFromTemplate", path = "/api/odin/v3/editor/template/{id}", tag = "stories",
    request_body = FromTemplate, params(("id" = String, Path, description = "Id of the project that serves as a template"),
        ("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<Created>), Failures))]
async fn template(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Path(id): Path<String>,
    Query(query): Query<std::collections::BTreeMap<String, String>>,
    once: Once,
    request: axum::extract::Request,
) -> Result<Response, ApiError> {
    if LOOKS.iter().any(|(look, _)| *look == id) {
        let hint = "is how films made of texts may look: `templateId` in the `options` of `automation/…`. Here goes the id of a project";
        return Err(ApiError::field("id", format!("`{id}` {hint}")));
    }
    checked(&id)?;
    let bytes = super::body::read(request, office.settings.limits.body.min(NAMES), "names").await?;
    let read = match json::parsed::<Value>(&office, &bytes).await {
        Err(Unread::Wrong(_)) => Value::Null,
        read => read?,
    };
    let mut request = if read.is_object() { read } else { json!({}) };
    let form = String::from_utf8_lossy(&bytes);
    if !form.trim_start().starts_with('{') {
        for (key, value) in url::form_urlencoded::parse(form.as_bytes()) {
            request[key.as_ref()] = json!(value);
        }
    }
    for (key, value) in query {
        request[key.as_str()] = json!(value);
    }
    let print = request.to_string();
    once.run(&office, &auth, print.as_bytes(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move { Ok(Data(created(&office.from_template(&auth, &id, &request).await?)).into_response()) }
    })
    .await
}

/// Change a project by its tags
///
/// `title` is the first clip with that tag, `title_2` the third, `scripts_1` what is said in the second scene. With
/// `templateId` instead of `projectId` a copy is changed. Exported only when `isExport` is true.
#[utoipa::path(post, operation_id = "modifyProject", path = "/api/odin/v3/editor/project/modify", tag = "stories",
    request_body = ModifyProject, params(("Idempotency-Key" = Option<String>, Header),
        ("If-Match" = Option<String>, Header, description = "The ETag of the project as it was read; when it is newer, nothing is changed")),
    responses((status = 200, description = "Done", body = Enveloped<Created>), Failures))]
async fn modify(
    State(office): State<Arc<Office>>,
    auth: Auth,
    once: Once,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let wanted = wanted(&headers)?;
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            for key in ["projectId", "templateId"] {
                if let Some(id) = body.json[key].as_str().filter(|id| !id.is_empty()) {
                    checked(id)?;
                }
            }
            Ok(Data(created(&office.modify(&auth, &body.json, wanted).await?)).into_response())
        }
    })
    .await
}

/// Projects that others are made of
#[utoipa::path(get, operation_id = "listTemplates", path = "/api/odin/v3/templates", tag = "stories",
    responses((status = 200, description = "Done", body = Enveloped<Vec<TemplateItem>>), Failures))]
async fn templates(
    State(office): State<Arc<Office>>,
    auth: Auth,
    _: Query<Nothing>,
) -> Result<Data<Vec<TemplateItem>>, ApiError> {
    let all = office.templates(&auth).await?;
    Ok(Data(all.iter().map(|project| template_item(&office, project)).collect()))
}

/// Call a project a template
///
/// It stays the project it is, and is listed under `templates`. `editor/template/{id}` makes others of it.
#[utoipa::path(post, operation_id = "addTemplate", path = "/api/odin/v3/templates", tag = "stories",
    request_body = NewTemplate, params(("Idempotency-Key" = Option<String>, Header)), responses((status = 200, description = "Done", body = Enveloped<TemplateItem>), Failures))]
async fn add_template(
    State(office): State<Arc<Office>>,
    auth: Auth,
    once: Once,
    body: Body,
) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let id = match &body.json["projectId"] {
                Value::String(id) if !id.is_empty() => checked(id)?,
                _ => return Err(ApiError::field("projectId", "must be the id of a project")),
            };
            if let Some(other) = body.json.as_object().and_then(|body| body.keys().find(|key| *key != "projectId")) {
                return Err(ApiError::field(other, "is not known here; a template is called as its project is"));
            }
            let project = office.mark_template(&auth, id, true).await?;
            Ok(Data(template_item(&office, &project)).into_response())
        }
    })
    .await
}

/// Call a project a template no longer
///
/// The project stays.
#[utoipa::path(delete, operation_id = "dropTemplate", path = "/api/odin/v3/templates/{id}", tag = "stories",
    params(("id" = String, Path, description = "Id of the project")),
    responses((status = 200, description = "Done", body = Enveloped<Deleted>), Failures))]
async fn drop_template(State(office): State<Arc<Office>>, auth: Auth, Id(id): Id) -> Result<Data<Deleted>, ApiError> {
    office.mark_template(&auth, &id, false).await?;
    Ok(Data(Deleted { deleted_count: 1 }))
}

fn template_item(office: &Office, project: &Project) -> TemplateItem {
    TemplateItem {
        id: project.id.clone(),
        name: project.name.clone(),
        orientation: project.orientation,
        scene_count: project.scene_count,
        thumbnail_url: office.progress(project).poster,
    }
}

/// What clients of the vendor ask its lists of templates; the looks here fit all of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LooksAsked {
    #[serde(rename = "category")]
    _category: Option<String>,
    #[serde(rename = "orientation")]
    _orientation: Option<String>,
    #[serde(rename = "fileBackground")]
    _file_background: Option<String>,
}

/// How films made of texts may look
///
/// `templateId` of their options takes the ids.
#[utoipa::path(get, operation_id = "listLooks", path = "/api/odin/v3/dropdown/templates_business", tag = "stories",
    responses((status = 200, description = "Done", body = Enveloped<Vec<Look>>), Failures))]
async fn looks(_: Auth, _: Query<LooksAsked>) -> Data<Vec<Look>> {
    Data(LOOKS.map(|(id, name)| Look { id, name, thumbnail_url: None }).into())
}

const LOOKS: [(&str, &str); 3] = [("business", "Business"), ("education", "Education"), ("social", "Social")];

/// A presenter alone on chroma green, in the first outfit unless another is named
#[utoipa::path(post, operation_id = "simpleCustom", path = "/api/odin/v3/simple/custom", tag = "simple",
    request_body = SimpleCustom, params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<CustomMade>), Failures))]
async fn custom(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let mut request = body.json.clone();
            let outfit = request["model"].as_str().and_then(|model| office.first_outfit(&auth, model));
            if request["clothes"].is_null() {
                request["clothes"] = json!(outfit);
            }
            let made = office.create_simple(&auth, &request, ProjectKind::SimpleVideo, true).await?;
            let warnings = made.warnings.iter().map(Warned::from).collect();
            let task_id = made.project.export.map(|export| export.id);
            Ok(Data(CustomMade { project_id: made.project.id, task_id, warnings }).into_response())
        }
    })
    .await
}

/// A text spoken by a voice alone
#[utoipa::path(post, operation_id = "generateVoice", path = "/api/odin/v3/tools/voice-generator", tag = "simple",
    request_body = VoiceGenerator, params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "Done", body = Enveloped<SpokenAnswer>), Failures))]
async fn voice(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move { Ok(Data(SpokenAnswer::of(&office, office.speak_as(&auth, &body.json).await?)).into_response()) }
    })
    .await
}
