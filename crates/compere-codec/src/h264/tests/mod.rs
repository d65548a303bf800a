//! Streams are judged by FFmpeg: it must decode them without a word, to the frames that went in.

#![allow(clippy::disallowed_methods, reason = "tests run FFmpeg and draw waves")]

use std::io::Write;
use std::process::{Command, Stdio};

use compere_media::{Damage, Frame, Rect, Rgb};

use super::*;

mod footage;
mod splice;

/// In small pictures regions are large.
const MOST: f64 = 0.6;

/// The segments one after another as a raw stream with start codes, as a player of the joined film sees them.
fn annexb(segments: &[&Segment]) -> Vec<u8> {
    segments.iter().flat_map(|segment| segment.annexb()).collect()
}

/// Decodes with FFmpeg, which must not warn about anything.
fn decode(stream: Vec<u8>, width: u32, height: u32) -> Vec<Frame> {
    let mut child = Command::new("ffmpeg")
        .args(["-v", "warning", "-err_detect", "explode", "-f", "h264", "-i", "-", "-f", "rawvideo"])
        .args(["-fps_mode", "passthrough", "-pix_fmt", "yuv420p", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("ffmpeg is installed");
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(&stream));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "FFmpeg complained");
    let size = (width * height * 3 / 2) as usize;
    assert_eq!(output.stdout.len() % size, 0);
    output.stdout.chunks_exact(size).map(|bytes| frame_of(bytes, width, height)).collect()
}

fn frame_of(bytes: &[u8], width: u32, height: u32) -> Frame {
    let mut frame = Frame::new(width, height);
    let (y, u, v) = frame.planes_mut();
    let (luma, chroma) = bytes.split_at(y.len());
    y.copy_from_slice(luma);
    u.copy_from_slice(&chroma[..u.len()]);
    v.copy_from_slice(&chroma[u.len()..]);
    frame
}

fn psnr(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    let error: u64 = a.iter().zip(b).map(|(&a, &b)| u64::from(a.abs_diff(b)).pow(2)).sum();
    if error == 0 {
        return 99.0;
    }
    10.0 * (255.0 * 255.0 * a.len() as f64 / error as f64).log10()
}

/// A slide: gradient, hard-edged blocks like letters, and a red square.
fn slide(width: u32, height: u32) -> Frame {
    let mut frame = Frame::new(width, height);
    let stride = width as usize;
    let (y, u, v) = frame.planes_mut();
    for (at, y) in y.iter_mut().enumerate() {
        let (px, py) = (at % stride, at / stride);
        let letter = py / 24 % 3 == 1 && (px / 3 * 7919 + py / 5 * 104_729) % 5 < 2;
        *y = if letter { 30 } else { 140 + (px * 40 / stride) as u8 + (py * 30 / height as usize) as u8 };
    }
    u.fill(120);
    v.fill(134);
    let mut red = Frame::new(width, height);
    red.fill(Rgb::opaque(255, 0, 0));
    frame.copy_rect(&red, Rect::new(16, 16, 80, 80));
    frame
}

fn settings(width: u32, height: u32) -> Settings {
    Settings { width, height, quality: Quality::default(), threads: 1 }
}

fn encode(width: u32, height: u32, frames: &[(Frame, Damage)]) -> Segment {
    let mut encoder = Encoder::new(&settings(width, height)).unwrap().splicing(MOST);
    for (frame, damage) in frames {
        encoder.push(frame, damage).unwrap();
    }
    encoder.finish().unwrap()
}

#[test]
fn a_segment_decodes_to_what_was_pushed() {
    let (width, height) = (640, 360);
    let mut frames = vec![(slide(width, height), Damage::none())];
    for n in 0..10 {
        let mut next = frames[0].0.clone();
        let rect = Rect::new(100 + 4 * n, 100, 200 + 4 * n, 260);
        let mut patch = Frame::new(width, height);
        patch.fill(Rgb::opaque(30, 90, 200));
        next.copy_rect(&patch, rect);
        frames.push((next, Damage::rect(rect.grown(8))));
    }
    let segment = encode(width, height, &frames);
    assert!(segment.frames[0].key);
    let decoded = decode(annexb(&[&segment, &segment]), width, height);
    assert_eq!(decoded.len(), 22);
    for (n, (got, (want, _))) in decoded.iter().zip(frames.iter().chain(&frames)).enumerate() {
        let psnr = psnr(got.y(), want.y());
        assert!(psnr > 40.0, "frame {n}: {psnr:.1} dB");
    }
    let rgb = decoded[0].to_rgb();
    for y in 24..72 {
        for x in 24..72 {
            let [r, g, b] = rgb[y * width as usize + x];
            assert!(r >= 253 && g <= 2 && b <= 2, "red at {x},{y} became {r},{g},{b}");
        }
    }
}

