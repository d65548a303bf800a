//! Addresses that are told of what happens in an account, each of what it chose.

use serde_json::{Value, json};
use sqlx::any::AnyRow;
use sqlx::{Row, query};

use crate::accounts::{SECRET_OVERLAP, new_hook_secret};
use crate::db::Tx;
use crate::deliveries::{HookMethod, NewDelivery, Occasion};
use crate::error::StoreError;
use crate::export::Export;
use crate::life::ExportState;
use crate::row::{self, FromRow, all, one};
use crate::{Store, new_id};

/// An address, and what it is told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    pub id: String,
    pub account: String,
    pub url: String,
    /// For people.
    pub name: String,
    pub events: Vec<Occasion>,
    /// Signs what goes there, as `whsec_…`.
    pub secret: String,
    /// Signs beside the new one until the time given.
    pub secret_old: Option<(String, i64)>,
    /// Told of nothing while it is not.
    pub enabled: bool,
    pub created_at: i64,
}

/// What of an endpoint its account may choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointChoice {
    pub url: String,
    pub name: String,
    pub events: Vec<Occasion>,
    pub enabled: bool,
}

impl EndpointChoice {
    fn events_in_words(&self) -> String {
        let words: Vec<&str> = self.events.iter().map(|event| event.as_str()).collect();
        words.join(" ")
    }
}

/// What all news of an export say. Whoever has more to say adds to it.
pub fn news_of(event: Occasion, export: &Export, state: ExportState) -> Value {
    let mut news = json!({
        "event": event, "projectId": export.project, "backendTaskId": export.id, "callbackId": export.callback_id,
        "state": state, "progress": export.progress,
    });
    if export.test {
        news["test"] = json!(true);
    }
    news
}

impl FromRow for Endpoint {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        let old: Option<String> = row.try_get("secret_old")?;
        let until: Option<i64> = row.try_get("secret_old_until")?;
        let events: &str = row.try_get("events")?;
        // An event that this program does not know was chosen with a newer one.
        let events = events.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        Ok(Self {
            id: row.try_get("id")?,
            account: row.try_get("account")?,
            url: row.try_get("url")?,
            name: row.try_get("name")?,
            events,
            secret: row.try_get("secret")?,
            secret_old: old.zip(until),
            enabled: row::flag(row, "enabled")?,
            created_at: row.try_get("created_at")?,
        })
    }
}

impl Store {
    /// None where the account has `most` already.
    pub async fn create_endpoint(
        &self,
        account: &str,
        chosen: &EndpointChoice,
        most: i64,
    ) -> Result<Option<Endpoint>, StoreError> {
        let (mut tx, id) = (self.begin().await?, new_id(self.now()));
        // Holds others off the count.
        query("UPDATE account SET served_at = served_at WHERE id = $1").bind(account).execute(&mut *tx).await?;
        let row =
            query("SELECT COUNT(*) AS n FROM endpoint WHERE account = $1").bind(account).fetch_one(&mut *tx).await?;
        if row.try_get::<i64, _>("n")? >= most {
            return Ok(None);
        }
        query(
            "INSERT INTO endpoint (id, account, url, name, events, secret, enabled, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(&id)
        .bind(account)
        .bind(&chosen.url)
        .bind(&chosen.name)
        .bind(chosen.events_in_words())
        .bind(new_hook_secret())
        .bind(i64::from(chosen.enabled))
        .bind(self.now())
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        self.endpoint(&id).await
    }

    /// An endpoint whoever asks: letters are signed without an account.
    pub async fn endpoint(&self, id: &str) -> Result<Option<Endpoint>, StoreError> {
        one(query("SELECT * FROM endpoint WHERE id = $1").bind(id).fetch_optional(&self.reading).await?)
    }

    pub async fn endpoints(&self, account: &str) -> Result<Vec<Endpoint>, StoreError> {
        let rows = query("SELECT * FROM endpoint WHERE account = $1 ORDER BY created_at, id")
            .bind(account)
            .fetch_all(&self.reading)
            .await?;
        all(&rows)
    }

    /// False when the account has none such.
    pub async fn change_endpoint(&self, account: &str, id: &str, chosen: &EndpointChoice) -> Result<bool, StoreError> {
        let done =
            query("UPDATE endpoint SET url = $3, name = $4, events = $5, enabled = $6 WHERE account = $1 AND id = $2")
                .bind(account)
                .bind(id)
                .bind(&chosen.url)
                .bind(&chosen.name)
                .bind(chosen.events_in_words())
                .bind(i64::from(chosen.enabled))
                .execute(&self.writing)
                .await?;
        Ok(done.rows_affected() == 1)
    }

    /// The receiver wants no more: nothing new goes there until its account says so.
    pub async fn disable_endpoint(&self, id: &str) -> Result<(), StoreError> {
        query("UPDATE endpoint SET enabled = 0 WHERE id = $1").bind(id).execute(&self.writing).await?;
        Ok(())
    }

    /// What is on its way there is not sent any more.
    pub async fn delete_endpoint(&self, account: &str, id: &str) -> Result<bool, StoreError> {
        let mut tx = self.begin().await?;
        let done = query("DELETE FROM endpoint WHERE account = $1 AND id = $2")
            .bind(account)
            .bind(id)
            .execute(&mut *tx)
            .await?;
        if done.rows_affected() != 1 {
            return Ok(false);
        }
        query("UPDATE delivery SET state = 'gone', finished_at = $2 WHERE endpoint = $1 AND state = 'pending'")
            .bind(id)
            .bind(self.now())
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(true)
    }

    /// A new secret; the old one signs beside it for a day.
    pub async fn rotate_endpoint_secret(&self, account: &str, id: &str) -> Result<bool, StoreError> {
        let done = query(
            "UPDATE endpoint SET secret_old = secret, secret_old_until = $4, secret = $3 WHERE account = $1 AND id = $2",
        )
        .bind(account)
        .bind(id)
        .bind(new_hook_secret())
        .bind(self.now() + SECRET_OVERLAP)
        .execute(&self.writing)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Something for an endpoint alone, whatever it chose. Answers the delivery's id.
    pub async fn ping_endpoint(&self, endpoint: &Endpoint, body: &str) -> Result<String, StoreError> {
        let mut tx = self.begin().await?;
        let id = self.address(&mut tx, endpoint, "", Occasion::Ping, body).await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Tells all endpoints of the account that chose this.
    pub async fn announce(&self, account: &str, event: Occasion, body: &str) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        for endpoint in self.listening(&mut tx, account, event).await? {
            self.address(&mut tx, &endpoint, "", event, body).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Those of an account who are told of an event.
    pub(crate) async fn listening(
        &self,
        tx: &mut Tx,
        account: &str,
        event: Occasion,
    ) -> Result<Vec<Endpoint>, StoreError> {
        let rows = query("SELECT * FROM endpoint WHERE account = $1 AND enabled = 1 ORDER BY created_at, id")
            .bind(account)
            .fetch_all(&mut **tx)
            .await?;
        let mut listening: Vec<Endpoint> = all(&rows)?;
        listening.retain(|endpoint| endpoint.events.contains(&event));
        Ok(listening)
    }

    pub(crate) async fn address(
        &self,
        tx: &mut Tx,
        endpoint: &Endpoint,
        export: &str,
        event: Occasion,
        body: &str,
    ) -> Result<String, StoreError> {
        let new = NewDelivery {
            account: &endpoint.account,
            export,
            endpoint: Some(&endpoint.id),
            event,
            url: &endpoint.url,
            method: HookMethod::Post,
            body,
        };
        self.insert_delivery(tx, new).await
    }
}
