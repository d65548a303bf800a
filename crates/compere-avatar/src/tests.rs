//! What every presenter promises: exact damage, frames that depend on their number only, lips that fit the sound.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use compere_media::{
    Cue, CueMark, FRAME_RATE, Frame, Gesture, Layer, Marks, PhonemeMark, Rect, Rgb, SampleSpan, Stress, WordMark,
};

use crate::act::{Habits, Track};
use crate::{Cast, Framing, NoCache, Pack, Role, Want};

const FRAMES: u64 = 150;

/// These need no data.
const DRAWN: [&str; 7] = ["figure", "lena", "omar", "amina", "henrik", "zuri", "jun"];

/// Numbers that repeat on every run.
struct Noise(u64);

impl Noise {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// Words of two to five sounds, 60 to 140 ms each, with a pause now and then.
fn babble(seed: u64, frames: u64) -> Marks {
    const SOUNDS: [&str; 16] = ["m", "ɑ", "b", "i", "p", "u", "f", "ɛ", "s", "oʊ", "t", "æ", "l", "ɪ", "w", "ɔ"];
    let (mut noise, mut marks) = (Noise(seed), Marks::default());
    let (mut at, end) = (9600, FRAME_RATE.first_sample(frames) - 9600);
    while at < end {
        let start = at;
        for _ in 0..2 + noise.below(4) {
            let span = SampleSpan { start: at, end: at + 2880 + noise.below(3840) as u64 };
            let ipa = SOUNDS[noise.below(SOUNDS.len())].to_owned();
            let stress = if noise.below(3) == 0 { Stress::Primary } else { Stress::None };
            marks.phonemes.push(PhonemeMark { span, ipa, stress });
            at = span.end;
        }
        marks.words.push(WordMark { span: SampleSpan { start, end: at }, text: "word".into() });
        at += if noise.below(5) == 0 { 14_400 } else { 0 };
    }
    marks.phonemes.retain(|mark| mark.span.end <= end);
    marks.words.retain(|mark| mark.span.end <= end);
    marks
}

fn role(seed: u64) -> Role {
    Role { marks: babble(seed, FRAMES), frames: FRAMES, seed, ..Role::default() }
}

#[expect(clippy::disallowed_methods, reason = "tests find their files")]
pub(crate) fn assets() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::env::var_os("COMPERE_ASSETS").map_or_else(|| root.join("assets"), PathBuf::from)
}

fn pack(presenter: &str) -> Arc<dyn Pack> {
    let assets = assets();
    let there = DRAWN.contains(&presenter) || assets.join("avatars").is_dir();
    assert!(there, "no presenters in {}; scripts/fetch-avatars.sh fetches them", assets.display());
    let member = Cast::open(&assets).get(presenter).expect("a member of the cast");
    let want = Want { outfit: String::new(), width: 160, height: 200, framing: Framing::Body };
    member.bake(&want, &NoCache).expect("bakes")
}

/// The layer as it shows on dark and on light.
fn shown(layer: &Layer) -> [Frame; 2] {
    [Rgb::opaque(10, 20, 30), Rgb::opaque(240, 250, 220)].map(|color| {
        let mut frame = Frame::new(layer.width(), layer.height());
        frame.fill(color);
        let all = frame.bounds();
        layer.lay_on(&mut frame, all, 255);
        frame
    })
}

/// Around every pixel whose brightness differs.
fn apart(a: &Frame, b: &Frame) -> Rect {
    let width = a.width() as usize;
    let differing = a.y().iter().zip(b.y()).enumerate().filter(|(_, (a, b))| a != b).map(|(at, _)| at);
    differing.fold(Rect::default(), |all, at| {
        let (x, y) = ((at % width) as i32, (at / width) as i32);
        all.union(Rect::new(x, y, x + 1, y + 1))
    })
}

