//! LibreOffice, one throw-away profile per errand.
//!
//! It runs in the sandbox with a folder of its own: no network, so that what a deck links to elsewhere is not fetched;
//! no file of this machine but its own; time, memory and processes counted. An errand that hangs is killed with everything
//! it started and touches no other.

use std::path::{Path, PathBuf};

use compere_codec::sandbox::{Errand, Limits as ErrandLimits, Running, SandboxKind};
use compere_codec::{MediaError, Sandbox};

use super::work::{BUSY, Stopped, Work};
use crate::{DeckKind, ImportError, ImportErrorKind, Progress};

/// Where programs are looked for, in the sandbox too.
const PROGRAM_FOLDERS: [&str; 2] = ["/usr/bin", "/bin"];
/// Read by LibreOffice and its fonts; absent ones are left out.
const FOLDERS: [&str; 5] = [
    "/etc/fonts",
    "/etc/libreoffice",
    "/var/cache/fontconfig",
    // Where Debian keeps what `/usr/lib/libreoffice/share` links to.
    "/var/lib/libreoffice",
    "/var/spool/libreoffice",
];
/// Bytes of a converted document.
const LARGEST_FILE: u64 = 1 << 30;

/// What a document is turned into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum To {
    /// With the hidden slides or without.
    Pdf {
        hidden: bool,
    },
    Pptx,
}

impl To {
    fn ending(self) -> &'static str {
        match self {
            Self::Pdf { .. } => "pdf",
            Self::Pptx => "pptx",
        }
    }

    fn filter(self) -> String {
        match self {
            // Pictures keep their resolution; notes stay out.
            Self::Pdf { hidden } => {
                let flag = |name: &str, value: bool| format!(r#""{name}":{{"type":"boolean","value":"{value}"}}"#);
                let off = ["ReduceImageResolution", "ExportNotes", "ExportNotesPages", "ExportBookmarks"];
                let mut options = off.map(|name| flag(name, false)).to_vec();
                options.push(flag("ExportHiddenSlides", hidden));
                options.push(r#""Quality":{"type":"long","value":"92"}"#.to_owned());
                format!("pdf:impress_pdf_Export:{{{}}}", options.join(","))
            }
            Self::Pptx => "pptx:Impress MS PowerPoint 2007 XML".to_owned(),
        }
    }
}

pub(crate) fn installed(program: &str) -> bool {
    installed_in(program, &PROGRAM_FOLDERS)
}

fn installed_in(program: &str, folders: &[&str]) -> bool {
    folders.iter().any(|folder| Path::new(folder).join(program).exists())
}

/// Says what to install when LibreOffice is not there.
pub(crate) fn need() -> Result<(), ImportError> {
    if installed("soffice") {
        return Ok(());
    }
    let sentence = "PowerPoint files cannot be read here: LibreOffice is missing (apt-get install \
        libreoffice-impress-nogui). A PDF of the slides would do.";
    Err(ImportError::new(ImportErrorKind::Unavailable, sentence))
}

/// What is to be converted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<'a> {
    pub(crate) file: &'a Path,
    pub(crate) kind: DeckKind,
    /// So many are waited for.
    pub(crate) slides: usize,
    /// Where most of the work is, for whoever has to be told that it was too much.
    pub(crate) heaviest: Option<&'a str>,
}

/// A conversion under way.
pub(crate) struct Conversion {
    running: Running,
    errand: Errand,
    result: PathBuf,
    output: Vec<u8>,
    heaviest: Option<String>,
}

impl Conversion {
    /// Starts in a new folder below `base`. The program works on a copy: its folder is its to spoil.
    pub(crate) fn start(work: &Work<'_>, task: Task<'_>, to: To, base: &Path) -> Result<Self, ImportError> {
        let making = |error: std::io::Error| ImportError::io("make a working folder", &error);
        let folder = tempfile::tempdir_in(base).map_err(making)?.keep();
        let input = folder.join(format!("in.{}", task.kind.name()));
        std::fs::copy(task.file, &input).map_err(|error| ImportError::io("copy the document", &error))?;
        let fonts = folder.join("fonts.conf");
        if let Some(known) = work.fonts.get() {
            known.lay(&folder, &fonts).map_err(|error| ImportError::io("write down which fonts there are", &error))?;
        }
        let errand = errand(work, &input, &folder, to, task.slides);
        let running = start(work.sandbox, &errand).map_err(|error| ImportError::of_child("LibreOffice", &error))?;
        let result = folder.join(format!("in.{}", to.ending()));
        Ok(Self { running, errand, result, output: vec![], heaviest: task.heaviest.map(str::to_owned) })
    }

    /// Waits for a moment; false when it has ended.
    pub(crate) fn step(&mut self, work: &Work<'_>) -> Result<bool, Stopped> {
        work.more(&mut self.running, &mut self.output, Progress::Converting)
    }

