//! A finished file, read back by its own tables: what can go wrong in joining pieces that are right by themselves.
//!
//! Every sample is found where the tables say, nothing lies between samples, every picture is made of whole NAL units of
//! the kind that its table calls it, and lengths are what they should be. Nothing is decoded here.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use super::tracks::FRAME_TICKS;
use crate::MediaError;
use crate::aac;

/// What a file turned out to hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    pub frames: u64,
    pub width: u32,
    pub height: u32,
    /// Samples of sound that are heard.
    pub samples: Option<u64>,
    /// Ticks of 1/48000 s that the film is shown.
    pub shown: u64,
}

/// What a track holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Pictures,
    Sound,
    Titles,
}

/// One track, as its tables have it.
#[derive(Debug)]
struct Track {
    kind: Kind,
    size: (u32, u32),
    /// How many samples last how many ticks.
    runs: Vec<[u32; 2]>,
    sizes: Vec<u32>,
    /// Where each sample lies.
    places: Vec<u64>,
    keys: Vec<u32>,
    /// Ticks in the film's time that are shown.
    shown: u32,
}

/// Reads all of it back.
pub fn look(path: &Path) -> Result<Looked, MediaError> {
    let failed = |error| MediaError::io("could not be read back", &error);
    let mut file = BufReader::with_capacity(1 << 18, File::open(path).map_err(failed)?);
    let length = file.get_ref().metadata().map_err(failed)?.len();
    let (tracks, shown, data) = tables(&mut file, length)?;
    let mut lie: Vec<(u64, u32)> = Vec::new();
    let mut looked = Looked { shown, ..Looked::default() };
    for track in &tracks {
        lie.extend(track.places.iter().copied().zip(track.sizes.iter().copied()));
        track.adds_up()?;
        match track.kind {
            Kind::Sound => looked.samples = Some(track.shown.into()),
            Kind::Titles => {}
            Kind::Pictures => {
                (looked.frames, (looked.width, looked.height)) = (track.sizes.len() as u64, track.size);
                pictures(&mut file, track)
                    .map_err(|error| error.unwrap_or_else(|| broken("a picture is not whole")))?;
            }
        }
    }
    lie.sort_unstable();
    let mut at = data;
    for (place, size) in lie {
        if place != at {
            return Err(broken("its tables leave a gap"));
        }
        at += u64::from(size);
    }
    if at == length { Ok(looked) } else { Err(broken("it does not end where its tables do")) }
}

/// Tracks, how long the film is shown, and where its data begin.
fn tables(file: &mut BufReader<File>, length: u64) -> Result<(Vec<Track>, u64, u64), MediaError> {
    let failed = |error| MediaError::io("could not be read back", &error);
    let (mut at, mut moov) = (0, None);
    while at + 16 <= length {
        let mut head = [0; 16];
        file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(&mut head)).map_err(failed)?;
        let word = |from: usize| u64::from(u32_at(&head, from).unwrap_or(0));
        let (size, skip) = if word(0) == 1 { (word(8) << 32 | word(12), 16) } else { (word(0), 8) };
        if size < skip || at + size > length {
            return Err(broken("a box of it is cut off"));
        }
        match &head[4..8] {
            b"moov" => {
                let mut content = vec![0; (size - skip) as usize];
                file.seek(SeekFrom::Start(at + skip)).and_then(|_| file.read_exact(&mut content)).map_err(failed)?;
                moov = Some(content);
            }
            b"mdat" => {
                let moov = moov.ok_or_else(|| broken("its tables come too late"))?;
                let shown = inside(&moov, b"mvhd").and_then(|mvhd| u32_at(mvhd, 16)).ok_or_else(none)?;
                let tracks = boxes(&moov).filter(|(name, _)| *name == b"trak").map(|(_, trak)| Track::of(trak));
                return Ok((tracks.collect::<Option<_>>().ok_or_else(none)?, shown.into(), at + skip));
            }
            _ => {}
        }
        at += size;
    }
    Err(none())
}

