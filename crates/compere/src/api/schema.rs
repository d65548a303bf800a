//! The words of the OpenAPI document.
//!
//! Bodies are read by `compere-scene`, which says more about what is wrong than a deserializer could; these types
//! only describe them. A test posts every example.
#![expect(dead_code, reason = "the fields are read by the macro that describes them")]

use serde_json::Value;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, SecurityRequirement};
use utoipa::{IntoResponses, ToSchema};

/// The document's head; routes add themselves.
pub fn document() -> OpenApi {
    let token = ApiKey::Header(ApiKeyValue::with_description(
        "Authorization",
        "The token from /api/odin/v3/auth/token, bare or after `Bearer `.",
    ));
    OpenApiBuilder::new()
        .info(
            InfoBuilder::new()
                .title("Compere")
                .version(env!("CARGO_PKG_VERSION"))
                .description(Some(
                    "Films with a presenter, from JSON. Every answer is `{\"success\": true, \"data\": …}` or \
                     `{\"success\": false, \"error\": {\"code\", \"msg\", \"name\", \"details\", \"requestId\"}}`.",
                ))
                .license(Some(LicenseBuilder::new().name("MIT OR Apache-2.0").build()))
                .build(),
        )
        .components(Some(ComponentsBuilder::new().security_scheme("token", SecurityScheme::ApiKey(token)).build()))
        .security(Some([SecurityRequirement::new("token", Vec::<String>::new())]))
        .build()
}

/// Success.
#[derive(ToSchema)]
pub struct Enveloped<T> {
    /// Always true
    pub success: bool,
    pub data: T,
}

/// Failure.
#[derive(ToSchema)]
pub struct Failure {
    /// Always false
    success: bool,
    error: ErrorBody,
}

#[derive(ToSchema)]
pub struct ErrorBody {
    /// A number of the table in docs/api.md
    #[schema(example = 4001)]
    code: i64,
    /// What was wrong and what would be right
    msg: String,
    #[schema(example = "invalid_body")]
    name: String,
    /// All problems, each with its place
    details: Vec<Detail>,
    #[serde(rename = "requestId")]
    request_id: String,
}

#[derive(ToSchema)]
pub struct Detail {
    #[schema(example = "scenes[2].clips[0].width")]
    path: String,
    msg: String,
}

