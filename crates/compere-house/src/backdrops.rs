//! The backgrounds that come with the product: painted when they are first asked for.
//!
//! Painting a dozen of them in both orientations takes longer than everything else a set-up does, and most
//! installations use two.

use std::io::Write;
use std::path::{Path, PathBuf};

use compere_backdrop as backdrop;
use compere_codec::image::pixmap_to_png;
use compere_scene::BackgroundEntry;

/// Large enough for 4k: these pictures are soft.
const LONG: u32 = 2560;
const SHORT: u32 = 1440;
const FOLDER: &str = "/images/background/";

/// The file behind `/images/background/studio-warm.png` or `…-portrait.png`; `None` when the path names something else.
pub fn find(assets: &Path, path: &str) -> Result<Option<PathBuf>, String> {
    let Some(name) = path.strip_prefix(FOLDER).and_then(|file| file.strip_suffix(".png")) else { return Ok(None) };
    let file = assets.join(&path[1..]);
    if file.is_file() {
        return Ok(Some(file));
    }
    let (bare, width, height) = match name.strip_suffix("-portrait") {
        Some(bare) => (bare, SHORT, LONG),
        None => (name, LONG, SHORT),
    };
    let Some(picture) = backdrop::paint(bare, width, height) else { return Ok(None) };
    let failed = |error: std::io::Error| format!("{}: {error}", file.display());
    let dir = file.parent().unwrap_or(assets);
    std::fs::create_dir_all(dir).map_err(failed)?;
    let mut beside = tempfile::NamedTempFile::new_in(dir).map_err(failed)?;
    let bytes = pixmap_to_png(&picture).map_err(|error| error.to_string())?;
    beside.write_all(&bytes).map_err(failed)?;
    beside.persist(&file).map_err(|error| failed(error.error))?;
    Ok(Some(file))
}

/// All of them with the words that describe them.
pub fn entries() -> Vec<BackgroundEntry> {
    let entry = |backdrop: &backdrop::Backdrop, ending: &str| {
        let title = backdrop.title.split(' ').map(str::to_lowercase);
        let mut words: Vec<String> = backdrop.name.split('-').map(str::to_owned).chain(title).collect();
        words.extend(backdrop.tags.iter().map(|&tag| tag.to_owned()));
        words.extend(ending.strip_prefix('-').map(str::to_owned));
        words.sort();
        words.dedup();
        BackgroundEntry { path: format!("{FOLDER}{}{ending}.png", backdrop.name), words }
    };
    backdrop::catalogue().iter().flat_map(|backdrop| ["", "-portrait"].map(|ending| entry(backdrop, ending))).collect()
}

/// All of them, as paths to link to.
pub fn all() -> Vec<String> {
    let both = |name: &str| [format!("{FOLDER}{name}.png"), format!("{FOLDER}{name}-portrait.png")];
    backdrop::catalogue().iter().flat_map(|backdrop| both(backdrop.name)).collect()
}
