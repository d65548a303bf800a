//! Files that someone sent, before a child looks at them.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::{MediaError, MediaErrorKind};

/// The first bytes of a file.
pub(crate) fn head_of(path: &Path) -> Result<Vec<u8>, MediaError> {
    let mut head = Vec::new();
    let read = open_file(path)?.take(4096).read_to_end(&mut head);
    read.map_err(|error| MediaError::io("could not be read", &error))?;
    Ok(head)
}

/// Opens a file that is one; opening a pipe would wait for its writer.
pub(crate) fn open_file(path: &Path) -> Result<File, MediaError> {
    let missing = |error| MediaError::new(MediaErrorKind::Missing, format!("could not be opened: {error}"));
    if !std::fs::metadata(path).map_err(missing)?.is_file() {
        return Err(MediaError::new(MediaErrorKind::Missing, "is a folder or a device, not a file"));
    }
    File::open(path).map_err(missing)
}
