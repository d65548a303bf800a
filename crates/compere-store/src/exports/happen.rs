//! Something happens to an export: the one place where a life is written.
//!
//! The row is locked, [`step`] decides, and its life, its price and its webhook are written in one transaction.

use sqlx::any::AnyRow;
use sqlx::{Row, query};

use crate::db::Tx;
use crate::deliveries::{Announcement, NewDelivery, Occasion};
use crate::ended::Ended;
use crate::endpoints::news_of;
use crate::error::StoreError;
use crate::export::Export;
use crate::life::{Command, Event, ExportState, Life, News, step};
use crate::row::FromRow;
use crate::{Store, trial};

/// Words the news of an end, where there is more to say than that it is over. It is asked in the transaction that ends the
/// export.
pub type Wording<'a> = &'a (dyn Fn(&Export, &Ended) -> Option<Announcement> + Send + Sync);

/// What became of an export, and what is to be done.
#[derive(Clone, Debug, PartialEq)]
pub struct Happened {
    pub life: Life,
    pub commands: Vec<Command>,
}

/// What is written down beside the life.
#[derive(Clone, Copy)]
pub(super) struct Beside<'a> {
    /// Who takes it up.
    pub(super) worker: &'a str,
    /// Milliseconds that a sign of life counts.
    pub(super) lease: i64,
    pub(super) wording: Option<Wording<'a>>,
}

impl Beside<'_> {
    /// Where nobody holds it and nobody is told.
    pub(super) const NOTHING: Self = Self { worker: "", lease: 0, wording: None };
}

impl Store {
    /// What whoever has an export says of it, and what they are to do.
    pub async fn tell_export(
        &self,
        (id, fence): (&str, i64),
        news: News,
        lease: i64,
        wording: Wording<'_>,
    ) -> Result<Happened, StoreError> {
        let mut tx = self.begin().await?;
        let beside = Beside { lease, wording: Some(wording), ..Beside::NOTHING };
        let happened = self.happen(&mut tx, id, Event::Told { fence, news }, beside).await?;
        let happened = happened.ok_or_else(|| StoreError::Damaged(format!("export {id} is not on record")))?;
        trial::point(if happened.life.state.is_over() { "end.before_commit" } else { "told.before_commit" });
        tx.commit().await?;
        Ok(happened)
    }

    /// Asks an export to stop. One that waits is over at once; a running one is at its next sign of life. True when
    /// there was something to stop.
    pub async fn cancel_export(&self, id: &str) -> Result<bool, StoreError> {
        let mut tx = self.begin().await?;
        let happened = self.happen(&mut tx, id, Event::CancelAsked, Beside::NOTHING).await?;
        tx.commit().await?;
        Ok(happened.is_some_and(|happened| !happened.commands.is_empty()))
    }

    /// Stops all exports of a project that is being deleted; nobody will be told how they end.
    pub(crate) async fn abandon_exports(&self, tx: &mut Tx, account: &str, project: &str) -> Result<(), StoreError> {
        let rows = query(
            "UPDATE export SET webhook = NULL WHERE account = $1 AND project = $2
               AND state IN ('queued', 'synthesizing', 'rendering', 'finishing') RETURNING id",
        )
        .bind(account)
        .bind(project)
        .fetch_all(&mut **tx)
        .await?;
        for row in &rows {
            self.happen(tx, row.try_get("id")?, Event::CancelAsked, Beside::NOTHING).await?;
        }
        Ok(())
    }

    pub(super) async fn happen(
        &self,
        tx: &mut Tx,
        id: &str,
        event: Event,
        beside: Beside<'_>,
    ) -> Result<Option<Happened>, StoreError> {
        // A statement that changes nothing locks the row on both databases.
        query("UPDATE export SET fence = fence WHERE id = $1").bind(id).execute(&mut **tx).await?;
        let sql = format!("SELECT {} FROM export e WHERE e.id = $1", Export::COLUMNS);
        let row = query(sqlx::AssertSqlSafe(sql)).bind(id).fetch_optional(&mut **tx).await?;
        let Some(row) = row else { return Ok(None) };
        let before = Life::from_row(&row)?;
        let alive = matches!(event, Event::Told { .. });
        let (after, commands) = step(&before, event);
        if after != before {
            self.write_life(tx, id, &after).await?;
        }
        if alive && after.state.is_running() && commands != [Command::Dismiss] {
            query("UPDATE export SET lease_until = $2 WHERE id = $1")
                .bind(id)
                .bind(self.now() + beside.lease)
                .execute(&mut **tx)
                .await?;
        }
        for command in &commands {
            self.obey(tx, &row, command, beside).await?;
        }
        Ok(Some(Happened { life: after, commands }))
    }

