//! Credits: a row for every movement, and the balance is their sum.

use compere_media::words;
use sqlx::{Row, query};

use crate::calendar::Civil;
use crate::db::Tx;
use crate::error::StoreError;
use crate::page::{Page, older};
use crate::plan::Plan;
use crate::row::{all, row, word};
use crate::{Store, new_id};

words! {
    /// Why credits move.
    pub enum Movement {
        /// The plan's monthly credits.
        Renew = "renew",
        /// By hand.
        Grant = "grant",
        Reserve = "reserve",
        Settle = "settle",
        Release = "release",
        /// Speech that was answered at once.
        Speech = "speech",
    }
}

/// A movement of an account's credits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub id: String,
    pub export: Option<String>,
    pub kind: Movement,
    pub amount: i64,
    pub note: String,
    pub created_at: i64,
}

row!(Entry { id, export, kind: word, amount, note, created_at });

/// Months since the year 0, in UTC.
fn month_of(now: i64) -> i64 {
    let civil = Civil::of(now);
    civil.year * 12 + civil.month as i64 - 1
}

impl Store {
    /// What the account can spend. With an unmetered plan it may be below zero, and nothing depends on it.
    pub async fn balance(&self, account: &str) -> Result<i64, StoreError> {
        let mut tx = self.begin().await?;
        let row = query("SELECT plan FROM account WHERE id = $1").bind(account).fetch_optional(&mut *tx).await?;
        let Some(row) = row else { return Ok(0) };
        let plan = self.plan(&row.try_get::<String, _>("plan")?);
        self.renew(&mut tx, account, &plan).await?;
        let balance = sum(&mut tx, account).await?;
        tx.commit().await?;
        Ok(balance)
    }

    /// Gives or takes credits by hand.
    pub async fn grant(&self, account: &str, amount: i64, note: &str) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        self.enter(&mut tx, account, None, Movement::Grant, amount, note).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Takes the price of something that is there already, or says what the balance is where it is not enough.
    pub async fn charge(
        &self,
        account: &str,
        kind: Movement,
        amount: i64,
        note: &str,
    ) -> Result<Result<(), i64>, StoreError> {
        let mut tx = self.begin().await?;
        let row = query("SELECT plan FROM account WHERE id = $1").bind(account).fetch_optional(&mut *tx).await?;
        let Some(row) = row else { return Ok(Ok(())) };
        let plan = self.plan(&row.try_get::<String, _>("plan")?);
        self.renew(&mut tx, account, &plan).await?;
        if plan.monthly_credits.is_some() {
            let balance = sum(&mut tx, account).await?;
            if balance < amount {
                tx.commit().await?;
                return Ok(Err(balance));
            }
        }
        self.enter(&mut tx, account, None, kind, -amount, note).await?;
        tx.commit().await?;
        Ok(Ok(()))
    }

    /// Movements of an account, newest first.
    pub async fn ledger(&self, account: &str, page: &Page) -> Result<Vec<Entry>, StoreError> {
        let sql = format!("SELECT * FROM ledger WHERE account = $1 AND {} LIMIT $4", older("", 2));
        let (id, created) = page.after();
        let rows = query(sqlx::AssertSqlSafe(sql))
            .bind(account)
            .bind(id)
            .bind(created)
            .bind(page.limit)
            .fetch_all(&self.reading)
            .await?;
        all(&rows)
    }

    /// The sum of all movements of each kind, over all accounts.
    pub async fn credit_sums(&self) -> Result<Vec<(Movement, i64)>, StoreError> {
        let rows = query("SELECT kind, CAST(SUM(amount) AS BIGINT) AS amount FROM ledger GROUP BY kind ORDER BY kind")
            .fetch_all(&self.reading)
            .await?;
        rows.iter().map(|row| Ok((word(row, "kind")?, row.try_get("amount")?))).collect()
    }

