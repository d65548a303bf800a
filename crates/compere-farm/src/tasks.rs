//! What nodes are asked to do.

use std::sync::Arc;
use std::time::Duration;

use compere_jobs::Hands;
use compere_store::{ExportState, StoreError};
use temporalio_macros::activities;
use temporalio_sdk::activities::{ActivityContext, ActivityError};

use crate::turn::{After, Lost, Ticket, Turn};

/// Between two signs of life; the cluster's client passes on what is needed.
const BEAT: Duration = Duration::from_millis(1_000);
/// Before another turn is asked for where this one found nothing to do: the account's others run, or its time has not come.
const NOTHING: i64 = 1_000;
/// The same where somebody else has the ticket's own export. When they are lost, the ticket is rung.
const ELSEWHERE: i64 = 10_000;

/// Those who make films.
pub(crate) struct Makers {
    pub(crate) hands: Hands,
}

#[activities]
impl Makers {
    #[activity(name = "take_turn")]
    pub(crate) async fn take(self: Arc<Self>, ctx: ActivityContext, turn: Turn) -> Result<After, ActivityError> {
        read_by_us(&turn.ticket).await?;
        let parts = self.hands.parts();
        let asked = compere_store::Turn {
            account: &turn.ticket.account,
            holder: &turn.holder,
            rested: (&turn.ticket.export, turn.rested),
        };
        let claimed = parts.store.claim_turn(asked, parts.settings.lease.as_millis() as i64).await?;
        let least = if claimed.is_some() { 0 } else { NOTHING };
        if let Some(claimed) = claimed {
            let export = claimed.export.id.clone();
            self.let_former_go(&ctx, &export).await?;
            let making = self.hands.carry_out(claimed);
            tokio::pin!(making);
            let mut beat = tokio::time::interval(BEAT);
            let mut wanted = true;
            loop {
                tokio::select! {
                    () = &mut making => break,
                    _ = beat.tick() => ctx.record_heartbeat(export.clone()).await?,
                    // The cluster thinks that we are gone, or an operator ended the workflow.
                    () = ctx.cancelled(), if wanted => {
                        wanted = false;
                        self.hands.let_go(&export);
                    }
                }
            }
        }
        Ok(after(&self.hands, &turn.ticket, least).await?)
    }
}

impl Makers {
    /// We may have been thought dead, and get what we still have once more. One folder has one maker.
    async fn let_former_go(&self, ctx: &ActivityContext, export: &str) -> Result<(), ActivityError> {
        while self.hands.running().iter().any(|running| running == export) {
            self.hands.let_go(export);
            ctx.record_heartbeat(export.to_owned()).await?;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }
}

/// Those who keep the records right.
pub(crate) struct Clerks {
    pub(crate) hands: Hands,
}

#[activities]
impl Clerks {
    #[activity(name = "turn_lost")]
    pub(crate) async fn lost(self: Arc<Self>, _ctx: ActivityContext, lost: Lost) -> Result<After, ActivityError> {
        read_by_us(&lost.ticket).await?;
        if self.hands.parts().store.holder_is_lost(&lost.holder).await? {
            tracing::warn!(holder = lost.holder, "whoever had an export is gone; it is taken up again");
        }
        Ok(after(&self.hands, &lost.ticket, 0).await?)
    }
}

/// What newer nodes alone can go on with is given back, and not at once: whoever asks next may be this node again.
async fn read_by_us(ticket: &Ticket) -> Result<(), ActivityError> {
    if let Err(newer) = ticket.understood() {
        tracing::warn!("{newer}");
        tokio::time::sleep(Duration::from_millis(NOTHING.unsigned_abs())).await;
        return Err(newer.into());
    }
    Ok(())
}

/// What a ticket does next: its export's row says it.
async fn after(hands: &Hands, ticket: &Ticket, least: i64) -> Result<After, StoreError> {
    let store = &hands.parts().store;
    let due = store.due_export(&ticket.export).await?;
    Ok(match due {
        None => After::Over,
        Some(due) if due.life.state == ExportState::Queued => {
            // Clocks of two nodes may differ by more than what is waited for.
            let wait = (due.not_before - store.now()).min(due.life.longest_wait());
            After::Again { wait: wait.max(least), fence: due.life.fence }
        }
        Some(due) => After::Again { wait: ELSEWHERE, fence: due.life.fence },
    })
}
