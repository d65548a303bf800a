//! Why the store could not do what it was asked.

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database or object store is away, full, or answered with an error.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// Something that has to be unique is already there.
    #[error("{0} exists already")]
    Taken(&'static str),
    /// Another service makes the exports of this database.
    #[error(
        "another compere ({0}) works with this database already. One database has one service: stop the other one, or \
         give this one a database, a data folder and an object store of its own"
    )]
    Held(String),
    /// A row holds what this version cannot read.
    #[error("a stored record cannot be read: {0}")]
    Damaged(String),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::ColumnNotFound(_) => Self::Damaged(error.to_string()),
            _ => Self::Unavailable(error.to_string()),
        }
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        Self::Damaged(error.to_string())
    }
}

impl From<object_store::Error> for StoreError {
    fn from(error: object_store::Error) -> Self {
        Self::Unavailable(error.to_string())
    }
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        Self::Unavailable(error.to_string())
    }
}

/// Whether a statement failed because a unique index says no.
pub(crate) fn is_taken(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Database(inner) if inner.is_unique_violation())
}
