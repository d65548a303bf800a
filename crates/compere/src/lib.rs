//! What the `compere` binary is made of, as a library so that tests can reach it.

pub mod api;
pub mod assets;
pub mod backdrops;
pub mod bench;
pub mod catalogue;
pub mod cli;
pub mod crew;
pub mod doctor;
pub mod home;
pub mod serve;
pub mod settings;
pub mod slides;
pub mod studio;
pub mod web;
pub mod worker;
