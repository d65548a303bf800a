//! The simple requests: one text, one presenter.

use serde_json::{Value, json};

use super::write::{self, Performer, Rectangle};
use crate::catalogue::Catalogue;
use crate::document::reader::Object;
use crate::limits::Limits;
use crate::problem::{Notes, Problem};
use crate::schema::SIMPLE_READ;

/// What the presenter stands before, to be taken out again.
const CHROMA: &str = "rgb(0,177,64)";

/// The part of the picture's height that is empty above the head when nothing is cropped.
const HEADROOM: f64 = 0.1;

const CANVAS: (f64, f64) = (1080.0, 1920.0);

/// The presenter alone on chroma green, as a project.
///
/// The figure is as wide as a portrait canvas, which is what a figure's shape asks for, and cut by its bottom edge.
/// `uppercut` is the percentage of the empty tenth above the head that is cropped away: at 100 the head touches the top.
pub fn simple_video_to_project(
    body: &Value,
    limits: &Limits,
    catalogue: &dyn Catalogue,
) -> Result<Value, Vec<Problem>> {
    translate(body, |body| {
        let performer = performer(body, true, limits, catalogue);
        let uppercut = body.number_in("uppercut", 0.0..=100.0).unwrap_or(0.0);
        let rectangle = Rectangle { center: (CANVAS.0 / 2.0, CANVAS.1 / 2.0), size: CANVAS };
        let performer = performer?;
        let clip = write::clip("aiModel-1", "aiModel", 1.0, &rectangle);
        let clip = write::with(clip, json!({ "headroom": HEADROOM * (1.0 - uppercut / 100.0) }));
        Some(project(&performer, "portrait", &[write::avatar(clip, &performer)]))
    })
}

/// The presenter's voice without the presenter, as a project whose only scene has one line and no clips.
pub fn simple_audio_to_project(
    body: &Value,
    limits: &Limits,
    catalogue: &dyn Catalogue,
) -> Result<Value, Vec<Problem>> {
    translate(body, |body| Some(project(&performer(body, false, limits, catalogue)?, "landscape", &[])))
}

fn translate(body: &Value, to_project: impl FnOnce(&Object<'_>) -> Option<Value>) -> Result<Value, Vec<Problem>> {
    let notes = Notes::default();
    let project = Object::new(body, String::new(), &SIMPLE_READ, &notes).and_then(|body| to_project(&body));
    let (project, _) = notes.settle(project)?;
    let mut project = project.expect("what could not be read is a problem");
    write::carry_over(body, &mut project);
    Ok(project)
}

fn performer(body: &Object<'_>, needs_clothes: bool, limits: &Limits, catalogue: &dyn Catalogue) -> Option<Performer> {
    body.need_word("language");
    let performer = write::performer(body, "text", needs_clothes, limits, catalogue)?;
    if performer.text.trim().is_empty() {
        body.blame("text", "must not be empty");
    }
    Some(performer)
}

fn project(performer: &Performer, orientation: &str, clips: &[Value]) -> Value {
    json!({
        "name": title(&performer.text),
        "orientation": orientation,
        "scenes": [{
            "sceneIdx": 0,
            "scripts": [write::script(performer)],
            "background": write::background(CHROMA, None),
            "clips": clips,
            "watermark": false,
            "thumbnailUrl": null,
        }],
    })
}

/// The first words of the text, by which the request is found again.
fn title(text: &str) -> String {
    let words = crate::script::written(&crate::script::parts(text));
    let mut title = String::new();
    for word in words.split_whitespace() {
        if title.chars().count() + word.chars().count() > 48 {
            break;
        }
        if !title.is_empty() {
            title.push(' ');
        }
        title.push_str(word);
    }
    if title.is_empty() { words.chars().take(48).collect() } else { title }
}
