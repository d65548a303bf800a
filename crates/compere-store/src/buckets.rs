//! How much of a limit is used up, for several services that share it.
//!
//! A service draws some of what is left and gives it out by itself; so what all of them give out together is never more
//! than there is, and a row is written once for many requests.

use sqlx::{Row, query};

use crate::Store;
use crate::db::Dialect;
use crate::error::StoreError;

/// Of one request. Rows count in these, so that what fades within a moment is not lost.
const WHOLE: i64 = 1000;
const MINUTE: i64 = 60_000;

/// What a service got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Requests that it may let in.
    pub granted: u32,
    /// Requests that are left for whoever asks next.
    pub left: u32,
    /// Milliseconds until there is one again, where there is none.
    pub wait: u64,
}

impl Store {
    /// Draws up to `wanted` requests from a bucket that has `per_minute` of them when it is full, and is filled by as many
    /// in a minute.
    pub async fn draw(&self, bucket: &str, per_minute: u32, wanted: u32) -> Result<Drawn, StoreError> {
        let (now, full) = (self.now(), i64::from(per_minute.max(1)) * WHOLE);
        let mut tx = self.begin().await?;
        if self.dialect == Dialect::Postgres {
            // Whoever asks next waits for the row until this one is written: not for the disk as well. What a server that
            // dies forgets here is a moment's requests.
            query("SET LOCAL synchronous_commit TO OFF").execute(&mut *tx).await?;
        }
        // Locks the row. A clock that is behind another node's waits for it.
        let faded = query(
            "UPDATE bucket SET since = CASE WHEN since > $2 THEN since ELSE $2 END, \
             taken = CASE WHEN since > $2 THEN taken WHEN taken > ($2 - since) * $3 / $4 \
             THEN taken - ($2 - since) * $3 / $4 ELSE 0 END WHERE name = $1 RETURNING taken",
        );
        let faded = faded.bind(bucket).bind(now).bind(full).bind(MINUTE).fetch_optional(&mut *tx).await?;
        let taken: i64 = faded.map(|row| row.try_get("taken")).transpose()?.unwrap_or(0);
        let granted = ((full - taken) / WHOLE).clamp(0, i64::from(wanted.max(1)));
        if granted > 0 {
            // Two who are first at once have both drawn.
            query(
                "INSERT INTO bucket (name, taken, since) VALUES ($1, $2, $3) \
                 ON CONFLICT (name) DO UPDATE SET taken = bucket.taken + excluded.taken",
            )
            .bind(bucket)
            .bind(granted * WHOLE)
            .bind(now)
            .execute(&mut *tx)
            .await?;
        }
        tx.commit().await?;
        let left = (full - taken) / WHOLE - granted;
        let wait = if granted > 0 { 0 } else { (WHOLE - (full - taken)).max(1) * MINUTE / full + 1 };
        Ok(Drawn { granted: granted as u32, left: left.max(0) as u32, wait: wait as u64 })
    }

    /// Fills a bucket at once.
    pub async fn refill(&self, bucket: &str) -> Result<(), StoreError> {
        query("DELETE FROM bucket WHERE name = $1").bind(bucket).execute(&self.writing).await?;
        Ok(())
    }

    /// Forgets buckets that are full again. Says how many.
    pub async fn forget_buckets(&self) -> Result<u64, StoreError> {
        let old = query("DELETE FROM bucket WHERE since < $1").bind(self.now() - MINUTE).execute(&self.writing).await?;
        Ok(old.rows_affected())
    }
}
