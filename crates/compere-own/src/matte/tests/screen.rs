//! The same before a green or a blue wall: in uneven light that falls on the person too, with the camera's noise, coded as H.264.
//! Where the wall ends there is a studio with a lamp.

use std::path::Path;

use super::super::screen::Hue;
use super::super::take::of_take;
use super::*;
use crate::footage::Footage;
use crate::matte::plane::means;
use crate::testing::scene::coded;

/// Brightness and tints of both walls in full light, and of what is beside them.
const GREEN: [f32; 3] = [135.0, -27.0, -45.0];
const BLUE: [f32; 3] = [75.0, 56.0, -22.0];
/// How much of the wall's light falls on the person at their edge.
const SPILL: f32 = 0.12;

/// A wall in light that is brighter above and to the left, up to where it ends.
fn studio(wall: [f32; 3]) -> Frame {
    let mut frame = Frame::new(SIDE as u32, SIDE as u32);
    let colour = |x: f32, y: f32| {
        let light = 1.08 - 0.22 * x - 0.16 * y + 0.02 * compere_media::math::sinf(9.0 * x + 4.0 * y);
        let lamp = (x - 0.98).abs() < 0.01 && y > 0.2;
        match () {
            () if lamp => [190.0, 0.0, 0.0],
            () if x > 0.955 => [44.0, 2.0, 3.0],
            () => [16.0 + (wall[0] - 16.0) * light, wall[1] * light, wall[2] * light],
        }
    };
    let (y_plane, u_plane, v_plane) = frame.planes_mut();
    for (n, y) in y_plane.iter_mut().enumerate() {
        *y = (colour((n % SIDE) as f32 / SIDE as f32, (n / SIDE) as f32 / SIDE as f32)[0] + 0.5) as u8;
    }
    let half = SIDE / 2;
    for n in 0..half * half {
        let [_, u, v] = colour((n % half) as f32 / half as f32, (n / half) as f32 / half as f32);
        (u_plane[n], v_plane[n]) = ((128.5 + u) as u8, (128.5 + v) as u8);
    }
    frame
}

/// Somebody before a wall whose light falls on them: the pictures of a take, and their true mattes.
struct Filmed {
    pictures: Vec<Frame>,
    truths: Vec<Vec<u8>>,
}

/// While the camera's eye is open they move by so many pixels to either side, an even number.
fn filmed_before(who: &'static str, wall: [f32; 3], moves: i32) -> Filmed {
    let (mut dice, back) = (Dice(11), studio(wall));
    let scene = scene(who);
    let shifts: Vec<i32> = (-moves..=moves).step_by(2).collect();
    let (mut pictures, mut truths) = (Vec::new(), Vec::new());
    for (layer, truth) in scene.layers.iter().zip(&scene.truths) {
        let seen = |shift: &i32| {
            let (mut frame, mut layer) = (back.clone(), layer.clone());
            layer.shift(*shift, 0);
            layer.lay_on(&mut frame, whole(), 255);
            frame
        };
        let mut frame = mean_of(&shifts.iter().map(seen).collect::<Vec<_>>());
        let at = |n: usize, shift: i32| (n % SIDE) as i32 - shift;
        let shifted = |n: usize, shift: i32| {
            let inside = (0..SIDE as i32).contains(&at(n, shift));
            if inside { u32::from(truth[n / SIDE * SIDE + at(n, shift) as usize]) } else { 0 }
        };
        let part = |n: usize| shifts.iter().map(|&shift| shifted(n, shift)).sum::<u32>() / shifts.len() as u32;
        let truth: Vec<u8> = (0..SIDE * SIDE).map(|n| part(n) as u8).collect();
        lit(&mut frame, &truth, wall);
        noise(&mut frame, &mut dice, 3.0);
        pictures.push(frame);
        truths.push(truth);
    }
    Filmed { pictures, truths }
}

fn mean_of(frames: &[Frame]) -> Frame {
    let mut out = frames[0].clone();
    let mean = |plane: &dyn Fn(&Frame) -> &[u8], n: usize| {
        (frames.iter().map(|frame| u32::from(plane(frame)[n])).sum::<u32>() / frames.len() as u32) as u8
    };
    let (y, u, v) = out.planes_mut();
    y.iter_mut().enumerate().for_each(|(n, y)| *y = mean(&|frame| frame.y(), n));
    u.iter_mut().enumerate().for_each(|(n, u)| *u = mean(&|frame| frame.u(), n));
    v.iter_mut().enumerate().for_each(|(n, v)| *v = mean(&|frame| frame.v(), n));
    out
}

