//! What tests of one program need again and again and look at nowhere: presenters baked, sentences spoken, footage drawn. It
//! is made by whoever needs it first, and gone with the program that made it.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

const FOLDER: &str = "kept-";

/// A data folder that all tests of this program share (`tests/dashboard/service.mjs` finds the same).
pub fn data() -> &'static Path {
    static KEPT: OnceLock<PathBuf> = OnceLock::new();
    KEPT.get_or_init(|| {
        let program = std::fs::metadata(env!("CARGO_BIN_EXE_compere")).expect("the program");
        let made = program.modified().expect("a time").duration_since(UNIX_EPOCH).expect("after 1970");
        let parent = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let own = format!("{FOLDER}{}-{}", program.len(), made.as_secs());
        for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if name.to_str().is_some_and(|name| name.starts_with(FOLDER) && name != own) {
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
        let kept = parent.join(own);
        std::fs::create_dir_all(&kept).expect("a folder");
        kept
    })
}
