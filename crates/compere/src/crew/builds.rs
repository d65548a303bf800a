//! Presenters of footage, each made by a worker process of its own, which ends with it.

use std::time::Duration;

use compere_jobs::crew::Later;
use compere_office::Workbench;
use compere_own::{Made, Making};
use tokio::sync::watch;

use super::child::Starter;
use crate::worker::protocol::{FromWorker, Hello, ToWorker};

/// A worker that says nothing for so long is as good as dead: a long take is looked at in one go.
const STALLED: Duration = Duration::from_secs(30 * 60);

#[derive(Debug)]
pub struct LocalWorkbench {
    starter: Starter,
}

impl LocalWorkbench {
    pub fn new(hello: Hello) -> Result<Self, String> {
        Ok(Self { starter: Starter::new(Hello { films: true, yields: true, ..hello })? })
    }

    async fn made(&self, making: Making, far: &watch::Sender<f64>) -> Result<Made, String> {
        let mut worker = self.starter.start().await?;
        worker.works_on(making.id());
        if worker.mouth.tell(&ToWorker::Build(Box::new(making))).await.is_err() {
            return Err(worker.autopsy().await);
        }
        loop {
            match tokio::time::timeout(STALLED, worker.ears.hear()).await {
                Ok(Some(FromWorker::Building(percent))) => {
                    far.send_replace(percent);
                }
                Ok(Some(FromWorker::Built(made))) => return Ok(made),
                // What others are told.
                Ok(Some(_)) => {}
                Ok(None) => return Err(worker.autopsy().await),
                Err(_) => return Err(format!("it did not move for {} minutes", STALLED.as_secs() / 60)),
            }
        }
    }
}

impl Workbench for LocalWorkbench {
    /// Whoever drops this kills the worker.
    fn make(&self, making: Making, far: watch::Sender<f64>) -> Later<'_, Result<Made, String>> {
        Box::pin(async move { self.made(making, &far).await })
    }
}