    /// Takes the price of an export out of the balance, or says what the balance is.
    pub(crate) async fn reserve(
        &self,
        tx: &mut Tx,
        account: &str,
        plan: &Plan,
        export: &str,
        amount: i64,
    ) -> Result<Result<(), i64>, StoreError> {
        self.renew(tx, account, plan).await?;
        if plan.monthly_credits.is_some() {
            let balance = sum(tx, account).await?;
            if balance < amount {
                return Ok(Err(balance));
            }
        }
        self.enter(tx, account, Some(export), Movement::Reserve, -amount, "").await?;
        Ok(Ok(()))
    }

    /// The film is there: what it really costs stays taken, the rest comes back.
    pub(crate) async fn settle(
        &self,
        tx: &mut Tx,
        account: &str,
        export: &str,
        reserved: i64,
        credits: i64,
    ) -> Result<(), StoreError> {
        self.enter(tx, account, Some(export), Movement::Settle, reserved - credits, "").await
    }

    /// There is no film: all comes back.
    pub(crate) async fn release(
        &self,
        tx: &mut Tx,
        account: &str,
        export: &str,
        reserved: i64,
    ) -> Result<(), StoreError> {
        self.enter(tx, account, Some(export), Movement::Release, reserved, "").await
    }

    /// Fills the balance up to the plan's monthly credits, once a month. What was granted on top stays. What exports hold
    /// that are not over counts as there: it comes back when they fail or are cancelled, and would come on top.
    async fn renew(&self, tx: &mut Tx, account: &str, plan: &Plan) -> Result<(), StoreError> {
        let Some(monthly) = plan.monthly_credits else { return Ok(()) };
        let month = month_of(self.now());
        let due = query("UPDATE account SET renewed_month = $2 WHERE id = $1 AND renewed_month < $2")
            .bind(account)
            .bind(month)
            .execute(&mut **tx)
            .await?;
        if due.rows_affected() == 1 {
            let missing = monthly - sum(tx, account).await? - held(tx, account).await?;
            if missing > 0 {
                let note = format!("{} {}-{:02}", plan.name, month / 12, month % 12 + 1);
                self.enter(tx, account, None, Movement::Renew, missing, &note).await?;
            }
        }
        Ok(())
    }

    async fn enter(
        &self,
        tx: &mut Tx,
        account: &str,
        export: Option<&str>,
        kind: Movement,
        amount: i64,
        note: &str,
    ) -> Result<(), StoreError> {
        query("INSERT INTO ledger (id, account, export, kind, amount, note, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)")
            .bind(new_id(self.now()))
            .bind(account)
            .bind(export)
            .bind(kind.as_str())
            .bind(amount)
            .bind(note)
            .bind(self.now())
            .execute(&mut **tx)
            .await?;
        Ok(())
    }
}

async fn sum(tx: &mut Tx, account: &str) -> Result<i64, StoreError> {
    // PostgreSQL sums BIGINTs into a NUMERIC, which has no place in our narrow set of types.
    let row = query("SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS balance FROM ledger WHERE account = $1")
        .bind(account)
        .fetch_one(&mut **tx)
        .await?;
    Ok(row.try_get("balance")?)
}

/// What is reserved for films that are neither made nor given up.
async fn held(tx: &mut Tx, account: &str) -> Result<i64, StoreError> {
    let row = query(
        "SELECT CAST(COALESCE(SUM(reserved), 0) AS BIGINT) AS held FROM export
         WHERE account = $1 AND state IN ('queued', 'synthesizing', 'rendering', 'finishing')",
    )
    .bind(account)
    .fetch_one(&mut **tx)
    .await?;
    Ok(row.try_get("held")?)
}

#[cfg(test)]
mod tests {
    use super::month_of;

    #[test]
    fn months_turn_where_calendars_say() {
        assert_eq!(month_of(0), 1970 * 12);
        assert_eq!(month_of(1_709_251_199_999), 2024 * 12 + 1, "29 February 2024, its last millisecond");
        assert_eq!(month_of(1_709_251_200_000), 2024 * 12 + 2, "1 March 2024");
        assert_eq!(month_of(1_767_225_599_999), 2025 * 12 + 11, "31 December 2025");
        assert_eq!(month_of(1_767_225_600_000), 2026 * 12);
    }
}
