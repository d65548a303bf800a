//! Films, each made by a worker process.
//!
//! Workers are started before they are needed and stay warm between films. One that dies is replaced; how it died goes
//! into the outcome. A worker that has not moved for a long time is as good as dead.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use compere_jobs::crew::Later;
use compere_jobs::{Commission, Crew, Headway, Outcome};
use tokio::sync::{mpsc, watch};

use super::child::{Starter, Worker};
use super::company::{Company, Together};
use super::screening::Screening;
use super::supply::Supply;
use crate::worker::engine;
use crate::worker::protocol::{FromWorker, Hello, ToWorker};
use compere_house::home::Home;
use compere_render::Shelf;
use compere_store::Store;

/// How long a worker may take to notice that its film is not wanted any more.
const LETTING_GO: Duration = Duration::from_secs(4);
/// Long enough for the soundtrack of an hour on a slow disk.
const STALLED: Duration = Duration::from_secs(20 * 60);
/// Exports that are remembered because helping with them went wrong.
const SHUNNED: usize = 100;

#[derive(Debug)]
pub struct LocalCrew {
    starter: Starter,
    supply: Supply,
    size: usize,
    scratch: PathBuf,
    /// Workers without work.
    idle: Arc<Mutex<Vec<Worker>>>,
    /// Where others are found with whom films are made together.
    company: Option<Company>,
    seats: Mutex<Seats>,
    /// Exports with which we cannot help, latest last.
    shunned: Mutex<VecDeque<String>>,
}

/// Who works here.
#[derive(Debug, Default)]
struct Seats {
    films: usize,
    helpers: VecDeque<Helper>,
    next: u64,
}

/// Somebody who helps with a film that others lead.
#[derive(Debug)]
struct Helper {
    number: u64,
    stop: watch::Sender<bool>,
    /// Closes when it is gone.
    gone: watch::Receiver<()>,
}

/// A place at work, until it is dropped.
pub(super) struct Seat<'a> {
    crew: &'a LocalCrew,
    helper: Option<(u64, watch::Sender<()>)>,
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        let mut seats = lock(&self.crew.seats);
        match &self.helper {
            Some((number, _)) => seats.helpers.retain(|helper| helper.number != *number),
            None => seats.films -= 1,
        }
    }
}

/// Those who hear of a film while it is made.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    pub(super) headway: &'a mpsc::Sender<Headway>,
    pub(super) screening: Option<&'a Screening>,
    pub(super) together: Option<&'a Together>,
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
        let (idle, seats, shunned) = Default::default();
        let crew = Self { starter, supply, size, scratch, idle, company: None, seats, shunned };
        for _ in 0..crew.size {
            crew.warm_up();
        }
        Ok(crew)
    }

    /// The same, making films together with other machines that have these records.
    #[must_use]
    pub fn together(mut self, store: Store) -> Self {
        let alike = engine(self.starter.program()).ok().and_then(|program| self.supply.alike(&program));
        self.company = alike.map(|alike| Company::new(store, alike));
        self
    }

    pub(super) fn company(&self) -> Option<&Company> {
        self.company.as_ref()
    }

    pub(super) fn supply(&self) -> &Supply {
        &self.supply
    }

    /// Whether somebody sits idle here.
    pub(super) fn has_a_seat(&self) -> bool {
        let seats = lock(&self.seats);
        seats.films + seats.helpers.len() < self.size
    }

    pub(super) fn sit_down_to_help(&self, stop: watch::Sender<bool>) -> Option<Seat<'_>> {
        let mut seats = lock(&self.seats);
        if seats.films + seats.helpers.len() >= self.size {
            return None;
        }
        let (number, (here, gone)) = (seats.next, watch::channel(()));
        seats.next += 1;
        seats.helpers.push_back(Helper { number, stop, gone });
        Some(Seat { crew: self, helper: Some((number, here)) })
    }

    /// A film of our own is never refused: somebody who helps others gets up for it.
    async fn sit_down(&self) -> Seat<'_> {
        let (seat, leaving) = {
            let mut seats = lock(&self.seats);
            seats.films += 1;
            let full = seats.films + seats.helpers.len() > self.size;
            (Seat { crew: self, helper: None }, if full { seats.helpers.pop_front() } else { None })
        };
        if let Some(mut helper) = leaving {
            helper.stop.send_replace(true);
            // Its worker is warm. One that does not let go is not waited for.
            let _ = tokio::time::timeout(LETTING_GO, async { while helper.gone.changed().await.is_ok() {} }).await;
        }
        seat
    }

    pub(super) fn shun(&self, export: &str) {
        let mut shunned = lock(&self.shunned);
        shunned.push_back(export.to_owned());
        if shunned.len() > SHUNNED {
            shunned.pop_front();
        }
    }

    pub(super) fn shuns(&self, export: &str) -> bool {
        lock(&self.shunned).iter().any(|shunned| shunned == export)
    }

    /// An empty one that is nobody else's.
    pub(super) fn folder_for_help(&self, export: &str) -> Result<PathBuf, String> {
        let number = lock(&self.seats).next;
        let dir = self.scratch.join(format!("{export}-help-{number}"));
        empty(&dir)?;
        Ok(dir)
    }

    /// Starts a worker for whoever comes next.
    pub(super) fn warm_up(&self) {
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
        let _seat = self.sit_down().await;
        let (export, fence) = (commission.export.clone(), commission.fence);
        let screening = Screening::of(&export, self.supply.objects());
        let together = self.company.as_ref().map(|company| Together::leading(company, &export, fence));
        let passes = self.supply.of(&commission.order.snapshot).await?;
        let errand = ToWorker::Film { commission: Box::new(commission), dir, passes, together: together.is_some() };
        let around = Around { headway, screening: Some(&screening), together: together.as_ref() };
        let mut outcome = self.run(&export, errand, stop, around).await?;
        let shown = screening.end().await;
        if let Outcome::Made(finished) = &mut outcome {
            finished.made.streamed &= shown;
        }
        Ok(outcome)
    }

    /// Has a worker carry something out, and listens until it is done or the worker is dead.
    pub(super) async fn run(
        &self,
        export: &str,
        errand: ToWorker,
        stop: watch::Receiver<bool>,
        around: Around<'_>,
    ) -> Result<Outcome, String> {
        let mut worker = self.worker().await?;
        worker.works_on(Some(export));
        if worker.mouth.tell(&errand).await.is_err() {
            return Ok(Outcome::Died { how: worker.autopsy().await });
        }
        let left = match follow(&mut worker, stop, around, &self.supply).await {
            Left::Said(outcome) => {
                self.hand_back(worker);
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
    mut stop: watch::Receiver<bool>,
    Around { headway, screening, together }: Around<'_>,
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
                Ok(Some(FromWorker::Shown { name, file })) => {
                    if let Some(screening) = screening {
                        screening.take(&name, file);
                    }
                }
                Ok(Some(FromWorker::Wanted { id, shelf, key })) => supply.fetch(id, shelf, key, &worker.mouth),
                Ok(Some(FromWorker::Kept { shelf, key })) => {
                    let receipt = supply.keep(&shelf, &key);
                    if let Some(together) = together.filter(|_| travels_with_parts(&shelf)) {
                        together.sends(receipt);
                    }
                }
                Ok(Some(FromWorker::Part(news))) => {
                    if let Some(together) = together {
                        together.take(news, &worker.mouth);
                    }
                }
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

/// A part is made when these are where others find them.
fn travels_with_parts(shelf: &str) -> bool {
    [Shelf::Segment, Shelf::Speech, Shelf::Pack].iter().any(|with| with.folder() == shelf)
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
