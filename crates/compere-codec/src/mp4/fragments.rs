//! A film in fragments, for whoever watches it while it is made (CMAF: one track in each file, times told in each).
//!
//! The very frames of the film lie in them, so whoever joins them has its pictures byte for byte. A track begins with its
//! head; every fragment after it can be read by itself. Sound begins with its second frame: the first holds what the
//! encoder puts before the film, and without it no player has to know of an edit list. It is missed for 21 ms, in which the
//! film is silent as a rule.

use compere_media::SAMPLE_RATE;

use super::boxes::{Fields, UPRIGHT, boxed, full, nested};
use super::{VideoTrack, tracks};
use crate::MediaError;
use crate::aac::{self, AacTrack};
use crate::h264::{FrameEntry, ParameterSets};

/// A sample that others are decoded from, and one that needs others.
const INDEPENDENT: u32 = 0x0200_0000;
const DEPENDENT: u32 = 0x0101_0000;

/// Frames of sound that the encoder puts before the film.
const PRIMING_FRAMES: u64 = aac::PRIMING / aac::FRAME_SAMPLES;

/// What comes before the first fragment of pictures.
pub fn video_head(parameter_sets: &ParameterSets, width: u32, height: u32) -> Result<Vec<u8>, MediaError> {
    let track = VideoTrack {
        parameter_sets: parameter_sets.clone(),
        width,
        height,
        frames: Vec::new(),
        data: Box::new(std::io::empty()),
    };
    Ok(head(tracks::video_head(&track)?))
}

/// What comes before the first fragment of sound.
pub fn sound_head(rate: u32) -> Vec<u8> {
    let track = AacTrack { path: Default::default(), sizes: Vec::new(), config: aac::CONFIG, samples: 0, rate };
    head(tracks::sound_head(&track))
}

/// Pictures from frame `first` of the film on.
pub fn pictures(number: u32, first: u64, frames: &[FrameEntry], data: &[u8]) -> Vec<u8> {
    let flags = |frame: &FrameEntry| if frame.key { INDEPENDENT } else { DEPENDENT };
    let samples: Vec<(u32, u32)> = frames.iter().map(|frame| (frame.bytes, flags(frame))).collect();
    let ticks = u64::from(tracks::FRAME_TICKS);
    fragment(number, first * ticks, tracks::FRAME_TICKS, &samples, data)
}

/// Sound from frame `first` of the encoder's on; the frames of priming are none of them.
pub fn sound(number: u32, first: u64, sizes: &[u32], data: &[u8]) -> Vec<u8> {
    let samples: Vec<(u32, u32)> = sizes.iter().map(|&size| (size, INDEPENDENT)).collect();
    let time = (first - PRIMING_FRAMES) * aac::FRAME_SAMPLES;
    fragment(number, time, aac::FRAME_SAMPLES as u32, &samples, data)
}

/// As players are told of the pictures: `avc1.640029`.
pub fn video_codec(parameter_sets: &ParameterSets) -> String {
    let hex = |byte: &u8| format!("{byte:02x}");
    format!("avc1.{}", parameter_sets.sps.iter().skip(1).take(3).map(hex).collect::<String>())
}

fn head(trak: Vec<u8>) -> Vec<u8> {
    let ftyp = boxed(b"ftyp", &Fields::new().bytes(b"iso6").u32(0).bytes(b"iso6cmfcmp41").done());
    let mvhd = Fields::new()
        .zeros(8)
        .u32(SAMPLE_RATE)
        .u32(0)
        .u32(0x0001_0000)
        .u16(0x0100)
        .zeros(10)
        .bytes(&UPRIGHT)
        .zeros(24)
        .u32(2);
    let trex = full(b"trex", 0, 0, &Fields::new().u32(1).u32(1).zeros(12).done());
    let parts = [full(b"mvhd", 0, 0, &mvhd.done()), trak, nested(b"mvex", &[trex])];
    [ftyp, nested(b"moov", &parts)].concat()
}

/// `samples`: the size and the flags of each; `time` and `length` in ticks of the track.
fn fragment(number: u32, time: u64, length: u32, samples: &[(u32, u32)], data: &[u8]) -> Vec<u8> {
    let moof = |offset: u32| {
        let mfhd = full(b"mfhd", 0, 0, &number.to_be_bytes());
        // Offsets count from this box; one length for all.
        let tfhd = full(b"tfhd", 0, 0x02_0008, &Fields::new().u32(1).u32(length).done());
        let tfdt = full(b"tfdt", 1, 0, &time.to_be_bytes());
        let mut run = Fields::new().u32(samples.len() as u32).u32(offset);
        for &(size, flags) in samples {
            run = run.u32(size).u32(flags);
        }
        let trun = full(b"trun", 0, 0x00_0601, &run.done());
        nested(b"moof", &[mfhd, nested(b"traf", &[tfhd, tfdt, trun])])
    };
    let offset = moof(0).len() as u32 + 8;
    [moof(offset), boxed(b"mdat", data)].concat()
}
