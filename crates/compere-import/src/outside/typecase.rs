//! What the office program has to set with: fonts of this machine, and what lies beside them for one presentation.

use std::path::{Path, PathBuf};

use crate::inside::fonts::file_name;
use crate::twin::{self, Installed};

/// Beside the configuration that names it.
const FOLDER: &str = "fonts";

/// What the office program is told of fonts.
pub(crate) struct Fonts {
    configuration: String,
    files: Vec<PathBuf>,
}

impl Fonts {
    /// Of this machine, and files beside.
    pub(crate) fn new(installed: &Installed, files: Vec<PathBuf>) -> Self {
        let beside = (!files.is_empty()).then_some(FOLDER);
        Self { configuration: twin::configuration(installed, beside), files }
    }

    /// Puts down all of it in a folder, and the configuration under this name.
    pub(crate) fn lay(&self, folder: &Path, configuration: &Path) -> std::io::Result<()> {
        std::fs::write(configuration, &self.configuration)?;
        if self.files.is_empty() {
            return Ok(());
        }
        let beside = folder.join(FOLDER);
        std::fs::create_dir(&beside)?;
        self.files.iter().zip(1..).try_for_each(|(file, at)| std::fs::copy(file, beside.join(file_name(at))).map(drop))
    }
}
