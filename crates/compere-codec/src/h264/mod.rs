//! H.264 in process: frames and what of them changed go in, a [`Segment`] comes out.
//!
//! Every segment starts with a key frame, holds no B-frames (decode order is presentation order) and refers to
//! nothing outside itself; its parameter sets depend on size and quality only. So segments of one
//! film are joined by writing one after another, whatever their content.
//!
//! A segment is held in memory until it is finished. Cut what is long into several: they join, and their memory does not.
//!
//! Deliberately absent: B-frames, look-ahead and, but for footage that fills the picture, more than one reference frame. They
//! would save bits, but a picture could no longer be taken apart into pieces that cost what they change.

#[allow(unsafe_code, reason = "libx264 is a C library; this file is its only caller")]
mod ffi;

mod bits;
mod encoder;
mod footage;
mod layout;
mod pace;
mod picture;
mod segment;
mod settings;
mod skip;
mod slice;
mod splice;

use encoder::mark_constant;
pub use encoder::{Encoder, Plan};
pub use segment::{FrameEntry, ParameterSets, Segment, SegmentError};
pub use settings::{Preset, Quality, Settings};

/// Frames from one key frame to the next, at most: x264's own distance. A seek decodes 125 frames on average, which
/// takes little where most of the picture stands still.
pub const KEY_INTERVAL: u32 = 250;

/// Why a segment could not be made.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    #[error("cannot encode {width}x{height}: {why}")]
    Unusable { width: u32, height: u32, why: &'static str },
    #[error("a frame of {got_width}x{got_height} was pushed into a segment of {width}x{height}")]
    WrongSize { width: u32, height: u32, got_width: u32, got_height: u32 },
    #[error("a segment needs at least one frame")]
    Empty,
    #[error("libx264: {0}")]
    Library(String),
}

#[cfg(test)]
mod tests;
