//! A worker process, as the service sees it: spoken to, listened to, and looked at when it is dead.

use std::collections::VecDeque;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use compere_media::Megabytes;
use compere_store::trial;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;

use crate::worker::protocol::{FromWorker, Hello, ToWorker};

/// Voices and fonts are opened in a second or two; a machine that swaps takes longer.
const OPENING: Duration = Duration::from_secs(60);
/// Complaints that are kept for the post-mortem.
const TAIL: usize = 20;

/// All that a worker inherits: where programs, fonts and certificates are, and how it is to go about its work. Whatever
/// opens something (keys of object stores, the database's address, tokens) is not among it. Settings come through the
/// pipe.
const INHERITED: [&str; 15] = [
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TZ",
    "TMPDIR",
    "LD_LIBRARY_PATH",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "RUST_BACKTRACE",
    "COMPERE_ASSETS",
    "COMPERE_FONTS",
    "COMPERE_KERNELS",
    "COMPERE_LOG",
    "COMPERE_SANDBOX",
];

/// How workers are started.
#[derive(Clone, Debug)]
pub(super) struct Starter {
    exe: PathBuf,
    hello: Hello,
}

impl Starter {
    pub(super) fn new(hello: Hello) -> Result<Self, String> {
        let exe = std::env::current_exe().map_err(|error| format!("our own binary cannot be found: {error}"))?;
        Ok(Self::of(exe, hello))
    }

    pub(super) fn of(exe: PathBuf, hello: Hello) -> Self {
        Self { exe, hello }
    }

    pub(super) fn program(&self) -> &Path {
        &self.exe
    }

    /// Starts one and waits until it is ready for work.
    pub(super) async fn start(&self) -> Result<Worker, String> {
        let inherited = INHERITED.iter().chain(trial::variables());
        let mut child = Command::new(&self.exe)
            .args(["worker", "--child"])
            .env_clear()
            .envs(inherited.filter_map(|name| Some((name, std::env::var_os(name)?))))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Ctrl-C in a terminal is for the service, which tells its workers.
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| format!("a worker cannot be started: {error}"))?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            return Err("a worker was started without its pipes".to_owned());
        };
        let about = Arc::new(About {
            pid: child.id().unwrap_or(0),
            memory: self.hello.settings.worker_memory,
            notes: Mutex::default(),
        });
        let complaints = tokio::spawn(log(BufReader::new(stderr).lines(), Arc::clone(&about)));
        let (mouth, ears) = (Mouth(Arc::new(tokio::sync::Mutex::new(stdin))), Ears(BufReader::new(stdout).lines()));
        let mut worker = Worker { child, mouth, ears, about, complaints };
        let hello = ToWorker::Hello(Box::new(self.hello.clone()));
        if worker.mouth.tell(&hello).await.is_err() {
            return Err(format!("a worker could not be started: {}", worker.autopsy().await));
        }
        match tokio::time::timeout(OPENING, worker.ears.hear()).await {
            Ok(Some(FromWorker::Ready)) => Ok(worker),
            Ok(Some(FromWorker::Unfit { why })) => Err(why),
            Ok(_) => Err(format!("a worker could not be started: {}", worker.autopsy().await)),
            Err(_) => Err(format!("a worker was not ready within {} s", OPENING.as_secs())),
        }
    }
}

/// A living child. Dropping it kills it.
#[derive(Debug)]
pub(super) struct Worker {
    child: tokio::process::Child,
    pub(super) mouth: Mouth,
    pub(super) ears: Ears,
    about: Arc<About>,
    /// Ends when nobody can complain any more.
    complaints: JoinHandle<()>,
}

#[derive(Debug)]
struct About {
    pid: u32,
    /// That it may use.
    memory: Megabytes,
    notes: Mutex<Notes>,
}

#[derive(Debug, Default)]
struct Notes {
    /// What it works on, for the log.
    export: Option<String>,
    tail: VecDeque<String>,
}

