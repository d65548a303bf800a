//! Files that users have uploaded.

use sqlx::any::AnyRow;
use sqlx::{Row, query};

use crate::Store;
use crate::error::StoreError;

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

fn asset_of(row: &AnyRow) -> Result<Asset, StoreError> {
    Ok(Asset {
        id: row.try_get("id")?,
        account: row.try_get("account")?,
        name: row.try_get("name")?,
        media_type: row.try_get("media_type")?,
        size: row.try_get("size")?,
        created_at: row.try_get("created_at")?,
        expires_at: row.try_get("expires_at")?,
    })
}

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
        let row = query("SELECT * FROM asset WHERE id = $1").bind(id).fetch_optional(&self.reading).await?;
        row.as_ref().map(asset_of).transpose()
    }

    pub async fn assets(&self, account: &str, limit: i64, offset: i64) -> Result<Vec<Asset>, StoreError> {
        let rows = query("SELECT * FROM asset WHERE account = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3")
            .bind(account)
            .bind(limit)
            .bind(offset)
            .fetch_all(&self.reading)
            .await?;
        rows.iter().map(asset_of).collect()
    }

    /// Assets whose time is over. Their rows go with [`Store::delete_asset`], their files are the caller's.
    pub async fn expired_assets(&self, limit: i64) -> Result<Vec<Asset>, StoreError> {
        let rows = query("SELECT * FROM asset WHERE expires_at < $1 ORDER BY expires_at LIMIT $2")
            .bind(self.now())
            .bind(limit)
            .fetch_all(&self.reading)
            .await?;
        rows.iter().map(asset_of).collect()
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
