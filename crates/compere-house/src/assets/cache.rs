//! Fetched files, kept under the hash of their content.
//!
//! ```text
//! content/9f/9f2c41…     written once, never changed, read-only
//! links/4be0….json       what a link gave last time; replaced whole
//! partial/…              downloads under way; invisible to everybody else
//! ```
//!
//! A file appears by a rename after its last byte is on disk, so a reader never sees half of one, whatever dies when.
//! Two links with the same bytes share a file. Links are known by their hash only: they may carry signatures that
//! should not lie around. Several processes may share a cache folder.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

/// Files that were used this recently are never removed to make room: a film that needs them may be under way.
const KEEP: Duration = Duration::from_secs(3600);

#[derive(Debug)]
pub struct Cache {
    dir: PathBuf,
    /// Above this size the files that were not used for longest go.
    most_bytes: u64,
}

/// What a link gave last time, and how to ask whether that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub content: String,
    pub bytes: u64,
    /// The hash of the link that answered, which differs from the entry's own after a redirect. Validators belong
    /// to it and are sent to nobody else.
    pub answered: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

impl Cache {
    pub fn open(dir: &Path, most_bytes: u64) -> io::Result<Self> {
        for part in ["content", "links", "partial"] {
            fs::create_dir_all(dir.join(part))?;
        }
        let cache = Self { dir: dir.to_owned(), most_bytes };
        cache.sweep_partial();
        Ok(cache)
    }

    /// What is known of a link, if its file is still there whole.
    pub fn entry(&self, link: &str) -> Option<Entry> {
        let text = fs::read(self.link_path(link)).ok()?;
        let entry: Entry = serde_json::from_slice(&text).ok()?;
        let size = fs::metadata(self.path(&entry.content)?).ok()?.len();
        (size == entry.bytes).then_some(entry)
    }

    /// The file of an entry, marked as used now.
    pub fn file(&self, entry: &Entry) -> Option<PathBuf> {
        let path = self.path(&entry.content)?;
        let file = File::open(&path).ok()?;
        // Only the order of removal depends on it; a read-only cache still works.
        let _ = file.set_modified(now());
        Some(path)
    }

    /// A place for a download to grow in.
    pub fn begin(&self) -> io::Result<Partial> {
        let file = NamedTempFile::new_in(self.dir.join("partial"))?;
        Ok(Partial { file, hash: blake3::Hasher::new(), bytes: 0 })
    }

    /// Makes a finished download visible and remembers its link.
    pub fn keep(&self, link: &str, partial: Partial, note: Note) -> io::Result<PathBuf> {
        let content = partial.hash.finalize().to_hex().to_string();
        let path = self.dir.join("content").join(&content[..2]).join(&content);
        fs::create_dir_all(path.parent().unwrap_or(&self.dir))?;
        partial.file.as_file().sync_data()?;
        let mut permissions = partial.file.as_file().metadata()?.permissions();
        permissions.set_readonly(true);
        partial.file.as_file().set_permissions(permissions)?;
        // Replacing an equal file is harmless; whoever has the old one open keeps it.
        partial.file.persist(&path).map_err(|error| error.error)?;
        let Note { answered, etag, last_modified } = note;
        self.remember(link, &Entry { content, bytes: partial.bytes, answered, etag, last_modified })?;
        self.make_room();
        Ok(path)
    }

    fn remember(&self, link: &str, entry: &Entry) -> io::Result<()> {
        let mut file = NamedTempFile::new_in(self.dir.join("partial"))?;
        file.write_all(&serde_json::to_vec(entry)?)?;
        file.persist(self.link_path(link)).map_err(|error| error.error)?;
        Ok(())
    }

    fn link_path(&self, link: &str) -> PathBuf {
        self.dir.join("links").join(format!("{}.json", hash(link)))
    }

    /// `None` when the index was tampered with: the name must be a hash and cannot leave the folder.
    fn path(&self, content: &str) -> Option<PathBuf> {
        let is_hash = content.len() == 64 && content.bytes().all(|b| b.is_ascii_hexdigit());
        is_hash.then(|| self.dir.join("content").join(&content[..2]).join(content))
    }

    /// Removes what a killed process left half-done. Younger files may belong to a living neighbour.
    fn sweep_partial(&self) {
        for (path, _, age) in files(&self.dir.join("partial")) {
            if age > KEEP {
                let _ = fs::remove_file(path);
            }
        }
    }

    /// Removes least recently used files until the cache fits. A failure only leaves it too large.
    fn make_room(&self) {
        let Ok(folders) = fs::read_dir(self.dir.join("content")) else { return };
        let mut all: Vec<_> = folders.flatten().flat_map(|folder| files(&folder.path())).collect();
        let mut total: u64 = all.iter().map(|(_, bytes, _)| bytes).sum();
        all.sort_by_key(|&(_, _, age)| std::cmp::Reverse(age));
        for (path, bytes, age) in all {
            if total <= self.most_bytes || age <= KEEP {
                return;
            }
            if fs::remove_file(path).is_ok() {
                total -= bytes;
            }
        }
    }
}

