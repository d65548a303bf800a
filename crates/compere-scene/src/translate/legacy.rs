//! The older generation's body (1.4.x) becomes a project.
//!
//! Positions are given by a clip's midpoint: 0 is the middle of the canvas, 0.5 its right or bottom edge. Of the sizes,
//! the contract fixes those of images: at scale 1 an image is drawn at half its own size, at 2 in full. Hence the
//! `measure` argument, which knows the size of a linked picture; an unknown one is taken to be as large as the canvas.
//! The rest is ours: a presenter at scale 1 is as tall as the canvas, a text 45 pt, a `userVideo` as large as the canvas.
//! The canvas is always landscape and white where no background covers it.

use serde_json::{Value, json};

use super::write::{self, Rectangle};
use crate::captions::columns;
use crate::catalogue::Catalogue;
use crate::document::edit::{Edited, merge};
use crate::document::reader::{Item, Object};
use crate::limits::Limits;
use crate::problem::{Notes, Problem};
use crate::schema::{OLDER_CHANGES, OLDER_READ};

const CANVAS: (f64, f64) = (1920.0, 1080.0);

/// Height over width of a rectangle that shows a presenter down to the hips.
const HALF_FIGURE: f64 = 1.35;

/// Of a text at scale 1.
const POINTS: f64 = 45.0;

/// Width and height of a linked picture, if it can be had.
pub type Measure<'m> = dyn Fn(&str) -> Option<(u32, u32)> + 'm;

/// The project that a legacy body describes.
pub fn legacy_to_project(
    body: &Value,
    limits: &Limits,
    catalogue: &dyn Catalogue,
    measure: &Measure<'_>,
) -> Result<Value, Vec<Problem>> {
    let notes = Notes::default();
    let project = Object::new(body, String::new(), &OLDER_READ, &notes).map(|body| {
        let scenes = body.need_items("scenes", limits.scenes);
        if scenes.is_empty() && body.raw("scenes").is_some_and(Value::is_array) {
            body.blame("scenes", "must have at least one scene");
        }
        let given = Given { limits, catalogue, measure };
        let scenes = scenes.into_iter().enumerate();
        let scenes: Vec<Value> =
            scenes.filter_map(|(number, item)| Some(scene(&item.object()?, number, &given))).collect();
        let name = body.word("projectName").or_else(|| body.word("name"));
        json!({ "name": name, "orientation": "landscape", "scenes": scenes })
    });
    let (project, _) = notes.settle(project)?;
    let mut project = project.expect("a body that is no object is a problem");
    write::carry_over(body, &mut project);
    Ok(project)
}

/// Whether a body is of the older generation: only there scenes have an `AIModel` and clips a `detail`.
pub fn is_legacy(body: &Value) -> bool {
    let is_older = |scene: &Value| {
        let clips = scene.get("clips").and_then(Value::as_array);
        scene.get("AIModel").is_some()
            || clips.is_some_and(|clips| clips.iter().any(|clip| clip.get("detail").is_some()))
    };
    body.get("scenes").and_then(Value::as_array).is_some_and(|scenes| scenes.iter().any(is_older))
}

struct Given<'a> {
    limits: &'a Limits,
    catalogue: &'a dyn Catalogue,
    measure: &'a Measure<'a>,
}

#[derive(Clone, Copy, PartialEq)]
enum OldClip {
    Image,
    Background,
    Text,
    Video,
}

const OLD_CLIPS: [(OldClip, &str); 4] = [
    (OldClip::Image, "image"),
    (OldClip::Background, "background"),
    (OldClip::Text, "text"),
    (OldClip::Video, "userVideo"),
];

