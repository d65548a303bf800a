//! One file for each page, with its routes.

pub mod act;
pub mod door;
pub mod profile;
pub mod project;
pub mod projects;
