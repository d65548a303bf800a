use super::report::Verdict;
use super::*;

/// A machine in words: what it lacks of a complete one.
#[derive(Default)]
struct Patient {
    programs: Vec<&'static str>,
    fonts: Vec<&'static str>,
    without_library: bool,
    unconfined: bool,
    model_bytes: Option<u64>,
    voices: usize,
    shapes: usize,
    free: Option<u64>,
    features: Vec<&'static str>,
    open: Option<&'static str>,
}

fn healthy() -> Patient {
    Patient {
        programs: vec!["ffmpeg", "ffprobe", "espeak-ng", "soffice", "pdftoppm"],
        fonts: vec![
            "NotoSans-Regular.ttf",
            "NotoSansCJK-Regular.ttc",
            "NotoColorEmoji.ttf",
            "Carlito-Regular.ttf",
            "LiberationSans-Regular.ttf",
        ],
        model_bytes: Some(92_361_271),
        voices: 54,
        shapes: 52,
        free: Some(80_000_000_000),
        features: vec!["avx2"],
        ..Patient::default()
    }
}

impl Probe for Patient {
    fn run(&self, program: &str, _: &[&str]) -> Option<String> {
        let said = match program {
            "espeak-ng" => "eSpeak NG text-to-speech: 1.51  Data at: /usr/lib/x86_64-linux-gnu/espeak-ng-data\n",
            "pdftoppm" => "pdftoppm version 22.12.0\nCopyright 2005-2022 The Poppler Developers\n",
            "soffice" => "LibreOffice 7.4.7.2 40(Build:2)\n",
            _ => "ffmpeg version 5.1.9-0+deb12u1 Copyright (c) 2000-2026 the FFmpeg developers\nbuilt with gcc\n",
        };
        self.programs.contains(&program).then(|| said.to_owned())
    }

    fn size(&self, path: &Path) -> Option<u64> {
        match path.file_name()?.to_str()? {
            "model.onnx" => self.model_bytes,
            "base.obj" => (self.shapes > 0).then_some(1),
            _ => Some(1),
        }
    }

    fn count(&self, _: &Path, ending: &str) -> usize {
        if ending == ".bin" { self.voices } else { self.shapes }
    }

    fn font(&self, file: &str) -> Option<PathBuf> {
        self.fonts.contains(&file).then(|| Path::new("/fonts").join(file))
    }

    fn library(&self, stem: &str) -> Option<PathBuf> {
        (!self.without_library).then(|| format!("/usr/lib/{stem}.so.164").into())
    }

    fn confinement(&self) -> Confinement {
        Confinement { confined: !self.unconfined, words: "as the sandbox says".into() }
    }

    fn free_bytes(&self, _: &Path) -> Option<u64> {
        self.free
    }

    fn is_open(&self, path: &Path) -> bool {
        self.open.is_some_and(|open| path.ends_with(open))
    }

    fn cpu(&self) -> Cpu {
        Cpu { cores: 2, architecture: "x86_64", features: self.features.clone() }
    }
}

fn report(patient: &Patient) -> Report {
    examine(patient, Path::new("assets"), Path::new("data"))
}

