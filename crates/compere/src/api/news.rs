//! What receivers of webhooks get, in the words of the OpenAPI document. What is sent is written by `serve::herald` and
//! `compere_store::news_of`; the tests of the service hold what arrives to these.
#![expect(dead_code, reason = "the fields are read by the macro that describes them")]

use compere_store::Occasion;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::answers::StateWord;

/// An export has begun, has ended without a film, or was cancelled.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportNews {
    /// `export.started`, `export.failed` or `export.cancelled`
    event: String,
    project_id: String,
    /// Of the export
    backend_task_id: String,
    #[schema(required)]
    callback_id: Option<String>,
    state: StateWord,
    progress: f64,
    /// Of one that failed: 0
    credit: Option<i64>,
    /// Of one that failed
    error: Option<NewsError>,
    /// It was ordered with a test key
    test: Option<bool>,
}

/// A film is there.
#[derive(ToSchema)]
pub struct FilmNews {
    /// `export.completed`
    event: String,
    #[serde(rename = "projectId")]
    project_id: String,
    /// Of the export
    #[serde(rename = "backendTaskId")]
    backend_task_id: String,
    #[serde(rename = "callbackId")]
    #[schema(required)]
    callback_id: Option<String>,
    /// 100
    progress: i64,
    /// What it cost
    credit: i64,
    /// Works without a token, for days
    download_url: String,
    /// The same
    #[serde(rename = "videoUrl")]
    video_url: String,
    /// Seconds
    duration: f64,
    ai_progress_update_loc: String,
    #[serde(rename = "captionsUrl")]
    #[schema(required)]
    captions_url: Option<String>,
    #[serde(rename = "chaptersUrl")]
    #[schema(required)]
    chapters_url: Option<String>,
    #[serde(rename = "thumbnailUrl")]
    #[schema(required)]
    thumbnail_url: Option<String>,
    /// It was ordered with a test key
    test: Option<bool>,
}

/// A document became a project, or did not.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportNews {
    /// `import.completed` or `import.failed`
    event: String,
    project_id: String,
    /// Of one that failed
    error: Option<NewsError>,
}

/// Somebody wants to know whether the receiver hears.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PingNews {
    /// `ping`
    event: String,
    endpoint_id: String,
    /// Milliseconds since 1970
    at: i64,
}

#[derive(ToSchema)]
pub struct NewsError {
    /// One of the table of failures
    code: i64,
    msg: String,
}

/// The section of the document.
pub fn webhooks() -> Value {
    let schema = |event: Occasion| match event {
        Occasion::Completed => "FilmNews",
        Occasion::Started | Occasion::Failed | Occasion::Cancelled => "ExportNews",
        Occasion::Imported | Occasion::ImportFailed => "ImportNews",
        Occasion::Ping => "PingNews",
    };
    Occasion::ALL.iter().map(|event| (event.to_string(), webhook(*event, schema(*event)))).collect()
}

fn webhook(event: Occasion, schema: &str) -> Value {
    let (operation, says) = match event {
        Occasion::Started => ("onExportStarted", "An export has begun"),
        Occasion::Completed => ("onExportCompleted", "A film is there"),
        Occasion::Failed => ("onExportFailed", "An export has ended without a film; nothing was charged"),
        Occasion::Cancelled => ("onExportCancelled", "An export was cancelled; nothing was charged"),
        Occasion::Imported => ("onImportCompleted", "A document became a project"),
        Occasion::ImportFailed => ("onImportFailed", "No project could be made of a document"),
        Occasion::Ping => ("onPing", "Somebody wants to know whether the receiver hears"),
    };
    let header = |name: &str, says: &str| json!({"name": name, "in": "header", "required": true, "description": says, "schema": {"type": "string"}});
    json!({ "post": {
        "operationId": operation, "tags": ["webhooks"], "summary": says, "security": [],
        "parameters": [
            header("webhook-id", "The same on every try"),
            header("webhook-timestamp", "Seconds since 1970, of this try"),
            header("webhook-signature", "`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64, with the secret of the \
                endpoint (of the account, where the export named the address), as Standard Webhooks have it. Several, \
                divided by spaces, while secrets change over"),
        ],
        "requestBody": {"required": true, "content": {"application/json": {
            "schema": {"$ref": format!("#/components/schemas/{schema}")}}}},
        "responses": {
            "2XX": {"description": "It arrived"},
            "410": {"description": "No more of these: the endpoint is disabled"},
            "default": {"description": "It is tried again for three days, a ping is not"},
        },
    } })
}
