//! Pictures: foreign ones in, posters and previews out.
//!
//! Foreign pictures are decoded by our own binary inside the sandbox; this side trusts nothing but the size and the
//! pixels it is handed. Colours are taken as sRGB: embedded colour profiles are ignored, and so is CMYK's.
//! Of an animation only the first picture is used. AVIF goes through FFmpeg, which leaves out its transparency and turns.
//! HEIC is absent: its codec is encumbered.

mod avif;
mod comment;
mod decode;
mod fonts;
mod svg;
mod write;

use std::path::Path;

use compere_media::Pixmap;

pub use crate::sniff::{ImageType, image_type, other as file_type};
pub use comment::commented;
pub use decode::decode_image_main;
pub use write::{frame_to_jpeg, frame_to_pixmap, frame_to_png, grey_to_jpeg, pixmap_to_jpeg, pixmap_to_png};

use crate::MediaError;
use crate::file::head_of;
use crate::sandbox::{Errand, Limits, Sandbox};

/// The name by which our binary is asked to decode a picture.
pub(crate) const DECODE: &str = "__decode-image";

/// The longest side of a picture.
pub const MAX_SIDE: u32 = 12_000;
/// The most pixels of a picture.
pub const MAX_PIXELS: u64 = 80_000_000;
/// Where the fonts of text in SVG files lie; looked at when such text is met.
pub const FONTS: &str = "/usr/share/fonts";

/// The largest size at which a picture is of use.
///
/// Larger pictures are shrunk to fit, keeping their shape; smaller ones stay as they are. An SVG, which has no pixels
/// of its own, is drawn as large as fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Want {
    pub max_width: u32,
    pub max_height: u32,
}

impl Want {
    /// The size of a picture of `width` by `height` that fits, growing it only when `grow` says so.
    pub(crate) fn fitted(self, width: f64, height: f64, grow: bool) -> (u32, u32) {
        let scale = (f64::from(self.max_width) / width).min(f64::from(self.max_height) / height);
        let scale = if grow { scale } else { scale.min(1.0) };
        let side = |length: f64, most: u32| ((length * scale).round() as u32).clamp(1, most.max(1));
        (side(width, self.max_width), side(height, self.max_height))
    }
}

/// Decodes a picture that someone sent.
pub fn decode(sandbox: &Sandbox, path: &Path, want: Want) -> Result<Pixmap, MediaError> {
    let head = head_of(path)?;
    let found = image_type(&head).map_err(MediaError::wrong_type)?;
    let want = Want { max_width: want.max_width.clamp(1, MAX_SIDE), max_height: want.max_height.clamp(1, MAX_SIDE) };
    if found == ImageType::Avif {
        return avif::decode(sandbox, path, want);
    }
    let size = [want.max_width.to_string(), want.max_height.to_string()];
    let errand = Errand::helper(DECODE, Limits::PICTURE).input(path).args(size);
    let errand = if found == ImageType::Svg { errand.folder(FONTS) } else { errand };
    decode::read_answer(sandbox.start(&errand)?)
}

/// The picture at `want`'s size at most, keeping its shape.
pub fn shrunk(picture: Pixmap, want: Want) -> Pixmap {
    decode::shrink(picture, want)
}
