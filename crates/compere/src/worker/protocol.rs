//! What the service and its workers tell each other: one JSON document a line, on the worker's standard input and output.
//!
//! The service speaks first, with [`ToWorker::Hello`]. A worker makes one film or presenter at a time, which [`ToWorker::Cancel`] ends
//! early; questions carry a number and are answered in any order. A worker ends when its input does: that is how it
//! learns that the service is gone.

use std::path::PathBuf;

use compere_jobs::{Commission, Headway, Outcome};
use compere_own::{Made, Making};
use compere_store::{FilmPart, NextPart, PartClaim};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use compere_house::desk::{Checked, DeskError, Dress, Flaw, MediaLength, Picture, SceneLength, Speech, View, Who};
use compere_house::home::Home;
use compere_house::settings::Settings;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToWorker {
    Hello(Box<Hello>),
    /// `dir` is an empty folder for everything that is made.
    Film {
        commission: Box<Commission>,
        dir: PathBuf,
        passes: Vec<Pass>,
        /// Others may make parts of it.
        together: bool,
    },
    /// Parts of a film that others lead; `dir` is an empty folder for what is needed on the way. It ends as a film does.
    Help {
        commission: Box<Commission>,
        dir: PathBuf,
        passes: Vec<Pass>,
    },
    /// Who presents in a project, baked, for a film that may be wanted. It ends as a film does.
    Bake {
        project: Box<Value>,
        account: String,
    },
    Cancel,
    Ask {
        id: u64,
        question: Box<Question>,
        passes: Vec<Pass>,
        /// The account that may show its own presenters; empty for nobody's.
        account: String,
    },
    /// A presenter of footage.
    Build(Box<Making>),
    /// Nobody waits for that answer any more. It is answered all the same, as soon as it is let go of.
    Forget {
        id: u64,
    },
    /// What became of a question about parts of the film.
    Part {
        id: u64,
        answer: PartAnswer,
    },
    /// What was wanted is in the cache now, or is to be made.
    Fetched {
        id: u64,
        found: bool,
    },
}

/// All that a worker has to know, and nothing that opens more than it needs: no secret that signs, no key to the store.
/// It comes through the pipe because arguments and variables can be read by others.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hello {
    pub assets: PathBuf,
    pub data: PathBuf,
    pub settings: Settings,
    /// How links to our own media may begin.
    pub base_url: String,
    /// Makes films; others answer questions.
    pub films: bool,
    /// Lets others go first: films do, and questions that take long.
    pub yields: bool,
    /// Whether other machines keep what they made where the service can fetch it.
    pub shares: bool,
}

impl Hello {
    pub fn home(&self) -> Home {
        Home { assets: self.assets.clone(), data: self.data.clone() }
    }
}

/// Where something lies that a link of ours names. Whoever made the pass has looked at the signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pass {
    /// The link without host, query and fragment.
    pub path: String,
    pub lies: Lies,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lies {
    /// On this machine.
    Here(PathBuf),
    /// In a store that gives it to whoever has this link, for some hours.
    There(String),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FromWorker {
    Ready,
    /// It cannot work, and says why.
    Unfit {
        why: String,
    },
    Headway(Headway),
    /// Something is not in the cache that others may have made: its shelf and key.
    Wanted {
        id: u64,
        shelf: String,
        key: String,
    },
    /// Something was made that others may need, and lies in the cache.
    Kept {
        shelf: String,
        key: String,
    },
    /// Something about parts of the film that several workers make.
    Part(PartNews),
    /// A file of the film's stream is whole and lies at `file`, for whoever takes it away.
    Shown {
        name: String,
        file: PathBuf,
    },
    /// How far a presenter is, in percent.
    Building(f64),
    Built(Made),
    /// A film came to its end.
    Ended(Outcome),
    Answer {
        id: u64,
        answer: Box<Result<Answer, DeskError>>,
    },
}

/// What is said of a film that several workers make, by one of them. What has an id is answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartNews {
    /// Others may make these.
    Offered(Vec<FilmPart>),
    /// And there are no more.
    Whole,
    Claim {
        id: u64,
        part: FilmPart,
    },
    Next {
        id: u64,
        pictures: bool,
    },
    /// It lies in the cache of this machine.
    Made(FilmPart),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartAnswer {
    Claim(PartClaim),
    Next(NextPart),
}

/// Something that is to be answered while somebody waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// One frame: the scene's index, seconds into the scene, the picture's width in pixels.
    Still { project: Value, view: View },
    /// A text spoken: for samples, the editor and `simple/audio`.
    Say { text: String, speaker: Who, dictionary: Vec<(String, String)> },
    /// Everything about a project that can be known without making the film.
    Check { project: Value },
    /// The size of a linked picture.
    Size { link: String },
    /// Its presenters baked, for an export that may follow.
    BakeAhead { project: Value },
    /// A design, drawn.
    Look { design: Value, dress: Dress },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    Picture(Picture),
    Spoken(Speech),
    Checked(Checked),
    Size { width: u32, height: u32 },
    Baked,
}
