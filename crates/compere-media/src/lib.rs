//! The nouns every stage hands on: frames, layers, damage, sound, marks, exact time.
//!
//! Nothing here knows what a scene is, where a byte came from or where it goes.
//!
//! # Conventions
//!
//! - A film runs at [`FrameRate`] 30/1 and 48 kHz. Time inside the pipeline is counted in frames and samples,
//!   never measured in seconds.
//! - Pixels are 8 bit. Colour is what sRGB authors write, carried as BT.709 limited range from the moment a
//!   [`Pixmap`] becomes a [`Layer`]. Alpha is premultiplied everywhere.
//! - Rectangles are half open and in output pixels.

mod color;
mod damage;
mod frame;
pub mod kernel;
mod layer;
mod marks;
mod moving;
mod pixmap;
mod sound;
mod time;

pub use color::Rgb;
pub use damage::{Damage, Rect};
pub use frame::Frame;
pub use layer::Layer;
pub use marks::{Marks, PhonemeMark, Stress, WordMark};
pub use moving::{Broken, Moving};
pub use pixmap::Pixmap;
pub use sound::Sound;
pub use time::{FRAME_RATE, FrameRate, FrameSpan, SAMPLE_RATE, SampleSpan};
