//! A model that is made here, looked at, played and broken.

use compere_media::{Frame, Rgb};

use super::made::{described, hostile, model, packed};
use super::*;

const SIZE: Rect = Rect::of_size(240, 214);

fn pack() -> FigurePack {
    let flat = flat::of_file(&model()).expect("a model");
    let flat = Flat::from_bytes(&flat.to_bytes()).expect("the same behind the pipe");
    FigurePack::new("own-egg", Figure { flat, pictures: Vec::new() }, (SIZE.width(), SIZE.height()), SIZE, SIZE)
}

fn talking() -> Role {
    Role { frames: 90, seed: 3, ..Role::default() }
}

fn laid(layer: &Layer) -> Frame {
    let mut frame = Frame::new(SIZE.width(), SIZE.height());
    frame.fill(Rgb { r: 90, g: 120, b: 160, a: 255 });
    layer.lay_on(&mut frame, SIZE, 255);
    frame
}

#[test]
fn any_frame_in_any_order_has_the_same_bytes() {
    let pack = pack();
    let mut forward = pack.perform(talking());
    let mut layer = Layer::new(SIZE);
    let mut frames = Vec::new();
    for n in 0..90 {
        forward.advance(n, &mut layer).expect("a frame");
        frames.push(laid(&layer));
    }
    assert!(frames.iter().any(|frame| *frame != frames[0]), "nothing moves");
    let mut jumping = pack.perform(talking());
    let mut layer = Layer::new(SIZE);
    for n in (0..90).map(|n| n * 37 % 90) {
        jumping.advance(n, &mut layer).expect("a frame");
        assert!(laid(&layer) == frames[n as usize], "frame {n} depends on what came before");
    }
    let mut alone = pack.perform(talking());
    let mut layer = Layer::new(SIZE);
    alone.advance(60, &mut layer).expect("a frame");
    assert!(laid(&layer) == frames[60], "frame 60 alone");
}

#[test]
fn nothing_changes_outside_the_damage() {
    let pack = pack();
    let mut moving = pack.perform(talking());
    let mut layer = Layer::new(SIZE);
    moving.advance(0, &mut layer).expect("a frame");
    let mut before = laid(&layer);
    let mut smaller = 0;
    for n in 1..90 {
        let damage = moving.advance(n, &mut layer).expect("a frame");
        let after = laid(&layer);
        let wide = SIZE.width() as i32;
        for (at, (a, b)) in before.y().iter().zip(after.y()).enumerate() {
            let (x, y) = (at as i32 % wide, at as i32 / wide);
            let inside = damage.rects().iter().any(|r| (r.x0..r.x1).contains(&x) && (r.y0..r.y1).contains(&y));
            assert!(a == b || inside, "frame {n} changes at {x}, {y}");
        }
        smaller += u32::from(damage.area() < SIZE.area() / 2);
        before = after;
    }
    assert!(smaller > 80, "what stands still is not painted again: {smaller}");
}

#[test]
fn the_mouth_opens_and_the_lids_shut() {
    let pictures = pack().sheet();
    let of = |wanted: &str| &pictures.iter().find(|(name, _)| *name == wanted).expect("a pose").1;
    let rest = of("neutral");
    for pose in ["aa", "blink"] {
        let other = of(pose).data().iter().zip(rest.data()).filter(|(a, b)| a != b).count();
        assert!((20..8000).contains(&other), "{pose}: {other} pixels");
    }
}

#[test]
fn edges_are_soft() {
    let pictures = pack().sheet();
    let partly = pictures[0].1.data().iter().filter(|pixel| (1..255).contains(&pixel[3])).count();
    assert!(partly > 100, "{partly}");
}

#[test]
fn hostile_files_are_refused_with_a_reason() {
    for (what, file, word) in hostile() {
        let refused = flat::of_file(&file).err().unwrap_or_else(|| panic!("{what} is taken"));
        assert!(refused.contains(word), "{what}: {refused}");
    }
    let whole = model();
    for end in (0..whole.len()).step_by(257) {
        assert!(flat::of_file(&whole[..end]).is_err(), "cut at {end}");
    }
}

