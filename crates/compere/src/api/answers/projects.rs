//! Projects, exports, and who asks.

use std::borrow::Cow;

use compere_media::{Activity, Format, Orientation, Resolution};
use compere_office::{Accepted, ToldBy};
use compere_scene::Warning;
use compere_store::Project;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::super::error::ErrorBody;
use super::words::{FormatWord, OrientationWord, ResolutionWord, StateWord, StepWord, ToldByWord};
use super::{number, number_or_null};

#[derive(Debug, Serialize, ToSchema)]
pub struct Token {
    /// For the header `Authorization`, for 24 hours
    pub token: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Authenticated {
    pub is_authenticated: bool,
    pub email: String,
    pub plan: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Revoked {
    pub revoked: bool,
}

/// Something that works, though perhaps not as it was meant.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Warned {
    #[schema(example = "scenes[0].clips[1]")]
    pub path: String,
    pub msg: String,
    /// The same as `msg`
    pub message: String,
}

impl Warned {
    /// Reads one as it is kept with an export.
    pub fn of(kept: &Value) -> Self {
        let text = |key: &str| kept[key].as_str().unwrap_or_default();
        let message = if text("message").is_empty() { text("msg") } else { text("message") };
        Self { path: text("path").to_owned(), msg: message.to_owned(), message: message.to_owned() }
    }
}

impl From<&Warning> for Warned {
    fn from(warning: &Warning) -> Self {
        Self { path: warning.path.clone(), msg: warning.message.clone(), message: warning.message.clone() }
    }
}

/// A project that was made or changed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Created {
    #[schema(example = "66f8f1a02b3c4d5e6f708192")]
    pub project_id: String,
    /// What may not have been meant
    pub warnings: Vec<Warned>,
}

/// A project whose export was taken on.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Exported {
    #[schema(example = "66f8f1a02b3c4d5e6f708192")]
    pub project_id: String,
    /// What may not have been meant
    pub warnings: Vec<Warned>,
}

impl From<Accepted> for Exported {
    fn from(accepted: Accepted) -> Self {
        let warnings = accepted.warnings.iter().map(Warned::from).collect();
        Self { project_id: accepted.project.id, warnings }
    }
}

impl From<Project> for Exported {
    fn from(project: Project) -> Self {
        let kept = project.export.and_then(|export| serde_json::from_str::<Vec<Value>>(&export.warnings).ok());
        Self { project_id: project.id, warnings: kept.unwrap_or_default().iter().map(Warned::of).collect() }
    }
}

/// A project that is made of a document.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    #[schema(example = "66f8f1a02b3c4d5e6f708192")]
    pub project_id: String,
    /// `importing` while a long document is read, else `draft`
    #[schema(value_type = StateWord)]
    pub state: Cow<'static, str>,
}

/// What became of a slide when a document's new version was imported.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SlideChange {
    /// As the document counts; of a slide that is gone, as its old version did
    pub slide: usize,
    pub name: String,
    /// `kept`, `changed`, `new`, `removed`; `notes` when its notes alone are others, `notes-kept` when those were rewritten
    /// in the project and stay
    pub change: String,
    /// Where it is now
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scene_idx: Option<usize>,
}

/// A film that is made of texts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoryMade {
    pub project_id: String,
    /// The same as `projectId`
    pub automation_job_id: String,
    pub warnings: Vec<Warned>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PapersKept {
    pub upload_results: Vec<PaperKept>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaperKept {
    /// What `files` of `docs-to-video` takes
    pub uri: String,
    /// As it was called
    pub file_name: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TextWritten {
    /// What is said, without headings
    pub script: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AutomationProgress {
    /// `finish` when the project is there, `processing` before
    pub state: Cow<'static, str>,
    pub progress: i64,
    pub project_id: String,
}

/// A presenter alone, whose export was taken on.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomMade {
    pub project_id: String,
    #[schema(required)]
    pub task_id: Option<String>,
    /// What may not have been meant
    pub warnings: Vec<Warned>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cancelled {
    pub project_id: String,
    /// False when there was nothing to stop
    pub cancelled: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deleted {
    pub deleted_count: u64,
}

/// A project in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct Listed {
    pub id: String,
    pub name: String,
    #[schema(value_type = StateWord)]
    pub state: String,
    #[schema(required)]
    pub download_url: Option<String>,
    /// 0 to 100
    #[serde(serialize_with = "number")]
    pub progress: f64,
    #[schema(value_type = OrientationWord)]
    pub orientation: Orientation,
    #[serde(rename = "workspaceId")]
    #[schema(required)]
    pub workspace_id: Option<String>,
    #[serde(rename = "callbackId")]
    #[schema(required)]
    pub callback_id: Option<String>,
    #[serde(rename = "createdAt")]
    pub created_at: String,
    #[serde(rename = "updatedAt")]
    pub updated_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ProjectAnswer {
    pub project: ProjectRecord,
}

/// All that is told of a project.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectRecord {
    #[serde(rename = "_id")]
    pub id: String,
    pub name: String,
    #[schema(value_type = OrientationWord)]
    pub orientation: Orientation,
    /// As they were stored, unknown keys included, so that they can be posted again
    #[schema(value_type = Vec<Object>)]
    pub scenes: Value,
    pub user_id: String,
    /// Always null: projects here are not made of templates of the vendor
    #[schema(required)]
    pub template_id: Option<String>,
    #[schema(value_type = StateWord)]
    pub state: String,
    #[schema(required)]
    pub thumbnail_url: Option<String>,
    /// Changes with every edit
    pub base_info_id: String,
    #[schema(value_type = Object)]
    pub dictionary: Value,
    /// Id of the latest export
    #[schema(required)]
    pub backend_task_id: Option<String>,
    #[schema(required, value_type = Option<FormatWord>)]
    pub export_type: Option<Format>,
    #[serde(serialize_with = "number")]
    pub progress: f64,
    /// Whether the latest export was paid for
    pub credit_substracted: bool,
    pub created_at: String,
    pub updated_at: String,
    #[serde(rename = "download_url")]
    #[schema(required)]
    pub download_url: Option<String>,
    #[schema(required)]
    pub workspace_id: Option<String>,
    #[schema(required)]
    pub callback_id: Option<String>,
    /// Counts edits, from 1
    pub revision: i64,
    #[schema(required, value_type = Option<ResolutionWord>)]
    pub resolution: Option<Resolution>,
    /// What the latest export cost
    #[schema(required)]
    pub credit: Option<i64>,
    /// As it was sent
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub background_audio: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub on_asset_error: Option<Value>,
    /// Of a document: what became something else than it was
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<String>>)]
    pub import_warnings: Option<Value>,
    /// Of a document's new version: what became of each slide
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<SlideChange>>)]
    pub import_changes: Option<Value>,
    /// The document that the project was made of
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub original_url: Option<Value>,
}

