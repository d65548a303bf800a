//! How films sound and how the mouths in them move, measured picture by picture.

use std::path::Path;
use std::process::Command;

/// Where the figure's mouth is at 1080, in a clip of 700 × 980 at 600, 100: width, height, left, top.
const MOUTH: [usize; 4] = [162, 100, 880, 422];

pub fn ffmpeg(dir: &Path, arguments: &[&str]) {
    let run = Command::new("ffmpeg").args(["-v", "error", "-y"]).args(arguments).current_dir(dir).status();
    assert!(run.expect("ffmpeg runs").success(), "{arguments:?}");
}

/// What ffmpeg makes of a film.
fn read(film: &Path, arguments: &[&str]) -> Vec<u8> {
    let run = Command::new("ffmpeg").args(["-v", "error", "-i"]).arg(film).args(arguments).arg("-").output();
    let output = run.expect("ffmpeg runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// How far the figure's mouth is open in each picture of a film of so many lines: the part of its place that is no skin.
pub fn mouth(film: &Path, lines: usize) -> Vec<f64> {
    let [width, height, left, top] = MOUTH.map(|length| length * lines / 1080);
    let filter = format!("crop={width}:{height}:{left}:{top},format=gray");
    let bytes = read(film, &["-vf", &filter, "-f", "rawvideo"]);
    // Most of the place is skin, wherever the head has gone to.
    let skin = |picture: &[u8]| {
        let mut sorted = picture.to_vec();
        sorted.sort_unstable();
        f64::from(sorted[sorted.len() * 3 / 4])
    };
    let open = |picture: &[u8]| {
        let skin = skin(picture);
        picture.iter().filter(|&&pixel| (f64::from(pixel) - skin).abs() > 60.0).count()
    };
    bytes.chunks_exact(width * height).map(|picture| open(picture) as f64 / (width * height) as f64).collect()
}

/// How loud a film or a sound is while each of its pictures is seen, as a level between silence and its loudest.
pub fn loudness(film: &Path) -> Vec<f64> {
    let bytes = read(film, &["-ac", "1", "-ar", "24000", "-f", "s16le"]);
    let samples: Vec<f64> =
        bytes.chunks_exact(2).map(|pair| f64::from(i16::from_le_bytes([pair[0], pair[1]])) / 32768.0).collect();
    // At thirty pictures a second. Ears judge by decibels; what is 40 below the loudest is a closed mouth's.
    let level = |part: &[f64]| 10.0 * (part.iter().map(|s| s * s).sum::<f64>() / part.len() as f64 + 1e-9).log10();
    let levels: Vec<f64> = samples.chunks_exact(800).map(level).collect();
    let most = levels.iter().copied().fold(f64::MIN, f64::max);
    levels.iter().map(|level| (1.0 + (level - most) / 40.0).max(0.0)).collect()
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (ma, mb) = (mean(a), mean(b));
    let sum = |f: &dyn Fn(f64, f64) -> f64| a.iter().zip(b).map(|(&a, &b)| f(a - ma, b - mb)).sum::<f64>();
    sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
}

/// By how many frames the second is late, and how alike both then are.
pub fn lag(a: &[f64], b: &[f64]) -> (i64, f64) {
    let most = 6;
    let len = a.len().min(b.len()) - most;
    let at = |lag: i64| {
        let shifted: Vec<f64> = (most..len).map(|n| b[(n as i64 + lag) as usize]).collect();
        correlation(&a[most..len], &shifted)
    };
    let best = (-6..=6).max_by(|&a, &b| at(a).total_cmp(&at(b))).expect("thirteen lags");
    (best, at(best))
}
