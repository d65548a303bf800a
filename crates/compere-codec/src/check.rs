//! A finished film, looked at as a player would before anybody is told of it.

use std::path::Path;

use compere_media::{FRAME_RATE, SAMPLE_RATE};
use serde_json::Value;

use crate::sandbox::{Errand, Limits, Sandbox};
use crate::{MediaError, ffmpeg};

/// What the plan promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expect {
    pub frames: u64,
    /// Samples of sound; none for a film without a sound track.
    pub samples: Option<u64>,
    pub width: u32,
    pub height: u32,
    /// Decode every picture, not only those of the first seconds and of the last. A film's pieces are what the encoder
    /// gave, checksums of their files included; what can go wrong in joining them is seen in tables and at the ends.
    pub every_frame: bool,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Checked {
    pub seconds: f64,
    pub bytes: u64,
    /// The highest sample of the decoded sound; 0 without any.
    pub peak: f32,
}

/// What is wrong with a film that should have been right.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CheckError {
    #[error("the finished film {0}")]
    Unreadable(MediaError),
    #[error("the finished film has {found} {what}, planned were {planned}")]
    Differs { what: &'static str, found: String, planned: String },
    #[error("sound and pictures of the finished film end {seconds:.3} s apart")]
    Apart { seconds: f64 },
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

/// Checks sizes and lengths against the plan, decodes pictures and all of the sound.
pub fn check(sandbox: &Sandbox, path: &Path, expect: &Expect) -> Result<Checked, CheckError> {
    let report = report(sandbox, path)?;
    let video = stream(&report, "video");
    same("frames", &video["nb_frames"], expect.frames)?;
    same("pixels across", &video["width"], expect.width.into())?;
    same("pixels down", &video["height"], expect.height.into())?;
    let pictures = seconds(video);
    let planned = FRAME_RATE.seconds(expect.frames);
    if (pictures - planned).abs() > 0.001 {
        return Err(differs("seconds", pictures, planned));
    }
    if expect.samples.is_some() {
        let apart = (seconds(stream(&report, "audio")) - pictures).abs();
        if apart > FRAME_RATE.seconds(1) {
            return Err(CheckError::Apart { seconds: apart });
        }
    }
    // Two children at a time: each of them is mostly waited for.
    #[expect(clippy::disallowed_methods, reason = "a thread that waits for a child")]
    let (sound, pictures) = std::thread::scope(|scope| {
        let sound = scope.spawn(|| expect.samples.map_or(Ok(0.0), |samples| decode_sound(sandbox, path, samples)));
        let pictures = decode_pictures(sandbox, path, expect, planned);
        (sound.join(), pictures)
    });
    let peak = sound.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    pictures?;
    let bytes = std::fs::metadata(path).map_err(|error| MediaError::io("could not be opened", &error))?.len();
    Ok(Checked { seconds: planned, bytes, peak })
}

fn report(sandbox: &Sandbox, path: &Path) -> Result<Value, MediaError> {
    let errand = ffmpeg::ffprobe(Limits::SMALL)
        .of_ours()
        .words("-show_entries stream=codec_type,width,height,nb_frames,duration -of json -i")
        .prefixed_input("file:", path);
    let output = sandbox.run(&errand)?;
    serde_json::from_slice(&output.stdout)
        .map_err(|error| MediaError::machine(format!("ffprobe gave no JSON: {error}")))
}

fn stream<'r>(report: &'r Value, kind: &str) -> &'r Value {
    let streams = report["streams"].as_array();
    streams.and_then(|streams| streams.iter().find(|stream| stream["codec_type"] == kind)).unwrap_or(&Value::Null)
}

fn seconds(stream: &Value) -> f64 {
    stream["duration"].as_str().and_then(|text| text.parse().ok()).unwrap_or(0.0)
}

fn same(what: &'static str, found: &Value, planned: u64) -> Result<(), CheckError> {
    let found = found.as_u64().or_else(|| found.as_str()?.parse().ok()).unwrap_or(0);
    if found == planned { Ok(()) } else { Err(differs(what, found, planned)) }
}

fn differs<T: std::fmt::Display>(what: &'static str, found: T, planned: T) -> CheckError {
    CheckError::Differs { what, found: found.to_string(), planned: planned.to_string() }
}

/// An hour of sound decodes in seconds.
const DECODE: Limits = Limits { wall: 3600, cpu: 3600, stall: 300, ..Limits::FOOTAGE };

fn decode_sound(sandbox: &Sandbox, path: &Path, planned: u64) -> Result<f32, CheckError> {
    let errand = decoder(None, path).words("-map 0:a:0 -f f32le pipe:1");
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

fn decode_pictures(sandbox: &Sandbox, path: &Path, expect: &Expect, seconds: f64) -> Result<(), CheckError> {
    /// Seconds at either end. At the last one the decoder begins with the key frame before it.
    const END: u32 = 2;
    if expect.every_frame || seconds <= 5.0 * f64::from(END) {
        return count_pictures(sandbox, &[], path, Some(expect.frames));
    }
    count_pictures(sandbox, &["-t", &END.to_string()], path, Some((END * FRAME_RATE.num).into()))?;
    count_pictures(sandbox, &["-ss", &format!("{:.3}", seconds - f64::from(END))], path, None)
}

/// Decodes pictures and counts them by a checksum line each.
fn count_pictures(sandbox: &Sandbox, part: &[&str], path: &Path, planned: Option<u64>) -> Result<(), CheckError> {
    let errand = decoder(Some(part), path).words("-map 0:v:0 -fps_mode passthrough -f framecrc pipe:1");
    let output = sandbox.run(&errand)?;
    clean(&output.stderr)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let found = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).count() as u64;
    match planned {
        Some(planned) if found != planned => Err(differs("decodable frames", found, planned)),
        None if found == 0 => Err(CheckError::Unclean("no picture at its end".to_owned())),
        _ => Ok(()),
    }
}

fn decoder(part: Option<&[&str]>, path: &Path) -> Errand {
    let errand = Errand::new("ffmpeg", DECODE).of_ours().words("-hide_banner -nostdin -v warning -xerror -threads 2");
    errand.args(part.unwrap_or_default()).arg("-i").prefixed_input("file:", path)
}

fn clean(complaints: &str) -> Result<(), CheckError> {
    match complaints.lines().next() {
        None => Ok(()),
        Some(first) => Err(CheckError::Unclean(first.to_owned())),
    }
}
