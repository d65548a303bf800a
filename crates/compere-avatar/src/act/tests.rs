//! What acting promises, in numbers.

use std::sync::Arc;

use compere_media::{
    Cue, CueMark, Gesture, Look, Marks, Mood, PhonemeMark, SAMPLE_RATE, SampleSpan, Sound, Stress, WordMark,
};

use super::{Arms, Ch, Habits, Idle, Manner, Pose, Track};
use crate::{Other, Role};

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
    let role = Role { marks: marks.clone(), sound: sound.map(Arc::new), frames, seed, ..Role::default() };
    Track::new(&role, &Habits::default()).poses().to_vec()
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
fn lips_are_round_where_a_language_rounds_them() {
    let round = |ipa: &str| {
        let marks = spoken(&[("k", 70), (ipa, 160), ("k", 80)]);
        let poses = poses(&marks, None, 40, 1);
        most(&of(&poses, Ch::Funnel)[heard(&marks, 1)]) + most(&of(&poses, Ch::Pucker)[heard(&marks, 1)])
    };
    // Of German and French as of English; r rolled or in the throat as one hears it, not as it is spelt.
    for ipa in ["ø", "œ", "y", "u", "ɹ"] {
        assert!(round(ipa) > 0.3, "{ipa}: {}", round(ipa));
    }
    for ipa in ["e", "ɛ", "r", "ʁ", "ʀ"] {
        assert!(round(ipa) < 0.1, "{ipa}: {}", round(ipa));
    }
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
        // Lids also follow the eyes a little; a blink is more.
        let starts: Vec<usize> = (1..lids.len()).filter(|&at| lids[at - 1] < 0.45 && lids[at] >= 0.45).collect();
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
    assert!(fastest < 0.022, "{fastest}");
    // A shape takes two frames and more: a change of direction in every frame would be a quiver.
    let jaw = of(&poses, Ch::Jaw);
    let ways: Vec<f32> = jaw.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let quivers = ways.windows(3).filter(|w| {
        w[0].abs() > 0.02 && w[1].abs() > 0.02 && w[2].abs() > 0.02 && w[0] * w[1] < 0.0 && w[1] * w[2] < 0.0
    });
    assert_eq!(quivers.count(), 0, "{jaw:?}");
}

/// Words of 300 ms, every third of them stressed; and when stressed and other words begin, in seconds.
fn accented(words: u64) -> (Marks, Vec<f32>, Vec<f32>) {
    let mut marks = Marks::default();
    let (mut stressed, mut plain) = (Vec::new(), Vec::new());
    for n in 0..words {
        let start = 24_000 + n * 18_000;
        let stress = if n % 3 == 1 { Stress::Primary } else { Stress::None };
        (if stress == Stress::Primary { &mut stressed } else { &mut plain }).push(start as f32 / SAMPLE_RATE as f32);
        for (at, ipa) in (0..).zip(["m", "ɑ", "n"]) {
            let from = start + at * 4800;
            let stress = if at == 0 { stress } else { Stress::None };
            marks.phonemes.push(PhonemeMark {
                span: SampleSpan { start: from, end: from + 4800 },
                ipa: ipa.into(),
                stress,
            });
        }
        marks.words.push(WordMark { span: SampleSpan { start, end: start + 14_400 }, text: "word".into() });
    }
    (marks, stressed, plain)
}

/// The change of a value from just before a moment to a little after it, on average.
fn rise_at(moments: &[f32], values: &[f32]) -> f32 {
    let rises = moments.iter().filter_map(|t| {
        let at = (t * 30.0) as usize;
        Some(values.get(at + 4)? - values[at - 3])
    });
    let rises: Vec<f32> = rises.collect();
    rises.iter().sum::<f32>() / rises.len() as f32
}