/// How a request may fail.
#[derive(IntoResponses)]
pub enum Failures {
    /// The body or the path is not understood (4000), or says something that cannot be (4001 to 4006)
    #[response(status = 400)]
    BadRequest(#[to_schema] Failure),
    /// No token, an unknown or an expired one (4010, 4011), or a wrong key pair (4012)
    #[response(status = 401)]
    Unauthorized(#[to_schema] Failure),
    /// Not enough credits (4020)
    #[response(status = 402)]
    Credits(#[to_schema] Failure),
    /// Not allowed (4030), or not with this plan (4031)
    #[response(status = 403)]
    Forbidden(#[to_schema] Failure),
    /// Unknown, or not yours (4040)
    #[response(status = 404)]
    NotFound(#[to_schema] Failure),
    /// The path does not answer to this method (4050)
    #[response(status = 405)]
    Method(#[to_schema] Failure),
    /// Somebody else was quicker, or the Idempotency-Key is taken (4090)
    #[response(status = 409)]
    Conflict(#[to_schema] Failure),
    /// The body or file is over its limit (4130)
    #[response(status = 413)]
    TooLarge(#[to_schema] Failure),
    /// The file is of a kind that is not taken (4150)
    #[response(status = 415)]
    Unsupported(#[to_schema] Failure),
    /// The file is damaged, encrypted or empty (4220)
    #[response(status = 422)]
    Unreadable(#[to_schema] Failure),
    /// Too many requests (4290); the header Retry-After says when to come back
    #[response(status = 429)]
    Limited(#[to_schema] Failure),
    /// Our mistake (5000)
    #[response(status = 500)]
    Internal(#[to_schema] Failure),
    /// The storage is away; nothing was changed (5030)
    #[response(status = 503)]
    Unavailable(#[to_schema] Failure),
}

#[derive(ToSchema)]
#[schema(example = json!({"appId": "compere.admin@compere.local", "userKey": "00000000-0000-4000-8000-000000000000"}))]
pub struct TokenRequest {
    #[serde(rename = "appId")]
    app_id: String,
    #[serde(rename = "userKey")]
    user_key: String,
}

#[derive(ToSchema)]
pub struct Token {
    token: String,
}

#[derive(ToSchema)]
pub struct Authenticated {
    #[serde(rename = "isAuthenticated")]
    is_authenticated: bool,
    email: String,
    plan: String,
}

#[derive(ToSchema)]
pub struct Revoked {
    revoked: bool,
}

#[derive(ToSchema)]
pub struct ProjectId {
    #[serde(rename = "projectId")]
    #[schema(example = "66f8f1a02b3c4d5e6f708192")]
    project_id: String,
    /// Of a body that was read: what may not have been meant, each with `path` and `msg`
    #[schema(value_type = Option<Vec<Object>>)]
    warnings: Option<Vec<Value>>,
}

/// `4k`, `1080`, `720` or `480`, as a text or a number.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum ResolutionWord {
    Text(String),
    Number(i64),
}

#[derive(ToSchema)]
#[schema(example = json!({
    "name": "Hello", "orientation": "landscape", "resolution": "480", "isExport": false,
    "scenes": [{
        "sceneIdx": 0,
        "scripts": [{"org": "Hello there.", "isTTS": false, "tts": null, "modelId": "nora", "clothId": "nora/blazer"}],
        "background": {"id": "background", "type": "background", "source_type": "color", "source_color": "rgb(240,244,248)"},
        "clips": [
            {"id": "presenter", "type": "aiModel", "layer": 1, "left": 560, "top": 120, "width": 800, "height": 960,
             "model": {"ai_name": "nora", "emotion": "nora/blazer"}},
            {"id": "title", "type": "textImage", "layer": 2, "left": 100, "top": 80, "width": 700, "height": 120,
             "text": "Hello", "fill": "rgb(16,24,40)", "fontSize": 60, "tag": "title"}
        ]
    }]
}))]
pub struct CreateProject {
    #[schema(default = "Default Template", max_length = 200)]
    name: Option<String>,
    /// `landscape` or `portrait`
    #[schema(default = "landscape")]
    orientation: Option<String>,
    scenes: Vec<Scene>,
    /// Export at once
    #[serde(rename = "isExport")]
    #[schema(default = true)]
    is_export: Option<bool>,
    #[serde(rename = "workspaceId")]
    workspace_id: Option<String>,
    resolution: Option<ResolutionWord>,
    /// Who is told when the export ends
    #[serde(rename = "webhookUrl")]
    webhook_url: Option<String>,
    /// `POST` (default) or `GET`
    #[serde(rename = "webhookMethod")]
    webhook_method: Option<String>,
    /// Comes back in progress, project and webhook
    #[serde(rename = "callbackId")]
    #[schema(max_length = 256)]
    callback_id: Option<String>,
    /// Words and how to say them
    #[schema(value_type = Object)]
    dictionary: Option<Value>,
    /// `fail` (default) or `skip`: what a broken link does
    #[serde(rename = "onAssetError")]
    on_asset_error: Option<String>,
    /// `mp4` (default), `webm` or `mov`
    format: Option<String>,
}

/// A scene. `docs/scenes.md` has every field.
#[derive(ToSchema)]
pub struct Scene {
    /// Names the scene in edits
    #[serde(rename = "sceneIdx")]
    scene_idx: i64,
    /// What is spoken: exactly one entry
    scripts: Option<Vec<Script>>,
    background: Background,
    clips: Vec<Clip>,
    watermark: Option<bool>,
    /// Seconds; default: as long as the speech
    duration: Option<f64>,
}

#[derive(ToSchema)]
pub struct Script {
    /// The spoken text
    org: String,
    #[serde(rename = "isTTS")]
    is_tts: bool,
    /// `{voice, speed, language}` when `isTTS` is true, else null
    #[schema(value_type = Option<Object>)]
    tts: Option<Value>,
    #[serde(rename = "modelId")]
    model_id: String,
    #[serde(rename = "clothId")]
    cloth_id: String,
}

#[derive(ToSchema)]
pub struct Background {
    id: Option<String>,
    r#type: Option<String>,
    /// `image`, `color` or `video`
    source_type: Option<String>,
    source_url: Option<String>,
    #[schema(example = "rgb(255,255,255)")]
    source_color: Option<String>,
}

/// A clip: the fields common to all, and those of its type.
#[derive(ToSchema)]
pub struct Clip {
    id: String,
    /// `aiModel`, `shape`, `image`, `textImage`, `videoImage` or `audio`
    r#type: String,
    layer: f64,
    top: f64,
    left: f64,
    height: f64,
    width: f64,
    #[serde(rename = "scaleX")]
    #[schema(default = 1)]
    scale_x: Option<f64>,
    #[serde(rename = "scaleY")]
    #[schema(default = 1)]
    scale_y: Option<f64>,
    /// Finds the clip in edits
    tag: Option<String>,
}

#[derive(ToSchema)]
#[schema(example = json!({
    "updates": {"value": [
        {"sceneIdx": 0, "type": "aiModel", "values": {"script": "Another text."}},
        {"sceneIdx": 0, "type": "textImage", "tag": "title", "values": {"text": "Good evening", "fontSize": 48}}
    ]},
    "isExport": false
}))]
pub struct EditProject {
    updates: Updates,
    #[serde(rename = "isExport")]
    #[schema(default = true)]
    is_export: Option<bool>,
    #[serde(rename = "workspaceId")]
    workspace_id: Option<String>,
    resolution: Option<ResolutionWord>,
    #[serde(rename = "webhookUrl")]
    webhook_url: Option<String>,
    #[serde(rename = "webhookMethod")]
    webhook_method: Option<String>,
    #[serde(rename = "callbackId")]
    callback_id: Option<String>,
    /// Edit a copy and leave the original alone
    copy: Option<bool>,
}

/// The entries, or an object with them in `value`.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum Updates {
    Wrapped {
        value: Vec<Update>,
        /// Music under the whole film: `{source_url, volume}`
        #[serde(rename = "backgroundAudio")]
        #[schema(value_type = Option<Object>)]
        background_audio: Option<Value>,
    },
    Bare(Vec<Update>),
}

#[derive(ToSchema)]
pub struct Update {
    #[serde(rename = "sceneIdx")]
    scene_idx: i64,
    /// A clip's type, or `background`
    r#type: String,
    id: Option<String>,
    tag: Option<String>,
    #[serde(rename = "clipIdx")]
    clip_idx: Option<i64>,
    /// Fields of the clip; `script` is what a presenter says
    #[schema(value_type = Object)]
    values: Value,
}

#[derive(ToSchema)]
#[schema(example = json!({"projectId": "66f8f1a02b3c4d5e6f708192", "resolution": "480"}))]
pub struct ExportProject {
    #[serde(rename = "projectId")]
    project_id: String,
    #[serde(rename = "workspaceId")]
    workspace_id: Option<String>,
    resolution: Option<ResolutionWord>,
    #[serde(rename = "webhookUrl")]
    webhook_url: Option<String>,
    #[serde(rename = "webhookMethod")]
    webhook_method: Option<String>,
    #[serde(rename = "callbackId")]
    callback_id: Option<String>,
    format: Option<String>,
}

#[derive(ToSchema)]
pub struct Cancelled {
    #[serde(rename = "projectId")]
    project_id: String,
    cancelled: bool,
}

#[derive(ToSchema)]
#[schema(example = json!({"ids": ["66f8f1a02b3c4d5e6f708192"]}))]
pub struct DeleteProjects {
    ids: Vec<String>,
}

#[derive(ToSchema)]
pub struct Deleted {
    #[serde(rename = "deletedCount")]
    deleted_count: u64,
}

/// A project in a list.
#[derive(ToSchema)]
pub struct Listed {
    id: String,
    name: String,
    /// `exported` when it can be downloaded
    state: String,
    download_url: Option<String>,
    progress: f64,
}

#[derive(ToSchema)]
pub struct ProjectAnswer {
    project: ProjectRecord,
}

#[derive(ToSchema)]
pub struct ProjectRecord {
    #[serde(rename = "_id")]
    id: String,
    name: String,
    orientation: String,
    #[schema(value_type = Vec<Object>)]
    scenes: Value,
    #[serde(rename = "userId")]
    user_id: String,
    state: String,
    #[serde(rename = "thumbnailUrl")]
    thumbnail_url: Option<String>,
    #[serde(rename = "backendTaskId")]
    backend_task_id: Option<String>,
    progress: f64,
    #[serde(rename = "creditSubstracted")]
    credit_substracted: bool,
    #[serde(rename = "createdAt")]
    created_at: String,
    #[serde(rename = "updatedAt")]
    updated_at: String,
    download_url: Option<String>,
}

/// How far an export is.
#[derive(ToSchema)]
pub struct Progress {
    /// `draft`, `importing`, `queued`, `synthesizing`, `rendering`, `finishing`, `exported`, `failed` or `cancelled`
    state: String,
    /// 0 to 100; 100 only when the film can be downloaded
    progress: f64,
    /// Null before 100
    #[serde(rename = "downloadUrl")]
    download_url: Option<String>,
    #[serde(rename = "startedAt")]
    started_at: Option<String>,
    #[serde(rename = "etaSeconds")]
    eta_seconds: Option<i64>,
    /// Seconds of film
    duration: Option<f64>,
    #[serde(rename = "thumbnailUrl")]
    thumbnail_url: Option<String>,
    #[serde(rename = "captionsUrl")]
    captions_url: Option<String>,
    #[serde(rename = "sizeBytes")]
    size_bytes: Option<u64>,
    #[serde(rename = "backendTaskId")]
    backend_task_id: Option<String>,
    #[serde(rename = "callbackId")]
    callback_id: Option<String>,
    #[schema(value_type = Vec<Object>)]
    warnings: Vec<Value>,
    /// What would start an export, where none was ever asked for
    note: Option<String>,
}

#[derive(ToSchema)]
pub struct Health {
    /// `ready` or `not ready`
    status: String,
    reasons: Vec<String>,
    version: String,
    /// Exports that are being made
    running: usize,
}

#[derive(ToSchema)]
#[schema(example = json!({"language": "en", "text": "Hello there.", "model": "nora", "clothes": "nora/blazer", "uppercut": 50}))]
pub struct SimpleVideo {
    /// Language of the text; the model has to speak it
    language: String,
    text: String,
    model: String,
    clothes: String,
    /// Accepted; never changes the result
    locale: Option<String>,
    /// Percent of the empty space above the head that is cropped away: at 100 the head touches the top
    #[schema(minimum = 0, maximum = 100)]
    uppercut: Option<f64>,
    /// Who is told when the result is there
    webhook: Option<String>,
    resolution: Option<ResolutionWord>,
    /// `mp4` (default, chroma green), `webm` or `mov` (with transparency)
    format: Option<String>,
}

#[derive(ToSchema)]
#[schema(example = json!({"language": "en", "text": "Hello there.", "model": "nora", "clothes": "nora/blazer"}))]
pub struct SimpleVideo3 {
    language: String,
    text: String,
    model: String,
    clothes: String,
    #[serde(rename = "isExport")]
    #[schema(default = false)]
    is_export: Option<bool>,
    #[serde(rename = "workspaceId")]
    workspace_id: Option<String>,
    resolution: Option<ResolutionWord>,
    #[serde(rename = "webhookUrl")]
    webhook_url: Option<String>,
    format: Option<String>,
}

#[derive(ToSchema)]
#[schema(example = json!({"language": "en", "text": "Hello there.", "model": "nora"}))]
pub struct SimpleAudio {
    language: String,
    text: String,
    model: String,
    clothes: Option<String>,
    locale: Option<String>,
    webhook: Option<String>,
}

#[derive(ToSchema)]
#[schema(example = json!({"language": "en", "text": "Hello there.", "model": "nora"}))]
pub struct SimpleAudio3 {
    language: String,
    #[schema(max_length = 3000)]
    text: String,
    model: String,
    /// `{voice, speed, language}` for another voice than the model's
    #[schema(value_type = Option<Object>)]
    tts: Option<Value>,
}

#[derive(ToSchema)]
pub struct SpokenAnswer {
    #[serde(rename = "fileName")]
    file_name: String,
    #[serde(rename = "downloadUrl")]
    download_url: String,
    /// `{word, start, end}` in seconds
    #[serde(rename = "metaList")]
    #[schema(value_type = Vec<Object>)]
    meta_list: Vec<Value>,
    duration: f64,
    voice: String,
}

/// A key at the top level and in `data`.
#[derive(ToSchema)]
pub struct KeyAnswer {
    success: bool,
    /// Id of the project
    key: String,
    #[schema(value_type = Object)]
    data: Value,
}

#[derive(ToSchema)]
pub struct CubeAnswer {
    success: bool,
    /// Started ten seconds of film
    cube_used: i64,
    key: String,
    #[schema(value_type = Object)]
    data: Value,
}

/// Fields at the top level and in `data`.
#[derive(ToSchema)]
pub struct LegacyAnswer {
    success: bool,
    #[schema(value_type = Object)]
    data: Value,
}

#[derive(ToSchema)]
#[schema(example = json!({"scenes": [{
    "AIModel": {"model": "nora", "clothes": "nora/blazer", "language": "en", "script": "Hello there.",
        "locationX": 0.2, "locationY": 0},
    "clips": [{"type": "text", "detail": {"textSource": "Hello", "locationX": -0.25, "locationY": -0.3}}]
}], "resolution": "480", "isExport": false}))]
pub struct LegacyProject {
    #[serde(rename = "projectName")]
    project_name: Option<String>,
    /// `AIModel` and `clips` each; docs/scenes.md has every field
    #[schema(value_type = Vec<Object>)]
    scenes: Vec<Value>,
    webhook: Option<String>,
    resolution: Option<ResolutionWord>,
}

