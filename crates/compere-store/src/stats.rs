//! Numbers for people: what was made, when, and how much room it takes.

use sqlx::any::AnyRow;
use sqlx::{Row, query};

use crate::Store;
use crate::ended::Made;
use crate::error::StoreError;
use crate::life::ExportState;
use crate::row::{self, FromRow, all};

/// An export that is over, as charts need it.
#[derive(Clone, Debug)]
pub struct Past {
    pub account: String,
    pub state: ExportState,
    /// When it was asked for, begun and over.
    pub created_at: i64,
    pub started_at: Option<i64>,
    pub finished_at: i64,
    pub credits: i64,
    pub made: Option<Made>,
}

/// What the installation holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holdings {
    pub projects: i64,
    pub films: i64,
    /// Bytes of films that are still kept.
    pub film_bytes: i64,
    pub assets: i64,
    pub asset_bytes: i64,
}

impl FromRow for Past {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            account: row.try_get("account")?,
            state: row::word(row, "state")?,
            created_at: row.try_get("created_at")?,
            started_at: row.try_get("started_at")?,
            finished_at: row.try_get("finished_at")?,
            credits: row.try_get::<Option<i64>, _>("credits")?.unwrap_or_default(),
            made: row::json(row, "made")?,
        })
    }
}

impl Store {
    /// Exports that ended since then, oldest first; of one account, or (empty) of all.
    pub async fn past_exports(&self, account: &str, since: i64) -> Result<Vec<Past>, StoreError> {
        let rows = query(
            "SELECT account, state, created_at, started_at, finished_at, credits, made FROM export
             WHERE ($1 = '' OR account = $1) AND finished_at >= $2 ORDER BY finished_at, id",
        )
        .bind(account)
        .bind(since)
        .fetch_all(&self.reading)
        .await?;
        all(&rows)
    }

    pub async fn holdings(&self) -> Result<Holdings, StoreError> {
        let films = query(
            "SELECT COUNT(*) AS n, CAST(COALESCE(SUM(size), 0) AS BIGINT) AS bytes FROM export
             WHERE state = 'exported' AND swept_at IS NULL",
        )
        .fetch_one(&self.reading)
        .await?;
        let assets = query("SELECT COUNT(*) AS n, CAST(COALESCE(SUM(size), 0) AS BIGINT) AS bytes FROM asset")
            .fetch_one(&self.reading)
            .await?;
        let projects = query("SELECT COUNT(*) AS n FROM project").fetch_one(&self.reading).await?;
        Ok(Holdings {
            projects: projects.try_get("n")?,
            films: films.try_get("n")?,
            film_bytes: films.try_get("bytes")?,
            assets: assets.try_get("n")?,
            asset_bytes: assets.try_get("bytes")?,
        })
    }

    /// How many devices an account is signed in on.
    pub async fn session_count(&self, account: &str) -> Result<i64, StoreError> {
        let row = query("SELECT COUNT(*) AS n FROM session WHERE account = $1 AND expires_at > $2")
            .bind(account)
            .bind(self.now())
            .fetch_one(&self.reading)
            .await?;
        Ok(row.try_get("n")?)
    }
}
