//! What acting promises, in numbers.

use std::sync::Arc;

use compere_media::{Marks, PhonemeMark, SAMPLE_RATE, SampleSpan, Sound, Stress, WordMark};

use super::{Ch, Pose, Track};
use crate::Role;

/// Sounds with their milliseconds; `_` is silence. Starts after half a second.
fn spoken(sounds: &[(&str, u64)]) -> Marks {
    let (mut marks, mut at) = (Marks::default(), 24_000);
    for &(ipa, milliseconds) in sounds {
        let span = SampleSpan { start: at, end: at + milliseconds * 48 };
        at = span.end;
        if ipa != "_" {
            marks.phonemes.push(PhonemeMark { span, ipa: ipa.to_owned(), stress: Stress::Primary });
            marks.words.push(WordMark { span, text: ipa.to_owned() });
        }
    }
    marks
}

fn poses(marks: &Marks, sound: Option<Sound>, frames: u64, seed: u64) -> Vec<Pose> {
    let role = Role { marks: marks.clone(), sound: sound.map(Arc::new), frames, seed };
    Track::new(&role).poses().to_vec()
}

fn of(poses: &[Pose], channel: Ch) -> Vec<f32> {
    poses.iter().map(|pose| pose.face.get(channel)).collect()
}

/// The frames in which a sound is heard.
fn heard(marks: &Marks, which: usize) -> std::ops::Range<usize> {
    let span = marks.phonemes[which].span;
    (span.start / 1600) as usize..span.end.div_ceil(1600) as usize
}

fn most(values: &[f32]) -> f32 {
    values.iter().copied().fold(f32::MIN, f32::max)
}

#[test]
fn lips_and_tongue_go_where_the_sound_is_made() {
    let marks = spoken(&[("ɑ", 120), ("f", 80), ("ɛ", 110), ("v", 60), ("ɑ", 120), ("θ", 90), ("ɪ", 90), ("l", 70)]);
    let poses = poses(&marks, None, 60, 1);
    let (rolled, tongue, jaw) = (of(&poses, Ch::RollLower), of(&poses, Ch::Tongue), of(&poses, Ch::Jaw));
    for (which, channel, least) in [(1, &rolled, 0.38), (3, &rolled, 0.3), (5, &tongue, 0.28), (7, &tongue, 0.15)] {
        let seen = most(&channel[heard(&marks, which)]);
        println!("{}: {seen:.2} of {least}", marks.phonemes[which].ipa);
        assert!(seen >= least, "{}: {seen}", marks.phonemes[which].ipa);
    }
    assert!(most(&jaw[heard(&marks, 0)]) > 0.25 && most(&jaw[heard(&marks, 4)]) > 0.2, "{jaw:?}");
}

#[test]
fn rounding_comes_before_the_vowel() {
    // "s" and "t" borrow the rounding of what follows.
    let marks = spoken(&[("s", 90), ("t", 70), ("u", 160), ("n", 80)]);
    let poses = poses(&marks, None, 50, 1);
    let round = of(&poses, Ch::Pucker);
    let vowel = heard(&marks, 2);
    println!("before {:?}, in the vowel {:.2}", &round[vowel.start - 3..vowel.start], most(&round[vowel.clone()]));
    assert!(round[vowel.start - 1] > 0.25 * most(&round[vowel.clone()]), "{round:?}");
    assert!(most(&round[vowel]) > 0.4);
}

#[test]
fn a_mouth_is_shut_in_pauses_and_after_the_last_word() {
    let marks = spoken(&[("ɑ", 150), ("s", 90), ("_", 500), ("ɑ", 150), ("t", 80)]);
    let poses = poses(&marks, None, 100, 3);
    let open: Vec<f32> = poses.iter().map(|pose| pose.face.openness()).collect();
    let (paused, resumed) = (heard(&marks, 1).end, heard(&marks, 2).start);
    println!("in the pause {:.2?}", &open[paused..resumed]);
    assert!(open[paused + 4..resumed - 4].iter().all(|open| *open < 0.03), "{open:?}");
    let last = heard(&marks, 3).end;
    println!("after the end {:.2?}", &open[last..last + 8]);
    assert!(open[last + 4..].iter().all(|open| *open < 0.03), "{open:?}");
    // A smile comes up; nothing else moves and nothing trembles.
    let settled = &poses[last + 16..];
    assert!(settled.windows(2).all(|pair| pair[0].face.mouth() == pair[1].face.mouth()));
}

