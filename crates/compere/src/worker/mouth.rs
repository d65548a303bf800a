//! How a worker tells the service something.

use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use super::protocol::FromWorker;

/// What the service hears of us.
#[derive(Debug, Clone)]
pub(super) struct Mouth(Arc<Mutex<std::io::Stdout>>);

impl Mouth {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(std::io::stdout())))
    }

    /// A service that no longer listens is gone, and so are we.
    pub(super) fn tell(&self, message: &FromWorker) {
        let mut line = serde_json::to_vec(message).unwrap_or_default();
        line.push(b'\n');
        let mut out = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if out.write_all(&line).and_then(|()| out.flush()).is_err() {
            std::process::exit(0);
        }
    }
}