fn scene(scene: &Object<'_>, number: usize, given: &Given<'_>) -> Value {
    let mut clips = Vec::new();
    let mut picture = None;
    let items = scene.raw("clips").map(|_| scene.need_items("clips", given.limits.clips_per_scene));
    for object in items.unwrap_or_default().into_iter().filter_map(Item::object) {
        let kind = object.need("type", |object, key| object.choice(key, &OLD_CLIPS));
        let Some(detail) = object.need("detail", Object::object) else { continue };
        let id = |kind: &str, clips: &[Value]| format!("{kind}-{}", clips.len() + 1);
        match kind {
            Some(OldClip::Background) => picture = detail.need_word("url").or(picture),
            Some(OldClip::Image) => clips.extend(image(&detail, &id("image", &clips), given)),
            Some(OldClip::Text) => clips.extend(text(&detail, &id("textImage", &clips), given)),
            Some(OldClip::Video) => clips.extend(video(&detail, &id("videoImage", &clips))),
            None => {}
        }
    }
    let mut translated = json!({
        "sceneIdx": number,
        "background": write::background("rgb(255,255,255)", picture.as_deref()),
        "clips": [],
        "watermark": false,
        "thumbnailUrl": null,
    });
    if let Some(model) = scene.object("AIModel")
        && let Some((clip, script)) = presenter(&model, given)
    {
        clips.push(clip);
        translated["scripts"] = json!([script]);
    }
    translated["clips"] = Value::Array(clips);
    translated
}

fn presenter(model: &Object<'_>, given: &Given<'_>) -> Option<(Value, Value)> {
    let performer = write::performer(model, "script", true, given.limits, given.catalogue);
    let scale = scale(model, "scale");
    let height = CANVAS.1 * scale;
    let rectangle = Rectangle { center: center(model, true), size: (height / HALF_FIGURE, height) };
    let clip = write::clip("aiModel-1", "aiModel", layer(model, 300.0), &rectangle);
    let performer = performer?;
    Some((write::avatar(clip, &performer), write::script(&performer)))
}

fn image(detail: &Object<'_>, id: &str, given: &Given<'_>) -> Option<Value> {
    let url = detail.need_word("url");
    let natural = url.as_deref().and_then(given.measure);
    let natural = natural.filter(|&(width, height)| width > 0 && height > 0);
    let (width, height) = natural.map_or(CANVAS, |(width, height)| (f64::from(width), f64::from(height)));
    let scale = scale(detail, "scale") / 2.0;
    let rectangle = Rectangle { center: center(detail, false), size: (width * scale, height * scale) };
    let clip = write::clip(id, "image", layer(detail, 500.0), &rectangle);
    Some(write::with(clip, json!({ "source_url": url? })))
}

fn video(detail: &Object<'_>, id: &str) -> Option<Value> {
    let url = detail.need_word("url");
    let size = (CANVAS.0 * scale(detail, "scaleX"), CANVAS.1 * scale(detail, "scaleY"));
    let rectangle = Rectangle { center: center(detail, false), size };
    let clip = write::clip(id, "videoImage", layer(detail, 500.0), &rectangle);
    Some(write::with(clip, json!({ "video_url": url? })))
}

/// As wide as the canvas, centred, and as tall as its lines will probably be.
fn text(detail: &Object<'_>, id: &str, given: &Given<'_>) -> Option<Value> {
    let words = detail.need("textSource", Object::text);
    if let Some(words) = &words {
        crate::resolve::check_length(detail, "textSource", words, given.limits.script_chars);
    }
    let points = POINTS * scale(detail, "scale");
    let pixels = points * 4.0 / 3.0;
    let lines = words.as_deref().map_or(1.0, |words| lines(words, CANVAS.0 / (pixels * 0.55)));
    let rectangle = Rectangle { center: center(detail, false), size: (CANVAS.0, lines * pixels * 1.16) };
    let clip = write::clip(id, "textImage", layer(detail, 500.0), &rectangle);
    let color = detail.word("color").unwrap_or("rgb(0,0,0)".into());
    let font = detail.word("font").unwrap_or("Noto Sans".into());
    let looks = json!({ "text": words?, "fill": color, "fontSize": points, "fontFamily": font, "align": "center" });
    Some(write::with(clip, looks))
}

/// How many lines of `room` columns a text takes.
fn lines(text: &str, room: f64) -> f64 {
    text.lines().map(|line| (columns(line) as f64 / room).ceil().max(1.0)).sum::<f64>().max(1.0)
}

