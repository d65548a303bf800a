//! The conductor. Everything below is pure or handed what it needs; here is where threads are started, files are
//! opened and the outside is asked.

mod cache;
mod error;
mod progress;

pub use cache::{Cache, Key, Kind};
pub use error::{RenderError, Warning};
pub use progress::{Progress, Unwatched, Watcher};
