//! Hands without a film of their own help with somebody else's, and prepare what may be wanted next.

use std::sync::Arc;
use std::time::Duration;

use compere_jobs::{Commission, Outcome};
use compere_store::{Claimed, Project};
use tokio::sync::{mpsc, watch};

use super::company::{Company, Together};
use super::films::{Around, LocalCrew};
use crate::worker::protocol::ToWorker;

/// How often somebody with nothing to do looks for a film that others make.
const LOOK: Duration = Duration::from_millis(500);

impl LocalCrew {
    /// From here on, whoever has nothing to do helps others. A film of its own ends that at once.
    pub fn lend_hands(self: &Arc<Self>) {
        let Some(company) = self.company().cloned() else { return };
        let crew = Arc::downgrade(self);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(LOOK).await;
                let Some(crew) = crew.upgrade() else { return };
                if !crew.has_a_seat() {
                    continue;
                }
                if let Some(film) = company.film_to_help(&|export| crew.shuns(export)).await {
                    let company = company.clone();
                    tokio::spawn(async move { crew.help(&company, film).await });
                } else if let Some(project) = company.project_to_prepare().await {
                    tokio::spawn(async move { crew.prepare(project).await });
                }
            }
        });
    }

    async fn help(&self, company: &Company, Claimed { export, longest }: Claimed) {
        let (stop, stopping) = watch::channel(false);
        // Somebody else may have sat down meanwhile.
        let Some(_seat) = self.sit_down_to_help(stop.clone()) else { return };
        let together = Together::helping(company, &export.id, export.fence, stop);
        let fence = export.fence;
        let commission =
            Commission { export: export.id.clone(), account: export.account, fence, order: export.order, longest };
        let outcome = self.help_with(commission, stopping, &together).await;
        if !matches!(outcome, Ok(Outcome::Cancelled)) {
            tracing::warn!(export = export.id, ?outcome, "helping with a film went wrong");
            self.shun(&export.id);
        }
    }

    /// Bakes who presents in a project, where others find them.
    async fn prepare(&self, project: Project) {
        let (stop, mut stopping) = watch::channel(false);
        let Some(_seat) = self.sit_down_to_help(stop) else { return };
        let (headway, _heard) = mpsc::channel(1);
        // Nobody says anything: baking ends when it is done.
        let (_nobody, stays) = watch::channel(false);
        let around = Around { headway: &headway, screening: None, together: None };
        let baking = async {
            let film = compere_office::to_bake_ahead(&project).map_err(|error| error.to_string())?;
            let errand = ToWorker::Bake { project: Box::new(film), account: project.account.clone() };
            self.run(&project.id, errand, stays, around).await
        };
        tokio::select! {
            outcome = baking => tracing::debug!(project = project.id, ?outcome, "presenters were baked ahead"),
            // A film of our own. Whoever bakes hears nothing meanwhile, and is dropped.
            _ = stopping.wait_for(|stop| *stop) => self.warm_up(),
        }
    }

    async fn help_with(
        &self,
        commission: Commission,
        stop: watch::Receiver<bool>,
        together: &Together,
    ) -> Result<Outcome, String> {
        let dir = self.folder_for_help(&commission.export)?;
        let passes = self.supply().of(&commission.order.snapshot).await?;
        let (export, (headway, _heard)) = (commission.export.clone(), mpsc::channel(1));
        let errand = ToWorker::Help { commission: Box::new(commission), dir: dir.clone(), passes };
        let around = Around { headway: &headway, screening: None, together: Some(together) };
        let outcome = self.run(&export, errand, stop, around).await;
        // What cannot be removed now is removed at the next start.
        let _ = tokio::fs::remove_dir_all(dir).await;
        outcome
    }
}
