//! Success as clients see it: what stands in an answer is a type, and the OpenAPI document is made of the same types.
//!
//! Nothing here is read back, so every field is named as clients know it and is always sent, unless it says otherwise.
//! The tests of the service hold each answer to the document: a field too many fails there, and one too few.

mod account;
mod avatars;
mod catalogue;
mod files;
mod older;
mod projects;
mod words;

pub use account::{
    AccountRecord, CreditMovement, ExportRecord, HookRecord, IssuedKeyRecord, KeyRecord, Replayed, SentRecord,
    WebhookSecret,
};
pub use avatars::{
    AvatarItem, AvatarRecord, AvatarWithdrawn, BuildEnded, CustomAvatarMade, DesignFile, PromptItem, TakeItem,
};
pub use catalogue::{BackgroundItem, FontItem, Look, Model, ModelItem, Models, TemplateItem, VoiceItem, WorkspaceItem};
pub use files::{AssetItem, MadeUp, SpokenAnswer, Storage, Waiting};
pub use older::{Copied, Described, Key, Keyed, OlderProgress, OlderProgressAnswer, OlderProject, SceneChanged};
pub use projects::{
    Authenticated, AutomationProgress, Cancelled, Chapter, Created, CustomMade, Deleted, Estimate, Exported, Health,
    Imported, LineLanguage, Listed, PaperKept, PapersKept, Progress, ProgressAnswer, ProjectAnswer, ProjectRecord,
    Revoked, SceneTime, StoryMade, TextWritten, Token, Trouble, Warned,
};
pub use words::{
    AnimationWord, FormatWord, HookEventWord, HookMethodWord, OrientationWord, ResolutionWord, ShapeWord, StateWord,
    TransitionWord,
};

use axum::response::{IntoResponse, Response};
use compere_store::Civil;
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

/// `{"success": true, "data": …}`
#[derive(Debug)]
pub struct Data<T>(pub T);

impl<T: Serialize> IntoResponse for Data<T> {
    fn into_response(self) -> Response {
        axum::Json(Enveloped { success: true, data: self.0 }).into_response()
    }
}

/// Success.
#[derive(Debug, Serialize, ToSchema)]
pub struct Enveloped<T> {
    /// Always true
    pub success: bool,
    pub data: T,
}

/// Fields at the top level and in `data`: the older generation's documents show the one, its tutorials read the other.
#[derive(Debug)]
pub struct Flat<T>(pub T);

impl<T: Serialize> IntoResponse for Flat<T> {
    fn into_response(self) -> Response {
        axum::Json(Both { success: true, data: &self.0, fields: &self.0 }).into_response()
    }
}

/// The same fields twice, for clients of the older generation.
#[derive(Debug, Serialize, ToSchema)]
pub struct Both<T> {
    /// Always true
    pub success: bool,
    pub data: T,
    #[serde(flatten)]
    pub fields: T,
}

/// A number without a fraction where it has none: `100`, not `100.0`.
pub(super) fn number<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
    let rounded = (value * 100.0).round() / 100.0;
    if rounded.fract() == 0.0 { to.serialize_i64(rounded as i64) } else { to.serialize_f64(rounded) }
}

pub(super) fn number_or_null<S: Serializer>(value: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => number(value, to),
        None => to.serialize_none(),
    }
}

/// `2026-09-30T12:34:56.789Z`
pub fn date(millis: i64) -> String {
    let civil = Civil::of(millis);
    format!("{}T{}:{:02}.{:03}Z", civil.date(), civil.time(), civil.second, civil.milli)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(date(1_709_210_096_789), "2024-02-29T12:34:56.789Z");
        assert_eq!(date(1_767_225_599_999), "2025-12-31T23:59:59.999Z");
        assert_eq!(date(1_767_225_600_000), "2026-01-01T00:00:00.000Z");
    }

    #[test]
    fn whole_numbers_have_no_fraction() {
        let written =
            |start| serde_json::to_value(SceneTime { start, seconds: 33.333_333 }).expect("writes").to_string();
        assert_eq!(written(100.0), r#"{"start":100,"seconds":33.33}"#);
    }
}
