//! A whole film, from segments and samples to a file that players read.

#![allow(clippy::disallowed_methods, reason = "tests watch the clock, write files and start programs")]

mod common;

use std::f64::consts::TAU;
use std::path::{Path, PathBuf};
use std::process::Command;

use compere_codec::aac::{self, AacTrack};
use compere_codec::h264::{Encoder, Plan, Quality, Segment, Settings};
use compere_codec::mp4::{self, Chapter, Labels, VideoTrack};
use compere_codec::sound::{Held, Role, SoundFile, Track, decode_sound, mixdown};
use compere_codec::{CheckError, Expect, check_joined, check_piece, check_sound};
use compere_media::{Damage, FRAME_RATE, Frame, Rgb, Sound};

const WIDTH: u32 = 96;
const HEIGHT: u32 = 64;

/// The frames of each scene, all different, few dividing evenly into anything.
fn scenes() -> Vec<u64> {
    (0..31).map(|scene| 7 + scene * 5 % 13).collect()
}

/// One segment of scenes, each of its own colour.
fn segment(dir: &Path, scene: u64, frames: u64) -> PathBuf {
    let settings = Settings { width: WIDTH, height: HEIGHT, quality: Quality::default(), threads: 1 };
    let mut encoder = Encoder::new(&settings).unwrap();
    let mut frame = Frame::new(WIDTH, HEIGHT);
    frame.fill(Rgb::opaque((scene * 8) as u8, 100, 255 - (scene * 8) as u8));
    for n in 0..frames {
        let damage = if n == 0 { Damage::rect(frame.bounds()) } else { Damage::none() };
        encoder.push(&frame, &damage).unwrap();
    }
    let path = dir.join(format!("{scene}.segment"));
    encoder.finish().unwrap().write_to(std::fs::File::create(&path).unwrap()).unwrap();
    path
}

fn tone(sample: u64) -> f32 {
    (0.4 * (sample as f64 * 440.0 / 48_000.0 * TAU).sin()) as f32
}

/// A tone that runs through the whole film, cut into a piece for each scene.
fn soundtrack(dir: &Path, scenes: &[u64]) -> SoundFile {
    let mut tracks = Vec::new();
    let mut frame = 0;
    for frames in scenes {
        let (start, end) = (FRAME_RATE.first_sample(frame), FRAME_RATE.first_sample(frame + frames));
        let piece = Sound::new(1, (start..end).map(tone).collect());
        tracks.push(Track::new(Held::owned(piece), Role::Speech, start, end, 1.0));
        frame += frames;
    }
    mixdown(tracks, FRAME_RATE.first_sample(frame), &dir.join("mix")).unwrap()
}

struct Film {
    dir: tempfile::TempDir,
    path: PathBuf,
    expect: Expect,
    sound: AacTrack,
    segments: Vec<PathBuf>,
}

fn film() -> Film {
    let dir = tempfile::tempdir().unwrap();
    let scenes = scenes();
    let segments: Vec<PathBuf> = (0..).zip(&scenes).map(|(n, &frames)| segment(dir.path(), n, frames)).collect();
    let sound = soundtrack(dir.path(), &scenes);
    let sound =
        aac::encode(&common::sandbox(), &sound, aac::MUSIC, &dir.path().join("aac"), 2, &aac::NothingKept).unwrap();
    let path = dir.path().join("film.mp4");
    let video = VideoTrack::of_segment_files(segments.clone(), WIDTH, HEIGHT).unwrap();
    mp4::write(&path, video, Some(&sound), "Ein Film über Töne").unwrap();
    let frames = scenes.iter().sum();
    let expect = Expect { frames, samples: Some(sound.samples), width: WIDTH, height: HEIGHT };
    Film { dir, path, expect, sound, segments }
}

