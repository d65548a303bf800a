//! What is behind everything.

use compere_media::Rgb;

use super::Given;
use super::source::{self, Use};
use crate::document::reader::Object;
use crate::film::Background;

#[derive(Clone, Copy, PartialEq)]
enum BackgroundKind {
    Image,
    Video,
    Color,
}

/// Without a `source_type` a background with an address is a picture. One whose address is empty is a colour.
pub(super) fn background(scene: &Object<'_>, given: Given<'_>) -> Background {
    let Some(background) = scene.need("background", Object::object) else {
        return Background { color: Rgb::WHITE, picture: None, video: None, path: scene.path_of("background") };
    };
    let names = [
        (BackgroundKind::Image, "image"),
        (BackgroundKind::Video, "video"),
        (BackgroundKind::Color, "color"),
        (BackgroundKind::Color, "colour"),
    ];
    let kind = background.choice("source_type", &names).unwrap_or(BackgroundKind::Image);
    let color = background.color("source_color").unwrap_or(Rgb::WHITE);
    ["id", "type"].iter().for_each(|key| drop(background.word(key)));
    let address = (kind != BackgroundKind::Color).then(|| address(&background, kind, given)).flatten();
    let (picture, video) = if kind == BackgroundKind::Video { (None, address) } else { (address, None) };
    Background { color: Rgb { a: 255, ..color }, picture, video, path: background.path }
}

fn address(background: &Object<'_>, kind: BackgroundKind, given: Given<'_>) -> Option<crate::film::Source> {
    // A video may come with its still picture in `source_url`, as video clips do.
    match kind {
        BackgroundKind::Video if background.word("video_url").is_some() => {
            source::find(background, "video_url", Use::File, given)
        }
        BackgroundKind::Video => source::need(background, "source_url", given),
        BackgroundKind::Image | BackgroundKind::Color => source::find(background, "source_url", Use::Background, given),
    }
}
