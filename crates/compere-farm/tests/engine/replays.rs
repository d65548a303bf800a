//! What was recorded of exports of this and of former versions, against today's workflow and today's payloads. Asks no
//! server. `recording` wrote it down.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use temporalio_client::WorkflowHistory;
use temporalio_common::protos::temporal::api::common::v1::Payloads;
use temporalio_common::protos::temporal::api::history::v1::HistoryEvent;
use temporalio_common::protos::temporal::api::history::v1::history_event::Attributes;
use temporalio_macros::{workflow, workflow_methods};
use temporalio_sdk::workflow_replayer::{WorkflowReplayer, WorkflowReplayerOptions};
use temporalio_sdk::{SyncWorkflowContext, WorkflowContext, WorkflowResult};

use crate::turn::{After, Lost, Ticket, Turn};

/// What every version leaves.
const STORIES: [&str; 8] = ["cancelled", "handed-back", "lost", "made", "rung", "running", "tried-again", "waiting"];

/// Every story of every version: its name, and what was recorded.
fn recorded() -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for version in listed(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/histories")) {
        let stories: Vec<String> = listed(&version)
            .iter()
            .map(|file| file.file_stem().expect("a name").to_string_lossy().into_owned())
            .collect();
        assert_eq!(stories, STORIES, "{}", version.display());
        for file in listed(&version) {
            found.push((file.display().to_string(), std::fs::read(&file).expect("reads")));
        }
    }
    assert!(!found.is_empty(), "nothing was recorded");
    found
}

fn listed(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("is there").map(|entry| entry.expect("is there").path()).collect();
    all.sort();
    all
}

/// The first version's.
fn story(name: &str) -> Value {
    let file = recorded().into_iter().find(|(file, _)| file.ends_with(&format!("/{name}.json"))).expect("is there");
    serde_json::from_slice(&file.1).expect("reads")
}

#[tokio::test]
async fn todays_workflow_goes_on_with_what_was_begun() {
    for (file, history) in recorded() {
        compere_farm::replay(&history).await.unwrap_or_else(|why| panic!("{file}: {why}"));
    }
}

async fn refused(history: &Value) -> String {
    let history = serde_json::to_vec(history).expect("writes");
    compere_farm::replay(&history).await.expect_err("is refused").to_string()
}

fn events(history: &mut Value) -> &mut Vec<Value> {
    history["events"].as_array_mut().expect("events")
}

/// Had an export gone that way once, today's workflow would go another.
#[tokio::test]
async fn what_went_otherwise_is_refused() {
    for name in STORIES {
        let mut history = story(name);
        for event in events(&mut history) {
            if let Some(kind) = event.pointer_mut("/attributes/ActivityTaskScheduledEventAttributes/activity_type/name")
            {
                *kind = json!("take_a_walk");
            }
        }
        let why = refused(&history).await;
        assert!(why.contains("nondeterministic"), "{name}: {why}");
    }
    // The loss of a node that nobody was asked about.
    let mut history = story("lost");
    for event in events(&mut history) {
        if let Some(kind) = event.pointer_mut("/attributes/ActivityTaskScheduledEventAttributes/activity_type/name") {
            *kind = json!("take_turn");
        }
    }
    let why = refused(&history).await;
    assert!(why.contains("nondeterministic"), "{why}");
    // An end where there was another turn to take.
    let mut history = story("handed-back");
    for event in events(&mut history) {
        if let Some(data) = event.pointer_mut("/attributes/ActivityTaskCompletedEventAttributes/result/payloads/0/data")
        {
            *data = json!("Im92ZXIi");
        }
    }
    let why = refused(&history).await;
    assert!(why.contains("nondeterministic"), "{why}");
}

/// The workflow as somebody might change it who does not think of what is under way: it rests before its first turn.
#[workflow]
#[derive(Default)]
struct Rested;

#[workflow_methods]
impl Rested {
    #[run(name = "export")]
    async fn run(ctx: &mut WorkflowContext<Self>, _: Ticket) -> WorkflowResult<()> {
        ctx.timer(Duration::from_secs(1)).await;
        Ok(())
    }

