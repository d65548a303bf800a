//! A customer's own presenter, and a customer's own voice.
//!
//! A person reads some prompts on camera. Each take is aligned to its text ([`align`]), the face is tracked, and every
//! picture goes into a bank: a steadied patch of the lower face with what is known of it. A new speech is the cheapest way
//! through that bank; its patches are bent, lit and blended onto a silent take, the base. No network draws anything: what
//! is seen is the person's own mouth.
//!
//! The same aligner gives recorded speech its marks ([`recorded()`]), for every presenter.
//!
//! # Promises
//!
//! - A presenter is data once it is made: the same bank gives the same pictures on every machine, any frame in any order.
//! - No byte outside the mouth's mask differs from the base.
//! - Footage is decoded in the sandbox only. What is refused says what was measured and what would be right.
//! - No clock, and no transcendental function of the platform.
//!
//! # Deliberately absent
//!
//! Recognising speech, cloning voices, and weights of doubtful licence.

mod accents;
mod add;
pub mod align;
mod bank;
mod beside;
mod blinks;
mod build;
mod bytes;
mod consent;
mod design;
mod error;
mod figure;
mod footage;
mod ground;
mod heard;
mod jpeg;
mod linear;
mod lips;
mod making;
mod maths;
mod matte;
mod measure;
mod model;
mod photo;
mod presenter;
mod recorded;
mod scratch;
mod still;
mod store;
mod synth;
#[cfg(test)]
mod testing;
mod tongue;
mod track;

pub use add::{Added, Folder, Model, Wish, add, add_model};
pub use bank::Keeping;
pub use build::{Bench, Clip, Face, Finding, Level, Reel, Refused, Watch, comparable, comparable_to};
pub use consent::Form;
pub use design::{Desk, logo_of};
pub use error::OwnError;
pub use figure::helper_main;
pub use making::{Made, Making};
pub use matte::{Background, Cut};
pub use measure::{Apart, Blinking, Likeness, Seams, Track, blinking, compare, dubbed, seams};
pub use presenter::{Troupe, presenters, shown_to};
pub use recorded::{Recorded, recorded, recorded_without_text};
pub use store::{Consent, Kind, Manifest, Store};
pub use tongue::{Tongue, coverage};
