//! Films as MP4 files.
//!
//! Own code, because a film needs a few boxes and every byte of them right: H.264 with parameter sets out of band,
//! AAC whose priming an edit list hides, colour told twice (here and in the stream), `moov` before the pictures, no clock
//! anywhere. The same tracks always give the same bytes.
//!
//! Pictures and sound alternate in chunks of a second. Nothing but the tables (about 20 bytes a frame) is held in memory.
//! Absent: pictures out of order, several tracks of a kind. What is watched while it is made comes in [`fragments`].

mod boxes;
pub mod fragments;
mod look;
mod titles;
mod tracks;

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use compere_media::{FRAME_RATE, SAMPLE_RATE};

use crate::MediaError;
use crate::aac::{self, AacTrack};
use crate::h264::{FrameEntry, ParameterSets, Segment};
pub use look::{Looked, look};

use boxes::{Fields, UPRIGHT, boxed, full, nested};
use titles::Titles;
use tracks::{Chunk, Layout};

/// The pictures of a film.
pub struct VideoTrack<'a> {
    pub parameter_sets: ParameterSets,
    pub width: u32,
    pub height: u32,
    pub frames: Vec<FrameEntry>,
    /// All frames back to back, as [`Segment::data`] holds them.
    pub data: Box<dyn Read + 'a>,
}

impl std::fmt::Debug for VideoTrack<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "VideoTrack({}x{}, {} frames)", self.width, self.height, self.frames.len())
    }
}

impl VideoTrack<'static> {
    /// Joins segment files. Each is read twice, never two at a time: once for the tables, once for its frames.
    pub fn of_segment_files(paths: Vec<PathBuf>, width: u32, height: u32) -> Result<Self, MediaError> {
        let mut frames = Vec::new();
        let mut parameter_sets: Option<ParameterSets> = None;
        for path in &paths {
            let segment = read_segment(path)?;
            frames.extend_from_slice(&segment.frames);
            let first = parameter_sets.get_or_insert_with(|| segment.parameter_sets.clone());
            if *first != segment.parameter_sets {
                return Err(MediaError::machine("segments of one film were encoded with different settings"));
            }
        }
        let Some(parameter_sets) = parameter_sets else {
            return Err(MediaError::machine("a film needs at least one segment"));
        };
        let data = Box::new(SegmentData { waiting: paths.into_iter(), current: std::io::Cursor::new(vec![]) });
        Ok(Self { parameter_sets, width, height, frames, data })
    }
}

fn read_segment(path: &Path) -> Result<Segment, MediaError> {
    let file = File::open(path).map_err(|error| MediaError::io("could not open a segment", &error))?;
    Segment::read_from(BufReader::new(file)).map_err(|error| MediaError::machine(error.to_string()))
}

/// The frames of segment files, one after the other.
struct SegmentData {
    waiting: std::vec::IntoIter<PathBuf>,
    current: std::io::Cursor<Vec<u8>>,
}

impl Read for SegmentData {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        loop {
            let n = self.current.read(buffer)?;
            if n > 0 || buffer.is_empty() {
                return Ok(n);
            }
            let Some(path) = self.waiting.next() else { return Ok(0) };
            self.current = std::io::Cursor::new(read_segment(&path).map_err(std::io::Error::other)?.data);
        }
    }
}

/// Writes the film to `to`: first beside it, then in its place, so that nobody ever sees half a film.
#[expect(clippy::disallowed_methods, reason = "the film's file, where the caller wants it")]
pub fn write<'a>(
    to: &Path,
    video: VideoTrack<'_>,
    sound: Option<&AacTrack>,
    labels: impl Into<Labels<'a>>,
) -> Result<(), MediaError> {
    let mut beside = to.as_os_str().to_owned();
    beside.push(".part");
    let beside = PathBuf::from(beside);
    let written = write_file(&beside, video, sound, &labels.into())
        .and_then(|()| std::fs::rename(&beside, to).map_err(|error| MediaError::io("could not name the film", &error)));
    if written.is_err() {
        // Whatever stands in the way of removing it, the first failure is the one to tell.
        let _ = std::fs::remove_file(&beside);
    }
    written
}

#[expect(clippy::disallowed_methods, reason = "the film itself, where the renderer names it")]
fn write_file(
    to: &Path,
    video: VideoTrack<'_>,
    sound: Option<&AacTrack>,
    labels: &Labels<'_>,
) -> Result<(), MediaError> {
    if video.frames.first().is_none_or(|frame| !frame.key) {
        return Err(MediaError::machine("a film begins with a key frame"));
    }
    let failed = |error| MediaError::io("could not write the film", &error);
    let mut out = BufWriter::with_capacity(1 << 20, File::create(to).map_err(failed)?);
    let layout = Layout::new(&video.frames, sound);
    let titles = Titles::new(&labels.chapters, shown(&video)?);
    out.write_all(&head(&video, sound, labels, (&layout, &titles))?).map_err(failed)?;
    let mut frames = video.data;
    let mut sounds: Box<dyn Read> = match sound {
        Some(track) => Box::new(BufReader::new(File::open(&track.path).map_err(failed)?)),
        None => Box::new(std::io::empty()),
    };
    for chunk in &layout.chunks {
        let (source, bytes) = match chunk {
            Chunk::Pictures { bytes, .. } => (&mut frames, *bytes),
            Chunk::Sound { bytes, .. } => (&mut sounds, *bytes),
        };
        let copied = std::io::copy(&mut source.take(bytes), &mut out).map_err(failed)?;
        if copied != bytes {
            return Err(MediaError::machine("a track is shorter than its table says"));
        }
    }
    out.write_all(&titles.bytes).map_err(failed)?;
    out.flush().map_err(failed)
}

