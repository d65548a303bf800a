//! Lena and Omar.

use super::person::{Build, Garment, HairCut, Person, Skin, Tone, Under};
use crate::drawn::brush::Rgb3;

const fn tone(base: Rgb3, shade: Rgb3, light: Rgb3) -> Tone {
    Tone { base, shade, light }
}

pub(super) const LENA: Person = Person {
    skin: Skin {
        tone: tone([246, 208, 183], [231, 176, 150], [253, 224, 203]),
        deep: [196, 122, 101],
        blush: [238, 128, 112],
        lip: [214, 96, 92],
        lip_shade: [186, 72, 74],
    },
    hair: tone([206, 146, 78], [160, 100, 52], [234, 186, 116]),
    brow: [142, 92, 56],
    lash: [70, 42, 36],
    iris: tone([92, 132, 130], [44, 76, 84], [148, 186, 172]),
    jaw: [[0.775, 6.62], [0.735, 6.38], [0.56, 6.02], [0.27, 5.775], [0.0, 5.715]],
    cut: HairCut::Lob,
    beard: false,
    wing: 0.055,
    brow_width: 0.026,
    eye: 0.122,
    mouth: [0.285, 0.066, 0.098],
    build: Build { neck: 0.335, shoulder: 1.36, arm: 0.44, armpit: 1.16, waist: 0.93, hip: 1.22 },
};

pub(super) const OMAR: Person = Person {
    skin: Skin {
        tone: tone([206, 150, 110], [178, 120, 84], [222, 172, 132]),
        deep: [132, 80, 56],
        blush: [196, 104, 76],
        lip: [186, 104, 88],
        lip_shade: [152, 78, 68],
    },
    hair: tone([52, 42, 44], [32, 25, 29], [88, 74, 76]),
    brow: [40, 31, 33],
    lash: [36, 26, 28],
    iris: tone([108, 68, 42], [58, 34, 24], [164, 112, 66]),
    jaw: [[0.795, 6.62], [0.775, 6.36], [0.66, 5.98], [0.36, 5.70], [0.0, 5.625]],
    cut: HairCut::Quiff,
    beard: true,
    wing: 0.0,
    brow_width: 0.044,
    eye: 0.108,
    mouth: [0.285, 0.048, 0.078],
    build: Build { neck: 0.455, shoulder: 1.66, arm: 0.52, armpit: 1.44, waist: 1.22, hip: 1.33 },
};

const CREAM: Tone = tone([249, 240, 224], [226, 209, 188], [255, 250, 240]);
const WHITE: Tone = tone([246, 247, 250], [209, 215, 228], [255, 255, 255]);
const RUST: Tone = tone([196, 92, 62], [158, 66, 48], [217, 122, 86]);
const SKY: Tone = tone([158, 190, 218], [122, 155, 190], [189, 213, 234]);
const MUSTARD: Tone = tone([226, 166, 62], [192, 130, 42], [242, 194, 102]);
const MIDNIGHT: Tone = tone([44, 62, 94], [29, 42, 68], [64, 86, 124]);
const WINE: Tone = tone([160, 54, 64], [120, 36, 50], [190, 84, 88]);
const CAMEL: Tone = tone([196, 154, 106], [160, 119, 78], [218, 182, 138]);
const TEAL: Tone = tone([64, 142, 140], [42, 108, 110], [104, 176, 170]);
const SLATE: Tone = tone([98, 112, 132], [70, 82, 102], [132, 146, 166]);
const SAGE: Tone = tone([122, 154, 124], [90, 122, 98], [154, 182, 150]);

pub(super) const LENA_WEARS: [Garment; 4] = [
    Garment::Jacket { cloth: RUST, under: Under::Top(CREAM), pendant: true },
    Garment::Shirt { cloth: SKY },
    Garment::Knit { cloth: MUSTARD, roll: true },
    Garment::Tee { cloth: TEAL },
];

pub(super) const OMAR_WEARS: [Garment; 4] = [
    Garment::Jacket { cloth: MIDNIGHT, under: Under::Shirt(WHITE, WINE), pendant: false },
    Garment::Jacket { cloth: CAMEL, under: Under::Top(WHITE), pendant: false },
    Garment::Knit { cloth: SAGE, roll: false },
    Garment::Tee { cloth: SLATE },
];
