//! The data folder is nobody else's: it holds keys that sign links, and the films of all accounts.
//!
//! Everything is made for its owner only ([`make_private`] is called before anything is written). What an older version
//! or a careless copy left open is shut at the next start ([`shut`]) and told of: until then it could be read.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// What group and others may do: nothing.
const OTHERS: u32 = 0o077;

/// From here on this process and its children make files for their owner only.
pub fn make_private() {
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(OTHERS));
}

/// What was found open.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Shut {
    pub repaired: Vec<PathBuf>,
    /// What stayed open, and why.
    pub failed: Vec<String>,
}

/// Makes a folder that only its owner can look into, or shuts one that others could: everything in it where the folder
/// itself was open, else what lies directly in it.
pub fn shut(folder: &Path) -> io::Result<Shut> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let mut told = Shut::default();
    let was_open = fs::metadata(folder)?.permissions().mode() & OTHERS != 0;
    close(folder, &mut told);
    // An open folder with nothing in it gave nothing away.
    if fs::read_dir(folder)?.next().is_none() {
        told.repaired.clear();
        return Ok(told);
    }
    let mut folders = vec![folder.to_owned()];
    while let Some(inside) = folders.pop() {
        for entry in fs::read_dir(&inside)?.flatten() {
            // What a link leads to is not ours to judge, and what went meanwhile is not there.
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_symlink() {
                continue;
            }
            close(&entry.path(), &mut told);
            if kind.is_dir() && was_open {
                folders.push(entry.path());
            }
        }
    }
    Ok(told)
}

/// Whether others could look into a folder or read a file.
pub fn is_open(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.permissions().mode() & OTHERS != 0)
}

fn close(path: &Path, told: &mut Shut) {
    let Ok(meta) = fs::metadata(path) else { return };
    let mode = meta.permissions().mode();
    if mode & OTHERS == 0 {
        return;
    }
    match fs::set_permissions(path, Permissions::from_mode(mode & 0o7777 & !OTHERS)) {
        Ok(()) => told.repaired.push(path.to_owned()),
        Err(error) => told.failed.push(format!("{}: {error}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_open_is_shut_and_told() {
        let dir = tempfile::tempdir().expect("a folder");
        let data = dir.path().join("data");
        assert_eq!(shut(&data).expect("makes it"), Shut::default());
        assert!(!is_open(&data));
        fs::create_dir_all(data.join("objects/a")).expect("folders");
        fs::write(data.join("objects/a/film"), "x").expect("a file");
        for (path, mode) in [("", 0o755), ("objects", 0o755), ("objects/a", 0o755), ("objects/a/film", 0o644)] {
            fs::set_permissions(data.join(path), Permissions::from_mode(mode)).expect("a mode");
        }
        std::os::unix::fs::symlink("/etc/passwd", data.join("link")).expect("a link");
        let told = shut(&data).expect("shuts it");
        assert_eq!((told.repaired.len(), told.failed.as_slice()), (4, &[][..]), "{told:?}");
        for path in ["", "objects", "objects/a", "objects/a/film"] {
            assert!(!is_open(&data.join(path)), "{path}");
        }
        assert_eq!(shut(&data).expect("is shut"), Shut::default());
        let empty = dir.path().join("empty");
        fs::create_dir(&empty).expect("a folder");
        fs::set_permissions(&empty, Permissions::from_mode(0o755)).expect("a mode");
        assert_eq!(shut(&empty).expect("shuts it"), Shut::default());
        assert!(!is_open(&empty));
    }
}
