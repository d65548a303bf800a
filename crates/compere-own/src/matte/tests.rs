//! Somebody whose matte is known, before something like a photo: one of our lit presenters, with the noise of a camera.

#![allow(clippy::disallowed_methods, reason = "tests read files and settings")]

mod screen;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use compere_avatar::{Cast, Framing, NoCache, Role, Want};
use compere_media::Rgb;

use super::take::Going;
use super::*;
use crate::maths::Dice;
use crate::testing::assets;
use crate::track::segmenter;

const SIDE: usize = 480;
const PICTURES: u64 = 9;
const DAVID: &str = "david";

fn whole() -> Rect {
    Rect::of_size(SIDE as u32, SIDE as u32)
}

/// A room out of focus: a wall in uneven light, a window, shelves with books, a plant, the floor.
fn room() -> Frame {
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

fn noise(frame: &mut Frame, dice: &mut Dice, size: f64) {
    let (y, u, v) = frame.planes_mut();
    for (plane, size) in [(y, size), (u, size / 2.0), (v, size / 2.0)] {
        plane.iter_mut().for_each(|value| *value = (f64::from(*value) + size * dice.normal()).clamp(0.0, 255.0) as u8);
    }
}

/// A take before a background, and the true mattes of its pictures.
struct Scene {
    layers: Vec<Layer>,
    truths: Vec<Vec<u8>>,
}

fn scene(who: &'static str) -> &'static Scene {
    static SCENES: Mutex<BTreeMap<&str, &Scene>> = Mutex::new(BTreeMap::new());
    let mut scenes = SCENES.lock().unwrap_or_else(PoisonError::into_inner);
    scenes.entry(who).or_insert_with(|| {
        let cast = Cast::open(&assets());
        let want = Want { outfit: String::new(), width: SIDE as u32, height: SIDE as u32, framing: Framing::Body };
        let pack = cast.get(who).expect("they are there").bake(&want, &NoCache).expect("it bakes");
        let mut layer = Layer::new(Rect::of_size(pack.rect().width(), pack.rect().height()));
        layer.shift(pack.rect().x0, pack.rect().y0);
        let mut acting = pack.perform(Role { frames: 300, ..Role::default() });
        let (mut layers, mut truths) = (Vec::new(), Vec::new());
        for n in 0..PICTURES {
            acting.advance(2 * n, &mut layer).expect("it acts");
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
        }
        Box::leak(Box::new(Scene { layers, truths }))
    })
}

/// The pictures of a take with noise, before something.
fn filmed(back: &Frame) -> Vec<Frame> {
    let mut dice = Dice(7);
    let film = |layer: &Layer| {
        let mut frame = back.clone();
        layer.lay_on(&mut frame, whole(), 255);
        noise(&mut frame, &mut dice, 3.0);
        frame
    };
    scene(DAVID).layers.iter().map(film).collect()
}

/// How far mattes are off, in parts of all: everywhere, where the truth is between nothing and all, and from picture to
/// picture where the truth does not change.
fn off(mattes: &[Vec<u8>], truths: &[Vec<u8>]) -> [f64; 3] {
    let (mut all, mut edge, mut flicker) = ([0.0; 2], [0.0; 2], [0.0; 2]);
    for (n, (matte, truth)) in mattes.iter().zip(truths).enumerate() {
        for (at, (&is, &was)) in matte.iter().zip(truth).enumerate() {
            let by = f64::from(is.abs_diff(was)) / 255.0;
            all = [all[0] + by, all[1] + 1.0];
            if (10..245).contains(&was) {
                edge = [edge[0] + by, edge[1] + 1.0];
                if n > 0 && truths[n - 1][at].abs_diff(was) < 8 {
                    let change = f64::from(is.abs_diff(mattes[n - 1][at])) / 255.0;
                    flicker = [flicker[0] + change, flicker[1] + 1.0];
                }
            }
        }
    }
    [all, edge, flicker].map(|[sum, count]: [f64; 2]| sum / count.max(1.0))
}

/// By how much the tints of `frame`, cut out over black, differ from the true ones where `edge` is between nothing and all.
fn tinted(frame: &Frame, alpha: &[u8], truth: &Frame, edge: &[u8]) -> f64 {
    let (mut cut, mut made) = (Layer::new(whole()), Frame::new(SIDE as u32, SIDE as u32));
    put(&mut cut, frame, Some(alpha));
    cut.lay_on(&mut made, whole(), 255);
    let half = |n: &usize| (10..245).contains(&edge[2 * (n / (SIDE / 2)) * SIDE + 2 * (n % (SIDE / 2))]);
    let edges: Vec<usize> = (0..made.u().len()).filter(half).collect();
    let off = |n: &usize| made.u()[*n].abs_diff(truth.u()[*n]) + made.v()[*n].abs_diff(truth.v()[*n]);
    edges.iter().map(|n| f64::from(off(n))).sum::<f64>() / edges.len() as f64
}

#[test]
fn somebody_before_a_room_is_cut_out_with_hair_and_without_flicker() {
    let segmenter = segmenter(&assets().join("faces")).expect("the network");
    let pictures = filmed(&room());
    let cells = segmenter.look(&pictures[0], whole()).expect("it runs");
    let part = placed([&cells].into_iter(), whole()).expect("he is seen");
    let mut going = Going::new(&segmenter, part, None);
    pictures.iter().for_each(|picture| going.add(picture).expect("it goes on"));
    let (done, tally) = going.ended().expect("it ends");
    let matte = Matte { size: (SIDE as u32, SIDE as u32), rect: part, pictures: done, wall: None };
    assert_eq!(Matte::from_bytes(&matte.to_bytes()).as_ref(), Some(&matte));
    let mattes: Vec<Vec<u8>> =
        (0..pictures.len()).map(|n| matte.alpha(n, matte.size, whole()).expect("a matte")).collect();
    let coarse: Vec<Vec<u8>> = pictures
        .iter()
        .map(|picture| {
            let cells = segmenter.look(picture, whole()).expect("it runs");
            plane::enlarged(&cells, CELLS, [SIDE, SIDE]).into_iter().map(|cell| (cell * 255.0) as u8).collect()
        })
        .collect();
    let truths = &scene(DAVID).truths;
    let (fine, network) = (off(&mattes, truths), off(&coarse, truths));
    let trust = tally.trust(part, whole(), None);
    println!("off {fine:.4?}, the network alone {network:.4?}; {trust:.3?}");
    // The more he looks like somebody, the more the network alone gets right: it is off by 0.0043, refined by 0.0036.
    assert!(fine[0] < 0.005 && fine[0] < 0.9 * network[0], "{fine:?} {network:?}");
    assert!(fine[1] < 0.16 && fine[1] < 0.8 * network[1], "{fine:?} {network:?}");
    assert!(fine[2] < 0.03, "{fine:?}");
    assert_eq!(Background::Auto.decided(&trust), (true, Vec::new()));

    // Over something else no colour of the room comes along.
    let (layer, picture, alpha) = (&scene(DAVID).layers[4], &pictures[4], &mattes[4]);
    let mut clean = picture.clone();
    cleaned(&mut clean, alpha, false);
    let mut truth = Frame::new(SIDE as u32, SIDE as u32);
    layer.lay_on(&mut truth, whole(), 255);
    let (before, after) = (tinted(picture, alpha, &truth, alpha), tinted(&clean, alpha, &truth, alpha));
    println!("edges tinted by {before:.2} levels as filmed, by {after:.2} cleaned");
    assert!(after < 3.5 && after < 0.7 * before, "{before} {after}");
}

#[test]
fn where_nobody_can_be_told_nobody_is_cut_out() {
    let segmenter = segmenter(&assets().join("faces")).expect("the network");
    let (_, trust) = of_picture(&room(), &segmenter).expect("it runs");
    let (is_cut, told) = Background::Cut.decided(&trust);
    assert!(!is_cut && told[0].level == Level::Refused && told[0].what.contains("no person"), "{trust:?}");
    let (is_cut, told) = Background::Auto.decided(&trust);
    assert!(!is_cut && told[0].level == Level::Warning && told[0].what.ends_with("and it stays"), "{told:?}");
    assert_eq!(Background::Keep.decided(&trust), (false, Vec::new()));

    // Before a wall of the colour that the shoulders have.
    let mut wall = Frame::new(SIDE as u32, SIDE as u32);
    let shoulder = (SIDE * 17 / 20, SIDE * 3 / 10);
    let like = &filmed(&room())[0];
    let (y_plane, u_plane, v_plane) = wall.planes_mut();
    let half = shoulder.0 / 2 * (SIDE / 2) + shoulder.1 / 2;
    y_plane.fill(like.y()[shoulder.0 * SIDE + shoulder.1]);
    u_plane.fill(like.u()[half]);
    v_plane.fill(like.v()[half]);
    let ((_, seen), plain) = of_picture(&filmed(&room())[0], &segmenter).expect("it runs");
    let (_, alike) = of_picture(&filmed(&wall)[0], &segmenter).expect("it runs");
    println!("before a room {plain:.3?}, {seen:.0?}; before a wall like the suit {alike:.3?}");
    assert!(alike.alike > 2.0 * plain.alike.max(0.03), "{alike:?} {plain:?}");
    assert!(seen.left < seen.right && seen.top > 10.0, "{seen:?}");
}
