//! People who use the service: accounts, their dashboard sessions, their workspaces.

use compere_media::words;
use sqlx::any::AnyRow;
use sqlx::{Row, query};

use crate::error::{StoreError, is_taken};
use crate::row::{self, FromRow, all, one, row};
use crate::secrets::{hash_secret, hex, random_bytes};
use crate::{Store, new_id};

words! {
    pub enum Role {
        /// Runs the installation.
        Admin = "admin",
        Member = "member",
    }
}

#[derive(Clone, Debug)]
pub struct Account {
    pub id: String,
    pub email: String,
    pub name: String,
    /// None until an invitation was accepted.
    pub password: Option<String>,
    pub role: Role,
    pub plan: String,
    pub suspended_at: Option<i64>,
    /// Who presents imported slides.
    pub presenter: Option<String>,
    pub outfit: Option<String>,
    /// Signs webhooks, as `whsec_…`.
    pub hook_secret: String,
    /// Signs beside the new one until the time given.
    pub hook_secret_old: Option<(String, i64)>,
    pub created_at: i64,
}

#[derive(Clone, Debug)]
pub struct NewAccount {
    pub email: String,
    pub name: String,
    /// A hash, from [`crate::hash_password`].
    pub password: Option<String>,
    pub role: Role,
    pub plan: String,
}

/// Somebody who is signed in to the dashboard.
#[derive(Clone, Debug)]
pub struct Session {
    pub account: Account,
    pub csrf: String,
    pub expires_at: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    pub id: String,
    pub name: String,
    pub created_at: i64,
}

/// How long a dashboard session lasts.
const SESSION: i64 = 14 * 24 * 3_600_000;
const INVITATION: i64 = 7 * 24 * 3_600_000;
/// Both secrets sign while receivers change over.
pub(crate) const SECRET_OVERLAP: i64 = 24 * 3_600_000;

impl FromRow for Account {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        let old: Option<String> = row.try_get("hook_secret_old")?;
        let until: Option<i64> = row.try_get("hook_secret_old_until")?;
        Ok(Self {
            id: row.try_get("id")?,
            email: row.try_get("email")?,
            name: row.try_get("name")?,
            password: row.try_get("password")?,
            role: row::word(row, "role")?,
            plan: row.try_get("plan")?,
            suspended_at: row.try_get("suspended_at")?,
            presenter: row.try_get("presenter")?,
            outfit: row.try_get("outfit")?,
            hook_secret: row.try_get("hook_secret")?,
            hook_secret_old: old.zip(until),
            created_at: row.try_get("created_at")?,
        })
    }
}

row!(Workspace { id, name, created_at });

/// `whsec_` and base64 of 24 random bytes, as receivers' libraries expect it.
pub(crate) fn new_hook_secret() -> String {
    use std::fmt::Write;
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes: [u8; 24] = random_bytes();
    bytes.chunks(3).fold("whsec_".to_owned(), |mut text, part| {
        let word = part.iter().fold(0u32, |word, &byte| word << 8 | u32::from(byte));
        for shift in [18, 12, 6, 0] {
            let _ = write!(text, "{}", char::from(DIGITS[(word >> shift & 63) as usize]));
        }
        text
    })
}

impl Store {
    pub async fn create_account(&self, new: NewAccount) -> Result<Account, StoreError> {
        let (id, now) = (new_id(self.now()), self.now());
        query(
            "INSERT INTO account (id, email, name, password, role, plan, hook_secret, served_at, renewed_month, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0, $8)",
        )
        .bind(&id)
        .bind(new.email.trim().to_lowercase())
        .bind(&new.name)
        .bind(&new.password)
        .bind(new.role.as_str())
        .bind(&new.plan)
        .bind(new_hook_secret())
        .bind(now)
        .execute(&self.writing)
        .await
        .map_err(|error| if is_taken(&error) { StoreError::Taken("an account with this e-mail") } else { error.into() })?;
        self.account(&id).await?.ok_or_else(|| StoreError::Damaged("an account vanished".to_owned()))
    }

    pub async fn account(&self, id: &str) -> Result<Option<Account>, StoreError> {
        one(query("SELECT * FROM account WHERE id = $1").bind(id).fetch_optional(&self.reading).await?)
    }

    pub async fn account_by_email(&self, email: &str) -> Result<Option<Account>, StoreError> {
        let email = email.trim().to_lowercase();
        one(query("SELECT * FROM account WHERE email = $1").bind(email).fetch_optional(&self.reading).await?)
    }

