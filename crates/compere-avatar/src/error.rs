//! Why a presenter cannot be baked.

/// What was wrong and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AvatarError {
    #[error("presenter `{presenter}` has no outfit `{outfit}`; it has {known}")]
    UnknownOutfit { presenter: String, outfit: String, known: String },
    #[error("a presenter cannot be drawn {width}x{height} pixels large; sides must be between 16 and 8192")]
    BadSize { width: u32, height: u32 },
    #[error("a face {height} pixels high at {x}, {y} leaves nothing of the presenter in its rectangle")]
    OutOfSight { x: i32, y: i32, height: u32 },
    #[error("the presenter's data `{file}` is missing; run scripts/fetch-avatars.sh {root}")]
    MissingData { file: String, root: String },
    #[error("the presenter's data `{file}` cannot be read: {why}; fetch it again with scripts/fetch-avatars.sh")]
    DamagedData { file: String, why: String },
    #[error("the presenter's footage: {0}")]
    Footage(String),
}
