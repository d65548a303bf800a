//! The use cases themselves, against SQLite and files in a temporary folder: no HTTP, no engine, nobody who draws.

mod doors;
mod films;
mod gone;
mod stage;
mod uploads;
