//! Exports: accepted with their price, carried out under a lease, ended exactly once, swept when nobody needs them.
//!
//! What may happen to one is decided by [`crate::life`], where its row is locked. A running export belongs to whoever
//! holds its fence.

mod accept;
mod happen;
mod lease;
mod sweep;
mod turns;

use std::path::PathBuf;

use compere_media::{Format, Resolution, words};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::any::AnyRow;
use sqlx::{Row, query};

pub use accept::{Before, Refused};
pub use happen::{Happened, Wording};
pub use lease::Claimed;

use crate::Store;
use crate::error::StoreError;
use crate::life::{ExportState, Life};
use crate::row::{self, FromRow, all, one};

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

words! {
    /// How a receiver is called.
    #[derive(Default)]
    pub enum HookMethod {
        #[default]
        Post = "POST",
        Get = "GET",
    }
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
    fn number(self) -> i64 {
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
    pub warnings: Vec<Value>,
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
    pub error_code: Option<i64>,
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

words! {
    /// The files of an export.
    pub enum Product {
        Film = "film",
        Poster = "poster",
        Vtt = "vtt",
        Srt = "srt",
    }
}

/// A film as its maker hands it over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finished {
    pub made: Made,
    /// Where its files lie on this machine.
    pub files: Vec<(Product, PathBuf)>,
}

/// How an export ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Ended {
    Exported { made: Box<Made>, credits: i64 },
    Failed { code: i64, message: String },
    Cancelled,
}

impl Export {
    /// All columns but the snapshot, which is large and concerns only whoever makes the film.
    pub(crate) const COLUMNS: &str = "e.id, e.project, e.account, e.name, e.state, e.step, e.progress, e.resolution,
      e.format, '' AS snapshot, e.priority, e.fence, e.strikes, e.hiccups, e.bug, e.worker, e.lease_until, e.not_before,
      e.cancel_asked, e.webhook, e.webhook_method, e.callback_id, e.reserved, e.credits, e.error_code, e.error,
      e.warnings, e.made, e.created_at, e.started_at, e.finished_at, e.swept_at";
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
            error_code: row.try_get("error_code")?,
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

impl Store {
    /// An export whoever asks: links to its files carry their own permission.
    pub async fn export(&self, id: &str) -> Result<Option<Export>, StoreError> {
        let sql = format!("SELECT {} FROM export e WHERE e.id = $1", Export::COLUMNS);
        one(query(sqlx::AssertSqlSafe(sql)).bind(id).fetch_optional(&self.reading).await?)
    }

    /// The body that an export was ordered with: what its film shows, whatever became of the project since.
    pub async fn snapshot(&self, export: &str) -> Result<Option<Value>, StoreError> {
        let found =
            query("SELECT snapshot FROM export WHERE id = $1").bind(export).fetch_optional(&self.reading).await?;
        found.map_or(Ok(None), |row| row::json(&row, "snapshot"))
    }

    /// A project's exports, newest first.
    pub async fn exports_of(&self, project: &str, limit: i64) -> Result<Vec<Export>, StoreError> {
        let sql = format!(
            "SELECT {} FROM export e WHERE e.project = $1 ORDER BY e.created_at DESC, e.id DESC LIMIT $2",
            Export::COLUMNS
        );
        all(&query(sqlx::AssertSqlSafe(sql)).bind(project).bind(limit).fetch_all(&self.reading).await?)
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
