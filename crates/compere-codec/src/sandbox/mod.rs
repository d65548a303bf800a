//! Where bytes that users sent are decoded.
//!
//! A [`Job`] is one program with the files it may read. It sees `/usr`, those files and nothing else, has no network,
//! cannot write outside a private `/tmp` and the scratch folder it may have been given, and is held to [`Limits`]. Every
//! failure of it is a [`MediaError`].
//!
//! Bubblewrap does this where user namespaces are allowed. Elsewhere our own binary confines itself with Landlock before
//! it becomes the program: files stay hidden and TCP is closed, but the program sees other processes and may use UDP.
//! Where even that is missing, only the limits are left; [`Sandbox::describe`] says which of the three it is.
//!
//! No thread and no clock: `timeout` and `prlimit` (coreutils, util-linux) hold the limits, and reading waits with a
//! time limit of its own. A child dies with the *thread* that started it; start and read a job on the same one.

mod confine;
mod job;
mod running;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) use confine::confine_main;
pub use job::{Job, Limits};
pub use running::{Output, Running};

use crate::MediaError;
use running::Group;

/// The name by which our binary is asked to confine itself and become another program.
pub(crate) const CONFINE: &str = "__confine";

/// The most bytes a job may keep in its private `/tmp`.
const PRIVATE_TMP: u64 = 1 << 30;

/// How jobs are run on this machine.
#[derive(Clone, Debug)]
pub struct Sandbox {
    kind: SandboxKind,
    helper: PathBuf,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SandboxKind {
    /// With the version that `bwrap` reports.
    Bubblewrap(String),
    Landlock,
    /// Time, memory and output are limited; files and network are not.
    LimitsOnly,
}

impl Sandbox {
    /// Finds the strongest way that works here, by trying it.
    ///
    /// `helper` is a program that calls [`crate::helper_main`] first thing: our own binary.
    pub fn detect(helper: PathBuf) -> Self {
        let version = bubblewrap_version().unwrap_or_else(|| "of unknown version".to_owned());
        let kinds = [SandboxKind::Bubblewrap(version), SandboxKind::Landlock];
        let works = kinds.into_iter().find(|kind| Self { kind: kind.clone(), helper: helper.clone() }.works());
        Self { kind: works.unwrap_or(SandboxKind::LimitsOnly), helper }
    }

    /// A chosen kind, for tests and for operators who know better.
    pub fn of_kind(kind: SandboxKind, helper: PathBuf) -> Self {
        Self { kind, helper }
    }

    pub fn kind(&self) -> &SandboxKind {
        &self.kind
    }

    pub fn helper(&self) -> &Path {
        &self.helper
    }

    /// One line for `doctor`.
    pub fn describe(&self) -> String {
        match &self.kind {
            SandboxKind::Bubblewrap(version) => format!("bubblewrap {version}: own namespaces, no network"),
            SandboxKind::Landlock => {
                "Landlock: files hidden, TCP closed (user namespaces are forbidden here)".to_owned()
            }
            SandboxKind::LimitsOnly => {
                "limits only: foreign media can read this machine's files; install bubblewrap or allow user namespaces"
                    .to_owned()
            }
        }
    }

    /// Whether foreign media is kept from files and network.
    pub fn is_confined(&self) -> bool {
        self.kind != SandboxKind::LimitsOnly
    }

    /// Starts `job` and hands out its output as it comes.
    pub fn start(&self, job: &Job) -> Result<Running, MediaError> {
        job.check_inputs()?;
        let line = self.command_line(job)?;
        let mut command = Command::new(&line[0]);
        // Without a namespace of its own a job has no private `/tmp`, and may not write to the one of all.
        let temporary = match self.kind {
            SandboxKind::Bubblewrap(_) => Path::new("/tmp"),
            SandboxKind::Landlock | SandboxKind::LimitsOnly => job.scratch_folder().unwrap_or(Path::new("/tmp")),
        };
        command.args(&line[1..]).env_clear().env("PATH", "/usr/bin:/bin").env("LC_ALL", "C.UTF-8");
        command.env("HOME", temporary).env("TMPDIR", temporary);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let group = Group::spawn(&mut command)
            .map_err(|error| MediaError::machine(format!("could not start {}: {error}", line[0].display())))?;
        Ok(Running::new(group, job))
    }

    /// Runs `job` to its end and keeps what it wrote.
    pub fn run(&self, job: &Job) -> Result<Output, MediaError> {
        self.start(job)?.into_output()
    }

    fn works(&self) -> bool {
        let job = Job::new("/usr/bin/true", Limits { wall: 10, ..Limits::SMALL });
        self.run(&job).is_ok()
    }

    fn command_line(&self, job: &Job) -> Result<Vec<OsString>, MediaError> {
        let mut line = Vec::new();
        let see = match self.kind {
            SandboxKind::Bubblewrap(_) => {
                self.push_bubblewrap(job, &mut line);
                job::Sight::Mounted
            }
            SandboxKind::Landlock | SandboxKind::LimitsOnly => job::Sight::AsIs,
        };
        job.push_limits(see, &mut line);
        if self.kind == SandboxKind::Landlock {
            self.push_confine(job, &mut line);
        }
        job.push_program(see, &self.helper, &mut line)?;
        Ok(line)
    }

    fn push_bubblewrap(&self, job: &Job, line: &mut Vec<OsString>) {
        let fixed = "bwrap --unshare-all --die-with-parent --new-session --cap-drop ALL \
            --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 \
            --ro-bind-try /etc/alternatives /etc/alternatives --ro-bind-try /etc/ld.so.cache /etc/ld.so.cache \
            --dev /dev";
        line.extend(fixed.split_whitespace().map(OsString::from));
        // What lies in `/tmp` lies in memory.
        if self.can_size_tmpfs() {
            line.extend(["--size".into(), PRIVATE_TMP.to_string().into()]);
        }
        line.extend("--tmpfs /tmp --chdir /tmp".split_whitespace().map(OsString::from));
        if job.wants_proc() {
            line.extend(["--proc".into(), "/proc".into()]);
        }
        for (at, input) in job.inputs().iter().enumerate() {
            line.extend(["--ro-bind".into(), input.into(), job::mounted_input(at).into()]);
        }
        for folder in job.folders() {
            line.extend(["--ro-bind-try".into(), folder.into(), folder.into()]);
        }
        if let Some(scratch) = job.scratch_folder() {
            line.extend(["--bind".into(), scratch.into(), scratch.into()]);
        }
        if job.runs_helper() {
            line.extend(["--ro-bind".into(), (&self.helper).into(), job::MOUNTED_HELPER.into()]);
        }
        line.push("--".into());
    }

    fn push_confine(&self, job: &Job, line: &mut Vec<OsString>) {
        line.extend([(&self.helper).into(), CONFINE.into()]);
        line.extend(job.inputs().iter().chain(job.folders()).map(OsString::from));
        line.extend([(&self.helper).into(), "--".into()]);
        line.extend(job.scratch_folder().map(OsString::from));
        line.push("--".into());
    }

    /// Since bubblewrap 0.7.
    fn can_size_tmpfs(&self) -> bool {
        let SandboxKind::Bubblewrap(version) = &self.kind else { return false };
        let mut parts = version.split('.').map(|part| part.parse::<u32>().ok());
        match (parts.next().flatten(), parts.next().flatten()) {
            (Some(0), Some(minor)) => minor >= 7,
            (Some(major), _) => major > 0,
            (None, _) => false,
        }
    }
}

fn bubblewrap_version() -> Option<String> {
    let output = Command::new("bwrap").arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.split_whitespace().last().map(str::to_owned)
}
