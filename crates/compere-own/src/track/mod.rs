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
