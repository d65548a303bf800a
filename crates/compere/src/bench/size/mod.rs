//! How large films are, beside libx264 coding the same raw frames whole, with B-frames and all.

mod cost;
mod likeness;
mod recording;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use compere_codec::h264::{EncodeError, Encoder, Quality, Segment, Settings};
use compere_media::Frame;
use compere_scene::Limits;
use rustix::time::ClockId;
use serde_json::{Value, json};

use likeness::{Coded, measured};
use recording::Recording;

use super::Row;
use super::machine::worked;
use crate::worker::studio::LocalStudio;

/// A name, and a scene that consists of it.
type Content = (&'static str, fn() -> Value);

/// What films consist of, as customers make them.
const KINDS: [Content; 7] = [
    (
        "presenter before a photograph",
        || json!({"background": picture(), "clips": [presenter("nora", 1260, 180, false)]}),
    ),
    (
        "presenter before a painting",
        || json!({"background": painted("library"), "clips": [title(0), presenter("nora", 1260, 180, false)]}),
    ),
    (
        "head in the corner of a slide",
        || json!({"background": plain(), "clips": slide(false).into_iter().chain([presenter("nora", 1560, 720, true)]).collect::<Vec<_>>()}),
    ),
    ("slide with text", || json!({"background": plain(), "duration": 8, "clips": slide(false)})),
    ("text that comes in", || json!({"background": painted("geometric"), "duration": 8, "clips": slide(true)})),
    ("footage", || json!({"background": footage(), "duration": 8, "clips": [title(0)]})),
    (
        "two presenters",
        || json!({"background": painted("library"), "clips": [presenter("nora", 200, 180, false), presenter("amara", 1160, 180, false)]}),
    ),
];

/// The rate factors between which libx264's size at our quality is found.
const FACTORS: [u32; 3] = [18, 21, 24];

/// What is measured, and against whom.
#[derive(Debug, Clone, Copy)]
pub struct Sizes<'a> {
    /// Presets of libx264.
    pub presets: &'a [String],
    /// Only the kinds whose name contains this.
    pub only: Option<&'a str>,
    /// Where recordings and what libx264 made of them stay between runs.
    pub keep: Option<&'a Path>,
}

/// Sizes of every kind of film.
pub fn sizes(
    studio: &dyn Fn(&Path) -> Result<LocalStudio, String>,
    wanted: &Sizes<'_>,
    say: &mut dyn FnMut(&Row),
) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for (name, scene) in KINDS.iter().filter(|(name, _)| wanted.only.is_none_or(|only| name.contains(only))) {
        let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
        let dir = wanted.keep.map_or_else(|| scratch.path().to_owned(), |keep| keep.join(name.replace(' ', "-")));
        std::fs::create_dir_all(&dir).map_err(|error| error.to_string())?;
        prepare(&dir)?;
        let studio = studio(&dir.join("scene.json"))?;
        let recording = record(&studio, &dir, name, &scene())?;
        compare(&recording, &dir, name, wanted.presets, &mut |row| {
            say(&row);
            rows.push(row);
        })?;
    }
    Ok(rows)
}

fn record(studio: &LocalStudio, dir: &Path, name: &str, scene: &Value) -> Result<Recording, String> {
    let mut scene = scene.clone();
    scene["sceneIdx"] = json!(0);
    let project = json!({"name": "bench", "scenes": [scene]});
    let film = compere_scene::resolve(&project, &Limits::default(), studio.catalogue())
        .map_err(|problems| format!("{name}: {problems:?}"))?
        .film;
    Recording::of(&film, studio, dir, "drawn")
}

