//! What machines of a farm made, for each other: spoken sentences, drawn pieces, baked presenters.
//!
//! Each keeps what it made in its own cache. Behind that is the object store: what is not here is looked for there, and
//! what was made here goes there when there is time. Nothing waits for a store that is slow or away: then a film is made
//! as if nobody had made any of it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use compere_house::home::Home;
use compere_render::Shelf;
use compere_store::{Clock, Key, Objects, StoreError, SystemClock};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::machine::Machine;

/// For the store to say whether it has something.
const ASKING: Duration = Duration::from_secs(3);
/// For what it has: whoever waits longer would have made it.
const FETCHING: Duration = Duration::from_secs(20);
/// For what nobody waits for.
const SENDING: Duration = Duration::from_secs(120);
/// After something went wrong nobody is asked for so long.
const QUIET: Duration = Duration::from_secs(30);
/// Things on their way to the store. What comes when it is this far behind stays here.
const QUEUE: usize = 512;
/// Sent side by side.
const SENDERS: usize = 3;
/// Of a key: a hash in hexadecimal digits.
const DIGITS: usize = 2 * blake3::OUT_LEN;

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Depot(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    way: Arc<Way>,
    queue: mpsc::Sender<Parcel>,
}

/// Something to be sent, and whoever wants to know when it is there.
type Parcel = (Thing, Option<oneshot::Sender<bool>>);

/// Whether something is where others find it, as soon as that is known. An error is a no.
pub(super) type Receipt = oneshot::Receiver<bool>;

/// Between the cache and the store.
#[derive(Debug)]
struct Way {
    objects: Objects,
    cache: PathBuf,
    machine: Machine,
    quiet: Mutex<Option<Instant>>,
    fetched: AtomicU64,
    kept: AtomicU64,
}

/// Something in the cache that has a name in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Thing {
    name: String,
    folder: PathBuf,
    file: PathBuf,
}

/// How much went to and fro.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Made by others, and taken from the store.
    pub fetched: u64,
    /// Made here, and sent there.
    pub kept: u64,
}

impl Depot {
    /// Between this machine's cache and a store that others reach too. Called within a runtime.
    pub fn open(home: &Home, objects: Objects) -> Self {
        let (machine, quiet) = (Machine::look(home), Mutex::default());
        let (fetched, kept) = (AtomicU64::new(0), AtomicU64::new(0));
        let way = Arc::new(Way { objects, cache: home.cache(), machine, quiet, fetched, kept });
        let (queue, things) = mpsc::channel(QUEUE);
        let things = Arc::new(tokio::sync::Mutex::new(things));
        for _ in 0..SENDERS {
            tokio::spawn(Arc::clone(&way).send(Arc::clone(&things)));
        }
        Self(Arc::new(Inner { way, queue }))
    }

    /// Brings something into the cache, if anybody made it.
    pub(super) async fn fetch(&self, shelf: &str, key: &str) -> bool {
        let way = &self.0.way;
        let Some(thing) = way.thing(shelf, key).filter(|_| !way.is_quiet()) else { return false };
        match way.fetch(&thing).await {
            Ok(found) => {
                if found.is_some_and(|found| found.goes_soon) {
                    // Full, which is no matter: somebody asks again.
                    let _ = self.0.queue.try_send((thing, None));
                }
                count(if found.is_some() { "fetched" } else { "missed" });
                way.fetched.fetch_add(u64::from(found.is_some()), Ordering::Relaxed);
                found.is_some()
            }
            Err(why) => {
                way.trouble(&why);
                false
            }
        }
    }

    /// Sends something to the store, some time.
    pub(super) fn keep(&self, shelf: &str, key: &str) -> Receipt {
        let (told, receipt) = oneshot::channel();
        if let Some(thing) = self.0.way.thing(shelf, key)
            && self.0.queue.try_send((thing, Some(told))).is_err()
        {
            count("left");
        }
        receipt
    }

    pub(super) fn alike(&self, program: &str) -> String {
        self.0.way.machine.alike(program)
    }

    pub fn traffic(&self) -> Traffic {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Traffic { fetched: of(&self.0.way.fetched), kept: of(&self.0.way.kept) }
    }
}

/// Something that others made is in the cache.
#[derive(Clone, Copy, Debug)]
struct Found {
    goes_soon: bool,
}

impl Way {
    /// Nothing for what is no key: workers read what strangers sent.
    fn thing(&self, shelf: &str, key: &str) -> Option<Thing> {
        let shelf = Shelf::of_folder(shelf)?;
        let is_key = key.len() == DIGITS && key.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        let folder = self.cache.join(shelf.folder());
        is_key.then(|| Thing { name: self.machine.name(shelf, key), file: folder.join(key), folder })
    }

    async fn fetch(&self, thing: &Thing) -> Result<Option<Found>, String> {
        let kept = timeout(ASKING, self.objects.kept(&thing.name)).await;
        let Some(kept) = in_time(kept)? else { return Ok(None) };
        let goes_soon = kept.is_old(SystemClock.now());
        let beside = beside(&thing.folder).map_err(|error| error.to_string())?;
        let (file, path) = beside.into_parts();
        let mut file = tokio::fs::File::from_std(file);
        if !in_time(timeout(FETCHING, kept.write_to(&mut file)).await)? {
            tracing::warn!(name = thing.name, "what another machine made was damaged on its way");
            in_time(timeout(ASKING, self.objects.delete(&Key::Kept(thing.name.clone()))).await)?;
            return Ok(None);
        }
        path.persist(&thing.file).map_err(|error| error.to_string())?;
        Ok(Some(Found { goes_soon }))
    }

