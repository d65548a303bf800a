//! How voices sound beside each other: equally loud, without clicks, clipping or dead air, at their own pitch.
//!
//! The neural ones need their weights, which the set-up fetches (`scripts/fetch-voices.sh`).

#![allow(clippy::disallowed_methods, reason = "tests watch the clock, write files and start programs")]

use compere_media::SAMPLE_RATE;
use compere_speech::sound::loudness::{TARGET, loudness, true_peak};
use compere_speech::{NoCache, Script, ScriptPart, Utterance, Voice, VoiceKind, Voices, speak, speak_each};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

fn voices() -> &'static Voices {
    static VOICES: OnceLock<Voices> = OnceLock::new();
    let assets = || {
        std::env::var_os("COMPERE_ASSETS")
            .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets")), PathBuf::from)
    };
    VOICES.get_or_init(|| Voices::open(&assets(), 2))
}

/// The voices of these ids, none stood in for by another.
fn there(ids: &[&str]) -> Vec<Arc<dyn Voice>> {
    let own = |id: &&str| {
        let voice = voices().get(id).unwrap();
        assert_eq!(voice.info().stands_in_for, None, "{id}");
        voice
    };
    ids.iter().map(own).collect()
}

fn pieces(voice: &dyn Voice, script: &Script) -> Vec<Utterance> {
    let mut pieces = Vec::new();
    let mut go = |_| ControlFlow::Continue(());
    speak_each(script, voice, &NoCache, &mut go, 2, &mut |piece| pieces.push(piece)).unwrap();
    pieces
}

const ENGLISH: &str = "We are glad that you came. Who would have thought it? That is wonderful news!";

#[test]
fn every_voice_and_sentence_is_equally_loud_and_nothing_clips() {
    let pages = [
        ("af_heart", ENGLISH),
        ("af_nova", ENGLISH),
        ("am_michael", ENGLISH),
        ("bm_lewis", ENGLISH),
        ("if_sara", "Il sole sorge a est. Hai visto il nuovo film?"),
        ("ef_dora", "El sol sale por el este. ¿Has visto la nueva película?"),
        ("espeak-de", "Die Sonne geht im Osten auf. Hast du den neuen Film gesehen?"),
        ("espeak-en-us-female", ENGLISH),
    ];
    for (id, page) in pages {
        for voice in there(&[id]) {
            let mut whole = Vec::new();
            for piece in pieces(&*voice, &Script::plain(page)) {
                let samples = piece.sound.samples();
                if piece.marks.words.is_empty() {
                    continue;
                }
                whole.extend_from_slice(samples);
                let (heard, peak) = (loudness(samples).unwrap(), true_peak(samples));
                assert!((heard - TARGET).abs() <= 1.0, "{id}: a sentence at {heard:.1} LUFS");
                assert!(peak <= 0.891, "{id}: a true peak of {:.1} dB", 20.0 * peak.log10());
            }
            let heard = loudness(&whole).unwrap();
            assert!((heard - TARGET).abs() <= 1.0, "{id}: {heard:.1} LUFS");
        }
    }
}

/// Sentences begin and end within a thousandth of full scale, hold almost no silence, and so join without a click.
#[test]
fn joins_are_silent_and_nothing_sticks_out() {
    let script = Script {
        parts: vec![
            ScriptPart::Text("Stop! Ask Jack about it. Then begin".into()),
            ScriptPart::Pause(0.0),
            ScriptPart::Text("at once, all of you.".into()),
        ],
        ..Script::plain("")
    };
    for voice in there(&["af_heart", "am_michael", "bf_emma", "espeak-en-us", "tone"]) {
        let id = &voice.info().id;
        let mut last = 0.0f32;
        for piece in pieces(&*voice, &script) {
            let samples = piece.sound.samples();
            let (Some(first), Some(end)) = (samples.first(), samples.last()) else { continue };
            let step = (first - last).abs();
            assert!(step < 0.001, "{id}: a step of {step} at a join");
            last = *end;
            if piece.marks.words.is_empty() {
                continue;
            }
            let (before, behind) = silences(samples);
            assert!(before <= 0.045 && behind <= 0.045, "{id}: {before:.3} s before, {behind:.3} s behind");
        }
    }
}

