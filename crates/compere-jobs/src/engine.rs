//! The engine of one machine: exports out of the store, through the crew, to their end.
//!
//! Everything that has to survive is in the store; what is in memory here is who works on what right now. A lease says
//! that somebody holds an export. One node has one engine, so an expired lease of an export in our own hands only means
//! that the clock was moved; one in nobody's hands is an export whose end could not be written down, and is taken up
//! again.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use compere_store::{Beat, Ended, Export, ExportState, Key, Objects, Store, StoreError, crash};
use tokio::sync::{Notify, broadcast, mpsc, watch};
use tokio::task::JoinSet;

use crate::crew::{Crew, Herald, Job, MadeFiles, Outcome, Sender, Step};
use crate::machine::{self, Command, Event, Life, Stage};

/// What clients are told while they wait.
#[derive(Clone, Debug)]
pub struct Change {
    pub account: String,
    pub project: String,
    pub export: String,
    pub state: ExportState,
    pub step: String,
    pub progress: f64,
}

#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// Named in the rows that it holds.
    pub name: String,
    pub lease: Duration,
    /// How often the queue is looked at when nobody rings.
    pub idle: Duration,
    /// Webhooks under way at once.
    pub deliveries: usize,
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            name: format!("local-{}", std::process::id()),
            lease: Duration::from_secs(30),
            idle: Duration::from_millis(500),
            deliveries: 64,
        }
    }
}

/// Everything an engine works with.
#[derive(Clone)]
pub struct Parts {
    pub store: Store,
    pub objects: Objects,
    pub crew: Arc<dyn Crew>,
    pub herald: Arc<dyn Herald>,
    pub sender: Arc<dyn Sender>,
    pub settings: EngineSettings,
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parts").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// Cheap to clone; the engine runs until [`Engine::stop`].
#[derive(Debug, Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) parts: Parts,
    ring: Notify,
    /// Rings when there is a webhook to send.
    pub(crate) news: Notify,
    stopping: watch::Sender<bool>,
    changes: broadcast::Sender<Change>,
    /// Exports in the crew's hands, and how to stop each.
    running: Mutex<HashMap<String, Leash>>,
    /// Tries that ended in a hiccup, of exports in this process.
    hiccups: Mutex<HashMap<String, u32>>,
    alive: AtomicBool,
    done: watch::Sender<bool>,
}

/// Holds an export that is being made.
#[derive(Debug, Clone)]
struct Leash {
    stop: watch::Sender<bool>,
    cancel: Arc<AtomicBool>,
}

impl Leash {
    fn cancel(&self) {
        self.cancel.store(true, Ordering::SeqCst);
        self.stop.send_replace(true);
    }
}

impl Engine {
    /// Takes over what a former process left, and starts.
    pub async fn start(parts: Parts) -> Result<Self, StoreError> {
        let recovered = parts.store.recover_exports().await?;
        if recovered > 0 {
            tracing::info!(recovered, "exports of the last run go on");
        }
        let inner = Arc::new(Inner {
            parts,
            ring: Notify::new(),
            news: Notify::new(),
            stopping: watch::Sender::new(false),
            changes: broadcast::Sender::new(1024),
            running: Mutex::default(),
            hiccups: Mutex::default(),
            alive: AtomicBool::new(true),
            done: watch::Sender::new(false),
        });
        tokio::spawn(Arc::clone(&inner).run());
        Ok(Self { inner })
    }

    /// There is something new to do: an export, or a webhook to send again.
    pub fn ring(&self) {
        self.inner.ring.notify_one();
        self.inner.news.notify_one();
    }

    /// Tells the worker of an export, after [`Store::cancel_export`], so that it need not wait for its next sign of life.
    pub fn cancel(&self, export: &str) {
        if let Some(leash) = lock(&self.inner.running).get(export) {
            leash.cancel();
        }
    }

    /// Every change of every export, from now on.
    pub fn changes(&self) -> broadcast::Receiver<Change> {
        self.inner.changes.subscribe()
    }

    /// Ids in the crew's hands.
    pub fn running(&self) -> Vec<String> {
        lock(&self.inner.running).keys().cloned().collect()
    }

    pub fn is_alive(&self) -> bool {
        self.inner.alive.load(Ordering::Relaxed)
    }

