//! Sound encoded as it comes, for whoever watches a film while it is made.
//!
//! One encoder from the first sample on, fed through a pipe: it hears only what we mixed, so it runs outside the sandbox,
//! and it ends with the pipe. The same frames as [`super::encode`] gives of one stretch.

use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use super::frame_size;
use crate::MediaError;

/// How long a frame may take whose sound is there.
const PATIENCE: Duration = Duration::from_secs(20);

/// An encoder under way. Dropping it ends it.
#[derive(Debug)]
pub struct LiveEncoder {
    child: Child,
    pipe: Option<ChildStdin>,
    frames: Receiver<Vec<u8>>,
}

impl LiveEncoder {
    /// Samples of sound that may lie in the encoder and its pipes beyond the last frame that it gave.
    pub const BEHIND: u64 = 8192;

    pub fn start(rate: u32) -> Result<Self, MediaError> {
        #[expect(clippy::disallowed_methods, reason = "an encoder of our own sound, fed as it is mixed")]
        let mut command = Command::new("ffmpeg");
        command.env_clear().env("PATH", "/usr/bin:/bin").env("LC_ALL", "C.UTF-8");
        let mut words = |text: &str| {
            command.args(text.split_whitespace());
        };
        words("-hide_banner -nostdin -v error -threads 1 -probesize 32 -analyzeduration 0");
        words("-f f32le -ar 48000 -ac 2 -i pipe:0 -c:a aac -aac_coder fast -threads 1 -flags:a +bitexact");
        words("-fflags +bitexact -flush_packets 1 -b:a");
        command.arg(rate.to_string()).args(["-f", "adts", "pipe:1"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| failed(&error))?;
        let (pipe, out) = (child.stdin.take(), child.stdout.take().map(BufReader::new));
        let (send, frames) = channel();
        #[expect(
            clippy::disallowed_methods,
            reason = "whoever writes to a pipe cannot read the other one; it ends with it"
        )]
        std::thread::spawn(move || {
            let Some(mut out) = out else { return };
            while let Some(frame) = frame(&mut out) {
                if send.send(frame).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, pipe, frames })
    }

    /// Interleaved stereo.
    pub fn write(&mut self, samples: &[f32]) -> Result<(), MediaError> {
        let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
        match &mut self.pipe {
            Some(pipe) => pipe.write_all(&bytes).map_err(|error| failed(&error)),
            None => Ok(()),
        }
    }

    /// Nothing more will come: the last frames can be had.
    pub fn close(&mut self) {
        self.pipe = None;
    }

    /// The next frame. The first is what the encoder puts before the sound.
    pub fn frame(&mut self) -> Result<Vec<u8>, MediaError> {
        let late = |_| MediaError::machine("the sound encoder gave nothing for what it was given");
        self.frames.recv_timeout(PATIENCE).map_err(late)
    }
}

impl Drop for LiveEncoder {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The next frame of an ADTS stream, without its header.
fn frame(from: &mut BufReader<ChildStdout>) -> Option<Vec<u8>> {
    let mut head = [0; 7];
    from.read_exact(&mut head).ok()?;
    let mut frame = vec![0; frame_size(head)?];
    from.read_exact(&mut frame).ok()?;
    Some(frame)
}

fn failed(error: &std::io::Error) -> MediaError {
    MediaError::io("could not encode the sound", error)
}
