//! Recorded speech in place of a voice, through the real binary: lips, captions, loudness, and recordings that are no use.
//!
//! Recordings are made by one voice and compared with others, whose weights the set-up fetches (`scripts/fetch-voices.sh`).

mod kept;
mod measured;

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::measured::{ffmpeg, lag, loudness};

const TEXT: &str =
    "Welcome to our office. Today we show you how a film is made, step by step, from a few lines of text.";
/// Nobody who speaks for comparison.
const SPEAKER: &str = "am_fenrir";

struct Set(TempDir);

impl Set {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn compere(&self, arguments: &[&str]) -> Output {
        let assets = std::env::var_os("COMPERE_ASSETS")
            .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets")), PathBuf::from);
        let mut command = Command::new(env!("CARGO_BIN_EXE_compere"));
        command.arg("--data").arg(kept::data()).arg("--assets").arg(assets).args(arguments);
        command.current_dir(self.0.path()).stdin(Stdio::null()).output().expect("the binary runs")
    }

    /// `SPEAKER` says the text into a file.
    fn record(&self, text: &str, voice: &str, name: &str) {
        let output = self.compere(&["say", text, "--voice", voice, "-o", name]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn render(&self, script: Value, film: &str) -> Output {
        let mut script = script;
        (script["modelId"], script["clothId"]) = (json!("figure"), json!("figure/plain"));
        let scene = json!({
            "sceneIdx": 0,
            "scripts": [script],
            "background": {"id": "background", "type": "background", "source_color": "rgb(40,120,200)"},
            "clips": [{"id": "presenter", "type": "aiModel", "layer": 3, "left": 600, "top": 100, "width": 700,
                       "height": 980, "model": {"ai_name": "figure", "emotion": "figure/plain"}}],
        });
        let body = json!({"name": "A test", "resolution": "1080", "scenes": [scene]});
        std::fs::write(self.path("scene.json"), body.to_string()).expect("writes");
        self.compere(&["render", "scene.json", "-o", film, "--json"])
    }

    fn film(&self, script: Value, film: &str) -> Value {
        let output = self.render(script, film);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("a JSON report")
    }

    fn refusal(&self, audio: &str) -> String {
        let output = self.render(recorded(TEXT, audio), "film.mp4");
        assert!(!output.status.success() && !self.path("film.mp4").exists(), "{audio} is taken");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    fn mouth(&self, film: &str) -> Vec<f64> {
        measured::mouth(&self.path(film), 1080)
    }
}

fn voiced(text: &str, voice: &str) -> Value {
    json!({"org": text, "isTTS": true, "tts": {"voice": voice}})
}

/// A script whose text is heard in a file.
fn recorded(text: &str, audio: &str) -> Value {
    json!({"org": text, "isTTS": true, "tts": {"voice": "af_heart", "language": "en-US"}, "audio": format!("/{audio}")})
}

/// Starts of the cues of an SRT file, in seconds, and what they say.
fn cues(srt: &str) -> Vec<(f64, String)> {
    let time = |text: &str| {
        let numbers: Vec<f64> = text.split([':', ',']).filter_map(|part| part.trim().parse().ok()).collect();
        numbers[0] * 3600.0 + numbers[1] * 60.0 + numbers[2] + numbers[3] / 1000.0
    };
    let cue = |block: &str| {
        let mut lines = block.lines().skip(1);
        let start = time(lines.next()?.split(" --> ").next()?);
        Some((start, lines.collect::<Vec<_>>().join(" ")))
    };
    srt.split("\n\n").filter_map(cue).collect()
}

#[test]
fn a_recording_drives_the_lips_as_its_voice_would() {
    let set = Set::new();
    set.film(voiced(TEXT, SPEAKER), "voice.mp4");
    set.record(TEXT, SPEAKER, "clean.wav");
    // Quiet, in a room with a hum, with silence around it, compressed.
    ffmpeg(
        set.0.path(),
        &[
            "-i",
            "clean.wav",
            "-f",
            "lavfi",
            "-i",
            "anoisesrc=a=0.0008:r=48000:seed=3",
            "-filter_complex",
            "[0]adelay=900,apad=pad_dur=1.2,volume=-14dB[a];[a][1]amix=duration=first:normalize=0",
            "-b:a",
            "96k",
            "recording.m4a",
        ],
    );
    let report = set.film(recorded(TEXT, "recording.m4a"), "film.mp4");
    assert_eq!(report["warnings"], json!([]));
    let loudness = report["loudness"].as_f64().expect("a loudness");
    assert!((loudness + 16.0).abs() < 1.0, "{loudness} LUFS");

    let (truth, found) = (set.mouth("voice.mp4"), set.mouth("film.mp4"));
    let (frames, alike) = lag(&truth, &found);
    println!("lips: {frames} frames late, correlation {alike:.3}; {} and {} frames", truth.len(), found.len());
    assert!(frames.abs() <= 1 && alike > 0.8, "{frames} frames late, correlation {alike:.3}");

    let srt = |name: &str| cues(&std::fs::read_to_string(set.path(name)).expect("captions"));
    let (truth, found) = (srt("voice.srt"), srt("film.srt"));
    assert_eq!(truth.len(), found.len());
    for ((start, text), (found, as_text)) in truth.iter().zip(&found) {
        assert_eq!(text, as_text);
        assert!((start - found).abs() < 0.08, "`{text}` begins at {start} and is shown at {found}");
    }
}

/// Few of our voices speak German by themselves, and the one that does tells no times.
#[test]
fn a_german_recording_drives_the_lips_as_its_voice_would() {
    let set = Set::new();
    let text = "Guten Morgen und willkommen in unserem Haus. Heute zeigen wir, wie aus wenigen Zeilen ein Film wird.";
    let mut voice = voiced(text, SPEAKER);
    voice["tts"]["language"] = json!("de-DE");
    set.film(voice, "voice.mp4");
    ffmpeg(set.0.path(), &["-i", "voice.mp4", "-vn", "-af", "adelay=700:all=1", "recording.wav"]);
    let mut script = recorded(text, "recording.wav");
    script["tts"]["language"] = json!("de-DE");
    let report = set.film(script, "film.mp4");
    assert_eq!(report["warnings"], json!([]));
    let (truth, found) = (set.mouth("voice.mp4"), set.mouth("film.mp4"));
    let (frames, alike) = lag(&truth, &found);
    println!("lips: {frames} frames late, correlation {alike:.3}; {} and {} frames", truth.len(), found.len());
    assert!(frames.abs() <= 1 && alike > 0.8, "{frames} frames late, correlation {alike:.3}");
}

#[test]
fn without_a_text_the_mouth_follows_the_loudness() {
    let set = Set::new();
    set.record(TEXT, SPEAKER, "recording.wav");
    let script = json!({"org": "", "isTTS": false, "tts": null, "audio": "/recording.wav"});
    let report = set.film(script, "film.mp4");
    let told = report["warnings"][0]["message"].as_str().unwrap_or_default();
    assert_eq!(report["warnings"][0]["path"], "scenes[0].scripts[0].audio");
    assert!(told.contains("there is no text to this recording"), "{told}");
    let (heard, seen) = (loudness(&set.path("film.mp4")), set.mouth("film.mp4"));
    let (frames, alike) = lag(&heard, &seen);
    println!("lips: {frames} frames late, correlation {alike:.3}");
    assert!(frames.abs() <= 1 && alike > 0.7, "{frames} frames late, correlation {alike:.3}");
    let captions = std::fs::read_to_string(set.path("film.srt")).unwrap_or_default();
    assert_eq!(captions.trim(), "");
}

#[test]
fn a_recording_of_something_else_is_used_with_a_warning() {
    let set = Set::new();
    let spanish =
        "Bienvenidos a nuestra oficina. Hoy les mostramos cómo se hace una película, paso a paso, desde un texto.";
    for (text, voice) in
        [(spanish, "ef_dora"), ("The warehouse in Bristol shipped thirty two thousand parcels before noon.", SPEAKER)]
    {
        set.record(text, voice, "other.wav");
        let report = set.film(recorded(TEXT, "other.wav"), "film.mp4");
        let told = report["warnings"][0]["message"].as_str().unwrap_or_default();
        assert!(told.contains("does not follow the text closely"), "{voice}: {told}");
        // It is told again when the film is made again.
        assert_eq!(set.film(recorded(TEXT, "other.wav"), "film.mp4")["warnings"], report["warnings"]);
    }
}

#[test]
fn what_is_no_recording_of_the_text_is_refused_with_its_place() {
    let set = Set::new();
    let dir = set.0.path();
    ffmpeg(dir, &["-f", "lavfi", "-i", "anullsrc=r=48000", "-t", "4", "silent.wav"]);
    ffmpeg(dir, &["-f", "lavfi", "-i", "sine=r=48000", "-t", "0.05", "blip.wav"]);
    ffmpeg(dir, &["-f", "lavfi", "-i", "anoisesrc=r=8000:a=0.1", "-t", "1230", "-ac", "1", "-b:a", "8k", "long.mp3"]);
    ffmpeg(dir, &["-f", "lavfi", "-i", "anoisesrc=r=8000:a=0.1", "-t", "60", "-b:a", "16k", "minute.mp3"]);
    ffmpeg(dir, &["-f", "lavfi", "-i", "testsrc=s=64x64:d=1", "mute.mp4"]);
    std::fs::write(set.path("words.wav"), "This is no sound.").expect("writes");
    for (file, why) in [
        ("silent.wav", "the recording is silent"),
        ("blip.wav", "the recording is shorter than a tenth of a second"),
        ("long.mp3", "may be recorded in 1200 s at most"),
        ("minute.mp3", "it must hold the whole text and nothing else"),
        ("mute.mp4", "no sound"),
        ("words.wav", "words.wav"),
        ("missing.wav", "missing.wav"),
    ] {
        let told = set.refusal(file);
        println!("{file}: {told}");
        assert!(told.contains("scenes[0].scripts[0].audio") && told.contains(why), "{file}: {told}");
    }
    // A silent one without a text is no better.
    let script = json!({"org": "", "isTTS": false, "tts": null, "audio": "/silent.wav"});
    let output = set.render(script, "film.mp4");
    assert!(String::from_utf8_lossy(&output.stderr).contains("the recording is silent"));
}
