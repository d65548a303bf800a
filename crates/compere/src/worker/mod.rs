//! Work that is done in child processes: films, and questions that somebody waits for.
//!
//! A worker opens voices, fonts and presenters once and keeps them warm. It may die at any moment, of a film too large
//! for its memory or of a bug: nothing but time is lost, because everything finished lies in the cache, and whoever
//! started it tells the author. It reads from the service and writes to it; it knows no database and no socket of its
//! own.

mod answers;
mod builds;
mod company;
mod engine;
mod films;
mod front;
pub mod media;
mod mouth;
mod others;
pub mod protocol;
mod questions;
mod run;
pub mod studio;

pub(crate) use engine::engine;
pub use run::run;
