//! The outside of a film on one machine: its files, the network, its voices and presenters.

use std::borrow::Cow;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use compere_avatar::Cast;
use compere_codec::image::{self, MAX_SIDE, Want};
use compere_codec::sandbox::Left;
use compere_compose::draw::Fonts;
use compere_own::Troupe;
use compere_render::{BesideSource, Beyond, Cache, Packs, Studio, Workshop};
use compere_scene::{Catalogue, Film, Problem, Source};
use compere_speech::Voices;

use super::engine::engine;
use super::media::OwnMedia;
use super::protocol::{Hello, Pass};
use compere_house::assets::{AddressRules, FetchSettings, Fetcher, site};
use compere_house::backdrops;
use compere_house::catalogue::{House, mismatched};
use compere_house::home::{Home, font_dirs, sandbox};

/// Ten gigabytes hold some hundred hours of presenter film.
const CACHE_CAP: u64 = 10 << 30;
/// What scenes drawn side by side may take.
const MEMORY: u64 = 2 << 30;

/// A studio with everything at hand.
#[derive(Debug)]
pub struct LocalStudio {
    workshop: Workshop,
    house: House,
    fetcher: Fetcher,
    root: PathBuf,
    /// Media that the service keeps itself.
    own: Option<OwnMedia>,
    /// Presenters of footage, of which each account sees its own; in a worker only.
    people: Option<compere_own::Store>,
    /// The folder of the scene file, where paths lead that lead nowhere below the assets.
    beside: Option<PathBuf>,
    /// Holds a cache that nobody shall see again.
    _scratch: Option<tempfile::TempDir>,
}

impl LocalStudio {
    pub fn open(home: &Home, threads: Option<usize>, no_cache: bool) -> Result<Self, String> {
        let at = |dir: &Path| {
            let dir = dir.display().to_string();
            move |error: std::io::Error| format!("{dir}: {error}")
        };
        let scratch = no_cache.then(tempfile::tempdir).transpose().map_err(at(&std::env::temp_dir()))?;
        let cache_dir = scratch.as_ref().map_or_else(|| home.cache(), |dir| dir.path().join("cache"));
        let exe = std::env::current_exe().map_err(at(Path::new("compere")))?;
        let threads = threads.or_else(cores).unwrap_or(1).max(1);
        let workshop = Workshop {
            fonts: Fonts::open(&font_dirs()).map_err(|error| error.to_string())?,
            voices: Voices::keeping(&home.assets, threads, Arc::new(BesideSource)),
            cast: Cast::open(&home.assets),
            engine: engine(&exe).map_err(at(&exe))?,
            sandbox: sandbox()?,
            cache: Cache::open(&cache_dir, CACHE_CAP).map_err(at(&cache_dir))?,
            threads,
            memory: MEMORY,
            packs: Packs::default(),
        };
        let house = House::of(&workshop.cast, &workshop.voices).with_files_of(&home.assets);
        let fetcher = fetcher(home)?;
        Ok(Self {
            workshop,
            house,
            fetcher,
            root: home.assets.clone(),
            own: None,
            people: None,
            beside: None,
            _scratch: scratch,
        })
    }

    /// The same with all presenters that were made of footage on this machine: whoever runs commands here may show them.
    #[must_use]
    pub fn with_own_presenters(mut self, home: &Home) -> Self {
        let store = compere_own::Store::new(&home.data);
        let own = compere_own::presenters(&store, &self.workshop.sandbox, self.workshop.cast.designer());
        if !own.is_empty() {
            self.workshop.cast = self.workshop.cast.with(own);
            self.house = House::of(&self.workshop.cast, &self.workshop.voices).with_files_of(&self.root);
        }
        self
    }

    /// The studio of a worker: the service's rules for links, and its media.
    pub fn of_worker(hello: &Hello) -> Result<Self, String> {
        let home = Home { assets: hello.assets.clone(), data: hello.data.clone() };
        let mut studio = Self::open(&home, hello.settings.worker_threads, false)?;
        let mut settings = FetchSettings::new(home.data.join("linked"), &home.assets);
        settings.rules = AddressRules::allowing(&hello.settings.allow).map_err(|error| format!("allow: {error}"))?;
        settings.most_bytes = hello.settings.limits.asset.bytes();
        let failed = |error: std::io::Error| format!("{}: {error}", home.data.display());
        studio.fetcher = Fetcher::new(settings).map_err(failed)?;
        studio.house = studio.house.renamed(hello.settings.aliases.clone(), hello.settings.fallback_model.clone());
        let people = compere_own::Store::new(&home.data);
        let troupe = Troupe {
            store: people.clone(),
            sandbox: studio.workshop.sandbox.clone(),
            designer: studio.workshop.cast.designer().clone(),
        };
        studio.workshop.cast = studio.workshop.cast.welcoming(Arc::new(troupe));
        studio.people = Some(people);
        studio.own = Some(OwnMedia::new(hello.base_url.clone(), &home.data.join("linked/own")).map_err(failed)?);
        Ok(studio)
    }