/// Seconds until the first and after the last window of 5 ms that is within 46 dB of the loudest.
fn silences(samples: &[f32]) -> (f64, f64) {
    let rms = |window: &[f32]| window.iter().map(|sample| sample * sample).sum::<f32>().sqrt();
    let levels: Vec<f32> = samples.chunks(240).map(rms).collect();
    let floor = levels.iter().fold(0.0f32, |most, level| most.max(*level)) * 0.005;
    let before = levels.iter().take_while(|level| **level <= floor).count();
    let behind = levels.iter().rev().take_while(|level| **level <= floor).count();
    (before as f64 * 0.005, behind as f64 * 0.005)
}

/// The median pitch of voiced stretches, by autocorrelation.
fn pitch(samples: &[f32]) -> f64 {
    let slow: Vec<f32> = samples.chunks(6).map(|six| six.iter().sum::<f32>() / 6.0).collect();
    let rate = f64::from(SAMPLE_RATE) / 6.0;
    let power = |window: &[f32]| window.iter().map(|sample| sample * sample).sum::<f32>();
    let loudest = slow.chunks(400).map(power).fold(0.0f32, f32::max);
    let mut pitches = Vec::new();
    for at in (0..slow.len().saturating_sub(640)).step_by(160) {
        let window = &slow[at..at + 400];
        if power(window) < loudest * 0.02 {
            continue;
        }
        let likeness = |lag: usize| {
            let later = &slow[at + lag..at + lag + 400];
            let product: f32 = window.iter().zip(later).map(|(one, other)| one * other).sum();
            product / (power(window) * power(later)).sqrt().max(1e-9)
        };
        let likely: Vec<f32> = (20..=130).map(likeness).collect();
        let best = likely.iter().fold(0.0f32, |best, one| best.max(*one));
        // The shortest lag that is nearly as good as the best: not two periods at once.
        let first = (1..likely.len() - 1)
            .find(|at| likely[*at] > best * 0.9 && likely[*at] >= likely[at - 1] && likely[*at] >= likely[at + 1]);
        if let Some(lag) = first.filter(|_| best > 0.7) {
            pitches.push(rate / (lag + 20) as f64);
        }
    }
    assert!(pitches.len() > 20, "only {} voiced windows", pitches.len());
    pitches.sort_by(f64::total_cmp);
    pitches[pitches.len() / 2]
}

#[test]
fn speed_changes_length_but_not_pitch() {
    let text = "We are all very glad that you could come, and we hope you will enjoy your evening.";
    for voice in there(&["af_heart", "am_michael", "espeak-en-us"]) {
        let at = |speed: f64| {
            let script = Script { speed, ..Script::plain(text) };
            let mut go = |_| ControlFlow::Continue(());
            let spoken = speak(&script, &*voice, &NoCache, &mut go, 2).unwrap().utterance;
            (spoken.sound.seconds(), pitch(spoken.sound.samples()))
        };
        let (id, (usual, own)) = (&voice.info().id, at(1.0));
        for speed in [0.5, 2.0] {
            let (seconds, heard) = at(speed);
            assert!((heard / own - 1.0).abs() < 0.08, "{id} at {speed}: {heard:.0} Hz instead of {own:.0}");
            let (shortest, longest) = (0.75, if voice.info().kind == VoiceKind::Espeak { 1.5 } else { 1.35 });
            let ratio = seconds * speed / usual;
            assert!((shortest..=longest).contains(&ratio), "{id} at {speed}: {seconds:.1} s, {usual:.1} s at 1");
        }
    }
}
