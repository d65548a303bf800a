//! Exports: accepted with their price, carried out under a lease, ended exactly once.
//!
//! A running export belongs to whoever holds its fence. The number rises with every claim, and everything a worker says
//! names it, so one that was thought dead can neither move nor end what somebody else has taken over.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::any::AnyRow;
use sqlx::{Row, query};

use crate::db::{Dialect, Tx};
use crate::deliveries::NewDelivery;
use crate::error::StoreError;
use crate::projects::{NewProject, Project};
use crate::{Store, crash, new_id};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExportState {
    Queued,
    Synthesizing,
    Rendering,
    Finishing,
    Exported,
    Failed,
    Cancelled,
}

impl ExportState {
    pub const ALL: [Self; 7] = [
        Self::Queued,
        Self::Synthesizing,
        Self::Rendering,
        Self::Finishing,
        Self::Exported,
        Self::Failed,
        Self::Cancelled,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Synthesizing => "synthesizing",
            Self::Rendering => "rendering",
            Self::Finishing => "finishing",
            Self::Exported => "exported",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    pub fn parse(text: &str) -> Result<Self, StoreError> {
        let found = Self::ALL.into_iter().find(|state| state.as_str() == text);
        found.ok_or_else(|| StoreError::Damaged(format!("export state `{text}`")))
    }

    pub fn is_over(self) -> bool {
        matches!(self, Self::Exported | Self::Failed | Self::Cancelled)
    }

    pub fn is_running(self) -> bool {
        matches!(self, Self::Synthesizing | Self::Rendering | Self::Finishing)
    }
}

/// What an export left behind, as it is stored and shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Made {
    /// Seconds.
    pub duration: f64,
    /// Bytes of the main file.
    pub size: u64,
    /// Name of the main file, as it is offered for download: `Quarterly news.mp4`.
    pub file_name: String,
    pub width: u32,
    pub height: u32,
    pub frames: u64,
    pub loudness: Option<f64>,
    pub drawn_frames: u64,
    /// Second at which each scene begins. Films of earlier versions do not know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<f64>,
    /// Which of poster, captions (vtt, srt) there are besides the main file.
    pub poster: bool,
    pub captions: bool,
    /// Word timings of an audio export.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub meta_list: Value,
    /// Seconds that each stage took.
    pub took: Vec<(String, f64)>,
    /// `{path, message}` each.
    pub warnings: Vec<Value>,
}

#[derive(Clone, Debug)]
pub struct Export {
    pub id: String,
    pub project: String,
    pub account: String,
    pub name: String,
    pub state: ExportState,
    /// A word about what is being done: `fetching`, `speaking`, `drawing`…
    pub step: String,
    pub progress: f64,
    pub resolution: String,
    /// `mp4`, `wav`, `webm`, `mov`.
    pub format: String,
    /// The create-project body as it was when the export was asked for. Empty in lists.
    pub snapshot: String,
    pub priority: i64,
    pub fence: i64,
    /// Workers that this export has cost.
    pub strikes: i64,
    pub worker: Option<String>,
    pub lease_until: Option<i64>,
    pub not_before: i64,
    pub cancel_asked: bool,
    pub webhook: Option<String>,
    pub webhook_method: String,
    pub callback_id: Option<String>,
    pub reserved: i64,
    pub credits: Option<i64>,
    pub error_code: Option<i64>,
    pub error: Option<String>,
    /// JSON array of `{path, message}`, known at acceptance.
    pub warnings: String,
    pub duration: Option<f64>,
    pub size: Option<i64>,
    pub made: Option<Made>,
    pub created_at: i64,
    pub started_at: Option<i64>,
    pub finished_at: Option<i64>,
    /// Its files were removed (retention, or the project is gone).
    pub swept_at: Option<i64>,
}

impl Export {
    pub(crate) const LIGHT: &str = "e.id, e.project, e.account, e.name, e.state, e.step, e.progress, e.resolution,
      e.format, '' AS snapshot, e.priority, e.fence, e.strikes, e.worker, e.lease_until, e.not_before, e.cancel_asked,
      e.webhook, e.webhook_method, e.callback_id, e.reserved, e.credits, e.error_code, e.error, e.warnings, e.duration,
      e.size, e.made, e.created_at, e.started_at, e.finished_at, e.swept_at";
}

