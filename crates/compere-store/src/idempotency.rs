//! Requests that were sent twice.

use sqlx::{Row, query};

use crate::Store;
use crate::error::{StoreError, is_taken};

/// What is known of a request with this key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remembered {
    /// Nothing was. It is now: answer it, then [`Store::remember`] or [`Store::forget`].
    New,
    /// It is still being answered, or the key came with another request.
    Conflict,
    Answered {
        status: u16,
        answer: String,
    },
}

const KEPT: i64 = 24 * 3_600_000;

impl Store {
    pub async fn recall(&self, account: &str, key: &str, request_hash: &str) -> Result<Remembered, StoreError> {
        let now = self.now();
        query("DELETE FROM idempotency WHERE created_at < $1").bind(now - KEPT).execute(&self.writing).await?;
        let inserted =
            query("INSERT INTO idempotency (account, key, request_hash, created_at) VALUES ($1, $2, $3, $4)")
                .bind(account)
                .bind(key)
                .bind(request_hash)
                .bind(now)
                .execute(&self.writing)
                .await;
        match inserted {
            Ok(_) => return Ok(Remembered::New),
            Err(error) if is_taken(&error) => {}
            Err(error) => return Err(error.into()),
        }
        let row = query("SELECT request_hash, status, answer FROM idempotency WHERE account = $1 AND key = $2")
            .bind(account)
            .bind(key)
            .fetch_optional(&self.reading)
            .await?;
        let Some(row) = row else { return Ok(Remembered::Conflict) };
        let known: String = row.try_get("request_hash")?;
        let (status, answer): (Option<i64>, Option<String>) = (row.try_get("status")?, row.try_get("answer")?);
        Ok(match (known == request_hash, status, answer) {
            (true, Some(status), Some(answer)) => Remembered::Answered { status: status as u16, answer },
            _ => Remembered::Conflict,
        })
    }

    pub async fn remember(&self, account: &str, key: &str, status: u16, answer: &str) -> Result<(), StoreError> {
        query("UPDATE idempotency SET status = $3, answer = $4 WHERE account = $1 AND key = $2")
            .bind(account)
            .bind(key)
            .bind(i64::from(status))
            .bind(answer)
            .execute(&self.writing)
            .await?;
        Ok(())
    }

    /// The request came to nothing and may be sent again.
    pub async fn forget(&self, account: &str, key: &str) -> Result<(), StoreError> {
        query("DELETE FROM idempotency WHERE account = $1 AND key = $2 AND status IS NULL")
            .bind(account)
            .bind(key)
            .execute(&self.writing)
            .await?;
        Ok(())
    }

    /// At start-up: requests that were being answered when the process ended were not.
    pub async fn forget_unanswered(&self) -> Result<(), StoreError> {
        query("DELETE FROM idempotency WHERE status IS NULL").execute(&self.writing).await?;
        Ok(())
    }

    pub async fn setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        let row = query("SELECT value FROM setting WHERE name = $1").bind(name).fetch_optional(&self.reading).await?;
        Ok(row.map(|row| row.try_get("value")).transpose()?)
    }

    /// The value under a name; the given one is kept if there was none. Says which it is now.
    pub async fn setting_or(&self, name: &str, value: &str) -> Result<String, StoreError> {
        query("INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING")
            .bind(name)
            .bind(value)
            .execute(&self.writing)
            .await?;
        let row = query("SELECT value FROM setting WHERE name = $1").bind(name).fetch_one(&self.writing).await?;
        Ok(row.try_get("value")?)
    }

    pub async fn set_setting(&self, name: &str, value: &str) -> Result<(), StoreError> {
        query(
            "INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        )
        .bind(name)
        .bind(value)
        .execute(&self.writing)
        .await?;
        Ok(())
    }
}