/// What is worth remembering of the reply that a file came in.
#[derive(Clone, Debug, Default)]
pub struct Note {
    pub answered: String,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
}

/// A download under way. Dropping it removes the file.
#[derive(Debug)]
pub struct Partial {
    file: NamedTempFile,
    hash: blake3::Hasher,
    bytes: u64,
}

impl Partial {
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    pub fn add(&mut self, piece: &[u8]) -> io::Result<()> {
        self.file.write_all(piece)?;
        self.hash.update(piece);
        self.bytes += piece.len() as u64;
        Ok(())
    }
}

pub fn hash(link: &str) -> String {
    blake3::hash(link.as_bytes()).to_hex().to_string()
}

#[expect(clippy::disallowed_methods, reason = "the age of cached files never reaches a picture")]
fn now() -> SystemTime {
    SystemTime::now()
}

/// Files of a folder with their size and the time since they were last used.
fn files(dir: &Path) -> Vec<(PathBuf, u64, Duration)> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let described = |entry: fs::DirEntry| {
        let meta = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        let age = now().duration_since(meta.modified().ok()?).unwrap_or_default();
        Some((entry.path(), meta.len(), age))
    };
    entries.flatten().filter_map(described).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keep(cache: &Cache, link: &str, bytes: &[u8]) -> PathBuf {
        let mut partial = cache.begin().unwrap();
        partial.add(bytes).unwrap();
        cache.keep(link, partial, Note::default()).unwrap()
    }

    fn age(path: &Path, hours: u64) {
        File::open(path).unwrap().set_modified(now() - Duration::from_secs(hours * 3600)).unwrap();
    }

    #[test]
    fn equal_bytes_share_a_file_and_a_lost_file_is_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(dir.path(), u64::MAX).unwrap();
        let (one, two) = (keep(&cache, "http://a/1", b"same"), keep(&cache, "http://a/2", b"same"));
        assert_eq!(one, two);
        assert_eq!(fs::read(&one).unwrap(), b"same");
        let entry = cache.entry("http://a/1").unwrap();
        assert_eq!(cache.file(&entry), Some(one.clone()));
        assert_eq!(cache.entry("http://a/3"), None);

        fs::remove_file(&one).unwrap();
        assert_eq!(cache.entry("http://a/1"), None);
        fs::write(&one, "sa").unwrap();
        assert_eq!(cache.entry("http://a/1"), None, "a file cut short by a power failure is not trusted");
    }

    #[test]
    fn an_abandoned_download_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(dir.path(), u64::MAX).unwrap();
        let mut partial = cache.begin().unwrap();
        partial.add(b"half").unwrap();
        drop(partial);
        assert!(files(&dir.path().join("partial")).is_empty());
    }

    #[test]
    fn leftovers_of_a_killed_process_go_but_a_neighbours_download_stays() {
        let dir = tempfile::tempdir().unwrap();
        Cache::open(dir.path(), u64::MAX).unwrap();
        let (old, young) = (dir.path().join("partial/old"), dir.path().join("partial/young"));
        fs::write(&old, "x").unwrap();
        fs::write(&young, "x").unwrap();
        age(&old, 2);
        Cache::open(dir.path(), u64::MAX).unwrap();
        assert!(!old.exists() && young.exists());
    }

    #[test]
    fn the_least_recently_used_files_make_room() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(dir.path(), 250).unwrap();
        let paths: Vec<_> = (0..4).map(|i| keep(&cache, &format!("http://a/{i}"), &[i; 100])).collect();
        assert!(paths.iter().all(|path| path.exists()), "files in use are kept, even above the limit");

        age(&paths[0], 5);
        age(&paths[1], 3);
        age(&paths[2], 4);
        cache.file(&cache.entry("http://a/0").unwrap()).unwrap();
        keep(&cache, "http://a/4", &[4; 10]);
        let there: Vec<_> = paths.iter().map(|path| path.exists()).collect();
        assert_eq!(there, [true, false, false, true], "0 was used just now");
        assert_eq!(cache.entry("http://a/1"), None);
    }

    #[test]
    fn an_index_that_points_elsewhere_is_ignored() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(dir.path(), u64::MAX).unwrap();
        keep(&cache, "http://a/1", b"x");
        let entry = r#"{"content":"../../../../etc/passwd","bytes":1,"answered":""}"#;
        fs::write(cache.link_path("http://a/1"), entry).unwrap();
        assert_eq!(cache.entry("http://a/1"), None);
    }
}
