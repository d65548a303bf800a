//! A run of encoded frames, and the file it is kept in.

use std::io::{self, Read, Write};

/// What a decoder must know before the first frame, as NAL units without prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterSets {
    pub sps: Vec<u8>,
    /// By their numbers, from 0 on.
    pub pps: Vec<Vec<u8>>,
}

/// One frame's share of [`Segment::data`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameEntry {
    pub bytes: u32,
    /// A decoder may start here.
    pub key: bool,
}

/// Encoded frames in presentation order. The first is a key frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub parameter_sets: ParameterSets,
    pub frames: Vec<FrameEntry>,
    /// NAL units, each behind its length in four big-endian bytes, frames back to back, as MP4 samples hold them.
    /// SPS and PPS are not among them.
    pub data: Vec<u8>,
}

/// Why a segment file was not taken.
#[derive(Debug, thiserror::Error)]
pub enum SegmentError {
    #[error("cannot read the segment: {0}")]
    Unreadable(#[from] io::Error),
    #[error("this is no segment file of this version")]
    Foreign,
    #[error("the segment file is damaged: {0}")]
    Damaged(&'static str),
}

const MAGIC: &[u8; 8] = b"cmpseg\x02\n";
const KEY_BIT: u32 = 1 << 31;
const HASH: usize = blake3::OUT_LEN;

impl Segment {
    /// Magic, SPS, how many PPS, each PPS and frame sizes, each behind a 32-bit count, data behind a 64-bit count, and the
    /// BLAKE3 of all that.
    pub fn write_to(&self, mut out: impl Write) -> io::Result<()> {
        let mut head = MAGIC.to_vec();
        let counted = |head: &mut Vec<u8>, set: &[u8]| {
            head.extend_from_slice(&(set.len() as u32).to_be_bytes());
            head.extend_from_slice(set);
        };
        let ParameterSets { sps, pps } = &self.parameter_sets;
        counted(&mut head, sps);
        head.extend_from_slice(&(pps.len() as u32).to_be_bytes());
        pps.iter().for_each(|pps| counted(&mut head, pps));
        head.extend_from_slice(&(self.frames.len() as u32).to_be_bytes());
        for frame in &self.frames {
            let key = if frame.key { KEY_BIT } else { 0 };
            head.extend_from_slice(&(frame.bytes | key).to_be_bytes());
        }
        head.extend_from_slice(&(self.data.len() as u64).to_be_bytes());
        let hash = blake3::Hasher::new().update(&head).update(&self.data).finalize();
        out.write_all(&head)?;
        out.write_all(&self.data)?;
        out.write_all(hash.as_bytes())
    }

    /// The segment as a stream by itself, with start codes.
    pub fn annexb(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.data.len() + 256);
        let ParameterSets { sps, pps } = &self.parameter_sets;
        let sets = std::iter::once(sps).chain(pps).map(Vec::as_slice);
        for nal in sets.chain(super::bits::nals(&self.data)) {
            out.extend_from_slice(&[0, 0, 0, 1]);
            out.extend_from_slice(nal);
        }
        out
    }

    /// Reads a whole file. Anything that [`Self::write_to`] would not have written is an error.
    pub fn read_from(mut from: impl Read) -> Result<Self, SegmentError> {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes)?;
        if !bytes.starts_with(MAGIC) {
            return Err(SegmentError::Foreign);
        }
        let Some(body) = bytes.len().checked_sub(HASH).filter(|&body| body >= MAGIC.len()) else {
            return Err(SegmentError::Damaged("it ends early"));
        };
        if blake3::hash(&bytes[..body]).as_bytes() != &bytes[body..] {
            return Err(SegmentError::Damaged("its checksum does not match"));
        }
        bytes.truncate(body);
        let mut rest = Rest(&bytes[MAGIC.len()..]);
        let sps = rest.counted()?;
        let pps = (0..rest.u32()?).map(|_| rest.counted()).collect::<Result<_, _>>()?;
        let count = rest.u32()? as usize;
        let entries = rest.take(count.saturating_mul(4))?;
        let frames: Vec<_> = entries.chunks_exact(4).map(entry).collect();
        let size = rest.u64()?;
        let data = rest.0.to_vec();
        let promised: u64 = frames.iter().map(|frame| u64::from(frame.bytes)).sum();
        if size != data.len() as u64 || size != promised {
            return Err(SegmentError::Damaged("its frames do not add up to its data"));
        }
        Ok(Self { parameter_sets: ParameterSets { sps, pps }, frames, data })
    }
}

fn entry(bytes: &[u8]) -> FrameEntry {
    let word = bytes.iter().fold(0, |word, &byte| word << 8 | u32::from(byte));
    FrameEntry { bytes: word & !KEY_BIT, key: word & KEY_BIT != 0 }
}

struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], SegmentError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(SegmentError::Damaged("it ends early"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn u32(&mut self) -> Result<u32, SegmentError> {
        Ok(self.take(4)?.iter().fold(0, |word, &byte| word << 8 | u32::from(byte)))
    }

    fn u64(&mut self) -> Result<u64, SegmentError> {
        Ok(u64::from(self.u32()?) << 32 | u64::from(self.u32()?))
    }

    fn counted(&mut self) -> Result<Vec<u8>, SegmentError> {
        let count = self.u32()? as usize;
        Ok(self.take(count)?.to_vec())
    }
}
