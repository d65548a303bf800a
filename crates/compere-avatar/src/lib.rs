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
//! Sound, text and scene geometry beyond the one rectangle a presenter is fitted into.

mod act;
mod cast;
mod drawn;
mod entry;
mod error;
mod keep;
mod maths;
mod portraits;
mod preview;
mod puppet;
mod rig;

use std::sync::Arc;

use compere_media::{CueMark, FRAME_RATE, Marks, Moving, Pixmap, Rect, SampleSpan, Sound};

pub use act::{Acted, Ch as Channel, acted, acted_sheet};
pub use cast::{Cast, Guests};
pub use entry::{OutfitInfo, PresenterInfo, Style, VoiceDefault};
pub use error::AvatarError;
pub use portraits::{PORTRAIT, paint_portrait, portrait};
pub use preview::{filmstrip, gestures, line_up, preview};
pub use rig::design::{
    Beard, Clothes, Design, HairStyle, Hands, Logo, LogoPlace, OUTFITS, Outfit, Paint, Rims, SLIDERS, Slider, Slip,
    Temper, sitters,
};
pub use rig::{Designer, told_of};

/// How much of the presenter is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Framing {
    /// As much as suits the rectangle, standing on its bottom edge: head and chest, three quarters in a tall one, the
    /// whole figure in one of more than 2.4 times its width.
    #[default]
    Body,
    /// Head and shoulders.
    Head,
    /// The face where it is wanted; the rectangle cuts what lies beyond.
    Placed(FaceBox),
}

/// Where a face shall be, from the brows to the chin, in output pixels of the wanted rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FaceBox {
    /// Its middle.
    pub x: i32,
    pub y: i32,
    pub height: u32,
}

/// A standing figure in heights of its face (brows to chin): what is needed to place a [`FaceBox`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// From the middle of the face up to the top of the hair, with a little air.
    pub crown: f32,
    /// From the middle of the face down to the soles, or to where the picture of the figure ends.
    pub feet: f32,
    /// Over elbows and shoulders.
    pub width: f32,
    /// From the middle of the face to either side, as far as arms reach.
    pub reach: f32,
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

    /// The proportions of the figure.
    fn measures(&self) -> Measures;

    /// The same in an outfit: of whoever was filmed, others may show more or less of them.
    fn measures_in(&self, outfit: &str) -> Measures {
        let _ = outfit;
        self.measures()
    }

    /// Does the heavy work for one outfit and size, or takes it from `cache`: a hit and a miss give the same pack.
    fn bake(&self, want: &Want, cache: &dyn PackCache) -> Result<Arc<dyn Pack>, AvatarError>;

    /// The key that [`Presenter::bake`] keeps it under, where it is kept for whoever asks. None of whoever needs no baking.
    fn kept_as(&self, want: &Want) -> Option<String> {
        let _ = want;
        None
    }

    /// For somebody who waits: what is in `cache`, else a likeness that is ready sooner and never kept. Of whoever needs
    /// no baking it is the same.
    fn sketch(&self, want: &Want, cache: &dyn PackCache) -> Result<Sketch, AvatarError> {
        Ok(Sketch { pack: self.bake(want, cache)?, is_final: true })
    }
}

/// A presenter for now.
pub struct Sketch {
    pub pack: Arc<dyn Pack>,
    /// Whether baking would give the same.
    pub is_final: bool,
}

/// A baked presenter. Cheap to share; every performance keeps its own state.
pub trait Pack: Send + Sync {
    /// Where the presenter's layer lies in the wanted rectangle: centred, standing on the bottom edge. Of somebody with
    /// hands it stands out to both sides, so that gestures are not cut.
    fn rect(&self) -> Rect;

    /// The layer handed to the performance must have the size of [`Pack::rect`].
    fn perform(&self, role: Role) -> Box<dyn Moving>;

    /// How well the presenter looks at every frame of a role, 1 at best: open eyes on the viewer, a calm mouth that smiles,
    /// arms at rest. For whoever chooses a still. Who does not know better is at best while nothing is said.
    fn looks(&self, role: &Role) -> Vec<f32> {
        let speaks = |frame| {
            let at = FRAME_RATE.first_sample(frame);
            role.marks.phonemes.iter().any(|mark| mark.span.start <= at && at < mark.span.end)
        };
        (0..role.frames).map(|frame| if speaks(frame) { 0.5 } else { 1.0 }).collect()
    }

    /// Every shape of the mouth, blink, smile, gaze and turns by name, each of the size of [`Pack::rect`].
    fn sheet(&self) -> Vec<(&'static str, Pixmap)>;

    /// One of the sheet, without the others.
    fn still(&self, name: &str) -> Option<Pixmap> {
        self.sheet().into_iter().find(|still| still.0 == name).map(|still| still.1)
    }

    /// Every gesture in full, by the name that scripts know it by; none of a presenter without hands.
    fn gestures(&self) -> Vec<(&'static str, Pixmap)>;
}

/// What a presenter has to act.
#[derive(Clone, Debug, Default)]
pub struct Role {
    /// In samples of the scene.
    pub marks: Marks,
    /// The scene's speech, for the strength of the jaw. The mouth moves without it, only less lively.
    pub sound: Option<Arc<Sound>>,
    /// What the script tells it to do, in samples of the scene, in any order.
    pub cues: Vec<CueMark>,
    /// When other presenters speak, and where they stand.
    pub others: Vec<Other>,
    /// Length of the scene. Later frames hold the last pose.
    pub frames: u64,
    /// Blinks, gaze and sway follow from it.
    pub seed: u64,
}

/// Another presenter, who speaks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Other {
    /// In samples of the scene.
    pub span: SampleSpan,
    /// Where: -1 at the picture's left edge, seen from its right one, to 1.
    pub side: f32,
}

impl std::fmt::Debug for Sketch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sketch").field("is_final", &self.is_final).finish_non_exhaustive()
    }
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