fn damage_is_exact(presenter: &str) {
    let pack = pack(presenter);
    let rect = Rect::of_size(pack.rect().width(), pack.rect().height());
    let (mut acting, mut layer) = (pack.perform(role(3)), Layer::new(rect));
    let mut before = shown(&layer);
    let mut still = 0;
    for frame in 0..FRAMES {
        let damage = acting.advance(frame, &mut layer).expect("acts");
        let after = shown(&layer);
        for (before, after) in before.iter().zip(&after) {
            assert!(before.same_outside(after, &damage), "frame {frame} changes outside {damage:?}");
        }
        still += u64::from(damage.is_empty());
        if frame % 37 == 5 {
            let mut fresh = Layer::new(rect);
            pack.perform(role(3)).advance(frame, &mut fresh).expect("acts");
            let apart = apart(&shown(&fresh)[0], &after[0]);
            assert!(apart.is_empty(), "frame {frame} depends on the frames before, in {apart:?} of {rect:?}");
        }
        before = after;
    }
    assert!(still < FRAMES / 2, "nothing moves in {still} of {FRAMES} frames");
}

#[test]
fn the_figure_damages_what_it_moves() {
    damage_is_exact("figure");
}

#[test]
fn illustrated_presenters_damage_what_they_move() {
    for name in &DRAWN[1..] {
        damage_is_exact(name);
    }
}

/// Clients of the vendor place whole figures: nobody may end above the ground they stand on.
#[test]
fn drawn_presenters_have_legs_down_to_the_ground() {
    for name in DRAWN {
        let member = Cast::open(&assets()).get(name).expect("a member of the cast");
        assert!(member.measures().feet > 8.0, "{name} ends {} faces below the face", member.measures().feet);
        let want = Want { outfit: String::new(), width: 200, height: 560, framing: Framing::Body };
        let pack = member.bake(&want, &NoCache).expect("bakes");
        let mut layer = Layer::new(Rect::of_size(pack.rect().width(), pack.rect().height()));
        pack.perform(role(2)).advance(0, &mut layer).expect("acts");
        let [dark, light] = shown(&layer);
        let (width, height) = (layer.width() as usize, layer.height() as usize);
        // Where the two backgrounds are not seen, somebody stands.
        let solid = |row: usize| {
            let row = row * width..(row + 1) * width;
            row.filter(|&at| dark.y()[at].abs_diff(light.y()[at]) < 20).count()
        };
        for row in [height / 2, height * 3 / 4, height * 19 / 20] {
            assert!(solid(row) > width / 14, "{name} has {} of {width} pixels in row {row} of {height}", solid(row));
        }
    }
}

/// Whoever breathes in is lifted; the ground must not be seen below.
#[test]
fn breath_lifts_nobody_off_the_lower_edge() {
    let pack = pack("nora");
    let mut layer = Layer::new(Rect::of_size(pack.rect().width(), pack.rect().height()));
    let mut moving = pack.perform(role(5));
    let middle = pack.rect().width() as usize / 2;
    for frame in 0..FRAMES {
        moving.advance(frame, &mut layer).expect("it acts");
        let [dark, light] = shown(&layer);
        let width = dark.width() as usize;
        let lowest = (dark.height() as usize - 1) * width + middle;
        assert_eq!(dark.y()[lowest], light.y()[lowest], "the ground shows through in frame {frame}");
    }
}

#[test]
fn hands_move_when_the_script_says_so() {
    hands_move("zuri");
}

#[test]
fn lit_hands_move_when_the_script_says_so() {
    hands_move("nora");
}

fn hands_move(presenter: &str) {
    let pack = pack(presenter);
    let gesture = |at: u64, gesture| CueMark { at: at * 1600, cue: Cue::Gesture(gesture) };
    let cues = vec![gesture(30, Gesture::Raise), gesture(80, Gesture::PointRight)];
    let role = Role { cues, frames: FRAMES, seed: 4, ..Role::default() };
    let rect = Rect::of_size(pack.rect().width(), pack.rect().height());
    let mut layer = Layer::new(rect);
    let mut acting = pack.perform(role.clone());
    let still = |frame: u64| {
        let mut layer = Layer::new(rect);
        pack.perform(role.clone()).advance(frame, &mut layer).expect("acts");
        shown(&layer)
    };
    for frame in 0..FRAMES {
        acting.advance(frame, &mut layer).expect("acts");
        if [0, 24, 40, 80, 100, 149].contains(&frame) {
            assert!(shown(&layer) == still(frame), "frame {frame} depends on the frames before");
        }
    }
    // A raised hand is in the picture at its moment, at the left; one that points lies at the right.
    let (rest, raised, points) = (still(2), still(33), still(84));
    assert!(apart(&rest[0], &raised[0]).x0 < rect.x1 / 3);
    assert!(apart(&rest[0], &points[0]).x1 > rect.x1 * 2 / 3);
    // The layer stands out of the wanted rectangle on both sides alike.
    assert!(pack.rect().x0 < 0 && pack.rect().x0 + pack.rect().x1 == 160, "{:?}", pack.rect());
}

