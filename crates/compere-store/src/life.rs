//! What happens next to an export: a pure state machine.
//!
//! [`step`] knows nothing of clocks, tasks or databases: a life and what happened make the next life and what is to be
//! done about it. Every change of an export's row is one of its steps, taken where the row is locked; every engine is a
//! loop that carries its commands out and tells it what came of them. Told twice, or by somebody who lost the export
//! meanwhile, it changes nothing.

use compere_media::{Activity, words};
use serde::{Deserialize, Serialize};

use crate::ended::{Ended, Made};

/// After so many workers lost, the export is the one to blame.
pub const STRIKES: i64 = 3;
/// How often something of ours may be missing before the export fails: about half an hour of trying.
pub const HICCUPS: i64 = 8;

words! {
    /// Where an export is, as clients see it.
    pub enum ExportState {
        Queued = "queued",
        Synthesizing = "synthesizing",
        Rendering = "rendering",
        Finishing = "finishing",
        Exported = "exported",
        Failed = "failed",
        Cancelled = "cancelled",
    }
}

impl ExportState {
    pub fn is_over(self) -> bool {
        matches!(self, Self::Exported | Self::Failed | Self::Cancelled)
    }

    pub fn is_running(self) -> bool {
        matches!(self, Self::Synthesizing | Self::Rendering | Self::Finishing)
    }

    /// While somebody is at it.
    fn of(activity: Activity) -> Self {
        match activity {
            Activity::Drawing => Self::Rendering,
            Activity::Mixing | Activity::Packing | Activity::Checking | Activity::Storing | Activity::Done => {
                Self::Finishing
            }
            Activity::Waiting | Activity::Starting | Activity::Fetching | Activity::Speaking => Self::Synthesizing,
        }
    }
}

/// Everything that the next step depends on, and everything of it that clients see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Life {
    pub state: ExportState,
    pub activity: Activity,
    /// 0 to 100; never falls.
    pub progress: f64,
    /// Rises with every claim. Whoever has the export names it, so that one who was thought dead has no say.
    pub fence: i64,
    /// Workers it has cost.
    pub strikes: i64,
    /// Tries that ended because something of ours was missing.
    pub hiccups: i64,
    /// An error of ours that ended the last try. The same film meets it again.
    pub bug: Option<String>,
    /// Its author does not want it any more.
    pub cancel_asked: bool,
    /// It was ordered with a test key, and costs nothing.
    pub test: bool,
}

impl Life {
    pub fn accepted() -> Self {
        Self {
            state: ExportState::Queued,
            activity: Activity::Waiting,
            progress: 0.0,
            fence: 0,
            strikes: 0,
            hiccups: 0,
            bug: None,
            cancel_asked: false,
            test: false,
        }
    }

    /// Milliseconds that it may have to wait since its last try, at most. Whoever sees its row by another clock needs not
    /// believe in more.
    pub fn longest_wait(&self) -> i64 {
        let tries = self.hiccups.max(self.strikes);
        if tries == 0 { 0 } else { backoff(tries) }
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// Somebody takes it up.
    Claimed,
    /// Its author asked to stop it, or deleted its project.
    CancelAsked,
    /// Whoever had it under this fence is gone, and it is not the film's fault: the service ended, or lost sight of it.
    Orphaned { fence: i64 },
    /// Whoever has it under this fence has something to say.
    Told { fence: i64, news: News },
}

/// What is said by whoever has an export.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum News {
    Alive {
        activity: Activity,
        percent: f64,
    },
    /// It was made; the files lie beside.
    Made,
    /// Its files are where they are kept.
    Kept(Box<Made>),
    /// It cannot be made; the sentence is for the author.
    Failed {
        message: String,
    },
    /// Something of ours was not there: disk full, no memory.
    Hiccup {
        message: String,
    },
    /// An error of ours, and where in the film.
    Bug {
        message: String,
    },
    /// The worker is dead; the sentence says how it died.
    Died {
        how: String,
    },
    /// It stopped, as it was told.
    LetGo,
}

/// What to do about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Command {
    /// Have it made; everything that is said of it names this fence.
    Make { fence: i64 },
    /// Tell whoever has it to stop.
    Stop,
    /// Put its files where they are kept.
    Keep,
    /// Back into the queue, for `wait` milliseconds at least.
    Queue { wait: i64 },
    /// It is over: settle its price and send its webhook, in the same breath.
    End(Ended),
    /// Whoever spoke has no say in it any more. What it made is not wanted.
    Dismiss,
}

/// What becomes of an export, and what is to be done.
pub fn step(life: &Life, event: Event) -> (Life, Vec<Command>) {
    let (life, command) = match life.state {
        state if state.is_over() => (life.clone(), dismissed(&event)),
        ExportState::Queued => queued(life, &event),
        _ => making(life, event),
    };
    (life, command.into_iter().collect())
}

type Next = (Life, Option<Command>);

/// Only those who believe that they have it are answered.
fn dismissed(event: &Event) -> Option<Command> {
    matches!(event, Event::Told { .. }).then_some(Command::Dismiss)
}

