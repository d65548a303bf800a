//! A presenter is made: queued, in its account's turn, by somebody who may die over it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use compere_jobs::crew::Later;
use compere_own::{Background, Finding, Folder, Keeping, Made, Making, Wish};
use compere_store::{Forged, Key, OwnPresenter, PresenterBackground, PresenterKind, PresenterState, Take};
use serde_json::json;
use tokio::sync::watch;

use super::takes::{ALL, CONSENT, IDLE, PHOTO, TALK};
use super::view::{is_spoken, missing};
use super::withdraw::forget_notes;
use super::{closed, form_of};
use crate::turns::Work;
use crate::{Member, Office, Refusal};

/// How often somebody may die over a presenter.
const STRIKES: i64 = 3;
/// Progress is written down so often; then it is noticed, too, that nobody wants it any more.
const PACE: Duration = Duration::from_millis(400);

/// Makes presenters, apart from the service.
pub trait Workbench: Send + Sync {
    /// Makes one, and tells how far it is in percent. The error says how the maker died. Whoever drops this ends it.
    fn make(&self, making: Making, far: watch::Sender<f64>) -> Later<'_, Result<Made, String>>;
}

/// How a try ended.
enum Try {
    Made(Made),
    Died(String),
    /// It was cancelled, or its presenter was taken away.
    Unwanted,
    /// The service stops.
    Stopping,
}

impl Office {
    /// Queues a presenter to be made, or says what is missing.
    pub async fn build_presenter(self: &Arc<Self>, member: &Member, id: &str) -> Result<OwnPresenter, Refusal> {
        let found = self.open_presenter(member, id).await?;
        let missing = missing(&found, &self.store.takes(id).await?);
        if !missing.is_empty() {
            return Err(Refusal::Problems(missing));
        }
        self.make_room(&member.account, 0).await?;
        if !self.store.move_presenter(id, found.state, PresenterState::Queued).await? {
            return Err(closed(PresenterState::Queued));
        }
        self.prompter.forget(id);
        self.carry(id);
        self.own_presenter(member, id).await
    }

    /// Queues a presenter of a photo or a model once nothing is missing: there is nothing to go on with.
    pub async fn queue_whole(self: &Arc<Self>, member: &Member, id: &str) -> Result<(), Refusal> {
        let found = self.own_presenter(member, id).await?;
        let open = found.kind != PresenterKind::Footage && found.state == PresenterState::Collecting;
        if open && missing(&found, &self.store.takes(id).await?).is_empty() {
            self.build_presenter(member, id).await?;
        }
        Ok(())
    }

