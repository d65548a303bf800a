//! What a video or sound file holds, before any of it is decoded.

use std::path::Path;

use compere_media::{FRAME_RATE, FrameRate, SAMPLE_RATE};
use serde_json::Value;

use crate::sandbox::{Limits, Sandbox};
use crate::{MediaError, ffmpeg};

/// The first picture track and the first sound track of a file. At least one is there.
#[derive(Clone, Debug, PartialEq)]
pub struct MediaInfo {
    /// The demuxer's name, as FFmpeg calls it.
    pub format: String,
    pub video: Option<VideoInfo>,
    pub audio: Option<AudioInfo>,
}

impl MediaInfo {
    /// How many frames of a film it takes to play all of it.
    pub fn film_frames(&self) -> u64 {
        let video = self.video.as_ref().map_or(0, |video| video.film_frames);
        let audio = self.audio.as_ref().map_or(0, |audio| FRAME_RATE.frames_covering(audio.samples));
        video.max(audio)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct VideoInfo {
    /// As shown: turned as the file says, with square pixels.
    pub width: u32,
    pub height: u32,
    /// Quarter turns that players apply, in degrees counter-clockwise. Already counted in the size.
    pub rotation: i32,
    /// The average rate of its own pictures.
    pub rate: FrameRate,
    /// Its length in frames of a film.
    pub film_frames: u64,
    pub alpha: bool,
    pub codec: String,
    pub(crate) color: Color,
}

/// How its numbers are to be read as colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Color {
    /// FFmpeg's name of the matrix.
    pub matrix: &'static str,
    pub full_range: bool,
    /// Made for displays far brighter than sRGB: PQ or HLG.
    pub hdr: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct AudioInfo {
    /// Its length at 48 kHz.
    pub samples: u64,
    pub channels: u32,
    pub codec: String,
}

/// Looks into a file that someone sent.
pub fn probe(sandbox: &Sandbox, path: &Path) -> Result<MediaInfo, MediaError> {
    let report = report(sandbox, path)?;
    read_report(sandbox, path, &report)
}

/// The same for a picture in a video's clothes, which has no length.
pub(crate) fn probe_still(sandbox: &Sandbox, path: &Path) -> Result<VideoInfo, MediaError> {
    let report = report(sandbox, path)?;
    let first = report["streams"].as_array().and_then(|streams| streams.first());
    video_info(first.unwrap_or(&Value::Null), 0.0)
}

fn report(sandbox: &Sandbox, path: &Path) -> Result<Value, MediaError> {
    ffmpeg::check_head(path)?;
    let entries = "format=format_name,start_time,duration:stream=index,codec_type,codec_name,width,height,sample_aspect_ratio,pix_fmt,\
        avg_frame_rate,r_frame_rate,duration,color_space,color_range,color_transfer,channels\
        :stream_tags=alpha_mode,rotate:stream_side_data=rotation:stream_disposition=attached_pic";
    let errand = ffmpeg::ffprobe(Limits::SMALL).arg("-show_entries").arg(entries).words("-of json");
    let output = sandbox.run(&ffmpeg::foreign_input(errand, path)).map_err(ffmpeg::told)?;
    serde_json::from_slice(&output.stdout)
        .map_err(|error| MediaError::machine(format!("ffprobe gave no JSON: {error}")))
}

fn read_report(sandbox: &Sandbox, path: &Path, report: &Value) -> Result<MediaInfo, MediaError> {
    let none = Vec::new();
    let streams = report["streams"].as_array().unwrap_or(&none);
    let of_type = |kind: &str| {
        let cover = |stream: &Value| stream["disposition"]["attached_pic"] == 1;
        streams.iter().find(|stream| stream["codec_type"] == kind && !cover(stream))
    };
    // Matroska counts from nought, whenever the first picture comes; what is before that is not played.
    let begins = number(&report["format"]["start_time"]).unwrap_or(0.0).max(0.0);
    let whole = number(&report["format"]["duration"]).map(|seconds| match &report["format"]["format_name"] {
        Value::String(name) if name.contains("matroska") && seconds > begins => seconds - begins,
        _ => seconds,
    });
    let seconds = |stream: &Value, which: &str| match number(&stream["duration"]).or(whole) {
        Some(seconds) if seconds > 0.0 => Ok(seconds),
        _ => measured_seconds(sandbox, path, which, begins),
    };
    let video = match of_type("video") {
        Some(stream) => Some(video_info(stream, seconds(stream, "v:0")?)?),
        None => None,
    };
    let audio = match of_type("audio") {
        Some(stream) => Some(audio_info(stream, seconds(stream, "a:0")?)),
        None => None,
    };
    if video.is_none() && audio.is_none() {
        return Err(MediaError::wrong_type("holds neither pictures nor sound"));
    }
    Ok(MediaInfo { format: text(&report["format"]["format_name"]), video, audio })
}

fn video_info(stream: &Value, seconds: f64) -> Result<VideoInfo, MediaError> {
    let side = |name: &str| stream[name].as_u64().filter(|&n| n > 0 && n <= 16_384).map(|n| n as u32);
    let (Some(mut width), Some(mut height)) = (side("width"), side("height")) else {
        return Err(MediaError::damaged("has pictures without a usable size; at most 16384 pixels a side are read"));
    };
    let pixel_format = text(&stream["pix_fmt"]);
    let codec = text(&stream["codec_name"]);
    let color = color(stream, &pixel_format, width, height);
    if let Some((across, down)) = ratio(&stream["sample_aspect_ratio"], ':') {
        width = ((f64::from(width) * f64::from(across) / f64::from(down)).round() as u32).clamp(1, 65_536);
    }
    let rotation = rotation(stream);
    if rotation.rem_euclid(180) == 90 {
        (width, height) = (height, width);
    }
    let rate = ratio(&stream["avg_frame_rate"], '/').or(ratio(&stream["r_frame_rate"], '/')).unwrap_or((30, 1));
    Ok(VideoInfo {
        width,
        height,
        rotation,
        rate: FrameRate { num: rate.0, den: rate.1 },
        film_frames: FRAME_RATE.frames_of_seconds(seconds),
        alpha: has_alpha(stream, &pixel_format),
        codec,
        color,
    })
}

fn audio_info(stream: &Value, seconds: f64) -> AudioInfo {
    AudioInfo {
        samples: (seconds * f64::from(SAMPLE_RATE)).round() as u64,
        channels: stream["channels"].as_u64().unwrap_or(2) as u32,
        codec: text(&stream["codec_name"]),
    }
}

/// WebM keeps transparency beside the pictures, so their pixel format does not tell.
fn has_alpha(stream: &Value, pixel_format: &str) -> bool {
    let beside = stream["tags"]
        .as_object()
        .is_some_and(|tags| tags.iter().any(|(name, value)| name.eq_ignore_ascii_case("alpha_mode") && value == "1"));
    let within = ["yuva", "rgba", "argb", "bgra", "abgr", "gbrap", "ya8", "ya16"];
    beside || pixel_format == "pal8" || within.iter().any(|start| pixel_format.starts_with(start))
}

/// From the tags; where there are none, as every player guesses: small pictures are television of old.
fn color(stream: &Value, pixel_format: &str, width: u32, height: u32) -> Color {
    let matrix = match stream["color_space"].as_str() {
        Some("bt709") => "bt709",
        Some("smpte170m" | "bt470bg") => "smpte170m",
        Some("fcc") => "fcc",
        Some("smpte240m") => "smpte240m",
        Some("bt2020nc" | "bt2020c") => "bt2020",
        _ if width >= 1280 || height > 576 => "bt709",
        _ => "smpte170m",
    };
    let full_range = stream["color_range"] == "pc" || pixel_format.starts_with("yuvj");
    let hdr = matches!(stream["color_transfer"].as_str(), Some("smpte2084" | "arib-std-b67"));
    Color { matrix, full_range, hdr }
}

fn rotation(stream: &Value) -> i32 {
    let side_data =
        stream["side_data_list"].as_array().and_then(|list| list.iter().find_map(|item| item["rotation"].as_i64()));
    let tag = || number(&stream["tags"]["rotate"]).map(|degrees| -degrees as i64);
    let degrees = side_data.or_else(tag).unwrap_or(0) as i32;
    (degrees + 45).div_euclid(90) * 90
}

/// For files that do not say how long they are.
fn measured_seconds(sandbox: &Sandbox, path: &Path, stream: &str, begins: f64) -> Result<f64, MediaError> {
    let packets = packets(sandbox, path, stream)?;
    let end = packets.into_iter().map(|[start, length]| start + length).fold(0.0, f64::max) - begins;
    if end > 0.0 { Ok(end) } else { Err(MediaError::damaged("does not say how long it is")) }
}

/// When each of its pictures begins to be shown, in seconds and in their order. Nothing for files that do not say.
pub fn picture_times(sandbox: &Sandbox, path: &Path) -> Result<Vec<f64>, MediaError> {
    let mut times: Vec<f64> = packets(sandbox, path, "v:0")?.into_iter().map(|[start, _]| start).collect();
    times.sort_by(f64::total_cmp);
    Ok(times)
}

/// Walks over all packets, decoding none: when each begins, and how long it lasts where that is said.
fn packets(sandbox: &Sandbox, path: &Path, stream: &str) -> Result<Vec<[f64; 2]>, MediaError> {
    let errand = ffmpeg::ffprobe(Limits::SMALL).words("-select_streams").arg(stream);
    let errand = errand.words("-show_entries packet=pts_time,duration_time -of csv=p=0");
    let output = sandbox.run(&ffmpeg::foreign_input(errand, path)).map_err(ffmpeg::told)?;
    let packet = |line: &str| {
        let mut fields = line.split(',').map(str::parse::<f64>);
        let start = fields.next()?.ok()?;
        Some([start, fields.next().and_then(Result::ok).unwrap_or(0.0)])
    };
    Ok(String::from_utf8_lossy(&output.stdout).lines().filter_map(packet).collect())
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn number(value: &Value) -> Option<f64> {
    value.as_str()?.parse().ok().filter(|n: &f64| n.is_finite())
}

fn ratio(value: &Value, between: char) -> Option<(u32, u32)> {
    let (a, b) = value.as_str()?.split_once(between)?;
    Some((a.parse().ok()?, b.parse().ok()?)).filter(|&(a, b)| a > 0 && b > 0)
}
