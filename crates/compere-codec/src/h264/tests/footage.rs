//! Footage is coded by an encoder of its own, which remembers other pictures than a player does once one was shown twice.
//! `COMPERE_SPLICE_CASES=300` makes the random test as long as one likes.

use super::super::bits::{Reader, nals};
use super::super::footage::{Footage, renumbered};
use super::super::pace::Pace;
use super::splice::{Dice, any_area, texture};
use super::*;

/// What is made of frames that are announced as footage.
fn filmed(settings: &Settings, frames: &[(Frame, Damage)]) -> Segment {
    let mut encoder = Encoder::new(settings).unwrap();
    encoder.plan(Plan { reach: everything(settings), footage: true });
    push(&mut encoder, frames);
    encoder.finish().unwrap()
}

fn push(encoder: &mut Encoder, frames: &[(Frame, Damage)]) {
    frames.iter().for_each(|(frame, damage)| encoder.push(frame, damage).unwrap());
}

fn everything(settings: &Settings) -> Damage {
    Damage::rect(Rect::of_size(settings.width, settings.height))
}

/// Pictures that are like one of the last few and not like the last; that are shown again; and in which a part changes.
fn cut_together(dice: &mut Dice, width: u32, height: u32, count: usize) -> Vec<(Frame, Damage)> {
    let whole = Rect::of_size(width, height);
    let mut takes: Vec<(i32, i32)> = (0..3).map(|take| (take * 700, take * 900)).collect();
    let mut frames: Vec<(Frame, Damage)> = vec![(texture(width, height, 0, 0), Damage::rect(whole))];
    while frames.len() < count {
        let mut frame = frames[frames.len() - 1].0.clone();
        let damage = match dice.below(8) {
            0 | 1 => Damage::none(),
            2 => {
                let part = any_area(dice, width, height).aligned(2).intersect(whole);
                frame.copy_rect(&texture(width, height, dice.below(99), dice.below(99)), part);
                Damage::rect(part)
            }
            _ => {
                let take = &mut takes[dice.below(3) as usize];
                *take = (take.0 + 2 * dice.below(3), take.1 + 2 * dice.below(3));
                frame = texture(width, height, take.0, take.1);
                Damage::rect(whole)
            }
        };
        frames.push((frame, damage));
    }
    frames
}

/// The stream of the encoder of footage by itself, decoded; it is not told of pictures that are shown again.
fn alone(settings: &Settings, frames: &[(Frame, Damage)]) -> Vec<Frame> {
    let (sps, pps) = Footage::headers(settings).unwrap();
    let own = renumbered(&pps, 0);
    let mut segment = Segment { parameter_sets: ParameterSets { sps, pps: vec![own] }, frames: vec![], data: vec![] };
    let mut footage = Footage::open(settings).unwrap();
    let mut shows: Vec<usize> = Vec::new();
    for (n, (frame, damage)) in frames.iter().enumerate() {
        if damage.is_empty() {
            footage.pass();
            shows.push(shows[n - 1]);
            continue;
        }
        segment.data.extend_from_slice(footage.encode(frame, damage, n == 0).unwrap());
        shows.push(shows.last().map_or(0, |last| last + 1));
    }
    let decoded = decode(annexb(&[&segment]), settings.width, settings.height);
    shows.into_iter().map(|at| decoded[at].clone()).collect()
}