#[test]
fn nods_and_brows_fall_on_stressed_words() {
    let (marks, stressed, plain) = accented(60);
    let frames = 30 * 24;
    let (mut nods, mut others) = (0.0, 0.0);
    let (mut raises, mut missed) = (0, 0);
    for seed in 0..24 {
        let poses = poses(&marks, None, frames, seed);
        // Positive looks down.
        let pitch: Vec<f32> = poses.iter().map(|pose| pose.head.pitch()).collect();
        nods += rise_at(&stressed, &pitch) / 24.0;
        others += rise_at(&plain, &pitch) / 24.0;
        let brows = of(&poses, Ch::BrowOuter);
        for start in (1..brows.len()).filter(|&at| brows[at - 1] == 0.0 && brows[at] > 0.0) {
            let t = start as f32 / 30.0;
            raises += 1;
            missed += usize::from(!stressed.iter().any(|word| (word - t).abs() < 0.2));
        }
    }
    println!("the head goes down by {nods:.4} at stressed words, {others:.4} at others; {raises} raises of the brows");
    assert!(nods > 0.006, "{nods}");
    assert!(others.abs() < nods / 2.0, "{others} at words without stress");
    assert!(raises > 24 * 2, "{raises}");
    assert_eq!(missed, 0, "of {raises} raises");
    // Without stress there is nothing to nod to.
    let mut flat = marks.clone();
    flat.phonemes.iter_mut().for_each(|mark| mark.stress = Stress::None);
    assert!(of(&poses(&flat, None, frames, 1), Ch::BrowOuter).iter().all(|raise| *raise == 0.0));
}

#[test]
fn a_speech_begins_and_ends_with_a_smile() {
    let marks = spoken(&[("s", 90), ("ɑ", 150), ("_", 300), ("n", 80), ("ɛ", 120), ("t", 80)].repeat(8));
    let end = heard(&marks, marks.phonemes.len() - 1).end;
    for seed in 0..6 {
        let poses = poses(&marks, None, end as u64 + 60, seed);
        let smile = of(&poses, Ch::Smile);
        let middle = &smile[60..end - 30];
        let usual = middle.iter().sum::<f32>() / middle.len() as f32;
        let (first, last) = (smile[2], smile[end + 30]);
        println!("{first:.2} at first, {usual:.2} in between, {last:.2} at last");
        assert!(first > usual + 0.15 && last > usual + 0.15, "{first}, {usual}, {last}");
        // Closed: teeth in silence look like speech.
        assert!(poses[2].face.openness() < 0.06 && poses[end + 30].face.openness() < 0.06);
    }
}

#[test]
fn everyone_has_habits_of_their_own() {
    let ids = ["M000000101", "M000000102", "M000000103", "M000000104", "M000000105", "M000000106", "M000000201"];
    let habits = ids.map(Habits::of);
    for (at, one) in habits.iter().enumerate() {
        assert_eq!(*one, Habits::of(ids[at]));
        assert!(habits[..at].iter().all(|other| other.head() != one.head()), "{} sits like another", ids[at]);
        let [yaw, pitch, roll] = one.home;
        assert!(yaw.abs() < 0.05 && pitch.abs() < 0.02 && roll.abs() < 0.04, "{one:?}");
    }
    // A scene begins as the presenter holds the head.
    let role = Role { frames: 60, seed: 3, ..Role::default() };
    let first = Track::new(&role, &habits[1]).pose(0).head;
    assert_eq!((first.yaw(), first.roll()), (habits[1].head().yaw(), habits[1].head().roll()));
}

const MANNERS: [Manner; 3] = [Manner::Calm, Manner::Lively, Manner::Formal];

/// Two minutes of words, a pause after every eight of them.
fn talk() -> (Marks, u64) {
    let phrase = [("m", 70), ("ɑ", 130), ("n", 70), ("i", 90), ("_", 30)];
    let mut sounds = Vec::new();
    for _ in 0..30 {
        sounds.extend(phrase.repeat(8));
        sounds.push(("_", 520));
    }
    let mut marks = spoken(&sounds);
    // Words of four sounds, every third of them stressed.
    marks.words = marks
        .phonemes
        .chunks(4)
        .map(|word| WordMark {
            span: SampleSpan { start: word[0].span.start, end: word[word.len() - 1].span.end },
            text: "word".into(),
        })
        .collect();
    for (n, mark) in marks.phonemes.iter_mut().enumerate() {
        mark.stress = if n % 12 == 1 { Stress::Primary } else { Stress::None };
    }
    let frames = marks.phonemes.last().map_or(0, |mark| mark.span.end) / 1600 + 30;
    (marks, frames)
}

fn acted(role: &Role, manner: Manner) -> Vec<Pose> {
    Track::new(role, &Habits::of("M000000201").with_manner(manner)).poses().to_vec()
}

