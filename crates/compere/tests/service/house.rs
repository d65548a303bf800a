//! The real program, started once for all tests of this binary, and clients that talk to it.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock, mpsc};
use std::time::{Duration, Instant};

use compere_store::{Clock, Plan, Store, SystemClock};
use serde_json::{Value, json};
use ureq::http::{Request, Response};

use crate::{contract, writer};

pub struct House {
    pub base: String,
    pub email: String,
    pub password: String,
    pub app_id: String,
    pub user_key: String,
    pub data: PathBuf,
    pub log: PathBuf,
}

const SETTINGS: &str = r#"
welcome = false
bake_ahead = false
workers = 1
allow = "127.0.0.1:*"
cors = ["https://editor.example"]
link_days = 7
[aliases]
M900000001 = "nora"
[limits]
body = 1
asset = 2
document = 2
auth_per_minute = 100000
[[plans]]
name = "narrow"
api = true
monthly_credits = 3
requests_per_minute = 20
parallel_exports = 1
queued_exports = 2
longest_film = 60.0
[[plans]]
name = "purse"
api = true
monthly_credits = 3
[[plans]]
name = "tireless"
api = true
requests_per_minute = 100000
[[plans]]
name = "shelf"
api = true
monthly_credits = 100
storage = 1
"#;

/// Started by the first who asks; the system ends it with this process.
pub fn house() -> &'static House {
    static HOUSE: OnceLock<House> = OnceLock::new();
    HOUSE.get_or_init(|| {
        let (told, hear) = mpsc::channel();
        // The child lives as long as the thread that started it, so that thread stays.
        std::thread::spawn(move || {
            let settings = format!(
                "{SETTINGS}{}",
                ["writer quill ink", "painter brush paint", "camera lens light"].map(model).concat()
            );
            let (house, mut child) = open(&settings, "house");
            told.send(house).expect("somebody listens");
            let _ = child.wait();
            std::thread::park();
        });
        hear.recv().expect("a service")
    })
}

/// Of the settings: what is asked for where, by which name, with which key.
fn model(words: &str) -> String {
    let words: Vec<&str> = words.split(' ').collect();
    let (section, name, key) = (words[0], words[1], words[2]);
    format!("[{section}]\nurl = \"{}/v1\"\nmodel = \"{name}\"\nkey = \"{key}\"\n", writer::base())
}

pub fn assets() -> PathBuf {
    std::env::var_os("COMPERE_ASSETS")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets")), PathBuf::from)
}

/// Another service with its own settings. It ends with the thread that asked for it.
pub fn open(settings: &str, name: &str) -> (House, std::process::Child) {
    open_with(settings, name, &[], |_| Vec::new())
}

