//! The nouns every stage hands on: frames, layers, damage, words, sound, marks, exact time.
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
mod cue;
mod cut;
mod damage;
mod frame;
pub mod kernel;
mod layer;
mod marks;
pub mod math;
mod megabytes;
mod moving;
mod output;
mod pixmap;
mod script;
mod sound;
mod time;
mod words;

pub use color::Rgb;
pub use cue::{Cue, CueMark, Gesture, Look, Mood};
pub use cut::{Chapter, Cut};
pub use damage::{Damage, Rect};
pub use frame::Frame;
pub use layer::{Ambience, Layer};
pub use marks::{Marks, PhonemeMark, Stress, WordMark};
pub use megabytes::Megabytes;
pub use moving::{Broken, Moving};
pub use output::{Activity, Format, Orientation, Resolution};
pub use pixmap::Pixmap;
pub use script::ScriptPart;
pub use sound::Sound;
pub use time::{FRAME_RATE, FrameRate, FrameSpan, SAMPLE_RATE, SampleSpan};
pub use words::UnknownWord;

/// For [`words!`] only: crates that use it need no dependency of their own.
#[doc(hidden)]
pub use serde as __serde;
