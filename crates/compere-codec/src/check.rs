//! A finished film, looked at as a player would before anybody is told of it: what is new of it is decoded, and what was
//! joined is read back.

use std::path::Path;

use compere_media::{FRAME_RATE, SAMPLE_RATE};

use crate::aac::{self, AacTrack};
use crate::h264::Segment;
use crate::sandbox::{Errand, Limits, Sandbox};
use crate::{MediaError, mp4};

/// What the plan promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expect {
    pub frames: u64,
    /// Samples of sound; none for a film without a sound track.
    pub samples: Option<u64>,
    pub width: u32,
    pub height: u32,
}

/// What is wrong with a film that should have been right.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CheckError {
    #[error("the finished film {0}")]
    Unreadable(MediaError),
    #[error("the finished film has {found} {what}, planned were {planned}")]
    Differs { what: &'static str, found: String, planned: String },
    #[error("the sound of the finished film is clipped: its highest sample is {peak:.3}")]
    Clipped { peak: f32 },
    #[error("the finished film cannot be decoded cleanly: {0}")]
    Unclean(String),
}

impl From<MediaError> for CheckError {
    fn from(error: MediaError) -> Self {
        Self::Unreadable(error)
    }
}

/// Checks a film that was joined of pieces which were decoded before: tables, lengths and every sample's place.
pub fn check_joined(path: &Path, expect: &Expect) -> Result<(), CheckError> {
    let found = mp4::look(path)?;
    let same =
        |what, found: u64, planned: u64| if found == planned { Ok(()) } else { Err(differs(what, found, planned)) };
    same("frames", found.frames, expect.frames)?;
    same("pixels across", found.width.into(), expect.width.into())?;
    same("pixels down", found.height.into(), expect.height.into())?;
    same("samples", found.shown, FRAME_RATE.first_sample(expect.frames))?;
    match (expect.samples, found.samples) {
        (Some(planned), Some(heard)) => same("samples of sound", heard, planned.min(found.shown)),
        (None, None) => Ok(()),
        (planned, heard) => Err(differs("tracks of sound", heard.iter().len(), planned.iter().len())),
    }
}

/// Decodes every picture of a piece, which is written to `dir` for that.
#[expect(clippy::disallowed_methods, reason = "a decoder reads files")]
pub fn check_piece(
    sandbox: &Sandbox,
    piece: &Segment,
    (width, height): (u32, u32),
    dir: &Path,
) -> Result<(), CheckError> {
    let path = dir.join(format!("{}.mp4", blake3::hash(&piece.data).to_hex()));
    let failed = |error| MediaError::io("could not be written", &error);
    let head = mp4::fragments::video_head(&piece.parameter_sets, width, height)?;
    let pictures = mp4::fragments::pictures(1, 0, &piece.frames, &piece.data);
    std::fs::write(&path, [head, pictures].concat()).map_err(failed)?;
    let counted = count_pictures(sandbox, &path, piece.frames.len() as u64);
    std::fs::remove_file(&path).map_err(failed)?;
    counted
}

/// Decodes all of a track of sound. Says how high its highest sample is.
#[expect(clippy::disallowed_methods, reason = "a decoder reads files")]
pub fn check_sound(sandbox: &Sandbox, sound: &AacTrack, dir: &Path) -> Result<f32, CheckError> {
    let failed = |error| MediaError::io("could not be written", &error);
    let path = dir.join("check.m4a");
    let frames = std::fs::read(&sound.path).map_err(failed)?;
    // The first frame is priming, which no fragment holds.
    let priming = sound.sizes.first().copied().unwrap_or(0) as usize;
    let sizes = sound.sizes.get(1..).unwrap_or_default();
    let heard = mp4::fragments::sound(1, 1, sizes, frames.get(priming..).unwrap_or_default());
    std::fs::write(&path, [mp4::fragments::sound_head(sound.rate), heard].concat()).map_err(failed)?;
    let peak = decode_sound(sandbox, &path, sizes.len() as u64 * aac::FRAME_SAMPLES);
    std::fs::remove_file(&path).map_err(failed)?;
    peak
}

fn differs<T: std::fmt::Display>(what: &'static str, found: T, planned: T) -> CheckError {
    CheckError::Differs { what, found: found.to_string(), planned: planned.to_string() }
}

/// An hour of sound decodes in seconds.
const DECODE: Limits = Limits { wall: 3600, cpu: 3600, stall: 300, ..Limits::FOOTAGE };

fn decode_sound(sandbox: &Sandbox, path: &Path, planned: u64) -> Result<f32, CheckError> {
    let errand = decoder(path).words("-map 0:a:0 -f f32le pipe:1");
    let mut running = sandbox.start(&errand)?;
    let mut block = vec![0; 1 << 18];
    let (mut bytes, mut peak) = (0u64, 0f32);
    loop {
        let n = running.fill(&mut block)?;
        bytes += n as u64;
        let samples = block[..n].as_chunks::<4>().0.iter().map(|sample| f32::from_le_bytes(*sample).abs());
        peak = samples.fold(peak, f32::max);
        if n < block.len() {
            break;
        }
    }
    clean(&running.finish()?)?;
    let found = bytes / 8;
    if found.abs_diff(planned) > u64::from(SAMPLE_RATE) / u64::from(FRAME_RATE.num) {
        return Err(differs("samples of sound", found, planned));
    }
    if peak >= 1.0 { Err(CheckError::Clipped { peak }) } else { Ok(peak) }
}

/// Decodes pictures and counts them. Nobody looks at them: their checksums would take a fifth of the time.
fn count_pictures(sandbox: &Sandbox, path: &Path, planned: u64) -> Result<(), CheckError> {
    let count = "-map 0:v:0 -fps_mode passthrough -progress pipe:1 -stats_period 3600 -f null -";
    let output = sandbox.run(&decoder(path).words(count))?;
    clean(&output.stderr)?;
    let found = counted(&String::from_utf8_lossy(&output.stdout));
    if found == planned { Ok(()) } else { Err(differs("decodable frames", found, planned)) }
}

/// What the last report of progress says.
fn counted(progress: &str) -> u64 {
    let mut counts = progress.lines().filter_map(|line| line.strip_prefix("frame="));
    counts.next_back().and_then(|count| count.trim().parse().ok()).unwrap_or(0)
}

fn decoder(path: &Path) -> Errand {
    let errand = Errand::new("ffmpeg", DECODE).of_ours().words("-hide_banner -nostdin -v warning -xerror -threads 2");
    errand.arg("-i").prefixed_input("file:", path)
}

fn clean(complaints: &str) -> Result<(), CheckError> {
    match complaints.lines().next() {
        None => Ok(()),
        Some(first) => Err(CheckError::Unclean(first.to_owned())),
    }
}
