//! What can go wrong with a customer's own presenter.

/// Each is a sentence for the person who made the footage.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OwnError {
    /// The footage cannot be used; what would be right is said with it.
    #[error("{0}")]
    Footage(String),
    /// Something that was kept is not what was written.
    #[error("{0} is damaged")]
    Damaged(String),
    /// This machine could not do it.
    #[error("{0}")]
    Machine(String),
}

impl OwnError {
    pub fn machine(what: impl std::fmt::Display) -> Self {
        Self::Machine(what.to_string())
    }

    pub(crate) fn footage(what: impl std::fmt::Display) -> Self {
        Self::Footage(what.to_string())
    }
}
