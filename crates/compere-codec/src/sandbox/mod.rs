//! Where bytes that users sent are decoded.
//!
//! An [`Errand`] is one program with the files it may read. It sees `/usr`, those files and nothing else, has no network,
//! cannot write outside a private `/tmp` and the scratch folder it may have been given, and is held to [`Limits`]. Every
//! failure of it is a [`MediaError`].
//!
//! Bubblewrap does this where user namespaces are allowed. Elsewhere our own binary confines itself with Landlock before
//! it becomes the program: files stay hidden and TCP is closed, but the program sees that other processes are there. Both
//! ways end with a filter that shuts the doors of the kernel which attacks begin with, and all networks.
//!
//! Where neither works nothing that strangers sent is decoded, unless the operator asks for limits only, by that name
//! ([`SandboxWish`]). [`Sandbox::describe`] says which it is.
//!
//! No thread and no clock: `timeout` and `prlimit` (coreutils, util-linux) hold the limits, and reading waits with a
//! time limit of its own, which counts what the child works: on a machine with too much to do it waits longer. A child
//! dies with the *thread* that started it; start and read an errand on the same one.

mod confine;
mod errand;
mod filter;
mod left;
mod running;
mod toil;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) use confine::{confine_main, filter_main};
pub use errand::{Errand, Limits};
pub use left::Left;
pub use running::{Output, Running};

use crate::MediaError;
use running::Group;

/// The name by which our binary is asked to confine itself and become another program.
pub(crate) const CONFINE: &str = "__confine";
/// The same where bubblewrap has done all but shutting doors of the kernel.
pub(crate) const FILTER: &str = "__filter";

/// What an operator can do about it.
const REMEDY: &str = "install bubblewrap or allow user namespaces, or set COMPERE_SANDBOX=limits to decode without \
    a sandbox";

/// The most bytes an errand may keep in its private `/tmp`.
const PRIVATE_TMP: u64 = 1 << 30;

/// How errands are run on this machine.
#[derive(Clone, Debug)]
pub struct Sandbox {
    kind: SandboxKind,
    helper: PathBuf,
    left: Left,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SandboxKind {
    /// With the version that `bwrap` reports.
    Bubblewrap(String),
    Landlock,
    /// Time, memory and output are limited; files and network are not. Only by the operator's own wish.
    LimitsOnly,
    /// What was wished for does not work here: nothing of strangers is decoded.
    Refused,
}

/// Which way an operator wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SandboxWish {
    /// The strongest that works, if it confines.
    #[default]
    Strongest,
    Bubblewrap,
    Landlock,
    LimitsOnly,
}

impl SandboxWish {
    const NAMES: [(&str, Self); 4] = [
        ("auto", Self::Strongest),
        ("bubblewrap", Self::Bubblewrap),
        ("landlock", Self::Landlock),
        ("limits", Self::LimitsOnly),
    ];
}

impl std::str::FromStr for SandboxWish {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::NAMES.iter().find(|(known, _)| *known == name);
        let names = || Self::NAMES.map(|(name, _)| name).join(", ");
        found.map(|(_, wish)| *wish).ok_or_else(|| format!("`{name}` is no sandbox; one of {} would be right", names()))
    }
}

impl Sandbox {
    /// Finds the strongest way that works here, by trying it.
    ///
    /// `helper` is a program that calls [`crate::helper_main`] first thing: our own binary.
    pub fn detect(helper: PathBuf) -> Self {
        Self::wished(SandboxWish::Strongest, helper)
    }

    /// The way that the operator wants, by trying it.
    pub fn wished(wish: SandboxWish, helper: PathBuf) -> Self {
        let bubblewrap =
            || SandboxKind::Bubblewrap(bubblewrap_version().unwrap_or_else(|| "of unknown version".to_owned()));
        let kinds = match wish {
            SandboxWish::Strongest => vec![bubblewrap(), SandboxKind::Landlock],
            SandboxWish::Bubblewrap => vec![bubblewrap()],
            SandboxWish::Landlock => vec![SandboxKind::Landlock],
            SandboxWish::LimitsOnly => return Self::of_kind(SandboxKind::LimitsOnly, helper),
        };
        let works = kinds.into_iter().find(|kind| Self::of_kind(kind.clone(), helper.clone()).works());
        Self::of_kind(works.unwrap_or(SandboxKind::Refused), helper)
    }

    /// A chosen kind, for tests and for operators who know better.
    pub fn of_kind(kind: SandboxKind, helper: PathBuf) -> Self {
        Self { kind, helper, left: Left::default() }
    }

