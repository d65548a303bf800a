//! The scene language: what authors write, what it means, and when everything happens.
//!
//! [`resolve`] turns the JSON of a project into a [`Film`] in which nothing is left to decide, or says everything that
//! is wrong with it at once. [`timeline()`] gives exact spans once the speech is known,
//! [`captions`] turns word marks into subtitles. Older and simpler requests become projects first
//! ([`legacy_to_project`], [`simple_video_to_project`], [`simple_audio_to_project`]); [`edit`] changes parts of one.
//!
//! Nothing here reads a file, a clock or the network: whether a linked picture exists is found out later.

pub mod captions;
mod catalogue;
mod document;
mod estimate;
mod film;
mod limits;
mod nearest;
mod problem;
mod resolve;
pub mod schema;
mod script;
mod timeline;
mod translate;

pub use compere_media::ScriptPart;

pub use catalogue::{AvatarEntry, BackgroundEntry, Catalogue, Found, Match, OutfitEntry, TestCatalogue, VoiceEntry};
pub use document::color::parse as colour;
pub use document::edit::{Edited, edit};
pub use document::modify::modify;
pub use estimate::estimate;
pub use film::*;
pub use limits::Limits;
pub use nearest::nearest;
pub use problem::{Code, Problem, Warning};
pub use resolve::{Resolved, resolve};
pub use script::{parts, written};
pub use timeline::{Measured, SceneTime, Timeline, timeline};
pub use translate::legacy::{Measure, edit_legacy, is_legacy, legacy_to_project};
pub use translate::simple::{simple_audio_to_project, simple_video_to_project};