    /// Ends that. Says whether there was something to end.
    pub async fn cancel_presenter(&self, member: &Member, id: &str) -> Result<bool, Refusal> {
        self.own_presenter(member, id).await?;
        for state in [PresenterState::Queued, PresenterState::Building] {
            // Whoever makes it notices.
            if self.store.move_presenter(id, state, PresenterState::Collecting).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes up what a former service left: what was queued or being made, what lost its bank, and what should be gone.
    pub async fn take_up_presenters(self: &Arc<Self>) -> Result<(), Refusal> {
        let cache = self.home.cache();
        let forgotten = tokio::task::spawn_blocking(move || forget_notes(&cache));
        forgotten.await.map_err(Refusal::inside)?.map_err(Refusal::inside)?;
        for found in self.store.presenters_in(PresenterState::Building).await? {
            self.struck(&found.id, "the service ended while it was made").await?;
        }
        self.take_up_designs().await?;
        for state in [PresenterState::Waiting, PresenterState::Ready] {
            let lost = |one: &&OwnPresenter| one.kind != PresenterKind::Design && self.own.find(&one.id).is_none();
            for found in self.store.presenters_in(state).await?.iter().filter(lost) {
                // A backup holds takes and not what was made of them.
                if missing(found, &self.store.takes(&found.id).await?).is_empty() {
                    self.store.move_presenter(&found.id, state, PresenterState::Queued).await?;
                }
            }
        }
        for found in self.store.presenters_in(PresenterState::Queued).await? {
            self.carry(&found.id);
        }
        for found in self.store.presenters_in(PresenterState::Withdrawn).await? {
            if self.own.find(&found.id).is_some() {
                self.clear_presenter(&found.id).await?;
            }
        }
        Ok(())
    }

    fn carry(self: &Arc<Self>, id: &str) {
        let (office, id) = (Arc::clone(self), id.to_owned());
        tokio::spawn(async move {
            loop {
                match office.forge(&id).await {
                    Ok(true) => {}
                    Ok(false) => return,
                    Err(refusal) => {
                        tracing::error!(presenter = id, %refusal, "a presenter was not made; the next start takes it up");
                        return;
                    }
                }
            }
        });
    }

    /// One try. True when there is to be another.
    async fn forge(&self, id: &str) -> Result<bool, Refusal> {
        let queued = async || Ok::<_, Refusal>(self.store.any_presenter(id).await?.filter(is_queued));
        let Some(found) = queued().await? else { return Ok(false) };
        let _turn = self.turns.wait(&found.account, Work::Presenter).await?;
        let Some(found) = queued().await? else { return Ok(false) };
        if !self.store.move_presenter(id, PresenterState::Queued, PresenterState::Building).await? {
            return Ok(false);
        }
        match self.attempt(&found).await? {
            Try::Made(Made::Failed { message }) => {
                tracing::error!(presenter = id, message, "a presenter could not be made");
                self.struck(id, &self.home.discreet(&message)).await
            }
            Try::Made(made) => {
                self.keep_presenter(&found, made).await?;
                Ok(false)
            }
            Try::Died(how) => {
                tracing::error!(presenter = id, how, "somebody died over a presenter");
                self.struck(id, &how).await
            }
            Try::Unwanted => {
                self.forget_made(id).await?;
                Ok(false)
            }
            Try::Stopping => {
                self.store.move_presenter(id, PresenterState::Building, PresenterState::Queued).await?;
                Ok(false)
            }
        }
    }

    async fn attempt(&self, found: &OwnPresenter) -> Result<Try, Refusal> {
        let takes = self.store.takes(&found.id).await?;
        if !missing(found, &takes).is_empty() {
            return Ok(Try::Unwanted);
        }
        let scratch = Scratch(self.home.data.join("jobs").join(format!("presenter-{}", found.id)));
        let making = match found.kind {
            PresenterKind::Model => self.making_of_model(found, &takes, &scratch.0).await?,
            PresenterKind::Footage | PresenterKind::Photo => self.making(found, &takes, &scratch.0).await?,
            PresenterKind::Design => None,
        };
        let Some(making) = making else { return Ok(Try::Unwanted) };
        let (tell, far) = watch::channel(0.0);
        let mut made = self.workbench.make(making, tell);
        let (mut tick, mut stopping) = (tokio::time::interval(PACE), self.stopping.clone());
        loop {
            tokio::select! {
                made = &mut made => return Ok(made.map_or_else(Try::Died, Try::Made)),
                _ = tick.tick() => {
                    let percent: f64 = *far.borrow();
                    if !self.store.tell_presenter(&found.id, percent.floor()).await? {
                        return Ok(Try::Unwanted);
                    }
                }
                () = ended(&mut stopping) => return Ok(Try::Stopping),
            }
        }
    }

    /// What its maker has to know; none of a person who was not asked.
    async fn making(
        &self,
        found: &OwnPresenter,
        takes: &[Take],
        scratch: &std::path::Path,
    ) -> Result<Option<Making>, Refusal> {
        let Some(form) = form_of(found) else { return Ok(None) };
        let mut folder = Folder::default();
        for take in takes {
            let path = self.lies(take, scratch).await?;
            match take.name.as_str() {
                IDLE => folder.base = path,
                TALK => folder.talk = Some(path),
                CONSENT => folder.consent = Some(path),
                PHOTO => folder.photo = Some(path),
                _ if is_spoken(take) => {
                    let clip = compere_own::Clip { path, name: take.name.clone(), text: take.said.clone() };
                    if take.name == ALL { folder.all = Some(clip) } else { folder.spoken.push(clip) }
                }
                _ => {}
            }
        }
        let wish = Wish {
            id: Some(found.id.clone()),
            name: found.name.clone(),
            gender: found.gender.clone(),
            language: found.language.clone(),
            account: Some(found.account.clone()),
            now: u64::try_from(self.now() / 1000).unwrap_or_default(),
            consent: form,
            approved_by: None,
            outfit_of: found.outfit_of.clone(),
            background: match found.background {
                PresenterBackground::Auto => Background::Auto,
                PresenterBackground::Cut => Background::Cut,
                PresenterBackground::Keep => Background::Keep,
            },
            keeping: if self.settings.compact_banks { Keeping::Compact } else { Keeping::Full },
        };
        Ok(Some(Making::Person { wish: Box::new(wish), folder, strict: !self.settings.short_footage }))
    }

    /// A take as a file of this machine.
    pub(super) async fn lies(&self, take: &Take, scratch: &std::path::Path) -> Result<PathBuf, Refusal> {
        let key = Key::Take(take.presenter.clone(), take.name.clone());
        if let Some(path) = self.objects.local(&key) {
            return Ok(path);
        }
        std::fs::create_dir_all(scratch).map_err(Refusal::inside)?;
        let path = scratch.join(&take.name);
        let mut file = std::fs::File::create(&path).map_err(Refusal::inside)?;
        if self.objects.fetch(&key, |piece| std::io::Write::write_all(&mut file, piece)).await? {
            Ok(path)
        } else {
            Err(Refusal::missing("take"))
        }
    }

    async fn keep_presenter(&self, found: &OwnPresenter, made: Made) -> Result<(), Refusal> {
        let forged = match made {
            Made::Presenter { seconds, findings } => {
                let size = i64::try_from(self.own.weight(&found.id)).unwrap_or(i64::MAX);
                let state = match &found.approved_by {
                    // Made anew of the footage that somebody saw.
                    Some(by) if self.own.approve(&found.id, by).map_err(Refusal::inside)? => PresenterState::Ready,
                    _ => PresenterState::Waiting,
                };
                Forged { state, findings: json!(findings), seconds, size }
            }
            Made::Refused { findings } => refused(&findings),
            Made::Failed { message } => refused(&[ours(message)]),
        };
        if !self.store.forged_presenter(&found.id, &forged).await? {
            self.forget_made(&found.id).await?;
        }
        Ok(())
    }

    /// What was made of a presenter that nobody wants now.
    async fn forget_made(&self, id: &str) -> Result<(), Refusal> {
        let (own, id) = (self.own.clone(), id.to_owned());
        let removed = tokio::task::spawn_blocking(move || own.remove(&id));
        removed.await.map_err(Refusal::inside)?.map(|_| ()).map_err(Refusal::inside)
    }

    /// Making it ended without an answer. True when there is to be another try.
    async fn struck(&self, id: &str, how: &str) -> Result<bool, Refusal> {
        match self.store.strike_presenter(id).await? {
            None => Ok(false),
            Some(strikes) if strikes < STRIKES => Ok(true),
            Some(_) => {
                self.store.forged_presenter(id, &refused(&[ours(how.to_owned())])).await?;
                Ok(false)
            }
        }
    }
}

/// When the service stops.
async fn ended(stopping: &mut watch::Receiver<bool>) {
    let _ = stopping.wait_for(|stop| *stop).await;
}

fn is_queued(found: &OwnPresenter) -> bool {
    found.state == PresenterState::Queued
}

fn refused(findings: &[Finding]) -> Forged {
    Forged { state: PresenterState::Refused, findings: json!(findings), seconds: 0.0, size: 0 }
}

/// A fault that is not the footage's.
fn ours(what: String) -> Finding {
    Finding::refused("the service", what, "try again; if it stays, ask the operator, whose log says more")
}

/// Copies that go when they were used.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed now goes at the next start.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
