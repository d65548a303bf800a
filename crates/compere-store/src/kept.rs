//! What one machine made and others may need: kept under `cache/`, for as long as there is room and somebody asks.
//!
//! Nothing here is anybody's: names are hashes of what a thing was made from. An object is the hash of its body and the
//! body, so that damage is found by whoever takes it. Losing any of it costs time.

use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use object_store::path::Path as ObjectPath;
use object_store::{GetResult, ObjectStore, ObjectStoreExt, WriteMultipart};
use tokio::io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt};

use crate::error::StoreError;
use crate::objects::{KEPT, Key, Objects, pour};

/// Nothing larger is kept: a baked presenter at 4k is half of this.
const LARGEST: u64 = 256 << 20;
/// What is smaller goes in one call.
const SMALL: u64 = 8 << 20;
const SEAL: usize = blake3::OUT_LEN;

const HOUR: i64 = 3_600_000;
/// How often somebody has to look whether anything is too old.
pub const KEPT_SWEEP: Duration = Duration::from_secs(50 * 60);
/// Hours after which it goes, whatever room there is.
const HOURS: i64 = 14 * 24;

/// One that was found, not yet read.
#[derive(Debug)]
pub struct Kept {
    found: GetResult,
}

impl Kept {
    /// Whether it will go soon, and ought to be kept anew as somebody needs it.
    pub fn is_old(&self, now: i64) -> bool {
        now - self.found.meta.last_modified.timestamp_millis() > HOURS * HOUR / 2
    }

    /// Writes its body as it comes. False when it is not what was kept; what was written is worth nothing then.
    pub async fn write_to(self, to: &mut tokio::fs::File) -> Result<bool, StoreError> {
        if self.found.meta.size > LARGEST + SEAL as u64 {
            return Ok(false);
        }
        let (mut seal, mut hasher) = (Vec::with_capacity(SEAL), blake3::Hasher::new());
        let mut pieces = self.found.into_stream();
        while let Some(piece) = pieces.next().await {
            let piece: Bytes = piece?;
            let (head, body) = piece.split_at(piece.len().min(SEAL - seal.len()));
            seal.extend_from_slice(head);
            hasher.update(body);
            to.write_all(body).await?;
        }
        to.flush().await?;
        Ok(hasher.finalize().as_bytes()[..] == seal[..])
    }
}

