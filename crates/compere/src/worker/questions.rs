//! What a worker asks the service in the midst of its work, each question from a thread that waits for its answer.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

use super::mouth::Mouth;
use super::protocol::FromWorker;

#[derive(Debug)]
pub(super) struct Questions<A> {
    pub(super) mouth: Mouth,
    number: AtomicU64,
    waiting: Mutex<HashMap<u64, mpsc::Sender<A>>>,
}

impl<A> Questions<A> {
    pub(super) fn new(mouth: Mouth) -> Self {
        Self { mouth, number: AtomicU64::new(0), waiting: Mutex::default() }
    }

    /// The answer, if it comes in time.
    pub(super) fn ask(&self, patience: Duration, about: impl FnOnce(u64) -> FromWorker) -> Option<A> {
        let id = self.number.fetch_add(1, Ordering::Relaxed);
        let (asked, answer) = mpsc::channel();
        self.lock().insert(id, asked);
        self.mouth.tell(&about(id));
        let answer = answer.recv_timeout(patience).ok();
        self.lock().remove(&id);
        answer
    }

    /// The service answers.
    pub(super) fn hear(&self, id: u64, answer: A) {
        if let Some(asked) = self.lock().remove(&id) {
            // Whoever asked has lost patience.
            let _ = asked.send(answer);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, mpsc::Sender<A>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
