//! Where a slide and its presenter are in the picture.

/// How the presenter of a slide is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// As much of the figure as the place has room for.
    Standing,
    /// Head and shoulders.
    Bust,
    /// Head and shoulders in a disc.
    Disc,
    Unseen,
}

/// A presenter's place, in canvas units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
    pub shown: Shown,
}

/// The slide shown smaller: its canvas is scaled and moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Card {
    pub left: f64,
    pub top: f64,
    pub scale: f64,
}

/// How slide and presenter share the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stand {
    /// Nothing when the slide fills the picture.
    pub card: Option<Card>,
    pub presenter: Option<Figure>,
}
