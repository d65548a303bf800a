//! Questions that somebody waits for: what may be asked, and how it is answered.
//!
//! Who answers is handed in: a warm worker process in the service, somebody who needs no presenters in tests.

use std::pin::Pin;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::watch;

use crate::kind::Kind;

/// Questions that are answered side by side: those that somebody looks at meanwhile, and those that fetch and measure.
/// Each kind has a worker of its own.
pub const QUICK: usize = 4;
pub const SLOW: usize = 2;

/// An answer that takes a while.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T, DeskError>> + Send + 'a>>;

/// Somebody who answers.
pub trait Desk: Send + Sync + std::fmt::Debug {
    /// One frame.
    fn still(&self, project: Value, view: View) -> Later<'_, Picture>;

    fn say(&self, text: String, speaker: Who) -> Later<'_, Speech>;

    /// Everything about a project that can be known without making the film.
    fn check(&self, project: Value) -> Later<'_, Checked>;

    /// The size of a linked picture.
    fn size(&self, link: &str) -> Later<'_, (u32, u32)>;

    /// Bakes who presents in a project, so that its export finds them baked.
    fn bake_ahead(&self, project: Value) -> Later<'_, ()>;

    /// A design, drawn soon: head and chest.
    fn look(&self, design: Value, dress: Dress) -> Later<'_, Picture>;

    /// The same desk for an account, which may show its own presenters, and for somebody who may leave. What it was asked is given up then, and the answer, which is an error
    /// unless it was done already, comes when nobody works on it any more.
    fn wanted(&self, account: &str, wanted: Wanted) -> Arc<dyn Desk>;
}

/// Somebody waits for an answer as long as this lives.
#[derive(Debug)]
pub struct Waiter(#[expect(dead_code, reason = "what counts is how long it lives")] watch::Sender<()>);

/// Whether somebody still waits.
#[derive(Clone, Debug, Default)]
pub struct Wanted(Option<watch::Receiver<()>>);

impl Wanted {
    /// For whoever comes later, if nobody waits now.
    pub fn by_all() -> Self {
        Self(None)
    }

    pub fn by_somebody() -> (Waiter, Self) {
        let (waiter, wanted) = watch::channel(());
        (Waiter(waiter), Self(Some(wanted)))
    }

    /// When nobody waits any more.
    pub async fn ends(&mut self) {
        match &mut self.0 {
            Some(waiter) => while waiter.changed().await.is_ok() {},
            None => std::future::pending().await,
        }
    }
}

/// Which frame of a project, and as what.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    pub scene: usize,
    /// Seconds into the scene; its best moment where none are said.
    pub at: Option<f64>,
    /// Of the picture, in pixels.
    pub width: u32,
    /// Else PNG.
    pub jpeg: bool,
    /// A likeness of presenters who are not baked yet will do, for it is there sooner.
    pub soon: bool,
}

impl View {
    /// A JPEG of the first scene at its best moment.
    pub fn of_width(width: u32) -> Self {
        Self { scene: 0, at: None, width, jpeg: true, soon: false }
    }

    #[must_use]
    pub fn at(self, seconds: impl Into<Option<f64>>) -> Self {
        Self { at: seconds.into(), ..self }
    }
}

/// How a designed presenter is looked at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Dress {
    /// The first one where it is empty.
    pub outfit: String,
    /// Of the picture, in pixels; four wide, five high.
    pub width: u32,
    /// As films show it, however long that takes; else a likeness.
    pub fine: bool,
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
pub struct Picture {
    #[serde(with = "in_base64")]
    pub bytes: Vec<u8>,
    /// `image/png` or `image/jpeg`.
    pub media_type: String,
    pub width: u32,
    pub height: u32,
    /// Whether the presenters move their lips to speech that was really spoken. Otherwise times are estimates.
    pub spoken: bool,
    /// Whether a presenter in it is only a likeness; asked without haste the picture is another one.
    pub sketched: bool,
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
    /// None for warnings.
    pub kind: Option<Kind>,
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
    pub kind: Kind,
    pub message: String,
    /// Every problem with its place, where the question was about a project.
    pub details: Vec<Flaw>,
}

impl DeskError {
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), details: Vec::new() }
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
