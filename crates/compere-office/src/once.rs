//! Requests that may be sent twice.

pub use compere_store::Remembered;

use crate::{Member, Office, Refusal};

impl Office {
    /// What an equal request was answered before.
    pub async fn recall(&self, member: &Member, key: &str, hash: &str) -> Result<Remembered, Refusal> {
        Ok(self.store.recall(&member.account.id, key, hash).await?)
    }

    pub async fn remember(&self, member: &Member, key: &str, status: u16, answer: &str) -> Result<(), Refusal> {
        Ok(self.store.remember(&member.account.id, key, status, answer).await?)
    }

    /// The request may be sent again, as if it had never been.
    pub async fn unremember(&self, member: &Member, key: &str) -> Result<(), Refusal> {
        Ok(self.store.forget(&member.account.id, key).await?)
    }
}
