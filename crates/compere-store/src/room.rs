//! How much of the object store an account has taken.

use sqlx::{Row, query};

use crate::Store;
use crate::error::StoreError;

/// Bytes of an account's files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Fonts, too.
    pub uploads: i64,
    /// Documents, and the pictures of their pages.
    pub decks: i64,
    /// Exports that are kept.
    pub films: i64,
    /// Presenters of footage, and their takes.
    pub presenters: i64,
}

impl Taken {
    pub fn all(self) -> i64 {
        self.uploads + self.decks + self.films + self.presenters
    }
}

impl Store {
    pub async fn taken(&self, account: &str) -> Result<Taken, StoreError> {
        let sum = async |sql: &'static str| -> Result<i64, StoreError> {
            Ok(query(sql).bind(account).fetch_one(&self.reading).await?.try_get("bytes")?)
        };
        Ok(Taken {
            uploads: sum("SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) AS bytes FROM
                 (SELECT size FROM asset WHERE account = $1
                  UNION ALL SELECT size FROM font WHERE account = $1 AND deleted_at IS NULL) AS own")
            .await?,
            decks: sum("SELECT CAST(COALESCE(SUM(media_bytes), 0) AS BIGINT) AS bytes FROM project WHERE account = $1")
                .await?,
            films: sum("SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) AS bytes FROM export
                 WHERE account = $1 AND swept_at IS NULL")
            .await?,
            presenters: sum("SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) AS bytes FROM
                 (SELECT size FROM presenter WHERE account = $1
                  UNION ALL SELECT t.size FROM take t JOIN presenter p ON p.id = t.presenter WHERE p.account = $1) AS own")
            .await?,
        })
    }

    /// No document is being read: what projects that have scenes were to get from a new version, they do not get. Says how
    /// many there were.
    pub async fn forget_renewals(&self) -> Result<u64, StoreError> {
        let sql =
            r#"UPDATE project SET importing = NULL WHERE scene_count > 0 AND importing LIKE '{"state":"importing"%'"#;
        Ok(query(sql).execute(&self.writing).await?.rows_affected())
    }

    /// What an imported deck takes, besides what its project took before.
    pub async fn weigh_deck(&self, project: &str, bytes: i64) -> Result<(), StoreError> {
        query("UPDATE project SET media_bytes = media_bytes + $2 WHERE id = $1")
            .bind(project)
            .bind(bytes)
            .execute(&self.writing)
            .await?;
        Ok(())
    }
}
