//! `compere worker`

use std::process::ExitCode;

use clap::Args;

/// Everything it has to know comes through its standard input; see `worker::protocol`.
#[derive(Debug, Args)]
pub(crate) struct Worker {}

impl Worker {
    #[expect(clippy::unused_self, reason = "like every other command")]
    pub(crate) fn run(&self) -> ExitCode {
        crate::worker::run()
    }
}