    pub(super) async fn write_life(&self, tx: &mut Tx, id: &str, life: &Life) -> Result<(), StoreError> {
        query(
            "UPDATE export SET state = $2, step = $3, progress = $4, fence = $5, strikes = $6, hiccups = $7, bug = $8,
             cancel_asked = $9 WHERE id = $1",
        )
        .bind(id)
        .bind(life.state.as_str())
        .bind(life.activity.as_str())
        .bind(life.progress)
        .bind(life.fence)
        .bind(life.strikes)
        .bind(life.hiccups)
        .bind(&life.bug)
        .bind(i64::from(life.cancel_asked))
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    /// The part of a command that belongs into the records.
    async fn obey(&self, tx: &mut Tx, row: &AnyRow, command: &Command, beside: Beside<'_>) -> Result<(), StoreError> {
        let (id, now): (&str, i64) = (row.try_get("id")?, self.now());
        match command {
            Command::Make { .. } => {
                query(
                    "UPDATE export SET worker = $2, lease_until = $3, started_at = COALESCE(started_at, $4) WHERE id = $1",
                )
                .bind(id)
                .bind(beside.worker)
                .bind(now + beside.lease)
                .bind(now)
                .execute(&mut **tx)
                .await?;
                self.tell_of_the_start(tx, row).await?;
            }
            Command::Queue { wait } => self.put_back(tx, id, now + wait).await?,
            Command::End(ended) => self.end(tx, row, ended, beside.wording).await?,
            // Said to those who have it; nothing of it is kept.
            Command::Stop | Command::Keep | Command::Dismiss => {}
        }
        Ok(())
    }

    pub(super) async fn put_back(&self, tx: &mut Tx, id: &str, not_before: i64) -> Result<(), StoreError> {
        query("UPDATE export SET worker = NULL, lease_until = NULL, not_before = $2 WHERE id = $1")
            .bind(id)
            .bind(not_before)
            .execute(&mut **tx)
            .await?;
        Ok(())
    }

    /// What an export left, its price and its webhook. The webhook goes out only if the row still asks for one: that of
    /// a deleted project does not.
    async fn end(
        &self,
        tx: &mut Tx,
        row: &AnyRow,
        ended: &Ended,
        wording: Option<Wording<'_>>,
    ) -> Result<(), StoreError> {
        let export = Export::from_row(row)?;
        self.write_end(tx, &export.id, ended).await?;
        trial::point("end.settling");
        match ended {
            _ if export.test => {}
            Ended::Exported { credits, .. } => {
                self.settle(tx, &export.account, &export.id, export.reserved, *credits).await?;
            }
            Ended::Failed { .. } | Ended::Cancelled => {
                self.release(tx, &export.account, &export.id, export.reserved).await?;
            }
        }
        let cancelled = || {
            let news = news_of(Occasion::Cancelled, &export, ExportState::Cancelled);
            Announcement { event: Occasion::Cancelled, own: None, body: news.to_string() }
        };
        let worded = wording.and_then(|wording| wording(&export, ended));
        if let Some(news) = worded.or_else(|| matches!(ended, Ended::Cancelled).then(cancelled)) {
            self.send_news(tx, &export, &news).await?;
        }
        query("UPDATE project SET updated_at = $2 WHERE export = $1")
            .bind(&export.id)
            .bind(self.now())
            .execute(&mut **tx)
            .await?;
        Ok(())
    }

    /// To the address that the export names, and to the account's endpoints.
    async fn send_news(&self, tx: &mut Tx, export: &Export, news: &Announcement) -> Result<(), StoreError> {
        if let Some((url, method)) = news.own.as_ref().filter(|_| export.webhook.is_some()) {
            let (account, export) = (&export.account, &export.id);
            let (event, method, body) = (news.event, *method, &news.body);
            self.insert_delivery(tx, NewDelivery { account, export, endpoint: None, event, url, method, body }).await?;
        }
        for endpoint in self.listening(tx, &export.account, news.event).await? {
            self.address(tx, &endpoint, &export.id, news.event, &news.body).await?;
        }
        Ok(())
    }

    /// Once: a second try begins nothing that clients see.
    async fn tell_of_the_start(&self, tx: &mut Tx, row: &AnyRow) -> Result<(), StoreError> {
        if row.try_get::<Option<i64>, _>("started_at")?.is_some() {
            return Ok(());
        }
        let export = Export::from_row(row)?;
        let body = news_of(Occasion::Started, &export, ExportState::Synthesizing).to_string();
        self.send_news(tx, &export, &Announcement { event: Occasion::Started, own: None, body }).await
    }

    async fn write_end(&self, tx: &mut Tx, id: &str, ended: &Ended) -> Result<(), StoreError> {
        let (made, credits) = match ended {
            Ended::Exported { made, credits } => (Some(&**made), Some(*credits)),
            Ended::Failed { .. } | Ended::Cancelled => (None, None),
        };
        let message = match ended {
            Ended::Failed { message } => Some(message.as_str()),
            Ended::Exported { .. } | Ended::Cancelled => None,
        };
        query(
            "UPDATE export SET worker = NULL, lease_until = NULL, made = $2, credits = $3, error = $4,
             duration = NULLIF($5, -1.0), size = $6, finished_at = $7 WHERE id = $1",
        )
        .bind(id)
        .bind(made.map(serde_json::to_string).transpose()?)
        .bind(credits)
        .bind(message.map(str::to_owned))
        // The driver sends an absent f64 as one of four bytes, and PostgreSQL then wants four bytes for ever.
        .bind(made.map_or(-1.0, |made| made.cut.duration))
        .bind(made.map(|made| made.size as i64))
        .bind(self.now())
        .execute(&mut **tx)
        .await?;
        Ok(())
    }
}
