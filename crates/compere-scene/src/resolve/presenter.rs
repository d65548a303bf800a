//! The avatar clips of a scene.
//!
//! # Geometry
//!
//! An avatar clip's rectangle shows the vendor's cut-out picture of a presenter. `model.editor` says where in that
//! picture the figure itself is: the box `modelTightX/Y/W/H` inside `modelOriginW/H` (or `model.origin`), in the
//! picture's own pixels. It is consistent when the picture's proportions are the rectangle's (within 2 %) and the box
//! lies inside the picture and is no splinter of it. Then the presenter stands in the box as it falls on the canvas;
//! otherwise, and when only the ids are given, in the whole rectangle. Head boxes, spaces, adjustments and image names
//! describe the editor's own picture and are not needed for that.

use std::borrow::Cow;

use serde_json::Value;

use super::cast::{self, Cast};
use super::{Given, looks, place};
use crate::document::reader::Object;
use crate::film::{Avatar, Clip, ClipKind, Framing, Place};
use crate::problem::Code;

/// An avatar clip that is not deleted.
pub(super) struct Presenter<'a> {
    pub(super) clip: Object<'a>,
    /// As written, for the comparison with a script.
    pub(super) ai_name: Option<String>,
    pub(super) emotion: Option<String>,
    pub(super) language: Option<String>,
    pub(super) cast: Option<Cast<'a>>,
}

impl Presenter<'_> {
    pub(super) fn has_script(&self) -> bool {
        self.clip.raw("script").is_some()
    }
}

pub(super) fn presenter<'a>(clip: &Object<'a>, given: Given<'a>) -> Presenter<'a> {
    let mut presenter = Presenter { clip: clip.clone(), ai_name: None, emotion: None, language: None, cast: None };
    if clip.raw("model").is_none() {
        clip.missing(Code::ScriptModelMismatch, "model");
        return presenter;
    }
    let Some(model) = clip.object("model") else { return presenter };
    let named = |key: &str| {
        let word = model.word(key);
        if word.is_none() && !matches!(model.raw(key), Some(Value::Object(_) | Value::Array(_) | Value::Bool(_))) {
            model.missing(Code::ScriptModelMismatch, key);
        }
        word.map(Cow::into_owned)
    };
    presenter.ai_name = named("ai_name");
    presenter.emotion = named("emotion");
    presenter.language = model.word("language").map(Cow::into_owned);
    if let (Some(name), Some(emotion)) = (&presenter.ai_name, &presenter.emotion) {
        presenter.cast = cast::cast(&model, ("ai_name", "emotion"), (name, Some(emotion)), given);
    }
    if let (Some(cast), Some(language)) = (&presenter.cast, &presenter.language) {
        cast::warn_of_language(&model, "language", cast.avatar, language);
    }
    presenter
}

/// The clip that is drawn and its layer; none for a presenter who is only heard.
pub(super) fn drawn(presenter: &Presenter<'_>) -> Option<(f64, Clip)> {
    let clip = &presenter.clip;
    let id = clip.need_word("id");
    if clip.is_set("voiceOnly") {
        return None;
    }
    let layer = clip.need("layer", Object::number);
    let place = figure(clip, place::place(clip));
    let (opacity, animation, framing) = (looks::presenter_opacity(clip), looks::animation(clip), framing(clip));
    let cast = presenter.cast.as_ref()?;
    let avatar = Avatar { avatar: cast.avatar.id.clone(), outfit: cast.outfit.to_owned(), framing };
    let drawn = Clip {
        id: id?.into_owned(),
        path: clip.path.clone(),
        place,
        opacity,
        animation,
        kind: ClipKind::Avatar(avatar),
    };
    Some((layer?, drawn))
}

fn framing(clip: &Object<'_>) -> Framing {
    let effects = clip.raw("effects").and_then(Value::as_array);
    let is_head = |effect: &Value| effect.get("type").and_then(Value::as_str) == Some("head-only");
    let head = clip.is_set("headOnly") || effects.is_some_and(|effects| effects.iter().any(is_head));
    if head { Framing::Head } else { Framing::Body }
}

/// Where inside the clip's rectangle the figure stands. These numbers are an editor's, so they are never a problem.
fn figure(clip: &Object<'_>, rectangle: Place) -> Place {
    let model = clip.raw("model");
    let number = |part: &str, key: &str| model?.get(part)?.get(key)?.as_f64();
    let side = |editor_key, origin_key| {
        let side = number("editor", editor_key).or_else(|| number("origin", origin_key))?;
        (side > 0.0).then_some(side)
    };
    let figure = || {
        let picture = (side("modelOriginW", "width")?, side("modelOriginH", "height")?);
        let [x, y, width, height] =
            ["modelTightX", "modelTightY", "modelTightW", "modelTightH"].map(|key| number("editor", key));
        boxed(rectangle, picture, (x?, y?, width?, height?))
    };
    // A turned rectangle keeps its corner, about which it turns.
    if rectangle.angle == 0.0 { figure().unwrap_or(rectangle) } else { rectangle }
}

/// The box of the picture as the picture fills the rectangle; nothing if the numbers contradict each other.
fn boxed(rectangle: Place, picture: (f64, f64), (x, y, width, height): (f64, f64, f64, f64)) -> Option<Place> {
    let scale = (rectangle.width / picture.0, rectangle.height / picture.1);
    let alike = (scale.0 / scale.1 - 1.0).abs() < 0.02;
    let inside = x >= 0.0 && y >= 0.0 && x + width <= picture.0 * 1.001 && y + height <= picture.1 * 1.001;
    let splinter = width < picture.0 * 0.1 || height < picture.1 * 0.1;
    (alike && inside && !splinter).then_some(Place {
        left: rectangle.left + x * scale.0,
        top: rectangle.top + y * scale.1,
        width: width * scale.0,
        height: height * scale.1,
        angle: 0.0,
    })
}