#[test]
fn a_segment_file_comes_back_and_damage_is_noticed() {
    let segment = encode(64, 48, &[(slide(64, 48), Damage::none())]);
    let mut file = Vec::new();
    segment.write_to(&mut file).unwrap();
    assert_eq!(Segment::read_from(&file[..]).unwrap(), segment);
    for at in 0..file.len() {
        let mut damaged = file.clone();
        damaged[at] ^= 0x10;
        assert!(Segment::read_from(&damaged[..]).is_err(), "byte {at}");
        assert!(Segment::read_from(&file[..at]).is_err(), "cut at {at}");
    }
}

#[test]
fn threads_change_no_parameter_set_and_hold_no_frame_back() {
    let (width, height) = (640, 360);
    let frames = wandering(width, height, Rect::new(100, 40, 400, 340), 6);
    let whole = Damage::rect(Rect::of_size(width, height));
    let one = planned(width, height, &frames, &whole);
    let four = planned_with(&Settings { threads: 4, ..settings(width, height) }, &frames, &whole);
    assert_eq!(one.parameter_sets, four.parameter_sets);
    assert_close(&decode(annexb(&[&one, &four]), width, height), &[&frames[..], &frames].concat(), 36.0);
}

/// Two who stand far apart move through most of the picture, but change little of it at a time.
#[test]
fn pictures_are_searched_by_what_each_of_them_changes() {
    let (width, height) = (640, 360);
    let frames = wandering(width, height, Rect::new(0, 0, 640, 360), 12);
    let small = wandering(width, height, Rect::new(100, 40, 220, 160), 12);
    let (whole, part) = (Damage::rect(Rect::of_size(width, height)), Damage::rect(Rect::new(0, 0, 640, 200)));
    assert_eq!(planned(width, height, &small, &whole).data, planned(width, height, &small, &part).data);
    // Those who search hard and those who do not take turns.
    let next = |frames: &[(Frame, Damage)]| [&[(frames[0].0.clone(), whole.clone())], &frames[1..]].concat();
    let both = [small.clone(), next(&frames), next(&small)].concat();
    assert_close(&decode(annexb(&[&planned(width, height, &both, &whole)]), width, height), &both, 36.0);
}

#[test]
fn impossible_sizes_are_refused_with_the_reason() {
    for (width, height) in [(0, 0), (8, 480), (641, 360), (640, 361), (8192, 8192), (16, 16_384), (u32::MAX, u32::MAX)]
    {
        let refused = Encoder::new(&settings(width, height)).unwrap_err();
        assert!(matches!(refused, EncodeError::Unusable { .. }), "{width}x{height}: {refused}");
    }
    for crf in [0.0, 51.0, f32::NAN] {
        let quality = Quality { crf, ..Quality::default() };
        assert!(Encoder::new(&Settings { quality, ..settings(64, 64) }).is_err(), "crf {crf}");
    }
    let mut encoder = Encoder::new(&settings(64, 64)).unwrap();
    assert!(matches!(encoder.push(&Frame::new(64, 80), &Damage::none()), Err(EncodeError::WrongSize { .. })));
    assert!(matches!(encoder.finish(), Err(EncodeError::Empty)));
}

#[test]
fn restless_footage_gets_coarser_but_calm_footage_does_not() {
    let (width, height) = (320, 180);
    let mut noise = 1u32;
    let mut snow = || {
        let mut frame = Frame::new(width, height);
        for luma in frame.planes_mut().0 {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *luma = 60 + (noise >> 25) as u8;
        }
        (frame, Damage::rect(Rect::of_size(width, height)))
    };
    let restless: Vec<_> = (0..12).map(|_| snow()).collect();
    let segment = encode(width, height, &restless);
    assert!(segment.frames[11].bytes * 3 < segment.frames[1].bytes * 2, "{:?}", segment.frames);
    decode(annexb(&[&segment]), width, height);
    let mut pace = pace::Pace::new(17, 21, 1920 * 1080);
    (0..20).for_each(|_| pace.spent(15_000));
    assert_eq!([0, 1, 2, 3, 4, 5].map(|since_key| pace.qp(since_key)), [17, 20, 21, 22, 22, 23]);
}

#[test]
fn parameter_sets_depend_on_size_and_quality_only() {
    for (width, height) in [(854, 480), (1280, 720), (1920, 1080), (3840, 2160)] {
        for (width, height) in [(width, height), (height, width)] {
            let plain = encode(width, height, &[(Frame::new(width, height), Damage::none())]);
            let other = encode(width, height, &[(slide(width, height), Damage::none())]);
            assert_eq!(plain.parameter_sets, other.parameter_sets);
        }
    }
}

