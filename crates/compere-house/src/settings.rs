//! What the operator may set: `compere.toml` in the data folder (or `--config`), and `COMPERE_…` variables above it.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use compere_media::Megabytes;
use compere_store::{Objects, Plan, Store, SystemClock};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Where the service listens.
    pub listen: SocketAddr,
    /// How clients reach it, for links in answers and webhooks: `https://video.example.com`. Default: the address above.
    pub public_url: Option<String>,
    /// `sqlite:PATH` or `postgres://…`. Default: `compere.db` in the data folder.
    pub database: Option<String>,
    /// A folder, or `s3://bucket`. Default: `objects` in the data folder.
    pub objects: Option<String>,
    /// Who says which machine makes what, `temporal://host:port/namespace`. Default: this machine makes all films.
    pub engine: Option<String>,
    /// What nodes of a farm keep for each other in the object store at most; 0 for nothing.
    pub shared_cache: Megabytes,
    /// Films made at once.
    pub workers: usize,
    /// Memory for each worker; 0 for no limit.
    pub worker_memory: Megabytes,
    /// Cores for each worker. Default: all.
    pub worker_threads: Option<usize>,
    /// Addresses inside the operator's own network that links and webhooks may name: `10.0.0.0/8, nas:9000`.
    pub allow: String,
    /// Whether a proxy of the operator's stands in front: the last address in `X-Forwarded-For` is then the client's.
    pub behind_proxy: bool,
    /// What `/metrics` asks for as `Authorization: Bearer …`. Without it the numbers are told on this machine only.
    pub metrics_token: Option<String>,
    /// Origins that browsers may call the API from; `*` for any.
    pub cors: Vec<String>,
    /// Days that finished exports are kept when a newer one replaced them.
    pub keep_exports: u32,
    /// Days that a download link works.
    pub link_days: u32,
    /// Ids of other services' avatars, outfits and voices, and what they mean here.
    pub aliases: BTreeMap<String, String>,
    /// Who presents when nobody knows the avatar that was asked for.
    pub fallback_model: Option<String>,
    /// Whether the first start makes the welcome film.
    pub welcome: bool,
    /// Whether presenters of a project that was saved are baked while nothing else is made.
    pub bake_ahead: bool,
    /// Presenters are made of less than a minute of footage too. They look it: this is for trials.
    pub short_footage: bool,
    /// Banks of presenters that are made are compact: a quarter of the bytes, a little less like the footage.
    pub compact_banks: bool,
    /// Films say "Made with AI" in every scene that shows a presenter of footage or of a photo. The mark in the file stays.
    pub ai_label: bool,
    pub limits: Limits,
    pub writer: WriterSettings,
    /// A model that makes pictures. Without it `tools/image-generator` is refused.
    pub painter: PainterSettings,
    /// A model that makes short films. Without it `tools/video-generator` is refused.
    pub camera: PainterSettings,
    /// Replaces or adds to the built-in plans `free`, `api` and `unlimited`.
    pub plans: Vec<Plan>,
}

/// A language model, for films about a topic or a page. Without it such requests are refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WriterSettings {
    /// Where it answers, as far as `/v1`: `http://localhost:11434/v1`.
    pub url: Option<String>,
    /// As it calls itself there.
    pub model: String,
    pub key: Option<String>,
    /// Seconds that an answer may take.
    pub patience: u64,
}

impl Default for WriterSettings {
    fn default() -> Self {
        Self { url: None, model: "default".to_owned(), key: None, patience: 90 }
    }
}

/// Which side is longer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    #[default]
    Landscape,
    Portrait,
    Square,
}

/// A model that makes pictures, or short films. What is not said is usual for either.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PainterSettings {
    /// Where it answers, as far as `/v1`.
    pub url: Option<String>,
    /// As it calls itself there.
    pub model: Option<String>,
    pub key: Option<String>,
    /// Seconds that it may take.
    pub patience: Option<u64>,
    /// Sizes that it knows, for what lies, stands and is square.
    pub landscape: Option<String>,
    pub portrait: Option<String>,
    pub square: Option<String>,
}

impl PainterSettings {
    /// What was said of a shape.
    pub fn size(&self, shape: Shape) -> Option<&str> {
        match shape {
            Shape::Landscape => self.landscape.as_deref(),
            Shape::Portrait => self.portrait.as_deref(),
            Shape::Square => self.square.as_deref(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Of a JSON body.
    pub body: Megabytes,
    /// Of an uploaded asset.
    pub asset: Megabytes,
    /// Of an imported document.
    pub document: Megabytes,
    pub slides: u32,
    pub scenes: usize,
    pub clips: usize,
    pub script_chars: usize,
    /// Minutes.
    pub film: f64,
    /// Token requests per minute and address.
    pub auth_per_minute: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: Megabytes(10),
            asset: Megabytes(500),
            document: Megabytes(200),
            slides: 300,
            scenes: 300,
            clips: 100,
            script_chars: 20_000,
            film: 60.0,
            auth_per_minute: 60,
        }
    }
}

impl Limits {
    pub fn of_scenes(&self) -> compere_scene::Limits {
        compere_scene::Limits {
            scenes: self.scenes,
            clips_per_scene: self.clips,
            script_chars: self.script_chars,
            film_seconds: self.film * 60.0,
            ..compere_scene::Limits::default()
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 7300)),
            public_url: None,
            database: None,
            objects: None,
            engine: None,
            shared_cache: Megabytes(100_000),
            workers: 2,
            worker_memory: Megabytes(4096),
            worker_threads: None,
            allow: String::new(),
            behind_proxy: false,
            metrics_token: None,
            cors: Vec::new(),
            keep_exports: 30,
            link_days: 7,
            aliases: BTreeMap::new(),
            fallback_model: None,
            welcome: true,
            bake_ahead: true,
            short_footage: false,
            compact_banks: false,
            ai_label: true,
            limits: Limits::default(),
            writer: WriterSettings::default(),
            painter: PainterSettings::default(),
            camera: PainterSettings::default(),
            plans: Vec::new(),
        }
    }
}

