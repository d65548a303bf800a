//! Projects that were saved of late, for a machine of a farm that has nothing else to do: it bakes their presenters before a
//! film is asked for.
//!
//! Whoever takes a row has taken it away. When they die, nothing is lost that an export would not make.

use sqlx::{Row, query};

use crate::error::StoreError;
use crate::life::ExportState;
use crate::{Project, Store};

impl Store {
    /// In place of what the account saved before. Nobody takes it up sooner than `due_at`.
    pub async fn note_ahead(&self, account: &str, project: &str, due_at: i64) -> Result<(), StoreError> {
        query(
            "INSERT INTO ahead (account, project, due_at) VALUES ($1, $2, $3)
             ON CONFLICT (account) DO UPDATE SET project = excluded.project, due_at = excluded.due_at",
        )
        .bind(account)
        .bind(project)
        .bind(due_at)
        .execute(&self.writing)
        .await?;
        Ok(())
    }

    /// Takes the one that has waited longest; none while an export waits that could be made.
    pub async fn take_ahead(&self) -> Result<Option<Project>, StoreError> {
        let now = self.now();
        // Idle machines ask all the time: most look, and find nothing.
        let due = query("SELECT account FROM ahead WHERE due_at <= $1 ORDER BY due_at, account LIMIT 1");
        let Some(due) = due.bind(now).fetch_optional(&self.reading).await? else { return Ok(None) };
        if self.due_exports().await?.iter().any(|due| due.life.state == ExportState::Queued && due.not_before <= now) {
            return Ok(None);
        }
        let account: String = due.try_get("account")?;
        let taken = query("DELETE FROM ahead WHERE account = $1 AND due_at <= $2 RETURNING project");
        let Some(taken) = taken.bind(&account).bind(now).fetch_optional(&self.writing).await? else { return Ok(None) };
        // It may have been deleted since.
        self.project(&account, taken.try_get("project")?).await
    }
}
