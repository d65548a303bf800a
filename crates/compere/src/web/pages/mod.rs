//! One file for each page, with its routes.

pub mod act;
pub mod admin;
pub mod design;
pub mod door;
pub mod editor;
pub mod fonts;
pub mod hooks;
pub mod import;
pub mod library;
pub mod media;
pub mod own;
pub mod profile;
pub mod project;
pub mod projects;
pub mod withdrawal;
