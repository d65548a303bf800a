//! `compere worker`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use compere_house::home::Home;

use super::serve::{Records, become_frugal, begin_log};
use super::{Failure, answer};
use crate::serve::{self, Slots};

/// Makes films for services elsewhere.
///
/// With `--child` it is one process of a service on this machine: everything it has to know comes through its standard
/// input; see `worker::protocol`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  compere worker --engine temporal://temporal.internal:7233/films --database postgres://… --objects s3://films
  compere worker --slots 4 --config /etc/compere.toml")]
pub(crate) struct Worker {
    #[arg(long, hide = true)]
    child: bool,
    /// Settings file; default: compere.toml in the data folder
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    records: Records,
    /// What it takes up, of `exports` and `render`
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "render")]
    queues: Vec<String>,
    /// Films at once: a number, or `auto` for what cores and memory of this machine allow
    #[arg(long, value_name = "N", default_value = "auto")]
    slots: Slots,
}

impl Worker {
    pub(crate) fn run(&self, home: &Home) -> ExitCode {
        if self.child {
            return crate::worker::run();
        }
        match self.work(home) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => {
                failure.tell();
                failure.code()
            }
        }
    }

    fn work(&self, home: &Home) -> Result<(), Failure> {
        become_frugal();
        let settings = self.records.settings(home, self.config.as_deref())?;
        begin_log();
        let runtime = tokio::runtime::Runtime::new().map_err(Failure::failed)?;
        let ready = |slots: usize| answer(&format!("Compere makes films here, {slots} at once"));
        let worked = runtime.block_on(serve::work(home.clone(), settings, &self.queues, self.slots, ready));
        runtime.shutdown_background();
        worked.map_err(Failure::Failed)
    }
}