    /// The same, whose errands end when nobody waits for them any more.
    #[must_use]
    pub fn until(self, left: Left) -> Self {
        Self { left, ..self }
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
            SandboxKind::Bubblewrap(version) => {
                format!("bubblewrap {version}: own namespaces, no network, system calls filtered")
            }
            SandboxKind::Landlock => {
                "Landlock: files hidden, no network, system calls filtered (bubblewrap does not work here)".to_owned()
            }
            SandboxKind::LimitsOnly => {
                "limits only, as was asked for: foreign media can read this machine's files and reach its network"
                    .to_owned()
            }
            SandboxKind::Refused => format!("none: foreign media is refused; {REMEDY}"),
        }
    }

    /// Whether foreign media is kept from files and network.
    pub fn is_confined(&self) -> bool {
        matches!(self.kind, SandboxKind::Bubblewrap(_) | SandboxKind::Landlock)
    }

    /// Starts `errand` and hands out its output as it comes.
    pub fn start(&self, errand: &Errand) -> Result<Running, MediaError> {
        errand.check_inputs()?;
        if self.kind == SandboxKind::Refused && !errand.reads_only_ours() {
            return Err(MediaError::machine(format!(
                "is not decoded, because nothing confines decoders here; {REMEDY}"
            )));
        }
        let line = self.command_line(errand)?;
        #[expect(clippy::disallowed_methods, reason = "this is the sandbox")]
        let mut command = Command::new(&line[0]);
        // Without a namespace of its own an errand has no private `/tmp`, and may not write to the one of all.
        let temporary = match self.kind {
            SandboxKind::Bubblewrap(_) => Path::new("/tmp"),
            _ => errand.scratch_folder().unwrap_or(Path::new("/tmp")),
        };
        command.args(&line[1..]).env_clear().env("PATH", "/usr/bin:/bin").env("LC_ALL", "C.UTF-8");
        command.env("HOME", temporary).env("TMPDIR", temporary);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let group = Group::spawn(&mut command)
            .map_err(|error| MediaError::machine(format!("could not start {}: {error}", line[0].display())))?;
        Ok(Running::new(group, errand, self.left.clone()))
    }

    /// Runs `errand` to its end and keeps what it wrote.
    pub fn run(&self, errand: &Errand) -> Result<Output, MediaError> {
        self.start(errand)?.into_output()
    }

    fn works(&self) -> bool {
        let errand = Errand::new("/usr/bin/true", Limits { wall: 10, ..Limits::SMALL });
        self.run(&errand).is_ok()
    }

    fn command_line(&self, errand: &Errand) -> Result<Vec<OsString>, MediaError> {
        let mut line = Vec::new();
        let see = match self.kind {
            SandboxKind::Bubblewrap(_) => {
                self.push_bubblewrap(errand, &mut line);
                errand::Sight::Mounted
            }
            _ => errand::Sight::AsIs,
        };
        errand.push_limits(see, &mut line);
        match self.kind {
            SandboxKind::Bubblewrap(_) => line.extend([errand::MOUNTED_HELPER.into(), FILTER.into()]),
            SandboxKind::Landlock => self.push_confine(errand, &mut line),
            SandboxKind::LimitsOnly | SandboxKind::Refused => (),
        }
        errand.push_program(see, &self.helper, &mut line)?;
        Ok(line)
    }

    fn push_bubblewrap(&self, errand: &Errand, line: &mut Vec<OsString>) {
        let fixed = "bwrap --unshare-all --die-with-parent --cap-drop ALL \
            --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 \
            --ro-bind-try /etc/alternatives /etc/alternatives --ro-bind-try /etc/ld.so.cache /etc/ld.so.cache \
            --dev /dev";
        line.extend(fixed.split_whitespace().map(OsString::from));
        if has_terminal() {
            line.push("--new-session".into());
        }
        // What lies in `/tmp` lies in memory.
        if self.can_size_tmpfs() {
            line.extend(["--size".into(), PRIVATE_TMP.to_string().into()]);
        }
        line.extend("--tmpfs /tmp --chdir /tmp".split_whitespace().map(OsString::from));
        if errand.wants_proc() {
            line.extend(["--proc".into(), "/proc".into()]);
        }
        for (at, input) in errand.inputs().iter().enumerate() {
            line.extend(["--ro-bind".into(), input.into(), errand::mounted_input(at).into()]);
        }
        for folder in errand.folders() {
            line.extend(["--ro-bind-try".into(), folder.into(), folder.into()]);
        }
        if let Some(scratch) = errand.scratch_folder() {
            line.extend(["--bind".into(), scratch.into(), scratch.into()]);
        }
        line.extend(["--ro-bind".into(), (&self.helper).into(), errand::MOUNTED_HELPER.into()]);
        line.push("--".into());
    }

    fn push_confine(&self, errand: &Errand, line: &mut Vec<OsString>) {
        line.extend([(&self.helper).into(), CONFINE.into()]);
        line.extend(errand.inputs().iter().chain(errand.folders()).map(OsString::from));
        line.extend([(&self.helper).into(), "--".into()]);
        line.extend(errand.scratch_folder().map(OsString::from));
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

/// Whether this process is somebody's at a terminal, into which a child of the same session could type.
///
/// Without one an errand stays in our session: Linux weighs sessions before it weighs processes, so that in one of its own it
/// would have as much of a processor as the whole service, however willingly it let others go first.
fn has_terminal() -> bool {
    let opened = std::fs::File::open("/dev/tty");
    !opened.is_err_and(|error| error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()))
}

fn bubblewrap_version() -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "this is the sandbox")]
    let output = Command::new("bwrap").arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.split_whitespace().last().map(str::to_owned)
}
