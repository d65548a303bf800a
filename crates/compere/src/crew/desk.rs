//! Questions that somebody waits for, answered by a worker that is kept warm for them.
//!
//! Several questions are answered side by side. When the worker dies, every question that was with it is asked once more,
//! one at a time, so that the one that killed it takes nobody else along; then it is answered with an error.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{RwLock, oneshot};

use super::child::{Ears, Mouth, Starter};
use super::supply::Supply;
pub use crate::worker::protocol::{Answer, Question, Who};
use crate::worker::protocol::{Checked, DeskError, FromWorker, Hello, Picture, Speech, ToWorker};
use compere_house::Kind;
use compere_house::desk::{Dress, Later, View, Wanted};

/// A check fetches linked files, each of which may take half a minute; a presenter may have to be baked.
const PATIENCE: Duration = Duration::from_secs(120);

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Desk {
    inner: Arc<Inner>,
    wanted: Wanted,
    /// Whose presenters may be shown.
    account: String,
}

#[derive(Debug)]
struct Inner {
    starter: Starter,
    supply: Supply,
    clerk: tokio::sync::Mutex<Option<Clerk>>,
    number: AtomicU64,
    /// First tries share it; a second try has the worker for itself.
    alone: RwLock<()>,
}

/// The worker at the desk.
#[derive(Debug)]
struct Clerk {
    mouth: Mouth,
    waiting: Arc<Mutex<Waiting>>,
    /// Kills the process when it goes.
    _child: tokio::process::Child,
}

type Told = oneshot::Sender<Result<Answer, DeskError>>;

/// None when the worker is dead.
type Waiting = Option<HashMap<u64, Told>>;

impl Desk {
    /// Opens the desk and warms its worker up.
    pub fn open(hello: Hello, supply: Supply) -> Result<Self, String> {
        let hello = Hello { films: false, yields: false, shares: supply.shares(), ..hello };
        Ok(Self::with(Starter::new(hello)?, supply).warmed())
    }

    /// Opens one for questions that take long. Its worker comes with the first of them, and lets others go first.
    pub fn open_behind(hello: Hello, supply: Supply) -> Result<Self, String> {
        let hello = Hello { films: false, yields: true, shares: supply.shares(), ..hello };
        Ok(Self::with(Starter::new(hello)?, supply))
    }

    /// With a binary that is not the one that runs: tests are none that could be a worker.
    pub fn of_binary(binary: PathBuf, hello: Hello, supply: Supply) -> Self {
        let hello = Hello { films: false, yields: false, shares: supply.shares(), ..hello };
        Self::with(Starter::of(binary, hello), supply).warmed()
    }

    fn with(starter: Starter, supply: Supply) -> Self {
        let inner = Inner {
            starter,
            supply,
            clerk: tokio::sync::Mutex::default(),
            number: AtomicU64::new(0),
            alone: RwLock::new(()),
        };
        Self { inner: Arc::new(inner), wanted: Wanted::by_all(), account: String::new() }
    }

    /// Hires its worker before anybody asks.
    fn warmed(self) -> Self {
        let early = self.clone();
        tokio::spawn(async move {
            let mut clerk = early.inner.clerk.lock().await;
            if clerk.is_none() {
                *clerk = early.inner.hire().await.ok();
            }
        });
        self
    }

    /// Asks, and asks once more if the worker dies over it.
    pub async fn ask(&self, question: Question) -> Result<Answer, DeskError> {
        let mut wanted = self.wanted.clone();
        {
            let _shared = self.inner.alone.read().await;
            if let Some(answer) = self.inner.ask(&self.account, question.clone(), &mut wanted).await? {
                return answer;
            }
        }
        let _alone = self.inner.alone.write().await;
        let died =
            || Err(DeskError::new(Kind::Unavailable, "the worker that was to answer died twice; its log says why"));
        self.inner.ask(&self.account, question, &mut wanted).await?.unwrap_or_else(died)
    }
}

impl compere_house::desk::Desk for Desk {
    fn still(&self, project: Value, view: View) -> Later<'_, Picture> {
        Box::pin(async move {
            match self.ask(Question::Still { project, view }).await? {
                Answer::Picture(picture) => Ok(picture),
                _ => Err(unfitting()),
            }
        })
    }

    fn say(&self, text: String, speaker: Who) -> Later<'_, Speech> {
        Box::pin(async move {
            match self.ask(Question::Say { text, speaker, dictionary: Vec::new() }).await? {
                Answer::Spoken(speech) => Ok(speech),
                _ => Err(unfitting()),
            }
        })
    }

    fn check(&self, project: Value) -> Later<'_, Checked> {
        Box::pin(async move {
            match self.ask(Question::Check { project }).await? {
                Answer::Checked(checked) => Ok(checked),
                _ => Err(unfitting()),
            }
        })
    }

    fn size(&self, link: &str) -> Later<'_, (u32, u32)> {
        let link = link.to_owned();
        Box::pin(async move {
            match self.ask(Question::Size { link }).await? {
                Answer::Size { width, height } => Ok((width, height)),
                _ => Err(unfitting()),
            }
        })
    }

    fn bake_ahead(&self, project: Value) -> Later<'_, ()> {
        Box::pin(async move {
            match self.ask(Question::BakeAhead { project }).await? {
                Answer::Baked => Ok(()),
                _ => Err(unfitting()),
            }
        })
    }

    fn look(&self, design: Value, dress: Dress) -> Later<'_, Picture> {
        Box::pin(async move {
            match self.ask(Question::Look { design, dress }).await? {
                Answer::Picture(picture) => Ok(picture),
                _ => Err(unfitting()),
            }
        })
    }

    fn wanted(&self, account: &str, wanted: Wanted) -> Arc<dyn compere_house::desk::Desk> {
        Arc::new(Self { inner: Arc::clone(&self.inner), wanted, account: account.to_owned() })
    }
}

