//! Where a clip is drawn.

use crate::document::reader::Object;
use crate::film::Place;

/// Nothing larger than this can be drawn, and nothing further away can be seen.
const FAR: f64 = 100_000.0;

/// The clip's rectangle, scaled.
pub(super) fn place(clip: &Object<'_>) -> Place {
    let size = |clip: &Object<'_>, key: &str| clip.need(key, Object::positive);
    Place {
        left: position(clip, "left"),
        top: position(clip, "top"),
        width: extent(clip, size(clip, "width"), "width", "scaleX"),
        height: extent(clip, size(clip, "height"), "height", "scaleY"),
        angle: angle(clip),
    }
}

/// The rectangle of a line, which has no height of its own (or no width, standing): its stroke gives it one.
pub(super) fn line(clip: &Object<'_>) -> Place {
    let size = |key: &str| {
        let size = clip.need(key, Object::number)?;
        if size < 0.0 {
            clip.blame(key, format!("must be >= 0, was {size}"));
        }
        Some(size)
    };
    let (width, height) = (size("width"), size("height"));
    if width == Some(0.0) && height == Some(0.0) {
        clip.blame("width", "must be > 0 when `height` is 0");
    }
    let thickness = clip.number("strokeWidth").unwrap_or(1.0).max(1.0);
    Place {
        left: position(clip, "left"),
        top: position(clip, "top"),
        width: extent(clip, width, "width", "scaleX").max(thickness),
        height: extent(clip, height, "height", "scaleY").max(thickness),
        angle: angle(clip),
    }
}

fn position(clip: &Object<'_>, key: &str) -> f64 {
    clip.need(key, |clip, key| clip.number_in(key, -FAR..=FAR)).unwrap_or(0.0)
}

fn extent(clip: &Object<'_>, size: Option<f64>, key: &str, scale: &str) -> f64 {
    let extent = size.unwrap_or(1.0) * clip.positive(scale).unwrap_or(1.0);
    if extent > FAR {
        clip.blame(key, format!("must be at most {FAR} with its scale, was {extent}"));
    }
    extent
}

/// From 0 up to 360 degrees.
pub(super) fn angle(clip: &Object<'_>) -> f64 {
    clip.number("angle").unwrap_or(0.0).rem_euclid(360.0)
}