/// A hand that reaches the side of its layer ends there in a straight line.
#[test]
fn no_hand_is_cut_off_on_its_way() {
    // Of the broadest, turned to either side, and of somebody slender.
    for presenter in ["david", "james", "kenji", "nora"] {
        let pack = pack(presenter);
        let rect = Rect::of_size(pack.rect().width(), pack.rect().height());
        for (name, gesture) in Gesture::ALL {
            let cues = vec![CueMark { at: 16_000, cue: Cue::Gesture(gesture) }];
            let mut moving = pack.perform(Role { cues, frames: 90, seed: 7, ..Role::default() });
            let mut layer = Layer::new(rect);
            for frame in 0..90 {
                moving.advance(frame, &mut layer).expect("acts");
                let seen = layer.visible();
                assert!(seen.x0 > 0 && seen.x1 < rect.x1, "{presenter}, {name}, frame {frame}: {seen:?} of {rect:?}");
            }
        }
    }
}

/// What is the same in two poses is asked for in vain.
#[test]
fn every_gesture_of_a_lit_presenter_shows() {
    let gestures = pack("nora").gestures();
    assert_eq!(gestures.len(), Gesture::ALL.len());
    for (at, (name, picture)) in gestures.iter().enumerate() {
        for (other, another) in &gestures[..at] {
            let apart = picture.data().iter().zip(another.data());
            let apart = apart.filter(|(a, b)| (0..4).any(|k| a[k].abs_diff(b[k]) > 24)).count();
            assert!(apart > 60, "{name} looks like {other}: {apart} pixels apart");
        }
    }
}

/// Lips that touch and lips apart are told from the picture alone, for every outfit.
#[test]
fn illustrated_mouths_show_what_is_said() {
    for name in &DRAWN[1..] {
        let member = Cast::open(Path::new("no data")).get(name).expect("a member of the cast");
        assert!(member.info().outfits.len() >= 3);
        for outfit in &member.info().outfits {
            let want = Want { outfit: outfit.id.clone(), width: 240, height: 320, framing: Framing::Head };
            let sheet = member.bake(&want, &NoCache).expect("bakes").sheet();
            let still = |wanted: &str| &sheet.iter().find(|(name, _)| *name == wanted).expect("on the sheet").1;
            let differing = |a: &str, b: &str| {
                let (a, b) = (still(a).data(), still(b).data());
                a.iter().zip(b).filter(|(a, b)| (0..3).any(|k| a[k].abs_diff(b[k]) > 24)).count()
            };
            let (open, shut) = (differing("neutral", "aa"), differing("neutral", "m b p"));
            assert!(open > 3 * shut.max(20), "{name} {}: open {open}, shut {shut}", outfit.id);
            assert!(differing("neutral", "blink") > 60, "{name} does not blink");
            assert!(differing("ee", "oo") > 60, "{name} does not round the lips");
        }
    }
}

#[test]
fn a_lit_presenter_damages_what_it_moves() {
    damage_is_exact("nora");
}

/// An eye may lie outside the picture, or both.
#[test]
fn who_stands_partly_outside_the_picture_is_drawn() {
    let presenter = Cast::open(&assets()).get("nora").expect("one of the cast");
    for (x, y) in [(140, 60), (60, -40)] {
        let framing = Framing::Placed(crate::FaceBox { x, y, height: 120 });
        let want = Want { outfit: String::new(), width: 120, height: 90, framing };
        let pack = presenter.bake(&want, &NoCache).expect("bakes");
        let mut layer = Layer::new(Rect::of_size(pack.rect().width(), pack.rect().height()));
        pack.perform(Role { frames: 40, ..role(1) }).advance(30, &mut layer).expect("acts");
    }
}

