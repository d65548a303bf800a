//! A Word document as what it says, read by a child.

use std::path::{Path, PathBuf};

use compere_codec::Sandbox;
use compere_codec::sandbox::{Errand, Limits as ErrandLimits};

use super::work::{Stopped, Work};
use crate::inside::word::Block;
use crate::inside::{READ_WORD, Told};
use crate::{ImportError, Limits, Progress, Watch};

/// All pictures of a document together.
const LARGEST_FILE: u64 = 512 << 20;

/// What a document says, in its order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    pub title: Option<String>,
    pub blocks: Vec<DocumentBlock>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum DocumentBlock {
    /// 0 is the title in the text, 6 the deepest.
    Heading(u8, String),
    Paragraph(String),
    Point(String),
    /// PNG, JPEG or GIF by its first bytes, and what is said of it.
    Picture(PathBuf, String),
}

/// Reads a Word document; none where the file is something else. Its pictures go into the folder `out`, which exists.
pub fn read_document(
    file: &Path,
    out: &Path,
    limits: Limits,
    sandbox: &Sandbox,
    watch: &Watch<'_>,
) -> Result<Option<Document>, ImportError> {
    let work = Work::new(sandbox, limits, watch);
    let child = ErrandLimits { wall: 60, cpu: 30, output: 64 << 20, ..ErrandLimits::SMALL };
    let errand = Errand::helper(READ_WORD, child).input(file).arg(out).scratch(out, LARGEST_FILE);
    let output = match work.run(&errand, Progress::Looking) {
        Ok(output) => output,
        Err(Stopped::Import(error)) => return Err(error),
        Err(stopped) => return Err(stopped.about("The document")),
    };
    let told: Told = serde_json::from_slice(&output.stdout)
        .map_err(|_| ImportError::unreadable("The document is damaged: it cannot be read to its end."))?;
    match told {
        Told::Other => Ok(None),
        Told::Damaged(why) => {
            Err(ImportError::unreadable(format!("The document is damaged or cut off: {why}. Save or upload it again.")))
        }
        Told::TooLarge(why) => Err(ImportError::unreadable(format!("The document cannot be taken: it {why}."))),
        Told::Word(writing) => {
            let blocks = writing.blocks.into_iter().filter_map(|block| believed(block, out));
            Ok(Some(Document { title: writing.title, blocks: blocks.collect() }))
        }
    }
}

/// A picture is a plain file of the folder, whatever the child calls it.
fn believed(block: Block, out: &Path) -> Option<DocumentBlock> {
    Some(match block {
        Block::Heading(level, text) => DocumentBlock::Heading(level.min(6), text),
        Block::Paragraph(text) => DocumentBlock::Paragraph(text),
        Block::Point(text) => DocumentBlock::Point(text),
        Block::Picture(name, says) => {
            let plain = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'.');
            let path = out.join(&name);
            let is_file = std::fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file());
            if !plain || !is_file {
                return None;
            }
            DocumentBlock::Picture(path, says)
        }
    })
}