/// The wall throws light at whoever stands before it, most of it at their edge.
fn lit(frame: &mut Frame, truth: &[u8], wall: [f32; 3]) {
    let bare: Vec<[f32; 1]> = truth.iter().map(|&alpha| [1.0 - f32::from(alpha) / 255.0]).collect();
    let near = means(&bare, [SIDE, SIDE], SIDE / 48);
    let fallen = |at: usize| 2.0 * SPILL * near[at][0] * f32::from(truth[at]) / 255.0;
    let (y, u, v) = frame.planes_mut();
    for (n, y) in y.iter_mut().enumerate() {
        *y = (f32::from(*y) + fallen(n) * (wall[0] - 16.0) * 0.5 + 0.5).min(235.0) as u8;
    }
    for n in 0..u.len() {
        let at = 2 * (n / (SIDE / 2)) * SIDE + 2 * (n % (SIDE / 2));
        let lit = |value: u8, by: f32| (f32::from(value) + fallen(at) * by + 0.5) as u8;
        (u[n], v[n]) = (lit(u[n], wall[1]), lit(v[n], wall[2]));
    }
}

/// A take's own pictures and its mattes.
struct Looked {
    pictures: Vec<Frame>,
    matte: Matte,
    mattes: Vec<Vec<u8>>,
    trust: Trust,
}

fn looked(footage: &Footage, key: bool) -> Looked {
    let segmenter = segmenter(&assets().join("faces")).expect("the network");
    let mut pictures = Vec::new();
    let size = (SIDE as u32, SIDE as u32);
    footage
        .play(size, &mut |frame| {
            pictures.push(frame.clone());
            Ok(())
        })
        .expect("it plays");
    let (matte, trust) = if key {
        let (found, trust) = of_take(footage, &segmenter).expect("it is looked at");
        (found.expect("somebody is there").0, trust)
    } else {
        let cells = segmenter.look(&pictures[0], whole()).expect("it runs");
        let rect = placed([&cells].into_iter(), whole()).expect("they are seen");
        let mut going = Going::new(&segmenter, rect, None);
        pictures.iter().for_each(|picture| going.add(picture).expect("it goes on"));
        let (done, tally) = going.ended().expect("it ends");
        (Matte { size, rect, pictures: done, wall: None }, tally.trust(rect, whole(), None))
    };
    let mattes = (0..pictures.len()).map(|n| matte.alpha(n, size, whole()).expect("a matte")).collect();
    Looked { pictures, matte, mattes, trust }
}

/// A picture for whoever wants to look, where there is a folder for it.
fn shown(name: &str, picture: &Frame, alpha: &[u8], over: &Frame) {
    let Some(folder) = std::env::var_os("COMPERE_LOOK") else { return };
    let (mut cut, mut made) = (Layer::new(whole()), over.clone());
    put(&mut cut, picture, Some(alpha));
    cut.lay_on(&mut made, whole(), 255);
    let planes = [made.y(), made.u(), made.v()].concat();
    std::fs::write(Path::new(&folder).join(format!("{name}.yuv")), planes).expect("it is written");
}

fn of_one_colour(grey: u8) -> Frame {
    let mut frame = Frame::new(SIDE as u32, SIDE as u32);
    frame.fill(Rgb::opaque(grey, grey, grey));
    frame
}

/// By how much the tints of a take's edges are off, as filmed or cleaned.
fn tints(looked: &Looked, who: &'static str, truths: &[Vec<u8>], cleaned: bool) -> f64 {
    let off = |n: usize| {
        let mut truth = Frame::new(SIDE as u32, SIDE as u32);
        scene(who).layers[n].lay_on(&mut truth, whole(), 255);
        let mut picture = looked.pictures[n].clone();
        if cleaned {
            looked.matte.clean(&mut picture, &looked.mattes[n]);
        }
        tinted(&picture, &looked.mattes[n], &truth, &truths[n])
    };
    (0..looked.pictures.len()).map(off).sum::<f64>() / looked.pictures.len() as f64
}

fn for_the_eye(name: &str, looked: &Looked) {
    let mut picture = looked.pictures[4].clone();
    looked.matte.clean(&mut picture, &looked.mattes[4]);
    for (over, back) in [("white", of_one_colour(255)), ("black", of_one_colour(0)), ("room", room())] {
        shown(&format!("{name}-{over}"), &picture, &looked.mattes[4], &back);
    }
}

