//! Somebody filmed with their background before a camera with grain, on a tripod and in a hand.

#![allow(clippy::disallowed_methods, reason = "tests write files")]

use compere_codec::h264::{Encoder, Preset, Quality, Settings};
use compere_media::Damage;

use super::*;
use crate::maths::Dice;
use crate::testing::scene::{SIDE, acted, coded, noise, room, whole};

/// Where the mouth is stitched.
const FACE: Rect = Rect { x0: 180, y0: 230, x1: 290, y1: 330 };
const PICTURES: usize = 40;

/// Pictures with so much grain; in a hand the camera goes about by some pixels.
fn takes(grain: f64, in_hand: bool) -> Vec<Frame> {
    let (mut dice, mut out, room) = (Dice(5), Vec::new(), room());
    acted("david", PICTURES as u64, &mut |layer| {
        let mut frame = room.clone();
        layer.lay_on(&mut frame, whole(), 255);
        if in_hand {
            let by = [0, 1].map(|_| (2.0 * dice.normal()).clamp(-5.0, 5.0) as i32);
            frame = moved(&frame, by);
        }
        noise(&mut frame, &mut dice, grain);
        out.push(frame);
    });
    out
}

fn moved(frame: &Frame, by: [i32; 2]) -> Frame {
    let mut out = frame.clone();
    let (y, u, v) = out.planes_mut();
    for (to, from, step) in [(y, frame.y(), 1), (u, frame.u(), 2), (v, frame.v(), 2)] {
        let side = SIDE as i32 / step;
        let at = |n: i32, by: i32| (n + by / step).clamp(0, side - 1);
        for n in 0..side * side {
            to[n as usize] = from[(at(n / side, by[1]) * side + at(n % side, by[0])) as usize];
        }
    }
    out
}

fn base(pictures: &[Frame]) -> Base {
    let folder = tempfile::tempdir().expect("a folder");
    let footage = coded(pictures, folder.path());
    let reel = Reel { footage: &footage, pictures: pictures.len(), mattes: &[] };
    Base::of(&[reel], (SIDE as u32, SIDE as u32), whole(), FACE).expect("a base")
}

/// The pictures of a film of it.
fn shown(base: &Base) -> Vec<Frame> {
    let mut frame = Frame::new(base.width, base.height);
    let show = |n: usize| {
        base.show(&mut frame, None, &base.planes(n).expect("a picture"), n == 0);
        frame.clone()
    };
    (0..PICTURES).map(show).collect()
}

fn bytes(pictures: &[Frame], moving: &[Rect]) -> usize {
    let mut damage = Damage::none();
    moving.iter().for_each(|&rect| damage.add(rect));
    let quality = Quality { crf: 23.0, preset: Preset::Veryfast };
    let settings = Settings { width: SIDE as u32, height: SIDE as u32, quality, threads: 1 };
    let mut encoder = Encoder::new(&settings).expect("an encoder");
    for (n, picture) in pictures.iter().enumerate() {
        let whole = Damage::rect(picture.bounds());
        encoder.push(picture, if n == 0 { &whole } else { &damage }).expect("it is coded");
    }
    encoder.finish().expect("a film").data.len()
}

/// A film in which blocks stand still that stay near to their first picture, which was so before; and the part that moves.
fn as_before(pictures: &[Frame]) -> (Vec<Frame>, Vec<Rect>) {
    let columns = SIDE / BLOCK;
    let mut marks = vec![false; columns * columns];
    for picture in pictures {
        mark_moved(picture.y(), pictures[0].y(), SIDE, SIDE, &mut marks);
    }
    let moving = rects(&marks, columns, whole());
    let film = pictures.iter().map(|picture| {
        let mut frame = pictures[0].clone();
        moving.iter().for_each(|&part| fill(&mut frame, &grey(picture, whole()), part));
        frame
    });
    (film.collect(), moving)
}

fn part_of(rects: &[Rect]) -> f64 {
    rects.iter().map(|rect| rect.area()).sum::<u64>() as f64 / (SIDE * SIDE) as f64
}

/// How far pixels of two pictures are apart in a part of them, in the mean.
fn apart(a: &Frame, b: &Frame, part: Rect) -> f64 {
    let rows = part.y0 as usize..part.y1 as usize;
    let at = rows.flat_map(|row| (part.x0 as usize..part.x1 as usize).map(move |column| row * SIDE + column));
    let sum: u32 = at.map(|at| u32::from(a.y()[at].abs_diff(b.y()[at]))).sum();
    f64::from(sum) / part.area() as f64
}

#[test]
fn on_a_tripod_only_the_person_moves_whatever_grain_the_camera_has() {
    for grain in [2.0, 4.0, 6.0] {
        let pictures = takes(grain, false);
        let base = base(&pictures);
        let film = shown(&base);
        let (before, moving) = as_before(&pictures);
        let parts = [part_of(&base.moving), part_of(&moving)];
        let bytes = [bytes(&film, &base.moving), bytes(&before, &moving)];
        println!(
            "grain {grain}: {:.3} of the picture moves, {:.3} before; {} bytes, {}",
            parts[0], parts[1], bytes[0], bytes[1]
        );
        // With much grain it is found by squares that reach farther than he does.
        assert!(parts[0] < 0.7, "he is 0.43 of it: {:?}", base.moving);
        // The window above to the left, which is as the room is, without grain.
        let behind = Rect::new(24, 48, 88, 240);
        assert!(apart(&film[3], &film[30], behind) < 0.01);
        assert!(apart(&film[30], &room(), behind) < 0.3 + 0.15 * grain, "{}", apart(&film[30], &room(), behind));
        // And he is as he was filmed, grain and all.
        let (film, filmed) = (&film[30], &pictures[30]);
        assert!(apart(film, filmed, FACE) < 0.6 * grain + 1.0, "{}", apart(film, filmed, FACE));
        if let Some(folder) = std::env::var_os("COMPERE_LOOK") {
            let planes = [film.y(), film.u(), film.v()].concat();
            std::fs::write(std::path::Path::new(&folder).join(format!("still-{grain}.yuv")), planes).expect("written");
        }
    }
}

#[test]
fn what_a_camera_in_a_hand_sees_stays_as_it_was_filmed() {
    let pictures = takes(2.0, true);
    let base = base(&pictures);
    assert_eq!(base.moving, [whole()]);
    let film = shown(&base);
    assert!(apart(&film[30], &pictures[30], whole()) < 2.5, "{}", apart(&film[30], &pictures[30], whole()));
}
