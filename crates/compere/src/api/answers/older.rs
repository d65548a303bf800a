//! Answers of the older generation (1.4.x) and of the simple requests.

use compere_office::Accepted;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::super::error::ErrorBody;
use super::projects::{Progress, Warned};

/// What names a project in the older generation.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Key {
    /// Id of the project
    pub key: String,
    /// The same as `key`
    pub project_id: String,
    /// What may not have been meant
    pub warnings: Vec<Warned>,
}

impl From<Accepted> for Key {
    fn from(accepted: Accepted) -> Self {
        let id = accepted.project.id;
        Self { key: id.clone(), project_id: id, warnings: accepted.warnings.iter().map(Warned::from).collect() }
    }
}

/// A project whose export was taken on.
#[derive(Debug, Serialize, ToSchema)]
pub struct Keyed {
    /// Started ten seconds of film
    pub cube_used: i64,
    #[serde(flatten)]
    pub named: Key,
}

/// A project as it was sent.
#[derive(Debug, Serialize, ToSchema)]
pub struct OlderProject {
    pub response: Described,
    /// Always empty
    pub msg: String,
    pub key: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Described {
    pub project_name: String,
    /// `AIModel` and `clips` each, as they were sent
    #[schema(value_type = Vec<Object>)]
    pub scenes: Value,
    pub key: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Copied {
    pub project_data: Described,
    /// Of the copy
    pub key: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SceneChanged {
    pub msg: String,
    pub key: String,
}

/// How far an export is, in the words of both generations.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OlderProgress {
    #[serde(flatten)]
    pub progress: Progress,
    pub key: String,
    /// The same as `downloadUrl`
    #[schema(required)]
    pub video_url: Option<String>,
    /// The same as `downloadUrl`
    #[schema(required)]
    pub url: Option<String>,
}

/// The same at the top level and in `data`, with what went wrong where there will be no film.
#[derive(Debug, Serialize, ToSchema)]
pub struct OlderProgressAnswer {
    /// False when the export failed or was cancelled
    pub success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorBody>,
    /// The same as in `error`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub msg: Option<String>,
    pub data: OlderProgress,
    #[serde(flatten)]
    pub fields: OlderProgress,
}
