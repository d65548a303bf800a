//! Whether anybody still waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Turns true when nobody waits any more for what is being done. Cheap to clone; by itself it never turns.
#[derive(Clone, Debug, Default)]
pub struct Left(Vec<Arc<AtomicBool>>);

impl Left {
    pub fn when(flag: Arc<AtomicBool>) -> Self {
        Self(vec![flag])
    }

    /// Turns with this or with the flag.
    #[must_use]
    pub fn or(mut self, flag: Arc<AtomicBool>) -> Self {
        self.0.push(flag);
        self
    }

    pub fn has(&self) -> bool {
        self.0.iter().any(|flag| flag.load(Ordering::Relaxed))
    }

    /// Whether it may ever turn.
    pub fn may(&self) -> bool {
        !self.0.is_empty()
    }
}
