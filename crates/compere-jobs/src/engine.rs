//! Engines: exports out of the store, through the crew, to their end.
//!
//! What becomes of an export that is in our hands is the same for every engine, and is here. Which export that is, and
//! when, says whoever drives it: on one machine the queue in the rows ([`Engine::start`]), on many somebody outside
//! ([`Engine::driven`]).
//!
//! Everything that has to survive is in the store; what is in memory here is who works on what right now. A lease says
//! that somebody holds an export. Where one database has one service, an expired lease of an export in our own hands only
//! means that the clock was moved; one in nobody's hands is an export whose end could not be written down, and is taken
//! up again.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use compere_media::Activity;
use compere_store::{
    Claimed, Command, Ended, Export, ExportState, Finished, Life, News, Objects, Store, StoreError, trial,
};
use tokio::sync::{Notify, broadcast, mpsc, watch};
use tokio::task::JoinSet;

use crate::crew::{Commission, Crew, Headway, Herald, Later, Outcome, Sender};
use crate::keep;
use crate::watchmaker::Watchmaker;

/// How often whoever has an export is asked for a sign of life.
const BEAT: Duration = Duration::from_millis(500);

/// What clients are told while they wait.
#[derive(Clone, Debug)]
pub struct Change {
    pub account: String,
    pub project: String,
    pub export: String,
    pub state: ExportState,
    pub activity: Activity,
    pub progress: f64,
}

#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// Named in the rows that it holds.
    pub name: String,
    pub lease: Duration,
    /// How often the queue is looked at when nobody rings.
    pub idle: Duration,
    /// Webhooks under way at once; 0 where others carry them.
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
    /// Held while something is taken from the queue. Stopping waits for it: an export that is let go must not be taken
    /// up again by the engine that lets it go.
    claiming: tokio::sync::Mutex<()>,
    changes: broadcast::Sender<Change>,
    /// Exports in the crew's hands, and how to stop each.
    running: Mutex<HashMap<String, Leash>>,
    alive: AtomicBool,
    done: watch::Sender<bool>,
}

/// Stops whoever makes an export.
type Leash = watch::Sender<bool>;

impl Engine {
    /// Takes over what a former process left, and starts.
    pub async fn start(parts: Parts) -> Result<Self, StoreError> {
        let recovered = parts.store.recover_exports().await?;
        if recovered > 0 {
            tracing::info!(recovered, "exports of the last run go on");
        }
        Ok(Self::driven(parts, |hands| Box::pin(hands.inner.serve_the_queue())))
    }

    /// Starts one that takes up what `drive` says. It lives until `drive` ends, which has to be soon after
    /// [`Hands::stopping`] turned true.
    pub fn driven(parts: Parts, drive: impl FnOnce(Hands) -> Later<'static, ()>) -> Self {
        let inner = Arc::new(Inner {
            parts,
            ring: Notify::new(),
            news: Notify::new(),
            stopping: watch::Sender::new(false),
            claiming: tokio::sync::Mutex::default(),
            changes: broadcast::Sender::new(1024),
            running: Mutex::default(),
            alive: AtomicBool::new(true),
            done: watch::Sender::new(false),
        });
        let driving = drive(Hands { inner: Arc::clone(&inner) });
        tokio::spawn(Arc::clone(&inner).run(driving));
        Self { inner }
    }

    /// There is something new to do: an export, or a webhook to send again.
    pub fn ring(&self) {
        self.inner.ring.notify_one();
        self.inner.news.notify_one();
    }

    /// Tells the worker of an export, after [`Store::cancel_export`], so that it need not wait for its next sign of life.
    pub fn cancel(&self, export: &str) {
        Hands { inner: Arc::clone(&self.inner) }.let_go(export);
    }

    /// Every change of every export, from now on.
    pub fn changes(&self) -> broadcast::Receiver<Change> {
        self.inner.changes.subscribe()
    }

    /// Ids in the crew's hands.
    pub fn running(&self) -> Vec<String> {
        Hands { inner: Arc::clone(&self.inner) }.running()
    }

    pub fn is_alive(&self) -> bool {
        self.inner.alive.load(Ordering::Relaxed)
    }

    /// Hands running exports back to the queue and ends.
    pub async fn stop(&self) {
        let claiming = self.inner.claiming.lock().await;
        self.inner.stopping.send_replace(true);
        drop(claiming);
        self.ended().await;
    }

    /// Waits until it has ended, whatever ended it.
    pub async fn ended(&self) {
        let mut done = self.inner.done.subscribe();
        // An error means the loop is gone, which is what we wait for.
        let _ = done.wait_for(|done| *done).await;
    }
}

/// What a driver works with.
#[derive(Clone, Debug)]
pub struct Hands {
    inner: Arc<Inner>,
}

impl Hands {
    pub fn parts(&self) -> &Parts {
        &self.inner.parts
    }

    /// Waits until there is something new to do.
    pub async fn rung(&self) {
        self.inner.ring.notified().await;
    }

