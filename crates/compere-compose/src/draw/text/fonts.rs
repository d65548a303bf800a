//! The fonts of some folders, indexed by name.
//!
//! Files are mapped, not read: opening costs the tables of names, and a font's outlines are touched when a text asks
//! for them. The system's own font configuration is not consulted, so the same files give the same pictures.
//!
//! Beside them may be fonts that only some texts can ask for. They stand behind those of the folders: whoever brings a font
//! changes nothing that is written in another.

use parley::fontique::{Blob, Collection, CollectionOptions, FontInfoOverride, SourceCache};
use parley::{FontContext, LayoutContext};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A font of somebody's own, and the family by which texts ask for it.
#[derive(Clone)]
pub struct OwnFont {
    pub family: String,
    /// The file.
    pub bytes: Arc<Vec<u8>>,
}

impl std::fmt::Debug for OwnFont {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "OwnFont({}, {} bytes)", self.family, self.bytes.len())
    }
}

/// All fonts that texts may use. Shared by any number of threads.
pub struct Fonts {
    /// Sorted.
    families: Vec<String>,
    /// From [`normal`] names to the names that fonts give themselves.
    index: HashMap<String, String>,
    /// The same of fonts that are somebody's own, to names that no font gives itself.
    own: HashMap<String, String>,
    pristine: FontContext,
    /// Contexts that wait for their next text. A context costs a copy of the index, so they are kept.
    idle: Mutex<Vec<Workbench>>,
}

/// What laying out one text needs for itself.
pub(super) struct Workbench {
    pub fonts: FontContext,
    pub layouts: LayoutContext<usize>,
}

/// Before the families of own fonts, so that none is taken for one of the folders.
const OWN: &str = "own/";

/// Letters and digits in lower case: "NotoSans-Bold" and "Noto Sans Bold" are one name.
pub(super) fn normal(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Why there is nothing to write with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FontError {
    #[error("no font was found in {}; install fonts-noto-core, fonts-noto-cjk and fonts-noto-color-emoji, or name a folder with TrueType or OpenType files", folders(.0))]
    NoFonts(Vec<PathBuf>),
}

fn folders(dirs: &[PathBuf]) -> String {
    let names: Vec<String> = dirs.iter().map(|dir| dir.display().to_string()).collect();
    if names.is_empty() { "no folder at all".to_owned() } else { names.join(", ") }
}

impl Fonts {
    /// Where Debian puts fonts, and where administrators put theirs.
    pub const SYSTEM_DIRS: [&'static str; 2] = ["/usr/share/fonts", "/usr/local/share/fonts"];

    /// Families without which some scripts cannot be written, each with the Debian package that holds it.
    pub const RECOMMENDED: [(&'static str, &'static str); 5] = [
        ("Noto Sans", "fonts-noto-core"),
        ("Noto Sans Arabic", "fonts-noto-core"),
        ("Noto Sans Devanagari", "fonts-noto-core"),
        ("Noto Sans CJK KR", "fonts-noto-cjk"),
        ("Noto Color Emoji", "fonts-noto-color-emoji"),
    ];

    /// Indexes every TrueType and OpenType file below `dirs`; folders that do not exist are passed over.
    pub fn open(dirs: &[PathBuf]) -> Result<Self, FontError> {
        let mut files = Vec::new();
        for dir in dirs {
            collect(dir, &mut files, 0);
        }
        let options = CollectionOptions { shared: false, system_fonts: false };
        let mut collection = Collection::new(options);
        collection.load_fonts_from_paths(&files);
        let mut families: Vec<String> = collection.family_names().map(str::to_owned).collect();
        families.sort();
        families.dedup();
        if families.is_empty() {
            return Err(FontError::NoFonts(dirs.to_vec()));
        }
        let index = families.iter().map(|name| (normal(name), name.clone())).collect();
        let pristine = FontContext { collection, source_cache: SourceCache::new_shared() };
        Ok(Self { families, index, own: HashMap::new(), pristine, idle: Mutex::new(Vec::new()) })
    }

    /// The same, and these fonts for texts that ask for their families. A family that is here already stays as it is.
    #[must_use]
    pub fn with(&self, own: &[OwnFont]) -> Self {
        let mut fonts = Self {
            families: self.families.clone(),
            index: self.index.clone(),
            own: self.own.clone(),
            pristine: self.pristine.clone(),
            idle: Mutex::new(Vec::new()),
        };
        for OwnFont { family, bytes } in own.iter().filter(|font| !self.index.contains_key(&normal(&font.family))) {
            let called = format!("{OWN}{}", normal(family));
            let instead = FontInfoOverride { family_name: Some(&called), ..FontInfoOverride::default() };
            if fonts.pristine.collection.register_fonts(Blob::new(bytes.clone()), Some(instead)).is_empty() {
                continue;
            }
            if fonts.own.insert(normal(family), called).is_none() {
                fonts.families.push(family.clone());
            }
        }
        fonts.families.sort();
        fonts
    }

    /// Every family, sorted by name.
    pub fn families(&self) -> Vec<String> {
        self.families.clone()
    }

    /// The recommended families that are not here, each with the package that holds it.
    pub fn lacking(&self) -> Vec<(&'static str, &'static str)> {
        Self::RECOMMENDED.into_iter().filter(|(family, _)| self.installed(family).is_none()).collect()
    }

    /// Whether there is a family of that name, however its words are separated and whatever their case.
    pub fn has(&self, family: &str) -> bool {
        self.asked_for(family).is_some()
    }

    /// The family of that name, one's own among them, as [`Self::with_bench`] knows it.
    pub(super) fn asked_for(&self, name: &str) -> Option<&str> {
        self.installed(name).or_else(|| self.own.get(&normal(name)).map(String::as_str))
    }

    /// The family of that name that was found in the folders.
    pub(super) fn installed(&self, name: &str) -> Option<&str> {
        self.index.get(&normal(name)).map(String::as_str)
    }

    pub(super) fn with_bench<T>(&self, work: impl FnOnce(&mut Workbench) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let mut bench =
            waiting.unwrap_or_else(|| Workbench { fonts: self.pristine.clone(), layouts: LayoutContext::new() });
        let result = work(&mut bench);
        idle().push(bench);
        result
    }
}

impl std::fmt::Debug for Fonts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Fonts({} families)", self.families.len())
    }
}

/// Font files below `dir` in the order of their names: a face that is there twice is then always taken from the same
/// file.
fn collect(dir: &Path, files: &mut Vec<PathBuf>, depth: usize) {
    const MAX_DEPTH: usize = 8;
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            if depth < MAX_DEPTH {
                collect(&path, files, depth + 1);
            }
        } else if is_font(&path) {
            files.push(path);
        }
    }
}

fn is_font(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    ["ttf", "otf", "ttc", "otc"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}
