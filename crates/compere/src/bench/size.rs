//! How large films are, beside libx264 coding the same raw frames whole, with B-frames and all.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use compere_codec::h264::{Encoder, Quality, Segment, Settings};
use compere_media::Frame;
use compere_render::Studio;
use compere_scene::{Film, Limits};
use serde_json::{Value, json};

use super::Row;
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

/// Sizes of every kind of film, or of those whose name contains `only`.
pub fn sizes(
    studio: &dyn Fn(&Path) -> Result<LocalStudio, String>,
    presets: &[String],
    only: Option<&str>,
    say: &mut dyn FnMut(&Row),
) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for (name, scene) in KINDS.iter().filter(|(name, _)| only.is_none_or(|only| name.contains(only))) {
        let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
        prepare(dir.path())?;
        let studio = studio(&dir.path().join("scene.json"))?;
        let bench = Bench { studio: &studio, dir: dir.path() };
        bench.compare(name, &scene(), presets, &mut |row| {
            say(&row);
            rows.push(row);
        })?;
    }
    Ok(rows)
}

struct Bench<'a> {
    studio: &'a LocalStudio,
    dir: &'a Path,
}

/// A coded film and how far it is from what was drawn.
struct Coded {
    bytes: f64,
    psnr: f64,
    ssim: f64,
}

impl Bench<'_> {
    fn compare(&self, name: &str, scene: &Value, presets: &[String], add: &mut dyn FnMut(Row)) -> Result<(), String> {
        let mut scene = scene.clone();
        scene["sceneIdx"] = json!(0);
        let project = json!({"name": "bench", "scenes": [scene]});
        let film = compere_scene::resolve(&project, &Limits::default(), self.studio.catalogue())
            .map_err(|problems| format!("{name}: {problems:?}"))?
            .film;
        let (size, raw) = (film.output(), self.dir.join("raw.yuv"));
        let ours = self.dir.join("ours.h264");
        let (keys, key_bytes) = self.draw(&film, &raw, &ours)?;
        let ours = measured(&raw, &ours, size)?;
        add(Row::new(format!("{name}: size"), ours.bytes / 1e3, "kB"));
        add(Row::new(format!("{name}: of that in {keys} key frames"), key_bytes as f64 / 1e3, "kB"));
        add(Row::new(format!("{name}: PSNR"), ours.psnr, "dB"));
        add(Row::new(format!("{name}: SSIM"), ours.ssim, ""));
        for preset in presets {
            let mut theirs = Vec::new();
            for factor in FACTORS {
                let to = self.dir.join("theirs.h264");
                whole(&raw, size, preset, factor, &to)?;
                theirs.push(measured(&raw, &to, size)?);
            }
            let middle = &theirs[1];
            add(Row::new(format!("{name}: {preset} crf {}", FACTORS[1]), middle.bytes / 1e3, "kB"));
            add(Row::new(format!("{name}: its PSNR"), middle.psnr, "dB"));
            add(Row::new(format!("{name}: its SSIM"), middle.ssim, ""));
            let equal = size_at(&theirs, ours.psnr);
            let row = Row::new(format!("{name}: size beside {preset} at equal PSNR"), ours.bytes / equal, "times");
            add(if preset == "veryfast" { row.target("<= 1.15") } else { row });
        }
        Ok(())
    }

    /// Draws the film, keeps its raw frames, encodes it piece by piece. Gives the number of key frames and their bytes.
    fn draw(&self, film: &Film, raw: &Path, to: &Path) -> Result<(usize, u64), String> {
        let (width, height) = film.output();
        let settings = Settings { width, height, quality: Quality::default(), threads: 1 };
        let mut raw = File::create(raw).map_err(|error| error.to_string())?;
        let (mut segments, mut encoder): (Vec<Segment>, Option<Encoder>) = (Vec::new(), None);
        let lines = self.dir.join("lines");
        std::fs::create_dir_all(&lines).map_err(|error| error.to_string())?;
        let played =
            compere_render::play(film, self.studio as &dyn Studio, &lines, &mut |frame: &Frame, damage, plan| {
                let told = |error: compere_codec::h264::EncodeError| error.to_string();
                if let Some(plan) = plan {
                    if let Some(done) = encoder.take() {
                        segments.push(done.finish().map_err(told)?);
                    }
                    encoder.insert(Encoder::new(&settings).map_err(told)?).plan(plan);
                }
                if let Some(encoder) = &mut encoder {
                    encoder.push(frame, damage).map_err(told)?;
                }
                [frame.y(), frame.u(), frame.v()]
                    .iter()
                    .try_for_each(|plane| raw.write_all(plane))
                    .map_err(|error| error.to_string())
            });
        played.map_err(|error| error.to_string())?;
        if let Some(done) = encoder.take() {
            segments.push(done.finish().map_err(|error| error.to_string())?);
        }
        let mut out = File::create(to).map_err(|error| error.to_string())?;
        for segment in &segments {
            out.write_all(&segment.annexb()).map_err(|error| error.to_string())?;
        }
        let keys: Vec<u64> = segments
            .iter()
            .flat_map(|segment| &segment.frames)
            .filter(|frame| frame.key)
            .map(|frame| frame.bytes.into())
            .collect();
        Ok((keys.len(), keys.iter().sum()))
    }
}

/// Bytes that libx264 would need for this PSNR, between its factors or beyond them.
fn size_at(theirs: &[Coded], psnr: f64) -> f64 {
    let slope = |a: &Coded, b: &Coded| (b.bytes.ln() - a.bytes.ln()) / (b.psnr - a.psnr);
    let (near, other) = if psnr > theirs[1].psnr { (&theirs[1], &theirs[0]) } else { (&theirs[1], &theirs[2]) };
    let by = slope(near, other);
    if by.is_finite() { (near.bytes.ln() + (psnr - near.psnr) * by).exp() } else { near.bytes }
}

fn raw_input(command: &mut Command, raw: &Path, (width, height): (u32, u32)) {
    command
        .args(["-f", "rawvideo", "-pix_fmt", "yuv420p", "-r", "30", "-s", &format!("{width}x{height}"), "-i"])
        .arg(raw);
}

fn whole(raw: &Path, size: (u32, u32), preset: &str, factor: u32, to: &Path) -> Result<(), String> {
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-nostdin", "-y"]);
    raw_input(&mut command, raw, size);
    command.args(["-c:v", "libx264", "-preset", preset, "-crf", &factor.to_string(), "-f", "h264"]).arg(to);
    done(&mut command).map(drop)
}

/// Looks at a stream beside the raw frames it was made from.
fn measured(raw: &Path, coded: &Path, size: (u32, u32)) -> Result<Coded, String> {
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "info", "-nostdin", "-nostats", "-r", "30", "-i"]).arg(coded);
    raw_input(&mut command, raw, size);
    command.args(["-lavfi", "[0:v]split[a][b];[1:v]split[c][d];[a][c]psnr;[b][d]ssim", "-f", "null", "-"]);
    let told = done(&mut command)?;
    let find = |line: &str, key: &str| {
        let line = told.lines().rev().find(|text| text.contains(line))?;
        let rest = &line[line.find(key)? + key.len()..];
        rest.split_whitespace().next()?.parse::<f64>().ok().or(Some(99.0))
    };
    let (psnr, ssim) = find("PSNR", "average:").zip(find("SSIM", "All:")).ok_or("ffmpeg measured nothing")?;
    let bytes = std::fs::metadata(coded).map_err(|error| error.to_string())?.len() as f64;
    Ok(Coded { bytes, psnr: psnr.min(99.0), ssim })
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
