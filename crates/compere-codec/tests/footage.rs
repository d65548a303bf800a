//! Footage: looked into, played, held, turned.

#![allow(clippy::disallowed_methods, reason = "tests watch the clock, write files and start programs")]

mod common;

use std::path::{Path, PathBuf};

use compere_codec::sound::decode_sound;
use compere_codec::{MediaInfo, VideoReader, VideoWant, picture_times, probe};
use compere_media::{Damage, Frame, FrameRate, Layer, Moving, Rect, Rgb};

struct Clip {
    _dir: tempfile::TempDir,
    path: PathBuf,
}

fn clip(name: &str, args: &str) -> Clip {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    common::ffmpeg(args, &path);
    Clip { _dir: dir, path }
}

fn info(path: &Path) -> MediaInfo {
    probe(&common::sandbox(), path).unwrap()
}

fn reader(path: &Path, width: u32, height: u32, angle: f64, frames: u64) -> VideoReader {
    VideoReader::open(&common::sandbox(), path, VideoWant { width, height, angle, frames, start: 0, from: 0 }).unwrap()
}

/// The footage at one frame, on a green frame at (10, 10).
fn shown(reader: &mut VideoReader, frame: u64) -> Frame {
    let mut layer = Layer::new(reader.bounds());
    reader.advance(frame, &mut layer).unwrap();
    layer.shift(10, 10);
    let mut out = Frame::new(160, 160);
    out.fill(Rgb::opaque(0, 177, 64));
    layer.lay_on(&mut out, Rect::of_size(160, 160), 255);
    out
}

fn pixel(frame: &Frame, x: u32, y: u32) -> [u8; 3] {
    frame.to_rgb()[(y * frame.width() + x) as usize]
}

fn near(a: [u8; 3], b: [u8; 3], by: u8) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= by)
}

#[test]
fn a_file_tells_when_each_picture_begins() {
    // Every third picture is missing; B-frames come in another order than they are shown in.
    for (name, coder) in [("a.mp4", "libx264 -preset medium"), ("a.webm", "libvpx -deadline realtime")] {
        let source = "-f lavfi -i testsrc2=s=320x180:r=30:d=2 -vf select=mod(n\\,3) -fps_mode vfr";
        let clip = clip(name, &format!("{source} -c:v {coder}"));
        let times = picture_times(&common::sandbox(), &clip.path).unwrap();
        let gaps: Vec<u32> = times.windows(2).map(|two| ((two[1] - two[0]) * 30.0).round() as u32).collect();
        assert_eq!(times.len(), 40, "{name}: {times:?}");
        assert!(gaps.chunks_exact(2).all(|two| two == [1, 2]), "{name}: {gaps:?}");
    }
}

#[test]
fn a_file_tells_what_it_holds() {
    let source = "-f lavfi -i testsrc2=s=320x180:r=30000/1001:d=2.002 -f lavfi -i sine=d=2.5:r=44100";
    let found = info(&clip("a.mp4", &format!("{source} -c:v libx264 -preset ultrafast -c:a aac -ac 1")).path);
    let (video, audio) = (found.video.clone().unwrap(), found.audio.clone().unwrap());
    assert_eq!((video.width, video.height, video.alpha, video.rotation), (320, 180, false, 0));
    assert_eq!(video.rate, FrameRate { num: 30_000, den: 1001 });
    assert_eq!(video.film_frames, 60);
    assert_eq!((audio.channels, audio.codec.as_str()), (1, "aac"));
    assert!(audio.samples.abs_diff(120_000) <= 48, "{}", audio.samples);
    assert_eq!(found.film_frames(), 75);
}

#[test]
fn a_file_that_does_not_tell_its_length_is_measured() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("live.webm");
    common::ffmpeg("-f lavfi -i testsrc2=s=64x64:d=3:r=25 -c:v libvpx -deadline realtime -live 1 -f webm", &path);
    let video = info(&path).video.unwrap();
    assert!(video.film_frames.abs_diff(90) <= 2, "{}", video.film_frames);
}

