//! One service makes the exports of one database.
//!
//! Whoever starts puts what was running back into the queue, so two at once would take each other's films away. The lock
//! lies where the rows are: beside the file, or in a session of the server, which ends with the process or the
//! connection.
//!
//! Nodes of a farm share a database: each knows that others are there, and an engine of theirs says who has what. They
//! refuse a service that believes to be alone, and it refuses them. The first of those that serve finds what a former one
//! left unanswered; whoever comes later must not take it for that, and waits until the first has seen to it.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::{AnyConnection, Connection, Row, query};
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;

use crate::Store;
use crate::db::Place;
use crate::error::StoreError;

/// A service that was killed while it started a worker leaves its lock with that child for a moment.
const PATIENCE: Duration = Duration::from_secs(3);
/// The setting that says who it is.
pub(crate) const HELD_BY: &str = "held_by";
/// How often the session is looked at.
const LOOK: Duration = Duration::from_secs(2);

/// How long a node waits for the first one to see to what was left.
const SETTLING: Duration = Duration::from_secs(30);

const ALONE: &str = "SELECT pg_try_advisory_lock(7031773) AS ours";
const TOGETHER: &str = "SELECT pg_try_advisory_lock_shared(7031773) AS ours";
const FIRST: &str = "SELECT pg_try_advisory_lock(7031774) AS ours";
const LATER: &str = "SELECT pg_try_advisory_lock_shared(7031774) AS ours";
/// In this order: nobody else is first in between.
const SETTLED: [&str; 2] = ["SELECT pg_advisory_lock_shared(7031774)", "SELECT pg_advisory_unlock(7031774)"];

/// Whether others may hold the same database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    Alone,
    /// Beside other nodes, and answers requests.
    Serving,
    /// Beside other nodes, and works for those who answer requests.
    Making,
}

/// Held for as long as the value lives.
#[derive(Debug)]
pub struct Hold {
    lost: watch::Receiver<bool>,
    first: bool,
    settle: Option<mpsc::Sender<()>>,
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
    /// Whether nobody else serves: whatever is unanswered or under way was left by somebody who is gone.
    pub fn is_first(&self) -> bool {
        self.first
    }

    /// What was left is seen to; others may come.
    pub fn settle(&mut self) {
        if let Some(settle) = self.settle.take() {
            // Whoever would hear it is gone with the lock.
            let _ = settle.try_send(());
        }
    }

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
        self.hold_as(who, Manner::Serving).await
    }

    /// The same, for a node that answers nobody.
    pub async fn assist(&self, who: &str) -> Result<Hold, StoreError> {
        self.hold_as(who, Manner::Making).await
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
                let mut session = self.locked_session(url, who, manner).await?;
                let first = self.is_first(&mut session, manner).await?;
                let (tell, lost) = watch::channel(false);
                let (settle, settled) = mpsc::channel(1);
                let keeper =
                    Keeper { store: self.clone(), url: url.clone(), who: who.to_owned(), manner, tell, settled };
                let keeping = tokio::spawn(keeper.keep(session));
                Ok(Hold { lost, first, settle: Some(settle), _kept: Kept::Session(keeping.abort_handle()) })
            }
        }
    }

    /// A connection that has the lock.
    async fn locked_session(&self, url: &str, who: &str, manner: Manner) -> Result<AnyConnection, StoreError> {
        let mut session = AnyConnection::connect(url).await?;
        if !took(&mut session, if manner == Manner::Alone { ALONE } else { TOGETHER }).await? {
            return Err(StoreError::Held(self.setting(HELD_BY).await?.unwrap_or_default()));
        }
        self.set_setting(HELD_BY, who).await?;
        Ok(session)
    }

    /// Whether no other node serves. While the first one sees to what was left, the others wait.
    async fn is_first(&self, session: &mut AnyConnection, manner: Manner) -> Result<bool, StoreError> {
        if manner != Manner::Serving {
            return Ok(manner == Manner::Alone);
        }
        let started = Instant::now();
        loop {
            if took(session, FIRST).await? {
                return Ok(true);
            }
            if took(session, LATER).await? {
                return Ok(false);
            }
            if started.elapsed() > SETTLING {
                return Err(StoreError::Held(self.setting(HELD_BY).await?.unwrap_or_default()));
            }
            tokio::time::sleep(PATIENCE / 30).await;
        }
    }
}

async fn took(session: &mut AnyConnection, lock: &'static str) -> Result<bool, StoreError> {
    Ok(query(lock).fetch_one(session).await?.try_get::<bool, _>("ours")?)
}

/// Sees to it that the session lives.
struct Keeper {
    store: Store,
    url: String,
    who: String,
    manner: Manner,
    tell: watch::Sender<bool>,
    settled: mpsc::Receiver<()>,
}

impl Keeper {
    async fn keep(mut self, mut session: AnyConnection) {
        let mut ghost: Option<Instant> = None;
        loop {
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                Some(()) = self.settled.recv() => {
                    for statement in SETTLED {
                        // A session that is cut is found below, and has no lock to give up.
                        let _ = query(statement).execute(&mut session).await;
                    }
                }
            }
            if query("SELECT 1").execute(&mut session).await.is_ok() {
                continue;
            }
            tracing::warn!("the connection that holds the database was cut");
            match self.again().await {
                Ok(again) => (session, ghost) = (again, None),
                // The server has not noticed yet that our former session is gone.
                Err(StoreError::Held(by)) if by == self.who && ghost.is_none_or(|since| since.elapsed() < SETTLING) => {
                    ghost.get_or_insert_with(Instant::now);
                }
                Err(StoreError::Held(by)) => {
                    tracing::error!(by, "another service has taken the database over");
                    self.tell.send_replace(true);
                    return;
                }
                // The server is away; nobody can have it.
                Err(error) => tracing::warn!(%error, "the database is not held"),
            }
        }
    }

    /// Takes the lock again; somebody else may have it by then. Who is first was said when we came.
    async fn again(&self) -> Result<AnyConnection, StoreError> {
        let mut session = self.store.locked_session(&self.url, &self.who, self.manner).await?;
        if self.manner == Manner::Serving && !took(&mut session, LATER).await? {
            tracing::warn!("another node believes to be the first");
        }
        Ok(session)
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
    Ok(Hold { lost: watch::channel(false).1, first: true, settle: None, _kept: Kept::File(file) })
}