/// How far the wrists of two poses are apart, in shares of an arm.
fn far(a: &Arms, b: &Arms) -> f32 {
    let side = |side: usize| {
        let (a, b) = (a.sides[side].reach().wrist, b.sides[side].reach().wrist);
        (0..4).map(|k| (a[k] - b[k]).abs()).fold(0.0, f32::max)
    };
    side(0).max(side(1))
}

/// The ranges in which human presenters move on camera.
#[test]
fn presenters_move_as_much_as_people_do() {
    let (marks, frames) = talk();
    let minutes = frames as f32 / 1800.0;
    for manner in MANNERS {
        let (mut gestures, mut away, mut blinks) = (0.0, 0.0, 0.0);
        for seed in 0..6 {
            let role = Role { marks: marks.clone(), frames, seed, ..Role::default() };
            let poses = acted(&role, manner);
            // Hands that leave where they rest.
            let rest = poses[0].arms;
            let moved: Vec<bool> = poses.iter().map(|pose| far(&pose.arms, &rest) > 0.12).collect();
            gestures += moved.windows(2).filter(|pair| !pair[0] && pair[1]).count() as f32 / 6.0 / minutes;
            let looks: Vec<bool> = poses.iter().map(|pose| aside(pose) > 0.15).collect();
            away += looks.windows(2).filter(|pair| !pair[0] && pair[1]).count() as f32 / 6.0 / minutes;
            let lids = of(&poses, Ch::Blink);
            blinks += lids.windows(2).filter(|pair| pair[0] < 0.45 && pair[1] >= 0.45).count() as f32 / 6.0 / minutes;
            let open = lids.iter().filter(|&&lid| lid < 0.5).count() as f32 / lids.len() as f32;
            assert!(open > 0.93, "{manner:?}: eyes are open for {open}");
            // Ten seconds of talk turn the head by some degrees, not by many.
            let reach = |k: usize| {
                let turn = |pose: &Pose| [pose.head.yaw(), pose.head.pitch(), pose.head.roll()][k].to_degrees();
                poses
                    .chunks(300)
                    .filter(|chunk| chunk.len() == 300)
                    .map(|chunk| {
                        let turns: Vec<f32> = chunk.iter().map(turn).collect();
                        most(&turns) - turns.iter().copied().fold(f32::MAX, f32::min)
                    })
                    .sum::<f32>()
                    / (poses.len() / 300) as f32
            };
            let (yaw, pitch, roll) = (reach(0), reach(1), reach(2));
            assert!((2.0..9.5).contains(&yaw) && (2.0..9.5).contains(&pitch) && roll < 6.0, "{yaw} {pitch} {roll}");
            // At 1080p a unit is about a hundred pixels.
            let shoulders: Vec<f32> =
                poses.iter().map(|pose| 105.0 * (pose.body.sway() + pose.body.shoulders()[0])).collect();
            let way = most(&shoulders) - shoulders.iter().copied().fold(f32::MAX, f32::min);
            assert!((3.0..30.0).contains(&way), "{manner:?}: shoulders move by {way} pixels");
        }
        println!("{manner:?}: {gestures:.1} gestures, {away:.1} looks aside, {blinks:.1} blinks a minute");
        let range = if manner == Manner::Lively { 4.0..10.0 } else { 1.0..3.2 };
        assert!(range.contains(&gestures), "{manner:?}: {gestures} gestures a minute");
        assert!((1.0..3.2).contains(&away), "{manner:?}: {away} looks aside a minute");
        assert!((10.0..20.5).contains(&blinks), "{manner:?}: {blinks} blinks a minute");
    }
}

/// How far the eyes are from the camera: what the head turns they turn back.
fn aside(pose: &Pose) -> f32 {
    (pose.face.get(Ch::LookX) + pose.head.yaw() * 1.6).abs()
}

