//! Room for files: how much an account has taken of what its plan gives.

use compere_house::settings::Megabytes;
use compere_store::{Account, Taken};

use crate::{Member, Office, Refusal};

impl Office {
    /// What an account's files take, and what they may.
    pub async fn taken(&self, member: &Member) -> Result<(Taken, Option<Megabytes>), Refusal> {
        let plan = self.store.plan(&member.account.plan);
        Ok((self.store.taken(&member.account.id).await?, plan.storage))
    }

    /// Refuses what an account has no room for. Whatever is on its way meanwhile is not counted: an account may end a
    /// little above its plan, by what it can send at once.
    pub(crate) async fn make_room(&self, account: &Account, bytes: i64) -> Result<(), Refusal> {
        let Some(most) = self.store.plan(&account.plan).storage else { return Ok(()) };
        let taken = self.store.taken(&account.id).await?.all();
        if taken + bytes > i64::try_from(most.bytes()).unwrap_or(i64::MAX) {
            return Err(Refusal::NoRoom { taken: Megabytes((taken / 1_000_000) as u64), most });
        }
        Ok(())
    }
}