fn compare(
    recording: &Recording,
    dir: &Path,
    name: &str,
    presets: &[String],
    add: &mut dyn FnMut(Row),
) -> Result<(), String> {
    let to = dir.join("ours.h264");
    let (segments, seconds) = encode(recording)?;
    write(&segments, &to)?;
    let ours = measured(recording, &to)?;
    let mut row = |what: &str, value: f64, unit: &'static str| {
        let row = Row::new(format!("{name}: {what}"), value, unit);
        add(if what == "size beside veryfast at equal quality" { row.target("<= 1.15") } else { row });
    };
    let frames = || segments.iter().flat_map(|segment| &segment.frames);
    let keys: Vec<u64> = frames().filter(|frame| frame.key).map(|frame| frame.bytes.into()).collect();
    row("size", ours.bytes / 1e3, "kB");
    row("key frames", keys.len() as f64, "");
    row("bytes of key frames", keys.iter().sum::<u64>() as f64 / 1e3, "kB");
    quality(&ours, "", &mut row);
    let pictures = recording.told.len() as f64;
    row("processor time of a picture", 1e3 * seconds / pictures, "ms");
    let reading = cost::of_reading(&recording.pictures)?;
    for preset in presets {
        let mut theirs = Vec::new();
        for factor in FACTORS {
            let to = dir.join(format!("{preset}-{factor}.h264"));
            if !to.exists() {
                whole(&recording.pictures, preset, factor, &to)?;
            }
            theirs.push(measured(recording, &to)?);
        }
        row(&format!("{preset} crf {}", FACTORS[1]), theirs[1].bytes / 1e3, "kB");
        quality(&theirs[1], &format!("{preset} "), &mut row);
        let seconds = cost::of_coding(&recording.pictures, preset, FACTORS[1])? - reading;
        row(&format!("{preset} processor time of a picture"), 1e3 * seconds / pictures, "ms");
        let ratio = ours.bytes / size_at(&theirs, &ours);
        row(&format!("size beside {preset} at equal quality"), ratio, "times");
    }
    Ok(())
}

fn quality(coded: &Coded, whose: &str, row: &mut dyn FnMut(&str, f64, &'static str)) {
    row(&format!("{whose}PSNR"), coded.whole.psnr, "dB");
    row(&format!("{whose}SSIM"), coded.whole.ssim, "");
    if let Some(moving) = coded.moving {
        row(&format!("{whose}PSNR where it moves"), moving.psnr, "dB");
        row(&format!("{whose}SSIM where it moves"), moving.ssim, "");
    }
}

/// Encodes a recording piece by piece, as films are, on this thread alone. Says how many seconds of it that took.
fn encode(recording: &Recording) -> Result<(Vec<Segment>, f64), String> {
    let (width, height) = recording.size;
    let settings = Settings { width, height, quality: Quality::default(), threads: 1 };
    let failed = |error: EncodeError| error.to_string();
    let (mut segments, mut encoder): (Vec<Segment>, Option<Encoder>) = (Vec::new(), None);
    let (mut pictures, mut frame) = (recording.play()?, Frame::new(width, height));
    let mut seconds = 0.0;
    for told in &recording.told {
        if !pictures.next(&mut frame)? {
            return Err("the recording ends early".to_owned());
        }
        let before = worked(ClockId::ThreadCPUTime);
        if let Some(plan) = &told.plan {
            if let Some(done) = encoder.take() {
                segments.push(done.finish().map_err(failed)?);
            }
            encoder.insert(Encoder::new(&settings).map_err(failed)?).plan(plan.clone());
        }
        if let Some(encoder) = &mut encoder {
            encoder.push(&frame, &told.damage).map_err(failed)?;
        }
        seconds += worked(ClockId::ThreadCPUTime) - before;
    }
    let before = worked(ClockId::ThreadCPUTime);
    if let Some(done) = encoder {
        segments.push(done.finish().map_err(failed)?);
    }
    Ok((segments, seconds + worked(ClockId::ThreadCPUTime) - before))
}

fn write(segments: &[Segment], to: &Path) -> Result<(), String> {
    let stream: Vec<u8> = segments.iter().flat_map(Segment::annexb).collect();
    std::fs::write(to, stream).map_err(|error| error.to_string())
}

/// Bytes that libx264 would need to be nowhere better than we are: neither over the whole picture nor where it moves.
fn size_at(theirs: &[Coded], ours: &Coded) -> f64 {
    let whole = at(theirs, ours.whole.psnr, &|coded| Some(coded.whole.psnr));
    let moving = ours.moving.map_or(whole, |moving| at(theirs, moving.psnr, &|coded| Some(coded.moving?.psnr)));
    whole.min(moving)
}

/// Bytes of libx264 at a quality, between its factors or beyond them.
fn at(theirs: &[Coded], psnr: f64, quality: &dyn Fn(&Coded) -> Option<f64>) -> f64 {
    let of = |coded: &Coded| quality(coded).unwrap_or(psnr);
    let middle = &theirs[1];
    let other = if psnr > of(middle) { &theirs[0] } else { &theirs[2] };
    let by = (other.bytes.ln() - middle.bytes.ln()) / (of(other) - of(middle));
    if by.is_finite() { (middle.bytes.ln() + (psnr - of(middle)) * by).exp() } else { middle.bytes }
}

fn whole(pictures: &Path, preset: &str, factor: u32, to: &Path) -> Result<(), String> {
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-nostdin", "-y", "-i"]).arg(pictures);
    command.args(["-c:v", "libx264", "-preset", preset, "-crf", &factor.to_string(), "-f", "h264"]).arg(to);
    done(&mut command).map(drop)
}

fn done(command: &mut Command) -> Result<String, String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("ffmpeg: {error}"))?;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(told) } else { Err(format!("ffmpeg ended with {}: {told}", output.status)) }
}

