//! Chapters as a track of texts, as QuickTime, iOS and most editors look for them. Its samples lie behind all pictures.

use compere_media::SAMPLE_RATE;

use super::Chapter;
use super::boxes::{Fields, boxed, full, nested};
use super::tracks::{edit, mdia, offsets, stsd, stsz, tkhd};

/// Behind pictures and sound; the film's pictures name it by this.
pub(super) const TRACK: u32 = 3;

/// A text for all of the film's time.
#[derive(Debug, Default)]
pub(super) struct Titles {
    /// Texts back to back, as they lie in the file.
    pub(super) bytes: Vec<u8>,
    sizes: Vec<u32>,
    /// How long each is shown, in samples of sound.
    lengths: Vec<u32>,
}

impl Titles {
    /// None of a film without chapters.
    pub(super) fn new(chapters: &[Chapter<'_>], shown: u32) -> Self {
        let mut titles = Self::default();
        let starts = chapters.iter().map(|chapter| u32::try_from(chapter.start).unwrap_or(shown).min(shown));
        let starts: Vec<u32> = starts.collect();
        // Time before the first has no title.
        if let Some(&before) = starts.first().filter(|first| **first > 0) {
            titles.put("", before);
        }
        for (at, chapter) in chapters.iter().enumerate() {
            let end = starts.get(at + 1).copied().unwrap_or(shown);
            // What begins with the next one, or behind the end, is shown for no time.
            if end > starts[at] {
                titles.put(chapter.title, end - starts[at]);
            }
        }
        titles
    }

    fn put(&mut self, title: &str, length: u32) {
        let end = (0..=title.len().min(usize::from(u16::MAX))).rev().find(|&at| title.is_char_boundary(at));
        let title = &title[..end.unwrap_or(0)];
        // It is UTF-8.
        let encoding = boxed(b"encd", &Fields::new().u32(0x100).done());
        let sample = Fields::new().u16(title.len() as u16).bytes(title.as_bytes()).bytes(&encoding).done();
        self.sizes.push(sample.len() as u32);
        self.lengths.push(length);
        self.bytes.extend(sample);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// The track, when the first text lies at `at`.
    pub(super) fn track(&self, shown: u32, at: u64, wide: bool) -> Vec<u8> {
        let count = self.sizes.len() as u32;
        let mut stts = Fields::new().u32(count);
        for length in &self.lengths {
            stts = stts.u32(1).u32(*length);
        }
        let stbl = nested(
            b"stbl",
            &[
                stsd(&entry()),
                full(b"stts", 0, 0, &stts.done()),
                full(b"stsc", 0, 0, &Fields::new().u32(1).u32(1).u32(count).u32(1).done()),
                stsz(self.sizes.iter().copied()),
                offsets(&[(count, at)], wide),
            ],
        );
        let mdia = mdia(b"text", "ChapterHandler", SAMPLE_RATE, shown, general(), stbl);
        // Not switched on: nobody wants to see it as a subtitle.
        nested(b"trak", &[tkhd(TRACK, 0, shown, (0, 0)), edit(shown, 0), mdia])
    }
}

/// Plain text of QuickTime, without a look of its own.
fn entry() -> Vec<u8> {
    boxed(b"text", &Fields::new().zeros(6).u16(1).u32(0).u32(1).zeros(35).u8(0).done())
}

/// The head of a track that is neither picture nor sound. QuickTime wants the second box; its numbers are those of all files.
fn general() -> Vec<u8> {
    let gmin = Fields::new().u16(0x40).u16(0x8000).u16(0x8000).u16(0x8000).u16(0).u16(0).done();
    let text = Fields::new().u16(1).zeros(12).u32(1).zeros(12).u32(0x4000).u16(0).done();
    nested(b"gmhd", &[full(b"gmin", 0, 0, &gmin), boxed(b"text", &text)])
}
