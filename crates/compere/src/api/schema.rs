//! The words of the OpenAPI document.
//!
//! Bodies are read by `compere-scene`, which says more about what is wrong than a deserializer could; these types
//! only describe them. A test posts every example.
#![expect(dead_code, reason = "the fields are read by the macro that describes them")]

use std::collections::{BTreeMap, BTreeSet};

use axum::http::StatusCode;
use compere_house::TABLE;
use serde_json::Value;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{
    ComponentsBuilder, Content, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, Ref, RefOr, ResponseBuilder,
    SecurityRequirement, Server,
};
use utoipa::{IntoResponses, ToSchema};

use super::answers::{
    AnimationWord, FormatWord, HookEventWord, HookMethodWord, OrientationWord, ResolutionWord, ShapeWord,
};
use super::error::{Detail, ErrorBody, Failure};
use super::news::{ExportNews, FilmNews, ImportNews, NewsError, PingNews};

const TAGS: [(&str, &str); 13] = [
    ("auth", "Tokens for key pairs"),
    ("projects", "What films are made of: create, read, edit, delete"),
    ("exports", "Films: start, follow, cancel"),
    ("simple", "One text, one presenter: a film on chroma green, or the voice alone"),
    ("stories", "Projects of less than scenes: of a text, of another project, by tags"),
    ("catalogue", "Presenters, voices, fonts and backgrounds there are"),
    ("avatars", "Presenters of a person's own footage (beta)"),
    ("assets", "Files of users, to be linked in scenes"),
    ("account", "Credits, key pairs, webhook endpoints and secrets"),
    ("webhooks", "What receivers are told"),
    ("1.4.x", "The older generation of the API"),
    ("files", "Downloads by links that carry their own permission"),
    ("operation", "Health and numbers, for those who run the service"),
];

/// The document's head; routes add themselves.
pub fn document() -> OpenApi {
    let token = ApiKey::Header(ApiKeyValue::with_description(
        "Authorization",
        "The token from /api/odin/v3/auth/token, bare or after `Bearer `.",
    ));
    let components = ComponentsBuilder::new()
        .security_scheme("token", SecurityScheme::ApiKey(token))
        .schema_from::<Failure>()
        .schema_from::<ErrorBody>()
        .schema_from::<Detail>()
        .schema_from::<ExportNews>()
        .schema_from::<FilmNews>()
        .schema_from::<ImportNews>()
        .schema_from::<NewsError>()
        .schema_from::<PingNews>()
        .responses_from_iter(failing().map(|status| (failure_name(status), failure(status))));
    OpenApiBuilder::new()
        .info(
            InfoBuilder::new()
                .title("Compere")
                .version(env!("CARGO_PKG_VERSION"))
                .description(Some(
                    "Films with a presenter, from JSON. Every answer is `{\"success\": true, \"data\": …}` or \
                     `{\"success\": false, \"error\": {\"code\", \"msg\", \"name\", \"details\", \"docUrl\", \"requestId\"}}`.",
                ))
                .license(Some(LicenseBuilder::new().name("MIT OR Apache-2.0").build()))
                .build(),
        )
        .servers(Some([Server::new("/")]))
        .tags(Some(TAGS.map(|(name, says)| TagBuilder::new().name(name).description(Some(says)).build())))
        .components(Some(components.build()))
        .security(Some([SecurityRequirement::new("token", Vec::<String>::new())]))
        .build()
}

/// How a request may fail: in every way of the table, each described once, in the document's components.
pub struct Failures;

impl IntoResponses for Failures {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        let reference = |status: u16| Ref::new(format!("#/components/responses/{}", failure_name(status)));
        failing().map(|status| (status.to_string(), RefOr::Ref(reference(status)))).collect()
    }
}

/// The statuses of failures, each once.
fn failing() -> impl Iterator<Item = u16> {
    TABLE.iter().map(|entry| entry.status).collect::<BTreeSet<_>>().into_iter()
}

/// `NotFound`, as HTTP calls it.
fn failure_name(status: u16) -> String {
    let reason = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    reason.unwrap_or("Failure").split([' ', '-']).collect()
}

