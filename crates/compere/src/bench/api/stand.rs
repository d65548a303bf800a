//! A service with customers: its own data folder, accounts, some projects each, and films to make.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use compere_media::{Format, Orientation, Resolution};
use compere_store::{
    Account, Before, NewAccount, NewExport, NewProject, Order, Plan, Priority, ProjectKind, ProjectList, Role, Store,
    SystemClock,
};
use serde_json::{Value, json};

/// Clients of one account. At a question a second they stay below the 600 a minute that the plan `api` allows.
const SHARED: usize = 8;
/// Projects that an account has before.
const PROJECTS: usize = 40;

pub(super) struct Stand {
    dir: tempfile::TempDir,
    child: Child,
    address: SocketAddr,
    keys: Vec<(String, String)>,
    accounts: Vec<String>,
    /// Its output is heard to the end.
    _out: BufReader<std::process::ChildStdout>,
}

/// What became of the films.
#[derive(Clone, Copy)]
pub(super) struct Films {
    pub(super) made: i64,
    pub(super) at_work: i64,
}

impl Stand {
    pub(super) async fn open(exe: &Path, assets: &Path, clients: usize) -> Result<Self, String> {
        let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
        let store = store(dir.path()).await?;
        let (mut keys, mut accounts) = (Vec::new(), Vec::new());
        for number in 0..clients.div_ceil(SHARED) {
            let account = settle(&store, number).await.map_err(|error| error.to_string())?;
            for client in 0..SHARED.min(clients - number * SHARED) {
                let key = store.issue_key(&account, &format!("client {client}"), None, false).await;
                let key = key.map_err(|error| error.to_string())?;
                keys.push((key.app_id, key.user_key));
            }
            accounts.push(account.id);
        }
        commission(&store, &accounts[0]).await?;
        store.close().await;
        let (child, address, out) = serve(exe, assets, dir.path())?;
        Ok(Self { dir, child, address, keys, accounts, _out: out })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(super) fn keys(&self) -> &[(String, String)] {
        &self.keys
    }

    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Seconds that the processors have worked for the service, workers not counted.
    pub(super) fn processor(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid())).unwrap_or_default();
        // Behind the name in brackets, which may have blanks: state is the first field, the two times are the 12th and 13th.
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
        (ticks(11) + ticks(12)) / rustix::param::clock_ticks_per_second() as f64
    }

    pub(super) async fn films(&self) -> Result<Films, String> {
        let store = store(self.dir.path()).await?;
        let (mut made, mut at_work) = (0, 0);
        for account in &self.accounts {
            for state in ["exported", "synthesizing", "rendering", "finishing"] {
                let list = ProjectList { state: Some(state.to_owned()), limit: 1, ..ProjectList::default() };
                let (_, count) = store.projects(account, &list).await.map_err(|error| error.to_string())?;
                *if state == "exported" { &mut made } else { &mut at_work } += count;
            }
        }
        store.close().await;
        Ok(Films { made, at_work })
    }

    /// Asks it to end, as an operator would.
    pub(super) fn close(&mut self) -> Result<(), String> {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).map_err(|error| error.to_string())?;
        let status = self.child.wait().map_err(|error| error.to_string())?;
        if status.success() { Ok(()) } else { Err(format!("the service ended with {status}")) }
    }
}

impl Drop for Stand {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn store(data: &Path) -> Result<Store, String> {
    let url = format!("sqlite:{}", data.join("compere.db").display());
    Store::open(&url, Plan::built_in(), Arc::new(SystemClock)).await.map_err(|error| error.to_string())
}

fn serve(
    exe: &Path,
    assets: &Path,
    data: &Path,
) -> Result<(Child, SocketAddr, BufReader<std::process::ChildStdout>), String> {
    let settings = "welcome = false\nworkers = 1\nbehind_proxy = true\n";
    std::fs::write(data.join("compere.toml"), settings).map_err(|error| error.to_string())?;
    let log = std::fs::File::create(data.join("log")).map_err(|error| error.to_string())?;
    let mut child = Command::new(exe)
        .arg("serve")
        .env("COMPERE_ASSETS", assets)
        .env("COMPERE_DATA", data)
        .env("COMPERE_LISTEN", "127.0.0.1:0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut out = BufReader::new(child.stdout.take().ok_or("a service without output")?);
    let mut line = String::new();
    out.read_line(&mut line).map_err(|error| error.to_string())?;
    let address = line.trim().rsplit("//").next().and_then(|address| address.parse().ok());
    let Some(address) = address else {
        let _ = child.kill();
        let log = std::fs::read_to_string(data.join("log")).unwrap_or_default();
        return Err(format!("the service did not start: {log}"));
    };
    Ok((child, address, out))
}

/// A customer who has been there for a while.
async fn settle(store: &Store, number: usize) -> Result<Account, compere_store::StoreError> {
    let account = NewAccount {
        email: format!("customer{number}@example.com"),
        name: format!("Customer {number}"),
        password: None,
        role: Role::Member,
        plan: "api".to_owned(),
    };
    let account = store.create_account(account).await?;
    for at in 0..PROJECTS {
        let film = film(&format!("Project {at}"), &format!("This was project {at}."), 3);
        store.create_project(project(&account.id, &film)).await?;
    }
    Ok(account)
}

fn project(account: &str, film: &Value) -> NewProject {
    NewProject {
        id: None,
        account: account.to_owned(),
        workspace: None,
        name: film["name"].as_str().unwrap_or_default().to_owned(),
        orientation: Orientation::Landscape,
        kind: ProjectKind::Scenes,
        body: film.clone(),
        request: None,
        callback_id: None,
        importing: None,
    }
}

/// A film of many minutes that the worker begins with.
async fn commission(store: &Store, account: &str) -> Result<(), String> {
    let film = film("The long one", &"This film goes on and on, so that there is something to do. ".repeat(6), 60);
    let export = NewExport {
        project: String::new(),
        account: account.to_owned(),
        order: Order {
            name: "The long one".to_owned(),
            resolution: Resolution::P1080,
            format: Format::Mp4,
            snapshot: film.clone(),
        },
        priority: Priority::Usual,
        webhook: None,
        callback_id: None,
        reserve: 200,
        test: false,
        warnings: Vec::new(),
    };
    let before = Before::Create(Box::new(project(account, &film)));
    let started = store.start_export(before, export).await.map_err(|error| error.to_string())?;
    started.map(drop).map_err(|refused| format!("{refused:?}"))
}

/// Spoken by the voice and shown by the presenter that cost next to nothing: the service is measured, not the worker.
pub(super) fn film(name: &str, words: &str, scenes: usize) -> Value {
    let scene = |at: usize| {
        json!({
            "sceneIdx": at,
            "background": {"id": "background", "type": "background", "source_color": "rgb(32,64,96)"},
            "scripts": [{"org": format!("{words} Scene {at}."), "isTTS": true, "tts": {"voice": "tone"},
                         "modelId": "figure", "clothId": "figure/plain"}],
            "clips": [
                {"id": "presenter", "type": "aiModel", "layer": 2, "left": 1200, "top": 180, "width": 600, "height": 900,
                 "model": {"ai_name": "figure", "emotion": "figure/plain"}},
                {"id": "title", "type": "textImage", "layer": 1, "left": 100, "top": 100, "width": 900, "height": 200,
                 "text": format!("{name}, part {at}"), "fill": "rgb(255,255,255)", "fontSize": 60},
            ],
        })
    };
    json!({"name": name, "resolution": "480", "scenes": (0..scenes).map(scene).collect::<Vec<_>>()})
}
