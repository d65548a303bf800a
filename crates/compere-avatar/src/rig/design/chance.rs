//! Somebody whom one might meet.

use std::collections::BTreeMap;

use super::words::{Beard, Clothes, HairStyle, Hands, Paint, Rims, Temper};
use super::{Build, Design, Eyes, Features, Glasses, HairCut, Outfit, Skin, seen};
use crate::maths::Dice;
use crate::rig::ground::v3::mix;
use crate::rig::people::CAST;
use crate::rig::people::member::Member;

/// Hair as it grows: black, browns, auburn, blonds; and as it turns.
const DARK: [[u8; 3]; 3] = [[0x24, 0x20, 0x20], [0x35, 0x28, 0x22], [0x4a, 0x35, 0x28]];
const FAIR: [[u8; 3]; 5] =
    [[0x54, 0x3a, 0x2a], [0x74, 0x50, 0x36], [0x86, 0x48, 0x2c], [0xa0, 0x78, 0x4e], [0xbe, 0x9c, 0x6c]];
const GREY: [[u8; 3]; 3] = [[0x7c, 0x7a, 0x78], [0xa6, 0xa4, 0xa1], [0x5e, 0x5a, 0x57]];

const DARK_EYES: [[u8; 3]; 2] = [[0x35, 0x27, 0x1d], [0x43, 0x2f, 0x21]];
const LIGHT_EYES: [[u8; 3]; 4] = [[0x4a, 0x5a, 0x66], [0x4e, 0x58, 0x40], [0x5b, 0x45, 0x2c], [0x46, 0x60, 0x6c]];

const WOMEN: [&str; 8] = ["Alma", "Elena", "Iris", "Leila", "Maya", "Runa", "Sana", "Vera"];
const MEN: [&str; 8] = ["Anton", "Bruno", "Elias", "Idris", "Jonas", "Noah", "Rafael", "Theo"];

/// Jackets, and what goes with them.
const CLOTHS: [[u8; 3]; 10] = [
    [0x1f, 0x2a, 0x44],
    [0x3b, 0x3f, 0x46],
    [0x1d, 0x4f, 0x5b],
    [0x5b, 0x2a, 0x4a],
    [0x7a, 0x2e, 0x2e],
    [0x2e, 0x4a, 0x36],
    [0x8a, 0x6a, 0x42],
    [0x9a, 0x8f, 0x80],
    [0x24, 0x5b, 0x8f],
    [0x4a, 0x3b, 0x2e],
];
const TOPS: [[u8; 3]; 8] = [
    [0xee, 0xea, 0xe2],
    [0xc9, 0xd6, 0xe6],
    [0xd9, 0xc7, 0xb0],
    [0x8f, 0xa8, 0x9a],
    [0xc8, 0x6a, 0x52],
    [0x2f, 0x5d, 0x8a],
    [0x36, 0x3b, 0x45],
    [0xb8, 0x8a, 0x3e],
];

struct Chance(Dice);

impl Chance {
    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.0.next() as usize % all.len()]
    }

    fn paint(&mut self, all: &[[u8; 3]]) -> Paint {
        Paint(self.of(all))
    }

    fn is(&mut self, share: f32) -> bool {
        self.0.unit() < share
    }

    /// Mostly near the middle, in hundredths.
    fn slide(&mut self, spread: f32) -> f64 {
        let value = (self.0.normal() * spread).clamp(-1.0, 1.0);
        f64::from((value * 100.0) as i32) / 100.0
    }
}

