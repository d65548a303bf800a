//! One scene.

use super::clip::{self, ClipType};
use super::presenter::{self, Presenter};
use super::speech;
use super::{Given, background, looks};
use crate::document::reader::{Item, Object};
use crate::film::{Clip, Scene};

/// A clip before it has its turn.
struct Drafted {
    layer: f64,
    clip: Clip,
    presenter: Option<usize>,
}

pub(super) fn scene<'a>(scene: &Object<'a>, index: usize, given: Given<'a>) -> Scene {
    scene.warn_of_slips();
    scene.need("sceneIdx", Object::index);
    let background = background::background(scene, given);
    let mut presenters: Vec<Presenter<'a>> = Vec::new();
    let mut anyone = false;
    let mut drafted: Vec<Drafted> = Vec::new();
    let clips = scene.need_items("clips", given.limits.clips_per_scene);
    for object in clips.into_iter().filter_map(Item::object) {
        let kind = object.need("type", |object, key| object.choice(key, &ClipType::ALL));
        let Some(kind) = kind else { continue };
        object.warn_of_slips();
        let object = object.of_type(kind.word());
        // For edits to find it by.
        object.word("tag");
        anyone |= kind == ClipType::Presenter;
        if object.is_set("isDelete") {
            continue;
        }
        if kind == ClipType::Presenter {
            let presenter = presenter::presenter(&object, given);
            let number = presenters.len();
            let drawn = presenter::drawn(&presenter);
            drafted.extend(drawn.map(|(layer, clip)| Drafted { layer, clip, presenter: Some(number) }));
            presenters.push(presenter);
        } else {
            let drawn = clip::clip(&object, kind, given);
            drafted.extend(drawn.map(|(layer, clip)| Drafted { layer, clip, presenter: None }));
        }
    }
    // Stable: clips of one layer keep the order they were written in.
    drafted.sort_by(|a, b| a.layer.total_cmp(&b.layer));
    let spoken = speech::lines(scene, &presenters, anyone, given);
    let seat = |presenter: Option<usize>| drafted.iter().position(|d| presenter.is_some() && d.presenter == presenter);
    let lines = spoken.into_iter().map(|mut spoken| {
        spoken.line.clip = seat(spoken.presenter);
        spoken.line
    });
    Scene {
        index,
        name: name(scene),
        background,
        lines: lines.collect(),
        watermark: scene.is_set("watermark"),
        duration: duration(scene, given),
        transition: looks::transition(scene),
        steps: Vec::new(),
        clips: drafted.into_iter().map(|drafted| drafted.clip).collect(),
    }
}

/// Longer names are no names of chapters.
const LONGEST_NAME: usize = 120;

fn name(scene: &Object<'_>) -> Option<String> {
    let name = scene.word("name")?;
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    (!name.is_empty()).then(|| name.chars().take(LONGEST_NAME).collect())
}

fn duration(scene: &Object<'_>, given: Given<'_>) -> Option<f64> {
    let seconds = scene.positive("duration")?;
    if seconds > given.limits.film_seconds {
        scene.blame("duration", format!("must be at most {} s, was {seconds}", given.limits.film_seconds));
        return None;
    }
    Some(seconds)
}
