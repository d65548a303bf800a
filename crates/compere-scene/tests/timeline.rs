//! When things happen.

use compere_scene::{Film, Limits, Measured, TestCatalogue, Timeline, resolve, timeline};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A film whose scenes have so many lines, or last so long.
fn film(scenes: &[(usize, Option<f64>)]) -> Film {
    let presenter = |n| json!({ "id": n, "type": "aiModel", "voiceOnly": true, "script": "x", "model": { "ai_name": "ada", "emotion": "red" } });
    let scene = |&(lines, duration): &(usize, Option<f64>)| {
        let clips: Vec<Value> = (0..lines).map(presenter).collect();
        json!({ "sceneIdx": 0, "background": {}, "clips": clips, "duration": duration })
    };
    let project = json!({ "scenes": scenes.iter().map(scene).collect::<Vec<_>>() });
    resolve(&project, &Limits::default(), &TestCatalogue::default()).expect("a right body").film
}

fn measured(lines: &[u64], media: Option<u64>) -> Measured {
    Measured { lines: lines.to_vec(), media }
}

/// Frames of the scenes, and the seconds of their lines in thousandths.
fn told(timeline: &Timeline) -> String {
    let line = |span: &compere_media::SampleSpan| format!("{}-{}", span.start / 48, span.end / 48);
    let scene = |scene: &compere_scene::SceneTime| {
        let lines: Vec<String> = scene.lines.iter().map(line).collect();
        format!("{}+{} [{}]", scene.frames.start, scene.frames.len, lines.join(" "))
    };
    timeline.scenes.iter().map(scene).collect::<Vec<_>>().join(", ")
}

#[test]
fn speech_has_a_margin_and_a_breath() {
    let second = 48_000;
    let film = film(&[(1, None), (2, None), (3, None)]);
    let measured = [
        measured(&[second], None),
        measured(&[second, 2 * second], Some(90 * second)),
        measured(&[second, 0, second], None),
    ];
    assert_eq!(
        told(&timeline(&film, &measured)),
        "0+42 [200-1200], 42+111 [1600-2600 2900-4900], 153+81 [5300-6300 6300-6300 6600-7600]"
    );
}

#[test]
fn without_speech() {
    let film = film(&[(0, None), (0, None), (1, None), (0, None)]);
    let measured = [measured(&[], Some(48_001)), measured(&[], None), measured(&[0], Some(0))];
    let timeline = timeline(&film, &measured);
    assert_eq!(told(&timeline), "0+31 [], 31+150 [], 181+150 [6233-6233], 331+150 []");
    assert_eq!((timeline.frames(), timeline.samples()), (481, 481 * 1600));
    assert_eq!([0, 30, 31, 480, 481].map(|frame| timeline.scene_at(frame)), [Some(0), Some(0), Some(1), Some(3), None]);
}

#[test]
fn an_asked_for_duration_cuts_the_speech() {
    let film = film(&[(2, Some(1.0)), (1, Some(0.001))]);
    let measured = [measured(&[48_000, 48_000], None), measured(&[48_000], None)];
    assert_eq!(told(&timeline(&film, &measured)), "0+30 [200-1000 1000-1000], 30+1 [1033-1033]");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// No gap, no overlap, no drift, whatever the lengths.
    #[test]
    fn scene_follows_scene(scenes in prop::collection::vec((prop::collection::vec(0u64..5_000_000, 0..4), prop::option::of(0u64..5_000_000)), 1..40)) {
        let shapes: Vec<(usize, Option<f64>)> = scenes.iter().map(|(lines, _)| (lines.len(), None)).collect();
        let film = film(&shapes);
        let measured: Vec<Measured> = scenes.iter().map(|(lines, media)| measured(lines, *media)).collect();
        let timeline = timeline(&film, &measured);
        let mut frame = 0;
        for (time, (lines, _)) in timeline.scenes.iter().zip(&scenes) {
            prop_assert_eq!(time.frames.start, frame);
            frame = time.frames.end();
            let scene = time.samples();
            prop_assert_eq!(scene.start, time.frames.start * 1600);
            let mut before = scene.start + 9600;
            for (span, &len) in time.lines.iter().zip(lines) {
                prop_assert_eq!(span.len(), len);
                prop_assert!(span.start >= before && span.end <= scene.end);
                before = span.end;
            }
            if lines.iter().any(|&len| len > 0) {
                // The margin behind, and less than a frame more.
                prop_assert!((9600..9600 + 1600).contains(&(scene.end - before)));
            }
        }
        prop_assert_eq!(timeline.frames(), frame);
    }
}
