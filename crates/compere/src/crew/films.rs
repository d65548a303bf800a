//! Films, each made by a child process of this binary.

use std::path::PathBuf;
use std::process::Stdio;

use compere_jobs::crew::Later;
use compere_jobs::{Crew, Job, MadeFiles, Outcome, Step};
use compere_store::Made;
use serde_json::{Value, json};
use tokio::process::Command;
use tokio::sync::{mpsc, watch};

use crate::home::Home;
use crate::settings::Settings;

#[derive(Debug)]
pub struct LocalCrew {
    home: Home,
    size: usize,
    exe: PathBuf,
}

impl LocalCrew {
    pub fn new(home: &Home, settings: &Settings) -> Result<Self, String> {
        let exe = std::env::current_exe().map_err(|error| error.to_string())?;
        Ok(Self { home: home.clone(), size: settings.workers.max(1), exe })
    }

    async fn film(&self, job: Job, mut stop: watch::Receiver<bool>) -> Result<Outcome, String> {
        let dir = self.home.data.join("jobs").join(&job.export);
        tokio::fs::create_dir_all(&dir).await.map_err(|error| error.to_string())?;
        let mut snapshot = job.snapshot;
        if let Some(body) = snapshot.as_object_mut() {
            body.insert("resolution".to_owned(), json!(job.resolution));
        }
        let scene = dir.join("project.json");
        tokio::fs::write(&scene, snapshot.to_string()).await.map_err(|error| error.to_string())?;
        let film = dir.join("film.mp4");
        let child = Command::new(&self.exe)
            .arg("render")
            .arg(&scene)
            .arg("--output")
            .arg(&film)
            .arg("--json")
            .env("COMPERE_ASSETS", &self.home.assets)
            .env("COMPERE_DATA", &self.home.data)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| error.to_string())?;
        let output = tokio::select! {
            output = child.wait_with_output() => output.map_err(|error| error.to_string())?,
            _ = stop.wait_for(|stop| *stop) => return Ok(Outcome::Cancelled),
        };
        if output.status.code().is_none() {
            return Ok(Outcome::WorkerDied(output.status.to_string()));
        }
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default().to_owned();
            return Ok(Outcome::Failed { code: 5010, message });
        }
        let report: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
        let number = |key: &str| report[key].as_f64().unwrap_or_default();
        let made = Made {
            duration: number("seconds"),
            size: std::fs::metadata(&film).map_or(0, |meta| meta.len()),
            file_name: format!("{}.mp4", job.name),
            width: number("width") as u32,
            height: number("height") as u32,
            frames: number("frames") as u64,
            loudness: report["loudness"].as_f64(),
            poster: true,
            captions: true,
            warnings: report["warnings"].as_array().cloned().unwrap_or_default(),
            ..Made::default()
        };
        let beside = |extension: &str| Some(film.with_extension(extension));
        let files = MadeFiles { made, poster: beside("jpg"), vtt: beside("vtt"), srt: beside("srt"), film };
        Ok(Outcome::Made(Box::new(files)))
    }
}

impl Crew for LocalCrew {
    fn size(&self) -> usize {
        self.size
    }

    fn make<'a>(&'a self, job: Job, _steps: mpsc::Sender<Step>, stop: watch::Receiver<bool>) -> Later<'a, Outcome> {
        Box::pin(async move { self.film(job, stop).await.unwrap_or_else(Outcome::Hiccup) })
    }
}