    /// The same with what other machines made behind its cache.
    #[must_use]
    pub fn beside_others(mut self, others: Arc<dyn Beyond>) -> Self {
        self.workshop.cache = self.workshop.cache.with(others);
        self
    }

    /// Takes the passes to the service's media that came with a piece of work.
    pub fn admit(&self, passes: Vec<Pass>) {
        if let Some(own) = &self.own {
            own.admit(passes);
        }
    }

    /// Paths that begin with `/` may also lead to files beside this scene file, below its folder.
    #[must_use]
    pub fn beside(self, scene: &Path) -> Self {
        let folder = scene.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let house = self.house.with_files_of(folder);
        Self { beside: Some(folder.to_owned()), house, ..self }
    }

    pub fn catalogue(&self) -> &dyn Catalogue {
        &self.house
    }

    /// Who and what there is for one account: whom it may not show it does not find.
    pub fn catalogue_of(&self, account: &str) -> Cow<'_, House> {
        let own = self.people.as_ref().map(|people| compere_own::shown_to(people, account)).unwrap_or_default();
        if own.is_empty() { Cow::Borrowed(&self.house) } else { Cow::Owned(self.house.clone().beside(&own)) }
    }

    /// Lines whose text is plainly not in the language of the voice chosen for them.
    pub fn mismatched(&self, film: &Film) -> Vec<Problem> {
        mismatched(&self.workshop.voices, film)
    }

    /// The size of a linked picture, which the older generation's positions depend on.
    pub fn size_of(&self, link: &str) -> Option<(u32, u32)> {
        self.measured(link, &Left::default()).ok()
    }

    /// The same, with a sentence about why it cannot be known.
    pub fn measured(&self, link: &str, left: &Left) -> Result<(u32, u32), String> {
        let file = self.file(&Source(link.to_owned()), left)?;
        // A drawing has no pixels of its own: it is drawn as large as is asked for, and only its shape counts.
        let side = if is_drawing(&file) { DRAWING } else { MAX_SIDE };
        let most = Want { max_width: side, max_height: side };
        let picture = image::decode(&self.workshop.sandbox.clone().until(left.clone()), &file, most);
        let picture = picture.map_err(|error| format!("{link} {error}"))?;
        Ok((picture.width(), picture.height()))
    }
}

/// How large drawings are taken to be.
const DRAWING: u32 = 1920;

fn is_drawing(file: &Path) -> bool {
    let mut head = Vec::new();
    let read = std::fs::File::open(file).and_then(|file| file.take(4096).read_to_end(&mut head));
    read.is_ok() && image::image_type(&head) == Ok(image::ImageType::Svg)
}

impl Studio for LocalStudio {
    fn file(&self, source: &Source, left: &Left) -> Result<PathBuf, String> {
        if let Some(painted) = backdrops::find(&self.root, &source.0)? {
            return Ok(painted);
        }
        if let Some(own) = self.own.as_ref().and_then(|own| own.file(&source.0)) {
            return own;
        }
        let fetched = self.fetcher.fetch_until(&source.0, left);
        if let (Err(_), Some(folder), true) = (&fetched, &self.beside, site::is_site_path(&source.0))
            && let Ok(file) = site::file(folder, &source.0)
        {
            return Ok(file);
        }
        fetched.map_err(|error| error.to_string())
    }

    fn workshop(&self) -> &Workshop {
        &self.workshop
    }
}

/// `COMPERE_ALLOW` opens addresses inside the operator's own network: `10.0.0.0/8, nas:9000`.
pub(crate) fn fetcher(home: &Home) -> Result<Fetcher, String> {
    let mut settings = FetchSettings::new(home.data.join("linked"), &home.assets);
    if let Ok(list) = std::env::var("COMPERE_ALLOW") {
        settings.rules = AddressRules::allowing(&list).map_err(|error| format!("COMPERE_ALLOW: {error}"))?;
    }
    Fetcher::new(settings).map_err(|error| format!("{}: {error}", home.data.display()))
}

fn cores() -> Option<usize> {
    std::thread::available_parallelism().ok().map(Into::into)
}
