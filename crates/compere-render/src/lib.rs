//! The conductor. Everything below is pure or handed what it needs; here is where threads are started, files are
//! opened and the outside is asked.

mod act;
mod ahead;
mod alpha;
mod ambience;
mod assist;
mod beside;
mod cache;
mod casting;
mod error;
mod film;
mod finish;
mod footage;
mod handover;
mod heard;
mod label;
mod mix;
mod pictures;
mod plan;
mod playlist;
mod presenters;
mod preview;
mod progress;
mod recording;
mod round;
mod shoot;
mod soundtrack;
mod speech;
mod stand;
mod stream;
mod studio;
mod together;
mod typecase;

pub use ahead::bake_ahead;
pub use assist::assist;
pub use beside::BesideSource;
pub use cache::{Beyond, Cache, Key, Shelf};
pub use compere_media::{Activity, Format};
pub use error::{RenderError, Warning};
pub use film::{Audience, Made, Wish, film, play};
pub use preview::{Glance, Look, Seen, Still, Stills, look, say};
pub use progress::{Progress, Screen, Unwatched, Watcher};
pub use studio::{PackShelf, Packs, Studio, Workshop};
pub use together::{Claim, Company, Next, Part};
