//! Exports that many machines make: who takes one up is said elsewhere, which one it is and that it is taken up once is
//! said here.

use sqlx::any::AnyRow;
use sqlx::{Row, query};

use super::happen::Beside;
use super::lease::Claimed;
use crate::Store;
use crate::error::StoreError;
use crate::life::{Event, Life};
use crate::row::{FromRow, one};

/// Somebody has a place for one export of an account.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    pub account: &'a str,
    /// Named in the row that is taken up; nobody else has this name, now or later.
    pub holder: &'a str,
    /// An export whose time to wait is over by another clock than ours, unless somebody tried it meanwhile.
    pub rested: (&'a str, i64),
}

/// An export that is made, or may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Due {
    pub export: String,
    pub project: String,
    pub account: String,
    pub life: Life,
    /// Among those of its account: 1 is next, or runs.
    pub place: i64,
    pub not_before: i64,
    pub lease_until: Option<i64>,
}

impl FromRow for Due {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            export: row.try_get("id")?,
            project: row.try_get("project")?,
            account: row.try_get("account")?,
            life: Life::from_row(row)?,
            place: row.try_get("place")?,
            not_before: row.try_get("not_before")?,
            lease_until: row.try_get("lease_until")?,
        })
    }
}

impl Store {
    /// Of every account as many exports as its plan lets run at once: those that do, then those that are next. The first of
    /// all accounts come before the second of any.
    pub async fn due_exports(&self) -> Result<Vec<Due>, StoreError> {
        let most = self.plans.iter().map(|plan| plan.parallel_exports).max().unwrap_or(1);
        let rows = query(
            "SELECT * FROM (
               SELECT e.id, e.project, e.account, e.state, e.step, e.progress, e.fence, e.strikes, e.hiccups, e.bug,
                 e.cancel_asked, e.test, e.not_before, e.lease_until, a.plan AS plan,
                 ROW_NUMBER() OVER (PARTITION BY e.account ORDER BY
                   CASE WHEN e.state <> 'queued' THEN 0 WHEN e.not_before <= $1 THEN 1 ELSE 2 END,
                   e.priority DESC, e.created_at, e.id) AS place
               FROM export e JOIN account a ON a.id = e.account
               WHERE e.state IN ('queued', 'synthesizing', 'rendering', 'finishing')) q
             WHERE place <= $2 ORDER BY place, id",
        )
        .bind(self.now())
        .bind(i64::from(most))
        .fetch_all(&self.reading)
        .await?;
        let mut all = Vec::new();
        for row in &rows {
            let due = Due::from_row(row)?;
            if due.place <= i64::from(self.plan(row.try_get("plan")?).parallel_exports) {
                all.push(due);
            }
        }
        Ok(all)
    }

    /// An export that is not over.
    pub async fn due_export(&self, id: &str) -> Result<Option<Due>, StoreError> {
        let row = query(
            "SELECT id, project, account, state, step, progress, fence, strikes, hiccups, bug, cancel_asked, test,
               CAST(1 AS BIGINT) AS place, not_before, lease_until
             FROM export WHERE id = $1 AND state IN ('queued', 'synthesizing', 'rendering', 'finishing')",
        )
        .bind(id)
        .fetch_optional(&self.reading)
        .await?;
        one(row)
    }

    /// Takes up the next export of an account: whoever is watched goes first, then first come, first served. None when
    /// none waits, or as many run as its plan allows.
    pub async fn claim_turn(&self, turn: Turn<'_>, lease: i64) -> Result<Option<Claimed>, StoreError> {
        let (mut tx, now) = (self.begin().await?, self.now());
        // A statement that changes nothing: claims of one account come one after another.
        let account = query("UPDATE account SET served_at = served_at WHERE id = $1 RETURNING plan")
            .bind(turn.account)
            .fetch_optional(&mut *tx)
            .await?;
        let Some(account) = account else { return Ok(None) };
        let plan = self.plan(account.try_get("plan")?);
        let row = query(
            "SELECT COUNT(*) AS running FROM export
             WHERE account = $1 AND state IN ('synthesizing', 'rendering', 'finishing')",
        )
        .bind(turn.account)
        .fetch_one(&mut *tx)
        .await?;
        if row.try_get::<i64, _>("running")? >= i64::from(plan.parallel_exports) {
            return Ok(None);
        }
        let row = query(
            "SELECT id FROM export WHERE account = $1 AND state = 'queued'
               AND (not_before <= $2 OR (id = $3 AND fence = $4))
             ORDER BY priority DESC, created_at, id LIMIT 1",
        )
        .bind(turn.account)
        .bind(now)
        .bind(turn.rested.0)
        .bind(turn.rested.1)
        .fetch_optional(&mut *tx)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let beside = Beside { worker: turn.holder, lease, wording: None };
        self.take_up(tx, row.try_get("id")?, beside, plan.longest_film).await
    }

    /// Whoever took something up under this name is gone: what it was waits for somebody else now, or is over. False when
    /// there was nothing.
    pub async fn holder_is_lost(&self, holder: &str) -> Result<bool, StoreError> {
        let mut tx = self.begin().await?;
        let row = query(
            "SELECT id, fence FROM export
             WHERE worker = $1 AND state IN ('synthesizing', 'rendering', 'finishing')",
        )
        .bind(holder)
        .fetch_optional(&mut *tx)
        .await?;
        let Some(row) = row else { return Ok(false) };
        let fence = row.try_get("fence")?;
        // A row that changed hands meanwhile has another fence.
        let happened = self.happen(&mut tx, row.try_get("id")?, Event::Orphaned { fence }, Beside::NOTHING).await?;
        tx.commit().await?;
        Ok(happened.is_some_and(|happened| !happened.commands.is_empty()))
    }
}
