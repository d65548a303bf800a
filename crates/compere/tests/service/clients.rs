//! Clients as users write them, in their own languages.

use std::path::Path;
use std::process::Command;

use crate::house::{admin, film, house};

fn run(program: &str, file: &str) {
    run_into(program, file, Path::new("/dev/null"));
}

fn run_into(program: &str, file: &str, film_to: &Path) {
    let project = admin().draft(film(&format!("for {program}")));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/service/clients").join(file);
    let output = Command::new(program)
        .arg(path)
        .env("CLIENTS", Path::new(env!("CARGO_MANIFEST_DIR")).join("../../clients"))
        .env("BASE_URL", &house().base)
        .env("APP_ID", &house().app_id)
        .env("USER_KEY", &house().user_key)
        .env("PROJECT_ID", project)
        .env("FILM", film_to)
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && told.contains("downloaded"),
        "{told}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_python_client_exports_polls_and_downloads() {
    run("python3", "client.py");
}

#[test]
fn a_node_client_reads_changes_and_posts_again() {
    run("node", "client.mjs");
}

#[test]
fn the_generated_python_client_makes_a_film() {
    run("python3", "generated.py");
}

#[test]
fn the_generated_javascript_client_makes_a_film() {
    run("node", "generated.mjs");
}

/// The clients and the collection are those of the document.
#[test]
fn clients_are_generated_from_the_document() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/clients.py");
    let output = Command::new("python3").arg(script).arg("--check").output().expect("python3");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn published_python_clients_work_with_another_host_and_keys() {
    // The figure's tight box at 620, 147, as large as it is.
    shows_the_head("python3", "flows.py", (620.0 - 347.0, 147.0 - 107.0), 1.0);
}

#[test]
fn published_node_clients_work_with_another_host_and_keys() {
    // The whole picture at 320, 60, nine tenths as large.
    shows_the_head("node", "flows.mjs", (320.0, 60.0), 0.9);
}

/// The client's editor has a head of 190 by 200 with its middle at 680, 270 of a picture that it places at `corner`, `scale`
/// times as large. In the film that the client then fetches, the head is there: measured by the mouth, which in the face of
/// the presenter of these films, before a word is said, is two fifths as wide and a fifth of its height below its middle.
fn shows_the_head(program: &str, file: &str, corner: (f64, f64), scale: f64) {
    let dir = tempfile::tempdir().expect("a folder");
    let film = dir.path().join("film.mp4");
    run_into(program, file, &film);
    let (x, y, width) = mouth(&film);
    let pixels = 854.0 / 1920.0;
    let at = |corner: f64, of: f64| (corner + of * scale) * pixels;
    let off = 0.03 * 679.0 * scale * pixels;
    let wanted = (at(corner.0, 680.0), at(corner.1, 270.0 + 0.2 * 200.0), 0.4 * 190.0 * scale * pixels);
    assert!(
        (x - wanted.0).abs() <= off && (y - wanted.1).abs() <= off && (width - wanted.2).abs() <= off,
        "the mouth is at {x}, {y} and {width} wide; the client put it at {wanted:?}, give or take {off}"
    );
}

/// Middle and width of what is as red as lips, in pixels of a film of 854 by 480.
fn mouth(film: &Path) -> (f64, f64, f64) {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(film)
        .args(["-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        .output()
        .expect("ffmpeg");
    assert_eq!(output.stdout.len(), 854 * 480 * 3, "{}", String::from_utf8_lossy(&output.stderr));
    let is_red = |pixel: &[u8]| {
        let [r, g, b] = [pixel[0], pixel[1], pixel[2]].map(i32::from);
        r - g > 90 && (g - b).abs() < 40
    };
    let red =
        output.stdout.chunks(3).enumerate().filter(|(_, pixel)| is_red(pixel)).map(|(at, _)| (at % 854, at / 854));
    let red: Vec<(usize, usize)> = red.collect();
    assert!(red.len() > 15, "no mouth: {} red pixels", red.len());
    let span = |of: fn(&(usize, usize)) -> usize| {
        let all = red.iter().map(of);
        (all.clone().min().unwrap_or_default() as f64, all.max().unwrap_or_default() as f64 + 1.0)
    };
    let ((left, right), (top, bottom)) = (span(|at| at.0), span(|at| at.1));
    ((left + right) / 2.0, (top + bottom) / 2.0, right - left)
}
