//! What of a machine, besides the program, decides how things come out: machines that are alike can use what each made.

use std::path::{Path, PathBuf};
use std::process::Command;

use compere_house::home::{Home, font_dirs};
use compere_render::Shelf;

/// Folders below a folder of fonts or voices.
const DEPTH: usize = 8;
/// Programs of the system that read, code and speak.
const PROGRAMS: [(&str, &str); 2] = [("ffmpeg", "-version"), ("espeak-ng", "--version")];

/// What things are kept under besides their keys.
#[derive(Debug)]
pub(super) struct Machine {
    /// Fonts, voices and programs.
    outfit: blake3::Hash,
    /// How a sum of many numbers comes out. Only speech hangs on it.
    sums: String,
}

impl Machine {
    pub(super) fn look(home: &Home) -> Self {
        let mut hasher = blake3::Hasher::new();
        let mut field = |text: &str| {
            hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
        };
        field(std::env::consts::ARCH);
        for (program, asked) in PROGRAMS {
            field(&version(program, asked));
        }
        for folder in font_dirs().into_iter().chain([home.assets.join("voices")]) {
            let mut files = Vec::new();
            collect(&folder, &mut files, 0);
            for (file, size) in files {
                field(&file.strip_prefix(&folder).unwrap_or(&file).to_string_lossy());
                field(&size.to_string());
            }
        }
        Self { outfit: hasher.finalize(), sums: arithmetic() }
    }

    /// Under which machines like this one keep something.
    pub(super) fn name(&self, shelf: Shelf, key: &str) -> String {
        let mut hasher = blake3::Hasher::new_keyed(self.outfit.as_bytes());
        let sums = if shelf == Shelf::Speech { self.sums.as_str() } else { "" };
        for part in [shelf.folder(), sums, key] {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }
}

impl Machine {
    /// What machines have in common that make every part of a film alike.
    pub(super) fn alike(&self, program: &str) -> String {
        self.name(Shelf::Speech, program)
    }
}

/// What of the processor the runtime of the neural voices looks at: it adds in the order of the vector width. Where this is
/// the same, the same sentence has the same bytes.
fn arithmetic() -> String {
    let mut told = vec![std::env::consts::ARCH];
    told.extend(features().into_iter().filter_map(|(name, there)| there.then_some(name)));
    told.join(" ")
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<(&'static str, bool)> {
    vec![
        ("fma", is_x86_feature_detected!("fma")),
        ("avx2", is_x86_feature_detected!("avx2")),
        ("f16c", is_x86_feature_detected!("f16c")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
        ("avx512bw", is_x86_feature_detected!("avx512bw")),
        ("avx512dq", is_x86_feature_detected!("avx512dq")),
        ("avx512vl", is_x86_feature_detected!("avx512vl")),
        ("avx512vnni", is_x86_feature_detected!("avx512vnni")),
    ]
}

#[cfg(target_arch = "aarch64")]
fn features() -> Vec<(&'static str, bool)> {
    use std::arch::is_aarch64_feature_detected;
    vec![("dotprod", is_aarch64_feature_detected!("dotprod")), ("i8mm", is_aarch64_feature_detected!("i8mm"))]
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn features() -> Vec<(&'static str, bool)> {
    Vec::new()
}

/// The first line of what a program says of itself; nothing where it is missing.
fn version(program: &str, asked: &str) -> String {
    let said = Command::new(program).arg(asked).output().map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&said).lines().next().unwrap_or_default().to_owned()
}

/// Files and their sizes, in the order of their names.
fn collect(folder: &Path, files: &mut Vec<(PathBuf, u64)>, depth: usize) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        match path.metadata() {
            Ok(meta) if meta.is_dir() && depth < DEPTH => collect(&path, files, depth + 1),
            Ok(meta) if meta.is_file() => files.push((path, meta.len())),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_with_other_voices_share_nothing_and_those_that_sum_otherwise_no_speech() {
        let dir = tempfile::tempdir().expect("a folder");
        let home = Home { assets: dir.path().to_owned(), data: dir.path().join("data") };
        let (one, alike) = (Machine::look(&home), Machine::look(&home));
        let other_sums = Machine { sums: "in another order".to_owned(), ..Machine::look(&home) };
        std::fs::create_dir_all(home.assets.join("voices/piper")).expect("a folder");
        std::fs::write(home.assets.join("voices/piper/anna.onnx"), "x").expect("writes");
        let other_voices = Machine::look(&home);
        for shelf in [Shelf::Segment, Shelf::Speech] {
            let name = one.name(shelf, "ab");
            assert_eq!(name, alike.name(shelf, "ab"));
            assert_eq!(name == other_sums.name(shelf, "ab"), shelf != Shelf::Speech);
            assert_ne!(name, other_voices.name(shelf, "ab"));
            assert_ne!(name, one.name(Shelf::Pack, "ab"));
        }
    }
}
