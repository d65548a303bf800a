//! What this machine has of what films need.
//!
//! [`examine`] asks a [`Probe`] and judges; it touches nothing itself, so every verdict can be tested. [`Machine`] is
//! the probe of the real machine. A part counts as found when it really works: the sandbox is tried, programs are
//! started, the encoder is looked up among the libraries this process has loaded.
//!
//! Exit codes of `compere doctor`: 0 everything films need is here; 1 films can be made, but something that belongs to
//! the product is missing or weak; 2 no film can be made. Optional parts never change the code.

mod machine;
mod report;

use std::path::{Path, PathBuf};

pub use machine::Machine;
pub use report::Report;
use serde::Serialize;

/// How much a part matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Need {
    /// No film without it.
    Vital,
    /// Films can be made, but not as promised.
    Expected,
    /// Only for some uses.
    Optional,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Ok,
    /// There, but not as it should be.
    Weak,
    Missing,
}

/// One part of the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    pub name: &'static str,
    pub need: Need,
    pub state: State,
    pub version: Option<String>,
    /// Where it is, or what exactly was found.
    pub found: Option<String>,
    /// What does not work, or works less well, without it.
    pub without: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
}

/// What the doctor may ask of a machine.
pub trait Probe {
    /// What a program prints, both streams; `None` when it is not there or fails.
    fn run(&self, program: &str, args: &[&str]) -> Option<String>;
    /// The size of a file.
    fn size(&self, path: &Path) -> Option<u64>;
    /// How many files with this ending a folder has.
    fn count(&self, dir: &Path, ending: &str) -> usize;
    /// A font file of this name, wherever fonts are looked for.
    fn font(&self, file: &str) -> Option<PathBuf>;
    /// The file of a library that this process has loaded and whose name begins with `stem`.
    fn library(&self, stem: &str) -> Option<PathBuf>;
    fn confinement(&self) -> Confinement;
    /// Space left for `dir`, or for where it would be made.
    fn free_bytes(&self, dir: &Path) -> Option<u64>;
    fn cpu(&self) -> Cpu;
    /// Whether others on the machine could look into a folder or read a file.
    fn is_open(&self, path: &Path) -> bool;
}

/// How foreign media is kept from this machine, in the sandbox's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confinement {
    pub confined: bool,
    pub words: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cpu {
    pub cores: usize,
    pub architecture: &'static str,
    /// Those that the kernels can use.
    pub features: Vec<&'static str>,
}

/// Bytes of the one Kokoro model that the product is made for.
const KOKORO_BYTES: u64 = 92_361_271;
const KOKORO_VOICES: usize = 54;
const FACE_SHAPES: usize = 52;
const TIGHT_DISK: u64 = 2_000_000_000;
const FULL_DISK: u64 = 200_000_000;

/// Looks at everything. `assets` and `data` are the product's folders.
pub fn examine(probe: &dyn Probe, assets: &Path, data: &Path) -> Report {
    let checks = vec![
        encoder(probe),
        ffmpeg(probe, "ffmpeg", "linked films and sounds cannot be read"),
        ffmpeg(probe, "ffprobe", "linked films cannot be measured and finished films cannot be checked"),
        sandbox(probe),
        font(probe, &CORE),
        font(probe, &CJK),
        font(probe, &EMOJI),
        kokoro(probe, &assets.join("voices/kokoro")),
        espeak(probe),
        presenters(probe, &assets.join("avatars")),
        poppler(probe),
        office(probe),
        font(probe, &CARLITO),
        font(probe, &LIBERATION),
        privacy(probe, data),
        disk(probe, data),
        cpu(probe),
    ];
    Report::new(checks)
}

impl Check {
    fn new(name: &'static str, need: Need, without: &'static str, remedy: &'static str) -> Self {
        Self { name, need, state: State::Missing, version: None, found: None, without, remedy }
    }

    fn state(mut self, state: State) -> Self {
        self.state = state;
        self
    }

    fn ok_if(self, found: bool) -> Self {
        let state = if found { State::Ok } else { self.state };
        self.state(state)
    }

    fn found(mut self, what: impl Into<String>) -> Self {
        self.found = Some(what.into());
        self
    }

