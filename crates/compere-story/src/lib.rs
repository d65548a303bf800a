//! Texts become films: what was written is read as an [`Outline`], cut into a storyboard, and laid out as the body of a
//! create-project request.
//!
//! Nothing is invented here. Headings become titles, lists become points, paragraphs are said as they stand. Whoever
//! wants a topic written about, a page summed up or a text rewritten asks a [`Writer`]; what it writes is an ordinary
//! text again and goes the same way.
//!
//! No clock, no network, no file: pages are handed in, the writer is somebody else's.

mod board;
mod html;
mod layout;
mod outline;
mod writer;

pub use board::{Scene, storyboard};
pub use html::page_text;
pub use layout::{Look, Presenter, project};
pub use outline::{Block, Outline, Part, Picture, measured, unmeasured};
pub use writer::{Brief, Task, Writer, spoken, write};
