//! Making a presenter: from a folder to the store.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use compere_avatar::{NoCache, PORTRAIT, paint_portrait};
use compere_codec::Sandbox;
use compere_codec::image::pixmap_to_jpeg;

use crate::bank::Keeping;
use crate::build::{Bench, Built, Clip, Finding, Reel, Refused, Watch, build};
use crate::consent::{Form, evidence};
use crate::error::OwnError;
use crate::figure::{Figure, figure};
use crate::matte::Background;
use crate::photo::{Taken, taken};
use crate::presenter::filmed;
use crate::store::{Consent, Kind, Manifest, Store, warnings};
use crate::tongue::Tongue;
use serde::{Deserialize, Serialize};

const FILMS: [&str; 6] = ["mp4", "mov", "webm", "mkv", "m4v", "avi"];
const BASE: &str = "idle";
const CONSENT: &str = "consent";
const ALL: &str = "all";
const TALK: &str = "talk";

/// What somebody calls a presenter and says about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wish {
    /// What it is known by, where somebody keeps count and has the footage; else it is told from the footage, which is
    /// kept beside it.
    pub id: Option<String>,
    pub name: String,
    /// `female`, `male` or `neutral`.
    pub gender: String,
    /// BCP 47.
    pub language: String,
    pub account: Option<String>,
    /// Seconds since 1970.
    pub now: u64,
    /// What the person read before the camera, in the folder's `consent.mp4`.
    pub consent: Form,
    /// Who saw that beside the takes. Without it nobody is shown it yet.
    pub approved_by: Option<String>,
    #[serde(default)]
    pub background: Background,
    /// How large the bank may be.
    #[serde(default)]
    pub keeping: Keeping,
    /// Whom it shows in other clothes; then `name` is what those are called.
    #[serde(default)]
    pub outfit_of: Option<String>,
}

/// A folder of footage, looked through.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Folder {
    pub spoken: Vec<Clip>,
    /// One film in which many lines are read; its text has one a line.
    #[serde(default)]
    pub all: Option<Clip>,
    pub base: PathBuf,
    /// The person talks freely in it; films are made on it as well.
    #[serde(default)]
    pub talk: Option<PathBuf>,
    pub consent: Option<PathBuf>,
    /// A portrait; then nothing else is asked for but the consent.
    #[serde(default)]
    pub photo: Option<PathBuf>,
}

impl Folder {
    /// Spoken takes are `01.mp4` (the first prompt) or any name with its text beside it (`welcome.mp4`, `welcome.txt`);
    /// in `all.mp4` all prompts are read, or the lines of `all.txt`; `idle.mp4` is the silent take, `talk.mp4` free talk where there is
    /// some, and `consent.mp4` the consent. Prompts are those of `tongue`.
    pub fn read(folder: &Path, tongue: &Tongue) -> Result<Self, OwnError> {
        let failed = |error: std::io::Error| OwnError::Footage(format!("{}: {error}", folder.display()));
        let mut films: BTreeMap<String, PathBuf> = BTreeMap::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
            if let (true, Some(stem)) =
                (FILMS.contains(&ending.as_str()), path.file_stem().and_then(|stem| stem.to_str()))
            {
                films.insert(stem.to_owned(), path.clone());
            }
        }
        let base = films.remove(BASE).ok_or_else(|| {
            OwnError::Footage(format!(
                "{}: there is no {BASE}.mp4, twenty seconds of silence with relaxed lips",
                folder.display()
            ))
        })?;
        let (consent, talk) = (films.remove(CONSENT), films.remove(TALK));
        let all = films.remove(ALL).map(|path| all_lines(path, tongue)).transpose()?;
        let spoken = films.into_iter().map(|(stem, path)| clip(&stem, path, tongue)).collect::<Result<Vec<_>, _>>()?;
        if spoken.is_empty() && all.is_none() {
            let none = "there are no spoken takes, such as 01.mp4, nor an all.mp4 with many of them";
            return Err(OwnError::Footage(format!("{}: {none}", folder.display())));
        }
        Ok(Self { spoken, all, base, talk, consent, photo: None })
    }

    /// One portrait, and the person who agrees.
    pub fn of_photo(photo: PathBuf, consent: Option<PathBuf>) -> Self {
        Self { spoken: Vec::new(), all: None, base: PathBuf::new(), talk: None, consent, photo: Some(photo) }
    }

    /// Files in which somebody speaks.
    fn speaking(&self) -> impl Iterator<Item = &PathBuf> {
        self.spoken.iter().chain(&self.all).map(|clip| &clip.path)
    }
}

/// A long film and the lines that are read in it.
fn all_lines(path: PathBuf, tongue: &Tongue) -> Result<Clip, OwnError> {
    let beside = path.with_extension("txt");
    let written = beside.exists().then(|| fs::read_to_string(&beside).map_err(OwnError::machine)).transpose()?;
    let text = written.unwrap_or_else(|| tongue.prompts().to_owned());
    if text.trim().is_empty() {
        return Err(OwnError::Footage(format!("{ALL}: {} is empty", beside.display())));
    }
    Ok(Clip { path, name: ALL.to_owned(), text })
}

