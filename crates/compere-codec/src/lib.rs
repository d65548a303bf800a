//! Foreign media in, finished films out.
//!
//! What users send is decoded by children in a [`Sandbox`]; what we make is encoded here.

mod error;
pub mod ffmpeg;
pub mod h264;
mod helper;
pub mod image;
pub mod probe;
pub mod sandbox;
pub mod sound;
pub mod video;

pub use error::{MediaError, MediaErrorKind};
pub use helper::helper_main;
pub use probe::{AudioInfo, MediaInfo, VideoInfo, probe};
pub use sandbox::{Sandbox, SandboxKind};
pub use video::{VideoReader, VideoWant};
