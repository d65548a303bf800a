#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

use compere_avatar::Channel;
use compere_media::{Marks, PhonemeMark, SAMPLE_RATE, SampleSpan, Stress};

use super::*;
use crate::testing::assets;

fn networks() -> Networks {
    crate::track::networks(&assets().join("faces")).expect("the networks, which scripts/fetch-faces.sh fetches")
}

/// One of our lit presenters.
fn portrait() -> Frame {
    use zune_jpeg::zune_core::bytestream::ZCursor;
    let mut decoder = zune_jpeg::JpegDecoder::new(ZCursor::new(&include_bytes!("portrait.jpg")[..]));
    let rgb = decoder.decode().expect("a picture");
    let (width, height) = decoder.dimensions().expect("a size");
    let data = rgb.as_chunks::<3>().0.iter().map(|&[r, g, b]| [r, g, b, 255]).collect();
    flat(&Pixmap::from_straight(width as u32, height as u32, data)).expect("pixels")
}

fn refused(frame: &Frame, networks: &Networks) -> String {
    let (_, findings) = looked_at(frame, networks).expect("it runs");
    findings.iter().filter(|one| one.level == Level::Refused).map(|one| format!("{one}\n")).collect()
}

fn pack() -> PhotoPack {
    let frame = portrait();
    let (mesh, findings) = looked_at(&frame, &networks()).expect("it runs");
    assert_eq!(findings, [], "the portrait is a good one");
    let (width, height) = (frame.width(), frame.height());
    let picture = planes_to_jpeg(&grey(&frame, frame.bounds()), width as usize, height as usize * 3 / 2, QUALITY)
        .expect("a picture");
    let part = Rect::of_size(320, 378).intersect(frame.bounds());
    let photo = Photo { width, height, mesh };
    PhotoPack::new("own-test", (&photo, &picture, None), (320, 378), part, part).expect("a pack")
}

/// Says "ah", then "m".
fn role() -> Role {
    let sound = |ipa: &str, from: u64, to: u64| PhonemeMark {
        span: SampleSpan { start: from * u64::from(SAMPLE_RATE) / 30, end: to * u64::from(SAMPLE_RATE) / 30 },
        ipa: ipa.to_owned(),
        stress: Stress::Primary,
    };
    let marks = Marks { phonemes: vec![sound("ɑ", 6, 14), sound("m", 14, 18), sound("u", 18, 24)], words: Vec::new() };
    Role { marks, frames: 40, seed: 3, ..Role::default() }
}

fn shown(pack: &PhotoPack, frames: &[u64]) -> Layer {
    let mut layer = Layer::new(pack.rect());
    let mut moving = pack.perform(role());
    for &frame in frames {
        let before = layer.clone();
        let damage = moving.advance(frame, &mut layer).expect("it paints");
        let frame_of = |layer: &Layer| {
            let mut frame = Frame::new(layer.width(), layer.height());
            layer.lay_on(&mut frame, Rect::of_size(layer.width(), layer.height()), 255);
            frame
        };
        assert!(frame_of(&layer).same_outside(&frame_of(&before), &damage), "nothing else changes in {frame}");
    }
    layer
}

#[test]
fn any_picture_in_any_order_is_the_same_and_what_changes_is_told() {
    let pack = pack();
    let straight = shown(&pack, &[0, 5, 10, 11]);
    assert!(straight == shown(&pack, &[11]), "one picture by itself");
    assert!(straight != shown(&pack, &[20]), "they move");
}

#[test]
fn lips_open_for_a_vowel_and_close_for_an_m() {
    let pack = pack();
    let networks = networks();
    let apart = |frame: u64| {
        let layer = shown(&pack, &[frame]);
        let mut picture = Frame::new(layer.width(), layer.height());
        layer.lay_on(&mut picture, Rect::of_size(layer.width(), layer.height()), 255);
        let (mesh, _) = looked_at(&picture, &networks).expect("it runs");
        f64::from(mesh[14][1] - mesh[13][1]) / eyes(&mesh)
    };
    let (rest, open, shut) = (apart(0), apart(10), apart(16));
    println!("lips apart: at rest {rest:.3}, in ah {open:.3}, in m {shut:.3}");
    assert!(rest < 0.02 && open > 0.08 && shut < 0.03, "{rest:.3} {open:.3} {shut:.3}");
}

#[test]
fn at_rest_it_is_the_portrait() {
    let pack = pack();
    let mut frame = pack.portrait.still.clone();
    pack.portrait.paint(&Acted::default(), &mut frame, None);
    let off = frame.y().iter().zip(pack.portrait.still.y()).map(|(a, b)| a.abs_diff(*b)).max();
    assert!(off.is_some_and(|off| off <= 2), "{off:?} grey levels off");
}

