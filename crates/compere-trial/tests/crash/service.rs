//! A service to be killed, and the house it stands in.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use compere_media::{Format, Orientation, Resolution};
use compere_store::{
    Account, Before, DeliveryState, Export, ExportState, HookMethod, Key, NewAccount, NewExport, NewProject, Objects,
    Order, Plan, Priority, ProjectKind, Role, Store, SystemClock, Webhook,
};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// Somebody who wants to hear of exports, and remembers what was said.
#[derive(Debug, Clone)]
pub struct Receiver {
    port: u16,
    /// Ids of webhooks by export.
    heard: Arc<Mutex<Vec<(String, String)>>>,
}

impl Receiver {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("listens");
        let port = listener.local_addr().expect("has an address").port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let notes = Arc::clone(&heard);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let mut reader = BufReader::new(stream);
                let (mut id, mut length, mut line) = (String::new(), 0, String::new());
                while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                    let lower = line.to_ascii_lowercase();
                    if let Some(value) = lower.strip_prefix("webhook-id:") {
                        id = value.trim().to_owned();
                    }
                    if let Some(value) = lower.strip_prefix("content-length:") {
                        length = value.trim().parse().unwrap_or(0);
                    }
                    line.clear();
                }
                let mut body = vec![0; length];
                let read = reader.read_exact(&mut body);
                let export = serde_json::from_slice::<Value>(&body).map(|body| body["backendTaskId"].clone());
                if let (Ok(()), Ok(Value::String(export))) = (read, export) {
                    notes.lock().expect("notes").push((export, id));
                }
                let _ = reader.into_inner().write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
            }
        });
        Self { port, heard }
    }
}

/// A data folder with one account, seen from outside.
#[derive(Debug)]
pub struct House {
    dir: tempfile::TempDir,
    runtime: Runtime,
    store: Store,
    objects: Objects,
    account: Account,
    key: (String, String),
    receiver: Receiver,
    accepted: Vec<String>,
    marks: usize,
}

