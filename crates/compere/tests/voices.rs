//! Voices through the real binary when their weights are not there.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// With a folder of assets that has no voices in it.
fn compere(dir: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_compere"));
    command.arg("--data").arg(dir.join("data")).arg("--assets").arg(dir.join("assets")).args(arguments);
    command.current_dir(dir).stdin(Stdio::null()).output().expect("the binary runs")
}

#[test]
fn without_weights_espeak_speaks_and_says_so() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let output = compere(dir.path(), &["say", "Good morning.", "--voice", "af_heart", "-o", "heard.wav"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert!(
        told.contains("warning: voice `espeak-en-us-female` speaks in place of `af_heart`: ")
            && told.contains("model.onnx is missing; scripts/fetch-voices.sh fetches it"),
        "{told}"
    );
    let wav = std::fs::read(dir.path().join("heard.wav")).expect("a WAV file");
    assert!(wav.len() > 40_000 && wav[44..].iter().any(|byte| *byte != 0));
    assert_eq!(wav[40..44], (wav.len() as u32 - 44).to_le_bytes(), "its head tells its length");
}

#[test]
fn a_film_without_weights_carries_warnings() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let scene = json!({
        "sceneIdx": 0,
        "scripts": [{"org": "Good morning, привет!", "isTTS": true, "tts": {"voice": "af_heart", "language": "en-US"},
                     "modelId": "figure", "clothId": "figure/plain"}],
        "background": {"id": "background", "type": "background", "source_color": "rgb(40,120,200)"},
        "clips": [],
    });
    let body = json!({"name": "A test", "resolution": "480", "scenes": [scene]});
    std::fs::write(dir.path().join("scene.json"), body.to_string()).expect("writes");
    let output = compere(dir.path(), &["render", "scene.json", "-o", "film.mp4", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("a JSON report");
    let told: Vec<&str> =
        report["warnings"].as_array().into_iter().flatten().filter_map(|warning| warning["message"].as_str()).collect();
    assert!(told.iter().any(|told| told.contains("speaks in place of `af_heart`")), "{told:?}");
    assert!(told.iter().any(|told| told.contains("`привет!` is not spoken")), "{told:?}");
}