/// Everything before the first byte of pictures.
fn head(
    video: &VideoTrack<'_>,
    sound: Option<&AacTrack>,
    labels: &Labels<'_>,
    (layout, titles): (&Layout, &Titles),
) -> Result<Vec<u8>, MediaError> {
    let data = layout.bytes() + titles.bytes.len() as u64;
    let ftyp = boxed(b"ftyp", &Fields::new().bytes(b"isom").u32(512).bytes(b"isomiso2avc1mp41").done());
    let wide = data > u64::from(u32::MAX) - (64 << 20);
    let mdat_head = if wide {
        Fields::new().u32(1).bytes(b"mdat").u64(data + 16).done()
    } else {
        Fields::new().u32(data as u32 + 8).bytes(b"mdat").done()
    };
    // Offsets have one width, so the tables have one size, whatever they say.
    let size = ftyp.len() + moov(video, sound, labels, (layout, titles), 0, wide)?.len() + mdat_head.len();
    let moov = moov(video, sound, labels, (layout, titles), size as u64, wide)?;
    Ok([ftyp, moov, mdat_head].concat())
}

fn moov(
    video: &VideoTrack<'_>,
    sound: Option<&AacTrack>,
    labels: &Labels<'_>,
    (layout, titles): (&Layout, &Titles),
    base: u64,
    wide: bool,
) -> Result<Vec<u8>, MediaError> {
    let shown = shown(video)?;
    let next = match (titles.is_empty(), sound) {
        (false, _) => titles::TRACK + 1,
        (true, Some(_)) => 3,
        (true, None) => 2,
    };
    let mvhd = Fields::new()
        .zeros(8)
        .u32(SAMPLE_RATE)
        .u32(shown)
        .u32(0x0001_0000)
        .u16(0x0100)
        .zeros(10)
        .bytes(&UPRIGHT)
        .zeros(24)
        .u32(next);
    let chapters = (!titles.is_empty()).then_some(titles::TRACK);
    let pictures = tracks::video(video, layout, shown, base, wide, chapters)?;
    let mut parts = vec![full(b"mvhd", 0, 0, &mvhd.done()), pictures];
    if let Some(sound) = sound {
        parts.push(tracks::sound(sound, layout, shown, base, wide));
    }
    if !titles.is_empty() {
        parts.push(titles.track(shown, base + layout.bytes(), wide));
    }
    parts.push(labelled(labels));
    Ok(nested(b"moov", &parts))
}

/// How long the film is shown, in samples: of pictures and sound, players show the longer.
fn shown(video: &VideoTrack<'_>) -> Result<u32, MediaError> {
    let shown = FRAME_RATE.first_sample(video.frames.len() as u64);
    u32::try_from(shown).map_err(|_| MediaError::too_large("is longer than a day"))
}

/// What players show beside the picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labels<'a> {
    pub title: &'a str,
    /// Nothing when it is empty.
    pub comment: &'a str,
    /// In order.
    pub chapters: Vec<Chapter<'a>>,
}

impl<'a> From<&'a str> for Labels<'a> {
    fn from(title: &'a str) -> Self {
        Self { title, ..Self::default() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chapter<'a> {
    /// In samples.
    pub start: u64,
    pub title: &'a str,
}

/// Title, comment and chapters where players look for them, and the program that made the film.
fn labelled(Labels { title, comment, chapters }: &Labels<'_>) -> Vec<u8> {
    let text = |name: &[u8; 4], text: &str| {
        let data = boxed(b"data", &Fields::new().u32(1).u32(0).bytes(text.as_bytes()).done());
        boxed(name, &data)
    };
    let mut items = Vec::new();
    for (name, said) in [(b"\xa9nam", title), (b"\xa9cmt", comment)] {
        if !said.is_empty() {
            items.push(text(name, said));
        }
    }
    items.push(text(b"\xa9too", "Compere"));
    let hdlr = full(b"hdlr", 0, 0, &Fields::new().u32(0).bytes(b"mdirappl").zeros(9).done());
    let meta = full(b"meta", 0, 0, &[hdlr, nested(b"ilst", &items)].concat());
    let list = (!chapters.is_empty()).then(|| chapter_list(chapters));
    nested(b"udta", &[vec![meta], list.into_iter().collect()].concat())
}

/// As Nero wrote it first and many players read it, others the track of [`titles`]: at most 255, with as many bytes each.
fn chapter_list(chapters: &[Chapter<'_>]) -> Vec<u8> {
    /// Starts are counted in so many parts of a second.
    const PARTS: u64 = 10_000_000;
    let chapters = &chapters[..chapters.len().min(255)];
    let mut fields = Fields::new().u32(0).u8(chapters.len() as u8);
    for Chapter { start, title } in chapters {
        let length = (0..=title.len().min(255)).rev().find(|&at| title.is_char_boundary(at)).unwrap_or(0);
        let start = start * (PARTS / 1000) / (u64::from(SAMPLE_RATE) / 1000);
        fields = fields.u64(start).u8(length as u8).bytes(&title.as_bytes()[..length]);
    }
    full(b"chpl", 1, 0, &fields.done())
}

/// Samples of sound that lie in the second `second` of the film.
fn aac_frames_until(second: u64, total: u64) -> u64 {
    ((second * u64::from(SAMPLE_RATE)).div_ceil(aac::FRAME_SAMPLES) + 1).min(total)
}
