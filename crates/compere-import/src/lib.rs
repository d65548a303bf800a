//! Slides become scenes: a PDF, PPT, PPTX or ODP goes in, pictures, words and a project come out.
//!
//! [`import`] tells what a file is by its content, draws every slide that is shown at twice the canvas, and reads titles
//! and speaker notes. [`deck_to_project`] makes a create-project body of the result.
//!
//! The rooms are the sides of the sandbox: `outside` waits for children, `inside` is what one of them runs, `recompose`
//! takes drawn slides apart. `outside` calls both, neither calls it.
//!
//! What slides play or show from elsewhere is fetched by whoever the caller names for it ([`Want::fetch`]), on this side of the
//! sandbox; documents call nobody.
//!
//! Nothing of a document is read outside the sandbox but its first kilobyte: poppler draws PDF pages, LibreOffice makes
//! a PDF of presentations, and our own binary, as a child, reads words from packages ([`helper_main`]). A document can
//! be as hostile as it likes; it costs at most the time and memory of [`Limits`], reaches no network and no file, and
//! an import that fails leaves nothing behind.
//!
//! Memory does not grow with the number of slides: a page is drawn, written and forgotten.
//!
//! Where the presenter is, is found here too ([`layout`]): each slide is measured as it was drawn ([`ink`]), because the
//! presenter never hides content.
//!
//! [`read_document`] reads Word documents, of which no slides are made: what they say is for whoever makes storyboards.
//!
//! With [`Want::editable`] texts and pictures of a PPTX become clips over the slide without them, as far as the scene then
//! looks as the slide did.
//!
//! What comes and goes on a slide by a click does so in the film (`outside::builds`): where the notes name it (`steps`).
//!
//! Deliberately absent: ways and emphasis of animations, and macros, which are never run.

mod again;
mod deck;
mod error;
mod ink;
mod inside;
mod layout;
mod names;
mod outside;
mod page;
mod palette;
mod picture;
mod project;
mod recompose;
mod spoken;
mod stand;
mod steps;
mod twin;
mod wish;
mod xml;

pub use again::renewed;
pub use deck::{
    Clip, ClipWhat, Deck, DeckKind, Fetch, Limits, Progress, Scribe, Slide, TextClip, TextStretch, Want, Warning, Watch,
};
pub use error::{ImportError, ImportErrorKind};
pub use ink::Ink;
pub use inside::helper_main;
pub use outside::{Document, DocumentBlock, import, read_document};
pub use project::{Presenter, deck_to_project};
pub use stand::{Card, Figure, Shown, Stand};
pub use wish::{Ground, Layout, Numbers, Quiet, Side, Wish};
