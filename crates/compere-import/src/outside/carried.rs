//! Fonts that a presentation carries: the office program may use them for it, and nobody else does.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use compere_codec::sandbox::{Errand, Limits as ErrandLimits};

use super::fonts;
use super::work::{Stopped, Work};
use crate::inside::FONTS_OF_DECK;
use crate::inside::fonts::{Carried, Fate, file_name};
use crate::twin::Installed;
use crate::{ImportError, Progress, Warning};

const LARGEST_FILE: u64 = 32 << 20;

/// The fonts of a presentation that may be used; their families are as good as installed then.
pub(crate) fn take(
    work: &Work<'_>,
    file: &Path,
    scratch: &Path,
    installed: &mut Installed,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<PathBuf>, ImportError> {
    let making = |error: std::io::Error| ImportError::io("make a working folder", &error);
    let folder = tempfile::tempdir_in(scratch).map_err(making)?.keep();
    let carried = unpacked(work, file, &folder)?;
    let written = carried.iter().filter_map(|font| match font.fate {
        Fate::Written(number) => Some(folder.join(file_name(number))),
        _ => None,
    });
    // Whoever wrote them may have been taken over: only true files are copied.
    let is_file = |path: &PathBuf| path.symlink_metadata().is_ok_and(|found| found.is_file());
    let files: Vec<PathBuf> = written.filter(is_file).collect();
    let families = fonts::of_files(work, &files)?;
    let usable = |font: &&Carried| families.contains(&font.family.to_lowercase());
    let mut told = BTreeSet::new();
    for font in carried.iter().filter(|font| !usable(font)) {
        if told.insert(&font.family) {
            let why = why_not(&font.fate);
            let message = format!("font “{}”, which the presentation carries, is not used: {why}", font.family);
            warnings.push(Warning::of_document(message));
        }
    }
    let files = if families.is_empty() { vec![] } else { files };
    installed.extend(families);
    Ok(files)
}

fn why_not(fate: &Fate) -> &'static str {
    match fate {
        Fate::Forbidden => "its maker forbids it",
        Fate::Written(_) | Fate::Damaged => "it is damaged or has another name",
    }
}

fn unpacked(work: &Work<'_>, file: &Path, folder: &Path) -> Result<Vec<Carried>, ImportError> {
    let limits = ErrandLimits { wall: 30, cpu: 20, output: 1 << 20, ..ErrandLimits::SMALL };
    let errand = Errand::helper(FONTS_OF_DECK, limits).input(file).arg(folder).scratch(folder, LARGEST_FILE);
    match work.run(&errand, Progress::Looking) {
        Ok(output) => {
            let answer: Option<Result<Vec<Carried>, String>> = serde_json::from_slice(&output.stdout).ok();
            Ok(answer.and_then(Result::ok).unwrap_or_default())
        }
        Err(Stopped::Import(error)) => Err(error),
        // A deck without its fonts is better than none.
        Err(Stopped::Child(_)) => Ok(vec![]),
    }
}
