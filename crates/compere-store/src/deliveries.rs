//! The outbox of webhooks and what became of each.

use compere_media::words;
use sqlx::{Row, query};

use crate::db::Tx;
use crate::error::StoreError;
use crate::page::{Page, older};
use crate::row::{all, row, word};
use crate::{Store, new_id, trial};

words! {
    /// How a receiver is called.
    #[derive(Default)]
    pub enum HookMethod {
        #[default]
        Post = "POST",
        Get = "GET",
    }
}

words! {
    /// What a webhook tells.
    pub enum Occasion {
        Started = "export.started",
        Completed = "export.completed",
        Failed = "export.failed",
        Cancelled = "export.cancelled",
        Imported = "import.completed",
        ImportFailed = "import.failed",
        /// Somebody wants to know whether the receiver hears.
        Ping = "ping",
    }
}

words! {
    /// What became of a webhook.
    pub enum DeliveryState {
        /// Tried again when its time comes.
        Pending = "pending",
        Delivered = "delivered",
        /// The receiver wants no more of these.
        Gone = "gone",
        /// Given up.
        Failed = "failed",
    }
}

impl Occasion {
    /// What endpoints choose from.
    pub const CHOICE: [Self; 6] =
        [Self::Started, Self::Completed, Self::Failed, Self::Cancelled, Self::Imported, Self::ImportFailed];
}

/// The end of an export in words.
#[derive(Clone, Debug)]
pub struct Announcement {
    pub event: Occasion,
    /// The address that the export names, with the query of the interface appended.
    pub own: Option<(String, HookMethod)>,
    pub body: String,
}

#[derive(Clone, Debug)]
pub(crate) struct NewDelivery<'a> {
    pub(crate) account: &'a str,
    /// Empty where it is about none.
    pub(crate) export: &'a str,
    pub(crate) endpoint: Option<&'a str>,
    pub(crate) event: Occasion,
    pub(crate) url: &'a str,
    pub(crate) method: HookMethod,
    pub(crate) body: &'a str,
}

#[derive(Clone, Debug)]
pub struct Delivery {
    /// Sent as `webhook-id`, the same on every try.
    pub id: String,
    pub account: String,
    /// Empty where it is about none.
    pub export: String,
    /// Whose address it goes to; none where the export named it.
    pub endpoint: Option<String>,
    pub event: Occasion,
    pub url: String,
    pub method: HookMethod,
    pub body: String,
    pub state: DeliveryState,
    pub tries: i64,
    pub next_at: i64,
    pub created_at: i64,
    pub finished_at: Option<i64>,
}

/// One try to deliver.
#[derive(Clone, Debug)]
pub struct Try {
    pub number: i64,
    pub at: i64,
    pub millis: i64,
    pub method: HookMethod,
    pub status: Option<i64>,
    pub error: Option<String>,
}

row!(Delivery {
    id,
    account,
    export,
    endpoint,
    event: word,
    url,
    method: word,
    body,
    state: word,
    tries,
    next_at,
    created_at,
    finished_at
});

row!(Try { number, at, millis, method: word, status, error });

impl Store {
    pub(crate) async fn insert_delivery(&self, tx: &mut Tx, new: NewDelivery<'_>) -> Result<String, StoreError> {
        let id = format!("msg_{}", new_id(self.now()));
        query(
            "INSERT INTO delivery (id, account, export, endpoint, event, url, method, body, state, tries, next_at, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'pending', 0, $9, $10)",
        )
        .bind(&id)
        .bind(new.account)
        .bind(new.export)
        .bind(new.endpoint)
        .bind(new.event.as_str())
        .bind(new.url)
        .bind(new.method.as_str())
        .bind(new.body)
        .bind(self.now())
        .bind(self.now())
        .execute(&mut **tx)
        .await?;
        Ok(id)
    }

