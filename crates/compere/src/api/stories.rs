//! Films made of less than scenes, and the paths of the vendor's catalogue that nothing stands behind here.
//!
//! These paths are not in the OpenAPI document: they are there for clients that were written for AI Studios, and
//! `docs/compatibility.md` says what each does.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use compere_office::Office;
use compere_store::ProjectKind;
use serde_json::{Value, json};

use super::answer::Data;
use super::body::Body;
use super::error::{ApiError, Kind};
use super::extract::{Path, Query};
use super::gate::Auth;
use super::once::Once;
use crate::http::json::{self, Unread};
use compere_house::settings::Megabytes;

const ROOT: &str = "/api/odin/v3";

/// What this service does not do, and what does instead.
pub const ELSEWHERE: [(&str, &str); 12] = [
    ("/automation/docs-to-video", "documents become films by POST /api/odin/v3/editor/project/pptpdf"),
    ("/automation/docs-to-video/upload-files", "documents become films by POST /api/odin/v3/editor/project/pptpdf"),
    ("/automation/topic_to_video", "send what is to be said to POST /api/odin/v3/automation/scripts_to_video"),
    ("/automation/url_to_video", "send the text of the page to POST /api/odin/v3/automation/scripts_to_video"),
    ("/automation/translatevideos", "films are made in each language from its own script"),
    ("/tools/text-generator", "texts are not written here"),
    ("/tools/image-generator", "upload pictures with POST /api/odin/v3/assets"),
    ("/tools/video-generator", "upload videos with POST /api/odin/v3/assets"),
    ("/tools/voice-generator", "texts are spoken by POST /api/odin/v3/simple/audio"),
    ("/avatars/customavatar", "GET /api/odin/v3/model lists who presents"),
    ("/avatars/dreamavatar", "GET /api/odin/v3/model lists who presents"),
    ("/avatars/voiceclone", "GET /api/odin/v3/voices lists the voices; none is made of somebody's recording"),
];

pub fn router() -> Router<Arc<Office>> {
    let mut router = Router::new();
    for path in ["/editor/project/modify", "/project/modify", "/editor/template/modify", "/template/modify"] {
        router = router.route(&format!("{ROOT}{path}"), post(modify));
    }
    for (path, instead) in ELSEWHERE {
        router = router.route(&format!("{ROOT}{path}"), any(async move |_: Auth| elsewhere(instead)));
    }
    router
        .route(&format!("{ROOT}/automation/scripts_to_video"), post(scripts))
        .route(&format!("{ROOT}/automation/progress"), get(progress))
        .route(&format!("{ROOT}/automation/progress/{{id}}"), get(progress_of))
        .route(&format!("{ROOT}/editor/template/{{id}}"), post(template).get(template))
        .route(&format!("{ROOT}/dropdown/templates_business"), get(looks))
        .route(&format!("{ROOT}/dropdown/templates_automation"), get(looks).post(looks))
        .route(&format!("{ROOT}/simple/custom"), post(custom))
}

fn elsewhere(instead: &str) -> ApiError {
    ApiError::new(Kind::PlanRequired, format!("this service does not do that: {instead}"))
}

async fn scripts(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let told = office.film_of_text(&auth, &body.json).await?;
            let id = told.project.id;
            Ok(Data(json!({ "projectId": id, "automationJobId": id, "warnings": told.warnings })).into_response())
        }
    })
    .await
}

#[derive(Debug, serde::Deserialize)]
struct Asked {
    #[serde(rename = "projectId")]
    project_id: Option<String>,
}

async fn progress(state: State<Arc<Office>>, auth: Auth, Query(asked): Query<Asked>) -> Result<Data, ApiError> {
    let missing = || ApiError::field("projectId", "must be the id of a project");
    progress_of(state, auth, Path(asked.project_id.ok_or_else(missing)?)).await
}

/// What a text becomes is there as soon as its request is answered.
async fn progress_of(State(office): State<Arc<Office>>, auth: Auth, Path(id): Path<String>) -> Result<Data, ApiError> {
    let project = office.project(&auth, &id).await?;
    Ok(Data(json!({ "state": "finish", "progress": 100, "projectId": project.id })))
}

/// Of the names for a template, as JSON or as a form.
const NAMES: Megabytes = Megabytes(1);

/// The names come as JSON, as a form or in the query.
async fn template(
    State(office): State<Arc<Office>>,
    auth: Auth,
    Path(id): Path<String>,
    Query(query): Query<std::collections::BTreeMap<String, String>>,
    request: axum::extract::Request,
) -> Result<Data, ApiError> {
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
    let made = office.from_template(&auth, &id, &request).await?;
    Ok(Data(json!({ "projectId": made.project.id, "warnings": made.warnings })))
}

async fn modify(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let changed = office.modify(&auth, &body.json).await?;
            Ok(Data(json!({ "projectId": changed.project.id, "warnings": changed.warnings })).into_response())
        }
    })
    .await
}

/// How films made of texts may look; `templateId` of their options takes the ids.
async fn looks(_: Auth) -> Data {
    let looks = [("business", "Business"), ("education", "Education"), ("social", "Social")];
    Data(looks.map(|(id, name)| json!({ "id": id, "name": name, "thumbnailUrl": null })).into_iter().collect())
}

/// A presenter alone, by the id of one that may be the account's own.
async fn custom(State(office): State<Arc<Office>>, auth: Auth, once: Once, body: Body) -> Result<Response, ApiError> {
    once.run(&office, &auth, &body.bytes.clone(), {
        let (office, auth) = (Arc::clone(&office), auth.clone());
        async move {
            let mut request = body.json.clone();
            let outfit = request["model"].as_str().and_then(|model| office.first_outfit(model));
            if request["clothes"].is_null() {
                request["clothes"] = json!(outfit);
            }
            let project = office.create_simple(&auth, &request, ProjectKind::SimpleVideo, true).await?;
            let task = project.export.as_ref().map(|export| export.id.clone());
            Ok(Data(json!({ "projectId": project.id, "taskId": task })).into_response())
        }
    })
    .await
}
