//! Exports that end exactly once.
//!
//! [`Engine`] takes accepted exports from the store, hands them to a [`Crew`] that makes the films, and ends them:
//! published, failed or cancelled, with settlement and webhook in the same transaction. [`machine`] decides what happens
//! next and knows nothing of clocks, tasks or databases; the engine carries it out.
//!
//! # Promises
//!
//! - An accepted export ends exactly once, whatever dies in between: worker, service, power.
//! - A job that kills its worker three times fails with that reason.
//! - What was drawn before a crash is not drawn again: the crew keeps finished pieces under the hash of their inputs.
//! - A slow or dead receiver of webhooks delays nobody else.

pub mod crew;
mod deliver;
mod engine;
pub mod machine;

pub use crew::{Crew, Herald, Job, MadeFiles, Outcome, Post, Sender, Step};
pub use engine::{Change, Engine, EngineSettings, Parts, credits_for};
