//! What the service and its workers tell each other: one JSON document a line, on the worker's standard input and output.
//!
//! The service speaks first, with [`ToWorker::Hello`]. A worker makes one film at a time, which [`ToWorker::Cancel`] ends
//! early; questions carry a number and are answered in any order. A worker ends when its input does: that is how it
//! learns that the service is gone.

use std::path::PathBuf;

use compere_store::Made;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::settings::Settings;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToWorker {
    Hello(Box<Hello>),
    Film(Box<Order>),
    Cancel,
    Ask { id: u64, question: Box<Question> },
}

/// All that a worker has to know. It comes through the pipe because arguments and variables can be read by others.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hello {
    pub assets: PathBuf,
    pub data: PathBuf,
    pub settings: Settings,
    /// How links to our own media begin, and what signs them.
    pub base_url: String,
    pub link_secret: String,
    /// Films yield to the API; questions do not.
    pub films: bool,
}

/// A film to make.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Order {
    pub export: String,
    pub snapshot: Value,
    pub resolution: String,
    pub format: String,
    /// Name of the download, without its ending.
    pub name: String,
    /// Seconds.
    pub longest: f64,
    /// An empty folder for everything that is made.
    pub dir: PathBuf,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FromWorker {
    Ready,
    Step { step: String, percent: f64 },
    Made(Box<Report>),
    Failed { code: i64, message: String },
    Hiccup { message: String },
    Cancelled,
    Answer { id: u64, answer: Box<Result<Answer, DeskError>> },
}

/// A finished film and where its files lie.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    pub made: Made,
    pub film: PathBuf,
    pub poster: Option<PathBuf>,
    pub vtt: Option<PathBuf>,
    pub srt: Option<PathBuf>,
}

/// Something that is to be answered while somebody waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// One frame: the scene's index, seconds into the scene, the picture's width in pixels.
    Still { project: Value, scene: usize, at: f64, width: u32, jpeg: bool },
    /// A text spoken: for samples, the editor and `simple/audio`.
    Say { text: String, speaker: Who, dictionary: Vec<(String, String)> },
    /// Everything about a project that can be known without making the film.
    Check { project: Value },
    /// The size of a linked picture.
    Size { link: String },
}

/// Who speaks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// With the voice that the presenter has for the language, or else for that of the text.
    Presenter {
        id: String,
        language: Option<String>,
    },
    Voice {
        id: String,
        speed: f64,
        language: Option<String>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    Picture(Picture),
    Spoken(Speech),
    Checked(Checked),
    Size { width: u32, height: u32 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    #[serde(with = "in_base64")]
    pub bytes: Vec<u8>,
    /// `image/png` or `image/jpeg`.
    pub media_type: String,
    pub width: u32,
    pub height: u32,
    /// Whether the presenters move their lips to speech that was really spoken. Otherwise times are estimates.
    pub spoken: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Speech {
    /// A mono WAV at 48 kHz with 16 bits.
    #[serde(with = "in_base64")]
    pub wav: Vec<u8>,
    pub seconds: f64,
    /// The voice that spoke.
    pub voice: String,
    /// `[{"word": "Hello,", "start": 0.2, "end": 0.61}, …]`, seconds.
    pub meta_list: Value,
    pub warnings: Vec<String>,
}

/// What is known of a project before its film is made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// What would make the export fail. Empty for a project that can be exported.
    pub problems: Vec<Flaw>,
    /// What would be different from what was meant.
    pub warnings: Vec<Flaw>,
    /// Length of the film; speech that was not spoken before is estimated, everything else is exact.
    pub seconds: f64,
    pub exact: bool,
    pub scenes: Vec<SceneLength>,
    pub media: Vec<MediaLength>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flaw {
    /// 4001 … 4006; 0 for warnings.
    pub code: i64,
    /// `scenes[2].clips[0]`
    pub path: String,
    pub message: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneLength {
    /// Of the film.
    pub start: f64,
    pub seconds: f64,
}

/// A linked video or sound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MediaLength {
    pub link: String,
    pub seconds: f64,
    /// Of its pictures, if it has any.
    pub size: Option<(u32, u32)>,
}

/// Why a question was not answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct DeskError {
    /// As in the interface: 4001 … 4006 the asker's, 5000 and 5030 ours.
    pub code: i64,
    pub message: String,
    /// Every problem with its place, where the question was about a project.
    pub details: Vec<Flaw>,
}

impl DeskError {
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: Vec::new() }
    }
}

/// Pictures and sounds inside JSON.
mod in_base64 {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        STANDARD.decode(String::deserialize(from)?).map_err(de::Error::custom)
    }
}
