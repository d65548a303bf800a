//! Shapes, text and pictures become pixels.
//!
//! Everything is drawn at the output's scale: a clip is laid out in canvas units, so that lines break at the same words
//! at 480 and at 4k, and then rasterised through one affine map, never enlarged from a smaller picture. A function takes
//! a `window` in output pixels and neither draws nor allocates beyond it (pictures that shrink excepted, which cost at
//! most themselves).
//!
//! The same arguments give the same bytes on every machine: coverage is summed in scalar code, text is laid out without
//! the system's font configuration, and fonts are searched in a fixed order.
//!
//! Opacity and animation are not known here: they belong to the stage. Nor are files of pictures: those arrive decoded.

mod image;
mod outline;
mod paint;
mod raster;
mod shape;
mod text;
mod watermark;

pub use image::{cover, image};
pub use shape::shape;
pub use text::{FontError, Fonts, MissingGlyph, OwnFont, asks_for, same_family, text};
pub use watermark::watermark;

use compere_media::{Pixmap, Rect};
use compere_scene::Place;
use kurbo::Affine;

/// A piece of the output picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    pub pixmap: Pixmap,
    /// Of its left top corner, in output pixels.
    pub x: i32,
    pub y: i32,
}

impl Drawn {
    pub fn rect(&self) -> Rect {
        self.pixmap.bounds().shifted(self.x, self.y)
    }
}

/// From the clip's own axes, origin in its left top corner, to output pixels.
fn placed(place: &Place, scale: f64) -> Affine {
    Affine::scale(scale) * Affine::translate((place.left, place.top)) * Affine::rotate(place.angle.to_radians())
}
