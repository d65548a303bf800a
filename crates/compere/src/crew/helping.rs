//! Hands without a film of their own help with somebody else's.

use std::sync::Arc;
use std::time::Duration;

use compere_jobs::{Commission, Outcome};
use compere_store::Claimed;
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
