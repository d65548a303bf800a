//! Fonts of accounts. Their files outlive them by the films that were asked for while they were there.

use sqlx::query;

use crate::Store;
use crate::error::StoreError;
use crate::row::{all, row};

/// A face of a font.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Font {
    /// Also names its object.
    pub id: String,
    pub account: String,
    /// By which texts ask for it.
    pub family: String,
    /// What its maker calls this face: `Bold Italic`.
    pub style: String,
    /// 1 to 1000.
    pub weight: i64,
    pub italic: bool,
    /// Of its file, in hexadecimal digits.
    pub hash: String,
    pub size: i64,
    /// What its sender confirmed.
    pub licence: String,
    pub created_at: i64,
}

row!(Font { id, account, family, style, weight, italic: flag, hash, size, licence, created_at });

impl Store {
    /// Keeps faces, each in the place of the one that its account had under the same names.
    pub async fn add_fonts(&self, fonts: &[Font]) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        for font in fonts {
            query(
                "UPDATE font SET deleted_at = $4
                 WHERE account = $1 AND family = $2 AND style = $3 AND deleted_at IS NULL",
            )
            .bind(&font.account)
            .bind(&font.family)
            .bind(&font.style)
            .bind(self.now())
            .execute(&mut *tx)
            .await?;
            query(
                "INSERT INTO font (id, account, family, style, weight, italic, hash, size, licence, created_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            )
            .bind(&font.id)
            .bind(&font.account)
            .bind(&font.family)
            .bind(&font.style)
            .bind(font.weight)
            .bind(i64::from(font.italic))
            .bind(&font.hash)
            .bind(font.size)
            .bind(&font.licence)
            .bind(font.created_at)
            .execute(&mut *tx)
            .await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Those of an account, family by family.
    pub async fn fonts(&self, account: &str) -> Result<Vec<Font>, StoreError> {
        let rows = query(
            "SELECT * FROM font WHERE account = $1 AND deleted_at IS NULL ORDER BY family, weight, italic, style, id",
        )
        .bind(account)
        .fetch_all(&self.reading)
        .await?;
        all(&rows)
    }

    /// Takes a font from its account. Its file stays as long as [`Store::needless_fonts`] does not name it.
    pub async fn delete_font(&self, account: &str, id: &str) -> Result<bool, StoreError> {
        let done = query("UPDATE font SET deleted_at = $3 WHERE account = $1 AND id = $2 AND deleted_at IS NULL")
            .bind(account)
            .bind(id)
            .bind(self.now())
            .execute(&self.writing)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Fonts that were deleted before then and are in no film that is still to be made.
    pub async fn needless_fonts(&self, before: i64, limit: i64) -> Result<Vec<String>, StoreError> {
        let rows = query(
            "SELECT * FROM font f WHERE f.deleted_at < $1 AND NOT EXISTS
             (SELECT 1 FROM export e WHERE e.account = f.account
                AND e.state IN ('queued', 'synthesizing', 'rendering', 'finishing')
                AND e.snapshot LIKE '%/media/f/' || f.id || '/%')
             ORDER BY f.id LIMIT $2",
        )
        .bind(before)
        .bind(limit)
        .fetch_all(&self.reading)
        .await?;
        Ok(all::<Font>(&rows)?.into_iter().map(|font| font.id).collect())
    }

    /// Forgets a font whose file is gone.
    pub async fn forget_font(&self, id: &str) -> Result<(), StoreError> {
        query("DELETE FROM font WHERE id = $1").bind(id).execute(&self.writing).await?;
        Ok(())
    }

    /// Whether the file of a font is still wanted: its account has it, or it waits for films to be made.
    pub async fn font_is_kept(&self, id: &str) -> Result<bool, StoreError> {
        Ok(query("SELECT id FROM font WHERE id = $1").bind(id).fetch_optional(&self.reading).await?.is_some())
    }
}
