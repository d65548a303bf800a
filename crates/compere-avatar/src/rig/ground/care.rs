//! How carefully somebody is baked.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    Full,
    /// A likeness for somebody who waits: every sixth lamp, edges of fewer samples.
    Sketch,
    /// One picture of somebody whose face is being made: fewer still.
    Glance,
}

impl Care {
    /// How many lamps stand for so many.
    pub(crate) fn lamps(self, count: usize) -> usize {
        match self {
            Self::Full => count,
            Self::Sketch => count.div_ceil(6),
            Self::Glance => count.div_ceil(18),
        }
    }

    /// Samples along a pixel's side.
    pub(crate) fn samples(self, fine: usize) -> usize {
        if self == Self::Full { fine } else { fine.div_ceil(2) }
    }
}