/// The mouth opens and the head turns, and whoever is cut out stays so.
#[test]
fn who_is_cut_out_of_a_photo_moves_without_the_wall() {
    let frame = portrait();
    let (mesh, _) = looked_at(&frame, &networks()).expect("it runs");
    let segmenter = segmenter(&assets().join("faces")).expect("the network");
    let ((whole, seen), trust) = matte::of_picture(&frame, &segmenter).expect("it runs");
    assert!(Background::Auto.decided(&trust).0, "{trust:?}");
    let (width, height) = (frame.width(), frame.height());
    let size = (width / 2 * 2, height / 2 * 2);
    let middle = face(&mesh);
    assert!(seen.left < middle.x && middle.x < seen.right && seen.top < middle.y - middle.height / 2.0, "{seen:?}");
    let picture = planes_to_jpeg(&grey(&frame, frame.bounds()), width as usize, height as usize * 3 / 2, QUALITY)
        .expect("a picture");
    let photo = Photo { width, height, mesh };
    let part = Rect::of_size(size.0, size.1);
    let pack = PhotoPack::new("own-test", (&photo, &picture, Some(&whole)), size, part, part).expect("a pack");
    let mut layer = Layer::new(part);
    let mut performance = pack.perform(role());
    for moment in [0, 10, 40] {
        performance.advance(moment, &mut layer).expect("it moves");
        let over = |grey: u8| {
            let mut under = Frame::new(size.0, size.1);
            under.fill(compere_media::Rgb { r: grey, g: grey, b: grey, a: 255 });
            layer.lay_on(&mut under, part, 255);
            under
        };
        let (white, black) = (over(255), over(0));
        let shines =
            |x: usize, y: usize| white.y()[y * size.0 as usize + x].abs_diff(black.y()[y * size.0 as usize + x]);
        let (x, y) = (middle.x as usize, middle.y as usize);
        // All of the corner shines through, nothing of the face and of what is between the lips.
        assert!(shines(2, 2) > 210, "{moment}: {}", shines(2, 2));
        let column = (y..y + (middle.height / 2.0) as usize).map(|y| shines(x, y)).max();
        assert!(column.is_some_and(|most| most < 4), "{moment}: {column:?}");
    }
}

/// The frame as it is when somebody holds still in one of the sheet's poses.
fn posed(name: &str) -> Frame {
    let pack = pack();
    let (_, acted) = acted_sheet().into_iter().find(|(pose, _)| *pose == name).expect("a pose");
    let mut frame = pack.portrait.still.clone();
    pack.portrait.paint(&acted, &mut frame, None);
    frame
}

