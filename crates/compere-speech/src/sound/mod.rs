//! What is done to the sound of every voice.

pub mod loudness;
pub mod resample;
pub mod trim;
