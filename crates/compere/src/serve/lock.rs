//! One service for one data folder.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};

/// A service that was killed while it started a worker leaves its lock with that child for a moment.
const PATIENCE: Duration = Duration::from_secs(3);

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
        let started = Instant::now();
        while flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            if started.elapsed() < PATIENCE {
                std::thread::sleep(PATIENCE / 30);
                continue;
            }
            let mut holder = String::new();
            let _ = file.read_to_string(&mut holder);
            return Err(format!(
                "another compere (process {}) serves {} already. One data folder has one service: stop the other one, or \
                 give this one a data folder, a database and an object store of its own",
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

    /// Where the service that holds the folder is reached, if one does.
    pub fn address(data: &Path) -> Option<String> {
        let mut file = File::open(data.join("compere.lock")).ok()?;
        // What nobody holds was left by one that has ended.
        if flock(&file, FlockOperation::NonBlockingLockShared).is_ok() {
            return None;
        }
        let mut text = String::new();
        file.read_to_string(&mut text).ok()?;
        text.lines().nth(1).map(str::to_owned)
    }

    /// Leaves the address where others look for it, below the process that holds the lock.
    pub fn tell(&mut self, address: &str) {
        // Only convenience depends on it.
        let _ = writeln!(self.file, "\n{address}");
    }
}
