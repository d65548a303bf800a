//! The databases behind one type: opening, migrating, transactions.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sqlx::any::AnyPoolOptions;
use sqlx::{Any, AnyPool, AssertSqlSafe, Executor, Row, Transaction, query};

use crate::clock::Clock;
use crate::error::StoreError;
use crate::plan::Plan;

/// Migrations in order. Never change one that was released; add the next.
///
/// sqlx's own `migrate!` is a macro that would compile both databases' drivers a second time for the machine that
/// builds, and its table is another one than the data folders of our first versions have.
const MIGRATIONS: &[&str] = &[
    include_str!("sql/001_first.sql"),
    include_str!("sql/002_passing.sql"),
    include_str!("sql/003_lives.sql"),
    include_str!("sql/004_room.sql"),
    include_str!("sql/005_reasons.sql"),
    include_str!("sql/006_endpoints.sql"),
    include_str!("sql/007_presenters.sql"),
    include_str!("sql/008_templates.sql"),
    include_str!("sql/011_photos.sql"),
    include_str!("sql/012_designs.sql"),
    include_str!("sql/013_backgrounds.sql"),
    include_str!("sql/014_buckets.sql"),
    include_str!("sql/015_parts.sql"),
    include_str!("sql/016_ahead.sql"),
    include_str!("sql/017_fonts.sql"),
    include_str!("sql/018_outfits.sql"),
    include_str!("sql/019_originals.sql"),
    include_str!("sql/020_prompts.sql"),
    include_str!("sql/021_withdrawals.sql"),
];
/// From this version on, media are counted.
const MEDIA_COUNTED: i64 = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

/// Where a lock is to lie.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Beside(PathBuf),
    Server(String),
}

/// The product's records. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Store {
    /// SQLite writes through one connection: two would only wait for each other, and upgrade failures vanish.
    pub(crate) writing: AnyPool,
    pub(crate) reading: AnyPool,
    pub(crate) dialect: Dialect,
    pub(crate) place: Place,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) plans: Arc<[Plan]>,
}

pub(crate) type Tx = Transaction<'static, Any>;

impl Store {
    /// Opens a SQLite file (made if missing) or a `postgres://` database and brings its tables up to date.
    pub async fn open(url: &str, plans: Vec<Plan>, clock: Arc<dyn Clock>) -> Result<Self, StoreError> {
        sqlx::any::install_default_drivers();
        let (writing, reading, dialect, place) = if url.starts_with("postgres") {
            let pool =
                AnyPoolOptions::new().max_connections(16).acquire_timeout(Duration::from_secs(10)).connect(url).await?;
            (pool.clone(), pool, Dialect::Postgres, Place::Server(url.to_owned()))
        } else {
            let path = url.strip_prefix("sqlite:").unwrap_or(url);
            (sqlite(path, 1).await?, sqlite(path, 4).await?, Dialect::Sqlite, Place::Beside(path.into()))
        };
        let store = Self { writing, reading, dialect, place, clock, plans: plans.into() };
        store.migrate().await?;
        Ok(store)
    }

    pub fn now(&self) -> i64 {
        self.clock.now()
    }

    pub fn plans(&self) -> &[Plan] {
        &self.plans
    }

    /// The plan of that name; an unknown one, perhaps removed from the settings, gives what `free` gives.
    pub fn plan(&self, name: &str) -> Plan {
        self.plans.iter().find(|plan| plan.name == name).cloned().unwrap_or_else(Plan::free)
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<(), StoreError> {
        query("SELECT 1").execute(&self.reading).await?;
        Ok(())
    }

    pub async fn close(&self) {
        self.writing.close().await;
        self.reading.close().await;
    }

    /// A transaction that may write. On SQLite it takes the writer's place at once: one that begins by reading could
    /// not be upgraded later.
    pub(crate) async fn begin(&self) -> Result<Tx, StoreError> {
        Ok(match self.dialect {
            Dialect::Sqlite => self.writing.begin_with("BEGIN IMMEDIATE").await?,
            Dialect::Postgres => self.writing.begin().await?,
        })
    }

    async fn migrate(&self) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        if self.dialect == Dialect::Postgres {
            // Two processes may start at once.
            query("SELECT pg_advisory_xact_lock(7031771)").execute(&mut *tx).await?;
        }
        query("CREATE TABLE IF NOT EXISTS migration (version BIGINT PRIMARY KEY, applied_at BIGINT NOT NULL)")
            .execute(&mut *tx)
            .await?;
        let row = query("SELECT CAST(COALESCE(MAX(version), 0) AS BIGINT) AS version FROM migration")
            .fetch_one(&mut *tx)
            .await?;
        let version: i64 = row.try_get("version")?;
        if version as usize > MIGRATIONS.len() {
            return Err(StoreError::Damaged(format!(
                "the database is of version {version}, this program knows {}: it was written by a newer one",
                MIGRATIONS.len()
            )));
        }
        for (index, text) in MIGRATIONS.iter().enumerate().skip(version as usize) {
            for statement in statements(text) {
                tx.execute(AssertSqlSafe(statement)).await?;
            }
            query("INSERT INTO migration (version, applied_at) VALUES ($1, $2)")
                .bind(index as i64 + 1)
                .bind(self.now())
                .execute(&mut *tx)
                .await?;
        }
        if version < MEDIA_COUNTED {
            self.count_media(&mut tx).await?;
        }
        tx.commit().await?;
        Ok(())
    }
}

/// The statements of a migration, comments left out.
fn statements(text: &str) -> Vec<String> {
    let plain: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("--")).collect();
    plain.join("\n").split(';').map(str::trim).filter(|statement| !statement.is_empty()).map(str::to_owned).collect()
}

async fn sqlite(path: &str, connections: u32) -> Result<AnyPool, StoreError> {
    let path = Path::new(path);
    if let Some(dir) = path.parent() {
        std::fs::create_dir_all(dir)?;
    }
    let url = format!("sqlite://{}?mode=rwc", path.display());
    let pool = AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(Duration::from_secs(30))
        .idle_timeout(None)
        .max_lifetime(None)
        .after_connect(|connection, _| {
            Box::pin(async move {
                // NORMAL in WAL keeps the file whole at any crash, but may lose the last commits when the power fails;
                // an accepted export must survive that too.
                for pragma in [
                    "PRAGMA journal_mode = WAL",
                    "PRAGMA synchronous = FULL",
                    "PRAGMA busy_timeout = 20000",
                    "PRAGMA foreign_keys = ON",
                    "PRAGMA temp_store = MEMORY",
                    "PRAGMA cache_size = -16000",
                ] {
                    connection.execute(pragma).await?;
                }
                Ok(())
            })
        })
        .connect(&url)
        .await?;
    Ok(pool)
}
