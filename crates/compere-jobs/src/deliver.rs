//! Webhooks out of the outbox, each on its own.

use std::sync::Arc;
use std::time::Duration;

use compere_store::{Delivery, Try};
use tokio::task::JoinSet;

use crate::crew::Post;
use crate::engine::Inner;

/// Three days of trying.
const PATIENCE: i64 = 3 * 24 * 3_600_000;

impl Inner {
    pub(crate) async fn deliver(self: Arc<Self>) {
        let mut carriers = JoinSet::new();
        loop {
            while carriers.try_join_next().is_some() {}
            let room = self.parts.settings.deliveries.saturating_sub(carriers.len()) as i64;
            match self.parts.store.due_deliveries(room, 120_000).await {
                Ok(due) => {
                    for delivery in due {
                        carriers.spawn(Arc::clone(&self).carry(delivery));
                    }
                }
                Err(error) => tracing::error!(%error, "the outbox cannot be read"),
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    }

    async fn carry(self: Arc<Self>, delivery: Delivery) {
        let store = &self.parts.store;
        let (at, started) = (store.now(), std::time::Instant::now());
        let post = Post {
            method: delivery.method.clone(),
            url: delivery.url.clone(),
            headers: Vec::new(),
            body: delivery.body.clone(),
        };
        let answer = self.parts.sender.send(post).await;
        let tried = Try {
            number: 0,
            at,
            millis: started.elapsed().as_millis() as i64,
            method: delivery.method.clone(),
            status: answer.as_ref().ok().map(|status| i64::from(*status)),
            error: answer.as_ref().err().cloned(),
        };
        let state = match &answer {
            Ok(200..=299) => "delivered",
            Ok(410) => "gone",
            _ if at - delivery.created_at > PATIENCE => "failed",
            _ => "pending",
        };
        let next = store.now() + (5_000_i64 << delivery.tries.min(13)).min(6 * 3_600_000);
        if let Err(error) = store.record_try(&delivery.id, &tried, state, next).await {
            tracing::error!(delivery = delivery.id, %error, "a try could not be written down");
        }
    }
}