fn clip(stem: &str, path: PathBuf, tongue: &Tongue) -> Result<Clip, OwnError> {
    let beside = path.with_extension("txt");
    let text = match fs::read_to_string(&beside) {
        Ok(text) => text,
        Err(_) => {
            let number: Option<usize> = stem.trim_start_matches("prompt-").parse().ok();
            let prompt = number.and_then(|number| tongue.line(number));
            let unknown =
                || OwnError::Footage(format!("{stem}: nobody knows what is said; write it into {}", beside.display()));
            prompt.ok_or_else(unknown)?.to_owned()
        }
    };
    if text.trim().is_empty() {
        return Err(OwnError::Footage(format!("{stem}: {} is empty", beside.display())));
    }
    Ok(Clip { path, name: stem.to_owned(), text: text.trim().to_owned() })
}

/// A presenter that was made.
#[derive(Clone, Debug)]
pub struct Added {
    pub manifest: Manifest,
    pub findings: Vec<Finding>,
}

/// Makes a presenter and keeps it, or says what is wrong with the footage and keeps nothing.
pub fn add(store: &Store, wish: &Wish, folder: &Folder, bench: &Bench<'_>, watch: Watch<'_>) -> Result<Added, Refused> {
    let Some(video) = &folder.consent else {
        let what = format!("there is no {CONSENT}.mp4, in which the person says: {}", wish.consent.text());
        return Err(OwnError::Footage(what).into());
    };
    // Whoever keeps count knows whom it shows, and may make an outfit before its wearer.
    if let (Some(wearer), None) = (&wish.outfit_of, &wish.id) {
        worn_by(store, wearer, wish).map_err(OwnError::Footage)?;
    }
    let consent = evidence(&wish.consent, video, wish.approved_by.as_deref(), &wish.language, bench)?;
    let made = match &folder.photo {
        Some(photo) => {
            watch("track", 0, 1);
            Source::Photo(Box::new(taken(photo, wish.background, bench)?))
        }
        None => {
            let reel = Reel {
                spoken: folder.spoken.clone(),
                all: folder.all.clone(),
                base: folder.base.clone(),
                free: folder.talk.clone(),
                language: wish.language.clone(),
                background: wish.background,
                keeping: wish.keeping,
            };
            Source::Footage(Box::new(build(&reel, bench, watch)?))
        }
    };
    watch("keep", 0, 1);
    let id = match &wish.id {
        Some(id) => {
            // What an earlier try left.
            store.remove(id)?;
            id.clone()
        }
        None => told_from(folder, wish)?,
    };
    if store.find(&id).is_some() {
        return Err(OwnError::Footage(format!("this footage is already the presenter {id}; remove it first")).into());
    }
    let manifest = made.manifest(id, wish, consent);
    let named = |path: &PathBuf| Some((path.file_name()?.to_str()?.to_owned(), path.clone()));
    let kept = |_: &(String, PathBuf)| wish.id.is_none();
    let takes = folder.speaking().chain(&folder.talk).chain(&folder.photo).chain(&folder.consent);
    let files: Vec<(String, PathBuf)> = takes.filter_map(named).filter(kept).collect();
    let findings = match made {
        Source::Footage(built) => {
            store.put_footage(&manifest, &files, &built, &folder.base)?;
            built.findings
        }
        Source::Photo(taken) => {
            store.put_photo(&manifest, &files, &taken)?;
            taken.findings
        }
    };
    Ok(Added { manifest, findings })
}

/// Whether somebody may be shown in other clothes: the same person of the same account. Why not is the error.
fn worn_by(store: &Store, id: &str, wish: &Wish) -> Result<(), String> {
    let wearer = store.find(id).ok_or_else(|| format!("there is no presenter {id} that this could be an outfit of"))?;
    if wearer.outfit_of.is_some() || !matches!(wearer.kind, Kind::Footage | Kind::Photo) {
        return Err(format!("{id} is no presenter of footage or a photo, so it has no outfits"));
    }
    if wearer.account != wish.account {
        return Err(format!("{id} belongs to another account"));
    }
    let (wears, agreed) = (&wearer.consent.person, &wish.consent.person);
    if wears.trim().to_lowercase() != agreed.trim().to_lowercase() {
        return Err(format!(
            "{id} shows {wears}, and {agreed} agreed to this footage: an outfit is of the same person"
        ));
    }
    Ok(())
}

/// A model that shall become a presenter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Model {
    /// As [`Wish::id`].
    pub id: Option<String>,
    pub name: String,
    /// `female`, `male` or `neutral`.
    pub gender: String,
    /// BCP 47.
    pub language: String,
    pub account: Option<String>,
    /// Seconds since 1970.
    pub now: u64,
    pub file: PathBuf,
    /// Who says that it may be used.
    pub by: String,
    /// Who looked at it. Without it nobody is shown it yet.
    pub approved_by: Option<String>,
}

