//! Children of one import: waited for, watched, ended when somebody says stop or time runs out.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use compere_codec::sandbox::{Errand, Output, Running};
use compere_codec::{MediaError, Sandbox};

use super::typecase::Fonts;
use crate::{ImportError, Limits, Progress, Watch};

/// Milliseconds between two looks at whether to go on.
pub(crate) const LOOK: u32 = 150;

/// Seconds of a busy machine for one of a processor.
pub(crate) const BUSY: u64 = 6;

/// What every step of an import needs.
pub(crate) struct Work<'a> {
    pub(crate) sandbox: &'a Sandbox,
    pub(crate) limits: Limits,
    /// What fontconfig is told beside what the system knows, once it is known.
    pub(crate) fonts: OnceLock<Fonts>,
    watch: &'a Watch<'a>,
    started: Instant,
}

/// Why a child gave no answer.
pub(crate) enum Stopped {
    /// The import as a whole ends.
    Import(ImportError),
    /// The child failed.
    Child(MediaError),
}

impl From<MediaError> for Stopped {
    fn from(error: MediaError) -> Self {
        Self::Child(error)
    }
}

impl From<ImportError> for Stopped {
    fn from(error: ImportError) -> Self {
        Self::Import(error)
    }
}

impl Stopped {
    /// As an error about `subject`, which begins the sentence.
    pub(crate) fn about(self, subject: &str) -> ImportError {
        match self {
            Self::Import(error) => error,
            Self::Child(error) => ImportError::of_child(subject, &error),
        }
    }
}

impl<'a> Work<'a> {
    pub(crate) fn new(sandbox: &'a Sandbox, limits: Limits, watch: &'a Watch<'a>) -> Self {
        Self { sandbox, limits, fonts: OnceLock::new(), watch, started: Instant::now() }
    }

    pub(crate) fn watch(&self) -> &'a Watch<'a> {
        self.watch
    }

    /// Tells how far it is. An error when it shall not go on.
    pub(crate) fn tell(&self, progress: Progress) -> Result<(), ImportError> {
        if (self.watch)(progress).is_break() {
            return Err(ImportError::cancelled());
        }
        if self.started.elapsed() > Duration::from_secs(self.limits.seconds) {
            return Err(ImportError::unreadable(format!(
                "The document could not be read within {} seconds; a simpler one, or a part of it, would be right.",
                self.limits.seconds
            )));
        }
        Ok(())
    }

    /// Runs an errand to its end, looking up while it does.
    pub(crate) fn run(&self, errand: &Errand, progress: Progress) -> Result<Output, Stopped> {
        let mut running = self.sandbox.start(errand)?;
        let mut stdout = Vec::new();
        while self.more(&mut running, &mut stdout, progress)? {}
        Ok(Output { stdout, stderr: running.finish()? })
    }

    /// Runs errands side by side to their ends. What one of them did not answer is nobody else's affair.
    pub(crate) fn run_beside<const N: usize>(
        &self,
        errands: [Errand; N],
        progress: Progress,
    ) -> Result<[Option<Output>; N], ImportError> {
        let mut under_way = errands.map(|errand| (self.sandbox.start(&errand).ok(), Vec::new()));
        let mut left = true;
        while left {
            left = false;
            for (running, stdout) in &mut under_way {
                let Some(child) = running else { continue };
                match self.more(child, stdout, progress) {
                    Ok(more) => left |= more,
                    Err(Stopped::Import(error)) => return Err(error),
                    Err(Stopped::Child(_)) => *running = None,
                }
            }
        }
        let ended = |(running, stdout): (Option<Running>, _)| Some(Output { stdout, stderr: running?.finish().ok()? });
        Ok(under_way.map(ended))
    }

    /// Waits for a moment and takes what came; false at the end.
    pub(crate) fn more(&self, running: &mut Running, to: &mut Vec<u8>, progress: Progress) -> Result<bool, Stopped> {
        self.tell(progress)?;
        if !running.is_ready(LOOK)? {
            return Ok(true);
        }
        let mut buffer = vec![0; 1 << 16];
        let n = running.read(&mut buffer)?;
        to.extend_from_slice(&buffer[..n]);
        Ok(n > 0)
    }
}
