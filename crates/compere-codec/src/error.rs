//! What went wrong with a file, in words for the person who linked it.

use std::io;

/// Why a picture, a video or a sound could not be used, or a result could not be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaError {
    pub kind: MediaErrorKind,
    /// A sentence without its subject, to be put behind the name of the file or clip:
    /// `is a text file, not a picture; PNG, JPEG, WebP, GIF or SVG would be right`.
    pub what: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MediaErrorKind {
    /// There is no such file, or it may not be read.
    Missing,
    /// It is something else than it should be.
    WrongType,
    /// It is of a right type and broken.
    Damaged,
    /// It goes over a limit of size, memory or output.
    TooLarge,
    /// It took longer than any honest file does.
    TooSlow,
    /// Not the file's fault: a program is missing, a disk is full.
    Machine,
}

impl MediaErrorKind {
    /// Whether another file would help. Otherwise the machine needs help.
    pub fn is_authors(self) -> bool {
        self != Self::Machine
    }
}

impl MediaError {
    pub fn new(kind: MediaErrorKind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into() }
    }

    pub(crate) fn wrong_type(what: impl Into<String>) -> Self {
        Self::new(MediaErrorKind::WrongType, what)
    }

    pub(crate) fn damaged(what: impl Into<String>) -> Self {
        Self::new(MediaErrorKind::Damaged, what)
    }

    pub(crate) fn too_large(what: impl Into<String>) -> Self {
        Self::new(MediaErrorKind::TooLarge, what)
    }

    pub(crate) fn too_slow(what: impl Into<String>) -> Self {
        Self::new(MediaErrorKind::TooSlow, what)
    }

    pub(crate) fn machine(what: impl Into<String>) -> Self {
        Self::new(MediaErrorKind::Machine, what)
    }

    /// A failure of our own files: `doing` says at what, as in "could not write the soundtrack".
    pub(crate) fn io(doing: &str, error: &io::Error) -> Self {
        Self::machine(format!("{doing}: {error}"))
    }
}

impl std::fmt::Display for MediaError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for MediaError {}

impl From<MediaError> for compere_media::Broken {
    fn from(error: MediaError) -> Self {
        Self { what: error.what }
    }
}
