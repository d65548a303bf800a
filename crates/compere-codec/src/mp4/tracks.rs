//! The tracks of pictures and sound: what they are, how long, and where each frame lies.

use compere_media::{FRAME_RATE, SAMPLE_RATE};

use super::boxes::{Fields, UPRIGHT, boxed, full, nested};
use super::{VideoTrack, aac_frames_until};
use crate::MediaError;
use crate::aac::{self, AacTrack};
use crate::h264::FrameEntry;

/// Ticks of a picture in its track's own time.
pub(super) const FRAME_TICKS: u32 = 512;
const LANGUAGE_UNDETERMINED: u16 = 0x55c4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chunk {
    Pictures { frames: u32, bytes: u64 },
    Sound { frames: u32, bytes: u64 },
}

impl Chunk {
    fn bytes(self) -> u64 {
        match self {
            Self::Pictures { bytes, .. } | Self::Sound { bytes, .. } => bytes,
        }
    }
}

/// In which order frames lie in the file: a second of pictures, its sound, the next second.
#[derive(Debug)]
pub(super) struct Layout {
    pub chunks: Vec<Chunk>,
}

impl Layout {
    pub(super) fn new(frames: &[FrameEntry], sound: Option<&AacTrack>) -> Self {
        let sizes = sound.map_or(&[][..], |track| &track.sizes);
        let mut chunks = Vec::new();
        let mut heard = 0;
        let seconds = frames.chunks(FRAME_RATE.num as usize);
        let count = seconds.len() as u64;
        for (second, frames) in (1..).zip(seconds) {
            let bytes = frames.iter().map(|frame| u64::from(frame.bytes)).sum();
            chunks.push(Chunk::Pictures { frames: frames.len() as u32, bytes });
            let total = sizes.len() as u64;
            let until = if second == count { total } else { aac_frames_until(second, total) } as usize;
            let bytes = sizes[heard..until].iter().map(|&size| u64::from(size)).sum();
            if until > heard {
                chunks.push(Chunk::Sound { frames: (until - heard) as u32, bytes });
            }
            heard = until;
        }
        Self { chunks }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.bytes()).sum()
    }

    /// The chunks of one track: frames in each, and where it lies when the first byte of all is at `base`.
    fn of_track(&self, base: u64, pick: impl Fn(Chunk) -> Option<u32>) -> Vec<(u32, u64)> {
        let mut at = base;
        let mut found = Vec::new();
        for &chunk in &self.chunks {
            if let Some(frames) = pick(chunk) {
                found.push((frames, at));
            }
            at += chunk.bytes();
        }
        found
    }
}

pub(super) fn video(
    track: &VideoTrack<'_>,
    layout: &Layout,
    shown: u32,
    base: u64,
    wide: bool,
    titles: Option<u32>,
) -> Result<Vec<u8>, MediaError> {
    let count = track.frames.len() as u32;
    let chunks = layout.of_track(base, |chunk| match chunk {
        Chunk::Pictures { frames, .. } => Some(frames),
        Chunk::Sound { .. } => None,
    });
    let keys: Vec<u32> = (1..).zip(&track.frames).filter(|(_, frame)| frame.key).map(|(number, _)| number).collect();
    let mut stss = Fields::new().u32(keys.len() as u32);
    for key in keys {
        stss = stss.u32(key);
    }
    let stbl = nested(
        b"stbl",
        &[
            stsd(&avc1(track)?),
            full(b"stts", 0, 0, &Fields::new().u32(1).u32(count).u32(FRAME_TICKS).done()),
            full(b"stss", 0, 0, &stss.done()),
            stsc(&chunks),
            stsz(track.frames.iter().map(|frame| frame.bytes)),
            offsets(&chunks, wide),
        ],
    );
    let vmhd = full(b"vmhd", 0, 1, &[0; 8]);
    let mdia = mdia(b"vide", "VideoHandler", picture_timescale(), count * FRAME_TICKS, vmhd, stbl);
    let size = (track.width, track.height);
    let chapters = titles.map_or_else(Vec::new, |track| nested(b"tref", &[boxed(b"chap", &track.to_be_bytes())]));
    Ok(nested(b"trak", &[tkhd(1, ENABLED, shown, size), edit(shown, 0), chapters, mdia]))
}

