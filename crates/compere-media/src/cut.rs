use serde::{Deserialize, Serialize};

/// What a finished film measures, and what it took to make.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cut {
    /// Seconds.
    pub duration: f64,
    pub width: u32,
    pub height: u32,
    pub frames: u64,
    /// Integrated, in LUFS; nothing for a silent film.
    pub loudness: Option<f64>,
    /// How many of the frames had not been drawn before.
    pub drawn_frames: u64,
    /// Second at which each scene begins. Films of earlier versions do not know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<f64>,
    /// Where named parts begin; nothing for a film without them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chapters: Vec<Chapter>,
    /// Seconds that each stage took.
    pub took: Vec<(String, f64)>,
}

/// A part of a film that has a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chapter {
    /// Second at which it begins.
    pub start: f64,
    pub title: String,
}