impl Settings {
    /// The file (an absent one is empty), then the environment.
    pub fn load(file: &Path) -> Result<Self, String> {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(format!("{}: {error}", file.display())),
        };
        let mut settings: Self = toml::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        settings.environment(|name| std::env::var(name).ok())?;
        Ok(settings)
    }

    fn environment(&mut self, of: impl Fn(&str) -> Option<String>) -> Result<(), String> {
        fn number<T: std::str::FromStr>(name: &str, text: &str) -> Result<T, String> {
            text.parse().map_err(|_| format!("{name}: `{text}` is not what it should be"))
        }
        if let Some(text) = of("COMPERE_LISTEN") {
            self.listen = number("COMPERE_LISTEN", &text)?;
        }
        if let Some(text) = of("COMPERE_WORKERS") {
            self.workers = number("COMPERE_WORKERS", &text)?;
        }
        if let Some(text) = of("COMPERE_WORKER_MEMORY") {
            self.worker_memory = number("COMPERE_WORKER_MEMORY", &text)?;
        }
        if let Some(text) = of("COMPERE_SHARED_CACHE") {
            self.shared_cache = number("COMPERE_SHARED_CACHE", &text)?;
        }
        if let Some(text) = of("COMPERE_WELCOME") {
            self.welcome = number("COMPERE_WELCOME", &text)?;
        }
        if let Some(text) = of("COMPERE_BAKE_AHEAD") {
            self.bake_ahead = number("COMPERE_BAKE_AHEAD", &text)?;
        }
        self.public_url = of("COMPERE_PUBLIC_URL").or(self.public_url.take());
        self.metrics_token = of("COMPERE_METRICS_TOKEN").or(self.metrics_token.take());
        self.database = of("COMPERE_DATABASE").or(self.database.take());
        self.objects = of("COMPERE_OBJECTS").or(self.objects.take());
        self.engine = of("COMPERE_ENGINE").or(self.engine.take());
        self.writer.url = of("COMPERE_WRITER_URL").or(self.writer.url.take());
        self.writer.key = of("COMPERE_WRITER_KEY").or(self.writer.key.take());
        if let Some(model) = of("COMPERE_WRITER_MODEL") {
            self.writer.model = model;
        }
        self.painter.key = of("COMPERE_PAINTER_KEY").or(self.painter.key.take());
        self.camera.key = of("COMPERE_CAMERA_KEY").or(self.camera.key.take());
        if let Some(allow) = of("COMPERE_ALLOW") {
            self.allow = allow;
        }
        Ok(())
    }

    /// What workers need of them: nothing that opens the records, the files, the numbers or anybody's models.
    #[must_use]
    pub fn for_workers(&self) -> Self {
        Self {
            database: None,
            objects: None,
            engine: None,
            metrics_token: None,
            writer: WriterSettings::default(),
            painter: PainterSettings::default(),
            camera: PainterSettings::default(),
            plans: Vec::new(),
            ..self.clone()
        }
    }

    /// Whether this is one machine of many that use what the others made.
    pub fn shares(&self) -> bool {
        self.engine.is_some() && !self.shared_cache.is_zero()
    }

    /// Whether the numbers are for whoever can reach the service: nobody but those on this machine can.
    pub fn numbers_are_open(&self) -> bool {
        self.listen.ip().is_loopback() && !self.behind_proxy && self.public_url.is_none()
    }

    pub fn database_url(&self, data: &Path) -> String {
        self.database.clone().unwrap_or_else(|| format!("sqlite:{}", data.join("compere.db").display()))
    }

    /// The records, opened as the settings say.
    pub async fn open_store(&self, data: &Path) -> Result<Store, String> {
        let url = self.database_url(data);
        let store = Store::open(&url, self.all_plans(), Arc::new(SystemClock)).await;
        store.map_err(|error| format!("the database {url}: {error}"))
    }

    /// The files, opened as the settings say.
    pub fn open_objects(&self, data: &Path) -> Result<Objects, String> {
        let objects = match self.objects_at(data) {
            Ok(dir) => Objects::folder(&dir),
            Err(url) => Objects::s3(&url),
        };
        objects.map_err(|error| format!("the object store: {error}"))
    }

    pub fn objects_at(&self, data: &Path) -> Result<PathBuf, String> {
        match self.objects.as_deref() {
            None => Ok(data.join("objects")),
            Some(url) if url.starts_with("s3://") => Err(url.to_owned()),
            Some(dir) => Ok(PathBuf::from(dir)),
        }
    }

    /// Without a slash at its end.
    pub fn base_url(&self) -> String {
        // Who listens everywhere is not reached at the address that says so.
        let reached = match self.listen.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::from(Ipv4Addr::LOCALHOST),
            IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::from(Ipv6Addr::LOCALHOST),
            ip => ip,
        };
        let own = || format!("http://{}", SocketAddr::new(reached, self.listen.port()));
        self.public_url.clone().map_or_else(own, |url| url.trim_end_matches('/').to_owned())
    }

    pub fn all_plans(&self) -> Vec<Plan> {
        let mut plans = Plan::built_in();
        for plan in &self.plans {
            plans.retain(|known| known.name != plan.name);
            plans.push(plan.clone());
        }
        plans
    }
}
