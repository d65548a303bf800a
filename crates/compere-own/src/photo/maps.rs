//! Which parts of a face move apart from each other: each has a map of where its pixels come from.

pub(super) const BROW: usize = 0;
pub(super) const CHEEK: usize = 1;
pub(super) const CHIN: usize = 2;
pub(super) const BEHIND: usize = 3;
pub(super) const MAPS: usize = 4;
