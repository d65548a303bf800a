//! What the `compere` binary is made of, as a library so that tests can reach it.

pub mod assets;
pub mod backdrops;
pub mod bench;
pub mod catalogue;
pub mod cli;
pub mod doctor;
pub mod home;
pub mod studio;
