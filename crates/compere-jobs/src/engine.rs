//! The engine of one machine: exports out of the store, through the crew, to their end.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use compere_store::{Beat, Ended, Export, ExportState, Key, Objects, Store, StoreError};
use tokio::sync::{Notify, broadcast, mpsc, watch};
use tokio::task::JoinSet;

use crate::crew::{Crew, Herald, Job, MadeFiles, Outcome, Sender, Step};
use crate::machine::{self, Command, Event};

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
    pub deliveries: usize,
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            name: format!("local-{}", std::process::id()),
            lease: Duration::from_secs(30),
            idle: Duration::from_millis(500),
            deliveries: 32,
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
    pub(crate) ring: Notify,
    pub(crate) stopping: watch::Sender<bool>,
    changes: broadcast::Sender<Change>,
    /// Exports in the crew's hands, and how to stop each.
    running: Mutex<HashMap<String, watch::Sender<bool>>>,
    /// Tries that ended in a hiccup, of exports in this process.
    hiccups: Mutex<HashMap<String, u32>>,
    alive: AtomicBool,
    done: watch::Sender<bool>,
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

    /// There is something new to do.
    pub fn ring(&self) {
        self.inner.ring.notify_one();
    }

    /// Tells the worker of an export, after [`Store::cancel_export`], so that it need not wait for its next sign of life.
    pub fn cancel(&self, export: &str) {
        if let Some(stop) = lock(&self.inner.running).get(export) {
            stop.send_replace(true);
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

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Inner {
    async fn run(self: Arc<Self>) {
        let mut jobs = JoinSet::new();
        let deliveries = tokio::spawn(Arc::clone(&self).deliver());
        let mut stopping = self.stopping.subscribe();
        while !*stopping.borrow_and_update() {
            while jobs.len() < self.parts.crew.size() {
                match self.parts.store.claim_export(&self.parts.settings.name, self.lease()).await {
                    Ok(Some(export)) => {
                        jobs.spawn(Arc::clone(&self).carry_out(export));
                    }
                    Ok(None) => break,
                    Err(error) => {
                        tracing::error!(%error, "the queue cannot be read");
                        break;
                    }
                }
            }
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

    fn lease(&self) -> i64 {
        self.parts.settings.lease.as_millis() as i64
    }

    /// One export, from claim to end or back into the queue.
    async fn carry_out(self: Arc<Self>, export: Export) {
        let stop = watch::Sender::new(false);
        lock(&self.running).insert(export.id.clone(), stop.clone());
        self.tell(&export, export.state, "starting", export.progress);
        let outcome = self.make(&export, &stop).await;
        lock(&self.running).remove(&export.id);
        let command = machine::next(self.event_of(&export, &outcome, &stop).await);
        if let Err(error) = self.obey(&export, command, outcome).await {
            // The lease runs out and somebody, perhaps we, takes it up again.
            tracing::error!(export = export.id, %error, "an export's end could not be written down");
        }
        self.ring.notify_one();
    }

    async fn make(&self, export: &Export, stop: &watch::Sender<bool>) -> Outcome {
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
        let mut making = self.parts.crew.make(job, steps, stop.subscribe());
        let mut stopping = self.stopping.subscribe();
        let mut last = Step { step: "starting".to_owned(), percent: export.progress };
        let mut beat = tokio::time::interval(Duration::from_millis(500));
        let mut said = (String::new(), -1.0);
        loop {
            tokio::select! {
                outcome = &mut making => return outcome,
                Some(step) = told.recv() => last = step,
                _ = stopping.changed() => { stop.send_replace(true); }
                _ = beat.tick() => {
                    let state = machine::state_of(&last.step);
                    let holder = (export.id.as_str(), export.fence);
                    match self.parts.store.beat_export(holder, self.lease(), state, &last.step, last.percent).await {
                        Ok(Beat::Ours) => {}
                        Ok(Beat::CancelAsked | Beat::Lost) => { stop.send_replace(true); }
                        Err(error) => tracing::warn!(export = export.id, %error, "a sign of life was not written"),
                    }
                    if said != (last.step.clone(), last.percent) {
                        said = (last.step.clone(), last.percent);
                        self.tell(export, state, &last.step, last.percent.clamp(0.0, 99.0));
                    }
                }
            }
        }
    }

    async fn plan_of(&self, export: &Export) -> compere_store::Plan {
        match self.parts.store.account(&export.account).await {
            Ok(Some(account)) => self.parts.store.plan(&account.plan),
            _ => compere_store::Plan::unlimited(),
        }
    }

    async fn event_of(&self, export: &Export, outcome: &Outcome, stop: &watch::Sender<bool>) -> Event {
        let stopping = *self.stopping.borrow();
        match outcome {
            Outcome::Made(_) => Event::Made,
            Outcome::Failed { code, message } => Event::Failed { code: *code, message: message.clone() },
            Outcome::Cancelled if stopping => Event::Stopping,
            Outcome::Cancelled => Event::CancelAsked,
            Outcome::WorkerDied(_) if *stop.borrow() && !stopping => Event::CancelAsked,
            Outcome::WorkerDied(_) if stopping => Event::Stopping,
            Outcome::WorkerDied(how) => Event::WorkerDied { strikes: export.strikes, how: how.clone() },
            Outcome::Hiccup(message) => {
                let mut hiccups = lock(&self.hiccups);
                let tries = hiccups.entry(export.id.clone()).or_default();
                *tries += 1;
                Event::Hiccup { tries: *tries, message: message.clone() }
            }
        }
    }

    async fn obey(&self, export: &Export, command: Command, outcome: Outcome) -> Result<(), StoreError> {
        let holder = (export.id.as_str(), export.fence);
        let store = &self.parts.store;
        match command {
            Command::Publish => {
                let Outcome::Made(files) = outcome else { return Ok(()) };
                self.publish(export, *files).await?;
            }
            Command::Fail { code, message } => {
                tracing::warn!(export = export.id, code, message, "an export failed");
                self.end(export, Ended::Failed { code, message }).await?;
            }
            Command::Cancel => self.end(export, Ended::Cancelled).await?,
            Command::Requeue { strike, wait } => {
                store.requeue_export(holder, strike, store.now() + wait).await?;
                self.tell(export, ExportState::Queued, "waiting", export.progress);
            }
        }
        Ok(())
    }

    /// Files first, under keys that nobody is told of yet; then one transaction makes them the export's.
    async fn publish(&self, export: &Export, files: MadeFiles) -> Result<(), StoreError> {
        let objects = &self.parts.objects;
        let id = &export.id;
        objects.put_file(&Key::Film(id.clone(), export.format.clone()), &files.film).await?;
        let beside = [
            (Key::Poster(id.clone()), &files.poster),
            (Key::Vtt(id.clone()), &files.vtt),
            (Key::Srt(id.clone()), &files.srt),
        ];
        for (key, file) in beside {
            if let Some(file) = file {
                objects.put_file(&key, file).await?;
            }
        }
        let credits = credits_for(files.made.duration);
        self.end(export, Ended::Exported { made: Box::new(files.made), credits }).await
    }

    async fn end(&self, export: &Export, ended: Ended) -> Result<(), StoreError> {
        let delivery = self.parts.herald.announce(export, &ended);
        let ours = self.parts.store.end_export((&export.id, export.fence), &ended, delivery).await?;
        if ours {
            let (state, progress) = match &ended {
                Ended::Exported { .. } => (ExportState::Exported, 100.0),
                Ended::Failed { .. } => (ExportState::Failed, export.progress),
                Ended::Cancelled => (ExportState::Cancelled, export.progress),
            };
            lock(&self.hiccups).remove(&export.id);
            self.tell(export, state, "done", progress);
        }
        Ok(())
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
