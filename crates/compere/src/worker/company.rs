//! The others who make a film with us, as they are known through the service.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

use compere_render::{Claim, Company, Next, Part};
use compere_store::{FilmPart, NextPart, PartClaim};

use super::mouth::Mouth;
use super::protocol::{FromWorker, PartAnswer, PartNews};

/// Who does not answer sooner leaves it to us.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(super) struct Others {
    mouth: Mouth,
    number: AtomicU64,
    waiting: Mutex<HashMap<u64, mpsc::Sender<PartAnswer>>>,
}

impl Others {
    pub(super) fn new(mouth: Mouth) -> Self {
        Self { mouth, number: AtomicU64::new(0), waiting: Mutex::default() }
    }

    /// The service answers.
    pub(super) fn hear(&self, id: u64, answer: PartAnswer) {
        if let Some(asked) = self.lock().remove(&id) {
            // Whoever asked has lost patience.
            let _ = asked.send(answer);
        }
    }

    fn ask(&self, about: impl FnOnce(u64) -> PartNews) -> Option<PartAnswer> {
        let id = self.number.fetch_add(1, Ordering::Relaxed);
        let (asked, answer) = mpsc::channel();
        self.lock().insert(id, asked);
        self.mouth.tell(&FromWorker::Part(about(id)));
        let answer = answer.recv_timeout(PATIENCE).ok();
        self.lock().remove(&id);
        answer
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u64, mpsc::Sender<PartAnswer>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Company for Others {
    fn offer(&self, parts: &[Part]) {
        if !parts.is_empty() {
            self.mouth.tell(&FromWorker::Part(PartNews::Offered(parts.iter().map(|part| stored(*part)).collect())));
        }
    }

    fn offered(&self) {
        self.mouth.tell(&FromWorker::Part(PartNews::Whole));
    }

    fn claim(&self, part: Part) -> Claim {
        match self.ask(|id| PartNews::Claim { id, part: stored(part) }) {
            Some(PartAnswer::Claim(PartClaim::Theirs)) => Claim::Theirs,
            Some(PartAnswer::Claim(PartClaim::Made)) => Claim::Made,
            _ => Claim::Ours,
        }
    }

    fn next(&self, speech: bool) -> Next {
        match self.ask(|id| PartNews::Next { id, speech }) {
            Some(PartAnswer::Next(NextPart::Part(FilmPart { scene, piece }))) => Next::Part(Part { scene, piece }),
            Some(PartAnswer::Next(NextPart::Later)) => Next::Later,
            _ => Next::Over,
        }
    }

    fn made(&self, part: Part) {
        self.mouth.tell(&FromWorker::Part(PartNews::Made(stored(part))));
    }
}

fn stored(Part { scene, piece }: Part) -> FilmPart {
    FilmPart { scene, piece }
}