    fn found_at(self, path: Option<&Path>) -> Self {
        match path {
            Some(path) => self.found(path.display().to_string()),
            None => self,
        }
    }
}

fn encoder(probe: &dyn Probe) -> Check {
    let library = probe.library("libx264");
    let mut check =
        Check::new("libx264", Need::Vital, "no film can be encoded", "apt-get install libx264-dev, then build again");
    // libx264.so.164 → 164
    let name = library.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    check.version = name.and_then(|name| name.rsplit_once(".so.").map(|(_, version)| version.to_owned()));
    check.ok_if(library.is_some()).found_at(library.as_deref())
}

fn ffmpeg(probe: &dyn Probe, program: &'static str, without: &'static str) -> Check {
    let mut check = Check::new(program, Need::Vital, without, "apt-get install ffmpeg");
    // ffmpeg version 5.1.9-0+deb12u1 Copyright (c) …
    check.version =
        probe.run(program, &["-version"]).and_then(|text| text.split_whitespace().nth(2).map(str::to_owned));
    let there = check.version.is_some();
    check.ok_if(there)
}

fn sandbox(probe: &dyn Probe) -> Check {
    let Confinement { confined, words } = probe.confinement();
    let without = "pictures, films and decks that strangers send are refused";
    let remedy =
        "apt-get install bubblewrap, and allow unprivileged user namespaces; COMPERE_SANDBOX=limits decodes without";
    Check::new("sandbox", Need::Expected, without, remedy).state(State::Weak).ok_if(confined).found(words)
}

struct Font {
    name: &'static str,
    file: &'static str,
    need: Need,
    without: &'static str,
    remedy: &'static str,
}

const CORE: Font = Font {
    name: "fonts: Noto core",
    file: "NotoSans-Regular.ttf",
    need: Need::Vital,
    without: "no text can be drawn",
    remedy: "apt-get install fonts-noto-core",
};
const CJK: Font = Font {
    name: "fonts: Noto CJK",
    file: "NotoSansCJK-Regular.ttc",
    need: Need::Expected,
    without: "Chinese, Japanese and Korean text is left out",
    remedy: "apt-get install fonts-noto-cjk",
};
const EMOJI: Font = Font {
    name: "fonts: Noto emoji",
    file: "NotoColorEmoji.ttf",
    need: Need::Expected,
    without: "emoji are left out",
    remedy: "apt-get install fonts-noto-color-emoji",
};

const CARLITO: Font = Font {
    name: "fonts: Carlito",
    file: "Carlito-Regular.ttf",
    need: Need::Optional,
    without: "imported slides in Calibri break their lines elsewhere",
    remedy: "apt-get install fonts-crosextra-carlito fonts-crosextra-caladea",
};
const LIBERATION: Font = Font {
    name: "fonts: Liberation",
    file: "LiberationSans-Regular.ttf",
    need: Need::Optional,
    without: "imported slides in Arial and Times New Roman break their lines elsewhere",
    remedy: "apt-get install fonts-liberation",
};

fn font(probe: &dyn Probe, font: &Font) -> Check {
    let file = probe.font(font.file);
    Check::new(font.name, font.need, font.without, font.remedy).ok_if(file.is_some()).found_at(file.as_deref())
}

fn kokoro(probe: &dyn Probe, home: &Path) -> Check {
    let without = "nothing is spoken in a natural voice";
    let check = Check::new("voices: Kokoro", Need::Expected, without, "scripts/fetch-voices.sh");
    let voices = probe.count(&home.join("voices"), ".bin");
    match probe.size(&home.join("model.onnx")) {
        None => check,
        Some(KOKORO_BYTES) if voices == KOKORO_VOICES && probe.size(&home.join("vocab.json")).is_some() => {
            check.state(State::Ok).found(format!("{voices} voices in {}", home.display()))
        }
        Some(KOKORO_BYTES) => {
            check.state(State::Weak).found(format!("{voices} of {KOKORO_VOICES} voices in {}", home.display()))
        }
        Some(bytes) => check.state(State::Weak).found(format!("a model of {bytes} bytes, should be {KOKORO_BYTES}")),
    }
}

