//! How far a film is, in one vocabulary for the command line, the API and the dashboard.

use std::ops::ControlFlow;
use std::sync::Mutex;

use compere_codec::sandbox::Left;
use compere_media::Activity;

use crate::together::Company;

/// What is being done, and how much of it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Linked pictures, videos and sounds are fetched and looked at.
    Fetching { done: u32, of: u32 },
    /// Lines are spoken.
    Speaking { done: u32, of: u32 },
    /// Frames are drawn and encoded, or found to have been drawn before.
    Drawing { done: u64, of: u64 },
    /// Speech, clips and music become one sound.
    Mixing,
    /// The file is put together.
    Packing,
    /// The file is looked at as a player would.
    Checking,
}

impl Progress {
    /// Without the numbers, for lists and logs.
    pub fn activity(self) -> Activity {
        match self {
            Self::Fetching { .. } => Activity::Fetching,
            Self::Speaking { .. } => Activity::Speaking,
            Self::Drawing { .. } => Activity::Drawing,
            Self::Mixing => Activity::Mixing,
            Self::Packing => Activity::Packing,
            Self::Checking => Activity::Checking,
        }
    }
}

/// Whoever waits for the film.
pub trait Watcher: Sync {
    /// `percent` never falls. `Break` cancels: the frame in hand is finished, nothing is left behind.
    fn see(&self, progress: Progress, percent: f64) -> ControlFlow<()>;

    /// What turns true when nobody waits any more, so that a fetch or a decoder can be cut short in between.
    fn left(&self) -> Left {
        Left::default()
    }

    /// Where it is shown while it is made, if anywhere.
    fn screen(&self) -> Option<&dyn Screen> {
        None
    }

    /// Others who may make parts of it, if there are any.
    fn company(&self) -> Option<&dyn Company> {
        None
    }
}

/// Who shows a film while it is made.
pub trait Screen: Sync {
    /// A file of the stream is whole. Playlists come again and again, longer each time; what they name came before.
    fn show(&self, name: &str, bytes: &[u8]);

    /// There will be no more of it, and why. The film goes on.
    fn lost(&self, why: &str);
}

impl std::fmt::Debug for dyn Screen + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Screen")
    }
}

/// Nobody waits.
#[derive(Clone, Copy, Debug)]
pub struct Unwatched;

impl Watcher for Unwatched {
    fn see(&self, _: Progress, _: f64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Adds up activities that run side by side into one number that only rises.
///
/// Of the whole, fetching is 2 %, speaking 15 %, drawing 75 %; mixing, packing and checking share the rest. The film is
/// at 100 % when it is published, which is not decided here: the last step seen is 99 %.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    watcher: &'a dyn Watcher,
    shares: Mutex<Shares>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Shares {
    fetching: f64,
    speaking: f64,
    drawing: f64,
    finishing: f64,
}

impl std::fmt::Debug for dyn Watcher + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Watcher")
    }
}

impl<'a> Meter<'a> {
    pub(crate) fn new(watcher: &'a dyn Watcher) -> Self {
        Self { watcher, shares: Mutex::default() }
    }

    pub(crate) fn left(&self) -> Left {
        self.watcher.left()
    }

    pub(crate) fn screen(&self) -> Option<&'a dyn Screen> {
        self.watcher.screen()
    }

    pub(crate) fn company(&self) -> Option<&'a dyn Company> {
        self.watcher.company()
    }

    pub(crate) fn see(&self, progress: Progress) -> ControlFlow<()> {
        let mut shares = self.shares.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let part = |done: f64, of: f64| if of > 0.0 { (done / of).min(1.0) } else { 1.0 };
        match progress {
            Progress::Fetching { done, of } => shares.fetching = part(done.into(), of.into()),
            Progress::Speaking { done, of } => shares.speaking = part(done.into(), of.into()),
            Progress::Drawing { done, of } => shares.drawing = shares.drawing.max(part(done as f64, of as f64)),
            Progress::Mixing => shares.finishing = 0.2,
            Progress::Packing => shares.finishing = 0.5,
            Progress::Checking => shares.finishing = 0.9,
        }
        let percent = shares.fetching * 2.0 + shares.speaking * 15.0 + shares.drawing * 75.0 + shares.finishing * 8.0;
        // Told under the lock: two threads must not pass each other on the way to the watcher.
        self.watcher.see(progress, percent.min(99.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_only_rises_whoever_reports_first() {
        struct Rising(Mutex<f64>);
        impl Watcher for Rising {
            fn see(&self, progress: Progress, percent: f64) -> ControlFlow<()> {
                let mut last = self.0.lock().expect("one thread");
                assert!(percent >= *last, "{progress:?} fell from {last} to {percent}");
                *last = percent;
                ControlFlow::Continue(())
            }
        }
        let rising = Rising(Mutex::new(0.0));
        let meter = Meter::new(&rising);
        for progress in [
            Progress::Fetching { done: 0, of: 0 },
            Progress::Speaking { done: 1, of: 4 },
            Progress::Drawing { done: 30, of: 900 },
            Progress::Drawing { done: 10, of: 900 },
            Progress::Speaking { done: 4, of: 4 },
            Progress::Drawing { done: 900, of: 900 },
            Progress::Mixing,
            Progress::Packing,
            Progress::Checking,
        ] {
            assert_eq!(meter.see(progress), ControlFlow::Continue(()));
        }
        assert!(*rising.0.lock().expect("one thread") <= 99.0);
    }
}
