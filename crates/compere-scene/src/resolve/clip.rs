//! Every clip but the presenters.

use compere_media::Rgb;

use super::{Given, check_length, looks, place, runs, source};
use crate::document::reader::{Object, parsed};
use crate::film::{Align, Audio, Clip, ClipKind, Image, Place, Shape, ShapeName, Text, Video};
use crate::problem::Code;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ClipType {
    Presenter,
    Shape,
    Image,
    Text,
    Video,
    Audio,
}

impl ClipType {
    pub(super) const ALL: [(Self, &'static str); 6] = [
        (Self::Presenter, "aiModel"),
        (Self::Shape, "shape"),
        (Self::Image, "image"),
        (Self::Text, "textImage"),
        (Self::Video, "videoImage"),
        (Self::Audio, "audio"),
    ];

    pub(super) fn word(self) -> &'static str {
        Self::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, word)| word)
    }
}

/// A clip and its layer.
pub(super) fn clip(object: &Object<'_>, kind: ClipType, given: Given<'_>) -> Option<(f64, Clip)> {
    let id = object.need_word("id");
    if kind == ClipType::Audio {
        return audio(object, id?.into_owned(), given);
    }
    let layer = object.need("layer", Object::number);
    let (place, kind) = match kind {
        ClipType::Shape => shape(object),
        ClipType::Image => (place::place(object), image(object, given)),
        ClipType::Text => (place::place(object), text(object, given)),
        _ => (place::place(object), video(object, given)),
    };
    let (from, until) = looks::steps(object);
    let clip = Clip {
        id: id?.into_owned(),
        path: object.path.clone(),
        place,
        opacity: looks::opacity(object),
        animation: looks::animation(object),
        from,
        until,
        kind: kind?,
    };
    Some((layer?, clip))
}

/// Heard wherever it lies.
fn audio(object: &Object<'_>, id: String, given: Given<'_>) -> Option<(f64, Clip)> {
    let layer = object.number("layer").unwrap_or(0.0);
    let volume = looks::volume(object);
    let source = source::need(object, "source_url", given)?;
    let place = Place { left: 0.0, top: 0.0, width: 0.0, height: 0.0, angle: 0.0 };
    let kind = ClipKind::Audio(Audio { source, volume });
    let path = object.path.clone();
    Some((layer, Clip { id, path, place, opacity: 1.0, animation: None, from: None, until: None, kind }))
}

fn shape(object: &Object<'_>) -> (Place, Option<ClipKind>) {
    let name = object.need("shapeName", |object, key| object.choice(key, &ShapeName::ALL));
    let place = if name == Some(ShapeName::Line) { place::line(object) } else { place::place(object) };
    let shape = name.map(|name| Shape {
        name,
        fill: need_fill(object),
        stroke: looks::stroke(object),
        radius: object.number_in("strokeRadius", 0.0..=10_000.0).unwrap_or(0.0),
        shadow: looks::shadow(object),
    });
    if name.is_none() {
        need_fill(object);
    }
    (place, shape.map(ClipKind::Shape))
}

/// An empty fill fills nothing.
fn need_fill(object: &Object<'_>) -> Rgb {
    object.need("fill", Object::color).unwrap_or(Rgb::TRANSPARENT)
}

fn image(object: &Object<'_>, given: Given<'_>) -> Option<ClipKind> {
    let source = source::need(object, "source_url", given)?;
    Some(ClipKind::Image(Image { source }))
}

fn video(object: &Object<'_>, given: Given<'_>) -> Option<ClipKind> {
    let volume = looks::volume(object);
    if object.raw("video_url").is_none() && object.word("source_url").is_some() {
        let hint = Some("`source_url` of a video is its still picture".to_owned());
        object.blame_as(Code::InvalidBody, "video_url", "is missing", hint);
        return None;
    }
    let source = source::need(object, "video_url", given)?;
    Some(ClipKind::Video(Video { source, volume }))
}

/// Points per inch over pixels per inch, turned round.
const PIXELS_OF_POINT: f64 = 4.0 / 3.0;

/// Taller letters than the largest canvas holds.
const LARGEST_POINTS: f64 = 3000.0;

/// A text that is scaled has larger letters, not only a larger box. What is wrong with a scale is said with the place.
fn magnification(object: &Object<'_>) -> f64 {
    object.raw("scaleY").and_then(parsed).filter(|scale| *scale > 0.0).unwrap_or(1.0)
}

fn text(object: &Object<'_>, given: Given<'_>) -> Option<ClipKind> {
    let words = object.need("text", Object::text);
    if let Some(words) = &words {
        check_length(object, "text", words, given.limits.script_chars);
    }
    let points = object.need("fontSize", Object::positive).unwrap_or(1.0) * magnification(object);
    if points > LARGEST_POINTS {
        object.blame("fontSize", format!("must be at most {LARGEST_POINTS} pt with its scale, was {points}"));
    }
    let mut text = Text {
        text: words.map_or(String::new(), |words| looks::one_break(&words)),
        color: need_fill(object),
        size: points * PIXELS_OF_POINT,
        family: object.word("fontFamily").unwrap_or("Noto Sans CJK".into()).into_owned(),
        align: align(object),
        weight: looks::weight(object).unwrap_or(400),
        italic: looks::is_italic(object).unwrap_or(false),
        underline: object.is_set("underline"),
        stroke: looks::stroke(object),
        background: object.color("backgroundColor").filter(looks::is_visible),
        shadow: looks::shadow(object),
        line_height: object.number_in("lineHeight", 0.5..=5.0).unwrap_or(FABRIC_LINE_HEIGHT),
        runs: Vec::new(),
    };
    text.runs = runs::runs(object, &text);
    Some(ClipKind::Text(text))
}

/// What the editor's drawing library gives a text that says nothing else.
const FABRIC_LINE_HEIGHT: f64 = 1.16;

fn align(object: &Object<'_>) -> Align {
    let names =
        [(Align::Left, "left"), (Align::Center, "center"), (Align::Right, "right"), (Align::Justify, "justify")];
    object.choice("align", &names).unwrap_or_default()
}
