//! Engines with puppets in place of workers and receivers, on a real database.
//!
//! What is in `conformance` and `hooks` has to hold for every engine; each runs it under its own name.

#[macro_use]
mod suite;

mod conformance;
mod hooks;
mod many;
mod stage;

use compere_jobs::crew::Later;
use compere_jobs::{Engine, Parts};

/// The engine of one machine.
fn local(parts: Parts) -> Later<'static, Engine> {
    Box::pin(async { Engine::start(parts).await.expect("starts") })
}

conforms!(local);