#[derive(Clone, Debug)]
pub struct NewExport {
    /// Ignored when a project is created along with it.
    pub project: String,
    pub account: String,
    pub name: String,
    pub resolution: String,
    pub format: String,
    pub snapshot: Value,
    pub priority: i64,
    pub webhook: Option<String>,
    pub webhook_method: String,
    pub callback_id: Option<String>,
    /// Credits to reserve.
    pub reserve: i64,
    pub warnings: Vec<Value>,
}

/// What has to happen to the project in the same breath.
#[derive(Clone, Debug)]
pub enum Before {
    Nothing,
    Create(Box<NewProject>),
    Edit { revision: i64, body: Box<Value>, note: String },
}

/// Why an export was not accepted. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    Credits {
        balance: i64,
        needed: i64,
    },
    QueueFull {
        limit: u32,
    },
    /// The project was edited meanwhile, or is gone.
    Conflict,
}

/// How an export ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    Exported { made: Box<Made>, credits: i64 },
    Failed { code: i64, message: String },
    Cancelled,
}

/// What the store answers to a sign of life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    Ours,
    CancelAsked,
    /// Somebody else has it, or it is over.
    Lost,
}

pub(crate) fn export_of(row: &AnyRow) -> Result<Export, StoreError> {
    let state: String = row.try_get("state")?;
    let made: Option<String> = row.try_get("made")?;
    Ok(Export {
        id: row.try_get("id")?,
        project: row.try_get("project")?,
        account: row.try_get("account")?,
        name: row.try_get("name")?,
        state: ExportState::parse(&state)?,
        step: row.try_get("step")?,
        progress: row.try_get("progress")?,
        resolution: row.try_get("resolution")?,
        format: row.try_get("format")?,
        snapshot: row.try_get("snapshot")?,
        priority: row.try_get("priority")?,
        fence: row.try_get("fence")?,
        strikes: row.try_get("strikes")?,
        worker: row.try_get("worker")?,
        lease_until: row.try_get("lease_until")?,
        not_before: row.try_get("not_before")?,
        cancel_asked: row.try_get::<i64, _>("cancel_asked")? != 0,
        webhook: row.try_get("webhook")?,
        webhook_method: row.try_get("webhook_method")?,
        callback_id: row.try_get("callback_id")?,
        reserved: row.try_get("reserved")?,
        credits: row.try_get("credits")?,
        error_code: row.try_get("error_code")?,
        error: row.try_get("error")?,
        warnings: row.try_get("warnings")?,
        duration: row.try_get("duration")?,
        size: row.try_get("size")?,
        made: made.map(|made| serde_json::from_str(&made)).transpose()?,
        created_at: row.try_get("created_at")?,
        started_at: row.try_get("started_at")?,
        finished_at: row.try_get("finished_at")?,
        swept_at: row.try_get("swept_at")?,
    })
}