    #[signal(name = "rested")]
    fn ring(&mut self, _: &mut SyncWorkflowContext<Self>, _: i64) {}
}

#[tokio::test]
async fn a_workflow_that_was_changed_is_refused() {
    let options = WorkflowReplayerOptions::new().register_workflow::<Rested>().expect("a workflow").build();
    let replayer = WorkflowReplayer::new(options).expect("a replayer");
    for (file, history) in recorded() {
        let history = WorkflowHistory::from_json(&history).expect("reads");
        let why = replayer.replay_workflow(history).await.expect_err("is refused").to_string();
        assert!(why.contains("nondeterministic"), "{file}: {why}");
    }
}

/// Nodes that do not know enough leave an export to those who do: the step fails, and the export does not.
#[tokio::test]
async fn what_a_newer_version_began_is_left_to_it() {
    let mut history = story("made");
    let data = events(&mut history)[0]
        .pointer_mut("/attributes/WorkflowExecutionStartedEventAttributes/input/payloads/0/data");
    // {"export":"e","account":"a","needs":2}
    *data.expect("an input") = json!("eyJleHBvcnQiOiJlIiwiYWNjb3VudCI6ImEiLCJuZWVkcyI6Mn0=");
    let why = refused(&history).await;
    assert!(why.contains("workflow task failed") && why.contains("leaves it to newer ones"), "{why}");
    let mut history = story("made");
    for event in events(&mut history) {
        if let Some(data) = event.pointer_mut("/attributes/ActivityTaskCompletedEventAttributes/result/payloads/0/data")
        {
            // {"later":{}}
            *data = json!("eyJsYXRlciI6e319");
        }
    }
    let why = refused(&history).await;
    assert!(why.contains("workflow task failed") && why.contains("later"), "{why}");
}

fn read<T: DeserializeOwned>(payloads: Option<Payloads>) -> T {
    let payloads = payloads.expect("something").payloads;
    assert_eq!(payloads.len(), 1);
    serde_json::from_slice(&payloads[0].data).unwrap_or_else(|why| panic!("{why}"))
}

#[tokio::test]
async fn payloads_of_all_versions_are_read_as_what_they_say() {
    let (mut turns, mut losses, mut ends, mut pauses) = (0, 0, 0, 0);
    for (file, history) in recorded() {
        let history = WorkflowHistory::from_json(&history).expect("reads");
        let events: Vec<HistoryEvent> = history.into_events().await.expect("reads");
        let mut begun: Option<(Ticket, String)> = None;
        for event in events {
            match event.attributes.expect("something happened") {
                Attributes::WorkflowExecutionStartedEventAttributes(started) => {
                    let ticket: Ticket = read(started.input);
                    assert!(ticket.export == started.workflow_id && !ticket.account.is_empty(), "{file}: {ticket:?}");
                    begun = Some((ticket, started.original_execution_run_id));
                }
                Attributes::ActivityTaskScheduledEventAttributes(asked) => {
                    let (ticket, run) = begun.as_ref().expect("began");
                    let holder = |number: i32| format!("{}/{run}/{number}", ticket.export);
                    if asked.activity_type.expect("a kind").name == "take_turn" {
                        let turn: Turn = read(asked.input);
                        assert_eq!(&turn.ticket, ticket, "{file}");
                        assert!((1..9).any(|number| turn.holder == holder(number)), "{file}: {turn:?}");
                        turns += 1;
                    } else {
                        let lost: Lost = read(asked.input);
                        assert_eq!((&lost.ticket, &lost.holder), (ticket, &holder(1)), "{file}");
                        losses += 1;
                    }
                }
                Attributes::ActivityTaskCompletedEventAttributes(done) => match read(done.result) {
                    After::Over => ends += 1,
                    After::Again { wait, fence } => {
                        assert!(wait >= 0 && fence > 0, "{file}: {wait} {fence}");
                        pauses += 1;
                    }
                },
                _ => {}
            }
        }
    }
    assert!([turns, losses, ends, pauses].iter().all(|count| *count > 0), "{turns} {losses} {ends} {pauses}");
}