#[test]
fn a_photo_that_is_no_use_is_refused_with_what_was_measured() {
    let (networks, good) = (networks(), portrait());
    let has = |frame: &Frame, what: &str| {
        let told = refused(frame, &networks);
        println!("{told}");
        assert!(told.contains(what), "{what}: {told}");
    };
    has(&Frame::new(400, 400), "no face is found");
    has(&posed("aa"), "the lips are open by");
    has(&posed("blink"), "an eye is open by");
    let part = |width: u32, height: u32, of: Rect| scaled(&good, (width, height), of);
    has(&part(200, 236, Rect::of_size(200, 236)), "pixels apart");
    let (width, height) = (good.width(), good.height());
    has(
        &part(width, height, Rect::of_size(width, height * 62 / 100 / 2 * 2)),
        "the chin is at the picture's lower edge",
    );

    let mut two = Frame::new(width * 2, height);
    let mut layer = Layer::new(good.bounds());
    layer.put_planes(good.y(), good.u(), good.v());
    for _ in 0..2 {
        layer.lay_on(&mut two, Rect::of_size(width * 2, height), 255);
        layer.shift(width as i32, 0);
    }
    has(&two, "a second face");

    let mut dark = good.clone();
    dark.planes_mut().0.iter_mut().for_each(|luma| *luma = 16 + (*luma - 16) / 12);
    has(&dark, "as bright as white");

    let (mesh, _) = looked_at(&good, &networks).expect("it runs");
    let mut masked = good.clone();
    let [x, y] = [mesh[13][0] as i32, mesh[13][1] as i32];
    let reach = (eyes(&mesh) * 0.62) as i32;
    let cloth =
        Pixmap::from_straight(2 * reach as u32, reach as u32, vec![[90, 150, 200, 255]; (2 * reach * reach) as usize]);
    let cover = Layer::from_pixmap(&cloth, (x - reach) / 2 * 2, (y - reach / 3) / 2 * 2);
    cover.lay_on(&mut masked, good.bounds(), 255);
    has(&masked, "around the mouth the colour differs");

    let mut uneven = good.clone();
    let half = mesh[1][0] as usize;
    for row in uneven.planes_mut().0.chunks_exact_mut(width as usize) {
        row[..half].iter_mut().for_each(|luma| *luma = 16 + (*luma).saturating_sub(16) / 4);
    }
    has(&uneven, "% as bright as the other");

    let brows = mesh[105][1].min(mesh[334][1]);
    let top = (brows - 0.15 * eyes(&mesh) as f32) as i32 / 2 * 2;
    let below = Rect { y0: top, ..good.bounds() };
    has(&part(width, height, below), "the forehead is at the picture's upper edge");

    // Turned aside and leaning: the same face, seen so.
    let turned = |cos: f32, sin: f32, aside: bool| -> Mesh {
        let [cx, cy, cz] = mesh[1];
        let turn = |&[x, y, z]: &[f32; 3]| {
            let (x, y, z) = (x - cx, y - cy, z - cz);
            if aside {
                [cx + cos * x + sin * z, cy + y, cz - sin * x + cos * z]
            } else {
                [cx + cos * x - sin * y, cy + sin * x + cos * y, cz + z]
            }
        };
        mesh.iter().map(turn).collect()
    };
    let told = |mesh: &Mesh| {
        gates::of_photo(&good, mesh).iter().map(|one| format!("{:?} {one}\n", one.level)).collect::<String>()
    };
    assert!(
        told(&turned(0.927, 0.375, true)).contains("Refused the photo: the head is turned aside by"),
        "{}",
        told(&turned(0.927, 0.375, true))
    );
    assert!(told(&turned(0.927, 0.375, false)).contains("Refused the photo: the head leans aside by 2"));
    // Looking up, and down: by more than the limit beyond what an upright face has for the mesh.
    for (degrees, sin) in [(35.0f32, 0.574f32), (-35.0, -0.574)] {
        let [_, cy, cz] = mesh[1];
        let nod = |&[x, y, z]: &[f32; 3]| {
            let (cos, y, z) = (0.819, y - cy, z - cz);
            [x, cy + cos * y - sin * z, cz + sin * y + cos * z]
        };
        let told = told(&mesh.iter().map(nod).collect());
        assert!(told.contains("Refused the photo: the head is tilted up or down by"), "{degrees}: {told}");
    }
}

#[test]
fn a_damaged_photo_is_an_error_and_no_panic() {
    let photo = Photo { width: 64, height: 64, mesh: vec![[1.0; 3]; MESH] };
    assert!(photo.is_whole());
    let part = Rect::of_size(32, 32);
    assert!(PhotoPack::new("own-test", (&photo, b"nothing", None), (32, 32), part, part).is_err());
    assert!(!Photo { mesh: vec![[f32::NAN; 3]; MESH], ..photo.clone() }.is_whole());
    assert!(!Photo { width: 63, ..photo.clone() }.is_whole());
    assert!(!Photo { mesh: Vec::new(), ..photo }.is_whole());
}

#[test]
fn a_shut_eye_shows_no_white_and_teeth_only_an_open_mouth() {
    let acted = acted_sheet();
    let find = |name: &str| acted.iter().find(|(pose, _)| *pose == name).expect("a pose").1;
    assert!(find("blink").get(Channel::Blink) > 0.9 && find("neutral") == Acted::default());
    let brightness = |frame: &Frame, at: &dyn Fn(&Mesh) -> [f32; 2]| -> u32 {
        let pack = pack();
        let photo = portrait();
        let (mesh, _) = looked_at(&photo, &networks()).expect("it runs");
        let scale = pack.portrait.still.width() as f32 / photo.width() as f32;
        let [x, y] = at(&mesh).map(|value| (value * scale) as i32);
        let looks = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy)));
        looks.map(|(x, y)| u32::from(frame.y()[(y * frame.width() as i32 + x) as usize])).sum::<u32>() / 9
    };
    // The iris is dark; the lid is not.
    let iris = |mesh: &Mesh| [(mesh[33][0] + mesh[133][0]) / 2.0, (mesh[159][1] + mesh[145][1]) / 2.0];
    let (open, shut) = (brightness(&posed("neutral"), &iris), brightness(&posed("blink"), &iris));
    println!("where the iris is: open {open}, shut {shut}");
    assert!(shut > open + 40, "{open} {shut}");
    let teeth = |mesh: &Mesh| [mesh[13][0], mesh[13][1] + 0.02 * (mesh[263][0] - mesh[33][0])];
    let (mouth, lips) = (brightness(&posed("s t d n"), &teeth), brightness(&posed("neutral"), &teeth));
    println!("between the lips: open {mouth}, shut {lips}");
    assert!(mouth > lips, "{mouth} {lips}");
}