    /// Turns true when the engine is to end.
    pub fn stopping(&self) -> watch::Receiver<bool> {
        self.inner.stopping.subscribe()
    }

    /// Exports in these hands.
    pub fn running(&self) -> Vec<String> {
        lock(&self.inner.running).keys().cloned().collect()
    }

    /// One export, from claim to end or back into the queue.
    pub async fn carry_out(&self, claimed: Claimed) {
        let leash = self.inner.leash(&claimed);
        Arc::clone(&self.inner).carry_out(claimed, leash).await;
    }

    /// Stops whoever makes an export here, as if the engine ended.
    pub fn let_go(&self, export: &str) {
        if let Some(leash) = lock(&self.inner.running).get(export) {
            leash.send_replace(true);
        }
    }

    /// Lets clients know of an export in somebody else's hands.
    pub fn tell_clients(&self, change: Change) {
        // Nobody may be listening.
        let _ = self.inner.changes.send(change);
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Inner {
    async fn run(self: Arc<Self>, driving: Later<'static, ()>) {
        let deliveries = (self.parts.settings.deliveries > 0).then(|| tokio::spawn(Arc::clone(&self).deliver()));
        driving.await;
        if let Some(deliveries) = deliveries {
            deliveries.abort();
        }
        self.alive.store(false, Ordering::Relaxed);
        self.done.send_replace(true);
    }

    /// Drives the engine of one machine.
    async fn serve_the_queue(self: Arc<Self>) {
        let mut hands = JoinSet::new();
        let mut stopping = self.stopping.subscribe();
        let mut watchmaker = Watchmaker::new(self.parts.store.now());
        while !*stopping.borrow_and_update() {
            while hands.try_join_next().is_some() {}
            if let Err(error) = self.look_after(&mut watchmaker).await {
                tracing::error!(%error, "exports in nobody's hands could not be looked for");
            }
            self.hand_out(&mut hands).await;
            tokio::select! {
                () = self.ring.notified() => {}
                () = tokio::time::sleep(self.parts.settings.idle) => {}
                Some(_) = hands.join_next() => {}
                _ = stopping.changed() => {}
            }
        }
        while hands.join_next().await.is_some() {}
    }

    async fn hand_out(self: &Arc<Self>, hands: &mut JoinSet<()>) {
        while hands.len() < self.parts.crew.size() {
            let _claiming = self.claiming.lock().await;
            if *self.stopping.borrow() {
                return;
            }
            match self.parts.store.claim_export(&self.parts.settings.name, self.lease()).await {
                Ok(Some(claimed)) => {
                    trial::point("claimed");
                    // Before the task runs: nobody else may think that it is in nobody's hands.
                    let leash = self.leash(&claimed);
                    hands.spawn(Arc::clone(self).carry_out(claimed, leash));
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
            store.orphan_export((&export.id, export.fence)).await?;
        }
        Ok(())
    }

    fn lease(&self) -> i64 {
        self.parts.settings.lease.as_millis() as i64
    }

    /// From here on the export is in our hands.
    fn leash(&self, claimed: &Claimed) -> Leash {
        let leash = Leash::new(false);
        lock(&self.running).insert(claimed.export.id.clone(), leash.clone());
        leash
    }

    /// One export, from claim to end or back into the queue.
    async fn carry_out(self: Arc<Self>, claimed: Claimed, leash: Leash) {
        let Claimed { export, longest } = claimed;
        self.tell_clients(&export, &export.life);
        let turn = Turn { engine: &self, export: &export, leash: &leash, seen: Mutex::new(export.life.clone()) };
        if let Err(error) = turn.take(longest).await {
            // The lease runs out and it is taken up again.
            tracing::error!(export = export.id, %error, "what became of an export could not be written down");
        }
        self.parts.crew.tidy(&export.id).await;
        trial::point("tidied");
        lock(&self.running).remove(&export.id);
        self.ring.notify_one();
    }

    fn tell_clients(&self, export: &Export, life: &Life) {
        // Nobody may be listening.
        let _ = self.changes.send(Change {
            account: export.account.clone(),
            project: export.project.clone(),
            export: export.id.clone(),
            state: life.state,
            activity: life.activity,
            progress: life.progress,
        });
    }
}

/// An export in our hands, under one fence.
struct Turn<'a> {
    engine: &'a Inner,
    export: &'a Export,
    leash: &'a Leash,
    /// What clients were told last.
    seen: Mutex<Life>,
}

impl Turn<'_> {
    /// The loop of every engine: what happened is told, what is commanded is done, until it is out of our hands.
    async fn take(&self, longest: f64) -> Result<(), StoreError> {
        let outcome = self.make(longest).await;
        trial::point(if matches!(outcome, Outcome::Made(_)) { "made" } else { "not_made" });
        let (mut news, finished) = self.news_of(outcome);
        loop {
            let mut next = None;
            for command in self.tell(news).await? {
                match (command, &finished) {
                    (Command::Keep, Some(finished)) => next = Some(self.keep(finished).await),
                    (Command::End(Ended::Failed { message }), _) => {
                        tracing::warn!(export = self.export.id, message, "an export failed");
                    }
                    // Cancelled, or taken over, while its files were put away.
                    (Command::End(Ended::Cancelled) | Command::Dismiss, Some(_)) => self.discard().await?,
                    _ => {}
                }
            }
            match next {
                Some(told) => news = told,
                None => return Ok(()),
            }
        }
    }

    /// Has it made, and gives a sign of life meanwhile.
    async fn make(&self, longest: f64) -> Outcome {
        let Self { engine, export, leash, .. } = self;
        let commission = Commission {
            export: export.id.clone(),
            account: export.account.clone(),
            fence: export.fence,
            order: export.order.clone(),
            longest,
        };
        let (tell, mut told) = mpsc::channel::<Headway>(64);
        // A task of its own: making must go on while a sign of life waits for the store, which making may hold itself.
        let (crew, stop) = (Arc::clone(&engine.parts.crew), leash.subscribe());
        let mut making = JoinSet::new();
        making.spawn(async move { crew.make(commission, tell, stop).await });
        let mut stopping = engine.stopping.subscribe();
        if *stopping.borrow_and_update() {
            leash.send_replace(true);
        }
        let mut last = Headway { activity: Activity::Starting, percent: export.progress };
        let mut beat = tokio::time::interval(BEAT);
        loop {
            tokio::select! {
                Some(outcome) = making.join_next() => {
                    return outcome.unwrap_or_else(|error| Outcome::Died { how: format!("its keeper failed: {error}") });
                }
                Some(headway) = told.recv() => {
                    trial::point(&format!("step.{}", headway.activity));
                    last = headway;
                }
                _ = stopping.changed() => { leash.send_replace(true); }
                _ = beat.tick() => {
                    self.beat(last).await;
                }
            }
        }
    }

    /// A sign of life, and what is to be done about it.
    async fn beat(&self, Headway { activity, percent }: Headway) {
        match self.tell(News::Alive { activity, percent }).await {
            // Nobody wants it any more, or nothing that we make of it will be taken.
            Ok(commands) if !commands.is_empty() => {
                self.leash.send_replace(true);
            }
            Ok(_) => {}
            Err(error) => tracing::warn!(export = self.export.id, %error, "a sign of life was not written"),
        }
        trial::point("beat");
    }

    fn news_of(&self, outcome: Outcome) -> (News, Option<Finished>) {
        let stopping = *self.engine.stopping.borrow();
        let news = match outcome {
            Outcome::Made(finished) => return (News::Made, Some(*finished)),
            Outcome::Failed { message } => News::Failed { message },
            Outcome::Hiccup { message } => News::Hiccup { message },
            Outcome::Bug { message } => News::Bug { message },
            // Killed with the service, not by the film.
            Outcome::Died { .. } if stopping => News::LetGo,
            Outcome::Died { how } => News::Died { how },
            Outcome::Cancelled => News::LetGo,
        };
        (news, None)
    }

    /// Says what happened, and lets clients know what became of it.
    async fn tell(&self, news: News) -> Result<Vec<Command>, StoreError> {
        let Self { engine, export, .. } = self;
        let asked = match &news {
            News::Died { how: why } | News::Hiccup { message: why } | News::Bug { message: why } => Some(why.clone()),
            _ => None,
        };
        if !matches!(news, News::Alive { .. }) {
            trial::point("told.before");
        }
        let wording = |export: &Export, ended: &Ended| engine.parts.herald.announce(export, ended);
        let holder = (export.id.as_str(), export.fence);
        let told = engine.parts.store.tell_export(holder, news, engine.lease(), &wording).await?;
        if std::mem::replace(&mut *lock(&self.seen), told.life.clone()) != told.life {
            engine.tell_clients(export, &told.life);
        }
        for command in &told.commands {
            match command {
                Command::Queue { wait } => {
                    trial::point("told.requeued");
                    if let Some(why) = &asked {
                        tracing::warn!(export = export.id, wait, why, "an export is tried again");
                    }
                }
                Command::End(_) => {
                    trial::point("ended");
                    engine.news.notify_one();
                }
                _ => {}
            }
        }
        Ok(told.commands)
    }

    /// Files first; that they are there is what is told next.
    async fn keep(&self, finished: &Finished) -> News {
        let Self { engine, export, .. } = self;
        match keep::keep(&engine.parts.objects, &export.id, export.order.format, finished).await {
            Ok(()) => News::Kept(Box::new(finished.made.clone())),
            Err(error) => News::Hiccup { message: error.to_string() },
        }
    }

    /// What we put away is nobody's, unless somebody else has ended it meanwhile: then it is theirs.
    async fn discard(&self) -> Result<(), StoreError> {
        let now = self.engine.parts.store.export(&self.export.id).await?;
        if now.is_none_or(|now| now.state == ExportState::Cancelled) {
            keep::forget(&self.engine.parts.objects, &self.export.id).await;
        }
        Ok(())
    }
}