fn failure(status: u16) -> utoipa::openapi::Response {
    let rows = TABLE.iter().filter(|entry| entry.status == status);
    let says: Vec<String> = rows.map(|row| format!("{} `{}`: {}", row.code, row.name, row.means)).collect();
    let body = Content::new(Some(Ref::from_schema_name("Failure")));
    ResponseBuilder::new().description(says.join(". ")).content("application/json", body).build()
}

#[derive(ToSchema)]
#[schema(example = json!({"appId": "compere.5f0c1d9be27a4863", "userKey": "00000000-0000-4000-8000-000000000000"}))]
pub struct TokenRequest {
    #[serde(rename = "appId")]
    app_id: String,
    #[serde(rename = "userKey")]
    user_key: String,
}

/// `4k`, `1080`, `720` or `480`, as a text or a number.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum AnyResolution {
    Text(ResolutionWord),
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
    #[schema(default = "landscape")]
    orientation: Option<OrientationWord>,
    scenes: Vec<Scene>,
    /// Export at once
    #[serde(rename = "isExport")]
    #[schema(default = true)]
    is_export: Option<bool>,
    #[serde(rename = "workspaceId")]
    workspace_id: Option<String>,
    resolution: Option<AnyResolution>,
    /// Who is told when the export ends
    #[serde(rename = "webhookUrl")]
    webhook_url: Option<String>,
    /// `POST` (default) or `GET`
    #[serde(rename = "webhookMethod")]
    webhook_method: Option<HookMethodWord>,
    /// Comes back in progress, project and webhook
    #[serde(rename = "callbackId")]
    #[schema(max_length = 256)]
    callback_id: Option<String>,
    /// Words and how to say them
    #[schema(value_type = Option<Object>)]
    dictionary: Option<Value>,
    /// `fail` (default) or `skip`: what a broken link does
    #[serde(rename = "onAssetError")]
    on_asset_error: Option<String>,
    /// What the film is in, such as `pt-BR`; a script that says nothing else is taken to be in it, unless it plainly is not
    language: Option<String>,
    /// `mp4` (default), `webm` or `mov`
    format: Option<FormatWord>,
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

/// A clip, by its type.
#[derive(ToSchema)]
#[serde(tag = "type")]
pub enum Clip {
    #[serde(rename = "aiModel")]
    Avatar(AvatarClip),
    #[serde(rename = "shape")]
    Shape(ShapeClip),
    #[serde(rename = "image")]
    Image(ImageClip),
    #[serde(rename = "textImage")]
    Text(TextClip),
    #[serde(rename = "videoImage")]
    Video(VideoClip),
    #[serde(rename = "audio")]
    Audio(AudioClip),
}

/// Where something stands on the canvas of 1920×1080 or 1080×1920 units.
#[derive(ToSchema)]
pub struct Stood {
    id: String,
    /// Higher ones cover lower ones
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
    /// Degrees, clockwise about the upper left corner
    angle: Option<f64>,
    /// 1 to 100; of a presenter 0 to 1
    opacity: Option<f64>,
    /// Finds the clip in edits
    tag: Option<String>,
    animation: Option<Animation>,
}

/// How something comes and goes.
#[derive(ToSchema)]
pub struct Animation {
    r#type: AnimationWord,
    /// Seconds
    #[schema(minimum = 0.1, maximum = 30)]
    duration: f64,
    /// Seconds
    #[schema(minimum = 0, maximum = 30)]
    delay: Option<f64>,
}

/// Somebody who speaks.
#[derive(ToSchema)]
pub struct AvatarClip {
    #[serde(flatten)]
    stood: Stood,
    model: ModelOfClip,
    /// Head and shoulders alone
    #[serde(rename = "headOnly")]
    head_only: Option<bool>,
    /// Heard and not seen
    #[serde(rename = "voiceOnly")]
    voice_only: Option<bool>,
}

