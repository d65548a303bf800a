//! A page of a document as poppler has it.

/// A page to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Page {
    /// In the PDF, counted from zero.
    pub(crate) at: usize,
    pub(crate) size: (f64, f64),
    /// Used for the names of its files.
    pub(crate) number: usize,
    /// Without what is pinned to it.
    pub(crate) unpinned: bool,
}

/// A word, in points from the page's left top corner.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) x: (f64, f64),
    pub(crate) y: (f64, f64),
}
