//! What is said at a terminal.

/// A line for the person at the terminal.
#[expect(clippy::print_stderr, reason = "this is the command line")]
pub(crate) fn say(line: &str) {
    eprintln!("{line}");
}

/// A line of the result.
#[expect(clippy::print_stdout, reason = "this is the command line")]
pub(crate) fn answer(line: &str) {
    println!("{line}");
}
