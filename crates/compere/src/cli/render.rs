//! `compere render`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use compere_render::{Format, Made, RenderError, Watcher, Wish};
use compere_scene::{Film, Limits, Problem};
use serde_json::{Value, json};

use super::watch::Bar;
use super::{Failure, answer, say};
use crate::worker::studio::LocalStudio;
use compere_house::home::Home;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  compere render scene.json -o film.mp4
  compere render scene.json -o film.mp4 --resolution 4k
  compere render scene.json -o film.webm        the background left out; also .mov, and .wav for the sound alone
  compere render scene.json --check            only say what is wrong with it
  compere render scene.json -o film.mp4 --json  print length, files and warnings as JSON

Beside film.mp4 it writes film.jpg (poster), film.vtt and film.srt (captions), and film.chapters.vtt
where several scenes have names.")]
pub(crate) struct Render {
    /// A create-project body, or one of the older 1.4.x generation
    scene: PathBuf,
    /// Where the film goes
    #[arg(short, long, default_value = "film.mp4", value_name = "FILE")]
    output: PathBuf,
    /// 480, 720, 1080 or 4k instead of what the file says
    #[arg(short, long)]
    resolution: Option<String>,
    /// Cores to use
    #[arg(short, long, value_name = "N")]
    threads: Option<usize>,
    /// Draw and speak everything anew
    #[arg(long)]
    no_cache: bool,
    /// Do not write "Made with AI" into scenes with presenters of footage; the file's metadata says it all the same
    #[arg(long)]
    without_label: bool,
    /// Read the file and report problems, but make no film
    #[arg(long)]
    check: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Render {
    pub(crate) fn run(&self, home: &Home) -> Result<(), Failure> {
        let studio = LocalStudio::open(home, self.threads, self.no_cache).map_err(Failure::failed)?;
        let studio = studio.with_own_presenters(home).beside(&self.scene);
        let film = self.film(&studio)?;
        if self.check {
            return Ok(());
        }
        let bar = Bar::new(self.json);
        let started = Instant::now();
        let made = self.make(&film, &studio, &bar);
        bar.done();
        let made = made.map_err(|error| match error {
            RenderError::Cancelled => Failure::Cancelled,
            other => Failure::failed(other),
        })?;
        self.report(&made, started.elapsed().as_secs_f64());
        Ok(())
    }

    fn make(&self, film: &Film, studio: &LocalStudio, watcher: &dyn Watcher) -> Result<Made, RenderError> {
        let ending = self.output.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let format = Format::parse(&ending.to_ascii_lowercase()).unwrap_or_default();
        compere_render::film(
            film,
            studio,
            watcher,
            &self.output,
            Wish { format, longest: None, unlabelled: self.without_label },
        )
    }

    fn film(&self, studio: &LocalStudio) -> Result<Film, Failure> {
        let project = self.project(studio)?;
        match compere_scene::resolve(&project, &Limits::default(), studio.catalogue()) {
            Ok(resolved) => {
                for warning in &resolved.warnings {
                    say(&format!("warning: {}: {}", warning.path, warning.message));
                }
                let problems = studio.mismatched(&resolved.film);
                if problems.is_empty() { Ok(resolved.film) } else { Err(bad(&self.scene, &problems)) }
            }
            Err(problems) => Err(bad(&self.scene, &problems)),
        }
    }

    /// The body in its latest form, whichever generation the file is.
    fn project(&self, studio: &LocalStudio) -> Result<Value, Failure> {
        let name = self.scene.display();
        let text =
            std::fs::read_to_string(&self.scene).map_err(|error| Failure::BadInput(format!("{name}: {error}")))?;
        let mut body: Value =
            serde_json::from_str(&text).map_err(|error| Failure::BadInput(format!("{name}: not JSON: {error}")))?;
        if compere_scene::is_legacy(&body) {
            let translated = compere_scene::legacy_to_project(&body, &Limits::default(), studio.catalogue(), &|link| {
                studio.size_of(link)
            });
            body = translated.map_err(|problems| bad(&self.scene, &problems))?;
        }
        if let (Some(resolution), Some(body)) = (&self.resolution, body.as_object_mut()) {
            body.insert("resolution".into(), json!(resolution));
        }
        Ok(body)
    }

    fn report(&self, made: &Made, took: f64) {
        let film = self.output.display();
        if self.json {
            let warnings: Vec<Value> =
                made.warnings.iter().map(|w| json!({"path": w.path, "message": w.message})).collect();
            let report = json!({
                "film": self.output, "poster": made.poster, "vtt": made.vtt, "srt": made.srt,
                "chapters": made.chapters,
                "seconds": made.cut.duration, "frames": made.cut.frames, "width": made.cut.width, "height": made.cut.height,
                "loudness": made.cut.loudness, "tookSeconds": took, "warnings": warnings,
                "drawnFrames": made.cut.drawn_frames,
                "stageSeconds": made.cut.took.iter().cloned().collect::<BTreeMap<_, _>>(),
            });
            answer(&report.to_string());
            return;
        }
        for warning in &made.warnings {
            say(&format!("warning: {warning}"));
        }
        let (seconds, share) = (made.cut.duration, took / made.cut.duration);
        answer(&format!("{film}: {seconds:.1} s of film in {took:.1} s ({share:.2} s per second)"));
    }
}

fn bad(file: &Path, problems: &[Problem]) -> Failure {
    let mut text = format!("{} is not a scene that can be played:", file.display());
    for problem in problems {
        text.push_str("\n  ");
        text.push_str(&problem.to_string());
    }
    Failure::BadInput(text)
}
