//! Where things stand: a storyboard as the body of a create-project request.
//!
//! Titles are tagged `title` and points `point`, so that the film can be changed by its tags afterwards.

use serde_json::{Value, json};

use crate::board::Scene;
use crate::outline::Picture;
use compere_media::Orientation;

/// Who presents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Presenter {
    pub model: String,
    pub cloth: String,
    /// What is spoken, where it is known.
    pub language: Option<String>,
    /// A voice other than the presenter's own, or its own at another speed.
    pub voice: Option<(String, f64)>,
    /// Heard only.
    pub unseen: bool,
}

/// How a film looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// Behind the opening, and the colour of the letters on it.
    pub opening: (&'static str, &'static str),
    /// Behind everything else.
    pub content: (&'static str, &'static str),
    pub accent: &'static str,
}

impl Look {
    /// By the word that templates are asked for with.
    pub fn of(category: &str) -> Self {
        match category.to_ascii_lowercase().as_str() {
            "education" => Self {
                opening: ("gradient-dawn", "rgb(44,36,48)"),
                content: ("paper", "rgb(48,42,38)"),
                accent: "rgb(196,98,45)",
            },
            "social" => Self {
                opening: ("gradient-plum", "rgb(255,255,255)"),
                content: ("gradient-plum", "rgb(255,255,255)"),
                accent: "rgb(255,196,87)",
            },
            _ => Self {
                opening: ("gradient-ocean", "rgb(255,255,255)"),
                content: ("gradient-pearl", "rgb(24,40,60)"),
                accent: "rgb(32,110,178)",
            },
        }
    }
}

/// A rectangle: left, top, width, height.
type Area = [f64; 4];

/// Where a kind of scene has its parts.
struct Places {
    title: Area,
    points: Area,
    presenter: Area,
    align: &'static str,
}

/// The body of a create-project request that shows the storyboard.
pub fn project(name: &str, board: &[Scene], orientation: Orientation, presenter: &Presenter, look: &Look) -> Value {
    let scenes = board.iter().enumerate();
    let scenes: Vec<Value> =
        scenes.map(|(number, scene)| laid_out(number, scene, orientation, presenter, look)).collect();
    let name: String = name.trim().chars().take(200).collect();
    json!({ "name": name, "orientation": orientation.as_str(), "scenes": scenes })
}

fn laid_out(number: usize, scene: &Scene, orientation: Orientation, presenter: &Presenter, look: &Look) -> Value {
    let (backdrop, ink) = if scene.opens { look.opening } else { look.content };
    let upright = if orientation == Orientation::Portrait { "-portrait" } else { "" };
    let places = places(number, scene, orientation, presenter.unseen);
    let mut clips = Vec::new();
    if let Some(title) = &scene.title {
        clips.push(title_clip(title, scene.opens, &places, ink));
    }
    clips.extend(points(scene, &places, ink, look.accent));
    clips.extend(scene.picture.as_ref().map(|picture| picture_clip(picture, scene, &places)));
    clips.push(presenter_clip(presenter, places.presenter));
    let mut laid = json!({
        "sceneIdx": number,
        "scripts": [script(&scene.script, presenter)],
        "background": {
            "id": "background", "type": "background", "source_type": "image",
            "source_url": format!("/images/background/{backdrop}{upright}.png"), "source_color": "rgb(255,255,255)",
        },
        "clips": clips,
        "watermark": false,
        "thumbnailUrl": null,
    });
    if scene.script.trim().is_empty() {
        laid["duration"] = json!(UNSAID);
    }
    laid
}

/// Seconds of a scene in which nothing is said.
const UNSAID: u32 = 5;

/// The presenter changes sides, so that the film moves; alone it stands in the middle.
fn places(number: usize, scene: &Scene, orientation: Orientation, unseen: bool) -> Places {
    let is_bare = scene.title.is_none() && scene.points.is_empty() && scene.picture.is_none();
    match orientation {
        Orientation::Portrait => {
            let points = match (unseen, scene.picture.is_some() && !scene.points.is_empty()) {
                (_, true) => 230.0,
                (true, false) => 1200.0,
                (false, false) => 480.0,
            };
            Places {
                title: [90.0, if scene.opens { 250.0 } else { 150.0 }, 900.0, 300.0],
                points: [110.0, 420.0, 860.0, points],
                presenter: [150.0, 900.0, 780.0, 1020.0],
                align: if scene.opens { "center" } else { "left" },
            }
        }
        Orientation::Landscape => {
            let mirrored = number % 2 == 1 && !scene.opens;
            let width = if unseen { 1640.0 } else { 980.0 };
            let left = if mirrored && !unseen { 800.0 } else { 140.0 };
            let seat = if is_bare {
                600.0
            } else if mirrored {
                40.0
            } else {
                1160.0
            };
            let top = match (scene.opens, scene.points.is_empty()) {
                _ if scene.picture.is_some() => 90.0,
                (true, _) => 340.0,
                (false, true) => 400.0,
                (false, false) => 140.0,
            };
            // Beside a picture points have the left half.
            let words = if scene.picture.is_some() { (width - 40.0) / 2.0 } else { width };
            Places {
                title: [left, top, width, if scene.picture.is_some() { 200.0 } else { 300.0 }],
                points: [left, 350.0, words, 620.0],
                presenter: [seat, 100.0, 720.0, 980.0],
                align: "left",
            }
        }
    }
}

