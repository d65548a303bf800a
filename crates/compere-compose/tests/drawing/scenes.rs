//! Whole scenes: layers over each other, and clips on their way in and out. One idea each, frame by number.

use std::collections::BTreeMap;
use std::sync::Arc;

use compere_compose::{Compositor, Props, Stage};
use compere_media::{Pixmap, Rgb};
use compere_scene::{
    Animation, AnimationKind, Background, Clip, ClipKind, Image, Place, Scene, Shape, ShapeName, Source,
};

use crate::pictures;
use crate::support::fonts;

const OUTPUT: (u32, u32) = (160, 90);
/// Two seconds.
const FRAMES: u64 = 60;

fn scene(clips: Vec<Clip>) -> Scene {
    let color = Rgb::opaque(226, 232, 240);
    let background = Background { color, picture: None, video: None, path: "scenes[0].background".into() };
    let (lines, steps) = (Vec::new(), Vec::new());
    Scene { index: 0, name: None, background, clips, lines, watermark: false, duration: None, transition: None, steps }
}

fn clip(kind: ClipKind, left: f64, top: f64) -> Clip {
    let place = Place { left, top, width: 720.0, height: 480.0, angle: 0.0 };
    let (id, path) = ("clip".into(), "scenes[0].clips[0]".into());
    Clip { id, path, place, opacity: 1.0, animation: None, from: None, until: None, kind }
}

fn shape(name: ShapeName, fill: Rgb) -> ClipKind {
    ClipKind::Shape(Shape { name, fill, stroke: None, radius: 60.0, shadow: None })
}

fn red(left: f64, top: f64) -> Clip {
    clip(shape(ShapeName::RoundedRectangle, Rgb::opaque(220, 50, 40)), left, top)
}

fn blue(left: f64, top: f64) -> Clip {
    clip(shape(ShapeName::Circle, Rgb::opaque(30, 80, 200)), left, top)
}

/// A picture whose left is not its right.
fn photo() -> Pixmap {
    let mut photo = Pixmap::new(64, 64);
    for y in 0..64 {
        for (x, pixel) in photo.row_mut(y).iter_mut().enumerate() {
            *pixel =
                [(x * 4) as u8, (y * 4) as u8, if (x / 8 + y as usize / 8).is_multiple_of(2) { 200 } else { 90 }, 255];
        }
    }
    photo
}

fn draw(scene: &Scene, frame: u64) -> Pixmap {
    let pictures = BTreeMap::from([(Source("/photo.png".into()), Arc::new(photo()))]);
    let props = Props { fonts: fonts(), pictures: &pictures, canvas: (1920, 1080), output: OUTPUT, frames: FRAMES };
    let mut compositor = Compositor::new(Arc::new(Stage::set(scene, props).0), BTreeMap::new());
    let (frame, _) = compositor.advance(frame).expect("nothing here can break");
    let pixels = frame.to_rgb().into_iter().map(|[r, g, b]| [r, g, b, 255]).collect();
    Pixmap::from_premultiplied(OUTPUT.0, OUTPUT.1, pixels)
}

/// A quarter of a second into a one-second animation: before it in the film for what comes, after its start for what
/// leaves.
fn animated(kind: AnimationKind) -> Pixmap {
    let mut moving = red(600.0, 300.0);
    moving.animation = Some(Animation { kind, duration: 1.0, delay: 0.0 });
    let frame = if kind.leaves() { FRAMES - 30 + 8 } else { 8 };
    draw(&scene(vec![blue(900.0, 480.0), moving]), frame)
}

fn covered() -> Pixmap {
    let mut scene = scene(vec![]);
    scene.background.picture = Some(Source("/photo.png".into()));
    draw(&scene, 0)
}

fn faint() -> Pixmap {
    let mut over = blue(700.0, 300.0);
    over.opacity = 0.4;
    draw(&scene(vec![red(300.0, 200.0), over]), 0)
}

fn turned_photo() -> Pixmap {
    let mut photo = clip(ClipKind::Image(Image { source: Source("/photo.png".into()) }), 900.0, 120.0);
    photo.place.angle = 30.0;
    draw(&scene(vec![photo]), 0)
}

fn marked() -> Pixmap {
    let mut scene = scene(vec![red(300.0, 200.0)]);
    scene.watermark = true;
    draw(&scene, 0)
}

pictures! {
    scene_order_is_that_of_the_clips => draw(&scene(vec![blue(300.0, 200.0), red(700.0, 400.0)]), 0),
    scene_opacity_shows_what_is_behind => faint(),
    scene_edge_cuts_clips => draw(&scene(vec![red(-400.0, -200.0), blue(1500.0, 800.0)]), 0),
    scene_background_covers => covered(),
    scene_picture_turns_about_its_corner => turned_photo(),
    scene_watermark => marked(),
    scene_fade_in => animated(AnimationKind::FadeIn),
    scene_fade_out => animated(AnimationKind::FadeOut),
    scene_in_left => animated(AnimationKind::InLeft),
    scene_in_right => animated(AnimationKind::InRight),
    scene_in_up => animated(AnimationKind::InUp),
    scene_in_down => animated(AnimationKind::InDown),
    scene_out_left => animated(AnimationKind::OutLeft),
    scene_out_right => animated(AnimationKind::OutRight),
    scene_out_up => animated(AnimationKind::OutUp),
    scene_out_down => animated(AnimationKind::OutDown),
    scene_zoom_in => animated(AnimationKind::ZoomIn),
    scene_zoom_out => animated(AnimationKind::ZoomOut),
}
