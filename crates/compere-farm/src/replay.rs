//! What the cluster recorded of an export, and today's workflow.

use temporalio_client::WorkflowHistory;
use temporalio_sdk::workflow_replayer::{WorkflowReplayer, WorkflowReplayerOptions};

use crate::error::FarmError;
use crate::workflow::Exporting;

/// Whether this program would go on with an export that another version began: its history, as JSON, is played through
/// again, and every step has to be the one that was taken then. Asks no cluster.
pub async fn replay(history: &[u8]) -> Result<(), FarmError> {
    let wrong = |why: &dyn std::fmt::Display| FarmError::History { why: why.to_string() };
    let history = WorkflowHistory::from_json(history).map_err(|error| wrong(&error))?;
    let options = WorkflowReplayerOptions::new().task_queue("exports");
    let options = options.register_workflow::<Exporting>().map_err(|error| wrong(&error))?.build();
    let replayer = WorkflowReplayer::new(options).map_err(|error| wrong(&error))?;
    replayer.replay_workflow(history).await.map_err(|error| wrong(&error))
}
