//! How an export ends, and what it leaves behind.

use std::path::PathBuf;

use compere_media::words;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an export left behind, as it is stored and shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Made {
    /// Seconds.
    pub duration: f64,
    /// Bytes of the main file.
    pub size: u64,
    /// Name of the main file, as it is offered for download: `Quarterly news.mp4`.
    pub file_name: String,
    pub width: u32,
    pub height: u32,
    pub frames: u64,
    pub loudness: Option<f64>,
    pub drawn_frames: u64,
    /// Second at which each scene begins. Films of earlier versions do not know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<f64>,
    /// Which of poster, captions (vtt, srt) there are besides the main file.
    pub poster: bool,
    pub captions: bool,
    /// Word timings of an audio export.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub meta_list: Value,
    /// Seconds that each stage took.
    pub took: Vec<(String, f64)>,
    /// `{path, message}` each.
    pub warnings: Vec<Value>,
}

words! {
    /// The files of an export.
    pub enum Product {
        Film = "film",
        Poster = "poster",
        Vtt = "vtt",
        Srt = "srt",
    }
}

/// A film as its maker hands it over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finished {
    pub made: Made,
    /// Where its files lie on this machine.
    pub files: Vec<(Product, PathBuf)>,
}

/// How an export ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Ended {
    Exported { made: Box<Made>, credits: i64 },
    Failed { message: String },
    Cancelled,
}