/// The names of all parts that are not in order, and the exit code.
fn complaints(change: impl FnOnce(&mut Patient)) -> (Vec<(&'static str, State)>, u8) {
    let mut patient = healthy();
    change(&mut patient);
    let report = report(&patient);
    let bad = report.checks.iter().filter(|check| check.state != State::Ok).map(|check| (check.name, check.state));
    (bad.collect(), report.exit_code())
}

#[test]
fn a_complete_machine_is_ready() {
    assert_eq!(complaints(|_| ()), (vec![], 0));
    let report = report(&healthy());
    let version = |name| report.checks.iter().find(|check| check.name == name).unwrap().version.as_deref();
    assert_eq!(version("libx264"), Some("164"));
    assert_eq!(version("ffmpeg"), Some("5.1.9-0+deb12u1"));
    assert_eq!(version("voices: espeak-ng"), Some("1.51"));
    assert_eq!(version("LibreOffice"), Some("7.4.7.2"));
    assert_eq!(version("poppler"), Some("22.12.0"));
}

#[test]
fn each_lack_is_named_and_weighed() {
    use State::{Missing, Weak};
    let lacking = |program: &'static str| complaints(|p| p.programs.retain(|&other| other != program));
    assert_eq!(lacking("ffmpeg"), (vec![("ffmpeg", Missing)], 2));
    assert_eq!(lacking("ffprobe"), (vec![("ffprobe", Missing)], 2));
    assert_eq!(lacking("espeak-ng"), (vec![("voices: espeak-ng", Missing)], 1));
    assert_eq!(lacking("soffice"), (vec![("LibreOffice", Missing)], 0));
    assert_eq!(lacking("pdftoppm"), (vec![("poppler", Missing)], 0));
    assert_eq!(complaints(|p| p.without_library = true), (vec![("libx264", Missing)], 2));
    assert_eq!(complaints(|p| p.unconfined = true), (vec![("sandbox", Weak)], 1));
    assert_eq!(
        complaints(|p| p.fonts.retain(|font| !font.contains("Emoji"))),
        (vec![("fonts: Noto emoji", Missing)], 1)
    );
    assert_eq!(complaints(|p| p.fonts = p.fonts.split_off(1)), (vec![("fonts: Noto core", Missing)], 2));
    assert_eq!(complaints(|p| p.model_bytes = None), (vec![("voices: Kokoro", Missing)], 1));
    assert_eq!(complaints(|p| p.model_bytes = Some(7)), (vec![("voices: Kokoro", Weak)], 1));
    assert_eq!(complaints(|p| p.voices = 53), (vec![("voices: Kokoro", Weak)], 1));
    assert_eq!(complaints(|p| p.shapes = 0), (vec![("presenters", Missing)], 1));
    assert_eq!(complaints(|p| p.shapes = 51), (vec![("presenters", Weak)], 1));
    assert_eq!(complaints(|p| p.free = Some(1_999_999_999)), (vec![("disk", Weak)], 1));
    assert_eq!(complaints(|p| p.free = Some(199_999_999)), (vec![("disk", Missing)], 2));
    assert_eq!(complaints(|p| p.free = None), (vec![("disk", Weak)], 1));
    assert_eq!(complaints(|p| p.open = Some("data/compere.db")), (vec![("data folder", Weak)], 1));
    assert_eq!(complaints(|p| p.features.clear()), (vec![("processor", Weak)], 0));
}

#[test]
fn the_table_says_what_is_lost_and_what_helps() {
    let mut patient = healthy();
    patient.programs.retain(|&program| program != "espeak-ng");
    patient.voices = 53;
    let table = report(&patient).to_string();
    for line in [
        "ok      libx264            164  /usr/lib/libx264.so.164",
        "weak    voices: Kokoro     53 of 54 voices in assets/voices/kokoro",
        "                           → scripts/fetch-voices.sh",
        "MISSING voices: espeak-ng  only English can be spoken, and words that no lexicon has are guessed",
        "                           → apt-get install espeak-ng",
        "Films can be made, but not everything works as it should.",
    ] {
        assert!(table.lines().any(|other| other == line), "{line}\n\n{table}");
    }
}

#[test]
fn scripts_read_json() {
    let json = serde_json::to_value(report(&Patient { programs: vec!["ffmpeg"], ..healthy() })).unwrap();
    assert_eq!(json["verdict"], "unusable");
    assert_eq!(json["checks"][2]["name"], "ffprobe");
    assert_eq!(json["checks"][2]["state"], "missing");
    assert_eq!(json["checks"][2]["need"], "vital");
    assert_eq!(json["checks"][2]["remedy"], "apt-get install ffmpeg");
    assert_eq!(report(&healthy()).verdict, Verdict::Ready);
}
