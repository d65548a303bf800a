//! An export on record, and how one is asked for.

use compere_media::{Format, Resolution};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::deliveries::HookMethod;
use crate::ended::Made;
use crate::error::StoreError;
use crate::life::Life;
use crate::row::{self, FromRow};

/// What is to be made. It is stored with the export and handed on unchanged to whoever makes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// Of the film, and of the download without its ending.
    pub name: String,
    pub resolution: Resolution,
    pub format: Format,
    /// The create-project body as it was when the export was asked for. Null where nobody makes it: in all but a
    /// claimed export.
    pub snapshot: Value,
}

/// Who wants to hear how an export ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Webhook {
    pub url: String,
    pub method: HookMethod,
}

/// Which of an account's own exports go first. Others' are not passed: accounts take turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Priority {
    #[default]
    Usual,
    /// Somebody sits before the page and waits. No door asks for it yet.
    Watched,
}

impl Priority {
    pub(crate) fn number(self) -> i64 {
        self as i64
    }

    fn of(number: i64) -> Self {
        if number > 0 { Self::Watched } else { Self::Usual }
    }
}

/// An export that is asked for.
#[derive(Clone, Debug)]
pub struct NewExport {
    /// Ignored when a project is created along with it.
    pub project: String,
    pub account: String,
    pub order: Order,
    pub priority: Priority,
    pub webhook: Option<Webhook>,
    pub callback_id: Option<String>,
    /// Credits to reserve.
    pub reserve: i64,
    /// Ordered with a test key: nothing is reserved, nothing taken.
    pub test: bool,
    pub warnings: Vec<Value>,
    /// Presenters of footage in it.
    pub presenters: Vec<String>,
}

/// An export as it is on record.
#[derive(Clone, Debug)]
pub struct Export {
    pub id: String,
    pub project: String,
    pub account: String,
    pub order: Order,
    pub life: Life,
    pub priority: Priority,
    pub worker: Option<String>,
    pub lease_until: Option<i64>,
    pub not_before: i64,
    pub webhook: Option<Webhook>,
    pub callback_id: Option<String>,
    pub reserved: i64,
    pub credits: Option<i64>,
    pub error: Option<String>,
    /// JSON array of `{path, message}`, known at acceptance.
    pub warnings: String,
    pub made: Option<Made>,
    pub created_at: i64,
    pub started_at: Option<i64>,
    pub finished_at: Option<i64>,
    /// Its files were removed (retention, or the project is gone).
    pub swept_at: Option<i64>,
}

impl Export {
    /// All columns but the snapshot, which is large and concerns only whoever makes the film.
    pub(crate) const COLUMNS: &str = "e.id, e.project, e.account, e.name, e.state, e.step, e.progress, e.resolution,
      e.format, '' AS snapshot, e.priority, e.fence, e.strikes, e.hiccups, e.bug, e.worker, e.lease_until, e.not_before,
      e.cancel_asked, e.webhook, e.webhook_method, e.callback_id, e.reserved, e.credits, e.error,
      e.warnings, e.test, e.made, e.created_at, e.started_at, e.finished_at, e.swept_at";
}

/// Where it is in its life is what everybody asks of an export.
impl std::ops::Deref for Export {
    type Target = Life;

    fn deref(&self) -> &Life {
        &self.life
    }
}

impl FromRow for Order {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            name: row.try_get("name")?,
            resolution: row::word(row, "resolution")?,
            format: row::word(row, "format")?,
            snapshot: row::json(row, "snapshot")?.unwrap_or_default(),
        })
    }
}

impl FromRow for Life {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            state: row::word(row, "state")?,
            activity: row::activity(row)?,
            progress: row.try_get("progress")?,
            fence: row.try_get("fence")?,
            strikes: row.try_get("strikes")?,
            hiccups: row.try_get("hiccups")?,
            bug: row.try_get("bug")?,
            cancel_asked: row::flag(row, "cancel_asked")?,
            test: row::flag(row, "test")?,
        })
    }
}

fn webhook_of(row: &AnyRow) -> Result<Option<Webhook>, StoreError> {
    let url: Option<String> = row.try_get("webhook")?;
    url.map(|url| Ok(Webhook { url, method: row::word(row, "webhook_method")? })).transpose()
}

impl FromRow for Export {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.try_get("id")?,
            project: row.try_get("project")?,
            account: row.try_get("account")?,
            order: Order::from_row(row)?,
            life: Life::from_row(row)?,
            priority: Priority::of(row.try_get("priority")?),
            worker: row.try_get("worker")?,
            lease_until: row.try_get("lease_until")?,
            not_before: row.try_get("not_before")?,
            webhook: webhook_of(row)?,
            callback_id: row.try_get("callback_id")?,
            reserved: row.try_get("reserved")?,
            credits: row.try_get("credits")?,
            error: row.try_get("error")?,
            warnings: row.try_get("warnings")?,
            made: row::json(row, "made")?,
            created_at: row.try_get("created_at")?,
            started_at: row.try_get("started_at")?,
            finished_at: row.try_get("finished_at")?,
            swept_at: row.try_get("swept_at")?,
        })
    }
}
