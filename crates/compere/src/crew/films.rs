//! Films, each made by a worker process.
//!
//! Workers are started before they are needed and stay warm between films. One that dies is replaced; how it died goes
//! into the outcome. A worker that has not moved for a long time is as good as dead.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use compere_jobs::crew::Later;
use compere_jobs::{Commission, Crew, Headway, Outcome};
use tokio::sync::{mpsc, watch};

use super::child::{Starter, Worker};
use super::screening::Screening;
use super::supply::Supply;
use crate::worker::protocol::{FromWorker, Hello, ToWorker};
use compere_house::home::Home;

/// How long a worker may take to notice that its film is not wanted any more.
const LETTING_GO: Duration = Duration::from_secs(4);
/// Long enough for the soundtrack of an hour on a slow disk.
const STALLED: Duration = Duration::from_secs(20 * 60);

#[derive(Debug)]
pub struct LocalCrew {
    starter: Starter,
    supply: Supply,
    size: usize,
    scratch: PathBuf,
    /// Workers without work.
    idle: Arc<Mutex<Vec<Worker>>>,
}

impl LocalCrew {
    /// Removes what a former service left half-made, and starts so many workers.
    pub fn new(home: &Home, size: usize, hello: Hello, supply: Supply) -> Result<Self, String> {
        let hello = Hello { films: true, yields: true, shares: supply.shares(), ..hello };
        Self::with(home, size, Starter::new(hello)?, supply)
    }

    /// With a binary that is not the one that runs: tests are none that could be a worker.
    pub fn of_binary(binary: PathBuf, home: &Home, size: usize, hello: Hello, supply: Supply) -> Result<Self, String> {
        let hello = Hello { films: true, yields: true, shares: supply.shares(), ..hello };
        Self::with(home, size, Starter::of(binary, hello), supply)
    }

    fn with(home: &Home, size: usize, starter: Starter, supply: Supply) -> Result<Self, String> {
        let scratch = home.data.join("jobs");
        empty(&scratch)?;
        let crew = Self { starter, supply, size, scratch, idle: Arc::default() };
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

    async fn film(
        &self,
        commission: Commission,
        headway: &mpsc::Sender<Headway>,
        stop: watch::Receiver<bool>,
    ) -> Result<Outcome, String> {
        let dir = self.scratch.join(&commission.export);
        empty(&dir)?;
        let screening = Screening::of(&commission.export, self.supply.objects());
        let passes = self.supply.of(&commission.order.snapshot).await?;
        let mut worker = self.worker().await?;
        worker.works_on(Some(&commission.export));
        if worker.mouth.tell(&ToWorker::Film { commission: Box::new(commission), dir, passes }).await.is_err() {
            return Ok(Outcome::Died { how: worker.autopsy().await });
        }
        let left = match follow(&mut worker, headway, stop, &screening, &self.supply).await {
            Left::Said(mut outcome) => {
                self.hand_back(worker);
                let shown = screening.end().await;
                if let Outcome::Made(finished) = &mut outcome {
                    finished.made.streamed &= shown;
                }
                return Ok(outcome);
            }
            left => left,
        };
        let outcome = match left {
            Left::Stalled => Outcome::Died { how: format!("it did not move for {} minutes", STALLED.as_secs() / 60) },
            Left::LetGo => Outcome::Cancelled,
            Left::Said(_) | Left::Dead => Outcome::Died { how: worker.autopsy().await },
        };
        self.warm_up();
        Ok(outcome)
    }
}

/// How a worker was left.
enum Left {
    Said(Outcome),
    Dead,
    /// It was told to stop and did not.
    LetGo,
    Stalled,
}

/// Listens until the film is made or not.
async fn follow(
    worker: &mut Worker,
    headway: &mpsc::Sender<Headway>,
    mut stop: watch::Receiver<bool>,
    screening: &Screening,
    supply: &Supply,
) -> Left {
    let mut stopping = *stop.borrow_and_update();
    if stopping {
        let _ = worker.mouth.tell(&ToWorker::Cancel).await;
    }
    loop {
        let patience = if stopping { LETTING_GO } else { STALLED };
        tokio::select! {
            heard = tokio::time::timeout(patience, worker.ears.hear()) => match heard {
                Ok(Some(FromWorker::Headway(far))) => {
                    // Whoever listens too slowly gets the next one.
                    let _ = headway.try_send(far);
                }
                Ok(Some(FromWorker::Shown { name, file })) => screening.take(&name, file),
                Ok(Some(FromWorker::Wanted { id, shelf, key })) => supply.fetch(id, shelf, key, &worker.mouth),
                Ok(Some(FromWorker::Kept { shelf, key })) => supply.keep(&shelf, &key),
                Ok(Some(FromWorker::Ended(outcome))) => return Left::Said(outcome),
                // What others are told.
                Ok(Some(_)) => {}
                Ok(None) => return Left::Dead,
                Err(_) if stopping => return Left::LetGo,
                Err(_) => return Left::Stalled,
            },
            changed = stop.changed(), if !stopping => {
                // Nobody holds the other end any more: the film is not wanted.
                stopping = changed.is_err() || *stop.borrow_and_update();
                if stopping && worker.mouth.tell(&ToWorker::Cancel).await.is_err() {
                    return Left::Dead;
                }
            }
        }
    }
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

    fn make<'a>(
        &'a self,
        commission: Commission,
        headway: mpsc::Sender<Headway>,
        stop: watch::Receiver<bool>,
    ) -> Later<'a, Outcome> {
        let ours = |message| Outcome::Hiccup { message };
        Box::pin(async move { self.film(commission, &headway, stop).await.unwrap_or_else(ours) })
    }

    fn tidy<'a>(&'a self, export: &'a str) -> Later<'a, ()> {
        Box::pin(async move {
            // What cannot be removed now is removed at the next start.
            let _ = tokio::fs::remove_dir_all(self.scratch.join(export)).await;
        })
    }
}
