//! Writes down what a cluster recorded of exports, for later versions to be held to (`replays`). `scripts/farm.sh record NAME`
//! says where.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use compere_store::ExportState;
use temporalio_client::{Client, ClientOptions, Connection, ConnectionOptions, UntypedWorkflow, WorkflowHistory};
use temporalio_common::protos::temporal::api::enums::v1::EventType;
use temporalio_common::protos::temporal::api::history::v1::{History, HistoryEvent};

use crate::stage::{Play, World};

/// Longer than it takes to notice that a node is gone.
const PATIENCE: Duration = Duration::from_secs(60);

struct Recorder {
    client: Client,
    folder: PathBuf,
}

impl Recorder {
    async fn new(folder: PathBuf) -> Self {
        let address = std::env::var("COMPERE_TEST_TEMPORAL").expect("COMPERE_TEST_TEMPORAL names a server");
        let address: crate::address::Address = address.parse().expect("an address");
        let target = address.target().expect("an address");
        let connection = Connection::connect(ConnectionOptions::new(target).identity("recorder").build()).await;
        let options = ClientOptions::new(&address.namespace).build();
        let client = Client::new(connection.expect("connects"), options).expect("a client");
        std::fs::create_dir_all(&folder).expect("makes");
        Self { client, folder }
    }

    async fn events(&self, export: &str) -> Vec<HistoryEvent> {
        let workflow = self.client.get_workflow_handle::<UntypedWorkflow>(export);
        // It may not have begun yet.
        workflow.fetch_history(Default::default()).into_events().await.unwrap_or_default()
    }

    /// Keeps what was recorded as soon as that holds.
    async fn keep(&self, name: &str, export: &str, holds: impl Fn(&[EventType]) -> bool) {
        let started = Instant::now();
        loop {
            let events = self.events(export).await;
            let kinds: Vec<EventType> = events.iter().map(HistoryEvent::event_type).collect();
            if holds(&kinds) {
                let history = WorkflowHistory::from(History { events }).to_json().await.expect("writes");
                let history: serde_json::Value = serde_json::from_slice(&history).expect("reads");
                let text = serde_json::to_string_pretty(&history).expect("writes");
                std::fs::write(self.folder.join(format!("{name}.json")), text + "\n").expect("writes");
                return;
            }
            assert!(started.elapsed() < PATIENCE, "{name}: {kinds:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

fn is_over(kinds: &[EventType]) -> bool {
    kinds.last() == Some(&EventType::WorkflowExecutionCompleted)
}

/// Nobody decides about it at the moment: one of that kind is the last thing that happened.
fn rests_at(kind: EventType) -> impl Fn(&[EventType]) -> bool {
    move |kinds| kinds.last() == Some(&kind)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "writes into the tree: scripts/farm.sh record NAME"]
async fn histories() {
    let folder = std::env::var("COMPERE_RECORD").expect("COMPERE_RECORD names a folder: scripts/farm.sh record NAME");
    let recorder = Recorder::new(folder.into()).await;
    made_and_cancelled(&recorder).await;
    handed_back(&recorder).await;
    tried_again(&recorder).await;
    lost(&recorder).await;
}

async fn made_and_cancelled(recorder: &Recorder) {
    let world = World::new(crate::temporal, 2).await;
    let engine = world.engine().await;
    let made = world.accept("made", Play::Make).await;
    recorder.keep("made", &made, is_over).await;
    let running = world.accept("running", Play::Hang).await;
    world.until(&running, ExportState::Rendering, false).await;
    recorder.keep("running", &running, rests_at(EventType::ActivityTaskScheduled)).await;
    assert!(world.store.cancel_export(&running).await.expect("cancels"));
    engine.cancel(&running);
    recorder.keep("cancelled", &running, is_over).await;
    engine.stop().await;
}

/// Its node is stopped, and the next one goes on.
async fn handed_back(recorder: &Recorder) {
    let world = World::new(crate::temporal, 1).await;
    let engine = world.engine().await;
    let export = world.accept("long", Play::Hang).await;
    world.until(&export, ExportState::Rendering, false).await;
    engine.stop().await;
    world.crew.plays.lock().expect("plays").insert("long".into(), Play::Make);
    let engine = world.engine().await;
    recorder.keep("handed-back", &export, is_over).await;
    engine.stop().await;
}

/// One waits out its time, another is told that it need not.
async fn tried_again(recorder: &Recorder) {
    let world = World::new(crate::temporal, 2).await;
    let engine = world.engine().await;
    let patient = world.accept("patient", Play::MakeAfter(1)).await;
    recorder.keep("waiting", &patient, rests_at(EventType::TimerStarted)).await;
    recorder.keep("tried-again", &patient, is_over).await;
    let hurried = world.accept("hurried", Play::MakeAfter(2)).await;
    let hurry = async {
        loop {
            tokio::time::sleep(Duration::from_millis(100)).await;
            world.clock.jump(10_000);
        }
    };
    alongside(hurry, recorder.keep("rung", &hurried, is_over)).await;
    engine.stop().await;
}

async fn alongside(forever: impl Future<Output = ()>, until: impl Future<Output = ()>) {
    tokio::select! {
        () = forever => {}
        () = until => {}
    }
}

/// Its node is killed, and the cluster notices by its silence.
async fn lost(recorder: &Recorder) {
    let world = World::new(crate::temporal, 1).await;
    let export = world.accept("lost", Play::Make).await;
    let mut node = begin_node(world.dir());
    world.until(&export, ExportState::Rendering, false).await;
    node.kill().expect("kills");
    node.wait().expect("ends");
    let engine = world.engine().await;
    recorder.keep("lost", &export, is_over).await;
    engine.stop().await;
}

fn begin_node(world: &Path) -> std::process::Child {
    let own = std::env::current_exe().expect("a program");
    let mut node = Command::new(own);
    node.args(["--ignored", "--exact", "recording::node"]).env("COMPERE_TEST_WORLD", world);
    node.stdin(Stdio::null()).stdout(Stdio::null()).spawn().expect("begins")
}

/// Whoever `lost` kills: takes up a film and never finishes it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a process that another test begins, and kills"]
async fn node() {
    let Ok(folder) = std::env::var("COMPERE_TEST_WORLD") else { return };
    let world = World::within(crate::temporal, 1, Path::new(&folder)).await;
    world.crew.plays.lock().expect("plays").insert("lost".into(), Play::Hang);
    let _engine = world.engine().await;
    tokio::time::sleep(PATIENCE).await;
}