    /// Hands running exports back to the queue and ends.
    pub async fn stop(&self) {
        self.inner.stopping.send_replace(true);
        let mut done = self.inner.done.subscribe();
        // An error means the loop is gone, which is what we wait for.
        let _ = done.wait_for(|done| *done).await;
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notices when the clock on the wall is set back.
struct Watchmaker {
    started: Instant,
    /// Wall clock minus running time, in milliseconds.
    offset: i64,
}

impl Watchmaker {
    /// Smaller steps are what time servers do all day.
    const TOLERANCE: i64 = 2_000;

    fn new(now: i64) -> Self {
        Self { started: Instant::now(), offset: now }
    }

    /// By how many milliseconds the clock was set back since it was last asked.
    fn set_back(&mut self, now: i64) -> Option<i64> {
        let offset = now - self.started.elapsed().as_millis() as i64;
        let back = self.offset - offset;
        if back.abs() > Self::TOLERANCE {
            self.offset = offset;
        }
        (back > Self::TOLERANCE).then_some(back)
    }
}

impl Inner {
    async fn run(self: Arc<Self>) {
        let mut jobs = JoinSet::new();
        let deliveries = tokio::spawn(Arc::clone(&self).deliver());
        let mut stopping = self.stopping.subscribe();
        let mut watchmaker = Watchmaker::new(self.parts.store.now());
        while !*stopping.borrow_and_update() {
            while jobs.try_join_next().is_some() {}
            if let Err(error) = self.look_after(&mut watchmaker).await {
                tracing::error!(%error, "exports in nobody's hands could not be looked for");
            }
            self.hand_out(&mut jobs).await;
            tokio::select! {
                () = self.ring.notified() => {}
                () = tokio::time::sleep(self.parts.settings.idle) => {}
                Some(_) = jobs.join_next() => {}
                _ = stopping.changed() => {}
            }
        }
        while jobs.join_next().await.is_some() {}
        deliveries.abort();
        self.alive.store(false, Ordering::Relaxed);
        self.done.send_replace(true);
    }

    async fn hand_out(self: &Arc<Self>, jobs: &mut JoinSet<()>) {
        while jobs.len() < self.parts.crew.size() {
            match self.parts.store.claim_export(&self.parts.settings.name, self.lease()).await {
                Ok(Some(export)) => {
                    crash::point("claimed");
                    // Before the task runs: nobody else may think that it is in nobody's hands.
                    let leash = Leash { stop: watch::Sender::new(false), cancel: Arc::default() };
                    lock(&self.running).insert(export.id.clone(), leash.clone());
                    jobs.spawn(Arc::clone(self).carry_out(export, leash));
                }
                Ok(None) => return,
                Err(error) => {
                    tracing::error!(%error, "the queue cannot be read");
                    return;
                }
            }
        }
    }

    /// Times that lie in the future because the clock was set back, and exports whose end was not written down.
    async fn look_after(&self, watchmaker: &mut Watchmaker) -> Result<(), StoreError> {
        let store = &self.parts.store;
        if let Some(back) = watchmaker.set_back(store.now()) {
            tracing::warn!(millis = back, "the clock was set back; what waits is not kept waiting");
            store.clock_was_set_back(back).await?;
        }
        for export in store.expired_exports().await? {
            if lock(&self.running).contains_key(&export.id) {
                continue;
            }
            tracing::warn!(export = export.id, "an export in nobody's hands is taken up again");
            store.requeue_export((&export.id, export.fence), false, store.now()).await?;
        }
        Ok(())
    }

    fn lease(&self) -> i64 {
        self.parts.settings.lease.as_millis() as i64
    }

    /// One export, from claim to end or back into the queue.
    async fn carry_out(self: Arc<Self>, export: Export, leash: Leash) {
        self.tell(&export, export.state, "starting", export.progress);
        // Asked while nobody was there to hear it.
        if export.cancel_asked {
            leash.cancel();
        }
        let outcome = if export.cancel_asked { Outcome::Cancelled } else { self.make(&export, &leash).await };
        let (life, event) = self.happened(&export, &outcome, &leash);
        let (life, command) = machine::step(&life, event);
        lock(&self.hiccups).insert(export.id.clone(), life.hiccups);
        if let Some(command) = command {
            if command.ends() {
                lock(&self.hiccups).remove(&export.id);
            }
            if let Err(error) = self.obey(&export, command, outcome).await {
                // The lease runs out and we take it up again.
                tracing::error!(export = export.id, %error, "an export's end could not be written down");
            }
        }
        self.parts.crew.tidy(&export.id).await;
        crash::point("tidied");
        lock(&self.running).remove(&export.id);
        self.ring.notify_one();
    }

    async fn make(&self, export: &Export, leash: &Leash) -> Outcome {
        let snapshot = match serde_json::from_str(&export.snapshot) {
            Ok(snapshot) => snapshot,
            Err(error) => {
                return Outcome::Failed { code: 5010, message: format!("the snapshot cannot be read: {error}") };
            }
        };
        let plan = self.plan_of(export).await;
        let job = Job {
            export: export.id.clone(),
            fence: export.fence,
            snapshot,
            resolution: export.resolution.clone(),
            format: export.format.clone(),
            name: export.name.clone(),
            longest: plan.longest_film,
        };
        let (steps, mut told) = mpsc::channel::<Step>(64);
        // A task of its own: making must go on while a sign of life waits for the store, which making may hold itself.
        let (crew, stop) = (Arc::clone(&self.parts.crew), leash.stop.subscribe());
        let mut making = JoinSet::new();
        making.spawn(async move { crew.make(job, steps, stop).await });
        let mut stopping = self.stopping.subscribe();
        if *stopping.borrow_and_update() {
            leash.stop.send_replace(true);
        }
        let mut last = Step { step: "starting".to_owned(), percent: export.progress };
        let mut beat = tokio::time::interval(Duration::from_millis(500));
        let mut said = last.clone();
        loop {
            tokio::select! {
                Some(outcome) = making.join_next() => {
                    return outcome.unwrap_or_else(|error| Outcome::WorkerDied(format!("its keeper failed: {error}")));
                }
                Some(step) = told.recv() => {
                    crash::point(&format!("step.{}", step.step));
                    // A second try begins again; what clients see does not.
                    last = Step { percent: step.percent.max(last.percent).clamp(0.0, 99.0), ..step };
                }
                _ = stopping.changed() => { leash.stop.send_replace(true); }
                _ = beat.tick() => {
                    self.beat(export, &last, leash).await;
                    if said != last {
                        self.tell(export, machine::state_of(&last.step), &last.step, last.percent);
                        said = last.clone();
                    }
                }
            }
        }
    }

    /// A sign of life, and what the store has to say to it.
    async fn beat(&self, export: &Export, last: &Step, leash: &Leash) {
        let (store, state) = (&self.parts.store, machine::state_of(&last.step));
        let holder = (export.id.as_str(), export.fence);
        match store.beat_export(holder, self.lease(), state, &last.step, last.percent).await {
            Ok(Beat::Ours) => {}
            Ok(Beat::CancelAsked) => leash.cancel(),
            // Deleted, or ended by hand: nothing that we make of it will be taken.
            Ok(Beat::Lost) => {
                leash.stop.send_replace(true);
            }
            Err(error) => tracing::warn!(export = export.id, %error, "a sign of life was not written"),
        }
        crash::point("beat");
    }

    async fn plan_of(&self, export: &Export) -> compere_store::Plan {
        match self.parts.store.account(&export.account).await {
            Ok(Some(account)) => self.parts.store.plan(&account.plan),
            _ => compere_store::Plan::unlimited(),
        }
    }

    /// What is known of an export, and what happened to it, in the machine's words.
    fn happened(&self, export: &Export, outcome: &Outcome, leash: &Leash) -> (Life, Event) {
        let life = Life {
            stage: Stage::Making,
            strikes: export.strikes,
            hiccups: lock(&self.hiccups).get(&export.id).copied().unwrap_or(0),
            cancel_asked: leash.cancel.load(Ordering::SeqCst),
        };
        let event = match outcome {
            Outcome::Made(_) => Event::Made,
            Outcome::Failed { code, message } => Event::Failed { code: *code, message: message.clone() },
            Outcome::Cancelled => Event::LetGo,
            // Killed with the service, not by the film.
            Outcome::WorkerDied(_) if *self.stopping.borrow() => Event::LetGo,
            Outcome::WorkerDied(how) => Event::WorkerDied { how: how.clone() },
            Outcome::Hiccup(message) => Event::Hiccup { message: message.clone() },
        };
        (life, event)
    }

    async fn obey(&self, export: &Export, command: Command, outcome: Outcome) -> Result<(), StoreError> {
        let holder = (export.id.as_str(), export.fence);
        let store = &self.parts.store;
        match command {
            Command::Publish => {
                let Outcome::Made(files) = outcome else { return Ok(()) };
                crash::point("made");
                self.publish(export, *files).await
            }
            Command::Fail { code, message } => {
                tracing::warn!(export = export.id, code, message, "an export failed");
                self.end(export, Ended::Failed { code, message }).await.map(drop)
            }
            Command::Cancel => self.end(export, Ended::Cancelled).await.map(drop),
            Command::Requeue { strike, wait } => {
                if let Outcome::WorkerDied(how) | Outcome::Hiccup(how) = &outcome {
                    tracing::warn!(export = export.id, strike, wait, how, "an export is tried again");
                }
                crash::point("requeue.before");
                store.requeue_export(holder, strike, store.now() + wait).await?;
                crash::point("requeue.after");
                self.tell(export, ExportState::Queued, "waiting", export.progress);
                Ok(())
            }
            // The machine says so only while the film is being made.
            Command::Stop => Ok(()),
        }
    }

    /// Files first, under keys that nobody is told of yet; then one transaction makes them the export's.
    async fn publish(&self, export: &Export, files: MadeFiles) -> Result<(), StoreError> {
        let objects = &self.parts.objects;
        let id = &export.id;
        crash::point("publish.before");
        objects.put_file(&Key::Film(id.clone(), export.format.clone()), &files.film).await?;
        crash::point("publish.film");
        let beside = [
            (Key::Poster(id.clone()), &files.poster),
            (Key::Vtt(id.clone()), &files.vtt),
            (Key::Srt(id.clone()), &files.srt),
        ];
        for (key, file) in beside {
            if let Some(file) = file {
                objects.put_file(&key, file).await?;
                crash::point("publish.beside");
            }
        }
        crash::point("publish.all");
        let credits = credits_for(files.made.duration);
        if !self.end(export, Ended::Exported { made: Box::new(files.made), credits }).await? {
            // Cancelled while its files were put away. They go with everything else that was swept.
            self.end(export, Ended::Cancelled).await?;
        }
        Ok(())
    }

    /// False when the export is not ours to end, or not this way.
    async fn end(&self, export: &Export, ended: Ended) -> Result<bool, StoreError> {
        let delivery = self.parts.herald.announce(export, &ended);
        let ours = self.parts.store.end_export((&export.id, export.fence), &ended, delivery).await?;
        crash::point("ended");
        if ours {
            let (state, progress) = match &ended {
                Ended::Exported { .. } => (ExportState::Exported, 100.0),
                Ended::Failed { .. } => (ExportState::Failed, export.progress),
                Ended::Cancelled => (ExportState::Cancelled, export.progress),
            };
            self.tell(export, state, "done", progress);
            self.news.notify_one();
        }
        Ok(ours)
    }

    fn tell(&self, export: &Export, state: ExportState, step: &str, progress: f64) {
        // Nobody may be listening.
        let _ = self.changes.send(Change {
            account: export.account.clone(),
            project: export.project.clone(),
            export: export.id.clone(),
            state,
            step: step.to_owned(),
            progress,
        });
    }
}

/// One credit for each started ten seconds, at least one.
pub fn credits_for(seconds: f64) -> i64 {
    ((seconds / 10.0).ceil() as i64).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clock_that_was_set_back_is_noticed() {
        let mut watchmaker = Watchmaker::new(1_000_000);
        assert_eq!(watchmaker.set_back(1_000_500), None);
        assert_eq!(watchmaker.set_back(9_000_000), None, "forward is no trouble");
        let back = watchmaker.set_back(1_000_000).expect("two hours back");
        assert!((7_998_000..=8_001_000).contains(&back), "{back}");
        assert_eq!(watchmaker.set_back(1_000_100), None, "told once");
    }
}
