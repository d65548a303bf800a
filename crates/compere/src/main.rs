//! The `compere` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    compere::cli::run()
}
