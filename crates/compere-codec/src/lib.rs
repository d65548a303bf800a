//! To be written.

pub mod h264;