#[derive(ToSchema)]
#[schema(example = json!({"updates": [{"sceneIdx": 0, "property": "AIModel", "values": {"script": "Another text."}}]}))]
pub struct LegacyEdit {
    /// `{sceneIdx, property: AIModel | clips, clipType?, clipIdx?, values}` each
    #[schema(value_type = Vec<Object>)]
    updates: Vec<Value>,
    webhook: Option<String>,
}

#[derive(ToSchema)]
#[schema(example = json!({"sceneIdx": 0, "scene": {"AIModel": {"model": "nora", "clothes": "nora/blazer",
    "language": "en", "script": "First of all.", "locationX": 0, "locationY": 0}}}))]
pub struct LegacyScene {
    #[serde(rename = "sceneIdx")]
    scene_idx: i64,
    #[schema(value_type = Object)]
    scene: Value,
}

#[derive(ToSchema)]
#[schema(example = json!({"sceneIdx": 0}))]
pub struct LegacySceneIndex {
    #[serde(rename = "sceneIdx")]
    scene_idx: i64,
}

#[derive(ToSchema)]
pub struct Models {
    models: Vec<Model>,
}

#[derive(ToSchema)]
pub struct Model {
    /// For `ai_name`, `modelId` and `model`
    id: String,
    #[schema(value_type = Object)]
    label: Value,
    thumbnail: Option<String>,
    clothes: Vec<Cloth>,
    gender: String,
}

