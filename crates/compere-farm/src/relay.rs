//! From the rows to the cluster, and back to those who watch.
//!
//! Every node that serves requests looks at the same rows and asks for the same workflows, which the cluster starts once.
//! So no node has to remember what another one began, and what a dead node or a lost cluster forgot is asked for again.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use compere_jobs::{Change, Hands};
use compere_store::{Due, ExportState, Life, StoreError};
use temporalio_client::errors::WorkflowStartError;
use temporalio_client::{Client, WorkflowIdReusePolicy, WorkflowSignalOptions, WorkflowStartOptions};
use tokio::task::JoinSet;

use crate::turn::Ticket;
use crate::workflow::Exporting;

/// How often the cluster is asked again for a workflow that it said it has: an operator may have ended it.
const AGAIN: Duration = Duration::from_secs(30);
/// Longer than a living holder stays silent, by a clock that nobody sets. It is asked of rows whose lease has run out.
const STILL: Duration = Duration::from_secs(5);
/// A workflow that a dead node was about to go on with goes on elsewhere after so long.
const STEP: Duration = Duration::from_secs(5);
/// Started at once.
const SIDE_BY_SIDE: usize = 8;

pub(crate) struct Relay {
    pub(crate) hands: Hands,
    pub(crate) client: Client,
    pub(crate) queue: String,
    /// Workflows asked for, and when.
    started: HashMap<String, Instant>,
    /// The fence of each export that was told to wait no longer.
    rung: HashMap<String, i64>,
    /// Leases that have run out, and since when they do not move.
    silent: HashMap<String, (i64, Option<i64>, Instant)>,
    /// What clients were told last.
    seen: HashMap<String, Life>,
}

impl Relay {
    pub(crate) fn new(hands: Hands, client: Client, queue: String) -> Self {
        let (started, rung, silent, seen) = Default::default();
        Self { hands, client, queue, started, rung, silent, seen }
    }

    /// Until the engine is to end.
    pub(crate) async fn run(mut self) {
        let mut stopping = self.hands.stopping();
        while !*stopping.borrow_and_update() {
            if let Err(error) = self.look().await {
                tracing::error!(%error, "the queue cannot be read");
            }
            let idle = self.hands.parts().settings.idle;
            tokio::select! {
                () = self.hands.rung() => {}
                () = tokio::time::sleep(idle) => {}
                _ = stopping.changed() => {}
            }
        }
    }

    async fn look(&mut self) -> Result<(), StoreError> {
        let before = self.hands.running();
        let due = self.hands.parts().store.due_exports().await?;
        self.forget_others(&due);
        self.start_missing(&due).await;
        self.ring_rested(&due).await;
        self.take_from_the_silent(&due).await?;
        self.tell_clients(&before, &due).await
    }

    fn forget_others(&mut self, due: &[Due]) {
        let ids: HashSet<&str> = due.iter().map(|due| due.export.as_str()).collect();
        self.started.retain(|id, _| ids.contains(id.as_str()));
        self.rung.retain(|id, _| ids.contains(id.as_str()));
        self.silent.retain(|id, _| ids.contains(id.as_str()));
    }

    /// Sees to it that every export that may run has its workflow. Accounts take turns here already: those with the same
    /// place are started side by side, and before any with a later one.
    async fn start_missing(&mut self, due: &[Due]) {
        for wave in due.chunk_by(|one, next| one.place == next.place) {
            for some in wave.chunks(SIDE_BY_SIDE) {
                let mut starting = JoinSet::new();
                for due in some {
                    if self.started.get(&due.export).is_some_and(|at| at.elapsed() < AGAIN) {
                        continue;
                    }
                    let ticket = Ticket::new(due.export.clone(), due.account.clone());
                    let (client, queue) = (self.client.clone(), self.queue.clone());
                    starting.spawn(async move { (ticket.export.clone(), start(&client, &queue, ticket).await) });
                }
                for started in starting.join_all().await {
                    self.note(started);
                }
            }
        }
    }

