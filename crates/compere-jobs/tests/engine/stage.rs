//! Puppets, a clock that jumps, and everything an engine stands on.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use compere_jobs::crew::Later;
use compere_jobs::{Commission, Crew, Engine, EngineSettings, Headway, Herald, Outcome, Parts, Post, Sender};
use compere_media::{Activity, Cut, Format, Orientation, Resolution};
use compere_store::{
    Account, Announcement, Before, Clock, Ended, Export, ExportState, Finished, HookMethod, Made, NewAccount,
    NewExport, NewProject, Objects, Occasion, Order, Plan, Priority, Product, ProjectKind, Role, Store, SystemClock,
    Webhook,
};
use serde_json::json;
use tokio::sync::{mpsc, watch};

/// The wall's clock, moved at will.
#[derive(Debug)]
pub struct Jumping(AtomicI64);

impl Jumping {
    /// In the middle of a month, at the wall's hour: credits come back when a month begins, and whoever counts them here
    /// would count others on its last evening.
    fn midmonth() -> Self {
        let today = compere_store::Civil::of(SystemClock.now()).day;
        Self(AtomicI64::new((15 - today) * 24 * 3_600_000))
    }

    pub fn jump(&self, millis: i64) {
        self.0.fetch_add(millis, Ordering::SeqCst);
    }
}

impl Clock for Jumping {
    fn now(&self) -> i64 {
        SystemClock.now() + self.0.load(Ordering::SeqCst)
    }
}

/// What the crew does with a film of a given name.
#[derive(Clone, Debug)]
pub enum Play {
    Make,
    /// Takes so long, telling how far it is.
    Slow(Duration),
    Die,
    /// Until it is told to stop.
    Hang,
    Hiccup,
    /// Meets an error of ours: always the same, or another one every time.
    Bug,
    Bugs,
    /// Tells that it does this, and hangs.
    At(Activity),
    Fail,
    /// Hiccups until that many tries are over.
    MakeAfter(usize),
    /// Its author cancels it in the last moment.
    CancelledAtTheEnd,
}

#[derive(Debug)]
pub struct Puppets {
    pub plays: Mutex<HashMap<String, Play>>,
    pub size: usize,
    dir: PathBuf,
    store: Store,
    /// Names of films in the order they were taken up.
    pub taken: Mutex<Vec<String>>,
    pub at_once: AtomicUsize,
    pub most_at_once: AtomicUsize,
    pub tidied: AtomicUsize,
    /// Seconds that films were allowed to last.
    pub longest: Mutex<Vec<f64>>,
}

impl Puppets {
    async fn perform(
        &self,
        job: &Commission,
        steps: mpsc::Sender<Headway>,
        mut stop: watch::Receiver<bool>,
    ) -> Outcome {
        let play = self.plays.lock().expect("plays").get(&job.order.name).cloned().unwrap_or(Play::Make);
        let tries = {
            let mut taken = self.taken.lock().expect("taken");
            taken.push(job.order.name.clone());
            taken.iter().filter(|name| **name == job.order.name).count()
        };
        self.longest.lock().expect("longest").push(job.longest);
        match play {
            Play::Make => self.made(job),
            Play::Slow(time) => {
                let started = Instant::now();
                while started.elapsed() < time {
                    let percent = started.elapsed().as_secs_f64() / time.as_secs_f64() * 90.0;
                    let _ = steps.send(Headway { activity: Activity::Drawing, percent }).await;
                    tokio::select! {
                        () = tokio::time::sleep(Duration::from_millis(20)) => {}
                        _ = stop.wait_for(|stop| *stop) => return Outcome::Cancelled,
                    }
                }
                self.made(job)
            }
            Play::Die => Outcome::Died { how: "it was killed".into() },
            Play::Hang => {
                let _ = steps.send(Headway { activity: Activity::Drawing, percent: 40.0 }).await;
                let _ = stop.wait_for(|stop| *stop).await;
                Outcome::Cancelled
            }
            Play::At(activity) => {
                let _ = steps.send(Headway { activity, percent: 40.0 }).await;
                let _ = stop.wait_for(|stop| *stop).await;
                Outcome::Cancelled
            }
            Play::Hiccup => Outcome::Hiccup { message: "the disk is full".into() },
            Play::Bug => Outcome::Bug { message: "scenes[3]: drawing it ended in an error of ours".into() },
            Play::Bugs => Outcome::Bug { message: format!("scenes[{tries}]: drawing it ended in an error of ours") },
            Play::Fail => Outcome::Failed { message: "scenes[0].clips[0]: no such picture".into() },
            Play::MakeAfter(most) if tries <= most => Outcome::Hiccup { message: "the disk is full".into() },
            Play::MakeAfter(_) => self.made(job),
            Play::CancelledAtTheEnd => {
                assert!(self.store.cancel_export(&job.export).await.expect("cancels"));
                self.made(job)
            }
        }
    }

