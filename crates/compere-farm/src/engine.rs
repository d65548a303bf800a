//! A node joins.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use compere_jobs::{Engine, Hands, Parts};
use compere_media::words;
use temporalio_client::{Client, ClientOptions, ClientTlsOptions, Connection, ConnectionOptions, TlsOptions};
use temporalio_sdk::runtime::worker_tuner::{FixedSizeSlotSupplier, TunerHolder};
use temporalio_sdk::runtime::{PollerBehavior, RuntimeOptions};
use temporalio_sdk::{Runtime, Worker, WorkerOptions};
use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinSet;

use crate::address::{Address, Secured};
use crate::error::FarmError;
use crate::relay::Relay;
use crate::tasks::{Clerks, Makers};
use crate::workflow::{Exporting, SILENCE, makers_of};

/// For the cluster to answer when a node joins.
const PATIENCE: Duration = Duration::from_secs(10);
/// For what was done last to be told when a node leaves. What is not told by then is found out, as after a crash.
const FAREWELL: Duration = Duration::from_secs(2);
/// Questions to the records at once, and steps of workflows.
const CLERKS: usize = 32;

words! {
    /// What a node is asked for.
    pub enum Queue {
        /// Steps of exports: small, and kept up by those who know the records.
        Exports = "exports",
        /// Films.
        Render = "render",
    }
}

/// How a node takes part.
#[derive(Clone, Debug)]
pub struct Farm {
    pub address: Address,
    /// In front of the names of queues, where several installations share a namespace. Usually empty.
    pub prefix: String,
    pub queues: BTreeSet<Queue>,
    /// Whether it brings exports to the cluster: whoever serves requests does.
    pub relay: bool,
}

/// Joins, and takes part until the engine is stopped.
pub async fn start(parts: Parts, farm: Farm) -> Result<Engine, FarmError> {
    let client = connect(&farm.address, &parts.settings.name).await?;
    // One for the process would do; a second one costs nothing.
    let options =
        RuntimeOptions::builder().heartbeat_interval(None).build().map_err(|why| FarmError::Worker { why })?;
    let runtime = Runtime::from_current_tokio(options).map_err(|why| FarmError::Worker { why: why.to_string() })?;
    let exports = format!("{}exports", farm.prefix);
    let mut failed = None;
    let engine = Engine::driven(parts, |hands| match workers(&runtime, &client, &farm, &hands) {
        Ok(workers) => {
            let relay = farm.relay.then(|| Relay::new(hands.clone(), client, exports));
            Box::pin(drive(hands, runtime, workers, relay))
        }
        Err(error) => {
            failed = Some(error);
            Box::pin(std::future::ready(()))
        }
    });
    failed.map_or(Ok(engine), Err)
}

async fn connect(address: &Address, name: &str) -> Result<Client, FarmError> {
    let unreachable = |why: String| FarmError::Unreachable { address: address.to_string(), why };
    let options = ConnectionOptions::new(address.target()?).identity(name).connect_timeout(PATIENCE);
    let options = options.maybe_tls_options(address.secured.as_ref().map(secured).transpose()?).build();
    let connecting = tokio::time::timeout(PATIENCE, Connection::connect(options)).await;
    let connection = connecting
        .map_err(|_| unreachable(format!("no answer within {} s", PATIENCE.as_secs())))?
        .map_err(|error| unreachable(error.to_string()))?;
    Client::new(connection, ClientOptions::new(&address.namespace).build())
        .map_err(|error| unreachable(error.to_string()))
}

fn secured(Secured { ca, own }: &Secured) -> Result<TlsOptions, FarmError> {
    let read = |file: &PathBuf| {
        std::fs::read(file).map_err(|error| FarmError::File { file: file.clone(), why: error.to_string() })
    };
    let own = own.as_ref().map(|(cert, key)| {
        Ok(ClientTlsOptions::builder().client_cert(read(cert)?).client_private_key(read(key)?).build())
    });
    let ca = ca.as_ref().map(read).transpose()?;
    Ok(TlsOptions::builder().maybe_server_root_ca_cert(ca).maybe_client_tls_options(own.transpose()?).build())
}

