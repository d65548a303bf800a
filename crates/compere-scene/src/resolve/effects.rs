//! What is done to a presenter as a whole.

use serde_json::Value;

use crate::document::reader::{Item, Object};

/// `effects` with `head-only`, or `headOnly`.
pub(super) fn shows_head_only(clip: &Object<'_>) -> bool {
    let effects = clip.raw("effects").and_then(|_| clip.list("effects")).unwrap_or_default();
    let listed = effects.into_iter().map(is_head_only).fold(false, |any, one| any | one);
    listed | clip.is_set("headOnly")
}

/// There is one effect. It stands in an object, as editors write it, or by itself.
fn is_head_only(effect: Item<'_>) -> bool {
    const NAMES: [(bool, &str); 1] = [(true, "head-only")];
    // Editors that always write an entry write this one.
    let is_none = |value: &Value| value.as_str().is_some_and(|name| name.eq_ignore_ascii_case("none"));
    if let Value::String(_) = effect.value {
        return !is_none(effect.value) && effect.choice(&NAMES).is_some();
    }
    let Some(effect) = effect.object() else { return false };
    if effect.raw("type").is_some_and(is_none) {
        return false;
    }
    // An editor leaves an empty object, or one without a name, behind an effect that was taken away.
    effect.choice("type", &NAMES).is_some()
}