    pub async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        let rows = query("SELECT * FROM account ORDER BY created_at, id").fetch_all(&self.reading).await?;
        all(&rows)
    }

    /// A new password ends every session: whoever knew the old one is out.
    pub async fn set_password(&self, account: &str, hash: &str) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        query("UPDATE account SET password = $2, invite_hash = NULL, invite_until = NULL WHERE id = $1")
            .bind(account)
            .bind(hash)
            .execute(&mut *tx)
            .await?;
        query("DELETE FROM session WHERE account = $1").bind(account).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(())
    }

    pub async fn set_name(&self, account: &str, name: &str) -> Result<(), StoreError> {
        query("UPDATE account SET name = $2 WHERE id = $1").bind(account).bind(name).execute(&self.writing).await?;
        Ok(())
    }

    pub async fn set_role(&self, account: &str, role: Role) -> Result<(), StoreError> {
        let role = role.as_str();
        query("UPDATE account SET role = $2 WHERE id = $1").bind(account).bind(role).execute(&self.writing).await?;
        Ok(())
    }

    pub async fn set_plan(&self, account: &str, plan: &str) -> Result<(), StoreError> {
        query("UPDATE account SET plan = $2, renewed_month = 0 WHERE id = $1")
            .bind(account)
            .bind(plan)
            .execute(&self.writing)
            .await?;
        Ok(())
    }

    pub async fn set_presenter(&self, account: &str, presenter: &str, outfit: &str) -> Result<(), StoreError> {
        query("UPDATE account SET presenter = $2, outfit = $3 WHERE id = $1")
            .bind(account)
            .bind(presenter)
            .bind(outfit)
            .execute(&self.writing)
            .await?;
        Ok(())
    }

    /// A suspended account's tokens and sessions end at once.
    pub async fn suspend(&self, account: &str, suspended: bool) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        let at = suspended.then(|| self.now());
        query("UPDATE account SET suspended_at = $2 WHERE id = $1").bind(account).bind(at).execute(&mut *tx).await?;
        if suspended {
            query("DELETE FROM session WHERE account = $1").bind(account).execute(&mut *tx).await?;
            query("UPDATE token SET revoked_at = $2 WHERE account = $1 AND revoked_at IS NULL")
                .bind(account)
                .bind(self.now())
                .execute(&mut *tx)
                .await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// A new secret for webhooks; the old one signs beside it for a day.
    pub async fn rotate_hook_secret(&self, account: &str) -> Result<(), StoreError> {
        query("UPDATE account SET hook_secret_old = hook_secret, hook_secret_old_until = $3, hook_secret = $2 WHERE id = $1")
            .bind(account)
            .bind(new_hook_secret())
            .bind(self.now() + SECRET_OVERLAP)
            .execute(&self.writing)
            .await?;
        Ok(())
    }

    /// A secret that lets somebody choose the account's password once.
    pub async fn invite(&self, account: &str) -> Result<String, StoreError> {
        let secret = hex(&random_bytes::<32>());
        query("UPDATE account SET invite_hash = $2, invite_until = $3 WHERE id = $1")
            .bind(account)
            .bind(hash_secret(&secret))
            .bind(self.now() + INVITATION)
            .execute(&self.writing)
            .await?;
        Ok(secret)
    }

    pub async fn invited(&self, secret: &str) -> Result<Option<Account>, StoreError> {
        one(query("SELECT * FROM account WHERE invite_hash = $1 AND invite_until > $2 AND suspended_at IS NULL")
            .bind(hash_secret(secret))
            .bind(self.now())
            .fetch_optional(&self.reading)
            .await?)
    }

    /// Signs somebody in. The secret is for the cookie and is not kept.
    pub async fn open_session(&self, account: &str, agent: &str) -> Result<String, StoreError> {
        let (secret, csrf) = (hex(&random_bytes::<32>()), hex(&random_bytes::<16>()));
        let agent: String = agent.chars().take(200).collect();
        let mut tx = self.begin().await?;
        query("DELETE FROM session WHERE expires_at < $1").bind(self.now()).execute(&mut *tx).await?;
        query(
            "INSERT INTO session (hash, account, csrf, agent, expires_at, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(hash_secret(&secret))
        .bind(account)
        .bind(csrf)
        .bind(agent)
        .bind(self.now() + SESSION)
        .bind(self.now())
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(secret)
    }

    pub async fn session(&self, secret: &str) -> Result<Option<Session>, StoreError> {
        let row = query(
            "SELECT a.*, s.csrf AS session_csrf, s.expires_at AS session_expires FROM session s
             JOIN account a ON a.id = s.account WHERE s.hash = $1 AND s.expires_at > $2 AND a.suspended_at IS NULL",
        )
        .bind(hash_secret(secret))
        .bind(self.now())
        .fetch_optional(&self.reading)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let account = Account::from_row(&row)?;
        Ok(Some(Session { account, csrf: row.try_get("session_csrf")?, expires_at: row.try_get("session_expires")? }))
    }

    pub async fn close_session(&self, secret: &str) -> Result<(), StoreError> {
        query("DELETE FROM session WHERE hash = $1").bind(hash_secret(secret)).execute(&self.writing).await?;
        Ok(())
    }

    pub async fn close_sessions(&self, account: &str) -> Result<(), StoreError> {
        query("DELETE FROM session WHERE account = $1").bind(account).execute(&self.writing).await?;
        Ok(())
    }

    pub async fn create_workspace(&self, account: &str, name: &str) -> Result<Workspace, StoreError> {
        let (id, now) = (new_id(self.now()), self.now());
        query("INSERT INTO workspace (id, account, name, created_at) VALUES ($1, $2, $3, $4)")
            .bind(&id)
            .bind(account)
            .bind(name)
            .bind(now)
            .execute(&self.writing)
            .await?;
        Ok(Workspace { id, name: name.to_owned(), created_at: now })
    }

    pub async fn rename_workspace(&self, account: &str, id: &str, name: &str) -> Result<bool, StoreError> {
        let done = query("UPDATE workspace SET name = $3 WHERE account = $1 AND id = $2")
            .bind(account)
            .bind(id)
            .bind(name)
            .execute(&self.writing)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Its projects stay, outside any workspace.
    pub async fn delete_workspace(&self, account: &str, id: &str) -> Result<bool, StoreError> {
        let mut tx = self.begin().await?;
        let done = query("DELETE FROM workspace WHERE account = $1 AND id = $2")
            .bind(account)
            .bind(id)
            .execute(&mut *tx)
            .await?;
        query("UPDATE project SET workspace = NULL WHERE account = $1 AND workspace = $2")
            .bind(account)
            .bind(id)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(done.rows_affected() == 1)
    }

    pub async fn workspaces(&self, account: &str) -> Result<Vec<Workspace>, StoreError> {
        let rows = query("SELECT id, name, created_at FROM workspace WHERE account = $1 ORDER BY created_at, id")
            .bind(account)
            .fetch_all(&self.reading)
            .await?;
        all(&rows)
    }
}
