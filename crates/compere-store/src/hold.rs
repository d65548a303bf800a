//! One service makes the exports of one database.
//!
//! Whoever starts puts what was running back into the queue, so two at once would take each other's films away. The lock
//! lies where the rows are: beside the file, or in a session of the server, which ends with the process or the
//! connection.
//!
//! Nodes of a farm share a database: each knows that others are there, and an engine of theirs says who has what. They
//! refuse a service that believes to be alone, and it refuses them.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::{AnyConnection, Connection, Row, query};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::Store;
use crate::db::Place;
use crate::error::StoreError;

/// A service that was killed while it started a worker leaves its lock with that child for a moment.
const PATIENCE: Duration = Duration::from_secs(3);
/// How often the session is looked at.
const LOOK: Duration = Duration::from_secs(2);

/// Whether others may hold the same database.
#[derive(Clone, Copy, Debug)]
enum Manner {
    Alone,
    Together,
}

impl Manner {
    /// The statement that takes the lock.
    fn lock(self) -> &'static str {
        match self {
            Self::Alone => "SELECT pg_try_advisory_lock(7031773) AS ours",
            Self::Together => "SELECT pg_try_advisory_lock_shared(7031773) AS ours",
        }
    }
}

/// Held for as long as the value lives.
#[derive(Debug)]
pub struct Hold {
    lost: watch::Receiver<bool>,
    _kept: Kept,
}

#[derive(Debug)]
enum Kept {
    File(#[expect(dead_code, reason = "the lock goes with the file")] File),
    Session(AbortHandle),
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Self::Session(task) = self {
            task.abort();
        }
    }
}

impl Hold {
    /// Waits until somebody else holds the database.
    pub async fn lost(&self) {
        let mut lost = self.lost.clone();
        if lost.wait_for(|lost| *lost).await.is_err() {
            // Whoever would say so is gone: there is nothing that could be lost.
            std::future::pending::<()>().await;
        }
    }
}

impl Store {
    /// Takes the database for a service that calls itself `who`, or says who has it.
    pub async fn hold(&self, who: &str) -> Result<Hold, StoreError> {
        self.hold_as(who, Manner::Alone).await
    }

    /// The same, beside others who do so. A database in a file is one process's in any case.
    pub async fn share(&self, who: &str) -> Result<Hold, StoreError> {
        self.hold_as(who, Manner::Together).await
    }

    async fn hold_as(&self, who: &str, manner: Manner) -> Result<Hold, StoreError> {
        let started = Instant::now();
        loop {
            match self.try_hold(who, manner).await {
                Err(StoreError::Held(_)) if started.elapsed() < PATIENCE => tokio::time::sleep(PATIENCE / 30).await,
                other => return other,
            }
        }
    }

    async fn try_hold(&self, who: &str, manner: Manner) -> Result<Hold, StoreError> {
        match &self.place {
            Place::Beside(database) => beside(database, who),
            Place::Server(url) => {
                let session = self.locked_session(url, who, manner).await?;
                let (tell, lost) = watch::channel(false);
                let keeping = tokio::spawn(self.clone().keep(url.clone(), who.to_owned(), manner, session, tell));
                Ok(Hold { lost, _kept: Kept::Session(keeping.abort_handle()) })
            }
        }
    }

    /// A connection that has the lock.
    async fn locked_session(&self, url: &str, who: &str, manner: Manner) -> Result<AnyConnection, StoreError> {
        let mut session = AnyConnection::connect(url).await?;
        let row = query(manner.lock()).fetch_one(&mut session).await?;
        if !row.try_get::<bool, _>("ours")? {
            return Err(StoreError::Held(self.setting("held_by").await?.unwrap_or_default()));
        }
        self.set_setting("held_by", who).await?;
        Ok(session)
    }

    /// Sees to it that the session lives, and takes the lock again when it was cut off; somebody else may have it by
    /// then.
    async fn keep(
        self,
        url: String,
        who: String,
        manner: Manner,
        mut session: AnyConnection,
        lost: watch::Sender<bool>,
    ) {
        loop {
            tokio::time::sleep(LOOK).await;
            if query("SELECT 1").execute(&mut session).await.is_ok() {
                continue;
            }
            tracing::warn!("the connection that holds the database was cut");
            match self.locked_session(&url, &who, manner).await {
                Ok(again) => session = again,
                Err(StoreError::Held(by)) => {
                    tracing::error!(by, "another service has taken the database over");
                    lost.send_replace(true);
                    return;
                }
                // The server is away; nobody can have it.
                Err(error) => tracing::warn!(%error, "the database is not held"),
            }
        }
    }
}

fn beside(database: &Path, who: &str) -> Result<Hold, StoreError> {
    let mut path = database.as_os_str().to_owned();
    path.push(".lock");
    let mut file = File::options().create(true).read(true).write(true).truncate(false).open(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut by = String::new();
            // Who it is only makes the message better.
            let _ = file.read_to_string(&mut by);
            return Err(StoreError::Held(by));
        }
        Err(TryLockError::Error(error)) => return Err(error.into()),
    }
    file.set_len(0)?;
    file.rewind()?;
    write!(file, "{who}")?;
    // The sender is dropped: a file that is locked stays so.
    Ok(Hold { lost: watch::channel(false).1, _kept: Kept::File(file) })
}