/// The kinds of a stream's pictures, in order, as FFprobe names them.
fn kinds(stream: &[u8]) -> String {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("stream.h264");
    std::fs::write(&file, stream).unwrap();
    let mut probe = Command::new("ffprobe");
    probe.args(["-v", "error", "-show_entries", "frame=pict_type", "-of", "csv=p=0"]).arg(&file);
    let told = String::from_utf8(probe.output().unwrap().stdout).unwrap();
    told.chars().filter(char::is_ascii_alphabetic).collect()
}

#[test]
fn a_player_may_start_at_every_key_frame() {
    let (width, height) = (320, 180);
    let frames = wandering(width, height, Rect::new(20, 20, 300, 170), 2 * KEY_INTERVAL as i32 + 5);
    let segment = encode(width, height, &frames);
    let stream = annexb(&[&segment]);
    let stretch = format!("I{}", "P".repeat(KEY_INTERVAL as usize - 1));
    assert_eq!(kinds(&stream), format!("{stretch}{stretch}IPPPP"));
    let all = decode(stream, width, height);
    for at in [KEY_INTERVAL as usize, 2 * KEY_INTERVAL as usize] {
        let before: u32 = segment.frames[..at].iter().map(|frame| frame.bytes).sum();
        let data = segment.data[before as usize..].to_vec();
        let rest = Segment { frames: segment.frames[at..].to_vec(), data, ..segment.clone() };
        assert_eq!(decode(annexb(&[&rest]), width, height), all[at..]);
    }
}

/// Frames in which a noisy patch wanders inside `area`, every third frame still.
fn wandering(width: u32, height: u32, area: Rect, count: i32) -> Vec<(Frame, Damage)> {
    let still = slide(width, height);
    let mut frames: Vec<(Frame, Damage)> = vec![(still.clone(), Damage::none())];
    let mut old = Rect::default();
    for n in 1..count {
        if n % 3 == 0 {
            frames.push((frames[n as usize - 1].0.clone(), Damage::none()));
            continue;
        }
        let mut frame = still.clone();
        let (w, h) = (area.width() as i32, area.height() as i32);
        let size = (w.min(h) * 2 / 3).max(8);
        let at = |room: i32, speed: i32| (room / 2 + room * ((n * speed) % 7 - 3) / 6).clamp(0, room);
        let (x, y) = (area.x0 + at(w - size, 3), area.y0 + at(h - size, 5));
        let patch = Rect::new(x, y, x + size, y + size).aligned(2).intersect(area).intersect(still.bounds());
        frame.copy_rect(&noise(width, height, x, y), patch);
        let mut damage = Damage::rect(patch);
        damage.add(old);
        frames.push((frame, damage));
        old = patch;
    }
    frames
}

/// A picture of soft bumps that moves along with `x` and `y`.
fn noise(width: u32, height: u32, x: i32, y: i32) -> Frame {
    let mut frame = Frame::new(width, height);
    let stride = width as usize;
    let (luma, u, v) = frame.planes_mut();
    for (at, luma) in luma.iter_mut().enumerate() {
        let (px, py) = ((at % stride) as i32 - x, (at / stride) as i32 - y);
        *luma = (128.0 + 60.0 * (f64::from(px) * 0.31).sin() * (f64::from(py) * 0.23).cos()) as u8;
    }
    u.fill(100);
    v.fill(150);
    frame
}

fn planned(width: u32, height: u32, frames: &[(Frame, Damage)], plan: &Damage) -> Segment {
    planned_with(&settings(width, height), frames, plan)
}

fn planned_with(settings: &Settings, frames: &[(Frame, Damage)], plan: &Damage) -> Segment {
    let mut encoder = Encoder::new(settings).unwrap().splicing(MOST);
    encoder.plan(plan.clone().into());
    for (frame, damage) in frames {
        encoder.push(frame, damage).unwrap();
    }
    encoder.finish().unwrap()
}

fn assert_close(decoded: &[Frame], frames: &[(Frame, Damage)], floor: f64) {
    assert_eq!(decoded.len(), frames.len());
    for (n, (got, (want, _))) in decoded.iter().zip(frames).enumerate() {
        let found = [psnr(got.y(), want.y()), psnr(got.u(), want.u()), psnr(got.v(), want.v())];
        assert!(found.iter().all(|&psnr| psnr > floor), "frame {n}: {found:.1?} dB");
    }
}

#[test]
fn still_frames_of_every_size_decode_as_the_frame_before() {
    for (width, height) in [(16, 16), (32, 16), (48, 80), (640, 360), (854, 480), (1920, 1080)] {
        let frames = vec![(slide(width, height), Damage::none()); 20];
        let segment = planned(width, height, &frames, &Damage::none());
        let decoded = decode(annexb(&[&segment]), width, height);
        assert_eq!(decoded.len(), 20);
        assert!(decoded.iter().all(|frame| *frame == decoded[0]));
        assert!(segment.frames[1..].iter().all(|entry| entry.bytes < 100), "{:?}", segment.frames);
    }
}