#[test]
fn colours_survive_from_every_kind_of_footage() {
    let source = "-f lavfi -i color=red:s=64x64:d=0.2,format=rgb24 -vf";
    let x264 = "-c:v libx264 -preset ultrafast -qp 4";
    let kinds = [
        // Old television, untagged as it mostly is; new television; a screen recording; a camera; without loss.
        ("small.mp4", format!("{source} scale=out_color_matrix=bt601,format=yuv420p {x264}")),
        (
            "tagged.mp4",
            format!("{source} scale=out_color_matrix=bt709,format=yuv420p {x264} -colorspace bt709 -color_range tv"),
        ),
        (
            "full.mp4",
            format!(
                "{source} scale=out_color_matrix=bt709:out_range=full,format=yuv420p {x264} -colorspace bt709 -color_range pc"
            ),
        ),
        ("large.mp4", format!("{source} scale=1280:720:out_color_matrix=bt709,format=yuv420p {x264}")),
        ("rgb.mkv", format!("{source} format=gbrp -c:v ffv1")),
        ("deep.mkv", format!("{source} scale=out_color_matrix=bt709,format=yuv444p10le -c:v ffv1 -colorspace bt709")),
        (
            "camera.avi",
            format!("{source} scale=out_color_matrix=bt601:out_range=full,format=yuvj420p -c:v mjpeg -q:v 2"),
        ),
    ];
    for (name, args) in kinds {
        let clip = clip(name, &args);
        for angle in [0.0, 90.0] {
            let seen = shown(&mut reader(&clip.path, 64, 64, angle, 6), 2);
            // Turned by a quarter it lies to the left of its corner, at 10.
            let seen = pixel(&seen, if angle == 0.0 { 42 } else { 5 }, 42);
            assert!(near(seen, [255, 0, 0], 3), "{name} at {angle}: {seen:?}");
        }
    }
}

#[test]
fn white_of_a_bright_display_is_white_of_the_film() {
    let to_pq =
        "zscale=rin=full:tin=bt709:min=gbr:pin=bt709:t=smpte2084:m=2020_ncl:p=2020:r=tv:npl=203,format=yuv420p10le";
    let tags = "-colorspace bt2020nc -color_trc smpte2084 -color_primaries bt2020 -color_range tv";
    let clip =
        clip("a.mkv", &format!("-f lavfi -i color=white:s=64x64:d=0.2,format=gbrp -vf {to_pq} -c:v ffv1 {tags}"));
    let seen = pixel(&shown(&mut reader(&clip.path, 64, 64, 0.0, 6), 2), 42, 42);
    assert!(seen.iter().all(|&c| c > 215), "{seen:?}");
}

#[test]
fn slow_footage_changes_only_when_it_does() {
    let clip = clip("a.mp4", "-f lavfi -i testsrc2=s=64x48:r=10:d=1 -c:v libx264 -preset ultrafast");
    let mut reader = reader(&clip.path, 64, 48, 0.0, 60);
    let mut layer = Layer::new(reader.bounds());
    let damages: Vec<Damage> = (0..60).map(|frame| reader.advance(frame, &mut layer).unwrap()).collect();
    let changed: Vec<usize> = (0..60).filter(|&frame| !damages[frame].is_empty()).collect();
    assert_eq!(changed, [0, 3, 6, 9, 12, 15, 18, 21, 24, 27], "ten pictures, then the last one is held");
    assert_eq!(damages[3], Damage::rect(Rect::of_size(64, 48)));
}

#[test]
fn a_frame_shows_the_same_however_it_is_reached() {
    let clip = clip("a.mp4", "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -c:v libx264 -preset ultrafast");
    let open = || reader(&clip.path, 64, 48, 0.0, 60);
    let straight = {
        let mut reader = open();
        let mut layer = Layer::new(reader.bounds());
        for frame in 0..=40 {
            reader.advance(frame, &mut layer).unwrap();
        }
        layer
    };
    let (mut jumping, mut layer) = (open(), Layer::new(Rect::of_size(64, 48)));
    for frame in [3, 40] {
        jumping.advance(frame, &mut layer).unwrap();
    }
    assert!(layer == straight);
    jumping.advance(3, &mut layer).unwrap();
    jumping.advance(40, &mut layer).unwrap();
    assert!(layer == straight, "also after going back");
}

#[test]
fn transparent_footage_lets_what_is_behind_shine_through() {
    // A red square, opaque above and see-through below.
    let source = "-f lavfi -i color=red:s=64x64:d=0.2,format=yuva420p,geq=lum=lum(X\\,Y):cb=cb(X\\,Y):cr=cr(X\\,Y):a=255*lt(Y\\,32)";
    for (name, codec) in
        [("a.webm", "-c:v libvpx-vp9 -lossless 1 -deadline realtime"), ("b.mov", "-c:v qtrle -pix_fmt argb")]
    {
        let clip = clip(name, &format!("{source} {codec}"));
        assert!(info(&clip.path).video.unwrap().alpha, "{name}");
        let seen = shown(&mut reader(&clip.path, 100, 100, 0.0, 3), 0);
        assert!(near(pixel(&seen, 60, 30), [255, 0, 0], 4), "{name}: {:?}", pixel(&seen, 60, 30));
        assert!(near(pixel(&seen, 60, 100), [0, 177, 64], 3), "{name}: {:?}", pixel(&seen, 60, 100));
    }
}

