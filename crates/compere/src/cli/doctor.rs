//! `compere doctor`

use std::process::ExitCode;

use clap::Args;

use super::{answer, say};
use crate::doctor::{Machine, examine};
use compere_house::home::{Home, font_dirs, sandbox};

#[derive(Debug, Args)]
#[command(
    after_help = "Exit code: 0 everything is there, 1 films can be made but something is worse than it could be, 2 no film can be made."
)]
pub(crate) struct Doctor {
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
}

impl Doctor {
    pub(crate) fn run(&self, home: &Home) -> ExitCode {
        let sandbox = match sandbox() {
            Ok(sandbox) => sandbox,
            Err(error) => {
                say(&format!("error: {error}"));
                return ExitCode::from(2);
            }
        };
        let machine = Machine::new(font_dirs(), &sandbox);
        let report = examine(&machine, &home.assets, &home.data);
        let text = if self.json { serde_json::json!(report).to_string() } else { report.to_string() };
        answer(text.trim_end());
        ExitCode::from(report.exit_code())
    }
}