/// Makes a presenter of a model and keeps it. Nobody is shown by it, so nobody has to agree; its licence has to.
pub fn add_model(store: &Store, wish: &Model, sandbox: &Sandbox, watch: Watch<'_>) -> Result<Manifest, OwnError> {
    watch("speak", 0, 1);
    let figure = figure(&wish.file, sandbox)?;
    watch("track", 1, 2);
    let ((width, height), face) = Figure::placed();
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(fs::File::open(&wish.file).map_err(OwnError::machine)?).map_err(OwnError::machine)?;
    let hash = hasher.finalize().to_hex().to_string();
    hasher.update(wish.name.as_bytes()).update(wish.account.as_deref().unwrap_or_default().as_bytes());
    let id = match &wish.id {
        Some(id) => {
            // What an earlier try left.
            store.remove(id)?;
            id.clone()
        }
        None => format!("own-{}", &hasher.finalize().to_hex()[..12]),
    };
    if store.find(&id).is_some() {
        return Err(OwnError::Footage(format!("this model is already the presenter {id}; remove it first")));
    }
    let told = if figure.licence().is_empty() { "the file says nothing of its licence" } else { figure.licence() };
    let consent = Consent {
        person: wish.by.trim().to_owned(),
        purpose: told.to_owned(),
        hash,
        approved_by: wish.approved_by.as_ref().map(|by| by.trim().to_owned()),
        ..Consent::default()
    };
    let manifest = Manifest {
        id,
        kind: Kind::Model,
        name: wish.name.clone(),
        gender: wish.gender.clone(),
        language: wish.language.clone(),
        account: wish.account.clone(),
        outfit_of: None,
        created: wish.now,
        width,
        height,
        face,
        eyes: 0.0,
        cut: None,
        seconds: 0.0,
        warnings: Vec::new(),
        consent,
        design: None,
    };
    store.put_model(&manifest, &wish.file)?;
    // What cannot be drawn is not kept, and whoever approves it sees it.
    if let Err(error) = looks(store, &manifest, sandbox) {
        store.remove(&manifest.id)?;
        return Err(error);
    }
    watch("keep", 1, 1);
    Ok(manifest)
}

/// Keeps a picture of a model, head and shoulders.
fn looks(store: &Store, manifest: &Manifest, sandbox: &Sandbox) -> Result<(), OwnError> {
    let wrong = |error: &dyn std::fmt::Display| OwnError::Footage(format!("the model: {error}"));
    let presenter = filmed(store, sandbox, manifest.clone());
    let picture = paint_portrait(presenter.as_ref(), "", PORTRAIT.map(|side| side * 2), &NoCache);
    let picture = picture.map_err(|error| wrong(&error))?;
    store.put_look(&manifest.id, &pixmap_to_jpeg(&picture, 90).map_err(|error| wrong(&error))?)
}

/// What a presenter is made of, looked at.
enum Source {
    Footage(Box<Built>),
    Photo(Box<Taken>),
}

impl Source {
    fn manifest(&self, id: String, wish: &Wish, consent: Consent) -> Manifest {
        let cut = match self {
            Self::Footage(built) => built.cut.as_ref(),
            Self::Photo(taken) => taken.cut.as_ref(),
        };
        let cut = cut.map(|(_, seen)| *seen);
        let (kind, (width, height), face, eyes, seconds, findings) = match self {
            Self::Footage(built) => (Kind::Footage, built.size, built.face, built.eyes, built.seconds, &built.findings),
            Self::Photo(taken) => {
                let size = (taken.photo.width, taken.photo.height);
                (Kind::Photo, size, taken.face, taken.eyes, 0.0, &taken.findings)
            }
        };
        Manifest {
            id,
            kind,
            name: wish.name.clone(),
            gender: wish.gender.clone(),
            language: wish.language.clone(),
            account: wish.account.clone(),
            outfit_of: wish.outfit_of.clone(),
            created: wish.now,
            width,
            height,
            face,
            eyes,
            cut,
            seconds,
            warnings: warnings(findings),
            consent,
            design: None,
        }
    }
}

/// The same footage is the same presenter.
fn told_from(folder: &Folder, wish: &Wish) -> Result<String, OwnError> {
    let mut hasher = blake3::Hasher::new();
    for path in folder.speaking().chain(&folder.photo) {
        let mut file = fs::File::open(path).map_err(OwnError::machine)?;
        hasher.update_reader(&mut file).map_err(OwnError::machine)?;
    }
    hasher.update(wish.name.as_bytes()).update(wish.account.as_deref().unwrap_or_default().as_bytes());
    Ok(format!("own-{}", &hasher.finalize().to_hex()[..12]))
}
