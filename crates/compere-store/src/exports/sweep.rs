//! What goes when nobody needs it.

use sqlx::{Row, query};

use crate::Store;
use crate::error::StoreError;

impl Store {
    /// Exports whose files may go: their project is gone, they left none, or they ended before `before` and are not the
    /// one that progress speaks of. The caller removes the files and then says so; doing it twice is harmless.
    pub async fn sweepable_exports(&self, before: i64, limit: i64) -> Result<Vec<String>, StoreError> {
        let rows = query(
            "SELECT e.id AS id FROM export e LEFT JOIN project p ON p.id = e.project
             WHERE e.swept_at IS NULL AND (
               (e.state = 'exported' AND (p.id IS NULL
                 OR (e.finished_at < $1 AND (p.export IS NULL OR p.export <> e.id))))
               OR e.state IN ('failed', 'cancelled')) LIMIT $2",
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
