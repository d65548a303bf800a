//! The helper program of this crate's own tests. The product's binary does the same in its `main`.

use std::process::ExitCode;

fn main() -> ExitCode {
    compere_codec::helper_main(std::env::args_os().skip(1)).unwrap_or(ExitCode::FAILURE)
}
