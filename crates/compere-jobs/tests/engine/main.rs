//! The engine with puppets in place of workers and receivers, on a real database.

mod exports;
mod hooks;
mod many;
mod stage;
