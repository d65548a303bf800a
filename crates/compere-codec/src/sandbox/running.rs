//! An errand under way.

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pipe::fcntl_setpipe_size;
use rustix::process::{Pid, Signal, kill_process_group};

use super::confine::NOT_CONFINED;
use super::errand::{Errand, Limits};
use super::left::Left;
use super::toil::{self, Toil};
use crate::MediaError;

/// Pictures are megabytes: through a pipe as small as pipes begin, two processes take turns for every 64 KiB of one. An
/// account that is not the administrator may have 64 MiB in all its pipes before new ones are cut down.
const PIPE: usize = 512 << 10;

/// How many stalls are waited for whoever has something to do and gets no processor.
const PATIENCE: u32 = 20;
/// Whoever worked so much of a stall was let.
const LET: f64 = 0.8;

/// An errand that says nothing, as it is looked at from stall to stall.
struct Starved {
    /// What it had worked when that began, in seconds.
    since: Option<f64>,
    last: f64,
}

impl Starved {
    /// Whether it has something to do, and was hardly let.
    fn is_still(&mut self, toil: Toil, stall: u64) -> bool {
        let works = toil.wants || toil.seconds > self.last;
        self.last = toil.seconds;
        works && toil.seconds - *self.since.get_or_insert(toil.seconds) < LET * stall as f64
    }
}

/// What a finished errand left.
#[derive(Clone, Debug)]
pub struct Output {
    pub stdout: Vec<u8>,
    /// The end of what it complained about.
    pub stderr: String,
}

/// A process and everything it starts, ended together.
#[derive(Debug)]
pub(super) struct Group {
    child: Child,
    ended: bool,
}

impl Group {
    pub(super) fn spawn(command: &mut Command) -> io::Result<Self> {
        Ok(Self { child: command.process_group(0).spawn()?, ended: false })
    }

    fn kill(&mut self) {
        if !self.ended
            && let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
        {
            // It may be gone already, which is what is wanted.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    fn wait(&mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait()?;
        self.ended = true;
        Ok(status)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
        let _ = self.wait();
    }
}

/// A started errand. Dropping it ends it.
#[derive(Debug)]
pub struct Running {
    group: Group,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    complaints: Vec<u8>,
    limits: Limits,
    name: &'static str,
    read: u64,
    left: Left,
}

impl Running {
    /// Bytes of complaints that are kept.
    const TAIL: usize = 4096;

    pub(super) fn new(mut group: Group, errand: &Errand, left: Left) -> Self {
        let (stdout, stderr) = (group.child.stdout.take(), group.child.stderr.take());
        if let Some(stdout) = &stdout {
            // Whoever may not have so much keeps what there is.
            let _ = fcntl_setpipe_size(stdout, PIPE);
        }
        let (limits, name) = (errand.limits(), errand.name());
        Self { group, stdout, stderr, complaints: vec![], limits, name, read: 0, left }
    }

    /// The next bytes; 0 at the end of the output.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize, MediaError> {
        while self.stdout.is_some() {
            let (out, err) = self.wait_readable()?;
            if err {
                self.take_complaints()?;
            }
            if out {
                return self.take_output(buffer);
            }
        }
        Ok(0)
    }

