//! Projects that their account makes others of.

use sqlx::query;

use crate::Store;
use crate::error::StoreError;
use crate::projects::{Project, select};
use crate::row::all;

/// Templates of one account that are told of.
const MOST: i64 = 500;

impl Store {
    /// Calls a project a template, or no longer. Whether there is such a project of the account.
    pub async fn mark_template(&self, account: &str, project: &str, serves: bool) -> Result<bool, StoreError> {
        let mut tx = self.begin().await?;
        let there = query("SELECT id FROM project WHERE account = $1 AND id = $2")
            .bind(account)
            .bind(project)
            .fetch_optional(&mut *tx)
            .await?;
        if there.is_none() {
            return Ok(false);
        }
        if serves {
            query("INSERT INTO template (project, account, created_at) VALUES ($1, $2, $3) ON CONFLICT (project) DO NOTHING")
                .bind(project)
                .bind(account)
                .bind(self.now())
                .execute(&mut *tx)
                .await?;
        } else {
            query("DELETE FROM template WHERE project = $1").bind(project).execute(&mut *tx).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Those that were last called so first.
    pub async fn templates(&self, account: &str) -> Result<Vec<Project>, StoreError> {
        let sql = select(
            "JOIN template t ON t.project = p.id WHERE p.account = $1 AND t.account = $1
             ORDER BY t.created_at DESC, p.id DESC LIMIT $2",
        );
        all(&query(sql).bind(account).bind(MOST).fetch_all(&self.reading).await?)
    }
}
