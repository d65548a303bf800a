//! Files that users have uploaded.

use sqlx::{Row, query};

use crate::Store;
use crate::error::StoreError;
use crate::page::{Page, older};
use crate::row::{all, one, row};

#[derive(Clone, Debug)]
pub struct Asset {
    /// Also names its object.
    pub id: String,
    pub account: String,
    pub name: String,
    pub media_type: String,
    pub size: i64,
    pub created_at: i64,
    /// When it may go; none for what its owner put there.
    pub expires_at: Option<i64>,
}

row!(Asset { id, account, name, media_type, size, created_at, expires_at });

impl Store {
    pub async fn add_asset(&self, asset: &Asset) -> Result<(), StoreError> {
        query(
            "INSERT INTO asset (id, account, name, media_type, size, created_at, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(&asset.id)
        .bind(&asset.account)
        .bind(&asset.name)
        .bind(&asset.media_type)
        .bind(asset.size)
        .bind(asset.created_at)
        .bind(asset.expires_at)
        .execute(&self.writing)
        .await?;
        Ok(())
    }

    /// An asset whoever asks: its id cannot be guessed, and links to it are signed.
    pub async fn asset(&self, id: &str) -> Result<Option<Asset>, StoreError> {
        one(query("SELECT * FROM asset WHERE id = $1").bind(id).fetch_optional(&self.reading).await?)
    }

    pub async fn assets(&self, account: &str, page: &Page, offset: i64) -> Result<(Vec<Asset>, i64), StoreError> {
        let sql = format!("SELECT * FROM asset WHERE account = $1 AND {} LIMIT $4 OFFSET $5", older("", 2));
        let (id, created) = page.after();
        let rows = query(sqlx::AssertSqlSafe(sql))
            .bind(account)
            .bind(id)
            .bind(created)
            .bind(page.limit)
            .bind(offset)
            .fetch_all(&self.reading)
            .await?;
        let count = query("SELECT COUNT(*) AS n FROM asset WHERE account = $1");
        Ok((all(&rows)?, count.bind(account).fetch_one(&self.reading).await?.try_get("n")?))
    }

    /// Assets whose time is over. Their rows go with [`Store::delete_asset`], their files are the caller's.
    pub async fn expired_assets(&self, limit: i64) -> Result<Vec<Asset>, StoreError> {
        let rows = query("SELECT * FROM asset WHERE expires_at < $1 ORDER BY expires_at LIMIT $2")
            .bind(self.now())
            .bind(limit)
            .fetch_all(&self.reading)
            .await?;
        all(&rows)
    }

    /// What else an account has made with a file: projects that name it, and presenters whose takes are copies of it, by name.
    pub async fn uses_of_asset(&self, account: &str, id: &str) -> Result<Vec<String>, StoreError> {
        let rows = query(
            "SELECT name FROM project WHERE account = $1 AND body LIKE $3
             UNION SELECT p.name FROM presenter p JOIN take t ON t.presenter = p.id
             WHERE p.account = $1 AND t.asset = $2 AND p.state <> 'withdrawn' ORDER BY name",
        )
        .bind(account)
        .bind(id)
        .bind(format!("%{id}%"))
        .fetch_all(&self.reading)
        .await?;
        Ok(rows.iter().map(|row| row.try_get("name")).collect::<Result<_, _>>()?)
    }

    pub async fn delete_asset(&self, account: &str, id: &str) -> Result<bool, StoreError> {
        let done = query("DELETE FROM asset WHERE account = $1 AND id = $2")
            .bind(account)
            .bind(id)
            .execute(&self.writing)
            .await?;
        Ok(done.rows_affected() == 1)
    }
}
