//! Files made to hurt. Each is refused with a sentence, soon, and nothing else happens.

#![allow(clippy::disallowed_methods, reason = "tests watch the clock, write files and start programs")]

mod common;

use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::Instant;

use compere_codec::image::{Want, decode};
use compere_codec::sound::decode_sound;
use compere_codec::{MediaError, MediaErrorKind, VideoReader, VideoWant, probe};
use compere_media::{Layer, Moving};

const WANT: Want = Want { max_width: 1920, max_height: 1080 };

fn file(dir: &Path, name: &str, content: &[u8]) -> PathBuf {
    let path = dir.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

fn refused_picture(path: &Path) -> MediaError {
    let started = Instant::now();
    let error = decode(&common::sandbox(), path, WANT).expect_err("it should be refused");
    assert!(started.elapsed().as_secs() < 40, "{} took {:?}", path.display(), started.elapsed());
    assert!(error.kind.is_authors() && !error.what.is_empty(), "{error:?}");
    error
}

fn refused_media(path: &Path) -> MediaError {
    let sandbox = common::sandbox();
    let started = Instant::now();
    let error = probe(&sandbox, path).expect_err("it should be refused");
    assert!(error.kind.is_authors() && !error.what.is_empty(), "{error:?}");
    assert!(decode_sound(&sandbox, path, 10.0).is_err());
    assert!(started.elapsed().as_secs() < 20, "{} took {:?}", path.display(), started.elapsed());
    error
}

/// A chunk of a PNG with its checksum.
fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut crc = u32::MAX;
    for byte in name.iter().chain(data) {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    [&(data.len() as u32).to_be_bytes(), &name[..], data, &(!crc).to_be_bytes()].concat()
}

fn png(width: u32, height: u32, body: &[Vec<u8>]) -> Vec<u8> {
    let head = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 6, 0, 0, 0]].concat();
    let end = chunk(b"IEND", &[]);
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(b"IHDR", &head), body.concat(), end].concat()
}

/// Megabytes of nothing as kilobytes of zlib: one zero, and then 258 more of it in every 13 bits.
fn deflated_zeros(megabytes: usize) -> Vec<u8> {
    let repeats = (megabytes << 20) / 258;
    // Bits as deflate packs them: a last block with fixed codes, literal 0, the repeats, the end.
    let mut bits = vec![1, 1, 0];
    bits.extend([0, 0, 1, 1, 0, 0, 0, 0]);
    for _ in 0..repeats {
        bits.extend([1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]);
    }
    bits.extend([0; 7]);
    let length = 1 + repeats as u64 * 258;
    let adler = ((length % 65_521) as u32) << 16 | 1;
    let bytes: Vec<u8> = bits.chunks(8).map(|byte| byte.iter().rev().fold(0, |byte, bit| byte << 1 | bit)).collect();
    [&[0x78, 0x9c], &bytes[..], &adler.to_be_bytes()].concat()
}

