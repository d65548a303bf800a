//! `compere doctor`

use std::process::ExitCode;

use clap::Args;
use compere_codec::Sandbox;

use super::{answer, say};
use crate::doctor::{Machine, examine};
use crate::home::{Home, font_dirs};

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
        let exe = match std::env::current_exe() {
            Ok(exe) => exe,
            Err(error) => {
                say(&format!("error: cannot find this program's own file: {error}"));
                return ExitCode::from(2);
            }
        };
        let machine = Machine::new(font_dirs(), &Sandbox::detect(exe));
        let report = examine(&machine, &home.assets, &home.data);
        let text = if self.json { serde_json::json!(report).to_string() } else { report.to_string() };
        answer(text.trim_end());
        ExitCode::from(report.exit_code())
    }
}
