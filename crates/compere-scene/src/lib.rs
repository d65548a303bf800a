//! The scene language: what authors write, what it means, and when everything happens.

mod film;

pub use film::*;