#[derive(ToSchema)]
pub struct Cloth {
    /// For `emotion`, `clothId` and `clothes`
    id: String,
    #[schema(value_type = Object)]
    label: Value,
    thumbnail: String,
}

#[derive(ToSchema)]
pub struct ModelItem {
    id: String,
    label: String,
    #[serde(rename = "avatarType")]
    avatar_type: String,
}

#[derive(ToSchema)]
pub struct WorkspaceItem {
    #[serde(rename = "workspaceId")]
    workspace_id: String,
    #[serde(rename = "workspaceName")]
    workspace_name: String,
}

#[derive(ToSchema)]
pub struct VoiceItem {
    id: String,
    name: String,
    language: String,
    gender: String,
    r#type: String,
    available: bool,
}

#[derive(ToSchema)]
pub struct FontItem {
    family: String,
}

#[derive(ToSchema)]
pub struct BackgroundItem {
    name: String,
    orientation: String,
    source_url: String,
}

#[derive(ToSchema)]
pub struct Estimate {
    valid: bool,
    /// `{path, msg, code, name}` each
    #[schema(value_type = Vec<Object>)]
    problems: Vec<Value>,
    #[schema(value_type = Vec<Object>)]
    warnings: Vec<Value>,
    /// Seconds, estimated
    duration: Option<f64>,
    credits: Option<i64>,
}

