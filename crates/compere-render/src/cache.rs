//! Work that was done before, under the hash of everything it was made from.
//!
//! Files are written beside and renamed, so a reader sees a whole one or none. A hit is touched; when the cache grows
//! over its cap, those untouched for longest go. Losing the whole folder costs time, never correctness.
//!
//! Behind it there may be what others made ([`Beyond`]): asked for what is not here, and told of what was made here.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// What a cached file holds. Each has a folder of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shelf {
    /// Encoded frames of a part of a scene.
    Segment,
    /// A spoken sentence with its marks.
    Speech,
    /// A baked presenter.
    Pack,
    /// The decoded sound of a linked file.
    Sound,
}

impl Shelf {
    const ALL: [Self; 4] = [Self::Segment, Self::Speech, Self::Pack, Self::Sound];

    /// The name of its folder.
    pub fn folder(self) -> &'static str {
        match self {
            Self::Segment => "segment",
            Self::Speech => "speech",
            Self::Pack => "pack",
            Self::Sound => "sound",
        }
    }

    pub fn of_folder(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|shelf| shelf.folder() == name)
    }
}

/// Where others keep what they made. What shows a person who may take their consent back never goes there, nor is it
/// asked for.
pub trait Beyond: Send + Sync + std::fmt::Debug {
    /// Puts what others made in its place in the cache's folder, whole. False when nobody did, or it would take too long.
    fn fetch(&self, shelf: Shelf, key: &Key) -> bool;

    /// Something was made here and lies in its place. Nobody waits for whatever is done with it.
    fn made(&self, shelf: Shelf, key: &Key);
}

/// The folder of a cache in which somebody who took their consent back has an empty file of their name, for as long as the
/// service runs that removed what shows them: what was begun before is not kept after.
const GONE: &str = "gone";

/// The hash of everything a piece of work was made from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key(String);

impl Key {
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            // Lengths keep ("ab", "c") and ("a", "bc") apart.
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self(hasher.finalize().to_hex().to_string())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same with words that its file can be found by: whose pictures it holds. Letters, digits and `-` only.
    pub(crate) fn marked(self, mark: &str) -> Self {
        if mark.is_empty() { self } else { Self(format!("{}.{mark}", self.0)) }
    }

    /// What it was marked with.
    pub(crate) fn mark(&self) -> &str {
        self.0.split_once('.').map_or("", |(_, mark)| mark)
    }

    /// The words of its mark.
    pub(crate) fn people(&self) -> impl Iterator<Item = &str> {
        self.mark().split('.').filter(|word| !word.is_empty())
    }

    /// A number that belongs to the content: seeds blinks and gaze.
    pub(crate) fn seed(&self) -> u64 {
        let head = self.0.as_bytes().iter().take(16);
        head.fold(0, |seed, &digit| (seed << 4) | u64::from(digit & 0xf))
    }
}

/// A folder of finished work with a cap on its size.
#[derive(Debug)]
pub struct Cache {
    dir: PathBuf,
    cap: u64,
    hits: AtomicU64,
    misses: AtomicU64,
    beyond: Option<Arc<dyn Beyond>>,
}

impl Cache {
    /// Makes the folders where they are missing.
    pub fn open(dir: &Path, cap: u64) -> std::io::Result<Self> {
        for shelf in Shelf::ALL {
            fs::create_dir_all(dir.join(shelf.folder()))?;
        }
        Ok(Self { dir: dir.to_owned(), cap, hits: AtomicU64::new(0), misses: AtomicU64::new(0), beyond: None })
    }

    /// The same with what others made behind it.
    #[must_use]
    pub fn with(self, beyond: Arc<dyn Beyond>) -> Self {
        Self { beyond: Some(beyond), ..self }
    }

    /// Hits and misses since opening.
    pub fn counts(&self) -> (u64, u64) {
        (self.hits.load(Ordering::Relaxed), self.misses.load(Ordering::Relaxed))
    }

    /// The file under a key, if it is there or somebody else made it.
    pub fn find(&self, shelf: Shelf, key: &Key) -> Option<PathBuf> {
        let path = self.path(shelf, key);
        let found = touch(&path)
            || self.beyond.as_ref().is_some_and(|beyond| is_shared(key) && beyond.fetch(shelf, key) && touch(&path));
        let counter = if found { &self.hits } else { &self.misses };
        counter.fetch_add(1, Ordering::Relaxed);
        found.then_some(path)
    }