fn probed(path: &Path, what: &str) -> String {
    let output = Command::new("ffprobe")
        .args("-v warning -of default=nw=1 -show_entries".split_whitespace())
        .arg(what)
        .arg(path)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    // A track of texts, whoever wrote it, is nothing that it would decode.
    let complaints: Vec<&str> =
        said.lines().filter(|line| !line.starts_with("Unsupported codec with id 98314")).collect();
    assert_eq!(complaints, Vec::<&str>::new(), "ffprobe has nothing to complain about");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_film_is_what_the_interface_promises() {
    let film = film();
    check_joined(&film.path, &film.expect).unwrap();
    let peak = check_sound(&common::sandbox(), &film.sound, film.dir.path()).unwrap();
    assert!((peak - 0.4).abs() < 0.02, "{peak}");
    let entries = "stream=codec_name,profile,width,height,color_range,color_space,color_transfer,color_primaries,r_frame_rate,\
        avg_frame_rate,duration,start_time,sample_rate,channels,sample_aspect_ratio:format_tags=title:format=duration";
    let told = probed(&film.path, entries);
    let seconds = FRAME_RATE.seconds(film.expect.frames);
    for line in [
        "codec_name=h264",
        "codec_name=aac",
        "profile=LC",
        "sample_aspect_ratio=1:1",
        "color_range=tv",
        "color_space=bt709",
        "color_transfer=bt709",
        "color_primaries=bt709",
        "r_frame_rate=30/1",
        "avg_frame_rate=30/1",
        "sample_rate=48000",
        "channels=2",
        "TAG:title=Ein Film über Töne",
        &format!("duration={seconds:.6}"),
    ] {
        assert!(told.contains(line), "{line} is missing in\n{told}");
    }
    assert_eq!(told.matches("start_time=0.000000").count(), 2, "both tracks start at once\n{told}");
    assert_eq!(told.matches(&format!("duration={seconds:.6}")).count(), 3, "both end at once\n{told}");
}

#[test]
fn a_tone_runs_through_thirty_joins_without_a_click_or_drift() {
    let film = film();
    let sound = decode_sound(&common::sandbox(), &film.path, 60.0).unwrap();
    // FFmpeg does not cut the padding of the last frame; players that heed the edit list do.
    assert!(sound.len() - film.sound.samples < aac::FRAME_SAMPLES, "{} samples", sound.len());
    let heard: Vec<f32> = sound.samples().chunks(2).map(|frame| frame[0]).collect();
    // The encoder needs a moment at either end to settle.
    let body = 2048..film.sound.samples as usize - 2048;
    let worst = body.map(|n| (heard[n] - tone(n as u64)).abs()).fold(0.0, f32::max);
    assert!(worst < 0.02, "the decoded tone is off by {worst}");
}

#[test]
fn the_same_tracks_give_the_same_bytes_with_the_tables_first() {
    let film = film();
    let again = film.dir.path().join("again.mp4");
    let video = VideoTrack::of_segment_files(film.segments.clone(), WIDTH, HEIGHT).unwrap();
    mp4::write(&again, video, Some(&film.sound), "Ein Film über Töne").unwrap();
    let bytes = std::fs::read(&again).unwrap();
    assert!(bytes == std::fs::read(&film.path).unwrap());
    let place = |name: &[u8]| bytes.windows(4).position(|window| window == name).unwrap();
    assert!(place(b"moov") < place(b"mdat"));
    assert!(!film.dir.path().join("again.mp4.part").exists());
}

#[test]
fn chapters_are_where_players_look_for_them() {
    let film = film();
    let path = film.dir.path().join("chapters.mp4");
    let video = VideoTrack::of_segment_files(film.segments.clone(), WIDTH, HEIGHT).unwrap();
    let chapters = vec![Chapter { start: 0, title: "Anfang" }, Chapter { start: 24_000, title: "Töne & mehr" }];
    mp4::write(&path, video, Some(&film.sound), Labels { title: "Film", chapters, ..Labels::default() }).unwrap();
    check_joined(&path, &film.expect).unwrap();
    let told = probed(&path, "chapter=start_time:chapter_tags=title");
    assert!(told.contains("0.500000") && told.contains("Töne & mehr"), "{told}");
    assert_eq!(told.matches("Anfang").count(), 1, "told twice in the file, and once by players: {told}");
    // The track that QuickTime and iOS read: two texts, as long as their chapters, which nobody takes for subtitles.
    let track = probed(&path, "stream=codec_tag_string,nb_frames,duration:stream_disposition=default");
    // It is the last.
    let (_, track) = track.split_once("codec_tag_string=text").expect(&track);
    let seconds = FRAME_RATE.seconds(film.expect.frames);
    for told in ["nb_frames=2", "DISPOSITION:default=0", &format!("duration={seconds:.6}")] {
        assert!(track.contains(told), "{told}\n{track}");
    }
    // Players that know nothing else find them by it.
    let mut bytes = std::fs::read(&path).unwrap();
    let list = bytes.windows(4).position(|name| name == b"chpl").unwrap();
    bytes[list..list + 4].copy_from_slice(b"skip");
    let alone = film.dir.path().join("track.mp4");
    std::fs::write(&alone, bytes).unwrap();
    assert_eq!(
        probed(&alone, "chapter=start_time,end_time:chapter_tags=title"),
        probed(&path, "chapter=start_time,end_time:chapter_tags=title")
    );
    let plain = film.dir.path().join("plain.mp4");
    let video = VideoTrack::of_segment_files(film.segments.clone(), WIDTH, HEIGHT).unwrap();
    mp4::write(&plain, video, Some(&film.sound), Labels { title: "Film", ..Labels::default() }).unwrap();
    assert!(!probed(&plain, "stream=codec_tag_string").contains("text"), "a film without chapters has no such track");
}

#[test]
fn a_film_without_sound_plays() {
    let film = film();
    let silent = film.dir.path().join("silent.mp4");
    let video = VideoTrack::of_segment_files(film.segments.clone(), WIDTH, HEIGHT).unwrap();
    mp4::write(&silent, video, None, Labels::default()).unwrap();
    check_joined(&silent, &Expect { samples: None, ..film.expect }).unwrap();
}

#[test]
fn a_failed_film_leaves_no_half_file() {
    let film = film();
    let broken = film.dir.path().join("broken.mp4");
    std::fs::write(&broken, "the film before").unwrap();
    let mut video = VideoTrack::of_segment_files(film.segments.clone(), WIDTH, HEIGHT).unwrap();
    video.data = Box::new(std::io::empty());
    assert!(mp4::write(&broken, video, Some(&film.sound), Labels::default()).is_err());
    assert_eq!(std::fs::read(&broken).unwrap(), b"the film before");
    assert!(!film.dir.path().join("broken.mp4.part").exists());
}

#[test]
fn what_went_wrong_in_joining_is_seen_without_decoding() {
    let film = film();
    check_joined(&film.path, &film.expect).unwrap();
    let fails = |path: &Path, expect: Expect| check_joined(path, &expect).unwrap_err().to_string();
    let frames = film.expect.frames;
    let error = fails(&film.path, Expect { frames: frames + 1, ..film.expect });
    assert_eq!(error, format!("the finished film has {frames} frames, planned were {}", frames + 1));
    fails(&film.path, Expect { width: 98, ..film.expect });
    fails(&film.path, Expect { samples: None, ..film.expect });

    let bytes = std::fs::read(&film.path).unwrap();
    let changed = film.dir.path().join("changed.mp4");
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        std::fs::write(&changed, bytes).unwrap();
        fails(&changed, film.expect)
    };
    let place = |name: &[u8; 4]| bytes.windows(4).position(|window| window == name).unwrap();
    with(&|bytes| bytes.truncate(bytes.len() * 3 / 4));
    with(&|bytes| bytes.truncate(bytes.len() - 1));
    with(&|bytes| bytes.push(0));
    // One picture a byte longer, and another a byte shorter: the file is as long as it was.
    with(&|bytes| {
        let sizes = place(b"stsz") + 16;
        bytes[sizes + 3] = bytes[sizes + 3].wrapping_add(1);
        bytes[sizes + 7] = bytes[sizes + 7].wrapping_sub(1);
    });
    // The first key frame is called the second picture.
    with(&|bytes| bytes[place(b"stss") + 15] += 1);
    // A NAL unit that says it is longer than its picture.
    with(&|bytes| bytes[place(b"mdat") + 4] = 1);
    with(&|bytes| bytes[place(b"stts") + 15] ^= 1);

    let short = AacTrack { samples: film.sound.samples - 4800, ..film.sound.clone() };
    let video = VideoTrack::of_segment_files(film.segments.clone(), WIDTH, HEIGHT).unwrap();
    mp4::write(&changed, video, Some(&short), Labels::default()).unwrap();
    let error = fails(&changed, film.expect);
    assert!(error.contains("samples of sound"), "{error}");
}