impl About {
    fn notes(&self) -> std::sync::MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a worker is told. Its end is the worker's, so whoever has a copy lets go of it soon.
#[derive(Clone, Debug)]
pub(super) struct Mouth(Arc<tokio::sync::Mutex<ChildStdin>>);

impl Mouth {
    pub(super) async fn tell(&self, message: &ToWorker) -> std::io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let mut pipe = self.0.lock().await;
        pipe.write_all(&line).await?;
        pipe.flush().await
    }
}

/// What a worker says.
#[derive(Debug)]
pub(super) struct Ears(Lines<BufReader<ChildStdout>>);

impl Ears {
    /// The next thing it says; none when it is dead, or says what nobody understands.
    pub(super) async fn hear(&mut self) -> Option<FromWorker> {
        let line = self.0.next_line().await.ok().flatten()?;
        match serde_json::from_str(&line) {
            Ok(message) => Some(message),
            Err(error) => {
                tracing::error!(%error, "a worker said something that cannot be understood");
                None
            }
        }
    }
}

impl Worker {
    pub(super) fn works_on(&self, export: Option<&str>) {
        self.about.notes().export = export.map(str::to_owned);
    }

    pub(super) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    pub(super) fn pid(&self) -> u32 {
        self.about.pid
    }

    /// Waits for its end, which is brought about if need be, and says how it came.
    pub(super) async fn autopsy(mut self) -> String {
        drop(self.mouth);
        // It has a moment to say its last words.
        let status = match tokio::time::timeout(Duration::from_secs(1), self.child.wait()).await {
            Ok(status) => status,
            Err(_) => {
                let _ = self.child.start_kill();
                self.child.wait().await
            }
        };
        // Its complaints come through another pipe, which a grandchild may hold open.
        let _ = tokio::time::timeout(Duration::from_secs(1), self.complaints).await;
        let tail: Vec<String> = self.about.notes().tail.iter().cloned().collect();
        match status {
            Ok(status) => cause_of_death(status, &tail, self.about.memory),
            Err(error) => format!("its end could not be seen: {error}"),
        }
    }

    /// Lets go of both halves, for somebody who speaks and listens at the same time.
    pub(super) fn split(self) -> (tokio::process::Child, Mouth, Ears) {
        (self.child, self.mouth, self.ears)
    }
}

/// A sentence without its subject.
fn cause_of_death(status: ExitStatus, tail: &[String], memory: Megabytes) -> String {
    let no_memory = ["memory allocation of", "Cannot allocate memory", "out of memory"];
    if tail.iter().any(|line| no_memory.iter().any(|sign| line.contains(sign))) {
        return format!("it needed more than the {memory} of memory that a worker may use");
    }
    let said = tail.iter().rev().find(|line| line.contains("panicked")).or(tail.last());
    let said = said.map_or(String::new(), |line| format!(": {}", line.chars().take(200).collect::<String>()));
    match (status.signal(), status.code()) {
        (Some(9), _) => "it was killed, perhaps because the machine ran out of memory".to_owned(),
        (Some(signal), _) => format!("it crashed with signal {signal}{said}"),
        (None, Some(code)) => format!("it ended with code {code}{said}"),
        (None, None) => "it ended".to_owned(),
    }
}

/// Everything a worker complains about goes into the service's log.
async fn log(mut lines: Lines<BufReader<tokio::process::ChildStderr>>, about: Arc<About>) {
    while let Ok(Some(line)) = lines.next_line().await {
        let mut notes = about.notes();
        tracing::warn!(worker = about.pid, export = notes.export.as_deref(), "{line}");
        notes.tail.push_back(line);
        if notes.tail.len() > TAIL {
            notes.tail.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_death_is_told_by_what_caused_it() {
        let of = |raw, tail: &[&str]| {
            cause_of_death(
                ExitStatus::from_raw(raw),
                &tail.iter().map(|&line| line.to_owned()).collect::<Vec<_>>(),
                Megabytes(512),
            )
        };
        assert!(of(6, &["memory allocation of 99999 bytes failed"]).contains("512 MB"));
        assert!(of(9, &[]).contains("killed"));
        assert!(of(11, &[]).contains("signal 11"));
        assert_eq!(
            of(101 << 8, &["thread 'main' panicked at x.rs:1", "note: run with"]),
            "it ended with code 101: thread 'main' panicked at x.rs:1"
        );
    }
}
