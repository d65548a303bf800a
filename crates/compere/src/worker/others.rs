//! What other machines made, asked for through the service: we know no key to where it lies.

use std::time::Duration;

use compere_render::{Beyond, Key, Shelf};

use super::protocol::FromWorker;
use super::questions::Questions;

/// The service answers sooner, whatever the store does; see its own patience. Whoever loses it makes it.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) type Others = Questions<bool>;

impl Beyond for Others {
    fn fetch(&self, shelf: Shelf, key: &Key) -> bool {
        let (shelf, key) = (shelf.folder().to_owned(), key.as_str().to_owned());
        self.ask(PATIENCE, |id| FromWorker::Wanted { id, shelf, key }).unwrap_or(false)
    }

    fn made(&self, shelf: Shelf, key: &Key) {
        self.mouth.tell(&FromWorker::Kept { shelf: shelf.folder().to_owned(), key: key.as_str().to_owned() });
    }
}
