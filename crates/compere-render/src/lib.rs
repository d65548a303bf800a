//! The conductor. Everything below is pure or handed what it needs; here is where threads are started, files are
//! opened and the outside is asked.

mod act;
mod alpha;
mod cache;
mod error;
mod film;
mod finish;
mod footage;
mod mix;
mod plan;
mod preview;
mod progress;
mod shoot;
mod speech;
mod studio;

pub use cache::{Cache, Key, Kind};
pub use error::{RenderError, Warning};
pub use film::{Format, Made, Wish, film};
pub use preview::{Look, Seen, Still, Stills, look, say};
pub use progress::{Progress, Unwatched, Watcher};
pub use studio::{PackShelf, Packs, Studio, Workshop};
