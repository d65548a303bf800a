//! The neural voice against what was recorded of it. Needs the weights, which the set-up fetches
//! (`scripts/fetch-voices.sh`).

#![allow(clippy::disallowed_methods, reason = "tests watch the clock, write files and start programs")]

use compere_speech::{NoCache, Script, Utterance, Voices, speak};
use std::ops::ControlFlow;
use std::path::PathBuf;

const TEXT: &str = "Hello there, my friend. The quick brown fox jumps over the lazy dog; then it sleeps.";

fn spoken(voice: &str, text: &str) -> Utterance {
    let assets = std::env::var_os("COMPERE_ASSETS")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets")), PathBuf::from);
    let voices = Voices::open(&assets, 2);
    let missing = voices.list().into_iter().find(|info| info.id == voice).unwrap().missing;
    assert_eq!(missing, None, "voice {voice}");
    let voice = voices.get(voice).unwrap();
    speak(&Script::plain(text), &*voice, &NoCache, &mut |_| ControlFlow::Continue(()), 2).unwrap().utterance
}

/// Energy in decibels of bands of a third of an octave or so, by Goertzel at their middles, relative to the whole.
fn bands(samples: &[f32]) -> Vec<f64> {
    const MIDDLES: [f64; 12] =
        [150.0, 250.0, 400.0, 630.0, 1000.0, 1600.0, 2500.0, 3500.0, 4500.0, 6000.0, 8000.0, 10_000.0];
    let energy = |middle: f64| -> f64 {
        (-4..=4)
            .map(|step| {
                let turn = std::f64::consts::TAU * middle * (1.0 + f64::from(step) * 0.02) / 48_000.0;
                let of_window = |window: &[f32]| {
                    let (mut re, mut im) = (0.0, 0.0);
                    for (at, sample) in window.iter().enumerate() {
                        let hann = 0.5 - 0.5 * (std::f64::consts::TAU * at as f64 / 2048.0).cos();
                        re += f64::from(*sample) * hann * (turn * at as f64).cos();
                        im += f64::from(*sample) * hann * (turn * at as f64).sin();
                    }
                    re * re + im * im
                };
                samples.chunks_exact(2048).map(of_window).sum::<f64>()
            })
            .sum()
    };
    let energies: Vec<f64> = MIDDLES.iter().map(|middle| energy(*middle)).collect();
    let total: f64 = energies.iter().sum();
    energies.iter().map(|energy| 10.0 * (energy / total).log10()).collect()
}

/// A changed runtime or patch must not change the timbre unnoticed: each fault that the patch repairs moves some band by
/// more than 2 dB.
#[test]
fn the_timbre_is_the_one_that_was_recorded() {
    let utterance = spoken("af_heart", TEXT);
    let heard = bands(utterance.sound.samples());
    // What rounding a voice's sines go by depends on the width of the processor's registers, and with it how strong its
    // weakest bands are: recorded with AVX-512, and with AVX2.
    const RECORDED: [[f64; 12]; 2] = [
        [-8.5, -4.6, -5.3, -7.8, -14.6, -20.5, -25.5, -27.4, -33.3, -28.4, -29.4, -28.7],
        [-9.0, -4.2, -5.5, -8.1, -14.8, -20.6, -26.2, -27.7, -31.5, -27.5, -28.9, -28.3],
    ];
    let worst = |recorded: [f64; 12]| {
        heard.iter().zip(recorded).map(|(heard, recorded)| (heard - recorded).abs()).fold(0.0, f64::max)
    };
    let worst = RECORDED.map(worst).into_iter().fold(f64::MAX, f64::min);
    assert!(worst < 1.2, "a band moved by {worst:.1} dB: {heard:.1?}");
    let seconds = utterance.sound.seconds();
    assert!((seconds - 5.005).abs() < 0.1, "{seconds} s");
}

/// Sound begins with each word after a pause, and pauses are silent.
#[test]
fn marks_agree_with_the_sound() {
    let text = "First, we begin. Second, nobody waits; third, all of them sing! Do you hear it? Yes, today, we do.";
    let mut errors = Vec::new();
    for voice in ["af_heart", "am_michael", "bf_emma"] {
        let utterance = spoken(voice, text);
        let window = 240;
        let samples = utterance.sound.samples();
        let level = |at: usize| {
            let window = &samples[at..(at + window).min(samples.len())];
            (window.iter().map(|sample| sample * sample).sum::<f32>() / window.len().max(1) as f32).sqrt()
        };
        let loudest = (0..samples.len()).step_by(window).map(level).fold(0.0, f32::max);
        let onset =
            |from: usize, to: usize| (from..to.min(samples.len())).step_by(48).find(|at| level(*at) > loudest * 0.02);
        for pair in utterance.marks.words.windows(2) {
            let (end, start) = (pair[0].span.end as usize, pair[1].span.start as usize);
            assert!(end <= start, "{voice}: words overlap at {}", pair[1].text);
            if start - end < 60 * 48 {
                continue;
            }
            let middle = (start + end) / 2;
            assert!(level(middle) < loudest * 0.05, "{voice}: not silent before {}", pair[1].text);
            if let Some(heard) = onset(middle, start + 150 * 48) {
                errors.push(heard.abs_diff(start) as f64 / 48.0);
            }
        }
        assert!(utterance.sound.peak() <= 0.9);
    }
    errors.sort_by(f64::total_cmp);
    assert!(errors.len() >= 12, "{} pauses", errors.len());
    let p95 = errors[(errors.len() * 95).div_ceil(100) - 1];
    assert!(p95 <= 40.0, "word starts are off by {p95:.0} ms: {errors:.0?}");
}