#[derive(ToSchema)]
pub struct AssetUpload {
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream")]
    file: Vec<u8>,
    /// Instead of the file's own name
    name: Option<String>,
}

#[derive(ToSchema)]
pub struct AssetItem {
    id: String,
    name: String,
    /// For `source_url` and `video_url`
    url: String,
    /// The same without the address of the service
    path: String,
    #[serde(rename = "mediaType")]
    media_type: String,
    size: u64,
    width: Option<u32>,
    height: Option<u32>,
}

#[derive(ToSchema)]
pub struct PptPdf {
    /// pdf, ppt or pptx
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream")]
    file: Vec<u8>,
    /// Default: the document's title, else the file's name
    name: Option<String>,
    #[serde(rename = "workspaceId")]
    workspace_id: Option<String>,
    /// Ours: texts and pictures of a PPTX become clips where they then look as the slide does
    editable: Option<bool>,
    /// Ours: how the presenter shares the picture with the slide, `auto`, `beside`, `corner`, `circle` or `voice`
    #[schema(default = "auto")]
    layout: Option<String>,
    /// Ours: where the presenter is, `right` or `left`
    #[schema(default = "right")]
    side: Option<String>,
    /// Ours: what becomes of slides without notes: `listen`, `empty` or `skip`
    #[schema(default = "listen")]
    quiet: Option<String>,
    /// Ours: slides by number, as the document counts, such as `1-5,8,12-`
    slides: Option<String>,
    /// Ours: hidden slides are shown
    hidden: Option<bool>,
    /// Ours: notes are spoken; without it they are
    #[schema(default = true)]
    notes: Option<bool>,
    /// Ours: what notes say to the speaker, such as `(10 min)`, is spoken like the rest; without it it is
    #[schema(default = true)]
    cues: Option<bool>,
    /// Ours: who speaks, as `model.ai_name`, instead of the account's own
    presenter: Option<String>,
    /// Ours: what the presenter wears, as `model.emotion`
    outfit: Option<String>,
    /// Ours: another voice than the presenter's
    voice: Option<String>,
}
