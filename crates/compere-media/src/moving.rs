//! Things whose picture changes with time: presenters and footage.

use crate::{Damage, Layer};

/// A picture per frame, painted into one layer that is kept between frames.
pub trait Moving: Send {
    /// Makes `layer` show frame `frame` of the scene and says what of it changed, in layer coordinates.
    ///
    /// `layer` holds what the previous call left in it; the first call on a fresh layer may be for any frame, later
    /// ones ask for rising frames. What is painted depends on the frame only, never on the calls before.
    fn advance(&mut self, frame: u64, layer: &mut Layer) -> Result<Damage, Broken>;

    /// The frame of the scene up to which it is footage, each of whose pictures is another all over. Nothing else is.
    fn plays_until(&self) -> u64 {
        0
    }
}

/// The outside world failed while a picture was being made: damaged footage, mostly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// A sentence for the author.
    pub what: String,
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Broken {}
