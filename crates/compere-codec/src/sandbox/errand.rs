//! One program, what it may read and how much it may use.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::MediaError;

pub(super) const MOUNTED_HELPER: &str = "/helper";

pub(super) fn mounted_input(at: usize) -> String {
    format!("/in/{at}")
}

/// How much an errand may use. Going over ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Seconds from start to end. Time in which nobody reads counts too, and that in which others had the processors: this is
    /// for what waits for ever, and what works is held to `cpu`.
    pub wall: u64,
    /// Seconds of processor time, all threads together.
    pub cpu: u64,
    /// Seconds a reader waits for the next byte, of those in which the errand could work.
    pub stall: u64,
    /// Bytes of address space.
    pub memory: u64,
    /// Bytes of output.
    pub output: u64,
    /// Processes and threads.
    pub processes: u32,
}

impl Limits {
    const MIB: u64 = 1 << 20;

    /// For a look at a file.
    pub const SMALL: Self =
        Self { wall: 600, cpu: 30, stall: 30, memory: 2048 * Self::MIB, output: 64 * Self::MIB, processes: 64 };
    /// For a picture: 80 megapixels with 16 bits a channel and a copy of them.
    pub const PICTURE: Self =
        Self { wall: 600, cpu: 15, memory: 3072 * Self::MIB, ..Self::SMALL }.with_output(512 * Self::MIB);
    /// For footage that is decoded while the film is drawn, which may take as long as it likes as a whole.
    pub const FOOTAGE: Self =
        Self { wall: 12 * 3600, cpu: 6 * 3600, stall: 60, memory: 4096 * Self::MIB, output: u64::MAX, processes: 64 };

    #[must_use]
    pub const fn with_output(self, output: u64) -> Self {
        Self { output, ..self }
    }
}

/// How the program sees its files: under fixed names, or where they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    Mounted,
    AsIs,
}

#[derive(Clone, Debug)]
enum Arg {
    Text(OsString),
    Input { prefix: String, at: usize },
}

#[derive(Clone, Debug)]
enum Program {
    Named(&'static str),
    Helper,
}

/// A program with its arguments, to be run in a [`super::Sandbox`].
#[derive(Clone, Debug)]
pub struct Errand {
    program: Program,
    args: Vec<Arg>,
    inputs: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    scratch: Option<PathBuf>,
    sees_itself: bool,
    of_ours: bool,
    largest_file: u64,
    limits: Limits,
}

impl Errand {
    /// A program of the system, by name or absolute path.
    pub fn new(program: &'static str, limits: Limits) -> Self {
        Self::of(Program::Named(program), limits)
    }

    /// Our own binary, asked for one of its hidden commands.
    pub fn helper(command: &str, limits: Limits) -> Self {
        Self::of(Program::Helper, limits).arg(command)
    }

    fn of(program: Program, limits: Limits) -> Self {
        let (inputs, folders) = (vec![], vec![]);
        let largest_file = 64 * Limits::MIB;
        let (sees_itself, of_ours) = (false, false);
        Self { program, args: vec![], inputs, folders, scratch: None, sees_itself, of_ours, largest_file, limits }
    }

    #[must_use]
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(Arg::Text(arg.into()));
        self
    }

    #[must_use]
    pub fn args<A: Into<OsString>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(|arg| Arg::Text(arg.into())));
        self
    }

    /// Arguments without spaces of their own, written as one string.
    #[must_use]
    pub fn words(self, words: &str) -> Self {
        self.args(words.split_whitespace())
    }

    /// A file that the program may read, named to it as an argument.
    #[must_use]
    pub fn input(self, path: impl Into<PathBuf>) -> Self {
        self.prefixed_input("", path)
    }

    /// As [`Errand::input`], with `prefix` before the name.
    #[must_use]
    pub fn prefixed_input(mut self, prefix: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        self.args.push(Arg::Input { prefix: prefix.into(), at: self.inputs.len() });
        self.inputs.push(path.into());
        self
    }

    /// A folder that the program may read, under its own name, when it is there.
    #[must_use]
    pub fn folder(mut self, path: impl Into<PathBuf>) -> Self {
        self.folders.push(path.into());
        self
    }

    /// The one folder that the program may write to, under its own name, and the most bytes a file there may have.
    #[must_use]
    pub fn scratch(mut self, folder: impl Into<PathBuf>, largest_file: u64) -> Self {
        self.scratch = Some(folder.into());
        self.largest_file = largest_file;
        self
    }

    /// The program may look at its own processes in `/proc`, which LibreOffice does not start without.
    #[must_use]
    pub fn sees_itself(mut self) -> Self {
        self.sees_itself = true;
        self
    }

    /// Everything it reads was made by us: it is run even where strangers' files are refused.
    #[must_use]
    pub fn of_ours(mut self) -> Self {
        self.of_ours = true;
        self
    }

    pub(super) fn reads_only_ours(&self) -> bool {
        self.of_ours
    }

    pub(super) fn scratch_folder(&self) -> Option<&Path> {
        self.scratch.as_deref()
    }

    pub(super) fn wants_proc(&self) -> bool {
        self.sees_itself
    }

    pub(super) fn inputs(&self) -> &[PathBuf] {
        &self.inputs
    }

    pub(super) fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// What the program is called in messages.
    pub(super) fn name(&self) -> &'static str {
        match self.program {
            Program::Named(name) => name,
            Program::Helper => "the reader of foreign files",
        }
    }

    /// So that a missing file is told as one, not as a failure of the sandbox.
    pub(super) fn check_inputs(&self) -> Result<(), MediaError> {
        for input in &self.inputs {
            crate::file::open_file(input)?;
        }
        Ok(())
    }

    pub(super) fn push_limits(&self, sight: Sight, line: &mut Vec<OsString>) {
        let Limits { wall, cpu, memory, processes, .. } = self.limits;
        line.extend(["timeout".into(), "-s".into(), "KILL".into(), wall.to_string().into(), "prlimit".into()]);
        line.push(format!("--cpu={cpu}").into());
        line.push(format!("--as={memory}").into());
        line.extend([format!("--fsize={}", self.largest_file).into(), "--core=0".into()]);
        // Outside a namespace of its own this would count every process of the user.
        if sight == Sight::Mounted {
            line.push(format!("--nproc={processes}").into());
        }
    }

    pub(super) fn push_program(&self, sight: Sight, helper: &Path, line: &mut Vec<OsString>) -> Result<(), MediaError> {
        line.push(match (&self.program, sight) {
            (Program::Named(name), _) => (*name).into(),
            (Program::Helper, Sight::Mounted) => MOUNTED_HELPER.into(),
            (Program::Helper, Sight::AsIs) => helper.into(),
        });
        for arg in &self.args {
            line.push(match arg {
                Arg::Text(text) => text.clone(),
                Arg::Input { prefix, at } => {
                    let mut text = OsString::from(prefix);
                    text.push(self.seen_input(sight, *at)?);
                    text
                }
            });
        }
        Ok(())
    }

    fn seen_input(&self, sight: Sight, at: usize) -> Result<PathBuf, MediaError> {
        match sight {
            Sight::Mounted => Ok(mounted_input(at).into()),
            // Absolute, because a relative name may begin with a dash.
            Sight::AsIs => std::path::absolute(&self.inputs[at])
                .map_err(|error| MediaError::io("could not find the working folder", &error)),
        }
    }
}