#[test]
fn pieces_and_sound_are_decoded_by_themselves() {
    let film = film();
    let (sandbox, dir) = (common::sandbox(), film.dir.path());
    let read = || Segment::read_from(std::fs::File::open(&film.segments[0]).unwrap()).unwrap();
    check_piece(&sandbox, &read(), (WIDTH, HEIGHT), dir).unwrap();
    let mut broken = read();
    let middle = broken.data.len() / 2;
    broken.data[middle..].iter_mut().for_each(|byte| *byte ^= 0x5a);
    check_piece(&sandbox, &broken, (WIDTH, HEIGHT), dir).unwrap_err();

    assert!(check_sound(&sandbox, &film.sound, dir).unwrap() < 1.0);
    let loud = Sound::new(2, vec![1.5; film.sound.samples as usize * 2]);
    let loud = vec![Track::new(Held::new(&loud), Role::Speech, 0, loud.len(), 1.0)];
    let loud = mixdown(loud, film.sound.samples, &dir.join("loud")).unwrap();
    let loud = aac::encode(&sandbox, &loud, aac::MUSIC, &dir.join("loud.aac"), 2, &aac::NothingKept).unwrap();
    assert!(matches!(check_sound(&sandbox, &loud, dir), Err(CheckError::Clipped { .. })));
    let mut broken = std::fs::read(&film.sound.path).unwrap();
    let middle = broken.len() / 2;
    broken[middle..middle + 400].iter_mut().for_each(|byte| *byte ^= 0x5a);
    let path = dir.join("broken.aac");
    std::fs::write(&path, broken).unwrap();
    check_sound(&sandbox, &AacTrack { path, ..film.sound.clone() }, dir).unwrap_err();
}