impl House {
    pub fn new(receiver: Receiver) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let runtime = Runtime::new().expect("starts");
        let url = format!("sqlite:{}/compere.db", dir.path().display());
        let (store, objects, account, key) = runtime.block_on(async {
            let store = Store::open(&url, Plan::built_in(), Arc::new(SystemClock)).await.expect("opens");
            let new = NewAccount {
                email: "ada@example.com".into(),
                name: "Ada".into(),
                password: None,
                role: Role::Admin,
                plan: "api".into(),
            };
            let account = store.create_account(new).await.expect("creates");
            let key = store.issue_key(&account, "crash", None, false).await.expect("issues");
            let objects = Objects::folder(&dir.path().join("objects")).expect("opens");
            (store, objects, account, (key.app_id, key.user_key))
        });
        Self { dir, runtime, store, objects, account, key, receiver, accepted: Vec::new(), marks: 0 }
    }

    /// Starts the service and waits until it listens, or is dead.
    pub fn serve(&self, variables: &[(&str, &str)]) -> Service {
        let assets =
            std::env::var("COMPERE_ASSETS").unwrap_or_else(|_| format!("{}/../../assets", env!("CARGO_MANIFEST_DIR")));
        let log = std::fs::File::options().create(true).append(true).open(self.dir.path().join("log")).expect("opens");
        let mut child = Command::new(env!("CARGO_BIN_EXE_compere-trial"))
            .arg("serve")
            .env_remove("COMPERE_CRASH_AT")
            .env("COMPERE_ASSETS", assets)
            .env("COMPERE_DATA", self.dir.path())
            .env("COMPERE_LISTEN", "127.0.0.1:0")
            .env("COMPERE_WORKERS", "1")
            .env("COMPERE_WELCOME", "false")
            .env("COMPERE_ALLOW", format!("127.0.0.1:{}", self.receiver.port))
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("starts");
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("is piped"));
        // Nothing comes from one that dies before it listens.
        let _ = out.read_line(&mut line);
        let base = line.trim().rsplit(' ').next().unwrap_or_default().to_owned();
        let workers = children_of(child.id());
        Service { child, base, workers, _out: out, log: self.dir.path().join("log") }
    }

    /// A file that is not there yet.
    pub fn mark(&mut self) -> PathBuf {
        self.marks += 1;
        self.dir.path().join(format!("mark-{}", self.marks))
    }

    /// Makes whoever comes to that point stand still there.
    pub fn hold(&mut self, point: &'static str) -> Hold {
        Hold { point, file: self.mark().display().to_string() }
    }

    pub fn accept(&mut self, name: &str, sentences: usize) -> String {
        let words = format!("This is the film about {name}. ").repeat(sentences);
        let mut body = film(&words, &json!({"source_color": "#204060"}));
        if sentences > 2 {
            // Somebody who moves, so that there is something to draw.
            body["scenes"][0]["clips"] = json!([{
                "id": "presenter", "type": "aiModel", "layer": 1, "left": 500, "top": 100, "width": 900, "height": 980,
                "model": {"ai_name": "figure", "emotion": "figure/plain"},
            }]);
        }
        self.enqueue(name, Resolution::P480, &body)
    }

    pub fn accept_broken(&mut self, name: &str) -> String {
        let background = json!({"source_type": "image", "source_url": "http://127.0.0.1:9/none.png"});
        self.enqueue(name, Resolution::P480, &film("Nobody will hear this.", &background))
    }

    pub fn accept_large(&mut self, name: &str) -> String {
        let mut body = film("This one is large.", &json!({"source_color": "#204060"}));
        let clip = |n: usize| {
            json!({"id": format!("t{n}"), "type": "shape", "shapeName": "Circle", "left": n * 3, "top": n, "width": 1900, "height": 1000,
                   "fill": "#ff8800", "layer": n, "animation": {"type": "fade-in", "duration": 2.0, "delay": 0.0}})
        };
        body["scenes"][0]["clips"] = (1..40).map(clip).collect();
        self.enqueue(name, Resolution::P4k, &body)
    }

    fn enqueue(&mut self, name: &str, resolution: Resolution, body: &Value) -> String {
        let project = NewProject {
            id: None,
            account: self.account.id.clone(),
            workspace: None,
            name: name.to_owned(),
            orientation: Orientation::Landscape,
            kind: ProjectKind::Scenes,
            body: body.clone(),
            request: None,
            callback_id: None,
            importing: None,
        };
        let export = NewExport {
            project: String::new(),
            account: self.account.id.clone(),
            order: Order { name: name.to_owned(), resolution, format: Format::Mp4, snapshot: body.clone() },
            priority: Priority::Usual,
            webhook: Some(Webhook {
                url: format!("http://127.0.0.1:{}/hook", self.receiver.port),
                method: HookMethod::Post,
            }),
            callback_id: None,
            reserve: 5,
            test: false,
            warnings: vec![],
            presenters: Vec::new(),
        };
        let accepted = self.store.start_export(Before::Create(Box::new(project)), export);
        let project = self.runtime.block_on(accepted).expect("stores").expect("accepts");
        let id = project.export.expect("has an export").id;
        self.accepted.push(id.clone());
        id
    }

    pub fn export(&self, id: &str) -> Export {
        self.runtime.block_on(self.store.export(id)).expect("asks").expect("is there")
    }

    pub fn until(&self, id: &str, patience: Duration, is: impl Fn(&Export) -> bool) -> Export {
        let started = Instant::now();
        loop {
            let export = self.export(id);
            if is(&export) {
                return export;
            }
            assert!(
                started.elapsed() < patience,
                "{} stays {:?} ({})\n{}",
                export.order.name,
                export.state,
                export.activity,
                self.log()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until everything accepted is over and told.
    pub fn settle(&self, patience: Duration) {
        let started = Instant::now();
        loop {
            let open = self.runtime.block_on(self.store.queue()).expect("asks").0;
            let open: i64 = open.iter().filter(|(state, _)| !state.is_over()).map(|(_, count)| count).sum();
            let news = self.runtime.block_on(self.store.delivery_counts()).expect("asks");
            let waiting: i64 =
                news.iter().filter(|(state, _)| *state == DeliveryState::Pending).map(|(_, count)| count).sum();
            if open + waiting == 0 {
                return;
            }
            assert!(
                started.elapsed() < patience,
                "{open} exports, {waiting} webhooks left\n{}{}",
                self.tries(),
                self.log()
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Everything that has to hold in the end. Answers the exports, and how many webhooks were heard.
    pub fn account_for(&self) -> (Vec<Export>, usize) {
        let mut heard: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let notes = self.receiver.heard.lock().expect("notes").clone();
        for (export, id) in &notes {
            heard.entry(export.clone()).or_default().insert(id.clone());
        }
        let (mut exports, mut spent) = (Vec::new(), 0);
        for id in &self.accepted {
            let export = self.export(id);
            assert!(export.state.is_over(), "{} is lost: {:?}", export.order.name, export.state);
            let credits = export.credits.unwrap_or(0);
            spent += credits;
            let entries = self
                .runtime
                .block_on(self.store.ledger(&self.account.id, &compere_store::Page::newest(10_000)))
                .expect("asks");
            let kinds: Vec<&str> = entries
                .iter()
                .filter(|entry| entry.export.as_deref() == Some(id))
                .map(|entry| entry.kind.as_str())
                .collect();
            assert_eq!(kinds.len(), 2, "{}: {kinds:?}", export.order.name);
            if export.state == ExportState::Exported {
                let made = export.made.clone().expect("has files");
                let film = self.objects.local(&Key::Film(id.clone(), Format::Mp4)).expect("a folder");
                assert_eq!(std::fs::metadata(&film).expect("is there").len(), made.size, "{}", export.order.name);
                for key in [Key::Poster(id.clone()), Key::Vtt(id.clone()), Key::Srt(id.clone())] {
                    assert!(self.objects_has(&key), "{}: {key:?}", export.order.name);
                }
            } else {
                assert_eq!(credits, 0);
                assert!(!self.objects_has(&Key::Film(id.clone(), Format::Mp4)), "{}", export.order.name);
            }
            let ids = heard.get(id).map_or(0, BTreeSet::len);
            assert_eq!(ids, 1, "{}: one webhook under one id, however often it came", export.order.name);
            exports.push(export);
        }
        let balance = self.runtime.block_on(self.store.balance(&self.account.id)).expect("sums");
        assert_eq!(balance, 6_000 - spent, "the ledger adds up");
        let scratch = std::fs::read_dir(self.dir.path().join("jobs")).map_or(0, Iterator::count);
        assert_eq!(scratch, 0, "nothing half-made lies around");
        (exports, notes.len())
    }

    pub fn objects_has(&self, key: &Key) -> bool {
        self.objects.local(key).is_some_and(|file| file.is_file())
    }

    pub fn projects(&self) -> i64 {
        let list = compere_store::ProjectList {
            page: compere_store::Page::newest(10),
            ..compere_store::ProjectList::default()
        };
        self.runtime.block_on(self.store.projects(&self.account.id, &list)).expect("lists").1
    }

    /// Another process that writes to the database and takes its time.
    pub fn lock_for(&self, time: Duration) {
        use sqlx::sqlite::SqliteConnectOptions;
        use sqlx::{ConnectOptions, Connection};
        let file = self.dir.path().join("compere.db");
        self.runtime.block_on(async {
            let wait = Duration::from_secs(20);
            let mut raw =
                SqliteConnectOptions::new().filename(&file).busy_timeout(wait).connect().await.expect("opens");
            sqlx::query("BEGIN IMMEDIATE").execute(&mut raw).await.expect("locks");
            tokio::time::sleep(time).await;
            sqlx::query("COMMIT").execute(&mut raw).await.expect("lets go");
            raw.close().await.expect("closes");
        });
    }

    /// A data folder for another service.
    pub fn mark_folder(&self) -> String {
        self.dir.path().join("elsewhere").display().to_string()
    }

    /// Where the records are.
    pub fn records(&self) -> String {
        format!("sqlite:{}/compere.db", self.dir.path().display())
    }

    /// A disk with room for almost nothing, where films are made. Whoever runs this may mount, as in a container or as
    /// root; `unshare --user --map-root-user --mount` gives that to anybody.
    pub fn small_disk(&self) -> Disk {
        let at = self.dir.path().join("jobs");
        let mount = |options: &str| {
            let done = Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&at).status();
            done.is_ok_and(|status| status.success())
        };
        let mounted = mount("size=32k");
        assert!(mounted, "a small disk cannot be mounted: run this as root or under `unshare -Urm`");
        Disk { at }
    }

    /// What became of the webhooks.
    fn tries(&self) -> String {
        let news =
            self.accepted.iter().flat_map(|id| self.runtime.block_on(self.store.deliveries_of(id)).expect("asks"));
        news.map(|(delivery, tries)| format!("{} {} {tries:?}\n", delivery.url, delivery.state)).collect()
    }

    fn log(&self) -> String {
        let log = std::fs::read_to_string(self.dir.path().join("log")).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(25)..].join("\n")
    }
}

/// A point at which processes stand still until they are let go.
#[derive(Debug)]
pub struct Hold {
    point: &'static str,
    file: String,
}

impl Hold {
    pub fn variables(&self) -> [(&str, &str); 2] {
        [("COMPERE_HOLD_AT", self.point), ("COMPERE_HOLD_FILE", &self.file)]
    }

    /// Waits until somebody stands there.
    pub fn comes(&self, service: &Service, patience: Duration) {
        let started = Instant::now();
        while !Path::new(&self.file).exists() {
            let log = || std::fs::read_to_string(&service.log).unwrap_or_default();
            assert!(started.elapsed() < patience, "nobody came to `{}`\n{}", self.point, log());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    pub fn let_go(&self) {
        std::fs::remove_file(&self.file).expect("somebody stood there");
    }
}

#[derive(Debug)]
pub struct Disk {
    at: PathBuf,
}

impl Disk {
    pub fn grow(&self) {
        let done = Command::new("mount").args(["-o", "remount,size=64m"]).arg(&self.at).status();
        assert!(done.is_ok_and(|status| status.success()), "grows");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.at).status();
    }
}

fn film(words: &str, background: &Value) -> Value {
    json!({"name": "Crash", "orientation": "landscape", "scenes": [{
        "sceneIdx": 0,
        "background": background,
        "clips": [],
        "scripts": [{"org": words, "isTTS": true, "tts": {"voice": "tone", "speed": 2.0},
                     "modelId": "figure", "clothId": "figure/plain"}],
    }]})
}

/// A running service. Dropping it kills it.
#[derive(Debug)]
pub struct Service {
    child: Child,
    base: String,
    workers: Vec<u32>,
    _out: BufReader<std::process::ChildStdout>,
    log: PathBuf,
}

impl Service {
    /// Waits until it has died of what it was told to die of.
    pub fn dies(&mut self, of: &str, patience: Duration) {
        let started = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("can be seen") {
                break status;
            }
            let log = || std::fs::read_to_string(&self.log).unwrap_or_default();
            assert!(started.elapsed() < patience, "the service never came to `{of}`\n{}", log());
            std::thread::sleep(Duration::from_millis(10));
        };
        assert_eq!(status.signal(), Some(6), "`{of}` ended it as {status}");
    }

    /// Waits until it has refused to serve, and says why it did.
    pub fn gives_up(&mut self, patience: Duration) -> String {
        let started = Instant::now();
        while self.child.try_wait().expect("can be seen").is_none() {
            assert!(started.elapsed() < patience, "it serves");
            std::thread::sleep(Duration::from_millis(10));
        }
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    pub fn kill(&mut self) {
        self.workers = children_of(self.child.id());
        self.child.kill().expect("dies");
        self.child.wait().expect("is dead");
    }

    pub fn kill_workers(&self) {
        for worker in children_of(self.child.id()) {
            let _ = Command::new("kill").args(["-9", &worker.to_string()]).status();
        }
    }

    pub fn workers_are_gone(&self, patience: Duration) -> bool {
        let started = Instant::now();
        while self.workers.iter().any(|worker| Path::new(&format!("/proc/{worker}")).exists()) {
            if started.elapsed() > patience {
                return false;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        !self.workers.is_empty()
    }

    pub fn ask_to_stop(&mut self) {
        let _ = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
    }

    /// Asks it to stop, which it does in time and without complaint.
    pub fn stops(mut self, patience: Duration) {
        let started = Instant::now();
        self.ask_to_stop();
        while started.elapsed() < patience {
            if let Some(status) = self.child.try_wait().expect("can be seen") {
                assert!(status.success(), "{status}");
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("it did not stop within {patience:?}");
    }

    /// A film by way of the API.
    pub fn post_project(&self, house: &House) -> Result<Value, String> {
        let credentials = json!({"appId": house.key.0, "userKey": house.key.1}).to_string();
        let send = |path: &str, token: &str, body: String| post(&self.base, path, token, &body);
        let token = send("/api/odin/v3/auth/token", "", credentials)?;
        let token = token["data"]["token"].as_str().ok_or_else(|| token.to_string())?.to_owned();
        let mut body = film("Sent through the front door.", &json!({"source_color": "#204060"}));
        body["resolution"] = json!("480");
        send("/api/odin/v3/editor/project", &token, body.to_string())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// As plain as HTTP gets: a connection that breaks is an error.
fn post(base: &str, path: &str, token: &str, body: &str) -> Result<Value, String> {
    let host = base.trim_start_matches("http://");
    let said = |error: std::io::Error| error.to_string();
    let mut stream = std::net::TcpStream::connect(host).map_err(said)?;
    let length = body.len();
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: {host}\r\nauthorization: {token}\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).map_err(said)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(said)?;
    let (_, body) = answer.split_once("\r\n\r\n").ok_or("no answer")?;
    // The document, whether or not it came in chunks.
    let document =
        body.find('{').and_then(|start| Some(&body[start..=body.rfind('}')?])).ok_or_else(|| answer.clone())?;
    serde_json::from_str(document).map_err(|error| format!("{error}: {answer}"))
}

fn children_of(parent: u32) -> Vec<u32> {
    let text = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).unwrap_or_default();
    let mut all: Vec<u32> = text.split_whitespace().filter_map(|id| id.parse().ok()).collect();
    // The kernel lists children by the thread that started them.
    for thread in std::fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        all.extend(text.split_whitespace().filter_map(|id| id.parse::<u32>().ok()));
    }
    all.sort_unstable();
    all.dedup();
    all
}
