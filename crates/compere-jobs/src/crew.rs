//! What an engine needs of the outside: somebody who makes films, somebody who words the news, somebody who carries it.

use std::future::Future;
use std::pin::Pin;

use compere_media::Activity;
use compere_store::{Announcement, Ended, Export, Finished, HookMethod, Order};
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, watch};

pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// One film to make: all that its maker has to know, on this machine or another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Commission {
    pub export: String,
    /// Whose it is: they may show their own presenters.
    pub account: String,
    /// Rises with every try.
    pub fence: i64,
    pub order: Order,
    /// Seconds that the account's plan allows.
    pub longest: f64,
}

/// How far a film is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Headway {
    pub activity: Activity,
    pub percent: f64,
}

/// How making a film went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Its files are there until [`Crew::tidy`].
    Made(Box<Finished>),
    /// It cannot be made; the sentence is for the author.
    Failed { message: String },
    /// Something of ours was not there (disk full, no memory): worth another try.
    Hiccup { message: String },
    /// An error of ours, and where in the film it was met. The same film will meet it again.
    Bug { message: String },
    /// The worker is dead; the sentence says how it died.
    Died { how: String },
    /// It was told to stop.
    Cancelled,
}

impl Outcome {
    /// The same with its sentence in other words.
    #[must_use]
    pub fn told_as(mut self, words: impl FnOnce(&str) -> String) -> Self {
        if let Self::Failed { message, .. } | Self::Hiccup { message } | Self::Bug { message } = &mut self {
            *message = words(message);
        }
        self
    }
}

/// Makes films. Implemented with child processes by the binary, and by puppets in tests.
pub trait Crew: Send + Sync + 'static {
    /// How many films it makes at once.
    fn size(&self) -> usize;

    /// Makes one. `stop` turning true ends it soon with [`Outcome::Cancelled`].
    fn make<'a>(
        &'a self,
        commission: Commission,
        headway: mpsc::Sender<Headway>,
        stop: watch::Receiver<bool>,
    ) -> Later<'a, Outcome>;

    /// Removes what making it left behind; asked once per try, when everything worth keeping was taken.
    fn tidy<'a>(&'a self, export: &'a str) -> Later<'a, ()> {
        let _ = export;
        Box::pin(std::future::ready(()))
    }
}

/// Words the news of an ended export with its links, or nothing where there is no more to say than that it is over.
pub trait Herald: Send + Sync + 'static {
    fn announce(&self, export: &Export, ended: &Ended) -> Option<Announcement>;
}

/// A request to a receiver.
#[derive(Clone, Debug)]
pub struct Post {
    pub method: HookMethod,
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

/// Carries webhooks over the network, under the address rules.
pub trait Sender: Send + Sync + 'static {
    /// The status, or a sentence about why there is none.
    fn send<'a>(&'a self, post: Post) -> Later<'a, Result<u16, String>>;
}