    /// The converted document.
    pub(crate) fn finish(mut self, work: &Work<'_>) -> Result<PathBuf, ImportError> {
        let ended = self.wait(work);
        let complaints = match ended {
            Ok(()) => self.running.finish().map_err(Stopped::Child),
            Err(stopped) => Err(stopped),
        };
        let complaints = match complaints {
            Err(Stopped::Child(error)) if lacks_proc(&error) => confined_otherwise(work, &self.errand),
            other => other,
        };
        let complaints = complaints.map_err(|stopped| explain(stopped, self.heaviest.as_deref()))?;
        let length = std::fs::metadata(&self.result).map_or(0, |meta| meta.len());
        if length > 0 {
            return Ok(self.result);
        }
        let why = complaints.lines().rev().find(|line| line.contains("Error")).unwrap_or_default();
        let why = if why.is_empty() { String::new() } else { format!(" ({})", why.trim_start_matches("Error: ")) };
        Err(ImportError::unreadable(format!(
            "LibreOffice cannot read the presentation{why}; it is damaged or protected. Saving it anew, or a PDF of it, \
             would do."
        )))
    }

    fn wait(&mut self, work: &Work<'_>) -> Result<(), Stopped> {
        while self.step(work)? {}
        Ok(())
    }
}

/// From start to end.
pub(crate) fn convert(work: &Work<'_>, task: Task<'_>, to: To, base: &Path) -> Result<PathBuf, ImportError> {
    Conversion::start(work, task, to, base)?.finish(work)
}

/// Seconds of a processor for one conversion, of which no more than `most`: what a start takes on a slow machine, and what a
/// full slide does.
fn patience(slides: usize, most: u64) -> u64 {
    const START: u64 = 12;
    const SLIDE: u64 = 4;
    (START + SLIDE * slides.max(1) as u64).min(most)
}

fn errand(work: &Work<'_>, input: &Path, folder: &Path, to: To, slides: usize) -> Errand {
    let cpu = patience(slides, work.limits.convert_cpu);
    let wall = work.limits.convert_wall.min(cpu * BUSY);
    let limits = ErrandLimits { wall, cpu, stall: wall + 10, memory: 4 << 30, output: 1 << 20, processes: 256 };
    // A folder of this errand's own for everything that LibreOffice keeps: nothing is shared, nothing has to be unlocked.
    let script = r#"[ ! -f "$1" ] || export FONTCONFIG_FILE="$1"; shift; exec soffice -env:UserInstallation="file://$TMPDIR/profile" "$@""#;
    let errand = Errand::new("sh", limits).arg("-c").arg(script).arg("soffice").arg(folder.join("fonts.conf"));
    let errand = errand.words("--headless --norestore --nolockcheck --nodefault --nofirststartwizard --convert-to");
    let errand = errand.arg(to.filter()).arg("--outdir").arg(folder).arg(input);
    FOLDERS.iter().fold(errand, |errand, folder| errand.folder(*folder)).scratch(folder, LARGEST_FILE).sees_itself()
}

fn start(sandbox: &Sandbox, errand: &Errand) -> Result<Running, MediaError> {
    sandbox.start(errand)
}

/// Containers often allow namespaces but not a new `/proc` in them.
fn lacks_proc(error: &MediaError) -> bool {
    error.what.contains("mount proc") || error.what.contains("/newroot/proc")
}

fn confined_otherwise(work: &Work<'_>, errand: &Errand) -> Result<String, Stopped> {
    let sandbox = Sandbox::of_kind(SandboxKind::Landlock, work.sandbox.helper().to_owned());
    let other = Work::new(&sandbox, work.limits, work.watch());
    other.run(errand, Progress::Converting).map(|output| output.stderr)
}

fn explain(stopped: Stopped, heaviest: Option<&str>) -> ImportError {
    let Stopped::Child(error) = &stopped else { return stopped.about("LibreOffice") };
    use compere_codec::MediaErrorKind::{Damaged, Machine, Missing, TooLarge, TooSlow, WrongType};
    match error.kind {
        TooSlow => {
            let place = heaviest.map(|heaviest| format!(" Most of the work is {heaviest}.")).unwrap_or_default();
            ImportError::unreadable(format!(
                "LibreOffice did not come to an end with this presentation and was stopped; it is damaged or far too \
                 heavy.{place} A PDF of it would do."
            ))
        }
        TooLarge => {
            ImportError::unreadable("The presentation needs more memory than an import may use; a PDF of it would do.")
        }
        Damaged | WrongType => ImportError::unreadable(format!(
            "LibreOffice failed on this presentation ({}); saving it anew, or a PDF of it, would do.",
            error.what.trim_end_matches('.')
        )),
        Missing | Machine => stopped.about("LibreOffice"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_slides_are_waited_for_less_than_many() {
        assert_eq!([0, 1, 20, 300].map(|slides| patience(slides, 180)), [16, 16, 92, 180]);
    }

    #[test]
    fn what_is_missing_is_named_with_its_package() {
        assert!(installed_in("sh", &["/usr/bin"]));
        assert!(!installed_in("soffice", &["/nonexistent"]));
    }
}