    fn made(&self, job: &Commission) -> Outcome {
        let film = self.dir.join(format!("{}-{}.mp4", job.export, job.fence));
        std::fs::write(&film, &job.order.name).expect("writes");
        let cut = Cut { duration: 12.0, ..Cut::default() };
        let made = Made { cut, size: 4, file_name: format!("{}.mp4", job.order.name), ..Made::default() };
        Outcome::Made(Box::new(Finished { made, files: vec![(Product::Film, film)] }))
    }
}

impl Crew for Puppets {
    fn size(&self) -> usize {
        self.size
    }

    fn make<'a>(
        &'a self,
        job: Commission,
        steps: mpsc::Sender<Headway>,
        stop: watch::Receiver<bool>,
    ) -> Later<'a, Outcome> {
        Box::pin(async move {
            let now = self.at_once.fetch_add(1, Ordering::SeqCst) + 1;
            self.most_at_once.fetch_max(now, Ordering::SeqCst);
            let outcome = self.perform(&job, steps, stop).await;
            self.at_once.fetch_sub(1, Ordering::SeqCst);
            outcome
        })
    }

    fn tidy<'a>(&'a self, _: &'a str) -> Later<'a, ()> {
        self.tidied.fetch_add(1, Ordering::SeqCst);
        Box::pin(std::future::ready(()))
    }
}

#[derive(Debug)]
pub struct Crier;

impl Herald for Crier {
    fn announce(&self, export: &Export, ended: &Ended) -> Option<Announcement> {
        let event = match ended {
            Ended::Exported { .. } => Occasion::Completed,
            Ended::Failed { .. } => Occasion::Failed,
            Ended::Cancelled => return None,
        };
        let own = export.webhook.as_ref().map(|webhook| (webhook.url.clone(), webhook.method));
        Some(Announcement { event, own, body: "{}".into() })
    }
}

/// Answers by the host that is called: `dead` hangs, `s405` answers 405 to POST, `s500` with that status.
#[derive(Debug, Default)]
pub struct Receivers {
    pub got: Mutex<Vec<Post>>,
    busy: Mutex<HashMap<String, usize>>,
    pub most_per_host: AtomicUsize,
}

impl Sender for Receivers {
    fn send<'a>(&'a self, post: Post) -> Later<'a, Result<u16, String>> {
        Box::pin(async move {
            let host = post.url.split('/').nth(2).unwrap_or_default().to_owned();
            let now = {
                let mut busy = self.busy.lock().expect("busy");
                let count = busy.entry(host.clone()).or_default();
                *count += 1;
                *count
            };
            self.most_per_host.fetch_max(now, Ordering::SeqCst);
            self.got.lock().expect("got").push(post.clone());
            let answer = match host.as_str() {
                "dead" => {
                    tokio::time::sleep(Duration::from_secs(60)).await;
                    Err("it sent nothing".to_owned())
                }
                "refused" => Err("`refused` is a private address; the operator may allow it".to_owned()),
                "s405" if post.method == HookMethod::Post => Ok(405),
                "s410" => Ok(410),
                "s302" => Ok(302),
                "s500" => Ok(500),
                _ => Ok(204),
            };
            if let Some(count) = self.busy.lock().expect("busy").get_mut(&host) {
                *count -= 1;
            }
            answer
        })
    }
}

/// Starts an engine on what it is given. The suite is one; every engine that there is runs it.
pub type Begin = fn(Parts) -> Later<'static, Engine>;

/// A database, a crew and receivers; engines come and go.
#[derive(Debug)]
pub struct World {
    begin: Begin,
    pub store: Store,
    pub clock: Arc<Jumping>,
    pub crew: Arc<Puppets>,
    pub receivers: Arc<Receivers>,
    pub account: Account,
    pub lease: Duration,
    objects: Objects,
    dir: PathBuf,
    _owned: Option<tempfile::TempDir>,
}

