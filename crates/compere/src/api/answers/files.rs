//! Files that users sent or asked for.

use compere_office::{Office, Spoken};
use compere_store::Asset;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::date;

/// An uploaded file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssetItem {
    pub id: String,
    pub name: String,
    /// For `source_url` and `video_url`
    pub url: String,
    /// The same without the address of the service
    pub path: String,
    pub media_type: String,
    /// Bytes
    pub size: i64,
    pub created_at: String,
    /// Of a picture or video that was just sent
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
}

impl AssetItem {
    pub fn of(office: &Office, asset: &Asset, size: Option<(u32, u32)>) -> Self {
        let path = office.links.asset(&asset.id, &asset.name);
        Self {
            id: asset.id.clone(),
            name: asset.name.clone(),
            url: format!("{}{path}", office.links.base()),
            path,
            media_type: asset.media_type.clone(),
            size: asset.size,
            created_at: date(asset.created_at),
            width: size.map(|(width, _)| width),
            height: size.map(|(_, height)| height),
        }
    }
}

/// What a model made up.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MadeUp {
    pub download_url: String,
    pub file_name: String,
}

impl MadeUp {
    pub fn of(office: &Office, asset: &Asset) -> Self {
        let path = office.links.asset(&asset.id, &asset.name);
        Self { download_url: format!("{}{path}", office.links.base()), file_name: asset.name.clone() }
    }
}

/// A text that was spoken.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpokenAnswer {
    pub file_name: String,
    pub download_url: String,
    /// The same without the address of the service
    pub path: String,
    /// `{word, start, end}` in seconds
    #[schema(value_type = Vec<Object>)]
    pub meta_list: Value,
    /// Seconds
    pub duration: f64,
    pub voice: String,
    pub warnings: Vec<String>,
}

impl SpokenAnswer {
    pub fn of(office: &Office, spoken: Spoken) -> Self {
        let path = office.links.asset(&spoken.asset.id, &spoken.asset.name);
        Self {
            file_name: spoken.asset.name,
            download_url: format!("{}{path}", office.links.base()),
            path,
            meta_list: spoken.meta_list,
            duration: spoken.seconds,
            voice: spoken.voice,
            warnings: spoken.warnings,
        }
    }
}

/// Bytes of an account's files.
#[derive(Debug, Serialize, ToSchema)]
pub struct Storage {
    pub uploads: i64,
    /// Documents, and the pictures of their pages
    pub decks: i64,
    pub films: i64,
    /// Presenters of footage, and their takes
    pub presenters: i64,
    /// All of it
    pub used: i64,
    /// What the plan gives; null where nobody counts
    #[schema(required)]
    pub limit: Option<u64>,
}

/// Seconds before work begins.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Waiting {
    /// On a preview or a sample of a voice
    pub preview_seconds: f64,
    /// On a check of what is linked, or a text that is spoken at once
    pub check_seconds: f64,
    /// On a document
    pub document_seconds: f64,
}
