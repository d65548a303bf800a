//! What other machines made, asked for through the service: we know no key to where it lies.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

use compere_render::{Beyond, Key, Shelf};

use super::mouth::Mouth;
use super::protocol::FromWorker;

/// The service answers sooner, whatever the store does; see its own patience.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub(super) struct Others {
    mouth: Mouth,
    number: AtomicU64,
    waiting: Mutex<HashMap<u64, mpsc::Sender<bool>>>,
}

impl Others {
    pub(super) fn new(mouth: Mouth) -> Self {
        Self { mouth, number: AtomicU64::new(0), waiting: Mutex::default() }
    }

    /// The service answers.
    pub(super) fn hear(&self, id: u64, found: bool) {
        if let Some(asked) = self.lock().remove(&id) {
            // Whoever asked has lost patience and makes it.
            let _ = asked.send(found);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u64, mpsc::Sender<bool>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Beyond for Others {
    fn fetch(&self, shelf: Shelf, key: &Key) -> bool {
        let id = self.number.fetch_add(1, Ordering::Relaxed);
        let (asked, answer) = mpsc::channel();
        self.lock().insert(id, asked);
        self.mouth.tell(&FromWorker::Wanted { id, shelf: shelf.folder().to_owned(), key: key.as_str().to_owned() });
        let found = answer.recv_timeout(PATIENCE).unwrap_or(false);
        self.lock().remove(&id);
        found
    }

    fn made(&self, shelf: Shelf, key: &Key) {
        self.mouth.tell(&FromWorker::Kept { shelf: shelf.folder().to_owned(), key: key.as_str().to_owned() });
    }
}
