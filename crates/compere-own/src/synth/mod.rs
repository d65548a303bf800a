//! A presenter out of footage: baked for a size, played on a base.

mod base;
pub(crate) mod bend;
pub(crate) mod heads;
mod joined;
mod mask;
mod perform;
mod planes;
mod pyramid;
pub(crate) mod select;
mod stitch;
mod tripod;
mod warp;

pub(crate) use base::{Base, Reel};
pub(crate) use mask::Mask;
pub(crate) use perform::{FootagePack, PackParts, Patches, Seam, stitched};
pub(crate) use planes::{fill, grey};
