//! `compere avatar add`, `consent` and `remove`: presenters of a person's own footage or photo.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, Subcommand};
use compere_codec::Sandbox;
use compere_house::home::Home;
use compere_office::{Approvals, Register};
use compere_own::{Background, Bench, Finding, Folder, Form, Keeping, Kind, Level, Refused, Store, Tongue, Wish, add};
use compere_render::Cache;
use compere_speech::Voices;
use compere_store::Civil;
use serde_json::{Value, json};

use super::records::{Installation, account_of, runtime};
use super::watch::Bar;
use super::{Failure, answer, say};

#[derive(Debug, Subcommand)]
pub(crate) enum Add {
    /// Of a folder with takes: 01.mp4, 02.mp4 … (the prompts), idle.mp4 and consent.mp4; talk.mp4 (free talk) if there is one
    Footage(Footage),
    /// Of one photo: a face from the front, with closed lips and open eyes
    Photo(Photo),
    /// Of a model file: GLB or VRM with expressions of ARKit, Oculus or VRM
    Model(Model),
}

#[derive(Debug, Args)]
pub(crate) struct Footage {
    /// Takes: 01.mp4 (the first prompt) or any name with its text beside it, idle.mp4, consent.mp4, and talk.mp4 if there is one
    folder: PathBuf,
    #[command(flatten)]
    person: Person,
}

#[derive(Debug, Args)]
pub(crate) struct Photo {
    /// JPEG, PNG, WebP or AVIF
    photo: PathBuf,
    /// A film of the person who reads what `compere avatar consent` printed
    #[arg(long, value_name = "FILM")]
    spoken: PathBuf,
    #[command(flatten)]
    person: Person,
}

#[derive(Debug, Args)]
pub(crate) struct Model {
    /// GLB or VRM
    model: PathBuf,
    /// What the presenter is called
    #[arg(long)]
    name: String,
    /// female, male or neutral: which voice speaks for it
    #[arg(long, default_value = "neutral", value_parser = ["female", "male", "neutral"])]
    gender: String,
    /// Who says that its licence allows such films
    #[arg(long, value_name = "NAME")]
    licensed_by: String,
}

/// What is said of a presenter, whatever it is made of.
#[derive(Debug, Args)]
pub(crate) struct Person {
    /// What the presenter is called
    #[arg(long)]
    name: String,
    /// female, male or neutral: which voice speaks for it
    #[arg(long, default_value = "neutral", value_parser = ["female", "male", "neutral"])]
    gender: String,
    /// Which language is spoken in the takes; without it, that of the consent
    #[arg(long)]
    language: Option<String>,
    /// What `compere avatar consent` wrote, and the person read before the camera
    #[arg(long, value_name = "FILE")]
    consent: PathBuf,
    /// Who saw consent and takes, and that both show the same person
    #[arg(long, value_name = "NAME")]
    approved_by: String,
    /// What becomes of what is behind the person: keep, cut, or auto, which cuts where that can be done well
    #[arg(long, default_value = "auto", value_name = "WHAT")]
    background: Background,
    /// How the bank is kept: full, or compact, which takes a quarter of the room and looks a little less like the footage
    #[arg(long, default_value = "full", value_name = "WHAT")]
    bank: Keeping,
    /// The presenter whom it shows in other clothes; the name is then what those are called
    #[arg(long, value_name = "ID", conflicts_with = "account")]
    outfit_of: Option<String>,
    /// E-mail of the account that it belongs to; without it, it is for everybody here
    #[arg(long, value_name = "E-MAIL")]
    account: Option<String>,
    #[command(flatten)]
    installation: Installation,
    /// Cores to use
    #[arg(short, long, value_name = "N")]
    threads: Option<usize>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Consent {
    /// The person's name, as they say it
    #[arg(long)]
    person: String,
    /// What the films are for
    #[arg(long)]
    purpose: String,
    /// What they read it in: en, de, fr, es, it or pt, with a region or without
    #[arg(long, default_value = "en")]
    language: String,
    /// Where the form goes
    #[arg(short, long, default_value = "consent.json", value_name = "FILE")]
    output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Prompts {
    /// en, de, fr, es, it or pt, with a region or without
    #[arg(long, default_value = "en")]
    language: String,
}

impl Prompts {
    /// A line each, with the name of the take that it is read in.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        for (at, line) in tongue(&self.language)?.lines().enumerate() {
            answer(&format!("{:02}  {line}", at + 1));
        }
        Ok(())
    }
}

fn tongue(language: &str) -> Result<&'static Tongue, Failure> {
    Tongue::asked(language).map_err(|why| Failure::BadInput(format!("`--language` {why}")))
}

