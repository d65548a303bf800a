//! Presenters stand where editors of other services had their face: looked at by networks that know nothing of ours.

#![allow(clippy::disallowed_methods, reason = "tests read files and settings")]

use compere_avatar::{Cast, FaceBox, Framing, NoCache, Role, Want};
use compere_media::{Frame, Layer, Rect, Rgb};

use super::{Networks, Tracker};
use crate::testing::assets;

/// A point of each brow's upper line, and the chin.
const BROWS: [usize; 2] = [105, 334];
const CHIN: usize = 152;
/// Where the face ends on both sides.
const SIDES: [usize; 2] = [234, 454];

const WANTED: FaceBox = FaceBox { x: 360, y: 330, height: 160 };

/// How far the face is off its place, in shares of the figure's width, and how much larger it is than wanted.
fn measured(cast: &Cast, networks: &Networks, id: &str) -> [f32; 3] {
    let presenter = cast.get(id).expect("somebody");
    let want = Want { outfit: String::new(), width: 720, height: 720, framing: Framing::Placed(WANTED) };
    let pack = presenter.bake(&want, &NoCache).expect("it bakes");
    let mut layer = Layer::new(Rect::of_size(pack.rect().width(), pack.rect().height()));
    pack.perform(Role::default()).advance(0, &mut layer).expect("it acts");
    layer.shift(pack.rect().x0, pack.rect().y0);
    let mut frame = Frame::new(want.width, want.height);
    frame.fill(Rgb::opaque(225, 230, 236));
    layer.lay_on(&mut frame, Rect::of_size(want.width, want.height), 255);
    let mut tracker = Tracker::new(networks);
    let mut mesh = None;
    for _ in 0..4 {
        mesh = tracker.next(&frame).expect("it runs");
    }
    let mesh = mesh.unwrap_or_else(|| panic!("no face of {id} was found"));
    let brows = (mesh[BROWS[0]][1] + mesh[BROWS[1]][1]) / 2.0;
    let (middle, height) = ((brows + mesh[CHIN][1]) / 2.0, mesh[CHIN][1] - brows);
    let x = (mesh[SIDES[0]][0] + mesh[SIDES[1]][0]) / 2.0;
    let width = presenter.measures().width * WANTED.height as f32;
    [(x - WANTED.x as f32) / width, (middle - WANTED.y as f32) / width, height / WANTED.height as f32 - 1.0]
}

fn check(ids: &[&str]) {
    let (assets, networks) = (assets(), super::networks(&assets().join("faces")).expect("the networks"));
    let cast = Cast::open(&assets);
    let mut wrong = Vec::new();
    for id in ids {
        let [x, y, size] = measured(&cast, &networks, id);
        let line = format!("{id:8} {:+.1} % right, {:+.1} % down, {:+.1} % size", x * 100.0, y * 100.0, size * 100.0);
        println!("{line}");
        if x.abs() > 0.03 || y.abs() > 0.03 || size.abs() > 0.1 {
            wrong.push(line);
        }
    }
    assert!(wrong.is_empty(), "more than 3 % beside its place or 10 % other in size:\n{}", wrong.join("\n"));
}

#[test]
fn faces_are_where_they_are_wanted_and_as_large() {
    check(&["nora", "lena"]);
}

/// Baking everybody takes minutes.
#[test]
#[ignore = "takes minutes; for whoever changes a face"]
fn everybodys_face_is_where_it_is_wanted() {
    let cast = Cast::open(&assets());
    let ids: Vec<String> = cast.list().iter().map(|info| info.id.clone()).collect();
    check(&ids.iter().map(String::as_str).collect::<Vec<_>>());
}
