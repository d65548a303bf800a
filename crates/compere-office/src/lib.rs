//! Everything that customers, members and operators may ask for, each once.
//!
//! The API, the dashboard and the command line translate words and shapes and ask here; so does whatever comes next. This
//! crate knows no HTTP and no HTML. What it needs of the outside is handed in: the records, the files, the [`Bell`] that
//! tells the engine of work, the [`Desk`] that answers while somebody waits.
//!
//! # Promises
//!
//! - Nothing else changes records: [`Store`] does not leave this crate.
//! - A request is accepted whole or changes nothing; all that is wrong with it is said at once ([`Refusal::Problems`]).
//! - What is not known and what is somebody else's are the same [`Refusal::Missing`].
//! - Who asks by which door makes no difference: price, place in the queue and limits are the account's.

mod accept;
mod ahead;
mod ask;
mod backup;
mod behind;
mod crowd;
mod decks;
mod exports;
mod figures;
mod files;
mod first;
mod fonts;
mod hooks;
mod housekeeping;
mod limits;
mod older;
mod once;
mod options;
mod painting;
mod papers;
mod presenters;
mod previews;
mod projects;
mod refusal;
mod register;
mod rehearsal;
mod relink;
mod room;
pub mod schema;
mod shares;
mod simple;
mod stories;
mod tongues;
mod turns;
mod uploads;
mod writing;

use std::sync::Arc;
use std::time::Duration;

use compere_avatar::Cast;
use compere_house::assets::AddressRules;
use compere_house::catalogue::House;
use compere_house::desk::{Desk, DeskError, Wanted};
use compere_house::home::Home;
use compere_house::links::Links;
use compere_house::settings::Settings;
use compere_jobs::{Change, Engine};
use compere_speech::Voices;
use compere_store::{Account, Objects, Store};
use tokio::sync::{Semaphore, broadcast, watch};

pub use accept::Checked;
pub use ahead::to_bake_ahead;
pub use backup::{back_up, migrate, restore};
pub use crowd::{Crowd, Room, Seat, Seats};
pub use decks::{Sent, changes, original, warnings};
pub use exports::{Progress, State, seconds_left, warned};
pub use figures::Queue;
pub use files::Offer;
pub use first::First;
pub use fonts::{LARGEST_FONT, MAY_USE};
pub use hooks::HookRequest;
pub use housekeeping::tidy;
pub use limits::{Address, Allowance};
pub use older::request_of;
pub use once::Remembered;
pub use presenters::{
    Approvals, Coverage, Made, ModelLicence, Original, OwnView, Shown, Statement, TakeOf, Withdrawn, Workbench,
    portrait_link,
};
pub use projects::{Accepted, Estimate, Saved, blank_film, length};
pub use refusal::Refusal;
pub use register::{Invitation, Newcomer, Register, SHORTEST_PASSWORD};
pub use relink::{links, renew_links};
pub use simple::Spoken;
pub use tongues::{ToldBy, Tongue};
pub use uploads::{PATIENCE, Upload, Uploaded};

use turns::{EVERYBODY, Turns, Work};

/// Tells the engine what happened here, and us what happens there.
pub trait Bell: Send + Sync {
    /// There is something to make.
    fn ring(&self);
    /// Nobody waits for this export any more.
    fn cancel(&self, export: &str);
    /// What happens to exports, as it happens.
    fn changes(&self) -> broadcast::Receiver<Change>;
    /// Exports that are being made here.
    fn running(&self) -> Vec<String>;
    fn is_alive(&self) -> bool;
}

impl Bell for Engine {
    fn ring(&self) {
        Self::ring(self);
    }

    fn cancel(&self, export: &str) {
        Self::cancel(self, export);
    }

    fn changes(&self) -> broadcast::Receiver<Change> {
        Self::changes(self)
    }

    fn running(&self) -> Vec<String> {
        Self::running(self)
    }

    fn is_alive(&self) -> bool {
        Self::is_alive(self)
    }
}

/// Who asks. How they proved it is the door's business; what they may do is the same at every door.
#[derive(Clone, Debug)]
pub struct Member {
    pub account: Account,
    /// The workspace that their key pair is bound to: they see no other.
    pub workspace: Option<String>,
    /// Their key pair is one for tests: its films are marked, short, and cost nothing.
    pub test: bool,
}

impl Member {
    pub fn of(account: Account) -> Self {
        Self { account, workspace: None, test: false }
    }
}

/// Seconds before work begins, as things go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waits {
    /// On a frame or a sample.
    pub preview: f64,
    /// On a check of what is linked, or a text that is spoken at once.
    pub check: f64,
    /// On an import.
    pub document: f64,
}

