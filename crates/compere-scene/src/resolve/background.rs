//! What is behind everything.

use compere_media::Rgb;

use super::source;
use crate::document::reader::Object;
use crate::film::Background;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Image,
    Video,
    Color,
}

/// Without a `source_type` a background with an address is a picture. One whose address is empty is a colour.
pub(super) fn background(scene: &Object<'_>) -> Background {
    let Some(background) = scene.need("background", Object::object) else {
        return Background { color: Rgb::WHITE, picture: None, video: None, path: scene.path_of("background") };
    };
    let names = [(Kind::Image, "image"), (Kind::Video, "video"), (Kind::Color, "color"), (Kind::Color, "colour")];
    let kind = background.choice("source_type", &names).unwrap_or(Kind::Image);
    let color = background.color("source_color").unwrap_or(Rgb::WHITE);
    let address = (kind != Kind::Color).then(|| address(&background, kind)).flatten();
    let (picture, video) = if kind == Kind::Video { (None, address) } else { (address, None) };
    Background { color: Rgb { a: 255, ..color }, picture, video, path: background.path }
}

fn address(background: &Object<'_>, kind: Kind) -> Option<crate::film::Source> {
    // A video may come with its still picture in `source_url`, as video clips do.
    match kind {
        Kind::Video if background.word("video_url").is_some() => source::find(background, "video_url"),
        Kind::Video => source::need(background, "source_url"),
        Kind::Image | Kind::Color => source::find(background, "source_url"),
    }
}
