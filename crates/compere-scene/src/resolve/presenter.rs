//! The avatar clips of a scene.

use std::borrow::Cow;

use serde_json::Value;

use super::cast::{self, Cast};
use super::{Given, effects, figure, looks, place};
use crate::document::reader::Object;
use crate::film::{Avatar, Clip, ClipKind};
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
    model.object("editor");
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
    let (place, framing) = figure::stand(clip, place::place(clip), effects::shows_head_only(clip));
    let (opacity, animation) = (looks::presenter_opacity(clip), looks::animation(clip));
    let (from, until) = looks::steps(clip);
    let round = clip.choice("mask", &[(true, "circle"), (false, "none")]).unwrap_or(false);
    let cast = presenter.cast.as_ref()?;
    let avatar = Avatar { avatar: cast.avatar.id.clone(), outfit: cast.outfit.to_owned(), framing, round };
    let drawn = Clip {
        id: id?.into_owned(),
        path: clip.path.clone(),
        place,
        opacity,
        animation,
        from,
        until,
        kind: ClipKind::Avatar(avatar),
    };
    Some((layer?, drawn))
}