fn left() -> DeskError {
    DeskError::new(Kind::Unavailable, "nobody waits for this any more")
}

fn unfitting() -> DeskError {
    DeskError::new(Kind::Internal, "a worker answered another question than it was asked")
}

impl Inner {
    /// None when the worker died before it answered.
    async fn ask(
        self: &Arc<Self>,
        account: &str,
        question: Question,
        wanted: &mut Wanted,
    ) -> Result<Option<Result<Answer, DeskError>>, DeskError> {
        let id = self.number.fetch_add(1, Ordering::Relaxed);
        let (told, mut answer) = oneshot::channel();
        if !self.put(id, account, question, told).await? {
            return Ok(None);
        }
        let mut asking = Asking { inner: self, id, waits: true };
        let patience = tokio::time::sleep(PATIENCE);
        tokio::pin!(patience);
        let mut waits = true;
        loop {
            tokio::select! {
                answer = &mut answer => {
                    asking.waits = false;
                    return match answer {
                        Ok(answer) => Ok(Some(answer)),
                        // Who left does not want it asked again.
                        Err(_) if !waits => Err(left()),
                        // The list of those who wait was dropped: the worker is dead.
                        Err(_) => Ok(None),
                    };
                }
                () = wanted.ends(), if waits => {
                    waits = false;
                    self.forget(id).await;
                }
                () = &mut patience => {
                    // It may hang over this for ever, and with it one of its few hands.
                    *self.clerk.lock().await = None;
                    let seconds = PATIENCE.as_secs();
                    return Err(DeskError::new(Kind::Unavailable, format!("there was no answer within {seconds} seconds")));
                }
            }
        }
    }

    /// Puts a question to the worker, who is hired if need be. False when it died meanwhile.
    async fn put(&self, id: u64, account: &str, question: Question, told: Told) -> Result<bool, DeskError> {
        let passes = match &question {
            Question::Still { project, .. } | Question::Check { project } => self.supply.of(project).await,
            Question::Size { link } => self.supply.of_link(link).await,
            // Who presents is no matter of links.
            Question::Say { .. } | Question::BakeAhead { .. } | Question::Look { .. } => Ok(Vec::new()),
        };
        let passes = passes.map_err(|why| DeskError::new(Kind::Unavailable, why))?;
        let mut seat = self.clerk.lock().await;
        let alive = |clerk: &Clerk| lock(&clerk.waiting).is_some();
        if !seat.as_ref().is_some_and(alive) {
            *seat = Some(self.hire().await.map_err(|why| {
                tracing::error!(why, "nobody is at the desk");
                DeskError::new(Kind::Unavailable, "nobody can answer this right now; try again in a moment")
            })?);
        }
        let Some(clerk) = seat.as_mut() else { return Ok(false) };
        match lock(&clerk.waiting).as_mut() {
            Some(waiting) => waiting.insert(id, told),
            None => return Ok(false),
        };
        let ask = ToWorker::Ask { id, question: Box::new(question), passes, account: account.to_owned() };
        let heard = clerk.mouth.tell(&ask).await.is_ok();
        if !heard {
            // Dead, whether or not whoever listens to it has noticed: the next try is not to be put to it again.
            *seat = None;
        }
        Ok(heard)
    }

    /// Tells the worker that nobody waits for an answer. One that is dead has forgotten it already.
    async fn forget(&self, id: u64) {
        if let Some(clerk) = self.clerk.lock().await.as_mut() {
            let _ = clerk.mouth.tell(&ToWorker::Forget { id }).await;
        }
    }

    async fn hire(&self) -> Result<Clerk, String> {
        let (child, mouth, ears) = self.starter.start().await?.split();
        let waiting = Arc::new(Mutex::new(Some(HashMap::new())));
        tokio::spawn(listen(ears, Arc::clone(&waiting), self.supply.clone(), mouth.clone()));
        Ok(Clerk { mouth, waiting, _child: child })
    }
}

/// Somebody waits for an answer. Whoever stops waiting without a word, because there was no time left, has left too.
struct Asking<'a> {
    inner: &'a Arc<Inner>,
    id: u64,
    waits: bool,
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        if self.waits
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            let (inner, id) = (Arc::clone(self.inner), self.id);
            runtime.spawn(async move { inner.forget(id).await });
        }
    }
}

async fn listen(mut ears: Ears, waiting: Arc<Mutex<Waiting>>, supply: Supply, mouth: Mouth) {
    while let Some(heard) = ears.hear().await {
        match heard {
            FromWorker::Answer { id, answer } => {
                let told = lock(&waiting).as_mut().and_then(|waiting| waiting.remove(&id));
                if let Some(told) = told {
                    // Whoever asked may have gone.
                    let _ = told.send(*answer);
                }
            }
            FromWorker::Wanted { id, shelf, key } => supply.fetch(id, shelf, key, &mouth),
            FromWorker::Kept { shelf, key } => drop(supply.keep(&shelf, &key)),
            // What others are told.
            _ => {}
        }
    }
    lock(&waiting).take();
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
