//! One service for one data folder.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::Path;

use rustix::fs::{FlockOperation, flock};

/// Held for as long as the value lives; the system lets go of it however the process ends.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Lock {
    pub fn take(data: &Path) -> Result<Self, String> {
        std::fs::create_dir_all(data).map_err(|error| format!("{}: {error}", data.display()))?;
        let path = data.join("compere.lock");
        let at = |error: std::io::Error| format!("{}: {error}", path.display());
        let mut file = File::options().create(true).read(true).write(true).truncate(false).open(&path).map_err(at)?;
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            let mut holder = String::new();
            let _ = file.read_to_string(&mut holder);
            return Err(format!(
                "another compere (process {}) serves {} already. One data folder has one service; to use more machines, \
                 give each a data folder of its own or put them behind PostgreSQL and S3 with the scale-out engine (see \
                 docs/operations.md)",
                holder.lines().next().unwrap_or_default(),
                data.display()
            ));
        }
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| write!(file, "{}", std::process::id()))
            .map_err(at)?;
        Ok(Self { file })
    }

    /// Leaves the address where others look for it, below the process that holds the lock.
    pub fn tell(&mut self, address: &str) {
        // Only convenience depends on it.
        let _ = writeln!(self.file, "\n{address}");
    }
}