#[derive(ToSchema)]
pub struct ModelOfClip {
    /// Id of the presenter
    ai_name: String,
    /// Id of the outfit
    emotion: String,
    /// What an editor knows of its picture: says where the face goes
    #[schema(value_type = Option<Object>)]
    editor: Option<Value>,
}

#[derive(ToSchema)]
pub struct ShapeClip {
    #[serde(flatten)]
    stood: Stood,
    #[serde(rename = "shapeName")]
    shape_name: ShapeWord,
    #[schema(example = "rgb(16,42,67)")]
    fill: Option<String>,
    stroke: Option<String>,
    #[serde(rename = "strokeWidth")]
    stroke_width: Option<f64>,
    #[serde(rename = "strokeRadius")]
    stroke_radius: Option<f64>,
    #[schema(value_type = Option<Object>)]
    shadow: Option<Value>,
}

#[derive(ToSchema)]
pub struct ImageClip {
    #[serde(flatten)]
    stood: Stood,
    source_url: String,
}

#[derive(ToSchema)]
pub struct TextClip {
    #[serde(flatten)]
    stood: Stood,
    text: String,
    /// Points: 4/3 of a canvas unit
    #[serde(rename = "fontSize")]
    font_size: Option<f64>,
    #[serde(rename = "fontFamily")]
    font_family: Option<String>,
    #[schema(example = "rgb(16,24,40)")]
    fill: Option<String>,
    /// `left`, `center`, `right` or `justify`
    align: Option<String>,
    /// `normal`, `bold` or 1 to 1000
    #[serde(rename = "fontWeight")]
    #[schema(value_type = Option<Object>)]
    font_weight: Option<Value>,
    /// `normal` or `italic`
    #[serde(rename = "fontStyle")]
    font_style: Option<String>,
    underline: Option<bool>,
    #[serde(rename = "backgroundColor")]
    background_color: Option<String>,
    #[serde(rename = "lineHeight")]
    line_height: Option<f64>,
}

#[derive(ToSchema)]
pub struct VideoClip {
    #[serde(flatten)]
    stood: Stood,
    video_url: String,
    /// 0 to 100
    volume: Option<f64>,
}

/// Only heard: needs no place.
#[derive(ToSchema)]
pub struct AudioClip {
    id: String,
    source_url: String,
    /// 0 to 100
    volume: Option<f64>,
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
    resolution: Option<AnyResolution>,
    #[serde(rename = "webhookUrl")]
    webhook_url: Option<String>,
    #[serde(rename = "webhookMethod")]
    webhook_method: Option<HookMethodWord>,
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
    resolution: Option<AnyResolution>,
    #[serde(rename = "webhookUrl")]
    webhook_url: Option<String>,
    #[serde(rename = "webhookMethod")]
    webhook_method: Option<HookMethodWord>,
    #[serde(rename = "callbackId")]
    callback_id: Option<String>,
    format: Option<FormatWord>,
}

#[derive(ToSchema)]
#[schema(example = json!({"ids": ["66f8f1a02b3c4d5e6f708192"]}))]
pub struct DeleteProjects {
    ids: Vec<String>,
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
    resolution: Option<AnyResolution>,
    /// `mp4` (default, chroma green), `webm` or `mov` (with transparency)
    format: Option<FormatWord>,
}

#[derive(ToSchema)]
#[schema(example = json!({"language": "en", "text": "Hello there.", "model": "nora", "clothes": "nora/blazer"}))]
pub struct SimpleVideo3 {
    language: String,
    text: String,
    model: String,
    clothes: String,
    #[serde(rename = "isExport")]
    #[schema(default = true)]
    is_export: Option<bool>,
    #[serde(rename = "workspaceId")]
    workspace_id: Option<String>,
    resolution: Option<AnyResolution>,
    #[serde(rename = "webhookUrl")]
    webhook_url: Option<String>,
    format: Option<FormatWord>,
}