/// What the office is made of.
pub struct Parts {
    pub home: Home,
    pub settings: Settings,
    pub store: Store,
    pub objects: Objects,
    pub bell: Arc<dyn Bell>,
    pub desk: Arc<dyn Desk>,
    /// The same for questions that take longer: nothing quick stands behind them.
    pub back_office: Arc<dyn Desk>,
    /// Makes presenters of footage.
    pub workbench: Arc<dyn Workbench>,
    pub links: Links,
    pub rules: Arc<AddressRules>,
    /// Names this build: another may draw otherwise.
    pub program: String,
    /// For an uploaded picture to be looked at.
    pub patience: Duration,
    /// Turns true when the service stops.
    pub stopping: watch::Receiver<bool>,
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parts").field("home", &self.home).finish_non_exhaustive()
    }
}

/// Everything that may be asked for. Doors hold it in an [`Arc`].
pub struct Office {
    pub home: Home,
    pub settings: Settings,
    pub links: Links,
    pub cast: Cast,
    pub voices: Voices,
    /// Who can present and speak, as the scene language asks for it: for everybody.
    house: House,
    /// Who is known here: accounts, keys, sessions.
    pub register: Register,
    /// How many of what are here at once.
    pub crowd: Crowd,
    coming: room::Coming,
    ahead: ahead::Ahead,
    prompter: presenters::Prompter,
    /// Turns true when the service stops: streams end then.
    pub stopping: watch::Receiver<bool>,
    rules: Arc<AddressRules>,
    store: Store,
    objects: Objects,
    bell: Arc<dyn Bell>,
    desk: Arc<dyn Desk>,
    back_office: Arc<dyn Desk>,
    workbench: Arc<dyn Workbench>,
    /// Presenters of footage.
    own: compere_own::Store,
    program: String,
    /// Whose turn it is.
    patience: Duration,
    turns: Turns,
    /// Pictures for lists are drawn one at a time: they are wanted by people who can wait a moment.
    drawing: Semaphore,
    kept: std::sync::atomic::AtomicU32,
}

impl std::fmt::Debug for Office {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Office").field("home", &self.home).finish_non_exhaustive()
    }
}

impl Office {
    pub fn open(parts: Parts) -> Arc<Self> {
        let Parts {
            home,
            settings,
            store,
            objects,
            bell,
            desk,
            back_office,
            workbench,
            links,
            rules,
            program,
            patience,
            stopping,
        } = parts;
        let own = compere_own::Store::new(&home.data);
        let (cast, voices) = (Cast::open(&home.assets), Voices::open(&home.assets, 1));
        let house = House::of(&cast, &voices)
            .with_files_of(&home.assets)
            .with_links(links.clone())
            .renamed(settings.aliases.clone(), settings.fallback_model.clone());
        let register = Register::of(store.clone(), &settings);
        let crowd = Crowd::new(settings.limits.body);
        Arc::new(Self {
            home,
            settings,
            links,
            cast,
            voices,
            house,
            register,
            crowd,
            coming: room::Coming::default(),
            ahead: ahead::Ahead::default(),
            prompter: presenters::Prompter::default(),
            stopping,
            rules,
            store,
            objects,
            bell,
            desk,
            back_office,
            workbench,
            own,
            program,
            patience,
            turns: Turns::new(),
            drawing: Semaphore::new(1),
            kept: std::sync::atomic::AtomicU32::new(0),
        })
    }

    /// Milliseconds since 1970, by the clock that all records go by.
    pub fn now(&self) -> i64 {
        self.store.now()
    }

    /// Asks somebody at the desk when it is this account's turn. Who leaves while waiting is not asked for; what was begun
    /// for them is given up, and keeps its place until it is. What is made for all is made to its end.
    pub(crate) async fn ask<T, F>(
        &self,
        account: &str,
        work: Work,
        question: impl FnOnce(Arc<dyn Desk>) -> F,
    ) -> Result<T, Refusal>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, DeskError>> + Send + 'static,
    {
        let turn = self.turns.wait(account, work).await?;
        let quick = matches!(work, Work::Frame | Work::Sample | Work::Picture);
        let desk = if quick { &self.desk } else { &self.back_office };
        let (waiter, somebody) = Wanted::by_somebody();
        let wanted = if account == EVERYBODY { Wanted::by_all() } else { somebody };
        let question = question(desk.wanted(account, wanted));
        let asked = tokio::spawn(async move {
            let answer = question.await;
            drop(turn);
            answer
        });
        let answer = asked.await.map_err(Refusal::inside)?;
        // Whoever drops us before lets the desk know by it.
        drop(waiter);
        Ok(answer?)
    }

    /// How long a member would wait who asks for something now.
    pub fn waits(&self, member: &Member) -> Waits {
        let seconds = |work| (self.turns.estimate(&member.account.id, work) * 10.0).round() / 10.0;
        Waits { preview: seconds(Work::Frame), check: seconds(Work::Check), document: seconds(Work::Import) }
    }

    /// What happens to exports, as it happens.
    pub fn changes(&self) -> broadcast::Receiver<Change> {
        self.bell.changes()
    }

    /// Puts everything down, when nobody asks any more.
    pub async fn close(&self) {
        self.store.close().await;
    }
}
