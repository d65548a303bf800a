//! Splicing is exact or wrong: what FFmpeg makes of the whole picture must be, pixel for pixel, what it makes of
//! the region's own stream. `COMPERE_SPLICE_CASES=300` makes the random test as long as one likes.

use super::super::bits::nals;
use super::super::ffi::X264;
use super::super::layout::{Grid, Layout};
use super::super::slice::Syntax;
use super::super::splice::planes;
use super::*;

/// The same numbers in every run, enough to wander with.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, end: i32) -> i32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % end.max(1) as u64) as i32
    }
}

/// An area of the picture, often at one of its edges or corners.
pub(super) fn any_area(dice: &mut Dice, width: u32, height: u32) -> Rect {
    let mut side = |length: i32| {
        let size = (8 + dice.below(length / 3)) & !1;
        let at = match dice.below(4) {
            0 => 0,
            1 => length - size,
            _ => dice.below(length - size) & !1,
        };
        (at, at + size)
    };
    let (x0, x1) = side(width as i32);
    let (y0, y1) = side(height as i32);
    Rect::new(x0, y0, x1, y1)
}

/// A texture that is nowhere the same.
pub(super) fn texture(width: u32, height: u32, dx: i32, dy: i32) -> Frame {
    let mut frame = Frame::new(width, height);
    let wave = |x: i32, y: i32, a: f64, b: f64| (f64::from(x) * a + f64::from(y) * b).sin();
    let stride = width as usize;
    let (luma, u, v) = frame.planes_mut();
    for (at, luma) in luma.iter_mut().enumerate() {
        let (x, y) = ((at % stride) as i32 + dx, (at / stride) as i32 + dy);
        *luma = (120.0
            + 30.0 * wave(x, y, 0.21, 0.05)
            + 30.0 * wave(x, y, -0.04, 0.17)
            + 20.0 * wave(x * x, y, 0.003, 0.4)) as u8;
    }
    for (at, (u, v)) in u.iter_mut().zip(v).enumerate() {
        let (x, y) = ((at % (stride / 2)) as i32 + dx / 2, (at / (stride / 2)) as i32 + dy / 2);
        *u = (128.0 + 20.0 * wave(x, y, 0.1, 0.02)) as u8;
        *v = (128.0 + 20.0 * wave(x, y, 0.03, 0.12)) as u8;
    }
    frame
}

/// Frames in which each area shows the picture around it, displaced: just what tempts a motion search to look over
/// the area's border. Now and then an area, or all, stands still.
fn tempting(dice: &mut Dice, width: u32, height: u32, areas: &[Rect], count: usize) -> Vec<(Frame, Damage)> {
    let mut frames = vec![(texture(width, height, 0, 0), Damage::none())];
    while frames.len() < count {
        let mut frame = frames[frames.len() - 1].0.clone();
        let mut damage = Damage::none();
        let awake = dice.below(16);
        for (_, &area) in areas.iter().enumerate().filter(|(at, _)| awake >> at & 1 == 1) {
            let (dx, dy) = (2 * dice.below(40) - 40, 2 * dice.below(40) - 40);
            let inside = any_area(dice, area.width(), area.height()).shifted(area.x0, area.y0).intersect(area);
            let part = if dice.below(2) == 0 { area } else { inside.aligned(2).intersect(area) };
            frame.copy_rect(&texture(width, height, dx, dy), part);
            damage.add(part);
        }
        frames.push((frame, damage));
    }
    frames
}

/// A region's own stream, decoded; frames that do not touch it stand still.
fn alone(settings: &Settings, region: Rect, frames: &[(Frame, Damage)]) -> Vec<Frame> {
    let shown = region.intersect(Rect::of_size(settings.width, settings.height));
    let config = settings.region(shown.width(), shown.height()).unwrap();
    let mut x264 = X264::open(config).unwrap();
    let (sps, pps) = x264.headers().unwrap();
    let mut segment =
        Segment { parameter_sets: ParameterSets { sps, pps: vec![pps] }, frames: Vec::new(), data: Vec::new() };
    let mut shows = Vec::new();
    for (n, (frame, damage)) in frames.iter().enumerate() {
        let damage = damage.aligned(16).clipped(region);
        if n == 0 || !damage.is_empty() {
            let changed = if n == 0 { Damage::rect(region) } else { damage };
            mark_constant(x264.mb_info(), region.width(), &changed.shifted(-region.x0, -region.y0));
            let qp = if n == 0 { config.qp_i } else { config.qp_p };
            let bytes = x264.encode(planes(frame, region), n == 0, qp as u8).unwrap();
            assert!(nals(bytes).count() > 0);
            segment.data.extend_from_slice(bytes);
            shows.push(shows.last().map_or(0, |last| last + 1));
        } else {
            shows.push(*shows.last().unwrap());
        }
    }
    let decoded = decode(annexb(&[&segment]), shown.width(), shown.height());
    shows.into_iter().map(|at: usize| decoded[at].clone()).collect()
}

/// Compares all planes of `whole` inside `region` with `part`.
fn assert_exact(whole: &Frame, part: &Frame, region: Rect, what: &str) {
    for (a, b, step) in [(whole.y(), part.y(), 1), (whole.u(), part.u(), 2), (whole.v(), part.v(), 2)] {
        let (left, top) = (region.x0 as usize / step, region.y0 as usize / step);
        let (stride, width) = (whole.width() as usize / step, part.width() as usize / step);
        for (row, line) in b.chunks_exact(width).enumerate() {
            let at = (top + row) * stride + left;
            assert_eq!(a[at..at + width], *line, "{what}, row {row} of a plane 1/{step}");
        }
    }
}

