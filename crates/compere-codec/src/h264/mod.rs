//! H.264 in process: frames and what of them changed go in, a [`Segment`] comes out.
//!
//! Every segment starts with a key frame, holds no B-frames (decode order is presentation order) and refers to
//! nothing outside itself; its parameter sets depend on size and quality only. So segments of one
//! film are joined by writing one after another, whatever their content.
//!
//! Deliberately absent: B-frames, look-ahead and more than one reference frame. They would save bits, but a
//! picture could no longer be taken apart into pieces that cost what they change.

#[allow(unsafe_code, reason = "libx264 is a C library; this file is its only caller")]
mod ffi;
mod segment;
mod settings;

use compere_media::{Damage, Frame, Rect};

use ffi::{Plane, X264};
pub use segment::{FrameEntry, ParameterSets, Segment, SegmentError};
pub use settings::{Preset, Quality, Settings};

/// Frames from one key frame to the next, at most. Five seconds: a seek decodes 75 frames on average, and the key
/// frames of a talking presenter are about a fifth of the stream.
pub const KEY_INTERVAL: u32 = 150;

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

/// Encodes the frames of one segment, in order.
#[derive(Debug)]
pub struct Encoder {
    settings: Settings,
    full: X264,
    parameter_sets: ParameterSets,
    since_key: u32,
    planned: bool,
    frames: Vec<FrameEntry>,
    data: Vec<u8>,
}

impl Encoder {
    pub fn new(settings: &Settings) -> Result<Self, EncodeError> {
        let mut full = X264::open(settings.full()?)?;
        let (sps, pps) = full.headers()?;
        Ok(Self {
            settings: *settings,
            full,
            parameter_sets: ParameterSets { sps, pps },
            since_key: 0,
            planned: false,
            frames: Vec::new(),
            data: Vec::new(),
        })
    }

    /// Announces what may change after the next frame until the plan after this one. The next frame becomes a key
    /// frame. The tighter the area, the cheaper the frames; a frame that breaks the promise costs a key frame more
    /// and is right all the same. A plan ends with the next plan or after [`KEY_INTERVAL`] frames; without one,
    /// anything may change.
    pub fn plan(&mut self, upcoming: &Damage) {
        let _ = upcoming;
        self.planned = true;
    }

    /// Adds the next frame. Outside `damage` it equals the frame pushed before; the first frame is damaged whole,
    /// whatever `damage` says.
    pub fn push(&mut self, frame: &Frame, damage: &Damage) -> Result<(), EncodeError> {
        self.check(frame)?;
        let key = self.frames.is_empty() || self.since_key >= KEY_INTERVAL || self.planned;
        self.planned = false;
        mark_constant(self.full.mb_info(), frame.width(), damage);
        let bytes = self.full.encode(planes(frame), key, None)?;
        self.data.extend_from_slice(bytes);
        self.frames.push(FrameEntry { bytes: bytes.len() as u32, key });
        self.since_key = if key { 1 } else { self.since_key + 1 };
        Ok(())
    }

    pub fn finish(self) -> Result<Segment, EncodeError> {
        if self.frames.is_empty() {
            return Err(EncodeError::Empty);
        }
        Ok(Segment { parameter_sets: self.parameter_sets, frames: self.frames, data: self.data })
    }

    fn check(&self, frame: &Frame) -> Result<(), EncodeError> {
        let Settings { width, height, .. } = self.settings;
        if (frame.width(), frame.height()) == (width, height) {
            return Ok(());
        }
        Err(EncodeError::WrongSize { width, height, got_width: frame.width(), got_height: frame.height() })
    }
}

/// Tells x264 which macroblocks no damage touches.
fn mark_constant(flags: &mut [u8], width: u32, damage: &Damage) {
    let columns = width.div_ceil(16) as usize;
    let all = Rect::new(0, 0, 16 * columns as i32, 16 * (flags.len() / columns) as i32);
    flags.fill(X264::CONSTANT);
    for rect in damage.aligned(16).clipped(all).rects() {
        for row in rect.y0 / 16..rect.y1 / 16 {
            let start = row as usize * columns;
            flags[start + rect.x0 as usize / 16..start + rect.x1 as usize / 16].fill(0);
        }
    }
}

fn planes(frame: &Frame) -> [Plane<'_>; 3] {
    let stride = frame.width() as usize;
    [
        Plane { bytes: frame.y(), stride },
        Plane { bytes: frame.u(), stride: stride / 2 },
        Plane { bytes: frame.v(), stride: stride / 2 },
    ]
}

#[cfg(test)]
mod tests;
