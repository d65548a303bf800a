//! Pieces of a film on their way from its worker to whoever watches it.
//!
//! They become objects of the export at once, so that every node that can give films can give these. A film that is made
//! anew, because its worker died, gives the same pieces again; a playlist is replaced by a longer one only, so whoever
//! watched goes on watching, and finds the next piece when it is there.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use compere_store::{Key, Objects, StoreError, Streamed};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

/// A film on its way to its watchers.
#[derive(Debug)]
pub(super) struct Screening {
    send: UnboundedSender<(Streamed, PathBuf)>,
    shown: JoinHandle<bool>,
}

impl Screening {
    pub(super) fn of(export: &str, objects: Objects) -> Self {
        let (send, receive) = unbounded_channel();
        let carrier = Carrier { export: export.to_owned(), objects, lists: HashMap::new() };
        Self { send, shown: tokio::spawn(carrier.carry(receive)) }
    }

    /// A file that its worker has written. Names that are none of a stream's are passed over.
    pub(super) fn take(&self, name: &str, file: PathBuf) {
        if let Some(what) = Streamed::parse(name) {
            // Whoever carries has given up; there is no stream any more.
            let _ = self.send.send((what, file));
        }
    }

    /// Waits until all of it is where it belongs. False when something was lost.
    pub(super) async fn end(self) -> bool {
        drop(self.send);
        self.shown.await.unwrap_or(false)
    }
}

struct Carrier {
    export: String,
    objects: Objects,
    /// How long the lists are that are there.
    lists: HashMap<Streamed, Length>,
}

/// Of a playlist: whether it ends, and how many pieces and parts it names. A longer one is greater.
type Length = (bool, usize, usize);

impl Carrier {
    async fn carry(mut self, mut receive: UnboundedReceiver<(Streamed, PathBuf)>) -> bool {
        while let Some((what, file)) = receive.recv().await {
            if let Err(error) = self.put(what, &file).await {
                tracing::warn!(export = self.export, %error, "a film cannot be watched while it is made");
                return false;
            }
        }
        true
    }

    async fn put(&mut self, what: Streamed, file: &Path) -> Result<(), StoreError> {
        let key = Key::Stream(self.export.clone(), what);
        if what.is_list() {
            let new = length(&tokio::fs::read_to_string(file).await?);
            let old = match self.lists.get(&what) {
                Some(length) => *length,
                None => self.stored(&key).await?,
            };
            if new < old {
                self.lists.insert(what, old);
                return Ok(());
            }
            self.lists.insert(what, new);
        }
        self.objects.put_file(&key, file).await
    }

    /// Of the list that somebody left who began this film before.
    async fn stored(&self, key: &Key) -> Result<Length, StoreError> {
        let mut text = Vec::new();
        self.objects
            .fetch(key, |piece| {
                text.extend_from_slice(piece);
                Ok(())
            })
            .await?;
        Ok(length(&String::from_utf8_lossy(&text)))
    }
}

fn length(list: &str) -> Length {
    let count = |start: &str| list.lines().filter(|line| line.starts_with(start)).count();
    (list.contains("#EXT-X-ENDLIST"), count("#EXTINF"), count("#EXT-X-PART:"))
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn listed(objects: &Objects) -> String {
        let mut text = Vec::new();
        let key = Key::Stream("e1".to_owned(), Streamed::VideoList);
        let take = |piece: &[u8]| {
            text.extend_from_slice(piece);
            Ok(())
        };
        assert!(objects.fetch(&key, take).await.expect("answers"));
        String::from_utf8(text).expect("text")
    }

    #[tokio::test]
    async fn a_list_never_gets_shorter_whoever_makes_the_film() {
        let dir = tempfile::tempdir().expect("a folder");
        let objects = Objects::folder(&dir.path().join("objects")).expect("opens");
        let file = dir.path().join("list");
        for (list, left) in [
            ("#EXTM3U\n#EXT-X-PART:1\n", "#EXTM3U\n#EXT-X-PART:1\n"),
            ("#EXTM3U\n#EXTINF:8,\na\n#EXTINF:8,\nb\n", "#EXTM3U\n#EXTINF:8,\na\n#EXTINF:8,\nb\n"),
            ("#EXTM3U\n#EXTINF:8,\na\n", "#EXTM3U\n#EXTINF:8,\na\n#EXTINF:8,\nb\n"),
            (
                "#EXTM3U\n#EXTINF:8,\na\n#EXTINF:8,\nb\n#EXT-X-ENDLIST\n",
                "#EXTM3U\n#EXTINF:8,\na\n#EXTINF:8,\nb\n#EXT-X-ENDLIST\n",
            ),
        ] {
            // Each by somebody who knows nothing of the one before.
            let screening = Screening::of("e1", objects.clone());
            std::fs::write(&file, list).expect("writes");
            screening.take("../video.m3u8", file.clone());
            screening.take("video.m3u8", file.clone());
            assert!(screening.end().await);
            assert_eq!(listed(&objects).await, left);
        }
    }
}
