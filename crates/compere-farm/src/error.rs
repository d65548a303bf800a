//! What keeps a node from joining.

use std::fmt;
use std::path::PathBuf;

#[derive(Debug)]
pub enum FarmError {
    /// An address that is none.
    Address { text: String, why: &'static str },
    /// A certificate or a key that cannot be read.
    File { file: PathBuf, why: String },
    /// Nobody answers there, or they do not know us.
    Unreachable { address: String, why: String },
    /// The part of us that asks for work cannot be made.
    Worker { why: String },
    /// An export that another version began, and this one would not go on with.
    History { why: String },
}

impl fmt::Display for FarmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address { text, why } => {
                write!(f, "engine: `{text}` {why}; it looks like temporal://HOST:PORT/NAMESPACE, or temporals://…")
            }
            Self::File { file, why } => write!(f, "engine: {}: {why}", file.display()),
            Self::Unreachable { address, why } => {
                write!(
                    f,
                    "engine: {address} does not answer as Temporal does: {why}; does it run, and is the namespace there?"
                )
            }
            Self::History { why } => write!(f, "engine: this version would go on otherwise with what was begun: {why}"),
            Self::Worker { why } => write!(f, "engine: no work can be asked for: {why}"),
        }
    }
}

impl std::error::Error for FarmError {}
