//! Files that arrive, streamed to disk: nothing of any size is held in memory.

use std::path::Path;

use compere_house::settings::Megabytes;
use compere_office::Refusal;
use tempfile::NamedTempFile;
use tokio::io::AsyncWriteExt;

/// Writes what comes into a file, as long as it is not too much.
#[derive(Debug)]
pub struct Sink {
    file: NamedTempFile,
    out: tokio::fs::File,
    size: u64,
    most: Megabytes,
}

impl Sink {
    pub fn new(dir: &Path, most: Megabytes) -> Result<Self, Refusal> {
        std::fs::create_dir_all(dir).map_err(Refusal::inside)?;
        let file = NamedTempFile::new_in(dir).map_err(Refusal::inside)?;
        let out = tokio::fs::File::from_std(file.reopen().map_err(Refusal::inside)?);
        Ok(Self { file, out, size: 0, most })
    }

    pub async fn take(&mut self, chunk: &[u8]) -> Result<(), Refusal> {
        self.size += chunk.len() as u64;
        if self.size > self.most.bytes() {
            return Err(Refusal::TooLarge { what: "files", most: self.most });
        }
        self.out.write_all(chunk).await.map_err(Refusal::inside)
    }

    /// The file and its size.
    pub async fn done(mut self) -> Result<(NamedTempFile, u64), Refusal> {
        self.out.flush().await.map_err(Refusal::inside)?;
        Ok((self.file, self.size))
    }
}

/// A file's name without folders and control characters.
pub fn bare(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    last.chars().filter(|c| !c.is_control()).take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_folders() {
        assert_eq!(bare("C:\\secret\\a.pdf"), "a.pdf");
        assert_eq!(bare("../../etc/passwd"), "passwd");
        assert_eq!(bare("a\r\nb.png"), "ab.png");
    }
}
