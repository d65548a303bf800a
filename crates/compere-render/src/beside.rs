//! The owner of files that are made from voices' published ones and kept beside them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use compere_speech::Derived;

/// Keeps what is derived from a file in the file's own folder. A folder that cannot be written to costs the time of
/// deriving it at every start, nothing else.
#[derive(Clone, Copy, Debug)]
pub struct BesideSource;

impl Derived for BesideSource {
    fn get(&self, source: &Path, name: &str) -> Option<Vec<u8>> {
        let kept = source.with_file_name(name);
        let changed = |path: &Path| fs::metadata(path).and_then(|meta| meta.modified()).ok();
        if changed(&kept)? < changed(source)? {
            return None;
        }
        fs::read(kept).ok()
    }

    fn put(&self, source: &Path, family: &str, name: &str, bytes: &[u8]) {
        let (Some(folder), kept) = (source.parent(), source.with_file_name(name)) else { return };
        // Whatever fails here is tried again when the next process starts.
        if written(folder, &kept, bytes).is_ok() {
            forget_older(folder, family, &kept);
        }
    }
}

/// Renamed into place, so that another process never reads half of it.
fn written(folder: &Path, kept: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut beside = tempfile::Builder::new().prefix(".part-").tempfile_in(folder)?;
    beside.write_all(bytes)?;
    readable_by_all(beside.as_file())?;
    beside.persist(kept).map_err(|error| error.error)?;
    Ok(())
}

/// Temporary files are private; this one may be read by whoever may read the assets.
fn readable_by_all(file: &fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

/// What earlier versions left, ninety megabytes each.
fn forget_older(folder: &Path, family: &str, kept: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let same_family = |path: &PathBuf| {
        let (name, ending) = (path.file_name().map(|name| name.to_string_lossy()), path.extension());
        ending == kept.extension() && name.is_some_and(|name| name.starts_with(family))
    };
    for path in entries.map(|entry| entry.path()).filter(same_family).filter(|path| path != kept) {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_until_its_source_changes() {
        let dir = tempfile::tempdir().unwrap();
        let source = dir.path().join("model.onnx");
        fs::write(&source, "published").unwrap();
        fs::write(dir.path().join("patched-1.onnx"), "of an earlier version").unwrap();
        fs::write(dir.path().join("patched-notes.txt"), "the operator's").unwrap();
        assert_eq!(BesideSource.get(&source, "patched-2.onnx"), None);
        BesideSource.put(&source, "patched-", "patched-2.onnx", b"derived");
        assert_eq!(BesideSource.get(&source, "patched-2.onnx").as_deref(), Some(&b"derived"[..]));
        let mut left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["model.onnx", "patched-2.onnx", "patched-notes.txt"]);
        let later = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1 << 33);
        fs::File::options().write(true).open(&source).unwrap().set_modified(later).unwrap();
        assert_eq!(BesideSource.get(&source, "patched-2.onnx"), None, "the source is newer");
    }

    #[test]
    fn a_folder_that_takes_nothing_is_no_trouble() {
        BesideSource.put(Path::new("/nowhere/model.onnx"), "patched-", "patched-2.onnx", b"derived");
        assert_eq!(BesideSource.get(Path::new("/nowhere/model.onnx"), "patched-2.onnx"), None);
    }
}
