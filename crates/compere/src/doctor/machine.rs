//! The machine this runs on, as the doctor sees it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use compere_codec::sandbox::Sandbox;

use super::{Confinement, Cpu, Probe};

/// Folders below a font folder that are looked into; Debian's lie three deep.
const FONT_DEPTH: usize = 4;

#[derive(Debug)]
pub struct Machine {
    fonts: Vec<PathBuf>,
    confinement: Confinement,
}

impl Machine {
    /// `fonts` are the folders that films take their fonts from, `sandbox` the one they decode in.
    pub fn new(fonts: Vec<PathBuf>, sandbox: &Sandbox) -> Self {
        let confinement = Confinement { confined: sandbox.is_confined(), words: sandbox.describe() };
        Self { fonts, confinement }
    }
}

impl Probe for Machine {
    fn run(&self, program: &str, args: &[&str]) -> Option<String> {
        // A program that hangs when asked for its version is as good as absent.
        let mut command = Command::new("timeout");
        let output = command.arg("20").arg(program).args(args).stdin(Stdio::null()).output().ok()?;
        let text = [output.stdout, output.stderr].concat();
        output.status.success().then(|| String::from_utf8_lossy(&text).into_owned())
    }

    fn size(&self, path: &Path) -> Option<u64> {
        fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|meta| meta.len())
    }

    fn count(&self, dir: &Path, ending: &str) -> usize {
        let named = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().ends_with(ending);
        fs::read_dir(dir).map_or(0, |entries| entries.flatten().filter(named).count())
    }

    fn font(&self, file: &str) -> Option<PathBuf> {
        self.fonts.iter().find_map(|dir| find(dir, file, FONT_DEPTH))
    }

    fn library(&self, stem: &str) -> Option<PathBuf> {
        // Each line ends with the mapped file's path, if any.
        let maps = fs::read_to_string("/proc/self/maps").ok()?;
        let mut paths = maps.lines().filter_map(|line| line.find('/').map(|at| Path::new(&line[at..])));
        let named = |path: &&Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(stem));
        paths.find(named).map(Path::to_owned)
    }

    fn is_open(&self, path: &Path) -> bool {
        compere_house::privacy::is_open(path)
    }

    fn confinement(&self) -> Confinement {
        self.confinement.clone()
    }

    fn free_bytes(&self, dir: &Path) -> Option<u64> {
        let dir = std::path::absolute(dir).ok()?;
        let there = dir.ancestors().find(|dir| dir.is_dir())?;
        let stat = rustix::fs::statvfs(there).ok()?;
        stat.f_bavail.checked_mul(stat.f_frsize)
    }

    fn cpu(&self) -> Cpu {
        let cores = thread::available_parallelism().map_or(1, Into::into);
        Cpu { cores, architecture: std::env::consts::ARCH, features: features() }
    }
}

fn find(dir: &Path, file: &str, depth: usize) -> Option<PathBuf> {
    let here = dir.join(file);
    if here.is_file() {
        return Some(here);
    }
    if depth == 0 {
        return None;
    }
    let entries = fs::read_dir(dir).ok()?;
    entries
        .flatten()
        .find_map(|entry| entry.file_type().ok()?.is_dir().then(|| find(&entry.path(), file, depth - 1))?)
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<&'static str> {
    let all = [
        ("avx2", is_x86_feature_detected!("avx2")),
        ("avx512", is_x86_feature_detected!("avx512bw")),
        ("vnni", is_x86_feature_detected!("avx512vnni")),
    ];
    all.into_iter().filter_map(|(name, there)| there.then_some(name)).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<&'static str> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(fonts: &Path) -> Machine {
        let confinement = Confinement { confined: true, words: String::new() };
        Machine { fonts: vec![fonts.to_owned()], confinement }
    }

    #[test]
    fn it_sees_what_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let machine = machine(dir.path());
        fs::create_dir_all(dir.path().join("truetype/noto")).unwrap();
        let font = dir.path().join("truetype/noto/NotoSans-Regular.ttf");
        fs::write(&font, "12345").unwrap();

        assert_eq!(machine.font("NotoSans-Regular.ttf"), Some(font.clone()));
        assert_eq!(machine.font("NotoSans-Bold.ttf"), None);
        assert_eq!(machine.size(&font), Some(5));
        assert_eq!(machine.size(dir.path()), None);
        assert_eq!(machine.count(font.parent().unwrap(), ".ttf"), 1);
        assert_eq!(machine.count(&dir.path().join("nothing"), ".ttf"), 0);
        assert_eq!(machine.run("echo", &["hello"]).as_deref(), Some("hello\n"));
        assert_eq!(machine.run("false", &[]), None);
        assert_eq!(machine.run("no-such-program-of-ours", &[]), None);
        assert!(machine.library("libc.so").is_some_and(|path| path.is_file()));
        assert_eq!(machine.library("libnothing"), None);
        assert!(machine.free_bytes(&dir.path().join("not/made/yet")).unwrap() > 0);
    }
}