#[test]
fn a_telephone_held_upright_films_upright() {
    let dir = tempfile::tempdir().unwrap();
    let (flat, turned) = (dir.path().join("flat.mp4"), dir.path().join("turned.mp4"));
    let halves = "-f lavfi -i color=red:s=48x64:d=0.2 -f lavfi -i color=blue:s=48x64:d=0.2 -filter_complex hstack";
    common::ffmpeg(&format!("{halves} -c:v libx264 -preset ultrafast -qp 4"), &flat);
    common::ffmpeg(&format!("-i {} -c copy -metadata:s:v:0 rotate=90", flat.display()), &turned);
    let video = info(&turned).video.unwrap();
    assert_eq!((video.width, video.height, video.rotation.rem_euclid(180)), (64, 96, 90));
    let seen = shown(&mut reader(&turned, 64, 96, 0.0, 6), 0);
    // FFmpeg writes this tag as a quarter turn counter-clockwise: what was right comes up.
    assert!(near(pixel(&seen, 42, 20), [0, 0, 254], 6), "{:?}", pixel(&seen, 42, 20));
    assert!(near(pixel(&seen, 42, 95), [254, 0, 0], 6), "{:?}", pixel(&seen, 42, 95));
}

#[test]
fn sound_comes_in_stereo_at_48_kilohertz_and_in_time() {
    let clip = clip("a.mov", "-f lavfi -i aevalsrc=0.5*sin(2*PI*1000*t):s=22050:d=1.5 -c:a pcm_s16le");
    let sound = decode_sound(&common::sandbox(), &clip.path, 10.0).unwrap();
    assert_eq!(sound.channels(), 2);
    assert!(sound.len().abs_diff(72_000) < 50, "{}", sound.len());
    let crossings = sound.samples().chunks(2).take(48_000).map(|s| s[0]).collect::<Vec<_>>();
    let crossings = crossings.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count();
    assert!(crossings.abs_diff(1000) <= 2, "{crossings}");
    assert!((sound.peak() - 0.5).abs() < 0.05, "{}", sound.peak());
    assert_eq!(decode_sound(&common::sandbox(), &clip.path, 0.5).unwrap().len(), 24_000);
}

#[test]
fn silent_footage_says_so() {
    let clip = clip("a.mp4", "-f lavfi -i testsrc2=s=64x48:d=0.2 -c:v libx264 -preset ultrafast");
    assert_eq!(decode_sound(&common::sandbox(), &clip.path, 1.0).unwrap_err().what, "holds no sound");
    assert!(info(&clip.path).audio.is_none());
}

#[test]
fn pictures_from_the_middle_are_those_of_the_whole() {
    let source = "-f lavfi -i testsrc2=s=64x48:d=4";
    let kinds = [
        // Pictures out of their order between far key frames; a rate that does not divide; a file that begins late.
        ("a.mp4", format!("{source}:r=30 -c:v libx264 -bf 3 -g 250")),
        ("b.webm", format!("{source}:r=25 -c:v libvpx -deadline realtime")),
        ("c.mkv", format!("{source}:r=30000/1001 -c:v libx264 -bf 2 -output_ts_offset 1.7")),
    ];
    for (name, args) in kinds {
        let clip = clip(name, &args);
        let open = |from, frames| {
            let want = VideoWant { width: 64, height: 48, angle: 0.0, frames, start: 0, from };
            VideoReader::open(&common::sandbox(), &clip.path, want).unwrap()
        };
        let all = |mut reader: VideoReader| {
            std::iter::from_fn(|| reader.next_picture().unwrap().map(<[u8]>::to_vec)).collect::<Vec<_>>()
        };
        let whole = all(open(0, 1000));
        for from in [1, 37, 80] {
            let part = all(open(from, 30));
            let same = part.iter().zip(&whole[from as usize..]).filter(|(a, b)| a == b).count();
            // Where rates differ one picture in some may be its neighbour.
            assert!(part.len() == 30 && same >= if name == "a.mp4" { 30 } else { 24 }, "{name} from {from}: {same}");
        }
        let rest = all(open(100, 1000));
        assert!(rest.len().abs_diff(whole.len() - 100) <= 1, "{name}: {} of {}", rest.len(), whole.len());
    }
}
