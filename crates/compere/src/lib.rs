//! What the `compere` binary is made of, as a library so that tests can reach it.

pub mod assets;
pub mod doctor;
