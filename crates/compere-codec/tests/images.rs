//! Pictures of every kind, through the true sandbox.

#![allow(clippy::disallowed_methods, reason = "tests watch the clock, write files and start programs")]

mod common;

use std::path::{Path, PathBuf};

use compere_codec::image::{Want, decode, frame_to_jpeg, pixmap_to_png};
use compere_media::{Frame, Pixmap, Rgb};

const LARGE: Want = Want { max_width: 4000, max_height: 4000 };

fn opened(path: &Path) -> Pixmap {
    decode(&common::sandbox(), path, LARGE).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn near(a: [u8; 4], b: [u8; 4], by: u8) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= by)
}

/// Left half red, right half blue.
fn halves(dir: &Path, name: &str, codec: &str) -> PathBuf {
    let path = dir.join(name);
    let input = "-f lavfi -i color=red:s=32x32:d=0.1,format=rgb24 -f lavfi -i color=blue:s=32x32:d=0.1,format=rgb24";
    common::ffmpeg(&format!("{input} -filter_complex hstack -frames:v 1 {codec}"), &path);
    path
}

#[test]
fn every_format_shows_the_same_picture() {
    let dir = tempfile::tempdir().unwrap();
    let formats = [
        ("a.png", "-f image2 -update 1 -c:v png", 0),
        ("deep.png", "-f image2 -update 1 -c:v png -pix_fmt rgb48be", 1),
        ("a.jpg", "-f image2 -update 1 -c:v mjpeg -pix_fmt yuvj444p -q:v 2", 4),
        ("a.webp", "-c:v libwebp -lossless 1", 0),
        ("a.gif", "-f gif", 8),
        ("a.bmp", "-f image2 -update 1 -c:v bmp", 0),
        ("a.avif", "-c:v libaom-av1 -still-picture 1 -cpu-used 8 -crf 4 -pix_fmt yuv444p", 4),
        // The name lies; the content counts.
        ("png.jpg", "-f image2 -update 1 -c:v png", 0),
    ];
    for (name, codec, tolerance) in formats {
        let picture = opened(&halves(dir.path(), name, codec));
        assert_eq!((picture.width(), picture.height()), (64, 32), "{name}");
        assert!(near(picture.pixel(5, 5), [255, 0, 0, 255], tolerance), "{name}: {:?}", picture.pixel(5, 5));
        assert!(near(picture.pixel(58, 28), [0, 0, 255, 255], tolerance), "{name}: {:?}", picture.pixel(58, 28));
    }
}

#[test]
fn alpha_is_multiplied_in() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.png");
    common::ffmpeg("-f lavfi -i color=0xff8000@0.5:s=8x8:d=0.1,format=rgba -frames:v 1", &path);
    assert!(near(opened(&path).pixel(3, 3), [128, 64, 0, 128], 2), "{:?}", opened(&path).pixel(3, 3));
}

#[test]
fn a_large_picture_is_shrunk_in_shape_and_a_small_one_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = halves(dir.path(), "a.png", "");
    let sandbox = common::sandbox();
    let shrunk = decode(&sandbox, &path, Want { max_width: 16, max_height: 1000 }).unwrap();
    assert_eq!((shrunk.width(), shrunk.height()), (16, 8));
    assert!(near(shrunk.pixel(2, 4), [255, 0, 0, 255], 1));
    let same = decode(&sandbox, &path, Want { max_width: 640, max_height: 640 }).unwrap();
    assert_eq!((same.width(), same.height()), (64, 32));
}

#[test]
fn a_camera_held_sideways_gives_an_upright_picture() {
    let dir = tempfile::tempdir().unwrap();
    let path = halves(dir.path(), "a.jpg", "-f image2 -update 1 -c:v mjpeg -pix_fmt yuvj444p -q:v 2");
    let plain = std::fs::read(&path).unwrap();
    // An EXIF block that says nothing but "turn by 90 degrees clockwise" (orientation 6).
    let tiff = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let mut block = b"\xff\xe1\0\0Exif\0\0".to_vec();
    block.extend_from_slice(tiff);
    let length = (block.len() - 2) as u16;
    block[2..4].copy_from_slice(&length.to_be_bytes());
    let turned = [&plain[..2], &block, &plain[2..]].concat();
    std::fs::write(&path, turned).unwrap();
    let picture = opened(&path);
    assert_eq!((picture.width(), picture.height()), (32, 64));
    assert!(near(picture.pixel(16, 5), [255, 0, 0, 255], 4), "the left half is on top");
    assert!(near(picture.pixel(16, 60), [0, 0, 255, 255], 4));
}

#[test]
fn an_svg_is_drawn_as_large_as_wanted_with_its_text() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.svg");
    let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50">
        <rect width="50" height="50" fill="#f00"/><text x="55" y="40" font-size="40">Hi</text></svg>"##;
    std::fs::write(&path, svg).unwrap();
    let picture = decode(&common::sandbox(), &path, Want { max_width: 800, max_height: 800 }).unwrap();
    assert_eq!((picture.width(), picture.height()), (800, 400));
    assert_eq!(picture.pixel(10, 10), [255, 0, 0, 255]);
    assert_eq!(picture.pixel(790, 10), [0, 0, 0, 0]);
    let ink = (0..400).flat_map(|y| picture.row(y)[440..].to_vec()).filter(|pixel| *pixel == [0, 0, 0, 255]).count();
    assert!(ink > 2000, "{ink} pixels of text");
}

#[test]
fn what_we_write_can_be_read_again() {
    let dir = tempfile::tempdir().unwrap();
    let mut frame = Frame::new(64, 32);
    frame.fill(Rgb::opaque(0, 177, 64));
    let poster = dir.path().join("poster");
    std::fs::write(&poster, frame_to_jpeg(&frame, 88).unwrap()).unwrap();
    assert!(near(opened(&poster).pixel(30, 20), [0, 177, 64, 255], 4));
    let mut pixmap = Pixmap::new(3, 2);
    pixmap.fill(Rgb { r: 200, g: 100, b: 0, a: 128 }.premultiplied());
    let preview = dir.path().join("preview");
    std::fs::write(&preview, pixmap_to_png(&pixmap).unwrap()).unwrap();
    assert_eq!(opened(&preview), pixmap);
}
