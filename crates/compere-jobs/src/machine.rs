//! What happens next to an export: a pure state machine.
//!
//! [`step`] knows nothing of clocks, tasks or databases. The engine tells it what happened and carries out what it
//! answers; the store lets each [`Command`] that ends an export come true once only, because it names the fence under
//! which the export was held.

use compere_store::ExportState;

/// After so many workers lost, the export is the one to blame.
pub const STRIKES: i64 = 3;
/// How often something of ours may be missing before the export fails: about half an hour of trying.
pub const HICCUPS: u32 = 8;

/// Where an export is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Queued,
    /// In the crew's hands.
    Making,
    Ended(End),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Exported,
    Failed,
    Cancelled,
}

/// Everything the next step depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    pub stage: Stage,
    /// Workers it has cost.
    pub strikes: i64,
    /// Tries that ended because something of ours was missing.
    pub hiccups: u32,
    /// Its author does not want it any more.
    pub cancel_asked: bool,
}

impl Life {
    pub fn accepted() -> Self {
        Self { stage: Stage::Queued, strikes: 0, hiccups: 0, cancel_asked: false }
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A worker has it.
    Claimed,
    /// It was made; the files lie beside.
    Made,
    /// It cannot be made.
    Failed {
        code: i64,
        message: String,
    },
    /// Something of ours was not there.
    Hiccup {
        message: String,
    },
    WorkerDied {
        how: String,
    },
    /// Its author asked to stop it.
    CancelAsked,
    /// The worker let go of it, as it was told.
    LetGo,
    /// The service, or whoever held it, is gone.
    Orphaned,
}

/// What to do about it.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Tell the worker to stop.
    Stop,
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

impl Command {
    /// Whether nothing can happen to the export any more once it is carried out.
    pub fn ends(&self) -> bool {
        matches!(self, Self::Publish | Self::Fail { .. } | Self::Cancel)
    }
}

/// What becomes of an export, and what is to be done.
pub fn step(life: &Life, event: Event) -> (Life, Option<Command>) {
    match life.stage {
        Stage::Ended(_) => (*life, None),
        Stage::Queued => queued(life, &event),
        Stage::Making => making(life, event),
    }
}

fn queued(life: &Life, event: &Event) -> (Life, Option<Command>) {
    match event {
        Event::CancelAsked => end(life, End::Cancelled, Command::Cancel),
        Event::Claimed => (Life { stage: Stage::Making, ..*life }, None),
        // From a worker that was thought dead: somebody else will make it.
        _ => (*life, None),
    }
}

fn making(life: &Life, event: Event) -> (Life, Option<Command>) {
    match event {
        Event::CancelAsked => (Life { cancel_asked: true, ..*life }, Some(Command::Stop)),
        Event::Claimed => (*life, None),
        Event::Orphaned => (Life { stage: Stage::Queued, ..*life }, None),
        // However it went, nobody wants it.
        _ if life.cancel_asked => end(life, End::Cancelled, Command::Cancel),
        Event::Made => end(life, End::Exported, Command::Publish),
        Event::Failed { code, message } => end(life, End::Failed, Command::Fail { code, message }),
        Event::LetGo => requeue(life, false, 0),
        Event::Hiccup { message } => {
            let life = Life { hiccups: life.hiccups + 1, ..*life };
            if life.hiccups >= HICCUPS {
                let message = format!("{message}; it was tried {} times", life.hiccups);
                return end(&life, End::Failed, Command::Fail { code: 5010, message });
            }
            requeue(&life, false, backoff(life.hiccups))
        }
        Event::WorkerDied { how } => {
            let life = Life { strikes: life.strikes + 1, ..*life };
            if life.strikes >= STRIKES {
                let message = format!("the film ended its worker {STRIKES} times: {how}; make it shorter or simpler");
                return end(&life, End::Failed, Command::Fail { code: 5010, message });
            }
            requeue(&life, true, backoff(life.strikes as u32))
        }
    }
}

fn end(life: &Life, how: End, command: Command) -> (Life, Option<Command>) {
    (Life { stage: Stage::Ended(how), ..*life }, Some(command))
}

fn requeue(life: &Life, strike: bool, wait: i64) -> (Life, Option<Command>) {
    (Life { stage: Stage::Queued, ..*life }, Some(Command::Requeue { strike, wait }))
}

/// Milliseconds before another try: 2 s, 8 s, 32 s … 10 min.
fn backoff(tries: u32) -> i64 {
    (2_000_i64 << (2 * tries.saturating_sub(1).min(8))).min(600_000)
}

/// The state that clients see while a step is done.
pub fn state_of(step: &str) -> ExportState {
    match step {
        "drawing" => ExportState::Rendering,
        "mixing" | "packing" | "checking" | "storing" => ExportState::Finishing,
        _ => ExportState::Synthesizing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_event() -> impl Strategy<Value = Event> {
        prop_oneof![
            3 => Just(Event::Claimed),
            1 => Just(Event::Made),
            1 => Just(Event::Failed { code: 5010, message: "no".into() }),
            2 => Just(Event::Hiccup { message: "disk full".into() }),
            2 => Just(Event::WorkerDied { how: "killed".into() }),
            1 => Just(Event::CancelAsked),
            1 => Just(Event::LetGo),
            2 => Just(Event::Orphaned),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_interleaving_ends_once_and_for_ever(events in prop::collection::vec(any_event(), 0..80)) {
            let (mut life, mut ends) = (Life::accepted(), 0);
            for event in events {
                let before = life;
                let (after, command) = step(&life, event);
                if matches!(before.stage, Stage::Ended(_)) {
                    prop_assert_eq!(after, before, "nothing leaves a terminal state");
                    prop_assert_eq!(&command, &None);
                }
                let ended = matches!(after.stage, Stage::Ended(_)) && !matches!(before.stage, Stage::Ended(_));
                prop_assert_eq!(command.as_ref().is_some_and(Command::ends), ended, "an end is told, and nothing else is one");
                ends += usize::from(ended);
                prop_assert!(after.strikes <= STRIKES && after.hiccups <= HICCUPS);
                prop_assert!(after.strikes >= before.strikes && after.hiccups >= before.hiccups);
                if let Some(Command::Requeue { wait, .. }) = command {
                    prop_assert_eq!(after.stage, Stage::Queued);
                    prop_assert!((0..=600_000).contains(&wait));
                }
                life = after;
            }
            prop_assert!(ends <= 1);
            // Whatever came before, an export that is taken up and made is over.
            let (life, _) = step(&step(&life, Event::Claimed).0, Event::Made);
            prop_assert!(matches!(life.stage, Stage::Ended(_)));
        }

        #[test]
        fn nobody_gets_what_was_cancelled(events in prop::collection::vec(any_event(), 0..40)) {
            let (life, _) = step(&Life::accepted(), Event::Claimed);
            let (mut life, _) = step(&life, Event::CancelAsked);
            for event in events {
                let (after, command) = step(&life, event);
                let unwanted = matches!(command, Some(Command::Publish | Command::Fail { .. } | Command::Requeue { .. }));
                prop_assert!(!unwanted);
                life = after;
            }
        }
    }

    #[test]
    fn three_workers_are_enough() {
        let mut life = Life::accepted();
        for strike in 1..=STRIKES {
            life = step(&life, Event::Claimed).0;
            let (after, command) = step(&life, Event::WorkerDied { how: "it was killed".into() });
            life = after;
            match command {
                Some(Command::Requeue { strike: true, .. }) => assert!(strike < STRIKES),
                Some(Command::Fail { code: 5010, message }) => assert!(strike == STRIKES && message.contains("killed")),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(life.stage, Stage::Ended(End::Failed));
    }

    #[test]
    fn what_is_ours_is_tried_for_half_an_hour() {
        let waits: Vec<i64> = (1..HICCUPS).map(backoff).collect();
        assert_eq!(waits[..4], [2_000, 8_000, 32_000, 128_000]);
        let all: i64 = waits.iter().sum();
        assert!((1_200_000..3_600_000).contains(&all), "{all}");
    }
}