fn center(object: &Object<'_>, needed: bool) -> (f64, f64) {
    let share = |key: &str| {
        let read = |object: &Object<'_>, key: &str| object.number_in(key, -50.0..=50.0);
        if needed { object.need(key, read) } else { read(object, key) }.unwrap_or(0.0)
    };
    (CANVAS.0 * (0.5 + share("locationX")), CANVAS.1 * (0.5 + share("locationY")))
}

fn scale(object: &Object<'_>, key: &str) -> f64 {
    let scale = object.positive(key).unwrap_or(1.0);
    if scale > 50.0 {
        object.blame(key, format!("must be at most 50, was {scale}"));
    }
    scale.min(50.0)
}

fn layer(object: &Object<'_>, default: f64) -> f64 {
    object.number("layer").unwrap_or(default)
}

/// Changes a legacy body: every entry names a scene by its place, `AIModel` or `clips`, and values that are merged in.
/// All or nothing.
pub fn edit_legacy(body: &mut Value, updates: &Value) -> Result<Edited, Vec<Problem>> {
    let (notes, mut told) = (Notes::default(), Edited::default());
    let wrapped = json!({ "updates": updates });
    let mut edited = body.clone();
    if let Some(wrapped) = Object::new(&wrapped, String::new(), &OLDER_CHANGES, &notes) {
        for entry in wrapped.need_items("updates", 10_000).into_iter().filter_map(Item::object) {
            apply(&mut edited, &entry, &mut told);
        }
    }
    notes.settle(())?;
    *body = edited;
    Ok(told)
}

fn apply(body: &mut Value, entry: &Object<'_>, told: &mut Edited) {
    let index = entry.need("sceneIdx", Object::number);
    let is_model = entry.need("property", |entry, key| entry.choice(key, &[(true, "AIModel"), (false, "clips")]));
    let values = entry.need("values", Object::object);
    let (Some(index), Some(is_model), Some(values)) = (index, is_model, values) else { return };
    let Some(scene) = body.get_mut("scenes").and_then(|scenes| at(scenes, index)) else {
        return entry.blame("sceneIdx", format!("there is no scene {index}"));
    };
    if is_model {
        match scene.get_mut("AIModel").filter(|model| model.is_object()) {
            Some(model) => {
                merge(model, values.map());
                note(told, &format!("scenes[{index}].AIModel"), &values);
            }
            None => entry.blame("property", format!("scene {index} has no AIModel")),
        }
        return;
    }
    let Some((at, clip)) = clip(scene, entry) else {
        return entry.blame("clipIdx", "names no clip of that type in the scene");
    };
    match values.raw("detail") {
        Some(_) => {
            merge(clip, values.map());
            note(told, &format!("scenes[{index}].clips[{at}]"), &values);
        }
        None => {
            merge(&mut clip["detail"], values.map());
            note(told, &format!("scenes[{index}].clips[{at}].detail"), &values);
        }
    }
}

/// Which fields of `place` came from these values.
fn note(told: &mut Edited, place: &str, values: &Object<'_>) {
    for key in values.map().keys() {
        told.note(format!("{place}.{key}"), values.path_of(key));
    }
}

fn at(list: &mut Value, index: f64) -> Option<&mut Value> {
    let index = (index >= 0.0 && index.fract() == 0.0).then_some(index as usize)?;
    list.as_array_mut()?.get_mut(index).filter(|item| item.is_object())
}

/// The clip at `clipIdx` if it is of `clipType`, else the one with that number among those of the type.
fn clip<'s>(scene: &'s mut Value, entry: &Object<'_>) -> Option<(usize, &'s mut Value)> {
    let kind = entry.word("clipType");
    let index = entry.number_in("clipIdx", 0.0..=1e6).unwrap_or(0.0) as usize;
    let clips = scene.get_mut("clips")?.as_array_mut()?;
    let is_kind =
        |clip: &Value| clip.is_object() && kind.as_deref().is_none_or(|kind| clip["type"].as_str() == Some(kind));
    let found = if clips.get(index).is_some_and(is_kind) {
        index
    } else {
        clips.iter().enumerate().filter(|(_, clip)| is_kind(clip)).nth(index)?.0
    };
    clips.get_mut(found).map(|clip| (found, clip))
}