/// Those who ask for work, not yet asking.
fn workers(runtime: &Runtime, client: &Client, farm: &Farm, hands: &Hands) -> Result<Vec<Worker>, FarmError> {
    let wrong = |why: &dyn std::fmt::Display| FarmError::Worker { why: why.to_string() };
    let exports = format!("{}exports", farm.prefix);
    let mut workers = Vec::new();
    for queue in &farm.queues {
        let options = match queue {
            Queue::Exports => {
                let mut options = asking(&exports, CLERKS);
                options.register_workflow::<Exporting>().map_err(|error| wrong(&error))?;
                options.register_activities(Clerks { hands: hands.clone() });
                options
            }
            Queue::Render => {
                let mut options = asking(&makers_of(&exports), hands.parts().crew.size());
                options.register_activities(Makers { hands: hands.clone() });
                options
            }
        };
        workers.push(Worker::new(runtime, client.clone(), options).map_err(|error| wrong(&error))?);
    }
    Ok(workers)
}

/// As many at once as there are places, and as many questions for work as ever: those that adapt themselves have been seen
/// to end their worker. Workflows are short, so nobody keeps them in memory: any node goes on with any of them at once.
fn asking(queue: &str, places: usize) -> WorkerOptions {
    let fixed = FixedSizeSlotSupplier::new;
    let tuner = TunerHolder::builder()
        .workflow_task_slot_supplier(fixed(CLERKS))
        .activity_task_slot_supplier(fixed(places.max(1)))
        .local_activity_task_slot_supplier(fixed(1))
        .nexus_task_slot_supplier(fixed(1))
        .build();
    WorkerOptions::new(queue)
        .tuner(tuner)
        .max_cached_workflows(0)
        .workflow_task_poller_behavior(PollerBehavior::SimpleMaximum(4))
        .activity_task_poller_behavior(PollerBehavior::SimpleMaximum(places.clamp(1, 4)))
        .max_heartbeat_throttle_interval(SILENCE / 5)
        .graceful_shutdown_period(FAREWELL)
        .build()
}

/// Until the engine is to end, or asking for work did. Then nothing new is taken, what is made is let go of and told, and
/// who does not manage to tell is left: that is what happens in a crash, and what crashes leave is taken up by others.
async fn drive(hands: Hands, runtime: Runtime, workers: Vec<Worker>, relay: Option<Relay>) {
    let (mut asking, mut shut) = (JoinSet::new(), Vec::new());
    for worker in workers {
        shut.push(worker.shutdown_handle());
        let (over, ended) = oneshot::channel::<()>();
        asking.spawn(ended);
        let (stopping, handle) = (hands.stopping(), Handle::current());
        // What a workflow is made of may not change its thread.
        thread::spawn(move || {
            handle.block_on(ask(worker, stopping));
            drop(over);
        });
    }
    let mut stopping = hands.stopping();
    let stopped = async {
        match relay {
            Some(relay) => relay.run().await,
            None => drop(stopping.wait_for(|stopping| *stopping).await),
        }
    };
    tokio::select! {
        () = stopped => {}
        Some(_) = asking.join_next() => tracing::error!("this node asks for no work any more"),
    }
    for shut in shut {
        shut();
    }
    while asking.join_next().await.is_some() {}
    drop(runtime);
}

/// Asks for work until the engine is to end, and a moment longer.
async fn ask(mut worker: Worker, mut stopping: watch::Receiver<bool>) {
    let queue = worker.task_queue().to_owned();
    let farewell = async {
        // An error is the end, too.
        let _ = stopping.wait_for(|stopping| *stopping).await;
        tokio::time::sleep(FAREWELL).await;
    };
    tokio::select! {
        ended = worker.run() => if let Err(error) = ended {
            tracing::error!(%error, queue, "asking for work failed");
        },
        () = farewell => tracing::debug!(queue, "what was done last may not have been told"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queues_are_named_beside_each_other() {
        assert_eq!(makers_of("exports"), Queue::Render.as_str());
        assert_eq!(makers_of("blue-exports"), "blue-render");
    }
}
