use serde_json::json;

use super::*;
use crate::{Cast, Designer, Framing, NoCache, Presenter, Want};

fn slips(value: &serde_json::Value) -> Vec<(String, String)> {
    let slips = Design::read(value).expect_err("something is wrong");
    slips.into_iter().map(|slip| (slip.path, slip.message)).collect()
}

#[test]
fn everything_wrong_is_told_by_its_place() {
    let told = slips(&json!({
        "faces": {"nora": 1, "david": 1}, "age": 12, "face": {"jaw": 2, "jow": 0}, "skin": {"color": "red"},
        "hair": {"style": "mullet", "otherSide": "yes"}, "outfits": [{"clothes": "toga"}], "logo": {"place": "hat"},
        "voices": {"en-US": 7},
    }));
    let paths: Vec<&str> = told.iter().map(|(path, _)| path.as_str()).collect();
    let wrong = [
        "faces",
        "age",
        "face.jaw",
        "face.jow",
        "skin.color",
        "hair.style",
        "hair.otherSide",
        "outfits[0].clothes",
        "logo.place",
        "voices",
        "name",
        "outfits[0].color",
        "logo.picture",
    ];
    assert_eq!(paths, wrong);
    assert!(told[0].1.contains("all women's or all men's"), "{}", told[0].1);
    assert!(told[2].1.contains("from -1 to 1"), "{}", told[2].1);
    assert!(told[3].1.contains("width, length, jaw"), "{}", told[3].1);
    assert!(told[5].1.contains("side-part"), "{}", told[5].1);
    assert!(slips(&json!([]))[0].1.contains("object"));
    assert!(slips(&json!({"name": "A", "faces": {"zeus": 1}}))[0].1.contains("there are nora, david"));
}

#[test]
fn every_slider_is_a_field_within_its_bounds() {
    for slider in SLIDERS {
        for (value, fits) in [(slider.low, true), (slider.high, true), (slider.high + 0.5, false)] {
            let mut design = json!({"name": "Ada", "faces": {"nora": 1}});
            let at = slider.path.split('.').fold(&mut design, |at, key| &mut at[key]);
            *at = json!(value);
            if slider.path.starts_with("logo") {
                design["logo"]["picture"] = json!("data:image/png;base64,");
            }
            let read = Design::read(&design);
            assert_eq!(read.is_ok(), fits, "{} = {value}: {read:?}", slider.path);
        }
    }
}

#[test]
fn what_is_written_is_read_again() {
    for seed in 0..40 {
        let design = Design::by_chance(seed);
        let text = serde_json::to_value(&design).expect("JSON");
        assert_eq!(Design::read(&text), Ok(design.clone()), "{seed}");
        assert_eq!(Design::by_chance(seed), design);
    }
    assert_ne!(Design::by_chance(1), Design::by_chance(2));
}

fn stills(presenter: &dyn Presenter) -> Vec<u8> {
    let want = Want { outfit: String::new(), width: 96, height: 120, framing: Framing::Head };
    let sketch = presenter.sketch(&want, &NoCache).expect("a sketch");
    sketch.pack.sheet()[0].1.data().as_flattened().to_vec()
}

fn apart(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>() / a.len() as f64
}

#[test]
fn the_cast_is_made_of_the_same_parameters() {
    let assets = crate::tests::assets();
    let (cast, designer) = (Cast::open(&assets), Designer::open(&assets));
    for alias in ["nora", "james", "layla"] {
        let design = Design::of(alias).expect("a member of the cast");
        let member = cast.get(alias).expect("a member of the cast");
        // Who it is says how the head is held.
        let own = designer.presenter(&member.info().id, &design, None);
        assert_eq!(own.info().outfits.len(), 4);
        assert_eq!(own.info().voices, member.info().voices);
        let apart = apart(&stills(member.as_ref()), &stills(own.as_ref()));
        // Colours of eight bits are not those of a painter's numbers.
        assert!(apart < 1.0, "{alias} differs by {apart:.2}");
    }
}

#[test]
fn sliders_colours_and_logos_show() {
    let designer = Designer::open(&crate::tests::assets());
    let plain = Design { outfits: Design::by_chance(3).outfits, ..Design::of("nora").expect("Nora") };
    let red = compere_media::Pixmap::from_premultiplied(4, 4, vec![[255, 0, 0, 255]; 16]);
    let picture = |design: &Design| stills(designer.presenter("own-1", design, Some(&red)).as_ref());
    let before = picture(&plain);
    let changed = [
        Design { face: Features { width: 1.0, ..Features::default() }, ..plain.clone() },
        Design { age: Some(70.0), ..plain.clone() },
        Design { hair: HairCut { style: Some(HairStyle::Bob), ..plain.hair.clone() }, ..plain.clone() },
        Design { glasses: Glasses { rims: Some(Rims::Round), color: None }, ..plain.clone() },
        Design { skin: Skin { color: Paint::parse("#6b4326"), ..plain.skin.clone() }, ..plain.clone() },
    ];
    for design in &changed {
        let apart = apart(&before, &picture(design));
        assert!(apart > 0.5, "{apart:.2}: {design:?}");
    }
    let tee = Design { outfits: vec![plain.outfits[3].clone()], ..plain };
    let logo = Logo { picture: "data:image/png;base64,".to_owned(), place: LogoPlace::Chest, size: 1.0 };
    let shown = apart(&picture(&tee), &picture(&Design { logo: Some(logo), ..tee.clone() }));
    assert!(shown > 0.02, "the logo changes {shown:.3}");
}

/// What a part of the picture is like, colour by colour: the median of what is not see-through.
fn region(design: &Design, framing: Framing, size: [u32; 2], part: [u32; 4]) -> [u8; 3] {
    let designer = Designer::open(&crate::tests::assets());
    let want = Want { outfit: String::new(), width: size[0], height: size[1], framing };
    let pack = designer.presenter("own-1", design, None).bake(&want, &NoCache).expect("a pack");
    let still = pack.sheet().swap_remove(0).1;
    let rect = pack.rect();
    let mut seen: [Vec<u8>; 3] = std::array::from_fn(|_| Vec::new());
    for y in part[1]..part[3] {
        for x in part[0]..part[2] {
            let (x, y) = (x as i32 - rect.x0, y as i32 - rect.y0);
            let pixel = still.data()[(y * still.width() as i32 + x) as usize];
            if pixel[3] == 255 {
                (0..3).for_each(|k| seen[k].push(pixel[k]));
            }
        }
    }
    seen.map(|mut values| {
        values.sort_unstable();
        values[values.len() / 2]
    })
}

/// A brand's colour on a chest is the brand's, in whatever light the studio has: the curves of `seen.rs` follow it.
#[test]
fn cloth_is_seen_as_it_was_chosen() {
    let david = Design::of("david").expect("David");
    for hex in ["#1d4f5b", "#262626", "#686868", "#c86a52", "#c7c7c7"] {
        let chosen = Paint::parse(hex).expect("a colour");
        let outfits = vec![Outfit { color: chosen, ..david.outfits[2].clone() }];
        // Hands before the chest would be measured with it.
        let hands = Some(Hands::Beside);
        let seen = region(&Design { outfits, hands, ..david.clone() }, Framing::Body, [240, 360], [90, 230, 150, 305]);
        // The key is warmer than white.
        assert!((0..3).all(|k| chosen.0[k].abs_diff(seen[k]) <= 6), "{hex} is seen as {seen:?}");
    }
}