/// Letters as large as the words allow.
fn points_for(text: &str, sizes: [(usize, f64); 4]) -> f64 {
    // A wide character takes the room of two.
    let columns: usize = text.chars().map(|c| if c > '\u{2e80}' { 2 } else { 1 }).sum();
    sizes.iter().find(|(most, _)| columns <= *most).map_or(sizes[3].1, |(_, size)| *size)
}

fn title_clip(title: &str, opens: bool, places: &Places, ink: &str) -> Value {
    let [left, top, width, height] = places.title;
    let sizes = if opens {
        [(22, 72.0), (44, 60.0), (80, 46.0), (140, 36.0)]
    } else {
        [(26, 54.0), (52, 46.0), (90, 36.0), (160, 28.0)]
    };
    json!({
        "id": "title", "type": "textImage", "tag": "title", "layer": 3, "left": left, "top": top, "width": width,
        "height": height, "text": title, "fill": ink, "fontSize": points_for(title, sizes), "fontFamily": "Noto Sans",
        "fontWeight": 700, "align": places.align, "animation": { "type": "fade-in", "duration": 1, "delay": 0 },
    })
}

/// As large as there is room for, in its own proportions: below the title, and beside the points where there are such.
fn picture_clip(picture: &Picture, scene: &Scene, places: &Places) -> Value {
    let upright = places.presenter[1] > 500.0;
    let [left, top, width, height] = match (upright, scene.points.is_empty()) {
        (false, true) => [places.title[0], 320.0, places.title[2], 650.0],
        (false, false) => {
            let [left, _, width, _] = places.points;
            [left + width + 40.0, 320.0, width, 650.0]
        }
        (true, true) => places.points,
        // Over the presenter's shoulder nothing fits: points and picture share the height.
        (true, false) => [places.points[0], 660.0, places.points[2], 240.0],
    };
    let (wide, high) = (f64::from(picture.size.0), f64::from(picture.size.1));
    let scale = (width / wide).min(height / high);
    let (wide, high) = (wide * scale, high * scale);
    json!({
        "id": "picture", "type": "image", "tag": "picture", "layer": 2, "left": (left + (width - wide) / 2.0).round(),
        "top": (top + (height - high) / 2.0).round(), "width": wide.round().max(1.0), "height": high.round().max(1.0),
        "source_url": picture.url, "animation": { "type": "fade-in", "duration": 1, "delay": 0 },
    })
}

/// Each with a mark before it, shown about when it is said.
fn points(scene: &Scene, places: &Places, ink: &str, accent: &str) -> Vec<Value> {
    let [left, top, width, height] = places.points;
    let longest = scene.points.iter().max_by_key(|point| point.chars().count());
    let size = longest.map_or(30.0, |point| points_for(point, [(34, 36.0), (60, 32.0), (110, 26.0), (200, 22.0)]));
    let step = (height / scene.points.len().max(1) as f64).min(150.0);
    let line = size * 4.0 / 3.0 * 1.16;
    let mut clips = Vec::new();
    for (at, point) in scene.points.iter().enumerate() {
        let y = top + step * at as f64;
        let animation = json!({ "type": "fade-in", "duration": 1, "delay": delay(scene, at) });
        clips.push(json!({
            "id": format!("mark-{at}"), "type": "shape", "shapeName": "Square", "layer": 2, "left": left,
            "top": y + 0.12 * line, "width": 10, "height": 0.8 * line, "fill": accent, "animation": animation,
        }));
        clips.push(json!({
            "id": format!("point-{at}"), "type": "textImage", "tag": "point", "layer": 3, "left": left + 40.0, "top": y,
            "width": width - 40.0, "height": step, "text": point, "fill": ink, "fontSize": size,
            "fontFamily": "Noto Sans", "align": "left", "animation": animation,
        }));
    }
    clips
}

/// Whole seconds after which a point is said, at the pace of a presenter.
fn delay(scene: &Scene, point: usize) -> u32 {
    const SECONDS_OF_LETTER: f64 = 0.068;
    let before = scene.points_from + point;
    let letters: usize = scene.script.lines().take(before).map(|line| line.chars().count() + 8).sum();
    ((letters as f64 * SECONDS_OF_LETTER) as u32).min(30)
}

fn presenter_clip(presenter: &Presenter, [left, top, width, height]: Area) -> Value {
    json!({
        "id": "presenter", "type": "aiModel", "layer": 4, "left": left, "top": top, "width": width, "height": height,
        "voiceOnly": presenter.unseen,
        "model": { "ai_name": presenter.model, "emotion": presenter.cloth, "language": presenter.language },
    })
}

fn script(text: &str, presenter: &Presenter) -> Value {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let lines: Vec<String> = text.lines().map(escaped).filter(|line| !line.trim().is_empty()).collect();
    let org = match lines.as_slice() {
        [line] => line.clone(),
        lines => lines.iter().map(|line| format!("<p>{line}</p>")).collect(),
    };
    let tts = presenter.voice.as_ref().map(|(voice, speed)| json!({ "voice": voice, "speed": speed }));
    json!({
        "org": org, "isTTS": tts.is_some(), "tts": tts, "modelId": presenter.model, "clothId": presenter.cloth,
        "language": presenter.language,
    })
}
