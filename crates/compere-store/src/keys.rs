//! Key pairs, and the tokens they are exchanged for.

use sqlx::{Row, query};

use crate::accounts::Account;
use crate::error::StoreError;
use crate::row::{FromRow, all, row};
use crate::secrets::{hash_secret, hex, random_bytes};
use crate::{Store, new_id};

#[derive(Clone, Debug)]
pub struct KeyPair {
    pub id: String,
    pub name: String,
    pub app_id: String,
    /// The end of the key, to tell pairs apart.
    pub hint: String,
    pub workspace: Option<String>,
    /// Its films are marked and cost nothing.
    pub test: bool,
    pub created_at: i64,
    pub last_used_at: Option<i64>,
    pub revoked_at: Option<i64>,
}

/// A pair at the one moment when its key can be seen.
#[derive(Clone, Debug)]
pub struct IssuedKey {
    pub id: String,
    pub app_id: String,
    pub user_key: String,
}

/// Whoever holds a token.
#[derive(Clone, Debug)]
pub struct Caller {
    pub account: Account,
    pub key_pair: String,
    /// The workspace that the pair is bound to.
    pub workspace: Option<String>,
    /// The pair is one for tests.
    pub test: bool,
    pub expires_at: i64,
    /// The token was right once. Nothing may be done with it any more.
    pub expired: bool,
}

/// A pair that is right, and whose it is.
#[derive(Clone, Debug)]
pub struct Paired {
    pub account: Account,
    pair: String,
}

row!(KeyPair { id, name, app_id, hint, workspace, test: flag, created_at, last_used_at, revoked_at });

const TOKEN: i64 = 24 * 3_600_000;

/// A random UUID of version 4.
fn uuid() -> String {
    let mut bytes: [u8; 16] = random_bytes();
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let text = hex(&bytes);
    format!("{}-{}-{}-{}-{}", &text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..])
}

impl Store {
    pub async fn issue_key(
        &self,
        account: &Account,
        name: &str,
        workspace: Option<&str>,
        test: bool,
    ) -> Result<IssuedKey, StoreError> {
        // Nothing that others know of the account: a name that cannot be guessed cannot be guessed at.
        let app_id = format!("compere.{}{}", if test { "test." } else { "" }, hex(&random_bytes::<8>()));
        let issued = IssuedKey { id: new_id(self.now()), app_id, user_key: uuid() };
        query(
            "INSERT INTO key_pair (id, account, workspace, name, app_id, user_key_hash, hint, test, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(&issued.id)
        .bind(&account.id)
        .bind(workspace)
        .bind(name)
        .bind(&issued.app_id)
        .bind(hash_secret(&issued.user_key))
        .bind(&issued.user_key[issued.user_key.len() - 4..])
        .bind(i64::from(test))
        .bind(self.now())
        .execute(&self.writing)
        .await?;
        Ok(issued)
    }

    pub async fn keys(&self, account: &str) -> Result<Vec<KeyPair>, StoreError> {
        let rows = query("SELECT * FROM key_pair WHERE account = $1 ORDER BY created_at DESC, id DESC")
            .bind(account)
            .fetch_all(&self.reading)
            .await?;
        all(&rows)
    }

    /// Ends the pair and its tokens. False when there is no such pair of this account, or it was ended before.
    pub async fn revoke_key(&self, account: &str, id: &str) -> Result<bool, StoreError> {
        let (mut tx, now) = (self.begin().await?, self.now());
        let done = query("UPDATE key_pair SET revoked_at = $3 WHERE account = $1 AND id = $2 AND revoked_at IS NULL")
            .bind(account)
            .bind(id)
            .bind(now)
            .execute(&mut *tx)
            .await?;
        if done.rows_affected() != 1 {
            return Ok(false);
        }
        query("UPDATE token SET revoked_at = $2 WHERE key_pair = $1 AND revoked_at IS NULL")
            .bind(id)
            .bind(now)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Whose pair this is, if it is right. Wrong ones cost a look.
    pub async fn pair(&self, app_id: &str, user_key: &str) -> Result<Option<Paired>, StoreError> {
        // The hash is the index: its comparison tells nothing about the key.
        let row = query(
            "SELECT a.*, k.id AS pair FROM key_pair k JOIN account a ON a.id = k.account
             WHERE k.user_key_hash = $1 AND LOWER(k.app_id) = LOWER($2) AND k.revoked_at IS NULL",
        )
        .bind(hash_secret(user_key))
        .bind(app_id)
        .fetch_optional(&self.reading)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let pair = row.try_get("pair")?;
        Ok(Some(Paired { account: Account::from_row(&row)?, pair }))
    }

    /// A token for a pair. Whether the account may have one is looked at by the caller.
    pub async fn issue_token(&self, paired: &Paired) -> Result<String, StoreError> {
        let (mut tx, now) = (self.begin().await?, self.now());
        let token = hex(&random_bytes::<32>());
        query("DELETE FROM token WHERE expires_at < $1").bind(now - 7 * TOKEN).execute(&mut *tx).await?;
        query(
            "INSERT INTO token (hash, key_pair, account, workspace, expires_at, created_at)
             SELECT $1, id, account, workspace, $3, $4 FROM key_pair WHERE id = $2 AND revoked_at IS NULL",
        )
        .bind(hash_secret(&token))
        .bind(&paired.pair)
        .bind(now + TOKEN)
        .bind(now)
        .execute(&mut *tx)
        .await?;
        query("UPDATE key_pair SET last_used_at = $2 WHERE id = $1")
            .bind(&paired.pair)
            .bind(now)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(token)
    }

    /// Who holds this token. Revoked tokens and those of suspended accounts are unknown; one that ran out within the
    /// last week says so.
    pub async fn caller(&self, token: &str) -> Result<Option<Caller>, StoreError> {
        let row = query(
            "SELECT a.*, t.key_pair AS token_pair, t.workspace AS token_workspace, t.expires_at AS token_expires,
               k.test AS token_test
             FROM token t JOIN account a ON a.id = t.account JOIN key_pair k ON k.id = t.key_pair
             WHERE t.hash = $1 AND t.revoked_at IS NULL AND a.suspended_at IS NULL",
        )
        .bind(hash_secret(token))
        .fetch_optional(&self.reading)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let expires_at: i64 = row.try_get("token_expires")?;
        Ok(Some(Caller {
            account: Account::from_row(&row)?,
            key_pair: row.try_get("token_pair")?,
            workspace: row.try_get("token_workspace")?,
            test: crate::row::flag(&row, "token_test")?,
            expires_at,
            expired: expires_at <= self.now(),
        }))
    }

    pub async fn revoke_token(&self, token: &str) -> Result<bool, StoreError> {
        let done = query("UPDATE token SET revoked_at = $2 WHERE hash = $1 AND revoked_at IS NULL")
            .bind(hash_secret(token))
            .bind(self.now())
            .execute(&self.writing)
            .await?;
        Ok(done.rows_affected() == 1)
    }
}
