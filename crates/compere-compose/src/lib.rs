//! Compositing: layers drawn once per scene, laid on frames.

pub mod draw;
