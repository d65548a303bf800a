//! What distinguishes one drawn presenter from another.

use super::brush::Rgb3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hair {
    /// A plain cap of hair.
    Cap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wear {
    Tee,
}

#[derive(Clone, Debug)]
pub(super) struct Look {
    pub(super) skin: Rgb3,
    pub(super) hair: Rgb3,
    pub(super) style: Hair,
    pub(super) lips: Rgb3,
    pub(super) iris: Rgb3,
    pub(super) wear: Wear,
    pub(super) top: Rgb3,
    pub(super) second: Rgb3,
}

impl Look {
    /// The stand-in, in its three colours.
    pub(super) fn figure() -> Vec<Self> {
        let look = |top| Self {
            skin: [238, 194, 164],
            hair: [74, 58, 52],
            style: Hair::Cap,
            lips: [201, 112, 102],
            iris: [84, 64, 52],
            wear: Wear::Tee,
            top,
            second: [245, 245, 245],
        };
        vec![look([66, 120, 168]), look([206, 110, 84]), look([58, 66, 84])]
    }
}