#[test]
fn footage_decodes_to_exactly_what_its_encoder_made() {
    #[expect(clippy::disallowed_methods, reason = "how long a long run is")]
    let cases = std::env::var("COMPERE_SPLICE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(10);
    for case in 0..cases {
        let mut dice = Dice(case * 6271 + 5);
        let (width, height) = [(320, 240), (354, 270), (200, 426), (512, 200)][case as usize % 4];
        let crf = [23.0, 12.0, 34.0][case as usize % 3];
        let settings = Settings { quality: Quality { crf, ..Quality::default() }, ..settings(width, height) };
        let frames = cut_together(&mut dice, width, height, 30);
        let segment = filmed(&settings, &frames);
        assert_eq!(segment.frames.iter().filter(|frame| frame.key).count(), 1, "case {case}");
        let decoded = decode(annexb(&[&segment]), width, height);
        for (n, (got, want)) in decoded.iter().zip(alone(&settings, &frames)).enumerate() {
            assert!(*got == want, "case {case}, frame {n}");
        }
        let floor = if crf > 30.0 { 20.0 } else { 28.0 };
        assert_close(&decoded, &frames, floor);
        // Slices that are made side by side keep to the same pictures.
        let three = filmed(&Settings { threads: 3, ..settings }, &frames);
        assert_eq!(three.parameter_sets, segment.parameter_sets);
        assert_close(&decode(annexb(&[&three]), width, height), &frames, floor);
    }
}

#[test]
fn footage_joins_with_what_comes_before_and_after() {
    let (width, height) = (640, 360);
    let settings = settings(width, height);
    let area = Rect::new(300, 100, 420, 250);
    let still = wandering(width, height, area, 20);
    let moving = cut_together(&mut Dice(3), width, height, 20);
    let plan = |area: Rect, footage| Plan { reach: Damage::rect(area), footage };
    let all = Rect::of_size(width, height);
    let mut encoder = Encoder::new(&settings).unwrap().splicing(MOST);
    let opening = |frames: &[(Frame, Damage)]| [&[(frames[0].0.clone(), Damage::rect(all))], &frames[1..]].concat();
    for (frames, plan) in [(&still, plan(area, false)), (&moving, plan(all, true)), (&still, plan(area, false))] {
        encoder.plan(plan);
        push(&mut encoder, &opening(frames));
    }
    let mixed = encoder.finish().unwrap();
    let calm = planned(width, height, &still, &Damage::rect(area));
    let footage = filmed(&settings, &moving);
    assert_eq!([&calm.parameter_sets, &footage.parameter_sets], [&mixed.parameter_sets; 2]);
    assert!(mixed.data.starts_with(&calm.data), "what comes before footage is coded as without it");
    let parts = [&calm, &footage, &calm].map(|part| decode(annexb(&[part]), width, height)).concat();
    assert!(decode(annexb(&[&mixed]), width, height) == parts);
    assert!(decode(annexb(&[&calm, &footage, &calm]), width, height) == parts);
    assert_close(&parts, &[&still[..], &moving, &still].concat(), 28.0);
}

/// Nobody announced it: the first stretch is coded as any other, and the next one as what that turned out to be.
#[test]
fn footage_goes_on_as_such_and_a_player_may_start_at_each_of_its_keys() {
    let (width, height) = (160, 96);
    let settings = settings(width, height);
    let interval = KEY_INTERVAL as usize;
    let pan = |n: i32| (texture(width, height, 2 * n, n), everything(&settings));
    let mut frames: Vec<_> = (0..2 * KEY_INTERVAL as i32 + 20).map(pan).collect();
    let shown = frames[interval + 7].0.clone();
    frames[interval + 8] = (shown, Damage::none());
    let mut encoder = Encoder::new(&settings).unwrap();
    push(&mut encoder, &frames);
    let segment = encoder.finish().unwrap();
    let keys: Vec<usize> = (0..frames.len()).filter(|&at| segment.frames[at].key).collect();
    assert_eq!(keys, [0, interval, 2 * interval]);
    let told = sets(&segment);
    assert!(told[..interval].iter().all(|&set| set == 0) && told[interval..interval + 8].iter().all(|&set| set == 1));
    assert_eq!((told[interval + 8], told[interval + 9]), (0, 1), "what is shown again passes the encoder by");
    let all = decode(annexb(&[&segment]), width, height);
    for at in [interval, 2 * interval] {
        let before: u32 = segment.frames[..at].iter().map(|frame| frame.bytes).sum();
        let data = segment.data[before as usize..].to_vec();
        let rest = Segment { frames: segment.frames[at..].to_vec(), data, ..segment.clone() };
        assert!(decode(annexb(&[&rest]), width, height) == all[at..]);
    }
    let announced = filmed(&settings, &frames[interval..2 * interval]);
    assert_eq!(announced.frames, segment.frames[interval..2 * interval], "the guess is as good as an announcement");
}

#[test]
fn a_slide_that_changes_now_and_then_is_no_footage() {
    let settings = settings(160, 96);
    let slide =
        |n: i32| (texture(160, 96, 40 * (n / 10), 0), if n % 10 == 0 { everything(&settings) } else { Damage::none() });
    let frames: Vec<_> = (0..KEY_INTERVAL as i32 + 20).map(slide).collect();
    let mut encoder = Encoder::new(&settings).unwrap();
    push(&mut encoder, &frames);
    assert!(sets(&encoder.finish().unwrap()).iter().all(|&set| set == 0));
}

/// Which PPS each picture names.
fn sets(segment: &Segment) -> Vec<u32> {
    let named = |nal: &[u8]| {
        let mut header = Reader::new(nal);
        header.bits(8);
        let (_first_mb, _kind, set) = (header.ue(), header.ue(), header.ue());
        (nal[0] & 31 == 5, set)
    };
    // Pictures of one slice each.
    let sets: Vec<_> = nals(&segment.data).map(named).collect();
    assert!(sets.iter().map(|&(key, _)| key).eq(segment.frames.iter().map(|frame| frame.key)));
    sets.into_iter().map(|(_, set)| set).collect()
}

/// What a camera sees: more than can be followed, and noise. As `bench size` has it, but smaller.
fn camera(width: u32, height: u32, count: usize) -> Vec<(Frame, Damage)> {
    let dir = tempfile::tempdir().unwrap();
    let coded = dir.path().join("coded.h264");
    let mut ffmpeg = Command::new("ffmpeg");
    let source = format!("mandelbrot=size={width}x{height}:rate=30:start_scale=0.3:end_scale=0.2:end_pts=400");
    ffmpeg.args(["-v", "error", "-f", "lavfi", "-i", &format!("{source},gblur=sigma=1.2,noise=alls=4:allf=t+u")]);
    ffmpeg.args("-c:v libx264 -preset veryfast -crf 18 -pix_fmt yuv420p -frames:v".split(' ')).arg(count.to_string());
    assert!(ffmpeg.arg(&coded).status().unwrap().success());
    let all = Damage::rect(Rect::of_size(width, height));
    decode(std::fs::read(coded).unwrap(), width, height).into_iter().map(|frame| (frame, all.clone())).collect()
}

/// Bytes, and the likeness of all samples.
fn measured(bytes: usize, decoded: &[Frame], frames: &[(Frame, Damage)]) -> (f64, f64) {
    let samples = |frame: &Frame| [frame.y(), frame.u(), frame.v()].concat();
    let all: Vec<u8> = decoded.iter().flat_map(samples).collect();
    let wanted: Vec<u8> = frames.iter().flat_map(|(frame, _)| samples(frame)).collect();
    (bytes as f64, psnr(&all, &wanted))
}

/// The same frames by `ffmpeg -preset veryfast`.
fn veryfast(frames: &[(Frame, Damage)], crf: u32) -> (f64, f64) {
    let (width, height) = (frames[0].0.width(), frames[0].0.height());
    let dir = tempfile::tempdir().unwrap();
    let (raw, coded) = (dir.path().join("raw.yuv"), dir.path().join("coded.h264"));
    let samples = |(frame, _): &(Frame, Damage)| [frame.y(), frame.u(), frame.v()].concat();
    std::fs::write(&raw, frames.iter().flat_map(samples).collect::<Vec<u8>>()).unwrap();
    let mut ffmpeg = Command::new("ffmpeg");
    ffmpeg.args([
        "-v",
        "error",
        "-f",
        "rawvideo",
        "-pix_fmt",
        "yuv420p",
        "-r",
        "30",
        "-s",
        &format!("{width}x{height}"),
    ]);
    ffmpeg.arg("-i").arg(raw).args(["-c:v", "libx264", "-preset", "veryfast", "-crf", &crf.to_string()]).arg(&coded);
    assert!(ffmpeg.status().unwrap().success());
    let stream = std::fs::read(coded).unwrap();
    measured(stream.len(), &decode(stream, width, height), frames)
}

/// The target of docs/performance.md, at a size that a test has time for; it is missed by pictures that look back at one.
#[test]
fn footage_costs_little_more_than_by_an_encoder_that_has_b_frames() {
    let (width, height) = (640, 352);
    let settings = settings(width, height);
    let frames = camera(width, height, 60);
    let ours = |segment: Segment| measured(segment.data.len(), &decode(annexb(&[&segment]), width, height), &frames);
    let (fine, coarse) = (veryfast(&frames, 18), veryfast(&frames, 22));
    let beside = |(bytes, psnr): (f64, f64)| {
        let at = (psnr - coarse.1) / (fine.1 - coarse.1);
        bytes / (coarse.0.ln() + at * (fine.0 / coarse.0).ln()).exp()
    };
    let footage = beside(ours(filmed(&settings, &frames)));
    let others = beside(ours(encode(width, height, &frames)));
    assert!(footage < 1.15, "{footage:.2} of veryfast, {others:.2} before");
    assert!(others > 1.15, "{others:.2} of veryfast without an encoder of its own: this film does not tell them apart");
}

#[test]
fn footage_gets_coarser_sooner() {
    let new = [Pace::of_footage, Pace::new].map(|new| new(17, 21, 1920 * 1080));
    assert_eq!([0, 1, 2, 3, 4, 5, 8].map(|n| new[0].qp(n)), [17, 24, 23, 24, 21, 24, 19]);
    let [footage, others] = new.map(|mut pace| {
        (0..20).for_each(|_| pace.spent(15_000));
        pace.qp(4)
    });
    assert_eq!((footage, others), (21 + 3, 22), "15 kB a picture are 3.6 Mbit/s");
}
