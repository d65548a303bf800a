//! A deck as the body of a create-project request.

use std::path::Path;

use serde_json::{Value, json};

use crate::{Clip, ClipWhat, Deck, Orientation, Slide};

/// Who speaks the notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presenter {
    /// As `model.ai_name` has it.
    pub model: String,
    /// As `model.emotion` has it.
    pub cloth: String,
}

/// Names of projects are at most this long.
const LONGEST_NAME: usize = 200;

/// The project: a scene for each slide, its picture behind; with notes, the presenter bottom right and the notes to say.
///
/// `link` gives the address under which a file of the deck's folder will be found. `name` goes before the document's
/// own title.
pub fn deck_to_project(
    deck: &Deck,
    link: &dyn Fn(&Path) -> String,
    name: Option<&str>,
    presenter: &Presenter,
) -> Value {
    let name = name.or(deck.title.as_deref()).map(str::trim).filter(|name| !name.is_empty()).unwrap_or("Slides");
    let name: String = name.chars().take(LONGEST_NAME).collect();
    let scenes = deck.slides.iter().enumerate();
    let scenes: Vec<Value> =
        scenes.map(|(index, slide)| scene(index, slide, deck.orientation, link, presenter)).collect();
    json!({ "name": name, "orientation": deck.orientation.name(), "scenes": scenes })
}

fn scene(
    index: usize,
    slide: &Slide,
    orientation: Orientation,
    link: &dyn Fn(&Path) -> String,
    presenter: &Presenter,
) -> Value {
    let [r, g, b] = slide.edge_colour;
    let mut clips: Vec<Value> = slide.clips.iter().enumerate().map(|(at, clip)| clip_of(at, clip, link)).collect();
    if !slide.notes.is_empty() {
        clips.push(presenter_clip(slide, orientation, presenter));
    }
    let mut scene = json!({
        "sceneIdx": index,
        "name": slide.name,
        "background": {
            "id": "background", "type": "background", "source_type": "image",
            "source_url": link(&slide.picture), "source_color": format!("rgb({r},{g},{b})"),
        },
        "clips": clips,
        "thumbnailUrl": link(&slide.thumbnail),
    });
    if !slide.notes.is_empty() {
        scene["scripts"] = json!([{
            "org": spoken(&slide.notes), "isTTS": false, "tts": null,
            "modelId": presenter.model, "clothId": presenter.cloth,
        }]);
    }
    scene
}

/// A text or picture as the scene language has it.
pub(crate) fn clip_of(at: usize, clip: &Clip, link: &dyn Fn(&Path) -> String) -> Value {
    let exact = |value: f64| (value * 100.0).round() / 100.0;
    let mut value = json!({
        "id": format!("slide-{}", at + 1), "name": clip.name, "layer": at + 1,
        "left": exact(clip.left), "top": exact(clip.top), "width": exact(clip.width), "height": exact(clip.height),
    });
    if clip.angle != 0.0 {
        value["angle"] = json!(exact(clip.angle));
    }
    match &clip.what {
        ClipWhat::Picture(path) => {
            value["type"] = json!("image");
            value["source_url"] = json!(link(path));
        }
        ClipWhat::Text(text) => {
            let [r, g, b] = text.colour;
            value["type"] = json!("textImage");
            value["text"] = json!(text.text);
            value["fontSize"] = json!(exact(text.points));
            value["fontFamily"] = json!(text.family);
            value["fill"] = json!(format!("rgb({r},{g},{b})"));
            value["align"] = json!(text.align);
            value["lineHeight"] = json!((text.line_height * 1e4).round() / 1e4);
            value["fontWeight"] = json!(if text.bold { "bold" } else { "normal" });
            value["fontStyle"] = json!(if text.italic { "italic" } else { "normal" });
            value["underline"] = json!(text.underline);
        }
    }
    value
}

/// A paragraph for each line, so that there is a breath between them.
fn spoken(notes: &str) -> String {
    let lines: Vec<String> = notes.lines().map(str::trim).filter(|line| !line.is_empty()).map(escaped).collect();
    match lines.as_slice() {
        [line] => line.clone(),
        lines => lines.iter().map(|line| format!("<p>{line}</p>")).collect(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Head and shoulders on the bottom edge, a quarter of the width (a third upright), so that the slide stays readable.
fn presenter_clip(slide: &Slide, orientation: Orientation, presenter: &Presenter) -> Value {
    let (width, height) = orientation.canvas();
    let side = match orientation {
        Orientation::Landscape => 500,
        Orientation::Portrait => 420,
    };
    let mut model = json!({ "ai_name": presenter.model, "emotion": presenter.cloth });
    if let Some(language) = &slide.language {
        model["language"] = json!(language);
    }
    json!({
        "id": "presenter", "type": "aiModel", "layer": 10 + slide.clips.len(),
        "left": width - side, "top": height - side, "width": side, "height": side,
        "headOnly": true, "model": model,
    })
}
