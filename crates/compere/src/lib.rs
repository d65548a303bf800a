//! What the `compere` binary is made of, as a library so that tests can reach it.

pub mod api;
pub mod bench;
pub mod cli;
pub mod crew;
pub mod doctor;
pub mod http;
pub mod serve;
mod tell;
pub mod web;
pub mod worker;