impl Track {
    fn of(trak: &[u8]) -> Option<Self> {
        let (mdia, tkhd) = (inside(trak, b"mdia")?, inside(trak, b"tkhd")?);
        let stbl = inside(inside(mdia, b"minf")?, b"stbl")?;
        let elst = inside(inside(trak, b"edts")?, b"elst")?;
        let stts = inside(stbl, b"stts")?;
        let sizes = words(inside(stbl, b"stsz")?.get(8..)?);
        let chunks: Vec<u64> = match inside(stbl, b"stco") {
            Some(stco) => words(stco.get(4..)?).into_iter().skip(1).map(u64::from).collect(),
            None => {
                let halves = words(inside(stbl, b"co64")?.get(8..)?);
                halves.as_chunks::<2>().0.iter().map(|[high, low]| u64::from(*high) << 32 | u64::from(*low)).collect()
            }
        };
        let runs = words(inside(stbl, b"stsc")?.get(8..)?);
        let sizes: Vec<u32> = sizes.into_iter().skip(1).collect();
        Some(Self {
            kind: match inside(mdia, b"hdlr")?.get(8..12)? {
                b"soun" => Kind::Sound,
                b"text" => Kind::Titles,
                _ => Kind::Pictures,
            },
            size: (u32_at(tkhd, 76)? >> 16, u32_at(tkhd, 80)? >> 16),
            runs: words(stts.get(8..)?).as_chunks::<2>().0.to_vec(),
            places: places(&sizes, &runs, &chunks),
            keys: inside(stbl, b"stss").map_or_else(Vec::new, |stss| words(&stss[4..]).into_iter().skip(1).collect()),
            shown: u32_at(elst, 8)?,
            sizes,
        })
    }

    /// Ticks of all samples.
    fn lasts(&self) -> u64 {
        self.runs.iter().map(|&[count, ticks]| u64::from(count) * u64::from(ticks)).sum()
    }

    fn adds_up(&self) -> Result<(), MediaError> {
        let count = self.runs.iter().map(|[count, _]| *count as usize).sum::<usize>();
        let all = count == self.sizes.len() && self.places.len() == self.sizes.len();
        // Of pictures and sound all samples last as long; titles fill the film.
        let fits = match self.kind {
            Kind::Sound => matches!(self.runs[..], [[_, ticks]] if ticks == aac::FRAME_SAMPLES as u32),
            Kind::Pictures => {
                matches!(self.runs[..], [[_, ticks]] if ticks == FRAME_TICKS) && self.keys.first() == Some(&1)
            }
            Kind::Titles => self.lasts() == u64::from(self.shown),
        };
        if all && fits { Ok(()) } else { Err(broken("its tables do not agree")) }
    }
}

/// Where each sample lies: chunk by chunk, back to back in each.
fn places(sizes: &[u32], runs: &[u32], chunks: &[u64]) -> Vec<u64> {
    let runs = runs.as_chunks::<3>().0;
    let (mut places, mut run) = (Vec::with_capacity(sizes.len()), 0);
    for (number, &chunk) in (1u32..).zip(chunks) {
        while runs.get(run + 1).is_some_and(|next| next[0] <= number) {
            run += 1;
        }
        let mut at = chunk;
        for _ in 0..runs.get(run).map_or(0, |run| run[1]) {
            let Some(&size) = sizes.get(places.len()) else { return places };
            places.push(at);
            at += u64::from(size);
        }
    }
    places
}

/// Reads every picture: whole NAL units, of which the last kind says whether it is a key frame. None: it is not whole.
fn pictures(file: &mut BufReader<File>, track: &Track) -> Result<(), Option<MediaError>> {
    let failed = |error| Some(MediaError::io("could not be read back", &error));
    let mut keys = track.keys.iter().peekable();
    let mut picture = Vec::new();
    for (number, (&place, &size)) in (1u32..).zip(track.places.iter().zip(&track.sizes)) {
        let here = file.stream_position().map_err(failed)?;
        file.seek_relative(place as i64 - here as i64).map_err(failed)?;
        picture.resize(size as usize, 0);
        file.read_exact(&mut picture).map_err(failed)?;
        let key = keys.next_if_eq(&&number).is_some();
        let mut rest = picture.as_slice();
        while !rest.is_empty() {
            let length = u32_at(rest, 0).ok_or(None)? as usize;
            let nal = rest.get(4..4 + length).filter(|nal| !nal.is_empty()).ok_or(None)?;
            let kind = nal[0] & 31;
            if matches!(kind, 1 | 5) && (kind == 5) != key {
                return Err(None);
            }
            rest = &rest[4 + length..];
        }
    }
    if keys.next().is_none() { Ok(()) } else { Err(None) }
}

/// The content of the first box of that name.
fn inside<'b>(content: &'b [u8], name: &[u8; 4]) -> Option<&'b [u8]> {
    boxes(content).find(|(found, _)| *found == name).map(|(_, inside)| inside)
}

fn boxes(mut content: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    std::iter::from_fn(move || {
        let size = u32_at(content, 0)? as usize;
        let (this, rest) = content.split_at_checked(size).filter(|_| size >= 8)?;
        content = rest;
        Some((&this[4..8], &this[8..]))
    })
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_be_bytes(*word)).collect()
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.first_chunk::<4>().map(|word| u32::from_be_bytes(*word))
}

fn none() -> MediaError {
    broken("it has no tables")
}

fn broken(what: &str) -> MediaError {
    MediaError::machine(format!("the finished film cannot be read back: {what}"))
}