pub(super) fn met(seed: u64) -> Design {
    let mut chance = Chance(Dice::new(seed, 41));
    let male = chance.is(0.5);
    let sitters: Vec<&'static Member> = CAST.iter().filter(|who| (who.person.male > 0.5) == male).collect();
    let first = chance.of(&sitters);
    let others: Vec<&'static Member> = sitters.iter().copied().filter(|who| who.alias != first.alias).collect();
    let other = chance.of(&others);
    let percent = 55 + (chance.0.unit() * 40.0) as i32;
    let shares = [percent, 100 - percent].map(|share| f64::from(share) / 100.0);
    let faces = BTreeMap::from([(first.alias.to_owned(), shares[0]), (other.alias.to_owned(), shares[1])]);
    let skin = mix(other.person.look.skin, first.person.look.skin, shares[0] as f32);
    let skin = skin.map(|v| (v * chance.0.between(0.96, 1.03)).clamp(0.02, 0.72));
    let age = f64::from(chance.0.between(24.0, 64.0) as i32);
    let dark = skin[0] < 0.40 || first.person.look.hair[0] < 0.02;
    let hair = hair(&mut chance, male, age, dark, first);
    Design {
        name: chance.of(if male { &MEN } else { &WOMEN }).to_owned(),
        faces,
        age: Some(age),
        face: features(&mut chance),
        body: Build { weight: chance.slide(0.35), shoulders: chance.slide(0.2), neck: chance.slide(0.2) },
        skin: Skin { color: Some(seen::skin_seen(skin)), ..Skin::default() },
        eyes: Eyes { color: Some(if dark { chance.paint(&DARK_EYES) } else { chance.paint(&LIGHT_EYES) }) },
        hair,
        beard: male.then(|| chance.of(&[Beard::None, Beard::None, Beard::Stubble, Beard::Short, Beard::Full])),
        glasses: Glasses {
            rims: Some(if chance.is(0.25) { chance.of(&[Rims::Round, Rims::Oval, Rims::Square]) } else { Rims::None }),
            color: None,
        },
        outfits: outfits(&mut chance, male),
        manner: Some(chance.of(&Temper::ALL)),
        hands: Some(chance.of(&Hands::ALL)),
        ..Design::default()
    }
}

fn features(chance: &mut Chance) -> Features {
    Features {
        width: chance.slide(0.35),
        length: chance.slide(0.35),
        jaw: chance.slide(0.35),
        chin: chance.slide(0.30),
        cheeks: chance.slide(0.35),
        eyes: chance.slide(0.30),
        open: chance.slide(0.25),
        slant: chance.slide(0.30),
        brows: chance.slide(0.35),
        nose: chance.slide(0.35),
        nose_width: chance.slide(0.30),
        bridge: chance.slide(0.35),
        mouth: chance.slide(0.30),
        lips: chance.slide(0.35),
        asymmetry: chance.slide(0.30),
    }
}

fn hair(chance: &mut Chance, male: bool, age: f64, dark: bool, first: &Member) -> HairCut {
    use HairStyle as H;
    let curly = matches!(first.alias, "amara" | "james");
    let style = match (male, curly) {
        (false, true) => chance.of(&[H::Afro, H::Bun, H::Curls]),
        (false, false) => chance.of(&[H::Long, H::Waves, H::Shoulder, H::Waves, H::Bob, H::Bun, H::TiedBack, H::Pixie]),
        (true, true) => chance.of(&[H::Bald, H::Crop, H::Curls]),
        (true, false) if age > 50.0 => chance.of(&[H::Short, H::Receding, H::Bald, H::SidePart]),
        (true, false) => chance.of(&[H::SidePart, H::Quiff, H::Short, H::Crop, H::Curls]),
    };
    let turned = age > 52.0 && chance.is(0.7);
    let color = match (turned, dark) {
        (true, _) => chance.paint(&GREY),
        (false, true) => chance.paint(&DARK),
        (false, false) => chance.paint(&FAIR),
    };
    HairCut {
        style: Some(style),
        color: Some(color),
        length: chance.slide(0.35),
        volume: chance.slide(0.35),
        other_side: chance.is(0.4),
    }
}

fn outfits(chance: &mut Chance, male: bool) -> Vec<Outfit> {
    let formal = if male { chance.of(&[Clothes::Suit, Clothes::OpenSuit]) } else { Clothes::Blazer };
    let outfit = |clothes: Clothes, color: Paint, chance: &mut Chance| Outfit {
        clothes,
        color,
        under: None,
        accent: matches!(clothes, Clothes::Suit).then(|| chance.paint(&CLOTHS)),
        name: String::new(),
    };
    let all = [formal, Clothes::Shirt, Clothes::Knit, Clothes::Tee];
    let mut out = Vec::new();
    for clothes in all {
        let color = if clothes == formal { chance.paint(&CLOTHS) } else { chance.paint(&TOPS) };
        out.push(outfit(clothes, color, chance));
    }
    out
}
