//! Where the face is in every picture of a take.

mod face;
mod file;
mod layers;
mod net;
#[cfg(test)]
mod placed;
pub(crate) mod points;
pub(crate) mod pose;
mod see;

pub(crate) use face::{Mesh, Networks, Tracker};
pub(crate) use see::sample;

use crate::error::OwnError;

/// Loads the two networks from `assets/faces`.
pub(crate) fn networks(folder: &std::path::Path) -> Result<Networks, OwnError> {
    let read = |name: &str| {
        let path = folder.join(name);
        let missing =
            |error| OwnError::Machine(format!("{}: {error}; scripts/fetch-faces.sh fetches it", path.display()));
        std::fs::read(&path).map_err(missing)
    };
    let (detector, mesh) = (read("face_detection_short_range.tflite")?, read("face_landmark_with_attention.tflite")?);
    Networks::load(&detector, &mesh).map_err(OwnError::machine)
}
