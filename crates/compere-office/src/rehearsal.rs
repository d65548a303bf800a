//! Films of test keys: marked, small, and free.
//!
//! The mark is part of the ordered film, so it is in the picture, in the cache's names and in nothing that the project
//! keeps: exported with another key, the same project is without it.

use compere_media::Resolution;
use compere_scene::{Resolved, Warning};
use serde_json::{Value, json};

/// Finer ones are drawn at this.
const FINEST: Resolution = Resolution::P720;
/// The highest that a clip may have. Of equal ones the last is on top, and the mark is the last.
const LAYER: f64 = 1e9;

/// As large as a test key may have it, with a warning where more was asked for.
pub(crate) fn at_most(resolved: &mut Resolved) {
    if matches!(resolved.film.resolution, Resolution::P1080 | Resolution::P4k) {
        resolved.film.resolution = FINEST;
        resolved.warnings.push(Warning {
            path: "resolution".to_owned(),
            message: format!("films of test keys are marked and have at most {FINEST} lines"),
        });
    }
}

/// The film with its mark across every scene.
pub(crate) fn marked(mut film: Value) -> Value {
    let (width, height) = if film["orientation"] == "portrait" { (1080, 1920) } else { (1920, 1080) };
    // A third of the height of what stands upright in either form.
    let mark = json!({
        "id": "compere-test", "type": "textImage", "layer": LAYER, "left": 0, "top": height / 2 - 160, "width": width,
        "height": 320, "text": "TEST", "fontSize": 200, "fontFamily": "Noto Sans", "fontWeight": 800, "align": "center",
        "fill": "rgb(255,255,255)", "stroke": "rgb(0,0,0)", "strokeWidth": 3, "opacity": 50,
    });
    for scene in film["scenes"].as_array_mut().into_iter().flatten() {
        let Some(scene) = scene.as_object_mut() else { continue };
        scene.insert("watermark".to_owned(), json!(true));
        match scene.get_mut("clips").and_then(Value::as_array_mut) {
            Some(clips) => clips.push(mark.clone()),
            None => drop(scene.insert("clips".to_owned(), json!([mark]))),
        }
    }
    film
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_has_the_mark_on_top() {
        let film = json!({"orientation": "portrait", "scenes": [{"clips": [{"id": "a", "layer": 9}]}, {}]});
        let marked = marked(film);
        for (scene, clips) in [(0, 2), (1, 1)] {
            let scene = &marked["scenes"][scene];
            assert_eq!((scene["clips"].as_array().map(Vec::len), &scene["watermark"]), (Some(clips), &json!(true)));
            let mark = &scene["clips"][clips - 1];
            assert_eq!(
                (&mark["text"], &mark["width"], mark["layer"].as_f64()),
                (&json!("TEST"), &json!(1080), Some(LAYER))
            );
        }
    }
}
