//! A presenter out of footage: baked for a size, played on a base.

mod base;
mod bend;
mod heads;
mod joined;
mod mask;
mod perform;
mod pyramid;
mod select;
mod stitch;

pub(crate) use base::{Base, Reel, fill, grey};
pub(crate) use perform::{FootagePack, PackParts, Patches, stitched};