#[derive(ToSchema)]
#[schema(example = json!({"language": "en", "text": "Hello there.", "model": "nora"}))]
pub struct SimpleAudio {
    language: String,
    text: String,
    model: String,
    clothes: Option<String>,
    /// Accepted; never changes the result
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
    resolution: Option<AnyResolution>,
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
pub struct AssetUpload {
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream")]
    file: Vec<u8>,
    /// Instead of the file's own name
    name: Option<String>,
}

#[derive(ToSchema)]
#[schema(example = json!({"name": "Ada Miller", "gender": "female", "language": "en-US"}))]
pub struct NewAvatar {
    /// Scenes may name it by this too, as `ada-miller`
    name: String,
    /// `female`, `male` or `neutral` (default): which voice speaks for it
    gender: Option<String>,
    /// Spoken in the takes; default `en-US`
    language: Option<String>,
}

#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TakeUpload {
    /// A video with sound: MP4, MOV, WebM or MKV
    #[schema(value_type = Option<String>, format = Binary, content_media_type = "application/octet-stream")]
    file: Option<Vec<u8>>,
    /// Of an uploaded file, instead
    asset_id: Option<String>,
    /// Number of the line that is read, or `idle`
    prompt: Option<String>,
    /// What is said, where it is no prompt
    text: Option<String>,
    /// With `text`, of a take that came without its text
    name: Option<String>,
}

#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsentAsk {
    /// The person's name, as they say it: gives out a text
    person: Option<String>,
    /// What the films are for
    purpose: Option<String>,
    /// Of an uploaded file, which is the recording of that text
    asset_id: Option<String>,
}

#[derive(ToSchema)]
#[schema(example = json!({"url": "https://example.com/me.mp4", "name": "Ada Miller", "gender": "FEMALE"}))]
#[serde(rename_all = "camelCase")]
pub struct CustomAvatar {
    /// Of a video in which one person speaks
    url: String,
    name: String,
    /// `FEMALE`, `MALE` or `NEUTRAL` (default)
    gender: Option<String>,
    /// `en` (default), `ko` or `zh`
    locale: Option<String>,
    /// What is said in the video: nobody here recognises speech
    text: Option<String>,
    /// Accepted; every picture is looked at
    per_frame: Option<bool>,
    /// Accepted; footage is footage
    is_webcam: Option<bool>,
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

#[derive(ToSchema)]
#[schema(example = json!({"scripts": "# Hello\n\nWelcome to the team.\n\n- Coffee is on the left\n- Tea is on the right",
    "options": {"language": "en", "model": "lena", "orientation": "portrait"}}))]
pub struct ScriptsToVideo {
    /// What is said, with headings and lists as in Markdown or without any
    scripts: String,
    /// Default: the first heading, else the first words
    name: Option<String>,
    options: Option<StoryOptions>,
}

#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoryOptions {
    /// Of the text; default: heard from it
    language: Option<String>,
    /// Who presents; default: the account's own presenter
    model: Option<String>,
    voice_only: Option<bool>,
    /// `mobile` means `portrait`, everything else `landscape`
    orientation: Option<String>,
    /// Id of a look
    template_id: Option<String>,
    /// Of a text: `ai` has a language model say it better first; `original`, the default here, leaves it as it is
    script_option: Option<String>,
    /// What follows is for the language model. Seconds that the film shall last; default 60
    duration: Option<u32>,
    objective: Option<String>,
    audience: Option<String>,
    tone: Option<String>,
}

#[derive(ToSchema)]
#[schema(example = json!({"topic": "Why bees matter to a garden", "options": {"language": "en", "duration": 30}}))]
pub struct TopicToVideo {
    topic: String,
    /// Default: what is written calls itself
    name: Option<String>,
    options: Option<StoryOptions>,
}

#[derive(ToSchema)]
#[schema(example = json!({"url": "https://example.com/news", "options": {"language": "en", "audience": "customers"}}))]
pub struct UrlToVideo {
    /// Of a page that can be read without signing in
    url: String,
    /// Default: what is written calls itself
    name: Option<String>,
    options: Option<StoryOptions>,
}

#[derive(ToSchema)]
pub struct DocumentUpload {
    /// pdf, ppt, pptx, docx or plain text, up to ten
    #[schema(value_type = Vec<String>, format = Binary, content_media_type = "application/octet-stream")]
    files: Vec<Vec<u8>>,
}

