//! A service with customers: its own data folder, accounts, some projects each, and films to make.

use std::net::SocketAddr;
use std::path::Path;

use axum::http::Method;
use compere_house::home::Home;
use compere_house::settings::Settings;
use compere_office::{Member, Newcomer, Refusal, Register};
use compere_store::Role;
use serde_json::json;

use super::super::service::Service;
use super::client::{Line, Pair, film};

/// Clients of one account. At a question a second they stay below the 600 a minute that the plan `api` allows.
const SHARED: usize = 8;
/// Projects that an account has before.
const PROJECTS: usize = 40;

pub(super) struct Stand {
    service: Service,
    /// Of each account, one for each of its clients.
    keys: Vec<Vec<Pair>>,
    _dir: tempfile::TempDir,
}

/// What became of the films.
#[derive(Clone, Copy)]
pub(super) struct Films {
    pub(super) made: usize,
    pub(super) at_work: usize,
}

impl Stand {
    pub(super) async fn open(exe: &Path, assets: &Path, clients: usize) -> Result<Self, String> {
        let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
        let home = Home { assets: assets.to_owned(), data: dir.path().to_owned() };
        let keys = settled(&home, clients).await?;
        let service = Service::start(exe, assets, dir.path(), "welcome = false\nworkers = 1\nbehind_proxy = true\n")?;
        let address = service.address();
        let stand = Self { service, keys, _dir: dir };
        for (number, keys) in stand.keys.iter().enumerate() {
            let mut line = Line::signed_in(address, number as u64, &keys[0]).await?;
            for at in 0..PROJECTS {
                let mut film = film(&format!("Project {at}"), &format!("This was project {at}."), 3);
                film["isExport"] = json!(false);
                line.create(film).await?;
            }
            if number == 0 {
                // A film of many minutes that the worker begins with.
                let words = "This film goes on and on, so that there is something to do. ".repeat(6);
                let mut film = film("The long one", &words, 60);
                film["resolution"] = json!("1080");
                line.create(film).await?;
            }
        }
        Ok(stand)
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.service.address()
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &Pair> {
        self.keys.iter().flatten()
    }

    pub(super) fn pid(&self) -> u32 {
        self.service.pid()
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
        let (mut made, mut at_work) = (0, 0);
        for (number, keys) in self.keys.iter().enumerate() {
            let mut line = Line::signed_in(self.address(), number as u64, &keys[0]).await?;
            for state in ["exported", "synthesizing", "rendering", "finishing"] {
                let count = count(&mut line, state).await?;
                *if state == "exported" { &mut made } else { &mut at_work } += count;
            }
        }
        Ok(Films { made, at_work })
    }

    pub(super) fn close(&mut self) -> Result<(), String> {
        self.service.close()
    }
}

/// Customers, each with a key pair for every client.
async fn settled(home: &Home, clients: usize) -> Result<Vec<Vec<Pair>>, String> {
    let register = Register::open(home, &Settings::default()).await?;
    let mut keys = Vec::new();
    for number in 0..clients.div_ceil(SHARED) {
        let pairs = customer(&register, number, SHARED.min(clients - number * SHARED)).await;
        keys.push(pairs.map_err(|refusal| refusal.to_string())?);
    }
    register.close().await;
    Ok(keys)
}

async fn customer(register: &Register, number: usize, clients: usize) -> Result<Vec<Pair>, Refusal> {
    let (email, name) = (format!("customer{number}@example.com"), format!("Customer {number}"));
    let new = Newcomer { email: &email, name: &name, plan: "api", role: Role::Member, password: None };
    let member = Member::of(register.add(new).await?.account);
    let mut pairs = Vec::new();
    for client in 0..clients {
        let key = register.issue_key(&member, &format!("client {client}"), "", false).await?;
        pairs.push((key.app_id, key.user_key));
    }
    Ok(pairs)
}

/// An account's projects in a state.
async fn count(line: &mut Line, state: &str) -> Result<usize, String> {
    let (mut count, mut page) = (0, 1);
    loop {
        let path = format!("/api/odin/v3/editor/project?state={state}&limit=100&page={page}");
        let (status, answer) = line.ask(Method::GET, &path, None).await;
        let listed = answer["data"].as_array().ok_or(format!("no list: {status} {answer}"))?.len();
        (count, page) = (count + listed, page + 1);
        if listed < 100 {
            return Ok(count);
        }
    }
}
