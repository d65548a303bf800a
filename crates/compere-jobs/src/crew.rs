//! What the engine needs of the outside: somebody who makes films, somebody who words the news, somebody who carries it.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;

use compere_store::{Ended, Export, Made, NewDelivery};
use serde_json::Value;
use tokio::sync::{mpsc, watch};

pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// One film to make.
#[derive(Clone, Debug)]
pub struct Job {
    pub export: String,
    /// Rises with every try.
    pub fence: i64,
    /// A create-project body.
    pub snapshot: Value,
    pub resolution: String,
    /// `mp4`, `wav`, `webm`, `mov`.
    pub format: String,
    /// Name of the download, without its ending.
    pub name: String,
    /// Seconds that the account's plan allows.
    pub longest: f64,
}

/// How far a job is.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// As `compere_render::Progress::step`.
    pub step: String,
    pub percent: f64,
}

/// Files of a finished job, there until [`Crew::tidy`].
#[derive(Clone, Debug)]
pub struct MadeFiles {
    pub made: Made,
    pub film: PathBuf,
    pub poster: Option<PathBuf>,
    pub vtt: Option<PathBuf>,
    pub srt: Option<PathBuf>,
}

/// How a job went.
#[derive(Debug)]
pub enum Outcome {
    Made(Box<MadeFiles>),
    /// It cannot be made; the sentence is for the author.
    Failed {
        code: i64,
        message: String,
    },
    /// Something of ours was not there (disk full, no memory): worth another try.
    Hiccup(String),
    /// The worker is dead; the sentence says how it died.
    WorkerDied(String),
    Cancelled,
}

/// Makes films. Implemented with child processes by the binary, and by puppets in tests.
pub trait Crew: Send + Sync + 'static {
    /// How many films it makes at once.
    fn size(&self) -> usize;

    /// Makes one. `stop` turning true ends it soon with [`Outcome::Cancelled`].
    fn make<'a>(&'a self, job: Job, steps: mpsc::Sender<Step>, stop: watch::Receiver<bool>) -> Later<'a, Outcome>;

    /// Removes what making it left behind; asked once per try, when everything worth keeping was taken.
    fn tidy<'a>(&'a self, export: &'a str) -> Later<'a, ()> {
        let _ = export;
        Box::pin(std::future::ready(()))
    }
}

/// Words the news of an ended export: the webhook with its links, or nothing when nobody asked.
pub trait Herald: Send + Sync + 'static {
    fn announce(&self, export: &Export, ended: &Ended) -> Option<NewDelivery>;
}

/// A request to a receiver.
#[derive(Clone, Debug)]
pub struct Post {
    pub method: String,
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

/// Carries webhooks over the network, under the address rules.
pub trait Sender: Send + Sync + 'static {
    /// The status, or a sentence about why there is none.
    fn send<'a>(&'a self, post: Post) -> Later<'a, Result<u16, String>>;
}
