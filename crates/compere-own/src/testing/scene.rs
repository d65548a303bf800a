//! Somebody filmed: one of our lit presenters before something like a photo, with a camera's noise, and as a file.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use compere_avatar::{Cast, Framing, NoCache, Role, Want};
use compere_codec::{Sandbox, SandboxKind};
use compere_media::{Frame, Layer, Rect, Rgb};

use super::assets;
use crate::footage::Footage;
use crate::maths::Dice;

pub(crate) const SIDE: usize = 480;

pub(crate) fn whole() -> Rect {
    Rect::of_size(SIDE as u32, SIDE as u32)
}

/// A room out of focus: a wall in uneven light, a window, shelves with books, a plant, the floor.
pub(crate) fn room() -> Frame {
    let mut frame = Frame::new(SIDE as u32, SIDE as u32);
    let soft = |at: f32, from: f32, to: f32| {
        let edge = |by: f32| (by / 0.02).clamp(-0.5, 0.5) + 0.5;
        edge(at - from) * edge(to - at)
    };
    let colour = |x: f32, y: f32| {
        let mut colour = [176.0 - 26.0 * y + 8.0 * x, 124.0, 133.0];
        let books = [[70.0, 118.0, 175.0], [88.0, 150.0, 116.0], [150.0, 104.0, 136.0], [50.0, 130.0, 126.0]];
        let mut lay = |part: f32, over: [f32; 3]| (0..3).for_each(|n| colour[n] += part * (over[n] - colour[n]));
        lay(soft(x, 0.04, 0.32) * soft(y, 0.08, 0.55), [206.0, 136.0, 122.0]);
        lay(soft(x, 0.66, 0.98) * soft(y, 0.11, 0.14), [92.0, 116.0, 140.0]);
        for (n, book) in books.into_iter().enumerate() {
            lay(soft(x, 0.68 + 0.06 * n as f32, 0.72 + 0.06 * n as f32) * soft(y, 0.02, 0.11), book);
        }
        for n in 0..12u8 {
            let at = |k: f32| compere_media::math::sinf(f32::from(n) * k) * 0.5 + 0.5;
            let (dx, dy) = ((x - 0.76 - 0.2 * at(1.7)) / 0.035, (y - 0.36 - 0.34 * at(2.9)) / 0.06);
            lay((1.2 - dx * dx - dy * dy).clamp(0.0, 1.0), [70.0 + 40.0 * at(0.7), 112.0, 108.0]);
        }
        lay(soft(y, 0.78, 2.0), [110.0, 120.0, 136.0]);
        colour
    };
    let (y_plane, u_plane, v_plane) = frame.planes_mut();
    for (n, y) in y_plane.iter_mut().enumerate() {
        *y = colour((n % SIDE) as f32 / SIDE as f32, (n / SIDE) as f32 / SIDE as f32)[0] as u8;
    }
    for n in 0..SIDE * SIDE / 4 {
        let half = SIDE / 2;
        let [_, u, v] = colour((n % half) as f32 / half as f32, (n / half) as f32 / half as f32);
        (u_plane[n], v_plane[n]) = (u as u8, v as u8);
    }
    frame
}

pub(crate) fn noise(frame: &mut Frame, dice: &mut Dice, size: f64) {
    let (y, u, v) = frame.planes_mut();
    for (plane, size) in [(y, size), (u, size / 2.0), (v, size / 2.0)] {
        plane.iter_mut().for_each(|value| *value = (f64::from(*value) + size * dice.normal()).clamp(0.0, 255.0) as u8);
    }
}

/// A take before a background, and the true mattes of its pictures.
pub(crate) struct Scene {
    pub(crate) layers: Vec<Layer>,
    pub(crate) truths: Vec<Vec<u8>>,
}

/// Nine of their pictures, two frames apart.
pub(crate) fn scene(who: &'static str) -> &'static Scene {
    static SCENES: Mutex<BTreeMap<&str, &Scene>> = Mutex::new(BTreeMap::new());
    let mut scenes = SCENES.lock().unwrap_or_else(PoisonError::into_inner);
    scenes.entry(who).or_insert_with(|| {
        let (mut layers, mut truths) = (Vec::new(), Vec::new());
        acted(who, 9, &mut |layer| {
            let over = |grey: u8| {
                let mut frame = Frame::new(SIDE as u32, SIDE as u32);
                frame.fill(Rgb::opaque(grey, grey, grey));
                layer.lay_on(&mut frame, whole(), 255);
                frame
            };
            let (white, black) = (over(255), over(0));
            let shines = |(white, black): (&u8, &u8)| f32::from(white.saturating_sub(*black)) * 255.0 / 219.0;
            truths.push(white.y().iter().zip(black.y()).map(|both| 255 - shines(both).min(255.0) as u8).collect());
            layers.push(layer.clone());
        });
        Box::leak(Box::new(Scene { layers, truths }))
    })
}

/// So many pictures of one of our lit presenters who says nothing, two frames apart.
pub(crate) fn acted(who: &str, pictures: u64, each: &mut dyn FnMut(&Layer)) {
    let cast = Cast::open(&assets());
    let want = Want { outfit: String::new(), width: SIDE as u32, height: SIDE as u32, framing: Framing::Body };
    let pack = cast.get(who).expect("they are there").bake(&want, &NoCache).expect("it bakes");
    let mut layer = Layer::new(Rect::of_size(pack.rect().width(), pack.rect().height()));
    layer.shift(pack.rect().x0, pack.rect().y0);
    let mut acting = pack.perform(Role { frames: 300, ..Role::default() });
    for n in 0..pictures {
        acting.advance(2 * n, &mut layer).expect("it acts");
        each(&layer);
    }
}

/// Pictures as a camera codes them.
pub(crate) fn coded(pictures: &[Frame], folder: &Path) -> Footage {
    let (raw, film) = (folder.join("raw.yuv"), folder.join("take.mp4"));
    let bytes: Vec<u8> = pictures.iter().flat_map(|frame| [frame.y(), frame.u(), frame.v()].concat()).collect();
    std::fs::write(&raw, bytes).expect("it is written");
    let size = format!("{SIDE}x{SIDE}");
    let coded = Command::new("ffmpeg")
        .args(["-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-r", "30", "-s", &size, "-i"])
        .arg(&raw)
        .args(["-c:v", "libx264", "-crf", "20", "-colorspace", "bt709", "-color_range", "tv"])
        .arg(&film)
        .status()
        .expect("ffmpeg");
    assert!(coded.success());
    opened(&film)
}

pub(crate) fn opened(film: &Path) -> Footage {
    let sandbox = Sandbox::of_kind(SandboxKind::LimitsOnly, "/nonexistent/compere".into());
    Footage::open(&sandbox, film, "the take").expect("it is read")
}