impl Objects {
    /// What was kept under a name; the name is a hash in hexadecimal digits.
    pub async fn kept(&self, name: &str) -> Result<Option<Kept>, StoreError> {
        match self.store.get(&Key::Kept(name.to_owned()).at()).await {
            Ok(found) => Ok(Some(Kept { found })),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Keeps a copy of a file. Whoever else does so writes the same. False when it is too large.
    pub async fn keep(&self, name: &str, file: &Path) -> Result<bool, StoreError> {
        let at = Key::Kept(name.to_owned()).at();
        let mut source = tokio::fs::File::open(file).await?;
        let size = source.metadata().await?.len();
        if size > LARGEST {
            return Ok(false);
        }
        if size <= SMALL {
            let mut bytes = vec![0; SEAL];
            source.read_to_end(&mut bytes).await?;
            let seal = *blake3::hash(&bytes[SEAL..]).as_bytes();
            bytes[..SEAL].copy_from_slice(&seal);
            self.store.put(&at, bytes.into()).await?;
            return Ok(true);
        }
        let seal = hash_of(&mut source).await?;
        source.rewind().await?;
        let mut upload = WriteMultipart::new(self.store.put_multipart(&at).await?);
        upload.write(seal.as_bytes());
        if let Err(error) = pour(&mut source, &mut upload).await {
            // Parts of an upload that was given up cost room until somebody says so.
            let _ = upload.abort().await;
            return Err(error);
        }
        upload.finish().await?;
        Ok(true)
    }

    /// Removes what is too old, and the oldest of the rest until `room` bytes hold it. Says how many are gone.
    pub async fn sweep_kept(&self, now: i64, room: u64) -> Result<u64, StoreError> {
        let mut by_age = [0; HOURS as usize];
        let mut removed = self.remove_kept(now, HOURS, &mut |age, size| by_age[age as usize] += size).await?;
        // The last hour of which everything fits together with what is younger.
        let mut total = 0;
        let fit = by_age.iter().take_while(|size| {
            total += **size;
            total <= room
        });
        let fit = fit.count() as i64;
        if fit < HOURS {
            removed += self.remove_kept(now, fit, &mut |_, _| {}).await?;
        }
        Ok(removed)
    }

    /// Removes what is so many hours old and more, and tells hours and bytes of the rest.
    async fn remove_kept(
        &self,
        now: i64,
        hours: i64,
        rest: &mut (dyn FnMut(i64, u64) + Send),
    ) -> Result<u64, StoreError> {
        let (folder, mut removed) = (ObjectPath::from(KEPT), 0);
        let mut all = self.store.list(Some(&folder));
        while let Some(meta) = all.next().await {
            let meta = meta?;
            let age = (now - meta.last_modified.timestamp_millis()).max(0) / HOUR;
            if age < hours {
                rest(age, meta.size);
                continue;
            }
            match self.store.delete(&meta.location).await {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => removed += 1,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(removed)
    }
}

async fn hash_of(file: &mut tokio::fs::File) -> Result<blake3::Hash, StoreError> {
    let (mut hasher, mut buffer) = (blake3::Hasher::new(), vec![0; 1 << 20]);
    loop {
        match file.read(&mut buffer).await? {
            0 => return Ok(hasher.finalize()),
            read => hasher.update(&buffer[..read]),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Clock, SystemClock};

    async fn read(objects: &Objects, name: &str, to: &Path) -> Option<Vec<u8>> {
        let kept = objects.kept(name).await.expect("answers")?;
        let mut file = tokio::fs::File::create(to).await.expect("a file");
        kept.write_to(&mut file).await.expect("writes").then(|| std::fs::read(to).expect("reads"))
    }

    #[tokio::test]
    async fn what_is_kept_comes_back_and_damage_does_not() {
        let dir = tempfile::tempdir().expect("a folder");
        let objects = Objects::folder(&dir.path().join("objects")).expect("opens");
        let (file, to) = (dir.path().join("made"), dir.path().join("taken"));
        assert_eq!(read(&objects, "00", &to).await, None, "nobody kept it");
        for size in [0, 5, SMALL as usize, SMALL as usize + 1] {
            let bytes: Vec<u8> = (0..size).map(|at| (at % 251) as u8).collect();
            std::fs::write(&file, &bytes).expect("writes");
            assert!(objects.keep("00", &file).await.expect("keeps"));
            assert_eq!(read(&objects, "00", &to).await, Some(bytes), "{size} bytes");
            assert!(file.exists(), "it is a copy");
        }
        let object = dir.path().join("objects").join(Key::Kept("00".to_owned()).path());
        let whole = std::fs::read(&object).expect("reads");
        for (at, cut) in [(3, whole.len()), (SEAL + 9, whole.len()), (0, SEAL + 100), (0, 7)] {
            let mut damaged = whole[..cut].to_vec();
            damaged[at] ^= 1;
            std::fs::write(&object, damaged).expect("writes");
            assert_eq!(read(&objects, "00", &to).await, None, "byte {at} of {cut}");
        }
    }

    #[tokio::test]
    async fn the_oldest_goes_first() {
        let dir = tempfile::tempdir().expect("a folder");
        let objects = Objects::folder(&dir.path().join("objects")).expect("opens");
        let file = dir.path().join("made");
        std::fs::write(&file, [0; 968]).expect("writes");
        let millis = SystemClock.now();
        let now = std::time::UNIX_EPOCH + Duration::from_millis(millis as u64);
        for days in [0, 1, 2, 3, 20] {
            let key = Key::Kept(days.to_string());
            objects.keep(&days.to_string(), &file).await.expect("keeps");
            let object = std::fs::File::options().append(true).open(objects.local(&key).expect("a file"));
            let then = now - Duration::from_secs(days * 24 * 3600 + 60);
            object.and_then(|object| object.set_modified(then)).expect("a time");
        }
        objects.put(&Key::Asset("a".to_owned()), Bytes::from_static(b"x")).await.expect("puts");
        let left = || {
            let names = std::fs::read_dir(dir.path().join("objects/cache")).expect("a folder");
            let mut names: Vec<_> = names.map(|name| name.expect("a name").file_name()).collect();
            names.sort();
            names
        };
        assert_eq!(objects.sweep_kept(millis, 10_000).await.expect("sweeps"), 1, "whatever room there is");
        assert_eq!(left(), ["0", "1", "2", "3"]);
        assert_eq!(objects.sweep_kept(millis, 2500).await.expect("sweeps"), 2, "until it fits");
        assert_eq!(left(), ["0", "1"]);
        assert_eq!(objects.sweep_kept(millis, 0).await.expect("sweeps"), 2);
        assert!(objects.head(&Key::Asset("a".to_owned())).await.expect("answers").is_some(), "not what users sent");
    }
}
