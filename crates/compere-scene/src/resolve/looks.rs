//! What several kinds of clip share: opacity, outline, shadow, animation, volume.

use compere_media::Rgb;

use crate::document::reader::Object;
use crate::film::{Animation, AnimationKind, Shadow, Stroke, Transition, TransitionKind};

/// 1 to 100 in the document, 0 to 1 in the film.
pub(super) fn opacity(clip: &Object<'_>) -> f64 {
    let Some(percent) = clip.number_in("opacity", 0.0..=100.0) else { return 1.0 };
    if percent > 0.0 && percent <= 1.0 {
        clip.warn("opacity", format!("{percent} is read as {percent} %; a fully opaque clip has 100"));
    }
    percent / 100.0
}

/// Presenters come with fractions as well as with percentages.
pub(super) fn presenter_opacity(clip: &Object<'_>) -> f64 {
    let opacity = clip.number_in("opacity", 0.0..=100.0).unwrap_or(1.0);
    if opacity <= 1.0 { opacity } else { opacity / 100.0 }
}

pub(super) fn volume(object: &Object<'_>) -> f32 {
    (object.number_in("volume", 0.0..=100.0).unwrap_or(100.0) / 100.0) as f32
}

/// An outline that can be seen.
pub(super) fn stroke(clip: &Object<'_>) -> Option<Stroke> {
    let width = clip.number_in("strokeWidth", 0.0..=1000.0);
    let color = clip.color("stroke");
    Some(Stroke { color: color.filter(is_visible)?, width: width.filter(|&width| width > 0.0)? })
}

pub(super) fn is_visible(color: &Rgb) -> bool {
    color.a > 0
}

pub(super) fn shadow(clip: &Object<'_>) -> Option<Shadow> {
    const DEFAULT: Rgb = Rgb { r: 0, g: 0, b: 0, a: 0x60 };
    // An empty text is what an editor leaves behind when a shadow is taken away.
    if clip.raw("shadow").and_then(serde_json::Value::as_str).is_some_and(str::is_empty) {
        return None;
    }
    let shadow = clip.object("shadow")?;
    let enabled = shadow.flag("enabled").unwrap_or(true);
    let color = shadow.color("color").unwrap_or(DEFAULT);
    let offset = |key| shadow.number_in(key, -1000.0..=1000.0).unwrap_or(5.0);
    let blur = shadow.number_in("blur", 0.0..=1000.0).unwrap_or(0.0);
    let drawn = Shadow { color, blur, dx: offset("offsetX"), dy: offset("offsetY") };
    (enabled && is_visible(&color)).then_some(drawn)
}

pub(super) fn animation(clip: &Object<'_>) -> Option<Animation> {
    let animation = clip.object("animation")?;
    if matches!(animation.word("type").as_deref(), Some("none")) || animation.keys().next().is_none() {
        return None;
    }
    let kind = animation.need("type", |animation, key| animation.choice(key, &AnimationKind::ALL));
    let duration = animation.need("duration", |animation, key| animation.number_in(key, 0.1..=30.0));
    let delay = animation.number_in("delay", 0.0..=30.0).unwrap_or(0.0);
    Some(Animation { kind: kind?, duration: duration?, delay })
}

/// Of a scene.
pub(super) fn transition(scene: &Object<'_>) -> Option<Transition> {
    let transition = scene.object("transition")?;
    let duration = transition.number_in("duration", Transition::RANGE.0..=Transition::RANGE.1);
    if transition.word("type").as_deref() == Some("none") || transition.keys().next().is_none() {
        return None;
    }
    let kind = transition.need("type", |transition, key| transition.choice(key, &TransitionKind::ALL));
    Some(Transition { kind: kind?, duration: duration.unwrap_or(Transition::SECONDS) })
}

/// More steps than a scene is explained in.
const MOST_STEPS: f64 = 99.0;

/// The steps of the script with which a clip comes and goes.
pub(super) fn steps(clip: &Object<'_>) -> (Option<u8>, Option<u8>) {
    let step = |key| clip.number_in(key, 1.0..=MOST_STEPS).map(|step| step as u8);
    (step("fromStep"), step("untilStep"))
}

/// With `\n` for each end of a line.
pub(super) fn one_break(words: &str) -> String {
    words.replace("\r\n", "\n").replace('\r', "\n")
}

/// A number, or one of the two words that CSS has for them.
pub(super) fn weight(object: &Object<'_>) -> Option<u16> {
    match object.word("fontWeight").as_deref() {
        None => None,
        Some("normal") => Some(400),
        Some("bold") => Some(700),
        Some(_) => object.number_in("fontWeight", 1.0..=1000.0).map(|weight| weight as u16),
    }
}

pub(super) fn is_italic(object: &Object<'_>) -> Option<bool> {
    object.choice("fontStyle", &[(false, "normal"), (true, "italic"), (true, "oblique")])
}
