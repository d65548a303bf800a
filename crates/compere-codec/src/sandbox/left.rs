//! Whether anybody still waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Turns true when nobody waits any more for what is being done. Cheap to clone; by itself it never turns.
#[derive(Clone, Debug, Default)]
pub struct Left(Option<Arc<AtomicBool>>);

impl Left {
    pub fn when(flag: Arc<AtomicBool>) -> Self {
        Self(Some(flag))
    }

    pub fn has(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Whether it may ever turn.
    pub fn may(&self) -> bool {
        self.0.is_some()
    }
}