impl World {
    pub async fn new(begin: Begin, workers: usize) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let world = Self::within(begin, workers, dir.path()).await;
        Self { _owned: Some(dir), ..world }
    }

    /// The world of another process, whose folder it keeps.
    pub async fn within(begin: Begin, workers: usize, dir: &Path) -> Self {
        let clock = Arc::new(Jumping::midmonth());
        let url = format!("sqlite:{}/compere.db", dir.display());
        let store = Store::open(&url, Plan::built_in(), clock.clone()).await.expect("opens");
        let objects = Objects::folder(&dir.join("objects")).expect("opens");
        let crew = Arc::new(Puppets {
            plays: Mutex::default(),
            size: workers,
            dir: dir.to_owned(),
            store: store.clone(),
            taken: Mutex::default(),
            at_once: AtomicUsize::new(0),
            most_at_once: AtomicUsize::new(0),
            tidied: AtomicUsize::new(0),
            longest: Mutex::default(),
        });
        // Whoever comes second to a world has an account of their own.
        let name = if store.account_by_email("ada@example.com").await.expect("asks").is_some() { "eve" } else { "ada" };
        let account = account(&store, &format!("{name}@example.com")).await;
        let lease = Duration::from_secs(30);
        let (receivers, dir) = (Arc::default(), dir.to_owned());
        Self { begin, store, clock, crew, receivers, account, lease, objects, dir, _owned: None }
    }

    /// Film files that are kept.
    pub fn kept(&self, export: &str) -> bool {
        let film = compere_store::Key::Film(export.to_owned(), Format::Mp4);
        self.objects.local(&film).is_some_and(|file| file.is_file())
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub async fn engine(&self) -> Engine {
        let settings =
            EngineSettings { name: "test".into(), lease: self.lease, idle: Duration::from_millis(20), deliveries: 64 };
        let parts = Parts {
            store: self.store.clone(),
            objects: self.objects.clone(),
            crew: self.crew.clone(),
            herald: Arc::new(Crier),
            sender: self.receivers.clone(),
            settings,
        };
        (self.begin)(parts).await
    }

    /// Accepts an export of that name and answers its id.
    pub async fn accept(&self, name: &str, play: Play) -> String {
        self.accept_for(&self.account, name, play, Priority::Usual, None).await
    }

    pub async fn accept_for(
        &self,
        account: &Account,
        name: &str,
        play: Play,
        priority: Priority,
        webhook: Option<(&str, HookMethod)>,
    ) -> String {
        self.crew.plays.lock().expect("plays").insert(name.to_owned(), play);
        let project = NewProject {
            id: None,
            account: account.id.clone(),
            workspace: None,
            name: name.to_owned(),
            orientation: Orientation::Landscape,
            kind: ProjectKind::Scenes,
            body: json!({"scenes": [{}]}),
            request: None,
            callback_id: None,
            importing: None,
        };
        let export = NewExport {
            project: String::new(),
            account: account.id.clone(),
            order: Order {
                name: name.to_owned(),
                resolution: Resolution::P480,
                format: Format::Mp4,
                snapshot: json!({"scenes": [{}]}),
            },
            priority,
            webhook: webhook.map(|(url, method)| Webhook { url: url.to_owned(), method }),
            callback_id: None,
            reserve: 5,
            test: false,
            warnings: vec![],
            presenters: Vec::new(),
        };
        let accepted = self.store.start_export(Before::Create(Box::new(project)), export).await.expect("stores");
        let project = accepted.expect("accepts");
        project.export.expect("has an export").id
    }

    pub async fn export(&self, id: &str) -> Export {
        self.store.export(id).await.expect("asks").expect("is there")
    }

    /// Waits for a state; `hurry` lets hours pass on the wall meanwhile, so that nobody waits for backoffs.
    pub async fn until(&self, id: &str, state: ExportState, hurry: bool) -> Export {
        let started = Instant::now();
        loop {
            let export = self.export(id).await;
            if export.state == state {
                return export;
            }
            assert!(!export.state.is_over(), "{} ended as {:?}: {:?}", export.order.name, export.state, export.error);
            assert!(started.elapsed() < Duration::from_secs(15), "{} stays {:?}", export.order.name, export.state);
            if hurry {
                self.clock.jump(10_000);
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    pub fn taken(&self) -> Vec<String> {
        self.crew.taken.lock().expect("taken").clone()
    }
}

pub async fn account(store: &Store, email: &str) -> Account {
    on_plan(store, email, "api").await
}

pub async fn on_plan(store: &Store, email: &str, plan: &str) -> Account {
    let new = NewAccount {
        email: email.into(),
        name: "Somebody".into(),
        password: None,
        role: Role::Member,
        plan: plan.into(),
    };
    store.create_account(new).await.expect("creates")
}
