//! Exports change hands: taken up, lost sight of, taken up again.

use sqlx::{Row, query};

use super::happen::{Beside, Happened};
use super::turns::{self, Claimant};
use crate::Store;
use crate::db::{Dialect, Tx};
use crate::error::StoreError;
use crate::export::{Export, Order};
use crate::life::{Command, Event, Life, step};
use crate::plan::Plan;
use crate::row::{FromRow, all};
use crate::trial;

/// An export in a worker's hands.
#[derive(Clone, Debug)]
pub struct Claimed {
    /// With its snapshot.
    pub export: Export,
    /// Seconds that its account's plan allows.
    pub longest: f64,
}

impl Store {
    /// Hands the next export to a worker. Accounts take turns; within an account whoever is watched goes first, then
    /// first come, first served.
    pub async fn claim_export(&self, worker: &str, lease: i64) -> Result<Option<Claimed>, StoreError> {
        let (mut tx, now) = (self.begin().await?, self.now());
        if self.dialect == Dialect::Postgres {
            query("SELECT pg_advisory_xact_lock(7031772)").execute(&mut *tx).await?;
        }
        let Some(turn) = turns::next(self.claimants(&mut tx).await?) else { return Ok(None) };
        let row = query(
            "SELECT id FROM export WHERE account = $1 AND state = 'queued' AND not_before <= $2
             ORDER BY priority DESC, created_at, id LIMIT 1",
        )
        .bind(&turn.account)
        .bind(now)
        .fetch_optional(&mut *tx)
        .await?;
        let Some(row) = row else { return Ok(None) };
        self.take_up(tx, row.try_get("id")?, Beside { worker, lease, wording: None }, turn.longest).await
    }

    /// The last step of every claim: the export that waits longest is its holder's.
    pub(super) async fn take_up(
        &self,
        mut tx: Tx,
        id: &str,
        beside: Beside<'_>,
        longest: f64,
    ) -> Result<Option<Claimed>, StoreError> {
        let happened = self.happen(&mut tx, id, Event::Claimed, beside).await?;
        let ours = |happened: &Happened| matches!(happened.commands[..], [Command::Make { .. }]);
        if !happened.as_ref().is_some_and(ours) {
            // Cancelled between the two statements.
            return Ok(None);
        }
        let row = query("SELECT * FROM export WHERE id = $1").bind(id).fetch_one(&mut *tx).await?;
        let export = Export { order: Order::from_row(&row)?, ..Export::from_row(&row)? };
        query("UPDATE account SET served_at = $2 WHERE id = $1")
            .bind(&export.account)
            .bind(self.now())
            .execute(&mut *tx)
            .await?;
        trial::point("claim.before_commit");
        tx.commit().await?;
        let longest = if export.test { Plan::testing(longest) } else { longest };
        Ok(Some(Claimed { export, longest }))
    }

    async fn claimants(&self, tx: &mut Tx) -> Result<Vec<Claimant>, StoreError> {
        let rows = query(
            "SELECT q.account AS account, a.plan AS plan, a.served_at AS served_at, COALESCE(r.running, 0) AS running
             FROM (SELECT DISTINCT account FROM export WHERE state = 'queued' AND not_before <= $1) q
             JOIN account a ON a.id = q.account
             LEFT JOIN (SELECT account, COUNT(*) AS running FROM export
                        WHERE state IN ('synthesizing', 'rendering', 'finishing') GROUP BY account) r
               ON r.account = q.account",
        )
        .bind(self.now())
        .fetch_all(&mut **tx)
        .await?;
        let claimant = |row: &sqlx::any::AnyRow| -> Result<Claimant, StoreError> {
            let plan = self.plan(row.try_get("plan")?);
            Ok(Claimant {
                account: row.try_get("account")?,
                running: row.try_get("running")?,
                parallel: plan.parallel_exports,
                served_at: row.try_get("served_at")?,
                longest: plan.longest_film,
            })
        };
        rows.iter().map(claimant).collect()
    }

    /// Running exports whose lease ran out.
    pub async fn expired_exports(&self) -> Result<Vec<Export>, StoreError> {
        let sql = format!(
            "SELECT {} FROM export e WHERE e.state IN ('synthesizing', 'rendering', 'finishing') AND e.lease_until < $1",
            Export::COLUMNS
        );
        all(&query(sqlx::AssertSqlSafe(sql)).bind(self.now()).fetch_all(&self.reading).await?)
    }

    /// Whoever had an export under this fence is gone. True when it waits for somebody else now, or is over.
    pub async fn orphan_export(&self, (id, fence): (&str, i64)) -> Result<bool, StoreError> {
        let mut tx = self.begin().await?;
        let happened = self.happen(&mut tx, id, Event::Orphaned { fence }, Beside::NOTHING).await?;
        tx.commit().await?;
        Ok(happened.is_some_and(|happened| !happened.commands.is_empty()))
    }

    /// At start-up of the only service: whoever had these exports is gone. What waits for a time that has not come waits
    /// no longer, lest a clock that was set back meanwhile hold it up. Says how many were running.
    pub async fn recover_exports(&self) -> Result<u64, StoreError> {
        let (mut tx, now) = (self.begin().await?, self.now());
        let count = self.orphan_all(&mut tx).await?;
        query("UPDATE export SET not_before = $1 WHERE state = 'queued' AND not_before > $1")
            .bind(now)
            .execute(&mut *tx)
            .await?;
        query("UPDATE delivery SET lease_until = NULL WHERE state = 'pending'").execute(&mut *tx).await?;
        // No wait is longer than six hours and a fifth.
        query("UPDATE delivery SET next_at = $1 WHERE state = 'pending' AND next_at > $2")
            .bind(now)
            .bind(now + 8 * 3_600_000)
            .execute(&mut *tx)
            .await?;
        trial::point("recover.before_commit");
        tx.commit().await?;
        trial::point("recover.committed");
        Ok(count)
    }

    /// Thousands may have been running, so those that simply go back into the queue are written without being locked
    /// one by one: the transaction that found them holds them all.
    async fn orphan_all(&self, tx: &mut Tx) -> Result<u64, StoreError> {
        let rows = query(
            "UPDATE export SET fence = fence WHERE state IN ('synthesizing', 'rendering', 'finishing')
             RETURNING id, state, step, progress, fence, strikes, hiccups, bug, cancel_asked, test",
        )
        .fetch_all(&mut **tx)
        .await?;
        for row in &rows {
            let (id, before): (&str, _) = (row.try_get("id")?, Life::from_row(row)?);
            let orphaned = Event::Orphaned { fence: before.fence };
            match step(&before, orphaned.clone()) {
                (after, commands) if commands == [Command::Queue { wait: 0 }] => {
                    self.write_life(tx, id, &after).await?;
                    self.put_back(tx, id, 0).await?;
                }
                _ => drop(self.happen(tx, id, orphaned, Beside::NOTHING).await?),
            }
        }
        Ok(rows.len() as u64)
    }

    /// Moves everything that waits for a time along with a clock that was set back by so many milliseconds.
    pub async fn clock_was_set_back(&self, by: i64) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        for statement in [
            "UPDATE export SET not_before = not_before - $1 WHERE state = 'queued'",
            "UPDATE export SET lease_until = lease_until - $1 WHERE lease_until IS NOT NULL",
            "UPDATE delivery SET next_at = next_at - $1, lease_until = lease_until - $1 WHERE state = 'pending'",
        ] {
            query(statement).bind(by).execute(&mut *tx).await?;
        }
        tx.commit().await?;
        Ok(())
    }
}
