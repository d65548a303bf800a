//! Whole films through the real binary: memory against length, and what an edit costs.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::machine::peak_memory;
use super::{Row, median};

/// Films by `exe`, this program.
pub fn film(exe: &Path, assets: &Path, runs: usize, say: &mut dyn FnMut(&Row)) -> Result<Vec<Row>, String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let bench = Bench { exe, assets, dir: dir.path(), speaker: Speaker::at_hand(assets) };
    let mut rows = Vec::new();
    let mut add = |row: Row| {
        say(&row);
        rows.push(row);
    };
    let short = bench.peak(20)?;
    let long = bench.peak(200)?;
    add(Row::new("peak memory, film of 20 s", short / 1e6, "MB"));
    add(Row::new("peak memory, film of 200 s", long / 1e6, "MB"));
    add(Row::new("200 s against 20 s", long / short, "").target("< 1.10"));
    add(Row::new("film of 44 s, a fresh process and nothing kept", bench.first(runs)?, "s").target("<= 8"));
    add(Row::new("4k, a second of film, a fresh process and nobody baked", bench.four_k(runs)?, "s").target("<= 0.35"));
    let (mut cold, mut edited, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    for run in 0..runs {
        let (first, second) = bench.edit(run)?;
        cold.push(first);
        edited.push(second);
        shares.push(second / first);
    }
    add(Row::new(format!("20 scenes of 8 s with {}, cold", bench.speaker.avatar), median(cold), "s"));
    add(Row::new("the same after editing one script", median(edited), "s"));
    add(Row::new("edit against cold", median(shares), "").target("< 0.083"));
    Ok(rows)
}

struct Bench<'a> {
    exe: &'a Path,
    assets: &'a Path,
    dir: &'a Path,
    speaker: Speaker,
}

/// Who presents.
#[derive(Debug, Clone, Copy)]
pub(super) struct Speaker {
    avatar: &'static str,
    outfit: &'static str,
    /// Instead of the avatar's own.
    voice: Option<&'static str>,
}

impl Speaker {
    /// What customers use where it is installed; else the built-in doubles, which cost next to nothing.
    pub(super) fn at_hand(assets: &Path) -> Self {
        if assets.join("avatars").is_dir() && assets.join("voices/kokoro").is_dir() {
            return Self { avatar: "nora", outfit: "nora/blazer", voice: None };
        }
        Self { avatar: "figure", outfit: "figure/plain", voice: Some("tone") }
    }
}

impl Bench<'_> {
    /// Bytes that a film of `seconds` needs at most, made with an empty cache.
    fn peak(&self, seconds: u64) -> Result<f64, String> {
        let scenes: Vec<Value> = (0..seconds / 10).map(|n| scene(n, self.speaker, None, 10.0)).collect();
        let file = self.write(&format!("long-{seconds}"), &scenes)?;
        let mut child = self.render(&file, &format!("data-{seconds}"), &[])?;
        let mut peak = 0;
        loop {
            peak = peak_memory(child.id()).unwrap_or(0).max(peak);
            match child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(peak as f64),
                Ok(Some(status)) => return Err(format!("a film of {seconds} s ended with {status}")),
                Ok(None) => std::thread::sleep(Duration::from_millis(5)),
                Err(error) => return Err(error.to_string()),
            }
        }
    }

    /// Seconds that a film of some 44 s takes which is the first of all.
    fn first(&self, runs: usize) -> Result<f64, String> {
        let scenes: Vec<Value> = (0..5).map(|n| scene(n, self.speaker, Some(&script(n)), 0.0)).collect();
        let file = self.write("first", &scenes)?;
        let times: Result<_, String> = (0..runs).map(|run| self.time(&file, &format!("first-{run}"), &[])).collect();
        Ok(median(times?))
    }

    /// Seconds that a second of a film in 4k takes, of which nothing is known.
    fn four_k(&self, runs: usize) -> Result<f64, String> {
        let lasts = 20.0;
        let file = self.write("four-k", &[scene(0, self.speaker, None, lasts)])?;
        let time = |run| self.time(&file, &format!("four-k-{run}"), &["--resolution", "4k"]);
        let times: Result<_, String> = (0..runs).map(time).collect();
        Ok(median(times?) / lasts)
    }

    /// Seconds of a cold film of twenty spoken scenes, and of the same with one script changed.
    fn edit(&self, run: usize) -> Result<(f64, f64), String> {
        let mut scenes: Vec<Value> = (0..20).map(|n| scene(n, self.speaker, Some(&script(n)), 0.0)).collect();
        let data = format!("edit-{run}");
        let cold = self.time(&self.write("cold", &scenes)?, &data, &[])?;
        scenes[7] = scene(
            7,
            self.speaker,
            Some("This scene was changed, and it alone is spoken and drawn again before the film is joined."),
            0.0,
        );
        let edited = self.time(&self.write("edited", &scenes)?, &data, &[])?;
        Ok((cold, edited))
    }

    fn time(&self, file: &Path, data: &str, how: &[&str]) -> Result<f64, String> {
        let started = Instant::now();
        let status = self.render(file, data, how)?.wait().map_err(|error| error.to_string())?;
        if status.success() { Ok(started.elapsed().as_secs_f64()) } else { Err(format!("a film ended with {status}")) }
    }

    fn write(&self, name: &str, scenes: &[Value]) -> Result<std::path::PathBuf, String> {
        let path = self.dir.join(format!("{name}.json"));
        let project = json!({"name": name, "scenes": scenes});
        std::fs::write(&path, project.to_string()).map_err(|error| error.to_string())?;
        Ok(path)
    }

    fn render(&self, file: &Path, data: &str, how: &[&str]) -> Result<Child, String> {
        let mut command = Command::new(self.exe);
        command.arg("--assets").arg(self.assets).arg("--data").arg(self.dir.join(data)).arg("render").arg(file);
        command
            .arg("-o")
            .arg(self.dir.join("film.mp4"))
            .arg("--json")
            .args(how)
            .stdout(Stdio::null())
            .stderr(Stdio::inherit());
        command.spawn().map_err(|error| error.to_string())
    }
}

fn script(n: u64) -> String {
    format!(
        "This is scene number {n} of twenty. It says two sentences, as such scenes do, and then it makes room for the next one."
    )
}

/// A slide with a presenter. With a duration it is silent.
pub(super) fn scene(n: u64, speaker: Speaker, script: Option<&str>, duration: f64) -> Value {
    let model = json!({"ai_name": speaker.avatar, "emotion": speaker.outfit});
    let color = format!("rgb({},220,{})", 200 + n % 40, 240 - n % 30);
    let tts = speaker.voice.map(|voice| json!({"voice": voice}));
    let mut scene = json!({
        "sceneIdx": n,
        "background": {"id": "background", "type": "background", "source_color": color},
        "scripts": [{"org": script.unwrap_or_default(), "isTTS": tts.is_some(), "tts": tts,
                     "modelId": speaker.avatar, "clothId": speaker.outfit}],
        "clips": [
            {"id": "presenter", "type": "aiModel", "layer": 3, "left": 1260, "top": 180, "width": 600, "height": 900, "model": model},
            {"id": "title", "type": "textImage", "layer": 2, "left": 120, "top": 160, "width": 1000, "height": 120,
             "text": format!("Chapter {}", n + 1), "fill": "rgb(20,40,120)", "fontSize": 64},
        ],
    });
    if script.is_none() {
        scene["duration"] = json!(duration);
    }
    scene
}
