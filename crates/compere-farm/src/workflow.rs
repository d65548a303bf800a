//! The loop of an export: a turn, what came of it, a pause or the end.
//!
//! It is replayed from its history whenever somebody else goes on with it, so it asks nobody but the cluster, and may only
//! be changed in ways that leave old histories right.

use std::time::Duration;

use temporalio_common::data_converters::PayloadConversionError;
use temporalio_common::error::ActivityExecutionError;
use temporalio_common::{Priority, RetryPolicy};
use temporalio_macros::{workflow, workflow_methods};
use temporalio_sdk::{ActivityOptions, SyncWorkflowContext, WorkflowContext, WorkflowResult, workflows};

use crate::tasks::{Clerks, Makers};
use crate::turn::{After, Lost, Ticket, Turn};

/// Longer than any film takes.
const LONGEST: Duration = Duration::from_secs(24 * 3600);
/// A machine that says nothing for so long is gone.
pub(crate) const SILENCE: Duration = Duration::from_secs(10);
/// For a question to the records.
const BRIEF: Duration = Duration::from_secs(30);

/// Where turns are taken, given where workflows are.
pub(crate) fn makers_of(queue: &str) -> String {
    format!("{}render", queue.trim_end_matches("exports"))
}

#[workflow]
#[derive(Default)]
pub(crate) struct Exporting {
    /// The latest fence of which somebody said that the export at it need not wait any longer.
    rung: i64,
}

#[workflow_methods]
impl Exporting {
    #[run(name = "export")]
    pub(crate) async fn run(ctx: &mut WorkflowContext<Self>, ticket: Ticket) -> WorkflowResult<()> {
        // What cannot be read fails this step and not the export: the cluster asks another node to go on.
        ticket.understood().map_err(|newer| PayloadConversionError::EncodingError(newer.into()))?;
        let (mut turns, mut rested) = (0_u32, 0);
        loop {
            turns += 1;
            let holder = format!("{}/{}/{turns}", ticket.export, ctx.run_id());
            let turn = Turn { ticket: ticket.clone(), holder: holder.clone(), rested };
            let taken = ctx.execute_activity(Makers::take, turn, making(ctx.task_queue(), &ticket.account)).await;
            let after = match taken {
                Ok(after) => after,
                Err(ActivityExecutionError::Serialization(unread)) => return Err(unread.into()),
                // Whatever went wrong: what it had, if anything, is nobody's now.
                Err(_) => {
                    let lost = Lost { ticket: ticket.clone(), holder };
                    ctx.execute_activity(Clerks::lost, lost, asking()).await?
                }
            };
            match after {
                After::Over => return Ok(()),
                After::Again { wait, fence } => {
                    if wait > 0 && ctx.state(|own| own.rung) < fence {
                        let pause = Duration::from_millis(wait.unsigned_abs());
                        workflows::select! {
                            _ = ctx.timer(pause) => {}
                            _ = ctx.wait_condition(|own: &Self| own.rung >= fence) => {}
                        }
                    }
                    rested = fence;
                }
            }
        }
    }

    /// The export at this fence need not wait any longer.
    #[signal(name = "rested")]
    pub(crate) fn ring(&mut self, _: &mut SyncWorkflowContext<Self>, fence: i64) {
        self.rung = self.rung.max(fence);
    }
}

/// Turns wait for a machine as long as they must. Accounts take turns in the cluster's queue.
fn making(queue: &str, account: &str) -> ActivityOptions {
    ActivityOptions::with_start_to_close_timeout(LONGEST)
        .task_queue(makers_of(queue))
        .heartbeat_timeout(SILENCE)
        .retry_policy(RetryPolicy::builder().maximum_attempts(1).build())
        .priority(Priority::builder().fairness_key(account).build())
        .do_not_eagerly_execute(true)
        .build()
}

/// Asked until it is answered: the records may be away for a while.
fn asking() -> ActivityOptions {
    let patient = RetryPolicy::builder()
        .initial_interval(Duration::from_millis(500))
        .maximum_interval(Duration::from_secs(10))
        .build();
    ActivityOptions::with_start_to_close_timeout(BRIEF).retry_policy(patient).build()
}