    /// Fills `buffer` as far as the output reaches and says how far that was.
    pub fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, MediaError> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.read(&mut buffer[filled..])? {
                0 => break,
                n => filled += n,
            }
        }
        Ok(filled)
    }

    /// Waits up to `milliseconds` for the next byte or the end, for those who have something to do meanwhile. Time that
    /// passes here does not count as a stall.
    pub fn is_ready(&mut self, milliseconds: u32) -> Result<bool, MediaError> {
        if self.stdout.is_none() && self.stderr.is_none() {
            return Ok(true);
        }
        let limit =
            Timespec { tv_sec: (milliseconds / 1000).into(), tv_nsec: (milliseconds % 1000 * 1_000_000).into() };
        match self.poll(&limit)? {
            None => Ok(false),
            Some((out, err)) => {
                if err {
                    self.take_complaints()?;
                }
                Ok(out)
            }
        }
    }

    /// Waits for the end after the last byte was read. Failure of the program is an error with the reason it gave.
    pub fn finish(mut self) -> Result<String, MediaError> {
        self.stdout = None;
        while self.stderr.is_some() {
            self.wait_readable()?;
            self.take_complaints()?;
        }
        let status = self.group.wait().map_err(|error| MediaError::io("could not wait for a child", &error))?;
        let complaints = String::from_utf8_lossy(&self.complaints).into_owned();
        if status.success() { Ok(complaints) } else { Err(self.failure(status, &complaints)) }
    }

    pub(super) fn into_output(mut self) -> Result<Output, MediaError> {
        let mut stdout = Vec::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match self.read(&mut buffer)? {
                0 => break,
                n => stdout.extend_from_slice(&buffer[..n]),
            }
        }
        Ok(Output { stdout, stderr: self.finish()? })
    }

    fn wait_readable(&mut self) -> Result<(bool, bool), MediaError> {
        // Of one that worked a while before, only what it does from here on is known to be for nothing.
        let mut starved = Starved { since: (self.read == 0).then_some(0.0), last: 0.0 };
        for _ in 0..PATIENCE {
            if let Some(ready) = self.wait_for_stall()? {
                return Ok(ready);
            }
            let toil = toil::of(self.group.child.id());
            if !toil.is_some_and(|toil| starved.is_still(toil, self.limits.stall)) {
                break;
            }
        }
        self.group.kill();
        Err(too_slow(self.limits.stall))
    }

    /// What there is to read within the time that a stall may last.
    fn wait_for_stall(&mut self) -> Result<Option<(bool, bool)>, MediaError> {
        // Whoever may leave is looked for ten times a second.
        let (limit, turns) = match self.left.may() {
            true => (Timespec { tv_sec: 0, tv_nsec: 100_000_000 }, self.limits.stall * 10),
            false => (Timespec { tv_sec: self.limits.stall as i64, tv_nsec: 0 }, 1),
        };
        for _ in 0..turns {
            if self.left.has() {
                self.group.kill();
                return Err(MediaError::machine("is not waited for any more"));
            }
            if let Some(ready) = self.poll(&limit)? {
                return Ok(Some(ready));
            }
        }
        Ok(None)
    }

    /// Whether there is output and whether there are complaints; nothing when time ran out.
    fn poll(&mut self, limit: &Timespec) -> Result<Option<(bool, bool)>, MediaError> {
        let mut fds = Vec::with_capacity(2);
        fds.extend(self.stdout.as_ref().map(|fd| PollFd::from_borrowed_fd(fd.as_fd(), PollFlags::IN)));
        fds.extend(self.stderr.as_ref().map(|fd| PollFd::from_borrowed_fd(fd.as_fd(), PollFlags::IN)));
        let ready = loop {
            match poll(&mut fds, Some(limit)) {
                Err(rustix::io::Errno::INTR) => (),
                other => break other.map_err(|error| MediaError::io("could not wait for a child", &error.into()))?,
            }
        };
        if ready == 0 {
            return Ok(None);
        }
        let mut states = fds.iter().map(|fd| !fd.revents().is_empty());
        let out = self.stdout.is_some() && states.next().unwrap_or(false);
        let err = self.stderr.is_some() && states.next().unwrap_or(false);
        Ok(Some((out, err)))
    }

    fn take_output(&mut self, buffer: &mut [u8]) -> Result<usize, MediaError> {
        let Some(stdout) = &mut self.stdout else { return Ok(0) };
        let n = retry(|| stdout.read(buffer))?;
        if n == 0 {
            self.stdout = None;
        }
        self.read += n as u64;
        if self.read > self.limits.output {
            self.group.kill();
            return Err(MediaError::too_large("unpacks to more than is allowed"));
        }
        Ok(n)
    }

    fn take_complaints(&mut self) -> Result<(), MediaError> {
        let Some(stderr) = &mut self.stderr else { return Ok(()) };
        let mut buffer = [0; 2048];
        match retry(|| stderr.read(&mut buffer))? {
            0 => self.stderr = None,
            n => self.complaints.extend_from_slice(&buffer[..n]),
        }
        let too_many = self.complaints.len().saturating_sub(Self::TAIL);
        self.complaints.drain(..too_many);
        Ok(())
    }

    fn failure(&self, status: ExitStatus, complaints: &str) -> MediaError {
        let no_memory = ["Cannot allocate memory", "memory allocation of"];
        if no_memory.iter().any(|sign| complaints.contains(sign)) {
            return MediaError::too_large("needs more memory than is allowed");
        }
        // `timeout`, bubblewrap and a shell all report a signal as 128 and its number; SIGKILL and SIGXCPU are ours.
        let signal = status.signal().or(status.code().filter(|&code| code > 128).map(|code| code - 128));
        match (signal, status.code()) {
            (Some(9 | 24), _) | (_, Some(124)) => too_slow(self.limits.wall.min(self.limits.cpu)),
            (_, Some(code)) if code == i32::from(NOT_CONFINED) => {
                MediaError::machine(format!("{} could not be confined", self.name))
            }
            (_, Some(126 | 127)) => {
                MediaError::machine(format!("{} could not be run: {}", self.name, last(complaints)))
            }
            (Some(signal), _) => MediaError::damaged(format!("made {} crash (signal {signal})", self.name)),
            _ => MediaError::damaged(last(complaints)),
        }
    }
}

fn too_slow(seconds: u64) -> MediaError {
    MediaError::too_slow(format!("could not be read within {seconds} seconds; it is damaged or far too heavy"))
}

fn retry(mut read: impl FnMut() -> io::Result<usize>) -> Result<usize, MediaError> {
    loop {
        match read() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            other => return other.map_err(|error| MediaError::io("could not read from a child", &error)),
        }
    }
}

/// The last complaint, without the addresses that FFmpeg puts before it.
fn last(complaints: &str) -> String {
    let told = |line: &&str| !line.trim().is_empty() && !line.starts_with("To ignore this");
    let line = complaints.lines().rev().find(told).unwrap_or("cannot be read");
    let mut rest = line.trim();
    while let Some((_, behind)) = rest.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        rest = behind;
    }
    rest.chars().filter(|c| !c.is_control()).take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::{Starved, Toil, last};

    #[test]
    fn who_gets_no_processor_is_told_from_who_waits_and_who_works_for_nothing() {
        let toil = |seconds: f64, wants: bool| Toil { seconds, wants };
        let mut fresh = Starved { since: Some(0.0), last: 0.0 };
        assert!([0.5, 1.0, 3.0].into_iter().all(|seconds| fresh.is_still(toil(seconds, true), 10)));
        assert!(fresh.is_still(toil(3.5, false), 10), "it works, if not at this moment");
        assert!(!fresh.is_still(toil(3.5, false), 10), "it waits");
        assert!(!fresh.is_still(toil(8.1, true), 10), "it had its stall");
        let mut late = Starved { since: None, last: 0.0 };
        assert!(late.is_still(toil(500.0, true), 10), "what it did before was for something");
        assert!(!late.is_still(toil(508.5, true), 10));
    }

    #[test]
    fn a_complaint_loses_its_address() {
        assert_eq!(last("first\n[mov,mp4 @ 0x55d0] moov atom not found\n\n"), "moov atom not found");
        assert_eq!(last(""), "cannot be read");
    }
}
