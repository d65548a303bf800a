//! What the networks say of one and the same numbers, here and in their own runtime, to a hundredth of a pixel.
//!
//! `reference/runtime.py` asks that runtime (the PyPI package mediapipe 0.10.14): it reads what
//! `COMPERE_DUMP=FOLDER cargo test -p compere-own -- --ignored writes_what_the_networks_are_given` left in a folder.

#![allow(clippy::disallowed_methods, reason = "tests read files and settings")]

use std::path::Path;

use super::face::tests::picture;
use super::net::Net;
use super::see;
use crate::testing::assets;

/// Pixels along the sides of what detector and mesh look at.
const LOOKS: [(&str, usize); 2] = [("face_detection_short_range", 128), ("face_landmark_with_attention", 192)];
/// Pixels of those, or for the detector's sureness as many logits.
const NEAR: f32 = 0.01;

/// A face in whole steps of colour, which leave no room for rounding: red, green and blue.
fn look(side: usize) -> Vec<u8> {
    let step = 250.0 / side as f32;
    let numbers = see::crop(&picture(), side, |x, y| [x as f32 * step + 5.0, y as f32 * step + 30.0]);
    numbers.into_iter().map(|number| (number * 255.0).round() as u8).collect()
}

fn net(name: &str, outputs: &[usize]) -> Net {
    let file = assets().join("faces").join(format!("{name}.tflite"));
    Net::load(&std::fs::read(file).expect("the network, which scripts/fetch-faces.sh fetches"), outputs)
        .expect("it loads")
}

/// Rows of numbers, each row an output or a part of one.
fn stored(text: &str) -> Vec<Vec<f32>> {
    let row = |line: &str| line.split(' ').map(|number| number.parse().expect("a number")).collect();
    text.lines().map(row).collect()
}

fn furthest(found: &[f32], stored: &[f32]) -> f32 {
    assert_eq!(found.len(), stored.len());
    found.iter().zip(stored).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
#[ignore = "for whoever asks the networks' own runtime again"]
fn writes_what_the_networks_are_given() {
    let folder = std::env::var_os("COMPERE_DUMP").expect("COMPERE_DUMP names a folder");
    for (name, side) in LOOKS {
        std::fs::write(Path::new(&folder).join(format!("{name}.rgb")), look(side)).expect("writes");
    }
}

#[test]
fn points_are_the_runtimes_own_to_a_hundredth_of_a_pixel() {
    let (name, side) = LOOKS[1];
    let input = look(side).into_iter().map(|level| f32::from(level) / 255.0).collect();
    let out = net(name, &[0, 1, 2, 3, 6]).run(input).expect("it runs");
    let stored = stored(include_str!("reference/mesh.txt"));
    assert_eq!(out.len(), stored.len());
    for (what, (found, stored)) in
        ["face", "lips", "left eye", "right eye", "sureness"].iter().zip(out.iter().zip(&stored))
    {
        let off = furthest(&found.numbers, stored);
        println!("{what}: {} numbers, {off:.6} off at most", stored.len());
        assert!(off < NEAR, "{what}: {off}");
    }
}

#[test]
fn boxes_are_the_runtimes_own_to_a_hundredth_of_a_pixel() {
    let (name, side) = LOOKS[0];
    let input = look(side).into_iter().map(|level| f32::from(level) / 127.5 - 1.0).collect();
    let out = net(name, &[0, 1]).run(input).expect("it runs");
    // Of the surest boxes: which one it is, how sure, and its numbers.
    let stored = stored(include_str!("reference/boxes.txt"));
    assert!(stored.len() >= 8 && stored[0][1] > 0.0, "a face is found");
    for row in &stored {
        let n = row[0] as usize;
        let found: Vec<f32> =
            std::iter::once(out[1].numbers[n]).chain(out[0].numbers[16 * n..16 * n + 16].iter().copied()).collect();
        let off = furthest(&found, &row[1..]);
        println!("box {n}: {off:.6} off at most");
        assert!(off < NEAR, "box {n}: {off}");
    }
}
