//! The espeak-ng program, as a child process: phonemes for most languages, and a voice for all of them.
//!
//! A process of its own keeps the GPL outside and its crashes harmless. It reads from its standard input, so no text ever
//! becomes an option.

use std::io::Write;
use std::process::{Command, Stdio};

const PROGRAM: &str = "espeak-ng";

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EspeakError {
    #[error("espeak-ng is not installed; install the package `espeak-ng`")]
    Missing,
    #[error("espeak-ng failed: {0}")]
    Failed(String),
}

/// IPA of a text, one line per clause, affricates and diphthongs tied with `^`.
pub fn phonemes(voice: &str, text: &str) -> Result<String, EspeakError> {
    let answer = run(&["-q", "--ipa", "--tie=^", "-b", "1", "-v", voice, "--stdin"], text)?;
    String::from_utf8(answer).map_err(|_| EspeakError::Failed("phonemes that are not UTF-8".into()))
}

pub fn run(arguments: &[&str], text: &str) -> Result<Vec<u8>, EspeakError> {
    #[expect(clippy::disallowed_methods, reason = "the one program that speaks; it is given text on its input")]
    let mut child = Command::new(PROGRAM)
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("LC_ALL", "C.UTF-8")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|_| EspeakError::Missing)?;
    let mut input = child.stdin.take().ok_or_else(|| EspeakError::Failed("no standard input".into()))?;
    let text = text.to_owned();
    // Written beside the reading: a long text would otherwise fill both pipes and stop both ends.
    #[expect(clippy::disallowed_methods, reason = "it only writes, and is joined below")]
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().map_err(|error| EspeakError::Failed(error.to_string()))?;
    // A child that stops reading early says why in its exit status.
    let _ = writer.join();
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(EspeakError::Failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
    }
}