#[test]
fn spliced_pictures_decode_to_exactly_what_their_regions_do() {
    #[expect(clippy::disallowed_methods, reason = "how long a long run is")]
    let cases = std::env::var("COMPERE_SPLICE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(14);
    let mut spliced = 0;
    for case in 0..cases {
        let mut dice = Dice(case * 7919 + 1);
        let (width, height) = [(320, 240), (354, 270), (512, 200), (200, 426)][case as usize % 4];
        let (crf, floor) = [(21.0, 35.0), (14.0, 40.0), (30.0, 27.0)][case as usize % 3];
        let preset =
            [Preset::Superfast, Preset::Veryfast, Preset::Ultrafast, Preset::Medium, Preset::Faster][case as usize % 5];
        let settings = Settings { width, height, quality: Quality { crf, preset }, threads: 1 };
        let areas: Vec<Rect> = (0..1 + dice.below(2)).map(|_| any_area(&mut dice, width, height)).collect();
        let mut plan = Damage::none();
        areas.iter().for_each(|&area| plan.add(area));
        let Some(layout) = Layout::of(&plan, Grid::of(width, height), 341, MOST) else { continue };
        spliced += 1;
        let frames = tempting(&mut dice, width, height, &areas, 12);
        let segment = planned_with(&settings, &frames, &plan);
        assert_eq!(segment.frames.iter().filter(|frame| frame.key).count(), 1, "case {case}");
        let decoded = decode(annexb(&[&segment]), width, height);
        assert_close(&decoded, &frames, floor);
        for &region in &layout.regions {
            for (n, part) in alone(&settings, region, &frames).iter().enumerate() {
                assert_exact(&decoded[n], part, region, &format!("case {case}, {areas:?}, frame {n}"));
            }
        }
    }
    assert!(spliced * 3 > cases, "only {spliced} of {cases} cases could be spliced");
}

#[test]
fn pieces_are_coded_under_the_parameters_of_the_whole() {
    for preset in [Preset::Ultrafast, Preset::Superfast, Preset::Veryfast, Preset::Faster, Preset::Fast, Preset::Medium]
    {
        for crf in [12.0, 22.0, 38.0] {
            let settings = Settings { quality: Quality { crf, preset }, ..settings(640, 360) };
            let configs = [settings.whole(), settings.region(160, 96), settings.still(640, 128, true)];
            let [whole, region, still] = configs.map(|config| X264::open(config.unwrap()).unwrap().headers().unwrap());
            assert_eq!((&whole.1, &whole.1), (&region.1, &still.1), "PPS at {preset:?}");
            let syntax = |(sps, pps): &(Vec<u8>, Vec<u8>)| Syntax::of(sps, pps, 1).unwrap();
            assert_eq!([syntax(&region), syntax(&still)], [syntax(&whole); 2], "slice syntax at {preset:?}");
        }
    }
}

#[test]
fn spliced_and_whole_segments_join() {
    let (width, height) = (640, 360);
    let area = Rect::new(300, 100, 420, 250);
    let frames = wandering(width, height, area, 20);
    let spliced = planned(width, height, &frames, &Damage::rect(area));
    let whole = planned(width, height, &frames, &Damage::rect(Rect::of_size(width, height)));
    let one = planned(width, height, &frames[..1], &Damage::none());
    assert_eq!(spliced.parameter_sets, whole.parameter_sets);
    assert!(spliced.data.len() < whole.data.len() * 3 / 2);
    let decoded = decode(annexb(&[&spliced, &whole, &one, &spliced]), width, height);
    let all: Vec<_> = [&frames[..], &frames, &frames[..1], &frames].concat();
    assert_close(&decoded, &all, 38.0);
}

#[test]
fn a_broken_plan_costs_a_key_frame_and_nothing_else() {
    let (width, height) = (640, 360);
    let area = Rect::new(300, 100, 420, 250);
    let frames = wandering(width, height, area, 12);
    let too_small = Damage::rect(Rect::new(0, 0, 64, 64));
    let segment = planned(width, height, &frames, &too_small);
    let keys: Vec<bool> = segment.frames.iter().map(|frame| frame.key).collect();
    assert_eq!(keys.iter().filter(|&&key| key).count(), 2, "{keys:?}");
    assert!(keys[1]);
    assert_close(&decode(annexb(&[&segment]), width, height), &frames, 38.0);
}

#[test]
fn without_a_plan_the_last_stretch_is_the_guess_for_the_next() {
    let (width, height) = (320, 180);
    let area = Rect::new(20, 60, 90, 120);
    let frames = wandering(width, height, area, 2 * KEY_INTERVAL as i32 + 20);
    let segment = encode(width, height, &frames);
    let keys: Vec<usize> = (0..frames.len()).filter(|&at| segment.frames[at].key).collect();
    assert_eq!(keys, [0, KEY_INTERVAL as usize, 2 * KEY_INTERVAL as usize]);
    let slices = |at: usize| {
        let start: u32 = segment.frames[..at].iter().map(|frame| frame.bytes).sum();
        nals(&segment.data[start as usize..][..segment.frames[at].bytes as usize]).count()
    };
    assert_eq!(slices(0), 1);
    assert!(slices(KEY_INTERVAL as usize) > 1, "the second stretch is spliced");
    assert_close(&decode(annexb(&[&segment]), width, height), &frames, 38.0);
}

#[test]
fn the_same_frames_give_the_same_bytes() {
    let (width, height) = (320, 180);
    let area = Rect::new(20, 60, 90, 120);
    let frames = wandering(width, height, area, 30);
    let plan = Damage::rect(area);
    assert_eq!(planned(width, height, &frames, &plan), planned(width, height, &frames, &plan));
    assert_eq!(encode(width, height, &frames), encode(width, height, &frames));
}
