//! Where face and person are in every picture of a take.

#[cfg(test)]
mod exact;
mod face;
mod file;
mod layers;
mod net;
mod person;
#[cfg(test)]
mod placed;
pub(crate) mod points;
pub(crate) mod pose;
mod see;

pub(crate) use face::{Mesh, Networks, Tracker};
pub(crate) use person::{CELLS, Segmenter};
pub(crate) use see::sample;

use std::path::Path;

use crate::error::OwnError;

/// Loads the two networks from `assets/faces`.
pub(crate) fn networks(folder: &Path) -> Result<Networks, OwnError> {
    let detector = read(folder, "face_detection_short_range.tflite")?;
    let mesh = read(folder, "face_landmark_with_attention.tflite")?;
    Networks::load(&detector, &mesh).map_err(OwnError::machine)
}

/// Loads the network that sees whole people, from the same folder.
pub(crate) fn segmenter(folder: &Path) -> Result<Segmenter, OwnError> {
    Segmenter::load(&read(folder, "selfie_segmentation.tflite")?).map_err(OwnError::machine)
}

fn read(folder: &Path, name: &str) -> Result<Vec<u8>, OwnError> {
    let path = folder.join(name);
    std::fs::read(&path)
        .map_err(|error| OwnError::Machine(format!("{}: {error}; scripts/fetch-faces.sh fetches it", path.display())))
}
