//! Presenters: who there is, how their pictures are baked and how they act.
//!
//! Three steps that know little of each other, so that other sources (a user's GLB, a portrait) can join later:
//!
//! 1. A **presenter** (in [`Cast`]) knows its source and can [`Presenter::bake`] it for one outfit and one size.
//! 2. A **[`Pack`]** is that baked presenter: lit pictures, depth, a deformable face. No light is computed after it.
//! 3. A **performance** ([`Pack::perform`]) turns the marks of a speech into a pose per frame and a pose into pixels.
//!
//! # Promises
//!
//! - The picture of frame n depends on pack, [`Role`] and n, never on the frames painted before.
//! - Damage is exact: outside the reported rectangles no byte of the layer changes.
//! - No clock, no thread that shows in the result, no transcendental function of the platform: same bytes everywhere.
//!
//! # Deliberately absent
//!
//! Sound, text and scene geometry beyond the one rectangle a presenter is fitted into. Hands stay out of the picture.

mod act;
mod cast;
mod drawn;
mod error;
mod keep;
mod maths;
mod preview;
mod puppet;
mod rig;

use std::sync::Arc;

use compere_media::{Marks, Moving, Pixmap, Rect, Sound};

pub use cast::{Cast, OutfitInfo, PresenterInfo, Style, VoiceDefault};
pub use error::AvatarError;
pub use preview::{filmstrip, line_up, preview};

/// How much of the presenter is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Framing {
    /// Down to the hips where the rectangle is tall enough, standing on its bottom edge.
    #[default]
    Body,
    /// Head and shoulders.
    Head,
}

/// One presenter as a scene wants it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Want {
    /// Id or alias of an outfit; empty for the first one.
    pub outfit: String,
    /// Output pixels of the clip's rectangle.
    pub width: u32,
    pub height: u32,
    pub framing: Framing,
}

/// A member of the cast.
pub trait Presenter: Send + Sync {
    fn info(&self) -> &PresenterInfo;

    /// Does the heavy work for one outfit and size, or takes it from `cache`: a hit and a miss give the same pack.
    fn bake(&self, want: &Want, cache: &dyn PackCache) -> Result<Arc<dyn Pack>, AvatarError>;
}

/// A baked presenter. Cheap to share; every performance keeps its own state.
pub trait Pack: Send + Sync {
    /// Where inside the wanted rectangle the presenter's layer lies: centred, standing on the bottom edge.
    fn rect(&self) -> Rect;

    /// The layer handed to the performance must have the size of [`Pack::rect`].
    fn perform(&self, role: Role) -> Box<dyn Moving>;

    /// Every shape of the mouth, blink, smile, gaze and turns by name, each of the size of [`Pack::rect`].
    fn sheet(&self) -> Vec<(&'static str, Pixmap)>;
}

/// What a presenter has to act.
#[derive(Clone, Debug, Default)]
pub struct Role {
    /// In samples of the scene.
    pub marks: Marks,
    /// The scene's speech, for the strength of the jaw. The mouth moves without it, only less lively.
    pub sound: Option<Arc<Sound>>,
    /// Length of the scene. Later frames hold the last pose.
    pub frames: u64,
    /// Blinks, gaze and sway follow from it.
    pub seed: u64,
}

/// Where packs are kept between films. Keys are short and printable and name presenter, outfit and size; whoever keeps
/// the packs adds what names the program, since another version may bake otherwise.
pub trait PackCache: Sync {
    fn get(&self, key: &str) -> Option<Vec<u8>>;
    fn put(&self, key: &str, bytes: &[u8]);
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCache;

impl PackCache for NoCache {
    fn get(&self, _key: &str) -> Option<Vec<u8>> {
        None
    }

    fn put(&self, _key: &str, _bytes: &[u8]) {}
}

#[cfg(test)]
mod tests;
