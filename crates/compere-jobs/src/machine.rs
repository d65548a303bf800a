//! What happens next to an export: a pure function.

use compere_store::ExportState;

/// After so many workers lost, the export is the one to blame.
pub const STRIKES: i64 = 3;

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// It was made; the files lie beside.
    Made,
    Failed {
        code: i64,
        message: String,
    },
    Hiccup {
        tries: u32,
        message: String,
    },
    WorkerDied {
        strikes: i64,
        how: String,
    },
    CancelAsked,
    /// The service is stopping.
    Stopping,
}

/// What to do about it.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Publish,
    Fail {
        code: i64,
        message: String,
    },
    Cancel,
    /// Back into the queue, for `wait` milliseconds at least.
    Requeue {
        strike: bool,
        wait: i64,
    },
}

/// How often something of ours may be missing before the export fails: about half an hour of trying.
const HICCUPS: u32 = 8;

pub fn next(event: Event) -> Command {
    match event {
        Event::Made => Command::Publish,
        Event::Failed { code, message } => Command::Fail { code, message },
        Event::Hiccup { tries, message } if tries >= HICCUPS => {
            Command::Fail { code: 5010, message: format!("{message}; it was tried {tries} times") }
        }
        Event::Hiccup { tries, .. } => Command::Requeue { strike: false, wait: backoff(tries) },
        Event::WorkerDied { strikes, how } if strikes + 1 >= STRIKES => {
            let message = format!("the film ended its worker {STRIKES} times ({how}); make it shorter or simpler");
            Command::Fail { code: 5010, message }
        }
        Event::WorkerDied { strikes, .. } => Command::Requeue { strike: true, wait: backoff(strikes as u32) },
        Event::CancelAsked => Command::Cancel,
        Event::Stopping => Command::Requeue { strike: false, wait: 0 },
    }
}

/// Milliseconds before another try: 2 s, 8 s, 32 s … 10 min.
fn backoff(tries: u32) -> i64 {
    (2_000_i64 << (2 * tries.min(8))).min(600_000)
}

/// The state that clients see while a step is done.
pub fn state_of(step: &str) -> ExportState {
    match step {
        "drawing" => ExportState::Rendering,
        "mixing" | "packing" | "checking" | "storing" => ExportState::Finishing,
        _ => ExportState::Synthesizing,
    }
}