    fn note(&mut self, (export, started): (String, Result<(), WorkflowStartError>)) {
        match started {
            Ok(()) => {
                self.started.insert(export, Instant::now());
            }
            Err(error) => tracing::warn!(export, %error, "an export waits for the cluster"),
        }
    }

    /// What waits by the cluster's clock and need not by the rows' is told so, once for each try.
    async fn ring_rested(&mut self, due: &[Due]) {
        let now = self.hands.parts().store.now();
        for due in due {
            let (fence, rested) = (due.life.fence, due.life.state == ExportState::Queued && due.not_before <= now);
            if fence == 0 || !rested || self.rung.get(&due.export) == Some(&fence) {
                continue;
            }
            let workflow = self.client.get_workflow_handle::<Exporting>(&due.export);
            match workflow.signal(Exporting::ring, fence, WorkflowSignalOptions::default()).await {
                Ok(()) => {
                    self.rung.insert(due.export.clone(), fence);
                }
                // Its own time will come.
                Err(error) => tracing::debug!(export = due.export, %error, "not rung"),
            }
        }
    }

    /// An export whose holder says nothing, though its lease ran out, is nobody's, whatever the cluster believes. A clock
    /// that was set forward makes leases old, not holders silent.
    async fn take_from_the_silent(&mut self, due: &[Due]) -> Result<(), StoreError> {
        let store = self.hands.parts().store.clone();
        for due in due {
            let over = due.life.state.is_running() && due.lease_until.is_some_and(|until| until < store.now());
            let now = (due.life.fence, due.lease_until);
            match self.silent.get(&due.export) {
                _ if !over => {
                    self.silent.remove(&due.export);
                }
                Some((fence, until, since)) if (*fence, *until) == now => {
                    if since.elapsed() > STILL {
                        tracing::warn!(export = due.export, "an export in nobody's hands is taken up again");
                        store.orphan_export((&due.export, due.life.fence)).await?;
                    }
                }
                _ => {
                    self.silent.insert(due.export.clone(), (now.0, now.1, Instant::now()));
                }
            }
        }
        Ok(())
    }

    /// What happens elsewhere. What is in our own hands tells clients by itself.
    async fn tell_clients(&mut self, before: &[String], due: &[Due]) -> Result<(), StoreError> {
        let gone: Vec<String> =
            self.seen.keys().filter(|id| !due.iter().any(|due| due.export == **id)).cloned().collect();
        for id in gone {
            self.seen.remove(&id);
            if let Some(export) = self.hands.parts().store.export(&id).await? {
                self.tell(before, &id, (export.account, export.project), &export.life);
            }
        }
        for due in due {
            if self.seen.insert(due.export.clone(), due.life.clone()).as_ref() != Some(&due.life) {
                self.tell(before, &due.export, (due.account.clone(), due.project.clone()), &due.life);
            }
        }
        Ok(())
    }

    fn tell(&self, before: &[String], export: &str, (account, project): (String, String), life: &Life) {
        let export = export.to_owned();
        if before.contains(&export) || self.hands.running().contains(&export) {
            return;
        }
        let Life { state, activity, progress, .. } = *life;
        self.hands.tell_clients(Change { account, project, export, state, activity, progress });
    }
}

/// One export has one workflow, which is never begun again once it came to its end; one that somebody ended from outside
/// is, as its export is not over.
async fn start(client: &Client, queue: &str, ticket: Ticket) -> Result<(), WorkflowStartError> {
    let options = WorkflowStartOptions::new(queue, ticket.export.clone())
        .id_reuse_policy(WorkflowIdReusePolicy::AllowDuplicateFailedOnly)
        .task_timeout(STEP)
        .build();
    match client.start_workflow(Exporting::run, ticket, options).await {
        Ok(_) | Err(WorkflowStartError::AlreadyStarted { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}