/// A photograph as cameras take them, with noise; and footage of the same kind.
fn prepare(dir: &Path) -> Result<(), String> {
    let sharp = "mandelbrot=size=1920x1080:rate=30:start_scale=0.3:end_scale=0.2:end_pts=400,gblur=sigma=1.2";
    let photograph = format!("{sharp},noise=alls=5:allf=u");
    let moving = format!("{sharp},noise=alls=4:allf=t+u");
    let make = |source: &str, rest: &[&str], to: PathBuf| {
        let mut command = Command::new("ffmpeg");
        command.args(["-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", source]).args(rest).arg(to);
        done(&mut command).map(drop)
    };
    if dir.join("footage.mp4").exists() {
        return Ok(());
    }
    make(&photograph, &["-frames:v", "1"], dir.join("photograph.png"))?;
    let coded = ["-t", "8", "-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-pix_fmt", "yuv420p"];
    make(&moving, &coded, dir.join("footage.mp4"))
}

fn plain() -> Value {
    json!({"id": "background", "type": "background", "source_color": "rgb(226,232,244)"})
}

fn painted(name: &str) -> Value {
    json!({"id": "background", "type": "background", "source_type": "image",
           "source_url": format!("/images/background/{name}.png"), "source_color": "rgb(255,255,255)"})
}

fn picture() -> Value {
    json!({"id": "background", "type": "background", "source_type": "image", "source_color": "rgb(255,255,255)",
           "source_url": "/photograph.png"})
}

fn footage() -> Value {
    json!({"id": "background", "type": "background", "source_type": "video", "source_color": "rgb(255,255,255)",
           "source_url": "/footage.mp4"})
}

const SCRIPT: &str = "Good morning. This quarter revenue grew by twelve per cent, and four new markets opened. Let us look at the figures.";

fn presenter(who: &str, left: u32, top: u32, head: bool) -> Value {
    let (width, height) = if head { (300, 300) } else { (600, 900) };
    json!({"id": who, "type": "aiModel", "layer": 3, "left": left, "top": top, "width": width, "height": height,
           "model": {"ai_name": who, "emotion": format!("{who}/blazer")}, "headOnly": head,
           "script": {"org": if who == "nora" { SCRIPT } else { "" }}})
}

fn title(delay: u32) -> Value {
    json!({"id": "title", "type": "textImage", "layer": 4, "left": 140, "top": 120, "width": 1000, "height": 120,
           "text": "Quarterly results", "fill": "rgb(20,40,120)", "fontSize": 64, "fontWeight": 700, "delay": delay})
}

fn slide(comes_in: bool) -> Vec<Value> {
    let lines = [
        "Revenue grew by 12 % to 48.3 million",
        "Four new markets opened, two more to come",
        "Support answers in 3 hours on average",
        "Churn fell below 2 % for the first time",
        "Next: a film for every customer",
    ];
    let line = |(n, text): (usize, &&str)| {
        let mut clip = json!({"id": format!("line{n}"), "type": "textImage", "layer": 10 + n, "left": 140,
            "top": 300 + 110 * n, "width": 1000, "height": 80, "text": text, "fill": "rgb(40,48,64)", "fontSize": 36});
        if comes_in {
            let coming = ["in-left", "fade-in", "zoom-in"][n % 3];
            clip["animation"] = json!({"type": coming, "duration": 1, "delay": n});
        }
        clip
    };
    let panel = json!({"id": "panel", "type": "shape", "shapeName": "Rectangle_corner0", "layer": 1, "left": 80, "top": 60,
        "width": 1120, "height": 940, "fill": "rgb(255,255,255)", "strokeRadius": 24});
    [panel, title(0)].into_iter().chain(lines.iter().enumerate().map(line)).collect()
}