impl Store {
    /// Accepts an export: the project's change, the reservation and the place in the queue, or none of it.
    pub async fn start_export(&self, before: Before, new: NewExport) -> Result<Result<Project, Refused>, StoreError> {
        let mut tx = self.begin().await?;
        // Holds others off this account until the sums below are written.
        query("UPDATE account SET served_at = served_at WHERE id = $1").bind(&new.account).execute(&mut *tx).await?;
        let row = query("SELECT plan FROM account WHERE id = $1").bind(&new.account).fetch_one(&mut *tx).await?;
        let plan = self.plan(&row.try_get::<String, _>("plan")?);
        let waiting = query("SELECT COUNT(*) AS n FROM export WHERE account = $1 AND state = 'queued'")
            .bind(&new.account)
            .fetch_one(&mut *tx)
            .await?;
        if waiting.try_get::<i64, _>("n")? >= i64::from(plan.queued_exports) {
            return Ok(Err(Refused::QueueFull { limit: plan.queued_exports }));
        }
        let project = match before {
            Before::Nothing => new.project.clone(),
            Before::Create(project) => self.insert_project(&mut tx, *project).await?,
            Before::Edit { revision, body, note } => {
                if !self.replace_body(&mut tx, (&new.account, &new.project), revision, &body, &note).await? {
                    return Ok(Err(Refused::Conflict));
                }
                new.project.clone()
            }
        };
        let (id, now) = (new_id(self.now()), self.now());
        if let Err(balance) = self.reserve(&mut tx, &new.account, &plan, &id, new.reserve).await? {
            return Ok(Err(Refused::Credits { balance, needed: new.reserve }));
        }
        query(
            "INSERT INTO export (id, project, account, name, state, step, progress, resolution, format, snapshot,
             priority, fence, strikes, not_before, cancel_asked, webhook, webhook_method, callback_id, reserved,
             warnings, created_at)
             VALUES ($1, $2, $3, $4, 'queued', 'waiting', 0.0, $5, $6, $7, $8, 0, 0, $9, 0, $10, $11, $12, $13, $14, $15)",
        )
        .bind(&id)
        .bind(&project)
        .bind(&new.account)
        .bind(&new.name)
        .bind(&new.resolution)
        .bind(&new.format)
        .bind(new.snapshot.to_string())
        .bind(new.priority)
        .bind(now)
        .bind(&new.webhook)
        .bind(&new.webhook_method)
        .bind(&new.callback_id)
        .bind(new.reserve)
        .bind(Value::Array(new.warnings.clone()).to_string())
        .bind(now)
        .execute(&mut *tx)
        .await?;
        let done = query("UPDATE project SET export = $3, updated_at = $4 WHERE account = $1 AND id = $2")
            .bind(&new.account)
            .bind(&project)
            .bind(&id)
            .bind(now)
            .execute(&mut *tx)
            .await?;
        if done.rows_affected() != 1 {
            return Ok(Err(Refused::Conflict));
        }
        crash::point("accept.before_commit");
        tx.commit().await?;
        crash::point("accept.committed");
        let project = self.any_project(&project).await?;
        project.map(Ok).ok_or_else(|| StoreError::Damaged("a project vanished".to_owned()))
    }

    pub async fn export(&self, id: &str) -> Result<Option<Export>, StoreError> {
        let row = query("SELECT * FROM export WHERE id = $1").bind(id).fetch_optional(&self.reading).await?;
        row.as_ref().map(export_of).transpose()
    }

    /// A project's exports, newest first, snapshots left out.
    pub async fn exports_of(&self, project: &str, limit: i64) -> Result<Vec<Export>, StoreError> {
        let sql = format!(
            "SELECT {} FROM export e WHERE e.project = $1 ORDER BY e.created_at DESC, e.id DESC LIMIT $2",
            Export::LIGHT
        );
        let rows = query(sqlx::AssertSqlSafe(sql)).bind(project).bind(limit).fetch_all(&self.reading).await?;
        rows.iter().map(export_of).collect()
    }

    /// The installation's exports for administrators, newest first; `state` empty for all.
    pub async fn recent_exports(&self, state: &str, limit: i64) -> Result<Vec<Export>, StoreError> {
        let sql = format!(
            "SELECT {} FROM export e WHERE ($1 = '' OR e.state = $1) ORDER BY e.created_at DESC, e.id DESC LIMIT $2",
            Export::LIGHT
        );
        let rows = query(sqlx::AssertSqlSafe(sql)).bind(state).bind(limit).fetch_all(&self.reading).await?;
        rows.iter().map(export_of).collect()
    }

    /// How many exports are in each state, and since when the oldest waits.
    pub async fn queue(&self) -> Result<(Vec<(ExportState, i64)>, Option<i64>), StoreError> {
        let rows = query("SELECT state, COUNT(*) AS n, MIN(created_at) AS oldest FROM export GROUP BY state")
            .fetch_all(&self.reading)
            .await?;
        let (mut counts, mut oldest) = (Vec::new(), None);
        for row in &rows {
            let state = ExportState::parse(&row.try_get::<String, _>("state")?)?;
            counts.push((state, row.try_get("n")?));
            if state == ExportState::Queued {
                oldest = row.try_get("oldest")?;
            }
        }
        Ok((counts, oldest))
    }

    /// Hands the next export to a worker. Higher priority first; among equals the account with fewer running ones, then
    /// the one that was served longest ago; within an account, first come first served.
    pub async fn claim_export(&self, worker: &str, lease: i64) -> Result<Option<Export>, StoreError> {
        let (mut tx, now) = (self.begin().await?, self.now());
        if self.dialect == Dialect::Postgres {
            query("SELECT pg_advisory_xact_lock(7031772)").execute(&mut *tx).await?;
        }
        let Some(account) = self.whose_turn(&mut tx).await? else { return Ok(None) };
        let row = query(
            "UPDATE export SET state = 'synthesizing', step = 'starting', fence = fence + 1, worker = $2,
             lease_until = $3, started_at = COALESCE(started_at, $4)
             WHERE id = (SELECT id FROM export WHERE account = $1 AND state = 'queued' AND not_before <= $4
                         ORDER BY priority DESC, created_at, id LIMIT 1)
             RETURNING *",
        )
        .bind(&account)
        .bind(worker)
        .bind(now + lease)
        .bind(now)
        .fetch_optional(&mut *tx)
        .await?;
        query("UPDATE account SET served_at = $2 WHERE id = $1").bind(&account).bind(now).execute(&mut *tx).await?;
        crash::point("claim.before_commit");
        tx.commit().await?;
        row.as_ref().map(export_of).transpose()
    }

    async fn whose_turn(&self, tx: &mut Tx) -> Result<Option<String>, StoreError> {
        let rows = query(
            "SELECT q.account AS account, a.plan AS plan, a.served_at AS served_at, q.priority AS priority,
                    COALESCE(r.running, 0) AS running
             FROM (SELECT account, MAX(priority) AS priority FROM export
                   WHERE state = 'queued' AND not_before <= $1 GROUP BY account) q
             JOIN account a ON a.id = q.account
             LEFT JOIN (SELECT account, COUNT(*) AS running FROM export
                        WHERE state IN ('synthesizing', 'rendering', 'finishing') GROUP BY account) r
               ON r.account = q.account",
        )
        .bind(self.now())
        .fetch_all(&mut **tx)
        .await?;
        let mut best: Option<(i64, i64, i64, String)> = None;
        for row in &rows {
            let (plan, running): (String, i64) = (row.try_get("plan")?, row.try_get("running")?);
            if running >= i64::from(self.plan(&plan).parallel_exports) {
                continue;
            }
            let rank =
                (-row.try_get::<i64, _>("priority")?, running, row.try_get("served_at")?, row.try_get("account")?);
            if best.as_ref().is_none_or(|best| rank < *best) {
                best = Some(rank);
            }
        }
        Ok(best.map(|(.., account)| account))
    }

    /// A sign of life with how far it is. Progress never falls.
    pub async fn beat_export(
        &self,
        (id, fence): (&str, i64),
        lease: i64,
        state: ExportState,
        step: &str,
        progress: f64,
    ) -> Result<Beat, StoreError> {
        let row = query(
            "UPDATE export SET lease_until = $3, state = $4, step = $5,
             progress = CASE WHEN progress < $6 THEN $6 ELSE progress END
             WHERE id = $1 AND fence = $2 AND state IN ('synthesizing', 'rendering', 'finishing')
             RETURNING cancel_asked",
        )
        .bind(id)
        .bind(fence)
        .bind(self.now() + lease)
        .bind(state.as_str())
        .bind(step)
        .bind(progress.clamp(0.0, 99.0))
        .fetch_optional(&self.writing)
        .await?;
        Ok(match row {
            None => Beat::Lost,
            Some(row) if row.try_get::<i64, _>("cancel_asked")? != 0 => Beat::CancelAsked,
            Some(_) => Beat::Ours,
        })
    }

    /// Gives an export back to the queue, with a strike when it cost its worker. False when it is not the caller's.
    pub async fn requeue_export(
        &self,
        (id, fence): (&str, i64),
        strike: bool,
        not_before: i64,
    ) -> Result<bool, StoreError> {
        let done = query(
            "UPDATE export SET state = 'queued', step = 'waiting', worker = NULL, lease_until = NULL, not_before = $3,
             strikes = strikes + $4
             WHERE id = $1 AND fence = $2 AND state IN ('synthesizing', 'rendering', 'finishing')",
        )
        .bind(id)
        .bind(fence)
        .bind(not_before)
        .bind(i64::from(strike))
        .execute(&self.writing)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Running exports whose lease ran out, without snapshots.
    pub async fn expired_exports(&self) -> Result<Vec<Export>, StoreError> {
        let sql = format!(
            "SELECT {} FROM export e WHERE e.state IN ('synthesizing', 'rendering', 'finishing') AND e.lease_until < $1",
            Export::LIGHT
        );
        let rows = query(sqlx::AssertSqlSafe(sql)).bind(self.now()).fetch_all(&self.reading).await?;
        rows.iter().map(export_of).collect()
    }

    /// At start-up of the only node: whoever ran these exports is gone. No strike: it may have been us. What waits for
    /// a time that has not come waits no longer, lest a clock that was set back meanwhile hold it up. Says how many ran.
    pub async fn recover_exports(&self) -> Result<u64, StoreError> {
        let (mut tx, now) = (self.begin().await?, self.now());
        let done = query(
            "UPDATE export SET state = 'queued', step = 'waiting', worker = NULL, lease_until = NULL, not_before = 0,
             fence = fence + 1 WHERE state IN ('synthesizing', 'rendering', 'finishing')",
        )
        .execute(&mut *tx)
        .await?;
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
        crash::point("recover.before_commit");
        tx.commit().await?;
        crash::point("recover.committed");
        Ok(done.rows_affected())
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

    /// Ends an export, settles its credits and puts its webhook into the outbox, all at once and once only. False when
    /// it is not the caller's any more, or was cancelled and cannot be exported. The webhook goes out only if the row
    /// still asks for one: that of a deleted project does not.
    pub async fn end_export(
        &self,
        (id, fence): (&str, i64),
        ended: &Ended,
        delivery: Option<NewDelivery>,
    ) -> Result<bool, StoreError> {
        let mut tx = self.begin().await?;
        let mut done = Self::write_end(&mut tx, (id, fence), ended, self.now()).await?;
        if let Some(row) = done.take() {
            let (account, reserved): (String, i64) = (row.try_get("account")?, row.try_get("reserved")?);
            crash::point("end.settling");
            match ended {
                Ended::Exported { credits, .. } => self.settle(&mut tx, &account, id, reserved, *credits).await?,
                Ended::Failed { .. } | Ended::Cancelled => self.release(&mut tx, &account, id, reserved).await?,
            }
            if let Some(delivery) =
                delivery.filter(|_| row.try_get::<Option<String>, _>("webhook").ok().flatten().is_some())
            {
                self.insert_delivery(&mut tx, delivery).await?;
            }
            query("UPDATE project SET updated_at = $2 WHERE export = $1")
                .bind(id)
                .bind(self.now())
                .execute(&mut *tx)
                .await?;
            crash::point("end.before_commit");
            tx.commit().await?;
            return Ok(true);
        }
        Ok(false)
    }

    async fn write_end(
        tx: &mut Tx,
        (id, fence): (&str, i64),
        ended: &Ended,
        now: i64,
    ) -> Result<Option<AnyRow>, StoreError> {
        let (state, progress) = match ended {
            Ended::Exported { .. } => (ExportState::Exported, 100.0),
            Ended::Failed { .. } => (ExportState::Failed, -1.0),
            Ended::Cancelled => (ExportState::Cancelled, -1.0),
        };
        let (made, credits) = match ended {
            Ended::Exported { made, credits } => (Some(&**made), Some(*credits)),
            _ => (None, None),
        };
        let (code, message) = match ended {
            Ended::Failed { code, message } => (Some(*code), Some(message.clone())),
            _ => (None, None),
        };
        Ok(query(
            "UPDATE export SET state = $3, step = 'done', progress = CASE WHEN $4 < 0.0 THEN progress ELSE $4 END,
             worker = NULL, lease_until = NULL, made = $5, credits = $6, error_code = $7, error = $8, duration = NULLIF($9, -1.0),
             size = $10, finished_at = $11
             WHERE id = $1 AND fence = $2 AND state IN ('queued', 'synthesizing', 'rendering', 'finishing')
               AND (cancel_asked = 0 OR $3 <> 'exported')
             RETURNING account, reserved, webhook",
        )
        .bind(id)
        .bind(fence)
        .bind(state.as_str())
        .bind(progress)
        .bind(made.map(serde_json::to_string).transpose()?)
        .bind(credits)
        .bind(code)
        .bind(message)
        // The driver sends an absent f64 as one of four bytes, and PostgreSQL then wants four bytes for ever.
        .bind(made.map_or(-1.0, |made| made.duration))
        .bind(made.map(|made| made.size as i64))
        .bind(now)
        .fetch_optional(&mut **tx)
        .await?)
    }

    /// Asks an export to stop. One that waits is over at once; a running one is at its next sign of life. True when
    /// there was something to stop.
    pub async fn cancel_export(&self, id: &str) -> Result<bool, StoreError> {
        let mut tx = self.begin().await?;
        let stopped = self.cancel_in(&mut tx, id).await?;
        tx.commit().await?;
        Ok(stopped)
    }

    async fn cancel_in(&self, tx: &mut Tx, id: &str) -> Result<bool, StoreError> {
        let row = query(
            "UPDATE export SET state = 'cancelled', step = 'done', cancel_asked = 1, finished_at = $2
             WHERE id = $1 AND state = 'queued' RETURNING account, reserved",
        )
        .bind(id)
        .bind(self.now())
        .fetch_optional(&mut **tx)
        .await?;
        if let Some(row) = row {
            let (account, reserved): (String, i64) = (row.try_get("account")?, row.try_get("reserved")?);
            self.release(tx, &account, id, reserved).await?;
            return Ok(true);
        }
        let done = query(
            "UPDATE export SET cancel_asked = 1
             WHERE id = $1 AND cancel_asked = 0 AND state IN ('synthesizing', 'rendering', 'finishing')",
        )
        .bind(id)
        .execute(&mut **tx)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Stops all exports of a project that is being deleted; nobody will be told how they end.
    pub(crate) async fn abandon_exports(&self, tx: &mut Tx, project: &str) -> Result<(), StoreError> {
        let rows = query(
            "SELECT id FROM export WHERE project = $1 AND state IN ('queued', 'synthesizing', 'rendering', 'finishing')",
        )
        .bind(project)
        .fetch_all(&mut **tx)
        .await?;
        for row in &rows {
            let id: String = row.try_get("id")?;
            query("UPDATE export SET webhook = NULL WHERE id = $1").bind(&id).execute(&mut **tx).await?;
            self.cancel_in(tx, &id).await?;
        }
        Ok(())
    }

    /// Exports whose files may go: their project is gone, or they ended before `before` and are not the one that
    /// progress speaks of. Marks them; the caller removes the files (again and again is harmless).
    pub async fn sweepable_exports(&self, before: i64, limit: i64) -> Result<Vec<String>, StoreError> {
        let rows = query(
            "SELECT e.id AS id FROM export e LEFT JOIN project p ON p.id = e.project
             WHERE e.swept_at IS NULL AND e.state IN ('exported', 'failed', 'cancelled')
               AND (p.id IS NULL OR (e.finished_at < $1 AND (p.export IS NULL OR p.export <> e.id))) LIMIT $2",
        )
        .bind(before)
        .bind(limit)
        .fetch_all(&self.reading)
        .await?;
        Ok(rows.iter().map(|row| row.try_get("id")).collect::<Result<_, _>>()?)
    }

    pub async fn mark_swept(&self, export: &str) -> Result<(), StoreError> {
        query("UPDATE export SET swept_at = $2 WHERE id = $1")
            .bind(export)
            .bind(self.now())
            .execute(&self.writing)
            .await?;
        Ok(())
    }
}
