//! Exports that end exactly once.
//!
//! [`Engine`] takes accepted exports from the store, hands them to a [`Crew`] that makes the films, and ends them:
//! published, failed or cancelled, with settlement and webhook in the same transaction. What happens next is decided by
//! [`compere_store::step`], which knows nothing of clocks, tasks or databases; an engine carries its commands out and
//! says what came of them. One drives it on one machine; whatever drives it elsewhere ([`Engine::driven`]) has the same
//! loop and passes the same suite (`tests/engine/conformance.rs`).
//!
//! # Promises
//!
//! - An accepted export ends exactly once, whatever dies in between: worker, service, power.
//! - A film that kills its worker three times fails with that reason; one that meets the same error of ours twice too.
//! - What was drawn before a crash is not drawn again: the crew keeps finished pieces under the hash of their inputs.
//! - A slow or dead receiver of webhooks delays nobody else.

pub mod crew;
mod deliver;
mod engine;
mod keep;
mod watchmaker;

pub use compere_store::credits_for;
pub use crew::{Commission, Crew, Headway, Herald, Outcome, Post, Sender};
pub use engine::{Change, Engine, EngineSettings, Hands, Parts};
