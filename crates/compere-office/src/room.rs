//! Room for files: how much an account has taken of what its plan gives.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use compere_house::settings::Megabytes;
use compere_store::{Account, Taken};

use crate::{Member, Office, Refusal};

impl Office {
    /// What an account's files take, and what they may.
    pub async fn taken(&self, member: &Member) -> Result<(Taken, Option<Megabytes>), Refusal> {
        let plan = self.store.plan(&member.account.plan);
        Ok((self.store.taken(&member.account.id).await?, plan.storage))
    }

    /// Refuses what an account has no room for. How large a film will be nobody knows before: an account may end above its
    /// plan by the films that were begun in time.
    pub(crate) async fn make_room(&self, account: &Account, bytes: i64) -> Result<(), Refusal> {
        self.hold_room(account, bytes).await.map(drop)
    }

    /// The same, and keeps the room until what takes it is on record: many files at once are each other's neighbours.
    pub(crate) async fn hold_room(&self, account: &Account, bytes: i64) -> Result<Held<'_>, Refusal> {
        // Before it is asked what is taken: whoever comes meanwhile sees one or the other.
        let (held, coming) = self.coming.add(&account.id, bytes);
        let Some(most) = self.store.plan(&account.plan).storage else { return Ok(held) };
        let taken = self.store.taken(&account.id).await?.all();
        if taken + coming > i64::try_from(most.bytes()).unwrap_or(i64::MAX) {
            return Err(Refusal::NoRoom { taken: Megabytes((taken / 1_000_000) as u64), most });
        }
        Ok(held)
    }
}

/// Bytes of each account that are on their way.
#[derive(Debug, Default)]
pub(crate) struct Coming(Mutex<HashMap<String, i64>>);

impl Coming {
    /// Some more, until what comes back is dropped, and how many there are with them.
    fn add(&self, account: &str, bytes: i64) -> (Held<'_>, i64) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let coming = all.entry(account.to_owned()).or_insert(0);
        *coming += bytes;
        (Held { coming: self, account: account.to_owned(), bytes }, *coming)
    }
}

/// Room that nobody else gets meanwhile.
#[derive(Debug)]
pub(crate) struct Held<'a> {
    coming: &'a Coming,
    account: String,
    bytes: i64,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let mut all = self.coming.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(coming) = all.get_mut(&self.account) {
            *coming -= self.bytes;
        }
        all.retain(|_, coming| *coming != 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_at_once_is_counted_together_and_forgotten_when_it_is_there() {
        let coming = Coming::default();
        let (first, alone) = coming.add("ada", 3);
        let (second, both) = coming.add("ada", 4);
        assert_eq!((alone, both, coming.add("eve", 5).1), (3, 7, 5));
        drop(first);
        assert_eq!(coming.add("ada", 1).1, 5);
        drop(second);
        assert!(coming.0.lock().unwrap().is_empty());
    }
}
