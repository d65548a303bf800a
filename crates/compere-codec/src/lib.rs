//! Foreign media in, finished films out.
//!
//! What users send is decoded by children in a [`Sandbox`]; what we make is encoded here.

pub mod aac;
pub mod alpha;
pub mod check;
mod error;
pub mod ffmpeg;
mod file;
pub mod font;
pub mod h264;
mod helper;
pub mod image;
pub mod mp4;
pub mod probe;
pub mod sandbox;
pub mod sniff;
pub mod sound;
pub mod video;
pub mod wav;

pub use check::{CheckError, Expect, check_joined, check_piece, check_sound};
pub use error::{MediaError, MediaErrorKind};
pub use helper::helper_main;
pub use probe::{AudioInfo, MediaInfo, VideoInfo, picture_times, probe};
pub use sandbox::{Sandbox, SandboxKind, SandboxWish};
pub use video::{VideoReader, VideoWant};
