//! The outside of a film on one machine: its files, the network, its voices and presenters.

use std::path::{Path, PathBuf};

use compere_avatar::Cast;
use compere_codec::image::{self, MAX_SIDE, Want};
use compere_codec::sandbox::Sandbox;
use compere_compose::draw::Fonts;
use compere_render::{Cache, Packs, Studio, Workshop};
use compere_scene::{Catalogue, Code, Film, Problem, Source, Speaker};
use compere_speech::{Kind, Voices};

use crate::assets::{AddressRules, FetchSettings, Fetcher, site};
use crate::backdrops;
use crate::catalogue::House;
use crate::home::{Home, font_dirs};

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
            voices: Voices::open(&home.assets, threads),
            cast: Cast::open(&home.assets),
            engine: engine(&exe).map_err(at(&exe))?,
            sandbox: Sandbox::detect(exe),
            cache: Cache::open(&cache_dir, CACHE_CAP).map_err(at(&cache_dir))?,
            threads,
            memory: MEMORY,
            packs: Packs::default(),
        };
        let house = House::of(&workshop.cast, &workshop.voices);
        let fetcher = fetcher(home)?;
        Ok(Self { workshop, house, fetcher, root: home.assets.clone(), beside: None, _scratch: scratch })
    }

    /// Paths that begin with `/` may also lead to files beside this scene file, below its folder.
    #[must_use]
    pub fn beside(self, scene: &Path) -> Self {
        let folder = scene.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Self { beside: Some(folder.to_owned()), ..self }
    }

    pub fn catalogue(&self) -> &dyn Catalogue {
        &self.house
    }

    /// Lines whose text is plainly not in the language of the voice chosen for them. A voice that is given a language of
    /// its own (`tts.language`) is taken at its word.
    pub fn mismatched(&self, film: &Film) -> Vec<Problem> {
        let voices = &self.workshop.voices;
        let mut problems = Vec::new();
        for line in film.scenes.iter().flat_map(|scene| &scene.lines) {
            let Speaker::Voice { voice, language: None, .. } = &line.speaker else { continue };
            let Ok(voice) = voices.get(voice) else { continue };
            let info = voice.info();
            if info.kind == Kind::Tone {
                continue;
            }
            if let Err(mismatch) = compere_speech::check_language(&line.text(), &info.language) {
                let fitting: Vec<String> =
                    voices.speaking(mismatch.text).into_iter().take(4).map(|info| info.id).collect();
                let hint = format!("voices that fit: {}; or say so in tts.language", fitting.join(", "));
                let (path, message) = (line.path.clone(), mismatch.to_string());
                problems.push(Problem { path, message, hint: Some(hint), code: Code::InvalidBody });
            }
        }
        problems
    }

    /// The size of a linked picture, which the older generation's positions depend on.
    pub fn size_of(&self, link: &str) -> Option<(u32, u32)> {
        let file = self.file(&Source(link.to_owned())).ok()?;
        let most = Want { max_width: MAX_SIDE, max_height: MAX_SIDE };
        let picture = image::decode(&self.workshop.sandbox, &file, most).ok()?;
        Some((picture.width(), picture.height()))
    }
}

impl Studio for LocalStudio {
    fn file(&self, source: &Source) -> Result<PathBuf, String> {
        if let Some(painted) = backdrops::find(&self.root, &source.0)? {
            return Ok(painted);
        }
        let fetched = self.fetcher.fetch(&source.0);
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
fn fetcher(home: &Home) -> Result<Fetcher, String> {
    let mut settings = FetchSettings::new(home.data.join("linked"), &home.assets);
    if let Ok(list) = std::env::var("COMPERE_ALLOW") {
        settings.rules = AddressRules::allowing(&list).map_err(|error| format!("COMPERE_ALLOW: {error}"))?;
    }
    Fetcher::new(settings).map_err(|error| format!("{}: {error}", home.data.display()))
}

fn cores() -> Option<usize> {
    std::thread::available_parallelism().ok().map(Into::into)
}

/// Another build may draw otherwise, so pictures are kept under the hash of the program that drew them.
pub(crate) fn engine(exe: &Path) -> std::io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(std::fs::File::open(exe)?)?;
    Ok(hasher.finalize().to_hex().to_string())
}
