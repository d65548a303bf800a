//! Drawing and encoding, frame by frame: a still slide, a slide with a moving area, a video that fills the picture.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use compere_codec::h264::{Encoder, Plan, Quality, Settings};
use compere_codec::sandbox::Sandbox;
use compere_codec::video::{VideoReader, VideoWant};
use compere_compose::draw::Fonts;
use compere_compose::{BACKGROUND, Compositor, Mover, Props, Stage};
use compere_media::{Broken, Damage, Layer, Moving, Pixmap, Rect};
use compere_scene::{AvatarEntry, Catalogue, Film, Limits, Resolution, VoiceEntry};
use serde_json::json;

use super::{Row, median};

/// One key frame interval.
const FRAMES: u64 = 150;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Case {
    Still,
    Moving,
    Video,
}

impl Case {
    const ALL: [(Self, &'static str); 3] =
        [(Self::Still, "still slide"), (Self::Moving, "slide + moving 600x900"), (Self::Video, "full-frame video")];
}

/// Every case at every resolution, and the second one beside plain `ffmpeg`.
pub fn pictures(fonts: &Fonts, sandbox: &Sandbox, runs: usize, say: &mut dyn FnMut(&Row)) -> Result<Vec<Row>, String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let footage = dir.path().join("footage.mp4");
    make_footage(&footage)?;
    let mut rows = Vec::new();
    for resolution in Resolution::ALL {
        for (case, name) in Case::ALL {
            let bench = Bench { fonts, sandbox, footage: &footage, case, resolution };
            let (mut compose, mut both) = (Vec::new(), Vec::new());
            for _ in 0..runs {
                compose.push(FRAMES as f64 / bench.run(false)?);
                both.push(FRAMES as f64 / bench.run(true)?);
            }
            let label = |what: &str| format!("{name}, {}: {what}", resolution.as_str());
            let mut add = |row: Row| {
                say(&row);
                rows.push(row);
            };
            let still = case == Case::Still && resolution == Resolution::P1080;
            add(Row::new(label("compose"), median(compose), "frames/s"));
            let row = Row::new(label("compose + encode"), median(both), "frames/s");
            add(if still { row.target("1500") } else { row });
        }
    }
    let bench = Bench { fonts, sandbox, footage: &footage, case: Case::Moving, resolution: Resolution::P1080 };
    let row = bench.beside_ffmpeg(dir.path(), runs)?;
    say(&row);
    rows.push(row);
    Ok(rows)
}

struct Bench<'a> {
    fonts: &'a Fonts,
    sandbox: &'a Sandbox,
    footage: &'a Path,
    case: Case,
    resolution: Resolution,
}

