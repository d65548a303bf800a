//! Presenters of saved projects, baked while the machine has nothing else to make.
//!
//! An export at a new size waits seconds for its presenter. Who saves a project will export it, so that time is spent
//! meanwhile: one project at a time on the whole machine, an account's last one only, never while films wait or are made.
//! Nobody waits for it, and nothing is lost when it is not done: whatever fails here, the export will say. Where other
//! machines make the films, it is noted for the first of them that has nothing to do.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use compere_house::desk::Wanted;
use compere_store::{Project, StoreError};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::projects::at_resolution;
use crate::{Office, Refusal};

/// Who saves goes on writing, and saves again.
const PAUSE: Duration = Duration::from_secs(4);
/// How long it waits for films that are made, and how often it looks.
const GLANCE: Duration = Duration::from_secs(2);
const PATIENCE: u32 = 60;
/// Accounts whose projects wait.
const WAITING: usize = 256;

/// Projects that were saved of late.
#[derive(Debug, Default)]
pub(crate) struct Ahead {
    waiting: Mutex<VecDeque<(String, String)>>,
    bell: Notify,
}

impl Ahead {
    /// In place of what the account saved before.
    pub(crate) fn note(&self, account: &str, project: &str) {
        let mut waiting = self.lock();
        waiting.retain(|(other, _)| other != account);
        if waiting.len() < WAITING {
            waiting.push_back((account.to_owned(), project.to_owned()));
        }
        drop(waiting);
        self.bell.notify_one();
    }

    async fn next(&self) -> (String, String) {
        loop {
            if let Some(next) = self.lock().pop_front() {
                return next;
            }
            self.bell.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(String, String)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Office {
    /// Bakes ahead until the service stops. For a service that is alone.
    pub async fn keep_baking(&self) {
        self.until_stopped(self.bake_on()).await;
    }

    async fn bake_on(&self) {
        loop {
            let (account, project) = self.ahead.next().await;
            tokio::time::sleep(PAUSE).await;
            if !self.is_idle().await {
                continue;
            }
            if let Err(refusal) = self.bake_ahead(&account, &project).await {
                tracing::debug!(project, ?refusal, "presenters were not baked ahead");
            }
        }
    }

    /// Notes what is to be baked ahead, until the service stops. For one of many, whose machines share what they bake.
    pub async fn keep_noting(&self) {
        self.until_stopped(self.note_on()).await;
    }

    pub(crate) async fn until_stopped(&self, work: impl Future<Output = ()>) {
        let mut stopping = self.stopping.clone();
        tokio::select! {
            () = work => {}
            _ = stopping.wait_for(|stop| *stop) => {}
        }
    }

    async fn note_on(&self) {
        loop {
            let (account, project) = self.ahead.next().await;
            let due = self.store.now() + PAUSE.as_millis() as i64;
            if let Err(error) = self.store.note_ahead(&account, &project, due).await {
                tracing::debug!(project, %error, "what is to be baked ahead was not noted");
            }
        }
    }

    /// Whether nothing is made any more before patience ends.
    pub(crate) async fn is_idle(&self) -> bool {
        for _ in 0..PATIENCE {
            let busy = self
                .store
                .queue()
                .await
                .map(|(counts, _)| counts.iter().any(|(state, count)| *count > 0 && !state.is_over()));
            match busy {
                Ok(false) => return true,
                Ok(true) => tokio::time::sleep(GLANCE).await,
                Err(_) => return false,
            }
        }
        false
    }

    /// Bakes who presents in a project, at the size of its last export.
    pub(crate) async fn bake_ahead(&self, account: &str, project: &str) -> Result<(), Refusal> {
        // Deleted meanwhile.
        let Some(project) = self.store.project(account, project).await? else { return Ok(()) };
        let film = to_bake_ahead(&project)?;
        Ok(self.back_office.wanted(account, Wanted::by_all()).bake_ahead(film).await?)
    }
}

/// The film that a project is expected to become: at the size of its last export.
pub fn to_bake_ahead(project: &Project) -> Result<Value, StoreError> {
    let before = project.export.as_ref().map(|export| export.order.resolution);
    Ok(at_resolution(&project.body()?, &json!({ "resolution": before })))
}