pub(super) fn sound(track: &AacTrack, layout: &Layout, shown: u32, base: u64, wide: bool) -> Vec<u8> {
    let count = track.sizes.len() as u32;
    let chunks = layout.of_track(base, |chunk| match chunk {
        Chunk::Pictures { .. } => None,
        Chunk::Sound { frames, .. } => Some(frames),
    });
    // Decoding may not start at a frame but at the one before it.
    let roll = Fields::new().bytes(b"roll").u32(2).u32(1).u16(0xffff).done();
    let rolled = Fields::new().bytes(b"roll").u32(1).u32(count).u32(1).done();
    let stbl = nested(
        b"stbl",
        &[
            stsd(&mp4a(track)),
            full(b"stts", 0, 0, &Fields::new().u32(1).u32(count).u32(aac::FRAME_SAMPLES as u32).done()),
            stsc(&chunks),
            stsz(track.sizes.iter().copied()),
            offsets(&chunks, wide),
            full(b"sgpd", 1, 0, &roll),
            full(b"sbgp", 0, 0, &rolled),
        ],
    );
    let smhd = full(b"smhd", 0, 0, &[0; 4]);
    // What sounds ends with the pictures, wherever the last frame of sound ends.
    let heard = (track.samples as u32).min(shown);
    let mdia = mdia(b"soun", "SoundHandler", SAMPLE_RATE, count * aac::FRAME_SAMPLES as u32, smhd, stbl);
    nested(b"trak", &[tkhd(2, ENABLED, heard, (0, 0)), edit(heard, aac::PRIMING as u32), mdia])
}

/// Ticks of pictures in a second.
fn picture_timescale() -> u32 {
    FRAME_RATE.num * FRAME_TICKS / FRAME_RATE.den
}

/// A track of pictures whose frames lie in fragments.
pub(super) fn video_head(track: &VideoTrack<'_>) -> Result<Vec<u8>, MediaError> {
    let vmhd = full(b"vmhd", 0, 1, &[0; 8]);
    let mdia = mdia(b"vide", "VideoHandler", picture_timescale(), 0, vmhd, no_samples(&avc1(track)?));
    Ok(nested(b"trak", &[tkhd(1, ENABLED, 0, (track.width, track.height)), mdia]))
}

/// A track of sound whose frames lie in fragments.
pub(super) fn sound_head(track: &AacTrack) -> Vec<u8> {
    let smhd = full(b"smhd", 0, 0, &[0; 4]);
    let mdia = mdia(b"soun", "SoundHandler", SAMPLE_RATE, 0, smhd, no_samples(&mp4a(track)));
    nested(b"trak", &[tkhd(1, ENABLED, 0, (0, 0)), mdia])
}

/// What samples are, and that there are none here.
fn no_samples(entry: &[u8]) -> Vec<u8> {
    let nothing = |name| full(name, 0, 0, &[0; 4]);
    nested(b"stbl", &[stsd(entry), nothing(b"stts"), nothing(b"stsc"), full(b"stsz", 0, 0, &[0; 8]), nothing(b"stco")])
}

/// A track is played, and belongs to the film.
const ENABLED: u32 = 3;

pub(super) fn tkhd(id: u32, flags: u32, shown: u32, (width, height): (u32, u32)) -> Vec<u8> {
    // Neither pictures nor what is never played.
    let is_sound = width == 0 && flags == ENABLED;
    let fields = Fields::new()
        .zeros(8)
        .u32(id)
        .u32(0)
        .u32(shown)
        .zeros(8)
        .u16(0)
        .u16(u16::from(is_sound))
        .u16(if is_sound { 0x0100 } else { 0 })
        .u16(0)
        .bytes(&UPRIGHT)
        .u32(width << 16)
        .u32(height << 16);
    full(b"tkhd", 0, flags, &fields.done())
}

/// Shows `shown` samples of the track, from `from` on.
pub(super) fn edit(shown: u32, from: u32) -> Vec<u8> {
    let elst = Fields::new().u32(1).u32(shown).u32(from).u32(0x0001_0000).done();
    nested(b"edts", &[full(b"elst", 0, 0, &elst)])
}

pub(super) fn mdia(
    handler: &[u8; 4],
    name: &str,
    timescale: u32,
    length: u32,
    head: Vec<u8>,
    stbl: Vec<u8>,
) -> Vec<u8> {
    let mdhd = Fields::new().zeros(8).u32(timescale).u32(length).u16(LANGUAGE_UNDETERMINED).u16(0).done();
    let hdlr = Fields::new().u32(0).bytes(handler).zeros(12).bytes(name.as_bytes()).u8(0).done();
    // The data lies in this very file.
    let dref = full(b"dref", 0, 0, &[1u32.to_be_bytes().to_vec(), full(b"url ", 0, 1, &[])].concat());
    let minf = nested(b"minf", &[head, nested(b"dinf", &[dref]), stbl]);
    nested(b"mdia", &[full(b"mdhd", 0, 0, &mdhd), full(b"hdlr", 0, 0, &hdlr), minf])
}

