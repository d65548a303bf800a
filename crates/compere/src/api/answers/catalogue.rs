//! What there is to make films with.

use compere_avatar::{OutfitInfo, PresenterInfo, Style};
use compere_media::Orientation;
use compere_office::{Office, portrait_link};
use compere_speech::{VoiceInfo, VoiceKind};
use compere_store::Font;
use serde::Serialize;
use utoipa::ToSchema;

use super::date;
use super::words::OrientationWord;

#[derive(Debug, Serialize, ToSchema)]
pub struct Models {
    pub models: Vec<Model>,
}

/// A name for each language that the vendor's clients show.
#[derive(Debug, Serialize, ToSchema)]
pub struct Label {
    pub en: String,
    pub ko: String,
}

impl Label {
    fn of(name: &str) -> Self {
        Self { en: name.to_owned(), ko: name.to_owned() }
    }
}

/// A presenter.
#[derive(Debug, Serialize, ToSchema)]
pub struct Model {
    /// For `ai_name`, `modelId` and `model`
    pub id: String,
    pub label: Label,
    #[schema(required)]
    pub thumbnail: Option<String>,
    pub clothes: Vec<Cloth>,
    /// Other ids that mean the same presenter
    pub aliases: Vec<String>,
    pub gender: String,
    /// `lit` or `drawn`
    pub style: String,
    pub licence: String,
    /// The presenter's own voice in each language
    pub voices: Vec<VoiceOf>,
}

/// What a presenter wears.
#[derive(Debug, Serialize, ToSchema)]
pub struct Cloth {
    /// For `emotion`, `clothId` and `clothes`
    pub id: String,
    pub label: Label,
    pub thumbnail: String,
    pub aliases: Vec<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct VoiceOf {
    pub language: String,
    pub voice: String,
}

impl Model {
    pub fn of(office: &Office, info: &PresenterInfo) -> Self {
        // Of somebody's own not for everybody who has the link.
        let path = |outfit: &str| match info.is_own() {
            // What somebody was filmed in as well has an id of its own.
            true if info.style == Style::Footage && info.outfits.iter().skip(1).any(|other| other.id == outfit) => {
                portrait_link(outfit)
            }
            true => portrait_link(&info.id),
            false => office.links.portrait(&info.id, outfit),
        };
        let picture = |outfit: &str| format!("{}{}", office.links.base(), path(outfit));
        let cloth = |outfit: &OutfitInfo| Cloth {
            id: outfit.id.clone(),
            label: Label::of(&outfit.name),
            thumbnail: picture(&outfit.id),
            aliases: outfit.aliases.clone(),
        };
        let voices = info.voices.iter();
        Self {
            id: info.id.clone(),
            label: Label::of(&info.name),
            thumbnail: info.outfits.first().map(|outfit| picture(&outfit.id)),
            clothes: info.outfits.iter().map(cloth).collect(),
            aliases: info.aliases.clone(),
            gender: info.gender.clone(),
            style: info.style.name().to_owned(),
            licence: info.licence.clone(),
            voices: voices.map(|v| VoiceOf { language: v.language.clone(), voice: v.voice.clone() }).collect(),
        }
    }
}

/// A presenter in the flat list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelItem {
    pub id: String,
    /// The same as `id`
    pub model_id: String,
    pub label: String,
    pub avatar_type: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceItem {
    pub workspace_id: String,
    pub workspace_name: String,
}

/// A voice, for `tts.voice`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VoiceItem {
    pub id: String,
    pub name: String,
    pub language: String,
    pub gender: String,
    pub r#type: String,
    pub licence: String,
    /// False when its files are not installed
    pub available: bool,
    /// A tone instead of a voice
    pub for_tests: bool,
}

impl From<VoiceInfo> for VoiceItem {
    fn from(voice: VoiceInfo) -> Self {
        Self {
            gender: voice.gender.name().to_owned(),
            r#type: voice.kind.name().to_owned(),
            available: voice.missing.is_none(),
            for_tests: voice.kind == VoiceKind::Tone,
            id: voice.id,
            name: voice.name,
            language: voice.language,
            licence: voice.licence,
        }
    }
}

/// A font for `fontFamily`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FontItem {
    pub family: String,
    /// Of a face that the account sent; whoever has an `id` has all that follows
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What its maker calls it: `Bold Italic`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
    /// 1 to 1000; 400 is regular
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub italic: Option<bool>,
    /// Bytes
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i64>,
    /// What was said when it was sent
    #[serde(skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<String>,
}

impl FontItem {
    pub fn own(font: Font) -> Self {
        Self {
            family: font.family,
            id: Some(font.id),
            style: Some(font.style),
            weight: Some(font.weight),
            italic: Some(font.italic),
            size: Some(font.size),
            licence: Some(font.licence),
            created_at: Some(date(font.created_at)),
        }
    }

    pub fn everybodys(family: &str) -> Self {
        let family = family.to_owned();
        Self { family, id: None, style: None, weight: None, italic: None, size: None, licence: None, created_at: None }
    }
}

/// A background that comes with the product.
#[derive(Debug, Serialize, ToSchema)]
pub struct BackgroundItem {
    pub name: String,
    /// `landscape` or `portrait`
    pub orientation: &'static str,
    /// Goes into a scene's background as it is
    pub source_url: String,
}

/// A project that others are made of.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplateItem {
    /// For `editor/template/{id}`, and for `templateId` of `editor/project/modify`
    pub id: String,
    pub name: String,
    #[schema(value_type = OrientationWord)]
    pub orientation: Orientation,
    pub scene_count: i64,
    /// Of its latest film
    #[schema(required)]
    pub thumbnail_url: Option<String>,
}

/// How films made of texts may look.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Look {
    /// For `templateId`
    pub id: &'static str,
    pub name: &'static str,
    #[schema(required)]
    pub thumbnail_url: Option<String>,
}