/// A segment of footage, in which every fifth picture is shown twice.
fn footage(dir: &Path, frames: u64) -> PathBuf {
    let settings = Settings { width: WIDTH, height: HEIGHT, quality: Quality::default(), threads: 1 };
    let mut encoder = Encoder::new(&settings).unwrap();
    let mut frame = Frame::new(WIDTH, HEIGHT);
    let (all, nothing) = (Damage::rect(frame.bounds()), Damage::none());
    encoder.plan(Plan { reach: all.clone(), footage: true });
    for n in 0..frames {
        let again = n % 5 == 4;
        let shown = n - u64::from(again);
        for (at, luma) in frame.planes_mut().0.iter_mut().enumerate() {
            let (x, y) = (at as u64 % u64::from(WIDTH) + 3 * shown, at as u64 / u64::from(WIDTH) + 40 * (shown % 2));
            *luma = 60 + (x * x / 7 + y * 5) as u8 % 120;
        }
        encoder.push(&frame, if again { &nothing } else { &all }).unwrap();
    }
    let path = dir.join(format!("footage-{frames}.segment"));
    encoder.finish().unwrap().write_to(std::fs::File::create(&path).unwrap()).unwrap();
    path
}

/// Pictures of a film from `from` seconds on, one hash a line.
fn pictures(path: &Path, from: &str, threads: &str) -> Vec<String> {
    let mut ffmpeg = Command::new("ffmpeg");
    ffmpeg.args(["-v", "warning", "-xerror", "-threads", threads, "-ss", from, "-i"]).arg(path);
    let told = ffmpeg.args("-map 0:v -f framehash -hash md5 -".split_whitespace()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&told.stderr), "", "from {from} s, {threads} threads");
    let told = String::from_utf8(told.stdout).unwrap();
    told.lines().filter(|line| !line.starts_with('#')).map(|line| line.rsplit(' ').next().unwrap().to_owned()).collect()
}

/// Slices of footage name a PPS of their own, and players keep more pictures for them.
#[test]
fn footage_plays_between_scenes_without_and_from_anywhere() {
    let dir = tempfile::tempdir().unwrap();
    let reel = footage(dir.path(), 53);
    let read = |path: &Path| Segment::read_from(std::fs::File::open(path).unwrap()).unwrap();
    check_piece(&common::sandbox(), &read(&reel), (WIDTH, HEIGHT), dir.path()).unwrap();
    let segments = vec![segment(dir.path(), 0, 20), reel, segment(dir.path(), 9, 17), footage(dir.path(), 30)];
    let path = dir.path().join("film.mp4");
    let video = VideoTrack::of_segment_files(segments, WIDTH, HEIGHT).unwrap();
    mp4::write(&path, video, None, Labels::default()).unwrap();
    check_joined(&path, &Expect { frames: 120, samples: None, width: WIDTH, height: HEIGHT }).unwrap();
    let all = pictures(&path, "0", "1");
    assert_eq!(all.len(), 120);
    assert_eq!(pictures(&path, "0", "4"), all);
    for frame in [1, 19, 20, 31, 72, 73, 90, 104, 119] {
        let from = format!("{:.4}", frame as f64 / 30.0 - 0.005);
        assert_eq!(pictures(&path, &from, "2"), all[frame..], "from frame {frame}");
    }
}