fn queued(life: &Life, event: &Event) -> Next {
    match event {
        Event::CancelAsked => end(Life { cancel_asked: true, ..life.clone() }, Ended::Cancelled),
        Event::Claimed => {
            let fence = life.fence + 1;
            let activity = Activity::Starting;
            let life = Life { state: ExportState::of(activity), activity, fence, ..life.clone() };
            (life, Some(Command::Make { fence }))
        }
        // From a worker that was thought dead: somebody else will make it.
        Event::Orphaned { .. } | Event::Told { .. } => (life.clone(), dismissed(event)),
    }
}

fn making(life: &Life, event: Event) -> Next {
    match event {
        Event::CancelAsked if life.cancel_asked => (life.clone(), None),
        Event::CancelAsked => (Life { cancel_asked: true, ..life.clone() }, Some(Command::Stop)),
        Event::Told { fence, .. } if fence != life.fence => (life.clone(), Some(Command::Dismiss)),
        Event::Orphaned { fence } if fence != life.fence => (life.clone(), None),
        Event::Claimed => (life.clone(), None),
        Event::Told { news: News::Alive { activity, percent }, .. } => {
            (moved(life, activity, percent), life.cancel_asked.then_some(Command::Stop))
        }
        // However it went, nobody wants it.
        Event::Orphaned { .. } | Event::Told { .. } if life.cancel_asked => end(life.clone(), Ended::Cancelled),
        Event::Orphaned { .. } => queue(life.clone(), 0),
        Event::Told { news, .. } => told(life.clone(), news),
    }
}

fn told(life: Life, news: News) -> Next {
    match news {
        News::Alive { activity, percent } => (moved(&life, activity, percent), None),
        News::Made => (moved(&life, Activity::Storing, 0.0), Some(Command::Keep)),
        News::Kept(made) => {
            let credits = if life.test { 0 } else { credits_for(made.cut.duration) };
            end(life, Ended::Exported { made, credits })
        }
        News::Failed { message } => end(life, Ended::Failed { message }),
        News::LetGo => queue(life, 0),
        News::Hiccup { message } => hiccup(life, &message),
        News::Bug { message } if life.bug.as_ref() == Some(&message) => {
            end(life, Ended::Failed { message: format!("{message}; it was tried twice") })
        }
        News::Bug { message } => hiccup(Life { bug: Some(message.clone()), ..life }, &message),
        News::Died { how } => died(life, &how),
    }
}

/// A second try begins again; what clients see does not.
fn moved(life: &Life, activity: Activity, percent: f64) -> Life {
    let progress = percent.min(99.0).max(life.progress);
    Life { state: ExportState::of(activity), activity, progress, ..life.clone() }
}

fn hiccup(life: Life, message: &str) -> Next {
    let life = Life { hiccups: life.hiccups + 1, ..life };
    if life.hiccups >= HICCUPS {
        let message = format!("{message}; it was tried {} times", life.hiccups);
        return end(life, Ended::Failed { message });
    }
    let wait = backoff(life.hiccups);
    queue(life, wait)
}

fn died(life: Life, how: &str) -> Next {
    let life = Life { strikes: life.strikes + 1, ..life };
    if life.strikes >= STRIKES {
        let message = format!("the film ended its worker {STRIKES} times: {how}; make it shorter or simpler");
        return end(life, Ended::Failed { message });
    }
    let wait = backoff(life.strikes);
    queue(life, wait)
}

fn queue(life: Life, wait: i64) -> Next {
    (Life { state: ExportState::Queued, activity: Activity::Waiting, ..life }, Some(Command::Queue { wait }))
}

fn end(life: Life, ended: Ended) -> Next {
    let (state, progress) = match &ended {
        Ended::Exported { .. } => (ExportState::Exported, 100.0),
        Ended::Failed { .. } => (ExportState::Failed, life.progress),
        Ended::Cancelled => (ExportState::Cancelled, life.progress),
    };
    (Life { state, progress, activity: Activity::Done, ..life }, Some(Command::End(ended)))
}

/// One credit for each started ten seconds, at least one.
pub fn credits_for(seconds: f64) -> i64 {
    ((seconds / 10.0).ceil() as i64).max(1)
}