#[test]
fn the_jaw_follows_the_voice() {
    let marks = spoken(&[("ɑ", 200), ("t", 80), ("ɑ", 200)]);
    let (loud, soft) = (marks.phonemes[0].span, marks.phonemes[2].span);
    let level = |at: u64| match at {
        at if at >= loud.start && at < loud.end => 0.5,
        at if at >= soft.start && at < soft.end => 0.1,
        _ => 0.0,
    };
    let wave = |at: u64| level(at) * if (at / 120).is_multiple_of(2) { 1.0 } else { -1.0 };
    let sound = Sound::new(1, (0..u64::from(SAMPLE_RATE) * 2).map(wave).collect());
    let jaw = of(&poses(&marks, Some(sound), 50, 1), Ch::Jaw);
    let (loud, soft) = (most(&jaw[heard(&marks, 0)]), most(&jaw[heard(&marks, 2)]));
    println!("loud {loud:.2}, soft {soft:.2}");
    assert!(loud > soft * 1.2, "loud {loud}, soft {soft}");
}

#[test]
fn eyes_blink_every_few_seconds_and_heads_mostly_rest() {
    let (mut gaps, mut resting, mut all) = (Vec::new(), 0, 0);
    for seed in 0..12 {
        let phrase = [("m", 70), ("ɑ", 110), ("n", 70), ("i", 90), ("w", 70), ("ɜ", 300), ("_", 420)];
        let marks = spoken(&phrase.repeat(50));
        let poses = poses(&marks, None, 1800, seed);
        let lids = of(&poses, Ch::Blink);
        let starts: Vec<usize> = (1..lids.len()).filter(|&at| lids[at - 1] == 0.0 && lids[at] > 0.0).collect();
        gaps.extend(starts.windows(2).map(|pair| (pair[1] - pair[0]) as f32 / 30.0));
        assert!(starts.iter().all(|&at| most(&lids[at..(at + 5).min(lids.len())]) > 0.95), "lids meet");
        resting += poses
            .windows(2)
            .filter(|p| p[0].head.with_breath_in_steps(9.0) == p[1].head.with_breath_in_steps(9.0))
            .count();
        all += poses.len() - 1;
    }
    let mean = gaps.iter().sum::<f32>() / gaps.len() as f32;
    println!(
        "{} blinks, one in {mean:.1} s, from {:.1} to {:.1} s",
        gaps.len(),
        gaps.iter().copied().fold(f32::MAX, f32::min),
        most(&gaps)
    );
    assert!((3.0..=5.0).contains(&mean), "one in {mean} s");
    assert!(gaps.iter().all(|gap| (1.0..8.0).contains(gap)), "{gaps:?}");
    let share = resting as f32 / all as f32;
    println!("heads rest in {:.0} % of the frames", share * 100.0);
    assert!((0.4..0.85).contains(&share), "{share}");
}

#[test]
fn nothing_jumps() {
    let marks = spoken(&[("m", 70), ("ɑ", 110), ("b", 60), ("u", 120), ("f", 80), ("_", 400)].repeat(12));
    let poses = poses(&marks, None, 320, 5);
    let turns: Vec<[f32; 3]> = poses.iter().map(|p| [p.head.yaw(), p.head.pitch(), p.head.roll()]).collect();
    let step = |pair: &[[f32; 3]]| (0..3).map(|k| (pair[1][k] - pair[0][k]).abs()).fold(0.0, f32::max);
    let fastest = turns.windows(2).map(step).fold(0.0, f32::max);
    println!("the head turns by {:.2} degrees in a frame at most", fastest.to_degrees());
    assert!(fastest < 0.012, "{fastest}");
    // A shape takes two frames and more: a change of direction in every frame would be a quiver.
    let jaw = of(&poses, Ch::Jaw);
    let ways: Vec<f32> = jaw.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let quivers = ways.windows(3).filter(|w| {
        w[0].abs() > 0.02 && w[1].abs() > 0.02 && w[2].abs() > 0.02 && w[0] * w[1] < 0.0 && w[1] * w[2] < 0.0
    });
    assert_eq!(quivers.count(), 0, "{jaw:?}");
}
