//! The archive that a PPTX is, and how its parts find each other. Runs inside the sandbox.
//!
//! What is not in the archive is never looked for: a relation with `TargetMode="External"` leads nowhere.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::xml::{self, Node};

/// Parts that are read as text.
const LARGEST_PART: u64 = 48 << 20;
/// Everything that an archive may unpack to. Decks with films are large; a bomb is larger.
const LARGEST_WHOLE: u64 = 2 << 30;
const MOST_PARTS: usize = 50_000;

pub(crate) struct Package<R> {
    archive: ZipArchive<R>,
    /// Bytes that may still be unpacked.
    left: u64,
}

/// What is wrong with a package.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Trouble {
    Damaged(String),
    TooLarge(String),
}

impl From<zip::result::ZipError> for Trouble {
    fn from(error: zip::result::ZipError) -> Self {
        Self::Damaged(format!("the archive is broken ({error})"))
    }
}

pub(crate) type Found<T> = Result<T, Trouble>;

/// A relation of a part to another.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Relation {
    /// The last word of its type: `slide`, `notesSlide`, `image`.
    pub(crate) kind: String,
    /// The other part, from the root of the package.
    pub(crate) part: String,
}

impl<R: Read + Seek> Package<R> {
    pub(crate) fn open(file: R) -> Found<Self> {
        let archive = ZipArchive::new(file)?;
        if archive.len() > MOST_PARTS {
            return Err(Trouble::TooLarge(format!("has {} parts; at most {MOST_PARTS} are read", archive.len())));
        }
        let whole = archive.decompressed_size().unwrap_or(0);
        if whole > u128::from(LARGEST_WHOLE) {
            let gigabytes = whole as f64 / 1e9;
            return Err(Trouble::TooLarge(format!("unpacks to {gigabytes:.1} GB; at most 2 GB are read")));
        }
        Ok(Self { archive, left: 256 << 20 })
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.archive.file_names().flatten().map(Cow::into_owned).collect()
    }

    /// The bytes of a part; nothing if there is none of that name.
    pub(crate) fn bytes(&mut self, part: &str) -> Found<Option<Vec<u8>>> {
        let limit = LARGEST_PART.min(self.left);
        let file = match self.archive.by_name(part) {
            Ok(file) => file,
            Err(zip::result::ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(Trouble::Damaged(format!("`{part}` cannot be unpacked ({error})"))),
        };
        let mut bytes = Vec::new();
        // What the archive says about sizes is not believed.
        let read = file.take(limit + 1).read_to_end(&mut bytes);
        read.map_err(|error| Trouble::Damaged(format!("`{part}` cannot be unpacked ({error})")))?;
        if bytes.len() as u64 > limit {
            return Err(Trouble::TooLarge(format!("`{part}` unpacks to more than any presentation needs")));
        }
        self.left -= bytes.len() as u64;
        Ok(Some(bytes))
    }

    /// A part as it is, into a file.
    pub(crate) fn pour(&mut self, part: &str, to: &mut File, most: u64) -> Found<()> {
        let broken = |why: String| Trouble::Damaged(format!("`{part}` cannot be unpacked ({why})"));
        let file = self.archive.by_name(part).map_err(|error| broken(error.to_string()))?;
        let copied = std::io::copy(&mut file.take(most + 1), to).map_err(|error| broken(error.to_string()))?;
        if copied > most {
            return Err(Trouble::TooLarge(format!("`{part}` unpacks to more than is taken")));
        }
        Ok(())
    }

    pub(crate) fn tree(&mut self, part: &str) -> Found<Option<Node>> {
        let Some(bytes) = self.bytes(part)? else { return Ok(None) };
        let tree = xml::parse(&bytes).map_err(|why| Trouble::Damaged(format!("`{part}` {why}")))?;
        Ok(Some(tree))
    }

    /// Addresses outside the package to which a part leads, by id.
    pub(crate) fn outside(&mut self, of: &str) -> Found<BTreeMap<String, String>> {
        let Some(tree) = self.tree(&beside(of))? else { return Ok(BTreeMap::new()) };
        let outside = tree.nodes().filter(|node| node.attr("TargetMode") == Some("External"));
        let named = outside.filter_map(|node| Some((node.attr("Id")?.to_owned(), node.attr("Target")?.to_owned())));
        Ok(named.collect())
    }

    /// The relations of a part, by id. Those that lead out of the package are left out.
    pub(crate) fn relations(&mut self, of: &str) -> Found<BTreeMap<String, Relation>> {
        let folder = of.rsplit_once('/').map_or("", |(folder, _)| folder);
        let Some(tree) = self.tree(&beside(of))? else { return Ok(BTreeMap::new()) };
        let relation = |node: &Node| {
            if node.attr("TargetMode") == Some("External") {
                return None;
            }
            let kind = node.attr("Type")?.rsplit('/').next()?.to_owned();
            let part = joined(folder, node.attr("Target")?)?;
            Some((node.attr("Id")?.to_owned(), Relation { kind, part }))
        };
        Ok(tree.nodes().filter_map(relation).collect())
    }
}

/// Where the relations of a part are written down.
pub(crate) fn beside(part: &str) -> String {
    let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
    if folder.is_empty() { format!("_rels/{name}.rels") } else { format!("{folder}/_rels/{name}.rels") }
}

/// A target as it is written, from the root of the package; nothing if it climbs out.
fn joined(folder: &str, target: &str) -> Option<String> {
    let (base, target) = match target.strip_prefix('/') {
        Some(absolute) => ("", absolute),
        None => (folder, target),
    };
    let mut steps: Vec<&str> = Vec::new();
    for step in base.split('/').chain(target.split('/')) {
        match step {
            "" | "." => (),
            ".." => {
                steps.pop()?;
            }
            step => steps.push(step),
        }
    }
    Some(steps.join("/"))
}

/// A copy of an archive in which some parts say something else and others are new.
pub(crate) fn copy(from: File, to: &Path, changed: &BTreeMap<String, String>, added: &[(String, String)]) -> Found<()> {
    let mut from = ZipArchive::new(from)?;
    let broken = |error: std::io::Error| Trouble::Damaged(error.to_string());
    let mut copy = ZipWriter::new(File::create(to).map_err(broken)?);
    let write = |copy: &mut ZipWriter<File>, name: &str, text: &str| -> Found<()> {
        copy.start_file(name, SimpleFileOptions::default())?;
        copy.write_all(text.as_bytes()).map_err(broken)
    };
    for at in 0..from.len() {
        let file = from.by_index_raw(at)?;
        let name = file.name().map(Cow::into_owned).unwrap_or_default();
        match changed.get(&name) {
            Some(text) => write(&mut copy, &name, text)?,
            None => copy.raw_copy_file(file)?,
        }
    }
    for (name, text) in added {
        write(&mut copy, name, text)?;
    }
    copy.finish()?.sync_all().map_err(broken)
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn targets_stay_in_the_package() {
        assert_eq!(joined("ppt/slides", "../media/a.png").as_deref(), Some("ppt/media/a.png"));
        assert_eq!(joined("ppt/slides", "/ppt/media/a.png").as_deref(), Some("ppt/media/a.png"));
        assert_eq!(joined("", "ppt/presentation.xml").as_deref(), Some("ppt/presentation.xml"));
        assert_eq!(joined("ppt", "../../etc/passwd"), None);
    }
}
