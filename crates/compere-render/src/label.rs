//! What says of a film that somebody in it never said what they say: words in the picture, and a comment in the file.

use compere_avatar::{Cast, Style};
use compere_media::Rgb;
use compere_scene::{Align, Clip, ClipKind, Film, Place, Scene, Text};

const WORDS: &str = "Made with AI";
const COMMENT: &str = "Made with AI: a presenter made of footage says what the person never said.";
/// Canvas units from the left and the lower edge.
const MARGIN: f64 = 28.0;
const SIZE: f64 = 24.0;

/// Writes it into the lower left corner of every scene that shows a presenter of footage.
pub(crate) fn show(film: &mut Film, cast: &Cast) {
    let height = f64::from(film.canvas().1);
    for scene in film.scenes.iter_mut().filter(|scene| shows_footage(scene, cast)) {
        let place =
            Place { left: MARGIN, top: height - MARGIN - 1.5 * SIZE, width: 260.0, height: 1.5 * SIZE, angle: 0.0 };
        let text = Text {
            text: WORDS.to_owned(),
            color: Rgb::opaque(255, 255, 255),
            size: SIZE,
            family: "Noto Sans".to_owned(),
            align: Align::Left,
            weight: 600,
            italic: false,
            underline: false,
            stroke: None,
            background: Some(Rgb { r: 15, g: 23, b: 42, a: 150 }),
            shadow: None,
            line_height: 1.16,
            runs: Vec::new(),
        };
        // Behind all others in the list is in front of them in the picture.
        scene.clips.push(Clip {
            id: "made-with-ai".to_owned(),
            path: format!("scenes[{}]", scene.index),
            place,
            opacity: 0.9,
            animation: None,
            from: None,
            until: None,
            kind: ClipKind::Text(text),
        });
    }
}

/// What the file says of itself; nothing where nobody is of footage.
pub(crate) fn comment(film: &Film, cast: &Cast) -> &'static str {
    if film.scenes.iter().any(|scene| shows_footage(scene, cast)) { COMMENT } else { "" }
}

/// The same of a picture out of one scene.
pub(crate) fn comment_of(scene: &Scene, cast: &Cast) -> &'static str {
    if shows_footage(scene, cast) { COMMENT } else { "" }
}

fn shows_footage(scene: &Scene, cast: &Cast) -> bool {
    scene.clips.iter().any(|clip| match &clip.kind {
        ClipKind::Avatar(avatar) => cast.get(&avatar.avatar).is_some_and(|one| one.info().style == Style::Footage),
        _ => false,
    })
}
