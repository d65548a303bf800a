//! How the installation is doing, in numbers, and who uses it.

use std::path::Path;
use std::time::Duration;

use compere_store::{Account, DeliveryState, Export, ExportState, Holdings, Movement, Past};

use crate::{Member, Office, Refusal};

const DAY: i64 = 86_400_000;
/// Whoever asks is answered soon, however stuck a part may be.
const PATIENCE: Duration = Duration::from_secs(3);
/// Less free space than this, in bytes, and exports will fail.
const SPACE: u64 = 500 << 20;
/// Exports of the queue that are shown.
const SHOWN: usize = 20;

/// How the queue is.
#[derive(Debug)]
pub struct Queue {
    pub counts: Vec<(ExportState, i64)>,
    /// Since when the one that waits longest waits.
    pub oldest: Option<i64>,
}

impl Queue {
    pub fn count(&self, is: fn(ExportState) -> bool) -> i64 {
        self.counts.iter().filter(|(state, _)| is(*state)).map(|(_, count)| count).sum()
    }
}

impl Office {
    /// Why requests cannot be taken; nothing when they can.
    pub async fn ailments(&self) -> Vec<&'static str> {
        let mut reasons = Vec::new();
        let (store, objects) = tokio::join!(
            tokio::time::timeout(PATIENCE, self.store.ping()),
            tokio::time::timeout(PATIENCE, self.objects.ping())
        );
        if !matches!(store, Ok(Ok(()))) {
            reasons.push("the database does not answer");
        }
        if !matches!(objects, Ok(Ok(()))) {
            reasons.push("the object store does not answer");
        }
        if !self.bell.is_alive() {
            reasons.push("the export engine has stopped");
        }
        if *self.stopping.borrow() {
            reasons.push("the service is stopping");
        }
        if self.free_bytes().is_some_and(|bytes| bytes < SPACE) {
            reasons.push("less than 500 MB are free in the data folder");
        }
        reasons
    }

    /// Room on the disk that holds the data.
    pub fn free_bytes(&self) -> Option<u64> {
        free(&self.home.data)
    }

    /// Exports that are being made by this service.
    pub fn running(&self) -> usize {
        self.bell.running().len()
    }

    pub async fn queue(&self) -> Result<Queue, Refusal> {
        let (counts, oldest) = self.store.queue().await?;
        Ok(Queue { counts, oldest })
    }

    /// Exports at work and waiting, those that are furthest first.
    pub async fn at_work(&self) -> Result<Vec<Export>, Refusal> {
        let mut exports = Vec::new();
        for state in [ExportState::Finishing, ExportState::Rendering, ExportState::Synthesizing, ExportState::Queued] {
            exports.extend(self.store.recent_exports(Some(state), SHOWN as i64).await?);
        }
        exports.truncate(SHOWN);
        Ok(exports)
    }

    pub async fn failures(&self, most: i64) -> Result<Vec<Export>, Refusal> {
        Ok(self.store.recent_exports(Some(ExportState::Failed), most).await?)
    }

    /// Exports that ended within so many days: of one account, or of all.
    pub async fn past(&self, account: Option<&Account>, days: i64) -> Result<Vec<Past>, Refusal> {
        let account = account.map_or("", |account| account.id.as_str());
        Ok(self.store.past_exports(account, self.now() - days * DAY).await?)
    }

    pub async fn holdings(&self) -> Result<Holdings, Refusal> {
        Ok(self.store.holdings().await?)
    }

    /// Webhooks by state.
    pub async fn mail(&self) -> Result<Vec<(DeliveryState, i64)>, Refusal> {
        Ok(self.store.delivery_counts().await?)
    }

    /// Credits by kind of entry.
    pub async fn credit_sums(&self) -> Result<Vec<(Movement, i64)>, Refusal> {
        Ok(self.store.credit_sums().await?)
    }

    /// Chooses who presents a member's new films.
    pub async fn choose_presenter(&self, member: &Member, presenter: &str, outfit: &str) -> Result<(), Refusal> {
        let people = self.people(&member.account.id);
        let worn = people.iter().find(|info| info.id == presenter);
        let known = worn.is_some_and(|info| info.outfits.iter().any(|known| known.id == outfit));
        if !known {
            return Err(Refusal::Form("There is no such presenter.".to_owned()));
        }
        self.register.set_presenter(member, presenter, outfit).await
    }
}

fn free(dir: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(dir).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}
