//! Why a linked asset could not be had.

use std::time::Duration;

use super::address::{Refusal, nowhere};
use super::guard::BadLink;
use super::site::SiteError;

/// Sentences for the author of a scene. They name the host but never the whole link, which may carry a signature.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    #[error(transparent)]
    Link(#[from] BadLink),
    #[error(transparent)]
    Site(#[from] SiteError),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("{}", nowhere(host))]
    NoSuchHost { host: String },
    #[error("`{host}` cannot be reached: {why}")]
    Unreachable { host: String, why: String },
    #[error("`{host}` answered with status {status} instead of the file")]
    Status { host: String, status: u16 },
    #[error("`{host}` redirects more than {most} times")]
    TooManyRedirects { host: String, most: u32 },
    #[error("`{host}` redirects without saying where to")]
    LostRedirect { host: String },
    #[error("the redirect of `{host}` cannot be followed: {why}")]
    BadRedirect { host: String, why: BadLink },
    #[error("the file from `{host}` is empty")]
    Empty { host: String },
    #[error("the file from `{host}` is larger than {} MB", .most_bytes / 1_000_000)]
    TooLarge { host: String, most_bytes: u64 },
    #[error("the file from `{host}` broke off after {bytes} bytes")]
    BrokeOff { host: String, bytes: u64 },
    #[error("fetching from `{host}` took longer than {} s", .limit.as_secs_f32())]
    TooSlow { host: String, limit: Duration },
    #[error("`{host}` sent nothing for {} s", .limit.as_secs_f32())]
    Stalled { host: String, limit: Duration },
    #[error("nobody waits for the file any more")]
    GivenUp,
    /// Ours to mend, not the author's.
    #[error("the asset cache cannot be written: {0}")]
    Cache(String),
}

impl FetchError {
    /// Whether the same link may well work a little later.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::BrokeOff { .. } | Self::TooSlow { .. } | Self::Stalled { .. } => true,
            Self::Status { status, .. } => matches!(status, 408 | 425 | 429 | 500..=599),
            _ => false,
        }
    }
}
