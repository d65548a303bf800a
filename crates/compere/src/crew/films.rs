//! Films, each made by a worker process.
//!
//! Workers are started before they are needed and stay warm between films. One that dies is replaced; how it died goes
//! into the outcome. A worker that has not moved for a long time is as good as dead.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use compere_jobs::crew::Later;
use compere_jobs::{Crew, Job, MadeFiles, Outcome, Step};
use tokio::sync::{mpsc, watch};

use super::child::{Starter, Worker};
use crate::home::Home;
use crate::settings::Settings;
use crate::worker::protocol::{FromWorker, Hello, Order, Report, ToWorker};

/// How long a worker may take to notice that its film is not wanted any more.
const LETTING_GO: Duration = Duration::from_secs(4);
/// Long enough for the soundtrack of an hour on a slow disk.
const STALLED: Duration = Duration::from_secs(20 * 60);

#[derive(Debug)]
pub struct LocalCrew {
    starter: Starter,
    size: usize,
    scratch: PathBuf,
    /// Workers without work.
    idle: Arc<Mutex<Vec<Worker>>>,
}

impl LocalCrew {
    /// Removes what a former service left half-made, and starts the workers.
    pub fn new(home: &Home, settings: &Settings, hello: Hello) -> Result<Self, String> {
        let scratch = home.data.join("jobs");
        empty(&scratch)?;
        let starter = Starter::new(Hello { films: true, ..hello })?;
        let crew = Self { starter, size: settings.workers.max(1), scratch, idle: Arc::default() };
        for _ in 0..crew.size {
            crew.warm_up();
        }
        Ok(crew)
    }

    /// Starts a worker for whoever comes next.
    fn warm_up(&self) {
        let (starter, idle) = (self.starter.clone(), Arc::clone(&self.idle));
        tokio::spawn(async move {
            match starter.start().await {
                Ok(worker) => lock(&idle).push(worker),
                Err(why) => tracing::error!(why, "no worker"),
            }
        });
    }

    async fn worker(&self) -> Result<Worker, String> {
        loop {
            let idle = lock(&self.idle).pop();
            let Some(mut worker) = idle else { return self.starter.start().await };
            if worker.is_alive() {
                return Ok(worker);
            }
            let (pid, how) = (worker.pid(), worker.autopsy().await);
            tracing::warn!(worker = pid, how, "an idle worker died");
        }
    }

    fn hand_back(&self, worker: Worker) {
        worker.works_on(None);
        let mut idle = lock(&self.idle);
        // One that was started ahead may have come meanwhile.
        if idle.len() < self.size {
            idle.push(worker);
        }
    }

    async fn film(&self, job: Job, steps: &mpsc::Sender<Step>, stop: watch::Receiver<bool>) -> Result<Outcome, String> {
        let dir = self.scratch.join(&job.export);
        empty(&dir)?;
        let mut worker = self.worker().await?;
        worker.works_on(Some(&job.export));
        let order = Order {
            export: job.export,
            snapshot: job.snapshot,
            resolution: job.resolution,
            format: job.format,
            name: job.name,
            longest: job.longest,
            dir,
        };
        if worker.mouth.tell(&ToWorker::Film(Box::new(order))).await.is_err() {
            return Ok(Outcome::WorkerDied(worker.autopsy().await));
        }
        let ended = follow(&mut worker, steps, stop).await;
        Ok(match ended {
            Ended::Said(FromWorker::Made(report)) => {
                self.hand_back(worker);
                Outcome::Made(Box::new(files(*report)))
            }
            Ended::Said(FromWorker::Failed { code, message }) => {
                self.hand_back(worker);
                Outcome::Failed { code, message }
            }
            Ended::Said(FromWorker::Hiccup { message }) => {
                self.hand_back(worker);
                Outcome::Hiccup(message)
            }
            Ended::Said(_) => {
                self.hand_back(worker);
                Outcome::Cancelled
            }
            Ended::Died => {
                let how = worker.autopsy().await;
                self.warm_up();
                Outcome::WorkerDied(how)
            }
            Ended::LetGo => {
                drop(worker);
                self.warm_up();
                Outcome::Cancelled
            }
            Ended::Stalled => {
                drop(worker);
                self.warm_up();
                Outcome::WorkerDied(format!("it did not move for {} minutes", STALLED.as_secs() / 60))
            }
        })
    }
}

/// How a worker came to the end of a film.
enum Ended {
    Said(FromWorker),
    Died,
    /// It was told to stop and did not.
    LetGo,
    Stalled,
}

/// Listens until the film is made or not.
async fn follow(worker: &mut Worker, steps: &mpsc::Sender<Step>, mut stop: watch::Receiver<bool>) -> Ended {
    let mut stopping = *stop.borrow_and_update();
    if stopping {
        let _ = worker.mouth.tell(&ToWorker::Cancel).await;
    }
    loop {
        let patience = if stopping { LETTING_GO } else { STALLED };
        tokio::select! {
            heard = tokio::time::timeout(patience, worker.ears.hear()) => match heard {
                Ok(Some(FromWorker::Step { step, percent })) => {
                    // Whoever listens too slowly gets the next one.
                    let _ = steps.try_send(Step { step, percent });
                }
                Ok(Some(FromWorker::Ready | FromWorker::Answer { .. })) => {}
                Ok(Some(other)) => return Ended::Said(other),
                Ok(None) => return Ended::Died,
                Err(_) if stopping => return Ended::LetGo,
                Err(_) => return Ended::Stalled,
            },
            changed = stop.changed(), if !stopping => {
                // Nobody holds the other end any more: the film is not wanted.
                stopping = changed.is_err() || *stop.borrow_and_update();
                if stopping && worker.mouth.tell(&ToWorker::Cancel).await.is_err() {
                    return Ended::Died;
                }
            }
        }
    }
}

fn files(report: Report) -> MadeFiles {
    let Report { made, film, poster, vtt, srt } = report;
    MadeFiles { made, film, poster, vtt, srt }
}

/// Makes a folder, or empties it.
fn empty(dir: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", dir.display());
    match std::fs::remove_dir_all(dir) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
        _ => {}
    }
    std::fs::create_dir_all(dir).map_err(failed)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Crew for LocalCrew {
    fn size(&self) -> usize {
        self.size
    }

    fn make<'a>(&'a self, job: Job, steps: mpsc::Sender<Step>, stop: watch::Receiver<bool>) -> Later<'a, Outcome> {
        Box::pin(async move { self.film(job, &steps, stop).await.unwrap_or_else(Outcome::Hiccup) })
    }

    fn tidy<'a>(&'a self, export: &'a str) -> Later<'a, ()> {
        Box::pin(async move {
            // What cannot be removed now is removed at the next start.
            let _ = tokio::fs::remove_dir_all(self.scratch.join(export)).await;
        })
    }
}