#[test]
fn gestures_of_the_script_arrive_with_their_word() {
    let (marks, frames) = talk();
    for (name, gesture) in Gesture::ALL {
        let cues = vec![CueMark { at: 300 * 1600, cue: Cue::Gesture(gesture) }];
        let role = Role { marks: marks.clone(), cues, frames, seed: 2, ..Role::default() };
        let habits = Habits::of("M000000201").with_manner(Manner::Calm);
        let track = Track::new(&role, &habits);
        let want = super::gestures(&habits).into_iter().find(|(known, _)| *known == name).expect("on the list").1;
        let apart = |frame: u64| far(&track.pose(frame).arms, &want.arms);
        assert!(apart(303) < 0.06, "{name}: {} from where it was to be", apart(303));
        // What stays, stays, and nobody gestures out of folded arms; the rest is over soon.
        if matches!(gesture, Gesture::Folded | Gesture::Desk | Gesture::Tablet) {
            assert!(apart(600) < 0.02, "{name} is held");
        } else if !gesture.stays() {
            assert!(apart(420) > 0.05, "{name} ends");
        }
    }
}

#[test]
fn who_rests_on_a_tablet_lays_it_away_for_what_nobody_does_with_one() {
    let (marks, frames) = talk();
    let track = |rest, gestures: &[Gesture]| {
        let cue = |(n, gesture): (u64, &Gesture)| CueMark { at: (200 + 200 * n) * 1600, cue: Cue::Gesture(*gesture) };
        let cues = (0..).zip(gestures).map(cue).collect();
        let role = Role { marks: marks.clone(), cues, frames, seed: 2, ..Role::default() };
        let habits = Habits::of("M000000201").with_manner(Manner::Calm).solid(rest, 0.0);
        Track::new(&role, &habits)
    };
    let holds = |gestures: &[Gesture]| track(Idle::Tablet, gestures).pose(0).arms.tablet;
    assert!(holds(&[]) && holds(&[Gesture::Open, Gesture::PointRight, Gesture::Two]));
    assert!(holds(&[Gesture::Folded, Gesture::Tablet]), "whoever asks for one gets it");
    let others =
        [Gesture::Folded, Gesture::Together, Gesture::Desk, Gesture::Relaxed, Gesture::PointLeft, Gesture::Heart];
    for other in others {
        assert!(!holds(&[other]), "{other:?}");
    }
    // Then hands lie on each other, and the left one is free to point.
    let [tablet, together] = [Idle::Tablet, Idle::Together].map(|rest| track(rest, &[Gesture::PointLeft]));
    for frame in [10, 203, 380] {
        assert_eq!(tablet.pose(frame).arms, together.pose(frame).arms, "frame {frame}");
    }
    // The hand that holds it stays, the other one gestures and comes back.
    let free = track(Idle::Tablet, &[Gesture::One]);
    let side = |frame: u64, side: usize| free.pose(frame).arms.sides[side];
    assert_eq!(side(203, 0), side(0, 0));
    assert_ne!(side(203, 1), side(0, 1));
}

#[test]
fn hands_that_meet_rest_low_and_are_raised_for_a_script() {
    let (marks, frames) = talk();
    let cue = |frame: u64, gesture| CueMark { at: frame * 1600, cue: Cue::Gesture(gesture) };
    let cues = vec![cue(200, Gesture::Together), cue(400, Gesture::One)];
    let habits = Habits::of("M000000201").with_manner(Manner::Calm).solid(Idle::Together, 0.0);
    let track = Track::new(&Role { marks, cues, frames, seed: 2, ..Role::default() }, &habits);
    let heights = |frame: u64| track.pose(frame).arms.sides.map(|side| side.reach().wrist[2]);
    assert!(frames > 410);
    assert!(heights(0).iter().all(|high| (-0.54..-0.42).contains(high)), "{:?}", heights(0));
    assert!(heights(205).iter().all(|high| *high > -0.30), "{:?}", heights(205));
    // Raised ones are in each other as well: where one counts, the other does not stay before the body.
    let counts = heights(405);
    assert!(counts[habits.hand] > -0.25 && counts[1 - habits.hand] < -0.8, "{counts:?}");
}

