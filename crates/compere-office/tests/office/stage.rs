//! An office whose outside is pretended, and members who ask it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use compere_house::Kind;
use compere_house::assets::AddressRules;
use compere_house::desk::{Checked, Desk, DeskError, Dress, Later, Picture, Speech, View, Wanted, Who};
use compere_house::home::Home;
use compere_house::links::Links;
use compere_house::settings::Settings;
use compere_jobs::Change;
use compere_office::{Bell, Member, Newcomer, Office, Parts, Workbench};
use compere_own::{Made, Making};
use compere_store::{Objects, Plan, Role, Store, TestClock};
use serde_json::{Value, json};
use tokio::sync::{broadcast, watch};

pub struct Stage {
    pub office: Arc<Office>,
    pub bell: Arc<Heard>,
    /// The records behind the office, for what only the engine asks.
    pub store: Store,
    pub objects: Objects,
    pub clock: Arc<TestClock>,
    dir: tempfile::TempDir,
}

impl Stage {
    pub async fn open() -> Self {
        Self::open_with(Arc::new(Nobody), compere_office::PATIENCE).await
    }

    /// With somebody who answers what takes longer, and as much patience with a picture.
    pub async fn open_with(back_office: Arc<dyn Desk>, patience: Duration) -> Self {
        Self::open_between(Arc::new(Nobody), back_office, patience).await
    }

    /// With somebody who draws what is wanted at once.
    pub async fn open_before(desk: Arc<dyn Desk>) -> Self {
        Self::open_between(desk, Arc::new(Nobody), compere_office::PATIENCE).await
    }

    async fn open_between(desk: Arc<dyn Desk>, back_office: Arc<dyn Desk>, patience: Duration) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let assets = std::env::var_os("COMPERE_ASSETS")
            .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets")), PathBuf::from);
        let home = Home { assets, data: dir.path().to_owned() };
        let clock = Arc::new(TestClock::at(1_700_000_000_000));
        let settings = Settings::default();
        let url = settings.database_url(&home.data);
        let store = Store::open(&url, Plan::built_in(), Arc::clone(&clock) as _).await.expect("opens");
        let objects = Objects::folder(&dir.path().join("objects")).expect("opens");
        let bell = Arc::new(Heard::new());
        let (_, stopping) = watch::channel(false);
        let office = Office::open(Parts {
            links: Links::new("secret", settings.base_url(), 7),
            home,
            settings,
            store: store.clone(),
            objects: objects.clone(),
            bell: Arc::clone(&bell) as _,
            desk,
            back_office,
            workbench: Arc::new(Idle),
            rules: Arc::new(AddressRules::allowing("").expect("no rules")),
            program: "test".to_owned(),
            patience,
            stopping,
        });
        Self { office, bell, store, objects, clock, dir }
    }

    /// Where the office keeps what it can make anew.
    pub fn cache(&self) -> PathBuf {
        Home { assets: PathBuf::new(), data: self.dir.path().to_owned() }.cache()
    }

    pub async fn member(&self, name: &str) -> Member {
        let email = format!("{name}@example.com");
        let password = Some(format!("{name} has a password"));
        let new = Newcomer { email: &email, name, plan: "api", role: Role::Member, password };
        let invited = self.office.register.add(new).await.expect("is new");
        // Without credits nobody orders anything.
        self.office.register.grant(&invited.account.id, 10_000, "test").await.expect("is granted");
        Member::of(invited.account)
    }
}

/// A bell that only counts.
pub struct Heard {
    pub rung: Mutex<u32>,
    pub cancelled: Mutex<Vec<String>>,
    changes: broadcast::Sender<Change>,
}

impl Heard {
    fn new() -> Self {
        Self { rung: Mutex::default(), cancelled: Mutex::default(), changes: broadcast::channel(8).0 }
    }
}

impl Bell for Heard {
    fn ring(&self) {
        *self.rung.lock().expect("a lock") += 1;
    }

    fn cancel(&self, export: &str) {
        self.cancelled.lock().expect("a lock").push(export.to_owned());
    }

    fn changes(&self) -> broadcast::Receiver<Change> {
        self.changes.subscribe()
    }

    fn running(&self) -> Vec<String> {
        Vec::new()
    }

    fn is_alive(&self) -> bool {
        true
    }
}

/// Nobody is at the desk.
#[derive(Debug)]
struct Nobody;

fn away<T: Send + 'static>() -> Later<'static, T> {
    Box::pin(async { Err(DeskError::new(Kind::Unavailable, "nobody is here")) })
}

impl Desk for Nobody {
    fn still(&self, _: Value, _: View) -> Later<'_, Picture> {
        away()
    }

    fn say(&self, _: String, _: Who) -> Later<'_, Speech> {
        away()
    }

    fn check(&self, _: Value) -> Later<'_, Checked> {
        away()
    }

    fn size(&self, _: &str) -> Later<'_, (u32, u32)> {
        away()
    }

    fn bake_ahead(&self, _: Value) -> Later<'_, ()> {
        away()
    }

    fn look(&self, _: Value, _: Dress) -> Later<'_, Picture> {
        away()
    }

    fn wanted(&self, _: &str, _: Wanted) -> Arc<dyn Desk> {
        Arc::new(Self)
    }
}

/// Nobody makes presenters either.
struct Idle;

impl Workbench for Idle {
    fn make(&self, _: Making, _: watch::Sender<f64>) -> compere_jobs::crew::Later<'_, Result<Made, String>> {
        Box::pin(async { Err("nobody is here".to_owned()) })
    }
}

/// A film with one spoken scene, for voices that are always there.
pub fn film(name: &str) -> Value {
    json!({"name": name, "scenes": [{
        "sceneIdx": 0,
        "background": {"id": "background", "type": "background", "source_color": "rgb(32,64,96)"},
        "scripts": [{"org": "Good morning.", "isTTS": true, "tts": {"voice": "tone"},
                     "modelId": "figure", "clothId": "figure/plain"}],
        "clips": [{"id": "presenter", "type": "aiModel", "layer": 2, "left": 1200, "top": 180, "width": 600,
                   "height": 900, "model": {"ai_name": "figure", "emotion": "figure/plain"}}],
    }]})
}

pub fn draft(name: &str) -> Value {
    let mut film = film(name);
    film["isExport"] = json!(false);
    film
}
