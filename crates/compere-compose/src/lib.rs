//! Compositing: layers drawn once per scene, laid on frames.

pub mod draw;
pub mod place;

mod cel;
mod entrance;
mod motion;
mod stage;

pub use entrance::Entrance;
pub use stage::{BACKGROUND, Compositor, Lost, MissingText, Mover, Props, Stage};
