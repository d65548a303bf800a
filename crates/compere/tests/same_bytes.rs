//! One film, one file, whatever the processor: made as this machine likes it best, and made once more as if it had no
//! vector units and a C library that uses none. `scripts/same-bytes.sh` does the same with the program itself built for
//! different processors.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

/// Everything with arithmetic in it: a presenter who speaks, letters, a turned star, round corners, a painted background,
/// and sound at its level.
fn scene() -> serde_json::Value {
    json!({
        "resolution": "480",
        "scenes": [{
            "sceneIdx": 0,
            "background": {"source_type": "image", "source_url": "/images/background/office.png"},
            "scripts": [{"org": "Hello there.", "isTTS": false, "tts": null, "modelId": "nora", "clothId": "nora/blazer"}],
            "clips": [
                {
                    "id": "star", "type": "shape", "layer": 2, "left": 200, "top": 200, "width": 300, "height": 280,
                    "angle": 17, "shapeName": "Star", "fill": "rgb(37,99,235)", "strokeRadius": 20,
                },
                {
                    "id": "words", "type": "textImage", "layer": 3, "left": 90, "top": 700, "width": 700, "height": 90,
                    "angle": -5, "text": "The same everywhere", "fill": "rgb(16,24,40)", "fontSize": 50,
                    "fontFamily": "Noto Sans",
                },
                {
                    "id": "presenter", "type": "aiModel", "layer": 1, "left": 960, "top": 180, "width": 720,
                    "height": 900, "model": {"ai_name": "nora", "emotion": "nora/blazer"},
                },
            ],
        }],
    })
}

fn film(dir: &Path, name: &str, settings: &[(&str, &str)]) -> Vec<u8> {
    let assets =
        std::env::var("COMPERE_ASSETS").unwrap_or_else(|_| format!("{}/../../assets", env!("CARGO_MANIFEST_DIR")));
    let film = dir.join(name);
    let output = Command::new(env!("CARGO_BIN_EXE_compere"))
        .args(["--assets", &assets, "--data"])
        .arg(dir.join("data"))
        .args(["render", "--no-cache", "--threads", "2", "-o"])
        .arg(&film)
        .arg(dir.join("scene.json"))
        .envs(settings.iter().copied())
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read(film).expect("a film")
}

#[test]
fn a_poorer_processor_makes_the_same_film() {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("scene.json"), scene().to_string()).expect("writes");
    let own = film(dir.path(), "own.mp4", &[]);
    let poorer = [("COMPERE_KERNELS", "scalar"), ("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2,-AVX,-FMA,-FMA4,-AVX512F")];
    assert!(own == film(dir.path(), "poorer.mp4", &poorer), "the bytes depend on the processor");
}