#[derive(Debug, Args)]
pub(crate) struct Approve {
    #[command(flatten)]
    installation: Installation,
    /// Id, as it is shown without one
    presenter: Option<String>,
    /// Who saw consent and takes, and that both show the same person
    #[arg(long, value_name = "NAME", required_unless_present = "list", requires = "presenter")]
    by: Option<String>,
    /// Show those that wait
    #[arg(long, conflicts_with_all = ["presenter", "by"])]
    list: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Remove {
    #[command(flatten)]
    installation: Installation,
    /// Id, as `compere avatar list` shows it
    presenter: String,
}

impl Add {
    pub(crate) fn run(&self, home: &Home, sandbox: &Sandbox) -> Result<(), Failure> {
        match self {
            Self::Footage(Footage { folder, person }) => {
                let lines = person.lines()?;
                person.add(home, sandbox, &Folder::read(folder, lines).map_err(bad)?)
            }
            Self::Photo(Photo { photo, spoken, person }) => {
                person.add(home, sandbox, &Folder::of_photo(photo.clone(), Some(spoken.clone())))
            }
            Self::Model(model) => model.add(home, sandbox),
        }
    }
}

impl Model {
    fn add(&self, home: &Home, sandbox: &Sandbox) -> Result<(), Failure> {
        let wish = compere_own::Model {
            id: None,
            language: "en-US".to_owned(),
            approved_by: Some(self.licensed_by.clone()),
            name: self.name.clone(),
            gender: self.gender.clone(),
            account: None,
            now: now().as_secs(),
            file: self.model.clone(),
            by: self.licensed_by.clone(),
        };
        let manifest = compere_own::add_model(&Store::new(&home.data), &wish, sandbox, &|_, _, _| ()).map_err(bad)?;
        answer(&format!("{} ({}): {}", manifest.name, manifest.id, manifest.consent.purpose));
        Ok(())
    }
}

impl Person {
    /// The id of the account that it is for.
    fn owner(&self, home: &Home) -> Result<Option<String>, Failure> {
        if let Some(wearer) = &self.outfit_of {
            return Ok(Store::new(&home.data).find(wearer).and_then(|wearer| wearer.account));
        }
        let Some(email) = &self.account else { return Ok(None) };
        let settings = self.installation.settings(home)?;
        runtime()?.block_on(async {
            let register = Register::open(home, &settings).await.map_err(Failure::Failed)?;
            let member = account_of(&register, Some(email)).await;
            register.close().await;
            Ok(Some(member?.account.id))
        })
    }

    /// What is spoken.
    fn language(&self) -> Result<String, Failure> {
        let consent = form(&self.consent)?.language.filter(|tag| tag != Tongue::english().tag);
        Ok(self.language.clone().or(consent).unwrap_or_else(|| "en-US".to_owned()))
    }

    /// Which lines `01.mp4` and the others are. With a consent of before there were any in other languages, English ones.
    fn lines(&self) -> Result<&'static Tongue, Failure> {
        let language = form(&self.consent)?.language.is_some().then(|| self.language()).transpose()?;
        Ok(language.as_deref().map_or_else(Tongue::english, Tongue::of_or_english))
    }

    fn add(&self, home: &Home, sandbox: &Sandbox, folder: &Folder) -> Result<(), Failure> {
        let threads = self.threads.or_else(|| std::thread::available_parallelism().ok().map(Into::into)).unwrap_or(1);
        let (voices, cache) =
            (Voices::open(&home.assets, threads), Cache::open(&home.cache(), u64::MAX).map_err(Failure::failed)?);
        let faces = home.assets.join("faces");
        let strict = !self.installation.settings(home)?.short_footage;
        let bench = Bench { sandbox, voices: &voices, cache: &cache, faces: &faces, threads, strict };
        let wish = Wish {
            id: None,
            name: self.name.clone(),
            gender: self.gender.clone(),
            language: self.language()?,
            account: self.owner(home)?,
            now: now().as_secs(),
            consent: form(&self.consent)?,
            approved_by: Some(self.approved_by.clone()),
            background: self.background,
            keeping: self.bank,
            outfit_of: self.outfit_of.clone(),
        };
        let bar = Bar::new(self.json);
        let watch = |what: &'static str, done: usize, of: usize| {
            bar.show(100.0 * done as f64 / of.max(1) as f64, format!("{what} {done} of {of}"));
        };
        let added = add(&Store::new(&home.data), &wish, folder, &bench, &watch);
        bar.done();
        let added = added.map_err(|refused| match refused {
            Refused::Footage(findings) => Failure::BadInput(told(&findings)),
            Refused::Error(error) => bad(error),
        })?;
        let manifest = &added.manifest;
        if self.json {
            let of = |level: Level| -> Vec<Value> {
                let found = added.findings.iter().filter(|finding| finding.level == level);
                found.map(|finding| finding.to_string().into()).collect()
            };
            answer(
                &json!({"id": manifest.id, "name": manifest.name, "seconds": manifest.seconds,
                        "cut": manifest.cut.is_some(), "warnings": of(Level::Warning), "notes": of(Level::Note)})
                .to_string(),
            );
            return Ok(());
        }
        for finding in &added.findings {
            let level = if finding.level == Level::Note { "note" } else { "warning" };
            say(&format!("{level}: {finding}"));
        }
        let of = match manifest.kind {
            Kind::Footage => format!("{:.0} s of speech", manifest.seconds),
            Kind::Photo => "of one photo".to_owned(),
            Kind::Model => "of a model".to_owned(),
            Kind::Design => "designed".to_owned(),
        };
        let of = match &manifest.outfit_of {
            Some(wearer) => format!("{of}, an outfit of {wearer}"),
            None => of,
        };
        let of = if manifest.cut.is_some() { format!("{of}, cut out of the background") } else { of };
        answer(&format!("{} ({}): {of}", manifest.name, manifest.id));
        Ok(())
    }
}