    /// Whether a file can be had by others, once it is made.
    pub(crate) fn is_shared(&self, key: &Key) -> bool {
        self.beyond.is_some() && is_shared(key)
    }

    /// The same of one that lies not here.
    pub(crate) fn is_for_others(&self, shelf: Shelf, key: &Key) -> bool {
        self.is_shared(key) && !self.path(shelf, key).exists()
    }

    pub fn get(&self, shelf: Shelf, key: &Key) -> Option<Vec<u8>> {
        self.find(shelf, key).and_then(|path| fs::read(path).ok())
    }

    /// Writes a file under a key and says where it is. Whoever wrote it first wins; the bytes are the same anyway.
    pub fn put(
        &self,
        shelf: Shelf,
        key: &Key,
        write: impl FnOnce(&mut File) -> std::io::Result<()>,
    ) -> std::io::Result<PathBuf> {
        let path = self.write(shelf, key, write)?;
        if let Some(beyond) = self.beyond.as_ref().filter(|_| is_shared(key)) {
            beyond.made(shelf, key);
        }
        Ok(path)
    }

    fn write(
        &self,
        shelf: Shelf,
        key: &Key,
        write: impl FnOnce(&mut File) -> std::io::Result<()>,
    ) -> std::io::Result<PathBuf> {
        let path = self.path(shelf, key);
        let mut beside = tempfile::Builder::new().prefix(".part-").tempfile_in(self.dir.join(shelf.folder()))?;
        write(beside.as_file_mut())?;
        beside.as_file_mut().flush()?;
        beside.persist(&path).map_err(|error| error.error)?;
        // Looked for once the file lies there: who takes their consent back is noted before what shows them is removed, so one of
        // the two sees the other.
        if key.people().any(|person| self.dir.join(GONE).join(person).exists()) {
            self.forget(shelf, key);
            return Err(std::io::Error::other("whoever this shows has taken their consent back"));
        }
        Ok(path)
    }

    pub fn put_bytes(&self, shelf: Shelf, key: &Key, bytes: &[u8]) -> std::io::Result<PathBuf> {
        self.put(shelf, key, |file| file.write_all(bytes))
    }

    /// Whether something was noted under a key.
    pub(crate) fn is_noted(&self, key: &Key) -> bool {
        touch(&self.path(Shelf::Segment, key))
    }

    /// Notes that something was found right, for as long as the cache keeps it. What others found is their copy.
    pub(crate) fn note(&self, key: &Key) {
        // Losing it costs time only.
        let _ = self.write(Shelf::Segment, key, |_| Ok(()));
    }

    /// Forgets a file that turned out to be damaged.
    pub fn forget(&self, shelf: Shelf, key: &Key) {
        // Somebody else may have been quicker; either way it is gone.
        let _ = fs::remove_file(self.path(shelf, key));
    }

    /// Removes what was untouched for longest until the cache fits its cap, sparing everything touched since `since`,
    /// and parts that a killed process left behind.
    pub fn sweep(&self, since: SystemTime) -> std::io::Result<()> {
        let mut files = Vec::new();
        for shelf in Shelf::ALL {
            for entry in fs::read_dir(self.dir.join(shelf.folder()))? {
                let entry = entry?;
                // A file may vanish under us: another process sweeps too.
                let Ok(meta) = entry.metadata() else { continue };
                files.push((meta.modified().unwrap_or(SystemTime::UNIX_EPOCH), meta.len(), entry.path()));
            }
        }
        files.sort();
        let mut total: u64 = files.iter().map(|(_, len, _)| len).sum();
        for (touched, len, path) in files {
            if total <= self.cap || touched >= since {
                break;
            }
            if fs::remove_file(path).is_ok() {
                total -= len;
            }
        }
        Ok(())
    }

    fn path(&self, shelf: Shelf, key: &Key) -> PathBuf {
        self.dir.join(shelf.folder()).join(&key.0)
    }
}

/// Whether a file is there; it was used just now then.
fn touch(path: &Path) -> bool {
    File::open(path).and_then(|file| file.set_modified(now())).is_ok()
}

/// What shows somebody of an account's own goes with their consent, so it stays where it can be found.
fn is_shared(key: &Key) -> bool {
    key.mark().is_empty()
}