/// The same behind a command that prepares its world, and with variables that may name files of its data folder.
pub fn open_with(
    settings: &str,
    name: &str,
    behind: &[&str],
    variables: impl FnOnce(&Path) -> Vec<(&'static str, PathBuf)>,
) -> (House, std::process::Child) {
    static SWEPT: std::sync::Once = std::sync::Once::new();
    SWEPT.call_once(sweep);
    let data = std::env::temp_dir().join(format!("{FOLDER}{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&data);
    std::fs::create_dir_all(&data).expect("a data folder");
    std::fs::write(data.join("compere.toml"), settings).expect("settings");
    if WARM.contains(&name) {
        warm(&data);
    }
    let log = data.join("log.txt");
    let variables = variables(&data);
    let (child, mut lines) = started(&data, behind, &variables);
    let mut house = House {
        base: String::new(),
        email: String::new(),
        password: String::new(),
        app_id: String::new(),
        user_key: String::new(),
        data,
        log,
    };
    while house.user_key.is_empty() {
        house.hears(&said(&mut lines, &house.log));
    }
    std::thread::spawn(move || lines.for_each(drop));
    (house, child)
}

/// Services whose tests are not about what is drawn and spoken for the first time.
const WARM: [&str; 7] = ["house", "avatars", "photos", "outfits", "designed", "modelled", "five-lines"];

/// Lets a service find presenters that were baked and sentences that were spoken in other tests.
fn warm(data: &Path) {
    let cache = data.join("cache");
    std::fs::create_dir(&cache).expect("a cache");
    for shelf in ["pack", "speech"] {
        let kept = crate::kept::data().join("cache").join(shelf);
        std::fs::create_dir_all(&kept).expect("a shelf");
        std::os::unix::fs::symlink(kept, cache.join(shelf)).expect("a link");
    }
}

/// What data folders of tests are called, before the number of their process.
const FOLDER: &str = "compere-test-";

/// Folders of tests that have ended: whoever failed may be looked at until the next ones begin.
fn sweep() {
    for entry in std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix(FOLDER)?.split('-').next());
        if process.is_some_and(|process| !Path::new("/proc").join(process).exists()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

type Said = std::io::Lines<BufReader<std::process::ChildStdout>>;

fn started(data: &Path, behind: &[&str], variables: &[(&'static str, PathBuf)]) -> (std::process::Child, Said) {
    let mut child = Command::new("setpriv")
        .args(["--pdeathsig", "KILL", "--"])
        .args(behind)
        .args([env!("CARGO_BIN_EXE_compere"), "serve"])
        .env("COMPERE_DATA", data)
        .env("COMPERE_ASSETS", assets())
        .env("COMPERE_LISTEN", "127.0.0.1:0")
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(std::fs::File::options().create(true).append(true).open(data.join("log.txt")).expect("a log"))
        .spawn()
        .expect("setpriv of util-linux");
    let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    (child, lines)
}

fn said(lines: &mut Said, log: &Path) -> String {
    lines
        .next()
        .and_then(Result::ok)
        .unwrap_or_else(|| panic!("the service did not start: {}", std::fs::read_to_string(log).unwrap_or_default()))
}

/// Starts a service that ended once more, on the same data and another port.
pub fn reopen(house: &mut House) -> std::process::Child {
    let (child, mut lines) = started(&house.data, &[], &[]);
    let before = std::mem::take(&mut house.base);
    while house.base.is_empty() {
        house.hears(&said(&mut lines, &house.log));
    }
    assert_ne!(house.base, before);
    std::thread::spawn(move || lines.for_each(drop));
    child
}

impl House {
    /// A line of what the service says at its start.
    fn hears(&mut self, line: &str) {
        let last = line.split_whitespace().last().unwrap_or_default().to_owned();
        match line.split_whitespace().next() {
            Some("Compere") => self.base = last,
            Some("sign") => self.email = last,
            Some("password") => self.password = last,
            Some("appId") => self.app_id = last,
            Some("userKey") => self.user_key = last,
            _ => {}
        }
    }
}

impl House {
    /// Works on the records of the service beside it, as the command line does.
    pub fn records<T>(&self, work: impl AsyncFnOnce(Store) -> T) -> T {
        self.records_at(Arc::new(SystemClock), work)
    }

    pub fn records_at<T>(&self, clock: Arc<dyn Clock>, work: impl AsyncFnOnce(Store) -> T) -> T {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let url = format!("sqlite:{}", self.data.join("compere.db").display());
            let store = Store::open(&url, Plan::built_in(), clock).await.expect("it opens");
            let done = work(store.clone()).await;
            store.close().await;
            done
        })
    }
}

/// Asks a service to stop, and waits until it has.
pub fn stop(child: &mut std::process::Child) -> std::process::ExitStatus {
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|sent| sent.success()), "the signal was not sent");
    child.wait().expect("it ends")
}

pub struct Reply {
    pub status: u16,
    pub headers: ureq::http::HeaderMap,
    pub bytes: Vec<u8>,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.bytes)))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The answer of a request that had to succeed.
    pub fn data(&self) -> Value {
        let json = self.json();
        assert_eq!((self.status, &json["success"]), (200, &json!(true)), "{json}");
        json["data"].clone()
    }

    /// Status and code of one that had to fail, with the envelope checked.
    #[track_caller]
    pub fn fails(&self, status: u16, code: i64) -> Value {
        let json = self.json();
        assert_eq!((self.status, json["error"]["code"].as_i64()), (status, Some(code)), "{json}");
        assert_eq!(json["success"], json!(false), "{json}");
        assert!(json["error"]["msg"].as_str().is_some_and(|msg| msg.len() > 5), "{json}");
        assert!(json["error"]["name"].is_string() && json["error"]["details"].is_array(), "{json}");
        assert_eq!(json["error"]["requestId"], json!(self.header("x-request-id")), "{json}");
        json["error"].clone()
    }
}

pub fn agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .allow_non_standard_methods(true)
        .build()
        .into()
}

