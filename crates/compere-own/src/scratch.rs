//! Where pictures that came inside something else lie for as long as the decoder's children look at them.
#![expect(clippy::disallowed_methods, reason = "decoders take files, and these go as soon as they are decoded")]

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::OwnError;

/// A folder for pictures on their way to the codec's children, gone with this.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Result<Self, OwnError> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("compere-picture-{}-{n}", std::process::id()));
        fs::create_dir(&folder).map_err(OwnError::machine)?;
        Ok(Self(folder))
    }

    /// A file with these bytes, in place of the one before.
    pub(crate) fn holding(&self, bytes: &[u8]) -> Result<PathBuf, OwnError> {
        let path = self.0.join("picture");
        fs::write(&path, bytes).map_err(OwnError::machine)?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