#[test]
fn somebody_before_a_screen_is_keyed_by_its_colour() {
    let cases = [
        (Hue::Green, DAVID, GREEN, 0),
        (Hue::Green, "sofia", GREEN, 0),
        (Hue::Green, "sofia", GREEN, 6),
        (Hue::Blue, DAVID, BLUE, 0),
    ];
    for (hue, who, wall, moves) in cases {
        let (folder, film) = (tempfile::tempdir().expect("a folder"), filmed_before(who, wall, moves));
        let footage = coded(&film.pictures, folder.path());
        let (keyed, before) = (looked(&footage, true), looked(&footage, false));
        assert_eq!(keyed.trust.screen, Some(hue), "{:?}", keyed.trust);
        let (is_cut, told) = Background::Cut.decided(&keyed.trust);
        assert!(is_cut && told.len() == 1 && told[0].level == Level::Note, "{told:?}");
        assert!(told[0].what.contains(hue.as_str()), "{told:?}");
        let bytes = keyed.matte.to_bytes();
        assert_eq!(Matte::from_bytes(&bytes).as_ref(), Some(&keyed.matte));
        let older = Matte::from_bytes(&bytes[..bytes.len() - 12]).expect("what was written before is read");
        assert_eq!(older.wall, None);

        let (now, was) = (off(&keyed.mattes, &film.truths), off(&before.mattes, &film.truths));
        println!("{who}, {hue}, moves {moves}: off {now:.4?}, {was:.4?} by the network's edge");
        // A blue suit before a blue wall gives some of that back in its own shade.
        assert!(now[0] < was[0] && now[1] < 0.75 * was[1] && now[1] < 0.12, "{now:?} {was:?}");
        assert!(now[2] < 0.012, "{now:?}");
        // What is beside the wall is gone, lamp and all.
        let beside = (0..SIDE / 2).map(|row| row * SIDE + SIDE * 98 / 100);
        assert!(beside.into_iter().all(|at| keyed.mattes[4][at] == 0));
        if moves == 0 {
            let [filmed, was, now] = [(&keyed, false), (&before, true), (&keyed, true)]
                .map(|(looked, cleaned)| tints(looked, who, &film.truths, cleaned));
            println!("  tints off by {filmed:.2} as filmed, {was:.2} cleaned before, {now:.2} now");
            assert!(now < was && now < 0.4 * filmed, "{filmed} {was} {now}");
        }
        for_the_eye(&format!("{who}-{hue}-{moves}-now"), &keyed);
        for_the_eye(&format!("{who}-{hue}-{moves}-before"), &before);
        shown(&format!("{who}-{hue}-{moves}-filmed"), &keyed.pictures[4], &vec![255; SIDE * SIDE], &room());
        shown(&format!("{who}-{hue}-{moves}-true"), &keyed.pictures[4], &film.truths[4], &of_one_colour(255));
    }
}

#[test]
fn what_is_green_within_somebody_stays_and_so_does_what_they_wear() {
    let segmenter = segmenter(&assets().join("faces")).expect("the network");
    let mut picture = filmed_before("sofia", GREEN, 0).pictures[0].clone();
    // A brooch on the chest, and a glint in one of her glasses.
    let patches = [Rect::new(180, 400, 220, 440), Rect::new(190, 190, 204, 198)];
    let (y, u, v) = picture.planes_mut();
    for patch in patches {
        for (x, y_at) in (patch.y0..patch.y1).flat_map(|y| (patch.x0..patch.x1).map(move |x| (x as usize, y as usize)))
        {
            y[y_at * SIDE + x] = 130;
            (u[y_at / 2 * SIDE / 2 + x / 2], v[y_at / 2 * SIDE / 2 + x / 2]) = (101, 84);
        }
    }
    let ((matte, _), trust) = of_picture(&picture, &segmenter).expect("it runs");
    assert_eq!(trust.screen, Some(Hue::Green));
    let alpha = matte.alpha(0, (SIDE as u32, SIDE as u32), whole()).expect("a matte");
    let mut clean = picture.clone();
    matte.clean(&mut clean, &alpha);
    for patch in patches {
        let middle = ((patch.x0 + patch.x1) / 2, (patch.y0 + patch.y1) / 2);
        let (x, y) = (middle.0 as usize, middle.1 as usize);
        assert_eq!(alpha[y * SIDE + x], 255, "{patch:?}");
        assert!(clean.v()[y / 2 * SIDE / 2 + x / 2] < 90, "it is green still: {patch:?}");
    }
}

#[test]
fn a_wall_that_is_hardly_green_or_of_two_colours_is_no_screen() {
    let segmenter = segmenter(&assets().join("faces")).expect("the network");
    let told = |wall: [f32; 3], other: Option<[f32; 3]>| {
        let mut picture = filmed_before(DAVID, wall, 0).pictures[0].clone();
        if let Some(other) = other {
            // Every second stripe of the wall has another colour.
            let (striped, truth) = (filmed_before(DAVID, other, 0).pictures[0].clone(), &scene(DAVID).truths[0]);
            let (_, u, v) = picture.planes_mut();
            let half = SIDE / 2;
            for n in (0..half * half)
                .filter(|n| (n / half / 20).is_multiple_of(2) && truth[2 * (n / half) * SIDE + 2 * (n % half)] == 0)
            {
                (u[n], v[n]) = (striped.u()[n], striped.v()[n]);
            }
        }
        of_picture(&picture, &segmenter).expect("it runs").1.screen
    };
    assert_eq!(told(GREEN, None), Some(Hue::Green));
    assert_eq!(told([150.0, -9.0, -12.0], None), None, "painted in a pale green");
    assert_eq!(told(GREEN, Some([140.0, 6.0, 8.0])), None, "a striped one");
    assert_eq!(told([110.0, -20.0, 60.0], None), None, "a red one, as lips and cheeks are");
}