    /// Deliveries whose time has come, leased to the caller for `lease` milliseconds.
    pub async fn due_deliveries(&self, limit: i64, lease: i64) -> Result<Vec<Delivery>, StoreError> {
        let now = self.now();
        let rows = query(
            "UPDATE delivery SET lease_until = $2 WHERE id IN (
               SELECT id FROM delivery WHERE state = 'pending' AND next_at <= $1
                 AND (lease_until IS NULL OR lease_until <= $1) ORDER BY next_at, id LIMIT $3)
               -- Once more: another node may have taken it while we waited for the row.
               AND (lease_until IS NULL OR lease_until <= $1)
             RETURNING *",
        )
        .bind(now)
        .bind(now + lease)
        .bind(limit)
        .fetch_all(&self.writing)
        .await?;
        all(&rows)
    }

    /// Gives a leased delivery back untried.
    pub async fn return_delivery(&self, id: &str, next_at: i64) -> Result<(), StoreError> {
        query("UPDATE delivery SET lease_until = NULL, next_at = $2 WHERE id = $1 AND state = 'pending'")
            .bind(id)
            .bind(next_at)
            .execute(&self.writing)
            .await?;
        Ok(())
    }

    /// Writes a try down. `state` is what the delivery is now; a pending one is tried again at `next_at`.
    pub async fn record_try(
        &self,
        id: &str,
        tried: &Try,
        state: DeliveryState,
        next_at: i64,
    ) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        let row = query(
            "UPDATE delivery SET tries = tries + 1, state = $2, next_at = $3, lease_until = NULL,
             finished_at = CASE WHEN $2 = 'pending' THEN NULL ELSE $4 END WHERE id = $1 RETURNING tries",
        )
        .bind(id)
        .bind(state.as_str())
        .bind(next_at)
        .bind(self.now())
        .fetch_optional(&mut *tx)
        .await?;
        let Some(row) = row else { return Ok(()) };
        query("INSERT INTO delivery_try (delivery, number, at, millis, method, status, error) VALUES ($1, $2, $3, $4, $5, $6, $7)")
            .bind(id)
            .bind(row.try_get::<i64, _>("tries")?)
            .bind(tried.at)
            .bind(tried.millis)
            .bind(tried.method.as_str())
            .bind(tried.status)
            .bind(&tried.error)
            .execute(&mut *tx)
            .await?;
        trial::point("record.before_commit");
        tx.commit().await?;
        Ok(())
    }

    /// Sends a delivery again, under the same id.
    pub async fn replay_delivery(&self, account: &str, id: &str) -> Result<bool, StoreError> {
        let done = query(
            "UPDATE delivery SET state = 'pending', next_at = $3, finished_at = NULL, created_at = $3
             WHERE account = $1 AND id = $2 AND state <> 'pending'",
        )
        .bind(account)
        .bind(id)
        .bind(self.now())
        .execute(&self.writing)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    pub async fn deliveries_of(&self, export: &str) -> Result<Vec<(Delivery, Vec<Try>)>, StoreError> {
        let rows = query("SELECT * FROM delivery WHERE export = $1 ORDER BY created_at, id")
            .bind(export)
            .fetch_all(&self.reading)
            .await?;
        self.with_tries(all(&rows)?).await
    }

    /// What was sent to an endpoint, newest first.
    pub async fn deliveries_to(&self, endpoint: &str, page: &Page) -> Result<Vec<(Delivery, Vec<Try>)>, StoreError> {
        let sql = format!("SELECT * FROM delivery WHERE endpoint = $1 AND {} LIMIT $4", older("", 2));
        let (id, created) = page.after();
        let rows = query(sqlx::AssertSqlSafe(sql))
            .bind(endpoint)
            .bind(id)
            .bind(created)
            .bind(page.limit)
            .fetch_all(&self.reading)
            .await?;
        self.with_tries(all(&rows)?).await
    }

    /// A webhook of the account's, and its tries.
    pub async fn delivery(&self, account: &str, id: &str) -> Result<Option<(Delivery, Vec<Try>)>, StoreError> {
        let rows = query("SELECT * FROM delivery WHERE account = $1 AND id = $2")
            .bind(account)
            .bind(id)
            .fetch_all(&self.reading)
            .await?;
        Ok(self.with_tries(all(&rows)?).await?.pop())
    }

    async fn with_tries(&self, deliveries: Vec<Delivery>) -> Result<Vec<(Delivery, Vec<Try>)>, StoreError> {
        let mut found = Vec::new();
        for delivery in deliveries {
            let mut tries = self.tries_of(&delivery.id).await?;
            // One made since the delivery was read says nothing of the state shown beside it.
            tries.retain(|made| made.number <= delivery.tries);
            found.push((delivery, tries));
        }
        Ok(found)
    }

    async fn tries_of(&self, delivery: &str) -> Result<Vec<Try>, StoreError> {
        let rows = query("SELECT * FROM delivery_try WHERE delivery = $1 ORDER BY number")
            .bind(delivery)
            .fetch_all(&self.reading)
            .await?;
        all(&rows)
    }

    /// How many deliveries are in each state.
    pub async fn delivery_counts(&self) -> Result<Vec<(DeliveryState, i64)>, StoreError> {
        let rows = query("SELECT state, COUNT(*) AS n FROM delivery GROUP BY state").fetch_all(&self.reading).await?;
        rows.iter().map(|row| Ok((word(row, "state")?, row.try_get("n")?))).collect()
    }

    /// Forgets deliveries that ended before `before`, and their tries.
    pub async fn prune_deliveries(&self, before: i64) -> Result<u64, StoreError> {
        let mut tx = self.begin().await?;
        query("DELETE FROM delivery_try WHERE delivery IN (SELECT id FROM delivery WHERE finished_at < $1)")
            .bind(before)
            .execute(&mut *tx)
            .await?;
        let done = query("DELETE FROM delivery WHERE finished_at < $1").bind(before).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(done.rows_affected())
    }
}