/// Milliseconds before another try: 2 s, 8 s, 32 s … 10 min.
fn backoff(tries: i64) -> i64 {
    (2_000_i64 << (2 * tries.saturating_sub(1).clamp(0, 8))).min(600_000)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Fences near the true one, so that half of those who speak have lost the export.
    fn any_event() -> impl Strategy<Value = Event> {
        let news = prop_oneof![
            2 => (0..10_usize, 0.0..120.0).prop_map(|(at, percent)| News::Alive { activity: Activity::ALL[at], percent }),
            1 => Just(News::Made),
            1 => Just(News::Kept(Box::default())),
            1 => Just(News::Failed { message: "no".into() }),
            2 => Just(News::Hiccup { message: "disk full".into() }),
            2 => (0..3).prop_map(|n| News::Bug { message: format!("scene {n}") }),
            2 => Just(News::Died { how: "killed".into() }),
            1 => Just(News::LetGo),
        ];
        prop_oneof![
            6 => Just(Event::Claimed),
            1 => Just(Event::CancelAsked),
            2 => (0..8_i64).prop_map(|fence| Event::Orphaned { fence }),
            8 => (0..8_i64, news).prop_map(|(fence, news)| Event::Told { fence, news }),
        ]
    }

    /// The next event of a life, with the fence moved so that it is often the right one.
    fn aimed(life: &Life, event: Event) -> Event {
        let near = |fence: i64| if fence < 6 { life.fence } else { life.fence + fence - 7 };
        match event {
            Event::Orphaned { fence } => Event::Orphaned { fence: near(fence) },
            Event::Told { fence, news } => Event::Told { fence: near(fence), news },
            other => other,
        }
    }

    fn ends(commands: &[Command]) -> bool {
        commands.iter().any(|command| matches!(command, Command::End(_)))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_order_of_events_ends_once_and_for_ever(events in prop::collection::vec(any_event(), 0..80)) {
            let (mut life, mut count) = (Life::accepted(), 0);
            for event in events {
                let before = life;
                let event = aimed(&before, event);
                let (after, commands) = step(&before, event.clone());
                if before.state.is_over() {
                    prop_assert_eq!(&after, &before, "nothing leaves an end");
                }
                let ended = after.state.is_over() && !before.state.is_over();
                prop_assert_eq!(ends(&commands), ended, "an end is told, and nothing else is one");
                count += usize::from(ended);
                prop_assert!(after.progress >= before.progress && after.progress <= 100.0, "it never falls");
                prop_assert!(after.fence >= before.fence && after.fence <= before.fence + 1);
                prop_assert!(after.strikes <= STRIKES && after.hiccups <= HICCUPS);
                prop_assert_eq!(after.fence > before.fence, commands == [Command::Make { fence: after.fence }]);
                if let Event::Told { fence, .. } = &event && (*fence != before.fence || !before.state.is_running()) {
                    prop_assert_eq!(&after, &before, "who lost it has no say");
                    prop_assert_eq!(&commands, &[Command::Dismiss]);
                }
                if let [Command::Queue { wait }] = &commands[..] {
                    prop_assert_eq!(after.state, ExportState::Queued);
                    prop_assert!((0..=600_000).contains(wait));
                }
                // What was said twice is said to nobody.
                if ended {
                    let again = step(&after, event).1;
                    prop_assert!(!ends(&again));
                }
                life = after;
            }
            prop_assert!(count <= 1);
            // Whatever came before, an export that is taken up and kept is over.
            let life = step(&life, Event::Claimed).0;
            let fence = life.fence;
            let life = step(&life, Event::Told { fence, news: News::Kept(Box::default()) }).0;
            prop_assert!(life.state.is_over());
        }

        #[test]
        fn nobody_gets_what_was_cancelled(events in prop::collection::vec(any_event(), 0..40)) {
            let (life, _) = step(&Life::accepted(), Event::Claimed);
            let (mut life, _) = step(&life, Event::CancelAsked);
            for event in events {
                let event = aimed(&life, event);
                let (after, commands) = step(&life, event);
                for command in &commands {
                    let fitting = matches!(command, Command::Stop | Command::Dismiss | Command::End(Ended::Cancelled));
                    prop_assert!(fitting, "{:?}", command);
                }
                life = after;
            }
        }
    }

    fn tell(life: &Life, news: News) -> (Life, Vec<Command>) {
        let life = step(life, Event::Claimed).0;
        let fence = life.fence;
        step(&life, Event::Told { fence, news })
    }

    #[test]
    fn three_workers_are_enough() {
        let mut life = Life::accepted();
        for strike in 1..=STRIKES {
            let (after, commands) = tell(&life, News::Died { how: "it was killed".into() });
            life = after;
            match &commands[..] {
                [Command::Queue { .. }] => assert!(strike < STRIKES),
                [Command::End(Ended::Failed { message })] => {
                    assert!(strike == STRIKES && message.contains("killed"));
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(life.state, ExportState::Failed);
    }

    #[test]
    fn the_same_error_of_ours_is_met_twice_and_no_more() {
        let bug = |n| News::Bug { message: format!("scenes[{n}]: drawing it ended in an error of ours") };
        let (life, commands) = tell(&Life::accepted(), bug(3));
        assert_eq!(commands, [Command::Queue { wait: 2_000 }]);
        let (_, commands) = tell(&life, bug(3));
        let [Command::End(Ended::Failed { message, .. })] = &commands[..] else { panic!("{commands:?}") };
        assert_eq!(message, "scenes[3]: drawing it ended in an error of ours; it was tried twice");
        let (_, commands) = tell(&life, bug(4));
        assert_eq!(commands, [Command::Queue { wait: 8_000 }], "another error may be chance");
    }

    #[test]
    fn what_is_ours_is_tried_for_half_an_hour() {
        let waits: Vec<i64> = (1..HICCUPS).map(backoff).collect();
        assert_eq!(waits[..4], [2_000, 8_000, 32_000, 128_000]);
        let all: i64 = waits.iter().sum();
        assert!((1_200_000..3_600_000).contains(&all), "{all}");
    }
}
