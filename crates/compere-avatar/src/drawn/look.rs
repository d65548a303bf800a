//! What distinguishes one drawn presenter from another.

use super::brush::Rgb3;

#[derive(Clone, Debug)]
pub(super) struct Look {
    pub(super) skin: Rgb3,
    pub(super) hair: Rgb3,
    pub(super) lips: Rgb3,
    pub(super) iris: Rgb3,
    pub(super) top: Rgb3,
}

impl Look {
    /// The stand-in, in its three colours.
    pub(super) fn figure() -> Vec<Self> {
        let look =
            |top| Self { skin: [238, 194, 164], hair: [74, 58, 52], lips: [201, 112, 102], iris: [84, 64, 52], top };
        vec![look([66, 120, 168]), look([206, 110, 84]), look([58, 66, 84])]
    }
}