    async fn send(self: Arc<Self>, things: Arc<tokio::sync::Mutex<mpsc::Receiver<Parcel>>>) {
        loop {
            let Some((thing, told)) = things.lock().await.recv().await else { return };
            // What went out of the cache meanwhile goes nowhere.
            if self.is_quiet() || !thing.file.is_file() {
                count("left");
                continue;
            }
            match in_time(timeout(SENDING, self.objects.keep(&thing.name, &thing.file)).await) {
                Ok(kept) => {
                    // Nobody may want to know.
                    let _ = told.map(|told| told.send(kept));
                    count(if kept { "kept" } else { "left" });
                    self.kept.fetch_add(u64::from(kept), Ordering::Relaxed);
                }
                Err(why) => self.trouble(&why),
            }
        }
    }

    fn is_quiet(&self) -> bool {
        self.quiet().is_some_and(|until| Instant::now() < until)
    }

    fn trouble(&self, why: &str) {
        count("failed");
        if self.quiet().replace(Instant::now() + QUIET).is_none_or(|until| until < Instant::now()) {
            tracing::warn!(why, "what other machines made cannot be had; films are made without");
        }
    }

    fn quiet(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.quiet.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn in_time<T>(answer: Result<Result<T, StoreError>, tokio::time::error::Elapsed>) -> Result<T, String> {
    match answer {
        Ok(answer) => answer.map_err(|error| error.to_string()),
        Err(_) => Err("the object store takes too long".to_owned()),
    }
}

/// A file that the cache sweeps away if nobody finishes it.
fn beside(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    std::fs::create_dir_all(folder)?;
    tempfile::Builder::new().prefix(".part-").tempfile_in(folder)
}

fn count(what: &'static str) {
    metrics::counter!("compere_shared_total", "what" => what).increment(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home(dir: &Path, name: &str) -> Home {
        Home { assets: dir.join("assets"), data: dir.join(name) }
    }

    fn made(depot: &Depot, key: &str, bytes: &[u8]) {
        let thing = depot.0.way.thing("segment", key).expect("a key");
        std::fs::create_dir_all(&thing.folder).expect("a folder");
        std::fs::write(&thing.file, bytes).expect("writes");
        depot.keep("segment", key);
    }

    async fn until_kept(depot: &Depot, so_many: u64) {
        for _ in 0..500 {
            if depot.traffic().kept == so_many {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("nothing was kept: {:?}", depot.traffic());
    }

    #[tokio::test]
    async fn one_machine_finds_what_another_made_and_only_what_is_whole() {
        let dir = tempfile::tempdir().expect("a folder");
        let objects = Objects::folder(&dir.path().join("objects")).expect("opens");
        let [a, b] = ["a", "b"].map(|name| Depot::open(&home(dir.path(), name), objects.clone()));
        let key = "ab".repeat(32);
        assert!(!b.fetch("segment", &key).await, "nobody made it");
        made(&a, &key, b"pictures");
        until_kept(&a, 1).await;
        assert!(!b.fetch("speech", &key).await, "another shelf");
        assert!(b.fetch("segment", &key).await);
        let file = b.0.way.thing("segment", &key).expect("a key").file;
        assert_eq!(std::fs::read(&file).expect("is there"), b"pictures");
        let object = objects.local(&Key::Kept(b.0.way.machine.name(Shelf::Segment, &key))).expect("a file");
        let mut bytes = std::fs::read(&object).expect("is there");
        *bytes.last_mut().expect("not empty") ^= 1;
        std::fs::write(&object, bytes).expect("writes");
        std::fs::remove_file(&file).expect("goes");
        assert!(!b.fetch("segment", &key).await, "it is damaged");
        assert!(!file.exists() && !object.exists());
        let left = std::fs::read_dir(file.parent().expect("a folder")).expect("reads").count();
        assert_eq!(left, 0, "nothing half-written stays");
        assert_eq!((a.traffic(), b.traffic()), (Traffic { fetched: 0, kept: 1 }, Traffic { fetched: 1, kept: 0 }));
    }

    #[tokio::test]
    async fn what_is_no_key_leads_nowhere() {
        let dir = tempfile::tempdir().expect("a folder");
        let objects = Objects::folder(&dir.path().join("objects")).expect("opens");
        let depot = Depot::open(&home(dir.path(), "a"), objects);
        for (shelf, key) in [
            ("segment", "../../../compere.db".to_owned()),
            ("segment", "A".repeat(64)),
            ("segment", format!("{}.somebody", "a".repeat(64))),
            ("../jobs", "a".repeat(64)),
        ] {
            assert_eq!(depot.0.way.thing(shelf, &key), None, "{shelf} {key}");
        }
    }

    #[tokio::test]
    async fn a_store_in_trouble_is_left_alone_for_a_while() {
        let dir = tempfile::tempdir().expect("a folder");
        let objects = Objects::folder(&dir.path().join("objects")).expect("opens");
        let depot = Depot::open(&home(dir.path(), "a"), objects);
        let key = "cd".repeat(32);
        made(&depot, &key, b"pictures");
        until_kept(&depot, 1).await;
        depot.0.way.trouble("it burns");
        assert!(!depot.fetch("segment", &key).await);
        *depot.0.way.quiet() = Instant::now().checked_sub(Duration::from_secs(1));
        assert!(depot.fetch("segment", &key).await);
    }
}