#[test]
fn a_kept_pack_paints_what_the_baked_one_did() {
    struct Shelf(std::sync::Mutex<Option<Vec<u8>>>);
    impl crate::PackCache for Shelf {
        fn get(&self, _key: &str) -> Option<Vec<u8>> {
            self.0.lock().expect("one thread").clone()
        }
        fn put(&self, _key: &str, bytes: &[u8]) {
            *self.0.lock().expect("one thread") = Some(bytes.to_vec());
        }
    }
    let shelf = Shelf(std::sync::Mutex::new(None));
    let want = Want { outfit: String::new(), width: 120, height: 150, framing: Framing::Body };
    let member = Cast::open(&assets()).get("nora").expect("a member of the cast");
    let cues = vec![CueMark { at: 40 * 1600, cue: Cue::Gesture(Gesture::Tablet) }];
    let paint = || {
        let pack = member.bake(&want, &shelf).expect("bakes");
        let mut layer = Layer::new(Rect::of_size(pack.rect().width(), pack.rect().height()));
        pack.perform(Role { cues: cues.clone(), ..role(5) }).advance(40, &mut layer).expect("acts");
        shown(&layer)
    };
    let baked = paint();
    assert!(shelf.0.lock().expect("one thread").is_some(), "a pack is kept");
    assert!(paint() == baked);
}

fn is_closure(ipa: &str) -> bool {
    matches!(ipa, "m" | "b" | "p")
}

/// How open a mouth is for a sound, roughly: what a person would draw.
fn drawn(ipa: &str) -> f32 {
    match ipa {
        "ɑ" | "æ" => 1.0,
        "ɛ" | "ɔ" | "oʊ" => 0.8,
        "i" | "ɪ" | "u" => 0.5,
        _ if is_closure(ipa) => 0.0,
        _ => 0.25,
    }
}

fn correlation(a: &[f32], b: &[f32]) -> f32 {
    let mean = |values: &[f32]| values.iter().sum::<f32>() / values.len() as f32;
    let (ma, mb) = (mean(a), mean(b));
    let sum = |f: &dyn Fn(f32, f32) -> f32| a.iter().zip(b).map(|(&a, &b)| f(a - ma, b - mb)).sum::<f32>();
    sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
}

#[test]
fn lips_follow_the_sound_within_a_frame() {
    let (mut hits, mut closures, mut sums) = (0, 0, [0.0; 9]);
    for seed in 0..8 {
        let role = role(seed);
        let open: Vec<f32> =
            Track::new(&role, &Habits::default()).poses().iter().map(|pose| pose.face.openness()).collect();
        let mut meant = vec![0.0; open.len()];
        for mark in &role.marks.phonemes {
            let frames = mark.span.start / 1600..mark.span.end.div_ceil(1600);
            for frame in frames.clone() {
                meant[frame as usize] = drawn(&mark.ipa);
            }
            if is_closure(&mark.ipa) {
                let around = &open[frames.start as usize - 1..frames.end as usize];
                closures += 1;
                hits += usize::from(around.iter().any(|&open| open < 0.06));
            }
        }
        let at = |lag: i64| {
            let shifted: Vec<f32> = (10..open.len() - 10).map(|n| open[(n as i64 + lag) as usize]).collect();
            correlation(&shifted, &meant[10..meant.len() - 10])
        };
        let best = (-4..=4).max_by(|&a, &b| at(a).total_cmp(&at(b))).expect("nine lags");
        println!("seed {seed}: correlation {:.2}, best at a lag of {best} frames ({:.2})", at(0), at(best));
        for (lag, sum) in (-4..=4).zip(&mut sums) {
            *sum += at(lag) / 8.0;
        }
    }
    let best = (0..9).max_by(|&a, &b| sums[a].total_cmp(&sums[b])).expect("nine lags");
    println!("all: {:.2} at a lag of {} frames", sums[best], best as i64 - 4);
    assert!((3..=5).contains(&best), "lips are {} frames off", best as i64 - 4);
    // What is drawn above knows nothing of neighbours; lips that knew as little would snap.
    assert!(sums[best] > 0.55, "{sums:?}");
    println!("{hits} of {closures} closures");
    assert!(hits * 100 >= closures * 95, "{hits} of {closures} closures were hit");
}

#[test]
fn a_silent_mouth_is_shut_and_rests() {
    let role = Role { frames: 120, seed: 9, ..Role::default() };
    let track = Track::new(&role, &Habits::default());
    let open: Vec<f32> = track.poses().iter().map(|pose| pose.face.openness()).collect();
    assert!(open.iter().all(|&open| open < 0.06), "{open:?}");
}