impl Consent {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let chance = RandomState::new().build_hasher().finish();
        let (tongue, today) = (tongue(&self.language)?, Civil::of(now().as_millis() as i64));
        let date = tongue.date(today.year, today.month, today.day);
        let form = Form::new(tongue, &self.person, &date, &self.purpose, chance).map_err(bad)?;
        let text = serde_json::to_string_pretty(&form).map_err(Failure::failed)?;
        let output = self.output.display();
        std::fs::write(&self.output, text + "\n").map_err(|error| Failure::failed(format!("{output}: {error}")))?;
        say(&format!(
            "{output} goes to `compere avatar add footage --consent`; consent.mp4 shows the person who says:"
        ));
        answer(&form.text());
        Ok(())
    }
}

impl Approve {
    pub(crate) fn run(&self, home: &Home) -> Result<(), Failure> {
        let settings = self.installation.settings(home)?;
        runtime()?.block_on(async {
            let approvals = Approvals::open(home, &settings).await.map_err(Failure::Failed)?;
            let done = self.done(&approvals).await;
            approvals.close().await;
            done
        })
    }

    async fn done(&self, approvals: &Approvals) -> Result<(), Failure> {
        let (Some(presenter), Some(by)) = (&self.presenter, &self.by) else {
            for one in approvals.waiting().await? {
                answer(&format!("{}  {}  {:.0} s of speech", one.id, one.name, one.seconds));
            }
            return Ok(());
        };
        let approved = approvals.approve(presenter, by).await?;
        answer(&format!("{} ({}) may present from now on", approved.name, approved.id));
        Ok(())
    }
}

impl Remove {
    pub(crate) fn run(&self, home: &Home) -> Result<(), Failure> {
        if self.of_an_account(home)? {
            return Ok(());
        }
        let store = Store::new(&home.data);
        if !store.remove_all(&self.presenter).map_err(Failure::failed)? {
            return Err(Failure::BadInput(format!("no presenter of footage is called `{}`", self.presenter)));
        }
        // Pieces of films do not tell whom they show; losing them costs the next films time and nothing else.
        match std::fs::remove_dir_all(home.cache()) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Failure::failed(format!(
                    "{}: {error}; it may still hold pictures of the presenter",
                    home.cache().display()
                )));
            }
            _ => {}
        }
        answer(&format!(
            "{} is gone, with its takes, its consent and the cache; films that were made are where you put them",
            self.presenter
        ));
        Ok(())
    }
}

impl Remove {
    /// One that came in through the service goes by the way of its records. Says whether it is one.
    fn of_an_account(&self, home: &Home) -> Result<bool, Failure> {
        let settings = self.installation.settings(home)?;
        if settings.database.is_none() && !home.data.join("compere.db").exists() {
            return Ok(false);
        }
        runtime()?.block_on(async {
            let approvals = Approvals::open(home, &settings).await.map_err(Failure::Failed)?;
            let gone = approvals.withdraw(&self.presenter).await;
            approvals.close().await;
            let Some(gone) = gone? else { return Ok(false) };
            answer(&format!("{} is gone, with its takes, its consent and all pieces of films", self.presenter));
            for film in gone.films {
                answer(&format!("film {} of project {}: {}", film.id, film.project, film.order.name));
            }
            for original in gone.originals {
                let of = original.used_by.join(", ");
                let became = if original.is_deleted { "is gone as well".to_owned() } else { format!("stays for {of}") };
                answer(&format!("file {} ({}) {became}", original.asset.id, original.asset.name));
            }
            Ok(true)
        })
    }
}

fn form(path: &Path) -> Result<Form, Failure> {
    let text =
        std::fs::read_to_string(path).map_err(|error| Failure::BadInput(format!("{}: {error}", path.display())))?;
    serde_json::from_str(&text).map_err(|error| {
        Failure::BadInput(format!("{}: {error}; `compere avatar consent` writes such a file", path.display()))
    })
}

fn bad(error: compere_own::OwnError) -> Failure {
    match error {
        compere_own::OwnError::Footage(what) => Failure::BadInput(what),
        other => Failure::failed(other),
    }
}

/// What refuses first, then what is worth knowing.
fn told(findings: &[Finding]) -> String {
    let of = |level: Level| findings.iter().filter(move |finding| finding.level == level).map(ToString::to_string);
    let refused = of(Level::Refused).map(|what| format!("\n  refused: {what}"));
    let warned = of(Level::Warning).map(|what| format!("\n  warning: {what}"));
    format!("no presenter can be made of this footage:{}", refused.chain(warned).collect::<String>())
}

#[expect(clippy::disallowed_methods, reason = "the binary's edge tells the time")]
pub fn now() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