#[test]
fn moods_and_looks_come_when_they_are_asked_for() {
    let (marks, frames) = talk();
    let told = |cue| {
        let cues = vec![CueMark { at: 300 * 1600, cue }];
        let role = Role { marks: marks.clone(), cues, frames, seed: 5, ..Role::default() };
        acted(&role, Manner::Calm)
    };
    let around = |poses: &[Pose], channel| of(&poses[300..340], channel).iter().sum::<f32>() / 40.0;
    let (smile, serious) = (told(Cue::Mood(Mood::Smile)), told(Cue::Mood(Mood::Serious)));
    assert!(around(&smile, Ch::Smile) > around(&serious, Ch::Smile) + 0.2);
    assert!(around(&told(Cue::Mood(Mood::Surprise)), Ch::BrowOuter) > 0.35);
    let (left, right) = (told(Cue::Look(Look::Left)), told(Cue::Look(Look::Right)));
    let gaze = |poses: &[Pose]| poses[303].face.get(Ch::LookX) + poses[303].head.yaw() * 1.6;
    assert!(gaze(&left) < -0.25 && gaze(&right) > 0.25, "{} {}", gaze(&left), gaze(&right));
    assert!(left[320].head.yaw() < right[320].head.yaw(), "the head goes along");
}

#[test]
fn who_listens_looks_at_who_speaks() {
    let span = SampleSpan { start: 48_000, end: 48_000 * 9 };
    let role = Role { others: vec![Other { span, side: 0.6 }], frames: 330, seed: 8, ..Role::default() };
    let poses = acted(&role, Manner::Calm);
    let looking = poses[60..260].iter().filter(|pose| aside(pose) > 0.2).count();
    assert!(looking > 180, "{looking} of 200 frames");
    let nods = poses[60..260].windows(2).filter(|p| p[1].head.pitch() - p[0].head.pitch() > 0.002).count();
    assert!(nods > 4, "nobody nods");
    assert!(poses.iter().all(|pose| pose.face.openness() < 0.06));
}

#[test]
fn the_best_still_has_open_eyes_and_a_calm_mouth() {
    let words =
        [("h", 70), ("ɛ", 110), ("l", 70), ("oʊ", 160), ("_", 260), ("m", 80), ("ɑ", 150), ("ɹ", 80), ("_", 700)];
    let marks = spoken(&words.repeat(6));
    let habits = Habits::default();
    let (mut shut, mut open) = (0, 0);
    for seed in 0..60 {
        let role = Role { marks: marks.clone(), frames: 420, seed, ..Role::default() };
        let track = Track::new(&role, &habits);
        let looks = track.looks(&habits);
        assert_eq!(looks.len(), 420);
        // Any three seconds have one, also in the middle of a speech.
        for from in [0, 90, 180, 270, 330] {
            let best = (from..from + 90).max_by(|&a, &b| looks[a].total_cmp(&looks[b])).expect("frames");
            let face = track.pose(best as u64).face;
            assert!(face.get(Ch::Blink) < 0.1, "seed {seed}, frame {best}: {face:?}");
            assert!(face.openness() < 0.12, "seed {seed}, frame {best}: {}", face.openness());
            assert!(face.get(Ch::Smile) > 0.2, "seed {seed}, frame {best}: {}", face.get(Ch::Smile));
            let middle = track.pose(from as u64 + 45).face;
            shut += u32::from(middle.get(Ch::Blink) > 0.3);
            open += u32::from(middle.openness() > 0.12);
        }
    }
    assert!(shut > 0 && open > 50, "the middles are no such moments, or this test says nothing: {shut}, {open}");
}

#[test]
fn who_has_all_the_time_is_seen_smiling() {
    let marks = spoken(&[("h", 70), ("ɛ", 110), ("l", 70), ("oʊ", 160)]);
    let role = Role { marks, frames: 180, seed: 5, ..Role::default() };
    let habits = Habits::default();
    let track = Track::new(&role, &habits);
    let looks = track.looks(&habits);
    let best = (0..180).max_by(|&a, &b| looks[a].total_cmp(&looks[b])).expect("frames");
    let smile = |frame| track.pose(frame as u64).face.get(Ch::Smile);
    assert!(smile(best) > smile(24) + 0.1, "{} in frame {best}, {} while it speaks", smile(best), smile(24));
}

#[test]
fn a_smile_shows_teeth_as_an_arch_and_no_slit() {
    let smile = super::smiling();
    let open = smile.get(Ch::Jaw) + 0.3 * (smile.get(Ch::LowerDown) + smile.get(Ch::UpperUp));
    assert!(open > 0.25, "{open}");
    // Nobody who is silent shows teeth.
    let rest = super::rest();
    assert!(rest.get(Ch::Jaw) == 0.0 && rest.get(Ch::UpperUp) == 0.0 && rest.get(Ch::LowerDown) == 0.0);
}
