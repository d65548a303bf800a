//! What drawn clips look like, and what drawing promises beyond its looks.
//!
//! `cargo test --release -p compere-compose --test drawing text` runs one topic.

#![allow(clippy::disallowed_methods, reason = "tests watch the clock, write files and start programs")]

mod looks;
mod promises;
mod scenes;
#[path = "../support/mod.rs"]
mod support;
