//! A film as it was drawn: every picture without loss, and what was told of each. Encoders are compared on these, and a
//! kept recording is compared again without drawing anything.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use compere_codec::h264::Plan;
use compere_media::{Damage, Frame, Rect};
use compere_render::Studio;
use compere_scene::Film;
use serde_json::{Value, json};

/// A drawn film.
pub(super) struct Recording {
    pub(super) size: (u32, u32),
    /// What changed from picture to picture.
    pub(super) told: Vec<Told>,
    /// The pictures, as FFmpeg reads them.
    pub(super) pictures: PathBuf,
}

/// What the encoder is told with a picture.
pub(super) struct Told {
    pub(super) damage: Damage,
    /// With the first picture of a piece: what is known of its others.
    pub(super) plan: Option<Plan>,
}

impl Recording {
    /// Draws `film`, with its pictures and notes under `name` in `dir`; or takes those that lie there.
    pub(super) fn of(film: &Film, studio: &dyn Studio, dir: &Path, name: &str) -> Result<Self, String> {
        let (pictures, notes) = (dir.join(format!("{name}.mkv")), dir.join(format!("{name}.json")));
        if let Some(told) = read_notes(&notes) {
            return Ok(Self { size: film.output(), told, pictures });
        }
        let told = draw(film, studio, dir, &pictures)?;
        let list: Vec<Value> = told.iter().map(note).collect();
        std::fs::write(&notes, json!(list).to_string()).map_err(|error| error.to_string())?;
        Ok(Self { size: film.output(), told, pictures })
    }

    /// Everything that moves at some time.
    pub(super) fn moving(&self) -> Damage {
        let mut all = Damage::none();
        self.told.iter().skip(1).for_each(|told| all.extend(&told.damage));
        all.clipped(Rect::of_size(self.size.0, self.size.1))
    }

    pub(super) fn play(&self) -> Result<Pictures, String> {
        Pictures::of(&self.pictures, self.size)
    }
}

fn draw(film: &Film, studio: &dyn Studio, dir: &Path, to: &Path) -> Result<Vec<Told>, String> {
    let (width, height) = film.output();
    let lines = dir.join("lines");
    std::fs::create_dir_all(&lines).map_err(|error| error.to_string())?;
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-r", "30"]);
    command.args([
        "-s",
        &format!("{width}x{height}"),
        "-i",
        "-",
        "-c:v",
        "libx264",
        "-preset",
        "ultrafast",
        "-qp",
        "0",
    ]);
    let mut child = command.arg(to).stdin(Stdio::piped()).spawn().map_err(|error| format!("ffmpeg: {error}"))?;
    let mut pipe = child.stdin.take().ok_or("ffmpeg takes no pictures")?;
    let mut told = Vec::new();
    let played = compere_render::play(film, studio, &lines, &mut |frame: &Frame, damage, plan| {
        told.push(Told { damage: damage.clone(), plan: plan.cloned() });
        [frame.y(), frame.u(), frame.v()]
            .iter()
            .try_for_each(|plane| pipe.write_all(plane))
            .map_err(|error| error.to_string())
    });
    drop(pipe);
    let status = child.wait().map_err(|error| error.to_string())?;
    played.map_err(|error| error.to_string())?;
    if status.success() { Ok(told) } else { Err(format!("ffmpeg ended with {status}")) }
}

fn note(told: &Told) -> Value {
    let rects = |damage: &Damage| -> Value {
        damage.rects().iter().map(|rect| json!([rect.x0, rect.y0, rect.x1, rect.y1])).collect()
    };
    json!({"damage": rects(&told.damage), "plan": told.plan.as_ref().map(|plan| rects(&plan.reach)),
        "footage": told.plan.as_ref().map(|plan| plan.footage)})
}

fn read_notes(path: &Path) -> Option<Vec<Told>> {
    let notes: Vec<Value> = serde_json::from_reader(File::open(path).ok()?).ok()?;
    let damage = |rects: &Value| -> Option<Damage> {
        let mut damage = Damage::none();
        for rect in rects.as_array()? {
            let side = |at: usize| rect[at].as_i64().map(|side| side as i32);
            damage.add(Rect::new(side(0)?, side(1)?, side(2)?, side(3)?));
        }
        Some(damage)
    };
    let plan = |note: &Value| -> Option<Option<Plan>> {
        let Some(reach) = damage(&note["plan"]) else { return Some(None) };
        // Older notes do not say.
        Some(Some(Plan { reach, footage: note["footage"].as_bool()? }))
    };
    notes.iter().map(|note| Some(Told { damage: damage(&note["damage"])?, plan: plan(note)? })).collect()
}

/// The pictures of a file, one after another.
pub(super) struct Pictures {
    child: Child,
    size: (u32, u32),
    bytes: Vec<u8>,
}

impl Pictures {
    pub(super) fn of(file: &Path, size: (u32, u32)) -> Result<Self, String> {
        let mut command = Command::new("ffmpeg");
        command.args(["-v", "error", "-nostdin", "-i"]).arg(file);
        command.args(["-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"]);
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        let bytes = vec![0; (size.0 * size.1 * 3 / 2) as usize];
        Ok(Self { child: child.map_err(|error| format!("ffmpeg: {error}"))?, size, bytes })
    }

    /// The next picture into `frame`; false behind the last.
    pub(super) fn next(&mut self, frame: &mut Frame) -> Result<bool, String> {
        if (frame.width(), frame.height()) != self.size {
            *frame = Frame::new(self.size.0, self.size.1);
        }
        let out = self.child.stdout.as_mut().ok_or("ffmpeg gives no pictures")?;
        if let Err(error) = out.read_exact(&mut self.bytes) {
            let end = error.kind() == std::io::ErrorKind::UnexpectedEof;
            return if end { Ok(false) } else { Err(error.to_string()) };
        }
        let (y, u, v) = frame.planes_mut();
        let (luma, chroma) = self.bytes.split_at(y.len());
        y.copy_from_slice(luma);
        u.copy_from_slice(&chroma[..u.len()]);
        v.copy_from_slice(&chroma[u.len()..]);
        Ok(true)
    }
}

impl Drop for Pictures {
    fn drop(&mut self) {
        // It may have ended already; its status says nothing that its pictures do not.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
