//! The worker's end of a film that is watched while it is made: files in its folder, each told of when it is whole.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use compere_render::Screen;

use super::mouth::Mouth;
use super::protocol::FromWorker;

/// Where pieces of a film leave the worker.
pub(super) struct Front<'a> {
    mouth: &'a Mouth,
    dir: PathBuf,
    /// Every file has a name of its own: a playlist may be written again before the last one is taken away.
    next: AtomicU64,
    lost: AtomicBool,
}

impl<'a> Front<'a> {
    pub(super) fn new(mouth: &'a Mouth, dir: PathBuf) -> Self {
        Self { mouth, dir, next: AtomicU64::new(0), lost: AtomicBool::new(false) }
    }

    /// Whether all that there was to show was shown.
    pub(super) fn played(&self) -> bool {
        !self.lost.load(Ordering::Relaxed)
    }
}

impl Screen for Front<'_> {
    fn show(&self, name: &str, bytes: &[u8]) {
        if self.lost.load(Ordering::Relaxed) {
            return;
        }
        let file = self.dir.join(self.next.fetch_add(1, Ordering::Relaxed).to_string());
        match written(&self.dir, &file, bytes) {
            Ok(()) => self.mouth.tell(&FromWorker::Shown { name: name.to_owned(), file }),
            Err(error) => self.lost(&error.to_string()),
        }
    }

    fn lost(&self, why: &str) {
        self.lost.store(true, Ordering::Relaxed);
        tracing::warn!(why, "a film cannot be watched while it is made");
    }
}

fn written(dir: &Path, file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    std::fs::create_dir_all(dir)?;
    std::fs::write(file, bytes)
}
