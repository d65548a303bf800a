//! What one installation has and may do: its folders and settings, who can present and speak, links that carry their own
//! permission, files that scenes link, models that write and paint if there are such, and the
//! words for questions and failures that everything above shares.

pub mod assets;
pub mod backdrops;
pub mod catalogue;
pub mod desk;
pub mod home;
mod kind;
pub mod links;
mod model;
pub mod painter;
pub mod privacy;
pub mod settings;
pub mod writer;

pub use kind::{Entry, Kind, TABLE};
