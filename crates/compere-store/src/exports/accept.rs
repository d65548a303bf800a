//! An export is accepted: the project's change, the reservation and the place in the queue, or none of it.

use serde_json::Value;
use sqlx::{Row, query};

use crate::db::Tx;
use crate::error::StoreError;
use crate::export::NewExport;
use crate::life::Life;
use crate::plan::Plan;
use crate::projects::{NewProject, Project};
use crate::{Store, new_id, trial};

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

impl Store {
    /// Accepts an export. Answers the project with it.
    pub async fn start_export(&self, before: Before, new: NewExport) -> Result<Result<Project, Refused>, StoreError> {
        let mut tx = self.begin().await?;
        let plan = self.hold_account(&mut tx, &new.account).await?;
        let plan = if new.test { plan.for_tests() } else { plan };
        if self.waiting(&mut tx, &new.account).await? >= i64::from(plan.queued_exports) {
            return Ok(Err(Refused::QueueFull { limit: plan.queued_exports }));
        }
        let Some(project) = self.prepared(&mut tx, before, &new).await? else { return Ok(Err(Refused::Conflict)) };
        let id = new_id(self.now());
        if !new.test
            && let Err(balance) = self.reserve(&mut tx, &new.account, &plan, &id, new.reserve).await?
        {
            return Ok(Err(Refused::Credits { balance, needed: new.reserve }));
        }
        self.insert_export(&mut tx, &id, &project, &new).await?;
        self.note_presenters(&mut tx, &id, &new).await?;
        if !self.points_at(&mut tx, &new.account, &project, &id).await? {
            return Ok(Err(Refused::Conflict));
        }
        trial::point("accept.before_commit");
        tx.commit().await?;
        trial::point("accept.committed");
        let project = self.project(&new.account, &project).await?;
        project.map(Ok).ok_or_else(|| StoreError::Damaged("a project vanished".to_owned()))
    }

    /// Holds others off this account until the sums are written, and says what it may do.
    async fn hold_account(&self, tx: &mut Tx, account: &str) -> Result<Plan, StoreError> {
        let row = query("UPDATE account SET served_at = served_at WHERE id = $1 RETURNING plan")
            .bind(account)
            .fetch_one(&mut **tx)
            .await?;
        Ok(self.plan(row.try_get("plan")?))
    }

    async fn waiting(&self, tx: &mut Tx, account: &str) -> Result<i64, StoreError> {
        let row = query("SELECT COUNT(*) AS n FROM export WHERE account = $1 AND state = 'queued'")
            .bind(account)
            .fetch_one(&mut **tx)
            .await?;
        Ok(row.try_get("n")?)
    }

    /// The project to export, changed as it has to be; none when somebody else was quicker.
    async fn prepared(&self, tx: &mut Tx, before: Before, new: &NewExport) -> Result<Option<String>, StoreError> {
        match before {
            Before::Nothing => Ok(Some(new.project.clone())),
            Before::Create(project) => Ok(Some(self.insert_project(tx, *project).await?)),
            Before::Edit { revision, body, note } => {
                let current = self.replace_body(tx, (&new.account, &new.project), revision, &body, &note).await?;
                Ok(current.then(|| new.project.clone()))
            }
        }
    }

    async fn insert_export(&self, tx: &mut Tx, id: &str, project: &str, new: &NewExport) -> Result<(), StoreError> {
        let (life, now) = (Life { test: new.test, ..Life::accepted() }, self.now());
        query(
            "INSERT INTO export (id, project, account, name, state, step, progress, resolution, format, snapshot,
             priority, fence, strikes, hiccups, not_before, cancel_asked, webhook, webhook_method, callback_id, reserved,
             warnings, test, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0, 0, $13, 0, $14, $15, $16, $17, $18, $19, $13)",
        )
        .bind(id)
        .bind(project)
        .bind(&new.account)
        .bind(&new.order.name)
        .bind(life.state.as_str())
        .bind(life.activity.as_str())
        .bind(life.progress)
        .bind(new.order.resolution.as_str())
        .bind(new.order.format.as_str())
        .bind(new.order.snapshot.to_string())
        .bind(new.priority.number())
        .bind(life.fence)
        .bind(now)
        .bind(new.webhook.as_ref().map(|webhook| webhook.url.clone()))
        .bind(new.webhook.as_ref().map(|webhook| webhook.method).unwrap_or_default().as_str())
        .bind(&new.callback_id)
        .bind(if new.test { 0 } else { new.reserve })
        .bind(Value::Array(new.warnings.clone()).to_string())
        .bind(i64::from(life.test))
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    /// From now on progress speaks of this export. False when the account has no such project.
    async fn points_at(&self, tx: &mut Tx, account: &str, project: &str, export: &str) -> Result<bool, StoreError> {
        let done = query("UPDATE project SET export = $3, updated_at = $4 WHERE account = $1 AND id = $2")
            .bind(account)
            .bind(project)
            .bind(export)
            .bind(self.now())
            .execute(&mut **tx)
            .await?;
        Ok(done.rows_affected() == 1)
    }
}