/// One presentation, or texts and Word documents.
#[derive(ToSchema)]
pub struct DocsToVideo {
    files: Vec<UploadedDocument>,
    /// Default: as the document calls itself
    name: Option<String>,
    options: Option<StoryOptions>,
}

#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadedDocument {
    /// As `upload-files` gave it
    uri: String,
    file_name: Option<String>,
}

#[derive(ToSchema)]
#[schema(example = json!({"topic": "Why bees matter to a garden"}))]
pub struct TextGenerator {
    topic: String,
    options: Option<StoryOptions>,
}

#[derive(ToSchema)]
#[schema(example = json!({"topic": "A bee on a thistle", "style": "ILLUSTRATION", "size": "SQUARE"}))]
pub struct ImageGenerator {
    /// What is to be seen
    #[schema(max_length = 2000)]
    topic: String,
    /// `PHOTOGRAPHIC` (default), `VECTOR_IMAGE`, `ILLUSTRATION` or `3D`
    style: Option<String>,
    /// `LANDSCAPE` (default), `PORTRAIT` or `SQUARE`
    size: Option<String>,
}

#[derive(ToSchema)]
#[schema(example = json!({"topic": "A bee on a thistle"}))]
pub struct VideoGenerator {
    /// What is to be seen
    #[schema(max_length = 2000)]
    topic: String,
    /// *Ours*: `LANDSCAPE` (default), `PORTRAIT` or `SQUARE`
    size: Option<String>,
}

#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FromTemplate {
    name: Option<String>,
    /// Another presenter wherever somebody presents
    ai_name: Option<String>,
    /// Another outfit
    cloth_id: Option<String>,
}

#[derive(ToSchema)]
#[schema(example = json!({"projectId": "66f8f1a02b3c4d5e6f708192", "updates": {"title": "Good evening"}}))]
#[serde(rename_all = "camelCase")]
pub struct ModifyProject {
    /// Changed itself
    project_id: Option<String>,
    /// A copy of it is changed
    template_id: Option<String>,
    /// What each tag becomes
    #[schema(value_type = Object)]
    updates: Value,
    /// Export at once
    #[schema(default = false)]
    is_export: Option<bool>,
}

#[derive(ToSchema)]
#[schema(example = json!({"language": "en", "text": "Hello there.", "model": "nora"}))]
pub struct SimpleCustom {
    language: String,
    text: String,
    model: String,
    /// Default: the presenter's first outfit
    clothes: Option<String>,
}

#[derive(ToSchema)]
#[schema(example = json!({"script": "Hello there.", "model": "af_heart", "language": "en"}))]
pub struct VoiceGenerator {
    /// What is spoken
    script: String,
    /// Id of a voice
    model: String,
    /// Accepted; the id says it all
    r#type: Option<String>,
    language: String,
}

#[derive(ToSchema)]
#[schema(example = json!({"name": "newsletter"}))]
#[serde(rename_all = "camelCase")]
pub struct IssueKey {
    /// For people
    name: String,
    /// Binds the pair to a workspace
    workspace_id: Option<String>,
    /// Its films are marked, short, of at most 720 lines, and cost nothing
    #[schema(default = false)]
    test: Option<bool>,
}

#[derive(ToSchema)]
#[schema(example = json!({"url": "https://example.com/news", "name": "newsroom", "events": ["export.completed", "export.failed"]}))]
pub struct NewHook {
    /// Called by POST
    url: String,
    /// For people
    #[schema(max_length = 80)]
    name: Option<String>,
    /// Default: all
    #[schema(min_items = 1)]
    events: Option<Vec<HookEventWord>>,
    /// Told of nothing while it is not
    #[schema(default = true)]
    enabled: Option<bool>,
}

#[derive(ToSchema)]
pub struct ChangeHook {
    url: Option<String>,
    #[schema(max_length = 80)]
    name: Option<String>,
    #[schema(min_items = 1)]
    events: Option<Vec<HookEventWord>>,
    enabled: Option<bool>,
}
