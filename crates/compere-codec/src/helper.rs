//! The hidden commands by which our own binary serves as a program inside the sandbox.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::{font, image, sandbox};

/// Runs a hidden command when `args` (without the program's name) ask for one.
///
/// The helper program calls this before it does anything else:
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     compere_codec::helper_main(std::env::args_os().skip(1)).unwrap_or(std::process::ExitCode::SUCCESS)
/// }
/// ```
pub fn helper_main(args: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut args = args.into_iter();
    let command = args.next()?;
    match command.to_str()? {
        sandbox::FILTER => Some(sandbox::filter_main(args)),
        sandbox::CONFINE => Some(sandbox::confine_main(args)),
        image::DECODE => Some(image::decode_image_main(args, std::io::stdout().lock())),
        font::READ => Some(font::read_font_main(args, std::io::stdout().lock())),
        _ => None,
    }
}