/// Sends anything.
pub fn send(method: &str, url: &str, headers: &[(&str, &str)], body: Option<Vec<u8>>) -> Reply {
    let mut request = Request::builder().method(method).uri(url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let agent = agent();
    let answer: Response<ureq::Body> = match body {
        Some(body) => agent.run(request.body(body).expect("a request")),
        None => agent.run(request.body(()).expect("a request")),
    }
    .unwrap_or_else(|error| panic!("{method} {url}: {error}"));
    let (parts, body) = answer.into_parts();
    let mut bytes = Vec::new();
    body.into_reader().read_to_end(&mut bytes).expect("a body");
    let reply = Reply { status: parts.status.as_u16(), headers: parts.headers, bytes };
    contract::check(method, url, &reply);
    reply
}

/// Somebody with a token.
pub struct Client {
    pub base: String,
    pub token: String,
}

impl Client {
    pub fn new(house: &House, app_id: &str, user_key: &str) -> Self {
        let body = json!({ "appId": app_id, "userKey": user_key }).to_string();
        let url = format!("{}/api/odin/v3/auth/token", house.base);
        let data = send("POST", &url, &[("content-type", "application/json")], Some(body.into())).data();
        Self { base: house.base.clone(), token: data["token"].as_str().expect("a token").to_owned() }
    }

    pub fn with(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<Value>) -> Reply {
        let mut all = vec![("authorization", self.token.as_str()), ("content-type", "application/json")];
        all.extend_from_slice(headers);
        send(method, &format!("{}{path}", self.base), &all, body.map(|body| body.to_string().into_bytes()))
    }

    pub fn get(&self, path: &str) -> Reply {
        self.with("GET", path, &[], None)
    }

    pub fn post(&self, path: &str, body: Value) -> Reply {
        self.with("POST", path, &[], Some(body))
    }

    /// Creates a project and gives its id.
    pub fn create(&self, body: Value) -> String {
        let data = self.post("/api/odin/v3/editor/project", body).data();
        data["projectId"].as_str().expect("an id").to_owned()
    }

    pub fn draft(&self, mut body: Value) -> String {
        body["isExport"] = json!(false);
        self.create(body)
    }

    /// Polls as clients do, until 100 or a failure.
    pub fn wait(&self, id: &str) -> Value {
        let started = Instant::now();
        let mut last = -1.0;
        while started.elapsed() < Duration::from_secs(240) {
            let reply = self.get(&format!("/api/odin/v3/editor/progress/{id}"));
            assert_eq!(reply.status, 200);
            let json = reply.json();
            let progress = json["data"]["progress"].as_f64().expect("a number");
            assert!(progress >= last, "progress fell from {last} to {progress}");
            last = progress;
            if progress >= 100.0 || json["success"] == json!(false) {
                return json;
            }
            assert_eq!(json["data"]["downloadUrl"], Value::Null, "{json}");
            std::thread::sleep(Duration::from_millis(150));
        }
        panic!("the export of {id} did not end")
    }
}

/// The administrator, whose plan has no limits that matter here.
pub fn admin() -> Client {
    static TOKEN: OnceLock<String> = OnceLock::new();
    let house = house();
    let token = TOKEN.get_or_init(|| Client::new(house, &house.app_id, &house.user_key).token);
    Client { base: house.base.clone(), token: token.clone() }
}

/// Another account, made with the command line beside the running service.
pub fn account(email: &str, plan: &str) -> (Client, String) {
    let house = house();
    let app_id = key_of(email, plan);
    (Client::new(house, &app_id.0, &app_id.1), app_id.0)
}

pub fn key_of(email: &str, plan: &str) -> (String, String) {
    key_beside(house(), email, plan)
}

/// The same beside another service.
pub fn key_beside(house: &House, email: &str, plan: &str) -> (String, String) {
    command_beside(house, &["account", "add", email, "--plan", plan]);
    let told = command_beside(house, &["key", "issue", "--account", email, "--json"]);
    let key: Value = serde_json::from_str(&told).expect("JSON");
    let text = |name: &str| key[name].as_str().unwrap_or_else(|| panic!("no {name} in {key}")).to_owned();
    (text("appId"), text("userKey"))
}

pub fn command(arguments: &[&str]) -> String {
    command_beside(house(), arguments)
}

fn command_beside(house: &House, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_compere"))
        .args(arguments)
        .env("COMPERE_DATA", &house.data)
        .env("COMPERE_ASSETS", assets())
        .output()
        .expect("the program");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// A film of a second that is spoken and drawn at once.
pub fn film(name: &str) -> Value {
    json!({ "name": name, "resolution": 480, "scenes": [scene()] })
}

pub fn scene() -> Value {
    json!({
        "sceneIdx": 0, "duration": 1,
        "scripts": [{
            "org": "Hello there.", "isTTS": true, "tts": { "voice": "tone" }, "modelId": "nora", "clothId": "nora/blazer",
        }],
        "background": { "id": "background", "type": "background", "source_type": "color", "source_color": "rgb(20,40,60)" },
        "clips": [{
            "id": "title", "type": "textImage", "layer": 1, "left": 100, "top": 100, "width": 800, "height": 200,
            "text": "Hello", "fill": "rgb(255,255,255)", "fontSize": 80, "tag": "title",
        }],
    })
}
