//! Puppets, a clock that jumps, and everything an engine stands on.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use compere_jobs::crew::Later;
use compere_jobs::{Crew, Engine, EngineSettings, Herald, Job, MadeFiles, Outcome, Parts, Post, Sender, Step};
use compere_store::{
    Account, Before, Clock, Ended, Export, ExportState, Made, NewAccount, NewDelivery, NewExport, NewProject, Objects,
    Plan, ProjectKind, Role, Store, SystemClock,
};
use serde_json::json;
use tokio::sync::{mpsc, watch};

/// The wall's clock, moved at will.
#[derive(Debug, Default)]
pub struct Jumping(AtomicI64);

impl Jumping {
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
}

impl Puppets {
    async fn perform(&self, job: &Job, steps: mpsc::Sender<Step>, mut stop: watch::Receiver<bool>) -> Outcome {
        let play = self.plays.lock().expect("plays").get(&job.name).cloned().unwrap_or(Play::Make);
        let tries = {
            let mut taken = self.taken.lock().expect("taken");
            taken.push(job.name.clone());
            taken.iter().filter(|name| **name == job.name).count()
        };
        match play {
            Play::Make => self.made(job),
            Play::Slow(time) => {
                let started = Instant::now();
                while started.elapsed() < time {
                    let percent = started.elapsed().as_secs_f64() / time.as_secs_f64() * 90.0;
                    let _ = steps.send(Step { step: "drawing".into(), percent }).await;
                    tokio::select! {
                        () = tokio::time::sleep(Duration::from_millis(20)) => {}
                        _ = stop.wait_for(|stop| *stop) => return Outcome::Cancelled,
                    }
                }
                self.made(job)
            }
            Play::Die => Outcome::WorkerDied("it was killed".into()),
            Play::Hang => {
                let _ = steps.send(Step { step: "drawing".into(), percent: 40.0 }).await;
                let _ = stop.wait_for(|stop| *stop).await;
                Outcome::Cancelled
            }
            Play::Hiccup => Outcome::Hiccup("the disk is full".into()),
            Play::Fail => Outcome::Failed { code: 5010, message: "scenes[0].clips[0]: no such picture".into() },
            Play::MakeAfter(most) if tries <= most => Outcome::Hiccup("the disk is full".into()),
            Play::MakeAfter(_) => self.made(job),
            Play::CancelledAtTheEnd => {
                assert!(self.store.cancel_export(&job.export).await.expect("cancels"));
                self.made(job)
            }
        }
    }

    fn made(&self, job: &Job) -> Outcome {
        let film = self.dir.join(format!("{}-{}.mp4", job.export, job.fence));
        std::fs::write(&film, &job.name).expect("writes");
        let made = Made { duration: 12.0, size: 4, file_name: format!("{}.mp4", job.name), ..Made::default() };
        Outcome::Made(Box::new(MadeFiles { made, film, poster: None, vtt: None, srt: None }))
    }
}

impl Crew for Puppets {
    fn size(&self) -> usize {
        self.size
    }

    fn make<'a>(&'a self, job: Job, steps: mpsc::Sender<Step>, stop: watch::Receiver<bool>) -> Later<'a, Outcome> {
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
    fn announce(&self, export: &Export, ended: &Ended) -> Option<NewDelivery> {
        let event = match ended {
            Ended::Exported { .. } => "export.completed",
            Ended::Failed { .. } => "export.failed",
            Ended::Cancelled => return None,
        };
        Some(NewDelivery {
            account: export.account.clone(),
            export: export.id.clone(),
            event: event.into(),
            url: export.webhook.clone()?,
            method: export.webhook_method.clone(),
            body: "{}".into(),
        })
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
                "s405" if post.method == "POST" => Ok(405),
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

/// A database, a crew and receivers; engines come and go.
#[derive(Debug)]
pub struct World {
    pub store: Store,
    pub clock: Arc<Jumping>,
    pub crew: Arc<Puppets>,
    pub receivers: Arc<Receivers>,
    pub account: Account,
    pub lease: Duration,
    objects: Objects,
    dir: tempfile::TempDir,
}

impl World {
    pub async fn new(workers: usize) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let clock = Arc::new(Jumping::default());
        let url = format!("sqlite:{}/compere.db", dir.path().display());
        let store = Store::open(&url, Plan::built_in(), clock.clone()).await.expect("opens");
        let objects = Objects::folder(&dir.path().join("objects")).expect("opens");
        let crew = Arc::new(Puppets {
            plays: Mutex::default(),
            size: workers,
            dir: dir.path().to_owned(),
            store: store.clone(),
            taken: Mutex::default(),
            at_once: AtomicUsize::new(0),
            most_at_once: AtomicUsize::new(0),
            tidied: AtomicUsize::new(0),
        });
        let account = account(&store, "ada@example.com").await;
        let lease = Duration::from_secs(30);
        Self { store, clock, crew, receivers: Arc::default(), account, lease, objects, dir }
    }

    pub fn dir(&self) -> &std::path::Path {
        self.dir.path()
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
        Engine::start(parts).await.expect("starts")
    }

    /// Accepts an export of that name and answers its id.
    pub async fn accept(&self, name: &str, play: Play) -> String {
        self.accept_for(&self.account, name, play, 0, None).await
    }

    pub async fn accept_for(
        &self,
        account: &Account,
        name: &str,
        play: Play,
        priority: i64,
        webhook: Option<(&str, &str)>,
    ) -> String {
        self.crew.plays.lock().expect("plays").insert(name.to_owned(), play);
        let project = NewProject {
            id: None,
            account: account.id.clone(),
            workspace: None,
            name: name.to_owned(),
            orientation: "landscape".into(),
            kind: ProjectKind::Scenes,
            body: json!({"scenes": [{}]}),
            request: None,
            callback_id: None,
            importing: None,
        };
        let export = NewExport {
            project: String::new(),
            account: account.id.clone(),
            name: name.to_owned(),
            resolution: "480".into(),
            format: "mp4".into(),
            snapshot: json!({"scenes": [{}]}),
            priority,
            webhook: webhook.map(|(url, _)| url.to_owned()),
            webhook_method: webhook.map_or("POST", |(_, method)| method).to_owned(),
            callback_id: None,
            reserve: 5,
            warnings: vec![],
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
            assert!(!export.state.is_over(), "{} ended as {:?}: {:?}", export.name, export.state, export.error);
            assert!(started.elapsed() < Duration::from_secs(15), "{} stays {:?}", export.name, export.state);
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
    let new = NewAccount {
        email: email.into(),
        name: "Somebody".into(),
        password: None,
        role: Role::Member,
        plan: "api".into(),
    };
    store.create_account(new).await.expect("creates")
}
