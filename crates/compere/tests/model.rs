//! A presenter of a model file on the command line, from the file to the film and away again; and files that are none.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::json;
use tempfile::TempDir;

#[path = "../../compere-own/src/figure/made.rs"]
mod made;

fn compere(folder: &TempDir, arguments: &[&str]) -> Output {
    let assets = std::env::var_os("COMPERE_ASSETS")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets")), PathBuf::from);
    let mut command = Command::new(env!("CARGO_BIN_EXE_compere"));
    command.arg("--data").arg(folder.path().join("data")).arg("--assets").arg(assets).args(arguments);
    command.current_dir(folder.path()).stdin(Stdio::null()).output().expect("the binary runs")
}

fn well(folder: &TempDir, arguments: &[&str]) -> String {
    let output = compere(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("words")
}

const ADD: [&str; 7] = ["avatar", "add", "model", "egg.glb", "--name", "Egg", "--licensed-by=A Tester"];

#[test]
fn a_model_becomes_a_presenter_and_is_filmed() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("egg.glb"), made::model()).expect("writes");
    let told = well(&folder, &ADD);
    let id = told.split(['(', ')']).nth(1).expect("an id").to_owned();
    assert!(id.starts_with("own-") && told.contains("says nothing of its licence"), "{told}");
    assert!(well(&folder, &["avatar", "list"]).contains("egg"));
    let again = compere(&folder, &ADD);
    assert!(String::from_utf8_lossy(&again.stderr).contains("already"), "{again:?}");

    let scene = json!({
        "sceneIdx": 0, "duration": 1,
        "scripts": [{"org": "", "isTTS": false, "modelId": "egg", "clothId": "model"}],
        "background": {"id": "background", "type": "background", "source_color": "rgb(190,196,204)"},
        "clips": [{"id": "p", "type": "aiModel", "layer": 1, "left": 400, "top": 200, "width": 600, "height": 600,
                   "model": {"ai_name": "egg", "emotion": "model"}}],
    });
    let body = json!({"name": "egg", "resolution": "480", "scenes": [scene]});
    std::fs::write(folder.path().join("scene.json"), body.to_string()).expect("writes");
    well(&folder, &["render", "scene.json", "-o", "egg.mp4"]);
    let film = std::fs::read(folder.path().join("egg.mp4")).expect("a film");
    assert!(film.windows(4).any(|word| word == b"moov"), "{} bytes", film.len());

    well(&folder, &["avatar", "remove", &id]);
    assert!(!well(&folder, &["avatar", "list"]).contains(&id));
}

/// By the child in the sandbox, and nothing of them stays.
#[test]
fn files_that_are_no_models_are_refused_by_what_is_wrong_with_them() {
    let folder = tempfile::tempdir().expect("a folder");
    for (what, file, word) in made::hostile() {
        std::fs::write(folder.path().join("egg.glb"), file).expect("writes");
        let output = compere(&folder, &ADD);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(word), "{what}: {said}");
    }
    let kept = std::fs::read_dir(folder.path().join("data/presenters")).map_or(0, Iterator::count);
    assert_eq!(kept, 0, "presenters of files that were refused");
}

/// The most that any pixel of the middle of the picture, where the head is, changes from the first picture of a film.
fn stirred(film: &Path) -> u8 {
    let gray = ["-vf", "crop=iw/2:ih/2,scale=64:64,format=gray", "-f", "rawvideo", "-"];
    let run = Command::new("ffmpeg").args(["-v", "error", "-i"]).arg(film).args(gray).output().expect("ffmpeg runs");
    let (first, rest) = run.stdout.split_at(64 * 64);
    let off = |picture: &[u8]| picture.iter().zip(first).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or_default();
    rest.chunks_exact(64 * 64).map(off).max().unwrap_or_default()
}

/// `scripts/model-fixture.py` writes them with pygltflib.
#[test]
#[ignore = "wants the files of another exporter, which ./test own makes"]
fn models_of_an_exporter_that_knows_nothing_of_this_one_talk() {
    let models = PathBuf::from(std::env::var_os("COMPERE_MODELS").expect("COMPERE_MODELS names a folder"));
    let folder = tempfile::tempdir().expect("a folder");
    for (file, name) in [("ada.glb", "ada-model"), ("ben.vrm", "ben-model")] {
        let model = models.join(file).to_string_lossy().into_owned();
        well(&folder, &["avatar", "add", "model", &model, "--name", name, "--licensed-by=A Tester"]);
        let scene = json!({
            "sceneIdx": 0,
            "scripts": [{"org": "Mama has a papaya.", "isTTS": true, "tts": {"voice": "tone"}, "modelId": name, "clothId": "model"}],
            "background": {"id": "background", "type": "background", "source_color": "rgb(190,196,204)"},
            "clips": [{"id": "p", "type": "aiModel", "layer": 1, "left": 420, "top": 0, "width": 1080, "height": 1080,
                       "model": {"ai_name": name, "emotion": "model"}}],
        });
        let body = json!({"name": name, "resolution": "480", "scenes": [scene]});
        std::fs::write(folder.path().join("scene.json"), body.to_string()).expect("writes");
        well(&folder, &["render", "scene.json", "-o", "talks.mp4"]);
        let most = stirred(&folder.path().join("talks.mp4"));
        println!("{file}: {most} levels");
        assert!(most > 25, "{file} hardly moves: {most} levels");
    }
}