impl Bench<'_> {
    /// Seconds for all frames, on one core.
    fn run(&self, encode: bool) -> Result<f64, String> {
        let (mut compositor, settings) = self.set()?;
        let started = Instant::now();
        let mut encoder = encode.then(|| Encoder::new(&settings)).transpose().map_err(|error| error.to_string())?;
        if let Some(encoder) = &mut encoder {
            let reach = compositor.reach(0, FRAMES);
            encoder.plan(Plan { reach, footage: compositor.plays_footage(0, FRAMES) });
        }
        for number in 0..FRAMES {
            let (frame, damage) = compositor.advance(number).map_err(|error| error.to_string())?;
            if let Some(encoder) = &mut encoder {
                encoder.push(frame, &damage).map_err(|error| error.to_string())?;
            }
        }
        if let Some(encoder) = encoder {
            encoder.finish().map_err(|error| error.to_string())?;
        }
        Ok(started.elapsed().as_secs_f64())
    }

    fn set(&self) -> Result<(Compositor, Settings), String> {
        let film = slide(self.resolution)?;
        let mut scene = film.scenes[0].clone();
        let (width, height) = film.output();
        let pictures = BTreeMap::new();
        let mut movers = BTreeMap::new();
        if self.case == Case::Video {
            scene.background.video = Some(compere_scene::Source("/footage.mp4".into()));
            let want = VideoWant { width, height, angle: 0.0, start: 0, from: 0, frames: FRAMES };
            let reader = VideoReader::open(self.sandbox, self.footage, want).map_err(|error| error.to_string())?;
            movers.insert(BACKGROUND, Mover { rect: Rect::of_size(width, height), moving: Box::new(reader) });
        }
        if self.case == Case::Moving {
            let rect = moving_rect(&film);
            let clip = scene.clips.len();
            scene.clips.push(stand_in(clip));
            movers.insert(clip, Mover { rect, moving: Box::new(Loop::new(rect)) });
        }
        let props = Props {
            fonts: self.fonts,
            pictures: &pictures,
            canvas: film.canvas(),
            output: (width, height),
            frames: FRAMES,
        };
        let stage = Arc::new(Stage::set(&scene, props).0);
        let settings = Settings { width, height, quality: Quality::default(), threads: 1 };
        Ok((Compositor::new(stage, movers), settings))
    }

    /// The same slide and the same moving pictures through `ffmpeg`'s overlay filter and the same encoder preset.
    fn beside_ffmpeg(&self, dir: &Path, runs: usize) -> Result<Row, String> {
        let film = slide(self.resolution)?;
        let (width, height) = film.output();
        let rect = moving_rect(&film);
        let (slide, moving) = (dir.join("slide.yuv"), dir.join("moving.rgba"));
        let still = Self { case: Case::Still, ..*self };
        let mut compositor = still.set()?.0;
        let (frame, _) = compositor.advance(0).map_err(|error| error.to_string())?;
        write_file(&slide, &[frame.y(), frame.u(), frame.v()])?;
        let frames = Loop::new(rect).straight();
        write_file(&moving, &frames.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
        let quality = Quality::default();
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            ours.push(self.run(true)?);
            let mut command = Command::new("ffmpeg");
            command.args([
                "-v",
                "error",
                "-filter_threads",
                "1",
                "-stream_loop",
                "-1",
                "-f",
                "rawvideo",
                "-pix_fmt",
                "yuv420p",
            ]);
            command.args(["-s", &format!("{width}x{height}"), "-r", "30", "-i"]).arg(&slide);
            command.args(["-stream_loop", "-1", "-f", "rawvideo", "-pix_fmt", "rgba"]);
            command.args(["-s", &format!("{}x{}", rect.width(), rect.height()), "-r", "30", "-i"]).arg(&moving);
            command.args(["-filter_complex", &format!("[0][1]overlay={}:{}:format=yuv420", rect.x0, rect.y0)]);
            command.args(["-frames:v", &FRAMES.to_string(), "-c:v", "libx264", "-threads", "1"]);
            command.args([
                "-preset",
                &format!("{:?}", quality.preset).to_lowercase(),
                "-crf",
                &quality.crf.to_string(),
            ]);
            command.args(["-bf", "0", "-f", "null", "-"]).stdin(Stdio::null());
            let started = Instant::now();
            let status = command.status().map_err(|error| format!("ffmpeg: {error}"))?;
            if !status.success() {
                return Err("ffmpeg failed beside us".to_owned());
            }
            theirs.push(started.elapsed().as_secs_f64());
        }
        let ratio = median(theirs.iter().zip(&ours).map(|(theirs, ours)| theirs / ours).collect());
        Ok(Row::new("slide + moving 600x900, 1080: ffmpeg takes", ratio, "times as long").target("> 1"))
    }
}

/// Slides without presenters need none.
struct Nobody;

impl Catalogue for Nobody {
    fn avatars(&self) -> &[AvatarEntry] {
        &[]
    }

    fn voices(&self) -> &[VoiceEntry] {
        &[]
    }
}

/// A slide as people make them: colour, a panel, a headline, five lines of text.
fn slide(resolution: Resolution) -> Result<Film, String> {
    let line = |n: usize, text: &str| {
        json!({"id": format!("line{n}"), "type": "textImage", "layer": 10 + n, "left": 140, "top": 300 + 110 * n, "width": 1000, "height": 80,
               "text": text, "fill": "rgb(40,48,64)", "fontSize": 36})
    };
    let mut clips = vec![
        json!({"id": "panel", "type": "shape", "shapeName": "Rectangle_corner0", "layer": 1, "left": 80, "top": 60, "width": 1120, "height": 940,
               "fill": "rgb(255,255,255)", "strokeRadius": 24, "shadow": {"color": "#00000060", "blur": 8, "offsetX": 4, "offsetY": 6, "enabled": true}}),
        json!({"id": "title", "type": "textImage", "layer": 5, "left": 140, "top": 120, "width": 1000, "height": 120,
               "text": "Quarterly results", "fill": "rgb(20,40,120)", "fontSize": 64, "fontWeight": 700}),
    ];
    let lines = [
        "Revenue grew by 12 % to 48.3 million",
        "Four new markets opened, two more to come",
        "Support answers in 3 hours on average",
        "Churn fell below 2 % for the first time",
        "Next: a film for every customer",
    ];
    clips.extend(lines.iter().enumerate().map(|(n, text)| line(n, text)));
    let project = json!({"name": "bench", "resolution": resolution.as_str(), "scenes": [
        {"sceneIdx": 0, "background": {"id": "background", "type": "background", "source_color": "rgb(226,232,244)"}, "clips": clips}]});
    let resolved = compere_scene::resolve(&project, &Limits::default(), &Nobody);
    resolved.map(|resolved| resolved.film).map_err(|problems| format!("{problems:?}"))
}

