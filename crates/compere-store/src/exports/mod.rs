//! Exports, by act: accepted with their price, carried out under a lease, ended exactly once, swept when nobody needs
//! them.
//!
//! What may happen to one is decided by [`crate::life`], where its row is locked. A running export belongs to whoever
//! holds its fence.

mod accept;
mod happen;
mod lease;
mod parts;
mod spread;
mod sweep;
mod turns;

use serde_json::Value;
use sqlx::{Row, query};

pub use accept::{Before, Refused};
pub use happen::{Happened, Wording};
pub use lease::Claimed;
pub use parts::{FilmPart, NextPart, PartClaim, Split};
pub use spread::{Due, Turn};

use crate::Store;
use crate::error::StoreError;
use crate::export::Export;
use crate::life::ExportState;
use crate::page::{Page, older};
use crate::row::{self, all, one};

impl Store {
    /// An export whoever asks: links to its files carry their own permission.
    pub async fn export(&self, id: &str) -> Result<Option<Export>, StoreError> {
        let sql = format!("SELECT {} FROM export e WHERE e.id = $1", Export::COLUMNS);
        one(query(sqlx::AssertSqlSafe(sql)).bind(id).fetch_optional(&self.reading).await?)
    }

    /// The body that an export was ordered with: what its film shows, whatever became of the project since.
    pub async fn snapshot(&self, account: &str, export: &str) -> Result<Option<Value>, StoreError> {
        let found = query("SELECT snapshot FROM export WHERE id = $1 AND account = $2")
            .bind(export)
            .bind(account)
            .fetch_optional(&self.reading)
            .await?;
        found.map_or(Ok(None), |row| row::json(&row, "snapshot"))
    }

    /// A project's exports, newest first.
    pub async fn exports_of(&self, account: &str, project: &str, page: &Page) -> Result<Vec<Export>, StoreError> {
        let sql = format!(
            "SELECT {} FROM export e WHERE e.project = $1 AND e.account = $2 AND {} LIMIT $5",
            Export::COLUMNS,
            older("e.", 3)
        );
        let (id, created) = page.after();
        let rows = query(sqlx::AssertSqlSafe(sql)).bind(project).bind(account).bind(id).bind(created).bind(page.limit);
        all(&rows.fetch_all(&self.reading).await?)
    }

    /// The installation's exports for administrators, newest first; in one state or in all.
    pub async fn recent_exports(&self, state: Option<ExportState>, limit: i64) -> Result<Vec<Export>, StoreError> {
        let sql = format!(
            "SELECT {} FROM export e WHERE ($1 = '' OR e.state = $1) ORDER BY e.created_at DESC, e.id DESC LIMIT $2",
            Export::COLUMNS
        );
        let state = state.map_or("", ExportState::as_str);
        all(&query(sqlx::AssertSqlSafe(sql)).bind(state).bind(limit).fetch_all(&self.reading).await?)
    }

    /// How many exports are in each state, and since when the oldest waits.
    pub async fn queue(&self) -> Result<(Vec<(ExportState, i64)>, Option<i64>), StoreError> {
        let rows = query("SELECT state, COUNT(*) AS n, MIN(created_at) AS oldest FROM export GROUP BY state")
            .fetch_all(&self.reading)
            .await?;
        let (mut counts, mut oldest) = (Vec::new(), None);
        for row in &rows {
            let state = row::word(row, "state")?;
            counts.push((state, row.try_get("n")?));
            if state == ExportState::Queued {
                oldest = row.try_get("oldest")?;
            }
        }
        Ok((counts, oldest))
    }
}
