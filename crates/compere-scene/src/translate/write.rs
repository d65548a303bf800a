//! Pieces of a project body that translations write.

use crate::nearest::most_of;
use serde_json::{Map, Value, json};

use crate::catalogue::{AvatarEntry, Catalogue, Match};
use crate::document::reader::Object;
use crate::document::reader::shortened;
use crate::limits::Limits;
use crate::resolve::cast::{Cast, cast};
use crate::resolve::{Given, check_length};

/// An avatar in an outfit, as the author named both.
pub(super) struct Performer {
    pub(super) model: String,
    pub(super) clothes: Option<String>,
    pub(super) language: Option<String>,
    pub(super) text: String,
}

/// Reads `model`, `clothes`, `language` and a text, as older requests name them, and checks them.
pub(super) fn performer(
    object: &Object<'_>,
    text_key: &str,
    needs_clothes: bool,
    limits: &Limits,
    catalogue: &dyn Catalogue,
) -> Option<Performer> {
    let text = object.need(text_key, Object::text);
    if let Some(text) = &text {
        check_length(object, text_key, text, limits.script_chars);
    }
    let model = object.need_word("model");
    let clothes = if needs_clothes { object.need_word("clothes") } else { object.word("clothes") };
    let language = object.word("language");
    let given = Given { limits, catalogue, skips_missing: false };
    if let Some(model) = &model {
        let cast = cast(object, ("model", "clothes"), (model, clothes.as_deref()), given);
        if let (Some(Cast { avatar, by: Match::Name, .. }), Some(language)) = (cast, &language) {
            check_language(object, avatar, language);
        }
    }
    let owned = |word: Option<std::borrow::Cow<'_, str>>| word.map(std::borrow::Cow::into_owned);
    Some(Performer { model: owned(model)?, clothes: owned(clothes), language: owned(language), text: owned(text)? })
}

fn check_language(object: &Object<'_>, avatar: &AvatarEntry, language: &str) {
    if !avatar.languages.is_empty() && !avatar.speaks(language) {
        let own = most_of(avatar.languages.iter().map(String::as_str));
        let message = format!("`{}` speaks {own}, not `{}`", avatar.id, shortened(language));
        object.blame("language", message);
    }
}

/// A colour behind everything, or a picture.
pub(super) fn background(color: &str, url: Option<&str>) -> Value {
    let source_type = if url.is_some() { "image" } else { "color" };
    json!({
        "id": "background", "type": "background", "source_type": source_type,
        "source_url": url.unwrap_or_default(), "source_color": color,
    })
}

/// The one entry of `scripts`.
pub(super) fn script(performer: &Performer) -> Value {
    let mut script = json!({
        "org": performer.text, "isTTS": false, "tts": null,
        "modelId": performer.model, "clothId": performer.clothes,
    });
    script["language"] = json!(performer.language);
    script
}

/// A rectangle by its middle.
pub(super) struct Rectangle {
    pub(super) center: (f64, f64),
    pub(super) size: (f64, f64),
}

/// A clip with nothing but its place.
pub(super) fn clip(id: &str, kind: &str, layer: f64, rectangle: &Rectangle) -> Value {
    let Rectangle { center: (x, y), size: (width, height) } = *rectangle;
    json!({
        "id": id, "type": kind, "layer": layer, "left": x - width / 2.0, "top": y - height / 2.0,
        "width": width, "height": height, "scaleX": 1, "scaleY": 1,
    })
}

/// The clip with more fields.
pub(super) fn with(mut clip: Value, fields: Value) -> Value {
    if let (Value::Object(clip), Value::Object(fields)) = (&mut clip, fields) {
        clip.extend(fields);
    }
    clip
}

pub(super) fn avatar(clip: Value, performer: &Performer) -> Value {
    let model = json!({
        "ai_name": performer.model, "emotion": performer.clothes, "language": performer.language,
    });
    with(clip, json!({ "model": model }))
}

/// Takes over what both generations call alike, and the webhook, which they do not.
pub(super) fn carry_over(body: &Value, project: &mut Value) {
    const ALIKE: [&str; 9] = [
        "workspaceId",
        "resolution",
        "isExport",
        "webhookUrl",
        "callbackId",
        "webhookMethod",
        "onAssetError",
        "dictionary",
        "format",
    ];
    let (Value::Object(body), Value::Object(project)) = (body, project) else { return };
    let carry = |from: &str, to: &str, project: &mut Map<String, Value>| {
        if let Some(value) = body.get(from).filter(|value| !value.is_null()) {
            project.insert(to.to_owned(), value.clone());
        }
    };
    carry("webhook", "webhookUrl", project);
    for key in ALIKE {
        carry(key, key, project);
    }
}