/// Bottom right, where presenters stand.
fn moving_rect(film: &Film) -> Rect {
    let scale = f64::from(film.output().0) / f64::from(film.canvas().0);
    let even = |at: f64| (at * scale / 2.0).round() as i32 * 2;
    Rect::new(even(1260.0), even(180.0), even(1860.0), even(1080.0))
}

fn stand_in(index: usize) -> compere_scene::Clip {
    compere_scene::Clip {
        id: "moving".into(),
        path: format!("scenes[0].clips[{index}]"),
        place: compere_scene::Place { left: 1260.0, top: 180.0, width: 600.0, height: 900.0, angle: 0.0 },
        opacity: 1.0,
        animation: None,
        from: None,
        until: None,
        kind: compere_scene::ClipKind::Video(compere_scene::Video {
            source: compere_scene::Source("/moving".into()),
            volume: 1.0,
        }),
    }
}

/// Eight pictures in turn: a soft shape that sways, transparent around. Every frame changes all of it.
struct Loop {
    rect: Rect,
    frames: Vec<Pixmap>,
}

impl Loop {
    fn new(rect: Rect) -> Self {
        let (width, height) = (rect.width(), rect.height());
        let draw = |n: u32| {
            let mut picture = Pixmap::new(width, height);
            let sway = [0.0, 3.0, 5.0, 3.0, 0.0, -3.0, -5.0, -3.0][n as usize % 8] * f64::from(width) / 600.0;
            for y in 0..height {
                for (x, pixel) in picture.row_mut(y).iter_mut().enumerate() {
                    let across = (x as f64 + sway) / f64::from(width) - 0.5;
                    let down = f64::from(y) / f64::from(height) - 0.5;
                    let inside = ((0.24 - across * across - down * down * 0.8) * 20.0).clamp(0.0, 1.0);
                    let shade = 120.0 + 80.0 * (0.5 - across) + 30.0 * f64::from((x as u32 / 8 + y / 8) % 2);
                    let alpha = inside * 255.0;
                    let value = |v: f64| (v * inside).clamp(0.0, alpha) as u8;
                    *pixel = [value(shade), value(shade * 0.8), value(shade * 0.7), alpha as u8];
                }
            }
            picture
        };
        Self { rect, frames: (0..8).map(draw).collect() }
    }

    /// With straight alpha, as `ffmpeg` takes it.
    fn straight(&self) -> Vec<Vec<u8>> {
        let pixel = |p: &[u8; 4]| {
            let back = |v: u8| if p[3] == 0 { 0 } else { (u32::from(v) * 255 / u32::from(p[3])).min(255) as u8 };
            [back(p[0]), back(p[1]), back(p[2]), p[3]]
        };
        self.frames.iter().map(|frame| frame.data().iter().flat_map(pixel).collect()).collect()
    }
}

impl Moving for Loop {
    fn advance(&mut self, frame: u64, layer: &mut Layer) -> Result<Damage, Broken> {
        let whole = Rect::of_size(self.rect.width(), self.rect.height());
        layer.put(&self.frames[frame as usize % self.frames.len()], 0, 0, whole);
        Ok(Damage::rect(whole))
    }
}

fn write_file(path: &Path, parts: &[&[u8]]) -> Result<(), String> {
    let mut file = std::fs::File::create(path).map_err(|error| error.to_string())?;
    parts.iter().try_for_each(|part| file.write_all(part)).map_err(|error| error.to_string())
}

/// Ten seconds of moving test picture.
fn make_footage(path: &Path) -> Result<(), String> {
    let source = "testsrc2=size=1920x1080:rate=30:duration=10";
    let status = Command::new("ffmpeg")
        .args([
            "-v",
            "error",
            "-f",
            "lavfi",
            "-i",
            source,
            "-c:v",
            "libx264",
            "-preset",
            "ultrafast",
            "-pix_fmt",
            "yuv420p",
        ])
        .arg(path)
        .stdin(Stdio::null())
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("ffmpeg ended with {status} while it made the test footage")),
        Err(error) => Err(format!("ffmpeg: {error}")),
    }
}