#[test]
fn a_picture_that_is_none() {
    let dir = tempfile::tempdir().unwrap();
    let text = refused_picture(&file(dir.path(), "a.png", b"hello, I am no picture"));
    assert_eq!(text.what, "is a text file, not a picture; PNG, JPEG, WebP, GIF or SVG would be right");
    assert_eq!(text.kind, MediaErrorKind::WrongType);
    refused_picture(&file(dir.path(), "empty.png", b""));
    refused_picture(&file(dir.path(), "noise.jpg", &[0xff, 0xd8, 0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
    assert_eq!(refused_picture(&dir.path().join("absent.png")).kind, MediaErrorKind::Missing);
    assert_eq!(refused_picture(dir.path()).kind, MediaErrorKind::Missing);
}

#[test]
fn a_picture_cut_off() {
    let dir = tempfile::tempdir().unwrap();
    for (name, options) in [("a.png", ""), ("a.webp", "-c:v libwebp -lossless 1"), ("a.gif", "-f gif")] {
        let path = dir.path().join(name);
        common::ffmpeg(&format!("-f lavfi -i testsrc2=s=320x240:d=0.04:r=25 -frames:v 1 {options}"), &path);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        assert_eq!(refused_picture(&path).kind, MediaErrorKind::Damaged, "{name}");
    }
}

#[test]
fn a_picture_of_2500_megapixels() {
    let dir = tempfile::tempdir().unwrap();
    let error = refused_picture(&file(dir.path(), "a.png", &png(50_000, 50_000, &[chunk(b"IDAT", &[0x78, 0x9c])])));
    assert_eq!(error.kind, MediaErrorKind::TooLarge);
    assert!(error.what.contains("50000x50000"), "{error}");
    let mut gif = b"GIF89a\xff\xff\xff\xff\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\xff\xff\xff\xff\0\x02\x02".to_vec();
    gif.extend_from_slice(b"\x4c\x01\0;");
    assert_eq!(refused_picture(&file(dir.path(), "a.gif", &gif)).kind, MediaErrorKind::TooLarge);
}

#[test]
fn a_picture_that_unpacks_to_gigabytes() {
    let dir = tempfile::tempdir().unwrap();
    // A small picture whose pixels go on for 512 MB, and one with as much of a colour profile.
    let pixels = deflated_zeros(512);
    assert!(pixels.len() < 4_000_000);
    // That the bomb is well made shows in one of the right size.
    let fitting = chunk(b"IDAT", &deflated_zeros(1));
    decode(&common::sandbox(), &file(dir.path(), "fit.png", &png(511, 512, &[fitting])), WANT).unwrap();
    let profile = [b"p\0\0", &pixels[..]].concat();
    for (name, bytes) in [
        ("pixels.png", png(16, 16, &[chunk(b"IDAT", &pixels)])),
        ("profile.png", png(16, 16, &[chunk(b"iCCP", &profile), chunk(b"IDAT", &deflated_zeros(1))])),
        ("short.png", png(11_000, 7_000, &[chunk(b"IDAT", &deflated_zeros(4))])),
    ] {
        let started = Instant::now();
        // What follows the last pixel may be ignored; it may not be unpacked.
        let _either_way = decode(&common::sandbox(), &file(dir.path(), name, &bytes), WANT);
        assert!(started.elapsed().as_secs() < 20, "{name}: {:?}", started.elapsed());
    }
}

#[test]
fn an_svg_that_reaches_out() {
    let dir = tempfile::tempdir().unwrap();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let address = server.local_addr().unwrap();
    let red = dir.path().join("red.png");
    common::ffmpeg("-f lavfi -i color=red:s=50x50:d=0.1 -frames:v 1", &red);
    let svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 100">
        <style>@import url("http://{address}/a.css"); @font-face {{ font-family: x; src: url("http://{address}/a.ttf") }}</style>
        <script href="http://{address}/a.js">fetch("http://{address}/b")</script>
        <image xlink:href="{red}" width="50" height="50"/><image href="file://{red}" width="50" height="50"/>
        <image href="http://{address}/a.png" width="50" height="50"/>
        <rect x="50" y="50" width="50" height="50" fill="#0000ff"/></svg>"##,
        red = red.display()
    );
    let picture = decode(&common::sandbox(), &file(dir.path(), "a.svg", svg.as_bytes()), WANT).unwrap();
    assert_eq!(picture.pixel(100, 100), [0; 4], "the other file must not be seen");
    assert_eq!(picture.pixel(1000, 1000), [0, 0, 255, 255]);
    assert!(server.accept().is_err(), "the picture called home");

    let secret = file(dir.path(), "secret", b"secret");
    let entity = format!(
        r#"<!DOCTYPE svg [<!ENTITY x SYSTEM "file://{}">]><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text>&x;</text></svg>"#,
        secret.display()
    );
    refused_picture(&file(dir.path(), "entity.svg", entity.as_bytes()));
}

#[test]
fn an_svg_that_explodes() {
    let dir = tempfile::tempdir().unwrap();
    let mut laughs = "<!DOCTYPE svg [<!ENTITY a0 \"ha\">".to_owned();
    for level in 1..30 {
        let before = level - 1;
        laughs += &format!("<!ENTITY a{level} \"{}\">", format!("&a{before};").repeat(10));
    }
    laughs += "]><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><text>&a29;</text></svg>";
    refused_picture(&file(dir.path(), "laughs.svg", laughs.as_bytes()));

    let mut uses =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><defs><g id=\"g0\"><path d=\"M0 0h1v1z\"/></g>"
            .to_owned();
    for level in 1..30 {
        let before = level - 1;
        uses += &format!("<g id=\"g{level}\">{}</g>", format!("<use href=\"#g{before}\"/>").repeat(10));
    }
    uses += "</defs><use href=\"#g29\"/></svg>";
    refused_picture(&file(dir.path(), "uses.svg", uses.as_bytes()));

    // However large it says it is, it is drawn as large as wanted.
    let huge = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1e9\" height=\"1e9\"><rect width=\"1e9\" height=\"1e9\"/></svg>";
    let picture = decode(&common::sandbox(), &file(dir.path(), "huge.svg", huge.as_bytes()), WANT).unwrap();
    assert_eq!((picture.width(), picture.height()), (1080, 1080));
}

#[test]
fn a_playlist_that_points_elsewhere() {
    let dir = tempfile::tempdir().unwrap();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let address = server.local_addr().unwrap();
    let clip = dir.path().join("clip.ts");
    common::ffmpeg("-f lavfi -i testsrc2=s=64x64:d=1 -f lavfi -i sine=d=1 -f mpegts", &clip);
    let clip = clip.display();
    let hls = format!(
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{clip}\n#EXTINF:1,\nhttp://{address}/b.ts\n#EXT-X-ENDLIST\n"
    );
    let concat = format!("ffconcat version 1.0\nfile {clip}\n");
    let dash = format!(
        "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\"><Period><BaseURL>http://{address}/</BaseURL></Period></MPD>"
    );
    let sdp = format!("v=0\no=- 0 0 IN IP4 {0}\ns=x\nc=IN IP4 {0}\nt=0 0\nm=video 5004 RTP/AVP 96\n", address.ip());
    for (name, content) in [("a.mp4", &hls), ("a.m3u8", &hls), ("b.mp4", &concat), ("c.mp4", &dash), ("d.mp4", &sdp)] {
        let error = refused_media(&file(dir.path(), name, content.as_bytes()));
        assert_eq!(error.kind, MediaErrorKind::WrongType, "{name}: {error}");
    }
    // The same behind bytes that look like nothing, so that FFmpeg is asked.
    let hidden = [b"\0\0\0\0".as_slice(), hls.as_bytes()].concat();
    refused_media(&file(dir.path(), "e.mp4", &hidden));
    assert!(server.accept().is_err(), "the playlist called home");
}

#[test]
fn a_video_that_is_none() {
    let dir = tempfile::tempdir().unwrap();
    let error = refused_media(&file(dir.path(), "a.mp4", b"hello, I am no video"));
    assert_eq!(error.what, "is a text file, neither video nor sound; MP4, MOV, WebM, MP3, WAV or OGG would be right");
    refused_media(&file(dir.path(), "noise.mp4", &[0xa7; 5000]));
    let picture = dir.path().join("a.png");
    common::ffmpeg("-f lavfi -i color=red:s=50x50:d=0.1 -frames:v 1", &picture);
    assert!(refused_media(&picture).what.contains("a picture"));
}

#[test]
fn a_video_cut_off() {
    let dir = tempfile::tempdir().unwrap();
    let (late, early) = (dir.path().join("late.mp4"), dir.path().join("early.mp4"));
    let source = "-f lavfi -i testsrc2=s=128x96:d=6:r=30 -c:v libx264 -preset ultrafast -g 15";
    common::ffmpeg(source, &late);
    common::ffmpeg(&format!("{source} -movflags +faststart"), &early);
    for path in [&late, &early] {
        let whole = std::fs::read(path).unwrap();
        std::fs::write(path, &whole[..whole.len() / 2]).unwrap();
    }
    refused_media(&late);
    // Its tables are whole, so only playing it shows what is missing.
    let want = VideoWant { width: 128, height: 96, angle: 0.0, frames: 180, start: 0, from: 0 };
    let mut reader = VideoReader::open(&common::sandbox(), &early, want).unwrap();
    let mut layer = Layer::new(reader.bounds());
    reader.advance(0, &mut layer).unwrap();
    let broken = (1..180).find_map(|frame| reader.advance(frame, &mut layer).err()).expect("it breaks off");
    assert!(broken.what.contains("breaks off after") || broken.what.contains("damaged"), "{broken}");
}

#[test]
fn a_video_without_end() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.mkv");
    // Ten hours of two pictures.
    common::ffmpeg("-f lavfi -i color=red:s=64x64:r=1/18000:d=36000 -c:v libx264 -preset ultrafast", &path);
    let want = VideoWant { width: 64, height: 64, angle: 0.0, frames: 300, start: 0, from: 0 };
    let started = Instant::now();
    let mut reader = VideoReader::open(&common::sandbox(), &path, want).unwrap();
    let mut layer = Layer::new(reader.bounds());
    assert!(!reader.advance(0, &mut layer).unwrap().is_empty());
    assert!(reader.advance(299, &mut layer).unwrap().is_empty());
    assert!(reader.advance(100_000, &mut layer).unwrap().is_empty());
    assert!(started.elapsed().as_secs() < 10);
    // And a file that never ends is none.
    assert_eq!(probe(&common::sandbox(), Path::new("/dev/zero")).unwrap_err().kind, MediaErrorKind::Missing);
}

#[test]
fn a_file_whose_name_is_an_attack() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["-i.png", "a b'c\"$(x).png", "%d.png", "pipe:0", "concat:a|b", "\u{202e}gnp.png"] {
        let path = dir.path().join(name);
        let mut file = std::fs::File::create(&path).unwrap();
        file.write_all(&png(1, 1, &[chunk(b"IDAT", &[0x78, 0x9c, 0x63, 0, 1, 0, 0, 5, 0, 1])])).unwrap();
        let text = decode(&common::sandbox(), &path, WANT).err().map_or_else(String::new, |error| error.what);
        assert!(!text.contains("opened"), "{name}: {text}");
    }
}