pub(super) fn stsd(entry: &[u8]) -> Vec<u8> {
    full(b"stsd", 0, 0, &[&1u32.to_be_bytes(), entry].concat())
}

fn avc1(track: &VideoTrack<'_>) -> Result<Vec<u8>, MediaError> {
    let side = |side: u32| u16::try_from(side).map_err(|_| MediaError::too_large("has a side over 65535 pixels"));
    let fields = Fields::new()
        .zeros(6)
        .u16(1)
        .zeros(16)
        .u16(side(track.width)?)
        .u16(side(track.height)?)
        .u32(0x0048_0000)
        .u32(0x0048_0000)
        .u32(0)
        .u16(1)
        .zeros(32)
        .u16(24)
        .u16(0xffff);
    // BT.709 for primaries, transfer and matrix; limited range.
    let colr = boxed(b"colr", &Fields::new().bytes(b"nclx").u16(1).u16(1).u16(1).u8(0).done());
    let pasp = boxed(b"pasp", &Fields::new().u32(1).u32(1).done());
    Ok(boxed(b"avc1", &[fields.done(), avcc(track)?, colr, pasp].concat()))
}

fn avcc(track: &VideoTrack<'_>) -> Result<Vec<u8>, MediaError> {
    let (sps, pps) = (&track.parameter_sets.sps, &track.parameter_sets.pps);
    let &[_, profile, compatible, level, ..] = sps.as_slice() else {
        return Err(MediaError::machine("the encoder gave a broken SPS"));
    };
    let mut fields = Fields::new().u8(1).u8(profile).u8(compatible).u8(level).u8(0xff).u8(0xe1);
    fields = fields.u16(sps.len() as u16).bytes(sps).u8(pps.len() as u8);
    for pps in pps {
        fields = fields.u16(pps.len() as u16).bytes(pps);
    }
    if !matches!(profile, 66 | 77 | 88) {
        // High profile also says here what it always is: 4:2:0 with 8 bits.
        fields = fields.u8(0xfd).u8(0xf8).u8(0xf8).u8(0);
    }
    Ok(boxed(b"avcC", &fields.done()))
}

fn mp4a(track: &AacTrack) -> Vec<u8> {
    let fields = Fields::new().zeros(6).u16(1).zeros(8).u16(2).u16(16).u32(0).u32(SAMPLE_RATE << 16);
    let tagged = |tag: u8, content: &[u8]| Fields::new().u8(tag).u8(content.len() as u8).bytes(content).done();
    let largest = track.sizes.iter().max().copied().unwrap_or(0);
    let config = Fields::new()
        .u8(0x40)
        .u8(0x15)
        .bytes(&largest.to_be_bytes()[1..])
        .u32(track.rate)
        .u32(track.rate)
        .bytes(&tagged(5, &track.config));
    let stream = Fields::new().u16(2).u8(0).bytes(&tagged(4, &config.done())).bytes(&tagged(6, &[2]));
    let esds = full(b"esds", 0, 0, &tagged(3, &stream.done()));
    boxed(b"mp4a", &[fields.done(), esds].concat())
}

/// Frames in each chunk; runs of equal ones are told once.
fn stsc(chunks: &[(u32, u64)]) -> Vec<u8> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for (number, &(frames, _)) in (1..).zip(chunks) {
        if runs.last().is_none_or(|run| run.1 != frames) {
            runs.push((number, frames));
        }
    }
    let mut fields = Fields::new().u32(runs.len() as u32);
    for (first, frames) in runs {
        fields = fields.u32(first).u32(frames).u32(1);
    }
    full(b"stsc", 0, 0, &fields.done())
}

pub(super) fn stsz(sizes: impl ExactSizeIterator<Item = u32>) -> Vec<u8> {
    let mut fields = Fields::new().u32(0).u32(sizes.len() as u32);
    for size in sizes {
        fields = fields.u32(size);
    }
    full(b"stsz", 0, 0, &fields.done())
}

pub(super) fn offsets(chunks: &[(u32, u64)], wide: bool) -> Vec<u8> {
    let mut fields = Fields::new().u32(chunks.len() as u32);
    for &(_, at) in chunks {
        fields = if wide { fields.u64(at) } else { fields.u32(at as u32) };
    }
    full(if wide { b"co64" } else { b"stco" }, 0, 0, &fields.done())
}