fn espeak(probe: &dyn Probe) -> Check {
    let without = "only English can be spoken, and words that no lexicon has are guessed";
    let mut check = Check::new("voices: espeak-ng", Need::Expected, without, "apt-get install espeak-ng");
    // eSpeak NG text-to-speech: 1.51  Data at: /usr/lib/…
    let text = probe.run("espeak-ng", &["--version"]);
    check.version =
        text.as_deref().and_then(|text| text.split_once(": ")?.1.split_whitespace().next().map(str::to_owned));
    check.ok_if(text.is_some())
}

fn presenters(probe: &dyn Probe, home: &Path) -> Check {
    let without = "only the drawn presenters can appear";
    let check = Check::new("presenters", Need::Expected, without, "scripts/fetch-avatars.sh");
    let shapes = probe.count(&home.join("faceunits01/targets/faceunits"), ".target");
    if probe.size(&home.join("mpfb2/3dobjs/base.obj")).is_none() {
        return check;
    }
    let state = if shapes >= FACE_SHAPES { State::Ok } else { State::Weak };
    check.state(state).found(format!("{shapes} face shapes in {}", home.display()))
}

fn poppler(probe: &dyn Probe) -> Check {
    let without = "no slides can be imported, neither PDF nor PowerPoint";
    let mut check = Check::new("poppler", Need::Optional, without, "apt-get install poppler-utils");
    // pdftoppm version 22.12.0
    check.version = probe.run("pdftoppm", &["-v"]).and_then(|text| text.split_whitespace().nth(2).map(str::to_owned));
    let there = check.version.is_some();
    check.ok_if(there)
}

fn office(probe: &dyn Probe) -> Check {
    let without = "PPT and PPTX cannot be imported";
    let mut check = Check::new("LibreOffice", Need::Optional, without, "apt-get install libreoffice-impress-nogui");
    // LibreOffice 7.4.7.2 40(Build:2)
    check.version =
        probe.run("soffice", &["--version"]).and_then(|text| text.split_whitespace().nth(1).map(str::to_owned));
    let there = check.version.is_some();
    check.ok_if(there)
}

fn disk(probe: &dyn Probe, data: &Path) -> Check {
    let remedy = "make room, or point COMPERE_DATA at a larger disk";
    let check = Check::new("disk", Need::Vital, "films and the cache need space", remedy);
    match probe.free_bytes(data) {
        // Not being able to tell is no reason to call the machine unusable.
        None => check.state(State::Weak).found(format!("free space of {} is unknown", data.display())),
        Some(free) => {
            let state = match free {
                0..FULL_DISK => State::Missing,
                FULL_DISK..TIGHT_DISK => State::Weak,
                TIGHT_DISK.. => State::Ok,
            };
            check.state(state).found(format!("{:.1} GB free for {}", free as f64 / 1e9, data.display()))
        }
    }
}

fn privacy(probe: &dyn Probe, data: &Path) -> Check {
    let without = "others on this machine can read films and records, and sign links";
    let remedy = "start the service once, which shuts it; whoever may have read it: see docs/security.md";
    let open = ["", "compere.db", "objects", "compere.toml"].map(|name| data.join(name));
    let open = open.iter().find(|path| probe.is_open(path));
    let check = Check::new("data folder", Need::Expected, without, remedy).state(State::Weak).ok_if(open.is_none());
    match open {
        Some(path) => check.found(format!("{} is open to others", path.display())),
        None => check.found(format!("{} is its owner's only", data.display())),
    }
}

fn cpu(probe: &dyn Probe) -> Check {
    let Cpu { cores, architecture, features } = probe.cpu();
    let fast = architecture != "x86_64" || features.contains(&"avx2");
    let check = Check::new("processor", Need::Optional, "drawing and speech are slower", "use a processor with AVX2");
    let state = if fast { State::Ok } else { State::Weak };
    let plural = if cores == 1 { "core" } else { "cores" };
    check.state(state).found(format!("{cores} {plural}, {architecture} {}", features.join(" ")).trim_end())
}

#[cfg(test)]
mod tests;