/// The child is believed as little as the file.
#[test]
fn what_comes_through_the_pipe_is_checked_again() {
    let good = flat::of_file(&model()).expect("a model").to_bytes();
    for end in (0..good.len()).step_by(511) {
        assert!(Flat::from_bytes(&good[..end]).is_err(), "cut at {end}");
    }
    let length = u32::from_le_bytes([good[0], good[1], good[2], good[3]]) as usize;
    for word in (4 + length..good.len() - 4).step_by(4093) {
        let mut broken = good.clone();
        broken[word..word + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(Flat::from_bytes(&broken).is_err(), "a word that is out of range at {word}");
    }
}

#[test]
fn bones_turn_eyes_where_no_expression_does() {
    let (mut json, bytes) = described();
    json["nodes"][1]["name"] = "LeftEye".into();
    let flat = flat::of_file(&packed(&json, &bytes)).expect("a model");
    let looks = flat.shape.acts.iter().filter(|(cue, _)| cue.ch == compere_avatar::Channel::LookX).count();
    assert_eq!(looks, 2, "to both sides");
}

#[test]
fn a_picture_lies_where_its_material_puts_it() {
    let (mut json, bytes) = described();
    let by = serde_json::json!({"KHR_texture_transform": {"offset": [0.5, 0.0], "scale": [2.0, 1.0]}});
    let plain = flat::of_file(&packed(&json, &bytes)).expect("a model").shape.vertices[40].uv;
    json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = serde_json::json!({"extensions": by});
    let laid = flat::of_file(&packed(&json, &bytes)).expect("a model").shape.vertices[40].uv;
    assert_eq!(laid, [2.0 * plain[0] + 0.5, plain[1]]);
}

/// How far a channel moves the vertex that it moves furthest.
fn furthest(flat: &Flat, ch: compere_avatar::Channel) -> f32 {
    let acts = flat.shape.acts.iter().filter(|(cue, _)| cue.ch == ch);
    let by = acts.flat_map(|(_, moves)| moves).map(|(_, by)| by.iter().map(|way| way * way).sum::<f32>().sqrt());
    by.fold(0.0, f32::max)
}

/// Nobody can tell by the names what these targets do; the expressions bind them, in hundredths before version 1.
#[test]
fn expressions_of_both_vrms_move_the_targets_that_they_bind() {
    use compere_avatar::Channel as Ch;
    use serde_json::json;
    let named = flat::of_file(&model()).expect("a model");
    let group = |preset: &str, index: usize, weight: f64| json!({"presetName": preset, "binds": [{"mesh": 0, "index": index, "weight": weight}]});
    let old = json!({"VRM": {
        "meta": {"title": "Egg", "allowedUserName": "Everyone", "commercialUssageName": "Allow"},
        "blendShapeMaster": {"blendShapeGroups": [
            group("a", 0, 50.0), group("blink", 1, 100.0), group("angry", 0, 100.0), json!({"presetName": "joy"}),
        ]},
    }});
    let bind = |index: usize, weight: f64| json!({"morphTargetBinds": [{"node": 2, "index": index, "weight": weight}]});
    let new = json!({"VRMC_vrm": {
        "meta": {"name": "Egg", "avatarPermission": "everyone", "commercialUsage": "corporation"},
        "expressions": {"preset": {"aa": bind(0, 0.5), "blink": bind(1, 1.0), "angry": bind(0, 1.0)}},
    }});
    for extensions in [old, new] {
        let (mut json, bytes) = described();
        json["meshes"][0]["extras"] = json!({"targetNames": ["first", "second"]});
        json["extensions"] = extensions.clone();
        let flat = flat::of_file(&packed(&json, &bytes)).unwrap_or_else(|what| panic!("{extensions}: {what}"));
        // A whole "ah" is 2.4 times what our acting comes to, of which the file wants a half.
        let [jaw, lids] = [Ch::Jaw, Ch::Blink].map(|ch| furthest(&flat, ch) / furthest(&named, ch));
        assert!((jaw - 1.2).abs() < 1e-3 && (lids - 1.0).abs() < 1e-3, "{extensions}: {jaw} {lids}");
        // What is angry moves nothing of ours.
        assert_eq!(flat.shape.acts.len(), named.shape.acts.len());
        // Unbound, nobody knows what moves the mouth.
        json["extensions"].as_object_mut().expect("an object").values_mut().for_each(|vrm| {
            vrm.as_object_mut().expect("an object").retain(|key, _| key == "meta");
        });
        let refused = flat::of_file(&packed(&json, &bytes)).err().unwrap_or_default();
        assert!(refused.contains("no expression"), "{refused}");
    }
}
