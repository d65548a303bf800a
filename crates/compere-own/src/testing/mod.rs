//! What tests of several rooms need.

#![allow(clippy::disallowed_methods, reason = "tests find, write and read their files")]

pub(crate) mod scene;

use std::path::PathBuf;

/// What the set-up fetched.
pub(crate) fn assets() -> PathBuf {
    std::env::var_os("COMPERE_ASSETS")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets")), PathBuf::from)
}
