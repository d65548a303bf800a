//! Why a file did not become a project, in words for the person who sent it.

use compere_codec::{MediaError, MediaErrorKind};

/// An import that did not come to its end. Nothing of it is left behind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{sentence}")]
pub struct ImportError {
    pub kind: ImportErrorKind,
    /// What is wrong and what would be right, without the file's name: `The file is a Word document; a PDF, PPT …`
    pub sentence: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImportErrorKind {
    /// Something else than a PDF, PPT or PPTX.
    WrongType,
    /// Encrypted, damaged, cut off, empty, or made to hurt.
    Unreadable,
    /// More bytes or slides than are taken.
    TooLarge,
    /// A program that this kind of file needs is not installed.
    Unavailable,
    /// Whoever watched said stop.
    Cancelled,
    /// Not the file's fault.
    Internal,
}

impl ImportError {
    pub(crate) fn new(kind: ImportErrorKind, sentence: impl Into<String>) -> Self {
        Self { kind, sentence: sentence.into() }
    }

    pub(crate) fn unreadable(sentence: impl Into<String>) -> Self {
        Self::new(ImportErrorKind::Unreadable, sentence)
    }

    pub(crate) fn too_large(sentence: impl Into<String>) -> Self {
        Self::new(ImportErrorKind::TooLarge, sentence)
    }

    pub(crate) fn wrong_type(found: &str) -> Self {
        Self::new(
            ImportErrorKind::WrongType,
            format!("The file is {found}; a PDF or a presentation (PPT, PPTX, ODP) would be right."),
        )
    }

    pub(crate) fn cancelled() -> Self {
        Self::new(ImportErrorKind::Cancelled, "The import was cancelled.")
    }

    pub(crate) fn io(doing: &str, error: &std::io::Error) -> Self {
        Self::new(ImportErrorKind::Internal, format!("Could not {doing}: {error}."))
    }

    /// What a child said, in a sentence that begins with `subject` ("Page 3").
    pub(crate) fn of_child(subject: &str, error: &MediaError) -> Self {
        let sentence = format!("{subject} {}.", error.what.trim_end_matches('.'));
        match error.kind {
            MediaErrorKind::Machine => Self::new(ImportErrorKind::Internal, sentence),
            MediaErrorKind::Missing => Self::new(ImportErrorKind::Internal, sentence),
            MediaErrorKind::WrongType
            | MediaErrorKind::Damaged
            | MediaErrorKind::TooLarge
            | MediaErrorKind::TooSlow => Self::unreadable(sentence),
        }
    }
}
