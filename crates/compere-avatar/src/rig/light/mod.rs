//! Light and what it falls on: the studio, skin, cloth, eyes and teeth.

pub(crate) mod badge;
pub(crate) mod complexion;
pub(crate) mod dome;
pub(crate) mod fabric;
pub(crate) mod folds;
pub(crate) mod gloss;
pub(crate) mod inner;
pub(crate) mod kicker;
pub(crate) mod relief;
pub(crate) mod shade;
mod shadows;
pub(crate) mod smile;
pub(crate) mod spectacles;
pub(crate) mod studio;
pub(crate) mod teeth;