/// Where a part of the film begins, and what it is called.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Chapter {
    /// Seconds from the film's start
    pub start: f64,
    pub title: String,
}

impl From<&compere_media::Chapter> for Chapter {
    fn from(chapter: &compere_media::Chapter) -> Self {
        Self { start: chapter.start, title: chapter.title.clone() }
    }
}

/// How far an export is.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    #[schema(value_type = StateWord)]
    pub state: Cow<'static, str>,
    /// 0 to 100; 100 only when the film can be downloaded
    #[serde(serialize_with = "number")]
    pub progress: f64,
    /// Null before 100
    #[schema(required)]
    pub download_url: Option<String>,
    pub project_id: String,
    #[schema(required)]
    pub started_at: Option<String>,
    #[schema(required)]
    pub finished_at: Option<String>,
    /// Null while it cannot be told
    #[schema(required)]
    pub eta_seconds: Option<i64>,
    #[schema(required, value_type = Option<StepWord>)]
    pub step: Option<Activity>,
    /// Seconds of film
    #[schema(required)]
    pub duration: Option<f64>,
    #[schema(required)]
    pub thumbnail_url: Option<String>,
    #[schema(required)]
    pub captions_url: Option<String>,
    /// Where the named scenes of the film begin, as WebVTT; null when fewer than two have a name
    #[schema(required)]
    pub chapters_url: Option<String>,
    /// The same as a list
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chapters: Vec<Chapter>,
    /// A playlist (HLS) that shows the film while it is made, from its first piece on, and for a day after it was asked for.
    /// Null for other formats than MP4
    #[schema(required)]
    pub stream_url: Option<String>,
    #[schema(required)]
    pub size_bytes: Option<u64>,
    #[schema(required)]
    pub backend_task_id: Option<String>,
    #[schema(required)]
    pub callback_id: Option<String>,
    pub warnings: Vec<Warned>,
    /// What would start an export, where none was ever asked for
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Of sound alone: `{word, start, end}` in seconds
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Object>>)]
    pub meta_list: Option<Value>,
}

/// How far an export is, or why there will be no film.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProgressAnswer {
    /// False when the export failed or was cancelled
    pub success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorBody>,
    pub data: Progress,
}

/// Something that is wrong with a body.
#[derive(Debug, Serialize, ToSchema)]
pub struct Trouble {
    #[schema(example = "scenes[2].clips[0].width")]
    pub path: String,
    /// What is wrong and what would be right
    pub msg: String,
    #[schema(example = 4001)]
    pub code: i64,
    #[schema(example = "invalid_body")]
    pub name: Cow<'static, str>,
}

/// When a scene is to be seen.
#[derive(Debug, Serialize, ToSchema)]
pub struct SceneTime {
    /// Seconds into the film
    #[serde(serialize_with = "number")]
    pub start: f64,
    #[serde(serialize_with = "number")]
    pub seconds: f64,
}

/// Which language a line of speech is taken to be in, and what it is spoken in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LineLanguage {
    /// Index of its scene
    pub scene: usize,
    #[schema(example = "scenes[2].scripts[0]")]
    pub path: String,
    /// What its text plainly looks; null where it is short or cannot be told
    #[schema(required, example = "en")]
    pub heard: Option<&'static str>,
    /// What it is spoken in; null where a voice speaks anything
    #[schema(required, example = "en-US")]
    pub spoken: Option<String>,
    /// What decides what it is spoken in
    #[schema(required, value_type = Option<ToldByWord>)]
    pub told_by: Option<ToldBy>,
    /// False for a text that plainly is not in the language that it is to be spoken in
    pub fits: bool,
}

/// What a body would become.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct Estimate {
    pub valid: bool,
    pub problems: Vec<Trouble>,
    pub warnings: Vec<Warned>,
    /// Seconds, estimated; null for a body that cannot become a film
    #[serde(serialize_with = "number_or_null")]
    #[schema(required)]
    pub duration: Option<f64>,
    #[schema(required)]
    pub credits: Option<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub scenes: Vec<SceneTime>,
    /// Of every line that says words, also where the film is refused for one of them
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub languages: Vec<LineLanguage>,
    /// Credits that are left; null where they are not counted
    #[schema(required)]
    pub balance: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<ResolutionWord>)]
    pub resolution: Option<Resolution>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<OrientationWord>)]
    pub orientation: Option<Orientation>,
}

/// Whether requests can be taken.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// `ready` or `not ready`
    pub status: &'static str,
    pub reasons: Vec<&'static str>,
    pub version: &'static str,
    /// Exports that are being made
    pub running: usize,
}