/// Only the order of touches depends on the clock, never what is drawn.
#[expect(clippy::disallowed_methods, reason = "which file was used last is a question about time")]
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_longest_untouched_goes_first() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let cache = Cache::open(dir.path(), 250).expect("opens");
        let keys: Vec<Key> = (0..4u8).map(|n| Key::of(&[&[n]])).collect();
        for (age, key) in keys.iter().enumerate() {
            let path = cache.put_bytes(Shelf::Segment, key, &[0; 100]).expect("writes");
            let touched = now() - Duration::from_secs(1000 - 100 * age as u64);
            File::options().append(true).open(path).and_then(|file| file.set_modified(touched)).expect("touches");
        }
        assert!(cache.find(Shelf::Segment, &keys[0]).is_some(), "touched just now");
        cache.sweep(now()).expect("sweeps");
        let left: Vec<bool> = keys.iter().map(|key| cache.find(Shelf::Segment, key).is_some()).collect();
        assert_eq!(left, [true, false, false, true]);
    }

    #[test]
    fn what_shows_somebody_who_is_gone_is_not_kept() {
        let dir = tempfile::tempdir().expect("a folder");
        let cache = Cache::open(dir.path(), 250).expect("opens");
        fs::create_dir(dir.path().join(GONE)).expect("a folder");
        fs::write(dir.path().join(GONE).join("ada"), "").expect("writes");
        for (key, kept) in [(Key::of(&[b"x"]).marked("bob.ada"), false), (Key::of(&[b"x"]).marked("bob"), true)] {
            assert_eq!(cache.put_bytes(Shelf::Pack, &key, b"a face").is_ok(), kept, "{key:?}");
            assert_eq!(cache.find(Shelf::Pack, &key).is_some(), kept, "{key:?}");
        }
    }

    /// Somebody else's folder, and what was said of ours.
    #[derive(Debug)]
    struct Others {
        theirs: PathBuf,
        ours: PathBuf,
        told: std::sync::Mutex<Vec<String>>,
    }

    impl Beyond for Others {
        fn fetch(&self, shelf: Shelf, key: &Key) -> bool {
            let file = |dir: &Path| dir.join(shelf.folder()).join(key.as_str());
            fs::copy(file(&self.theirs), file(&self.ours)).is_ok()
        }

        fn made(&self, _: Shelf, key: &Key) {
            self.told.lock().expect("a lock").push(key.as_str().to_owned());
        }
    }

    #[test]
    fn what_others_made_is_found_and_what_was_made_here_is_told() {
        let (here, there) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let theirs = Cache::open(there.path(), 250).expect("opens");
        let others =
            Others { theirs: there.path().to_owned(), ours: here.path().to_owned(), told: std::sync::Mutex::default() };
        let others = Arc::new(others);
        let ours = Cache::open(here.path(), 250).expect("opens").with(others.clone());
        let (key, own) = (Key::of(&[b"x"]), Key::of(&[b"y"]).marked("somebody"));
        for key in [&key, &own] {
            assert_eq!(ours.get(Shelf::Segment, key), None);
            theirs.put_bytes(Shelf::Segment, key, b"theirs").expect("writes");
        }
        assert_eq!(ours.get(Shelf::Segment, &key).as_deref(), Some(&b"theirs"[..]));
        assert_eq!(ours.get(Shelf::Segment, &own), None, "whoever it shows may take it back");
        assert!(!ours.is_noted(&Key::of(&[b"z"])));
        ours.note(&Key::of(&[b"z"]));
        ours.put_bytes(Shelf::Segment, &own, b"ours").expect("writes");
        assert_eq!(others.told.lock().expect("a lock").len(), 0);
        ours.put_bytes(Shelf::Pack, &key, b"ours").expect("writes");
        assert_eq!(*others.told.lock().expect("a lock"), [key.as_str()]);
        assert_eq!(ours.counts(), (1, 3));
    }

    #[test]
    fn a_failed_write_leaves_nothing() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let cache = Cache::open(dir.path(), 250).expect("opens");
        let key = Key::of(&[b"x"]);
        cache.put(Shelf::Pack, &key, |_| Err(std::io::Error::other("disk full"))).expect_err("fails");
        assert!(cache.find(Shelf::Pack, &key).is_none());
        assert_eq!(fs::read_dir(dir.path().join("pack")).expect("reads").count(), 0);
    }
}
