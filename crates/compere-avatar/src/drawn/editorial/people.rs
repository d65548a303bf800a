//! The six of them, and what they wear.

use super::person::{Below, Build, Garment, HairCut, Outfit, Person, Skin, Tone, Under};
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
    nose: 1.0,
    years: 0.0,
    crease: 1.0,
    glasses: None,
    earrings: None,
    wing: 0.055,
    brow_width: 0.026,
    eye: 0.122,
    mouth: [0.285, 0.066, 0.098],
    build: Build {
        neck: 0.335,
        shoulder: 1.36,
        arm: 0.44,
        armpit: 1.16,
        waist: 0.93,
        hip: 1.22,
        reach: 4.12,
        hand: 1.36,
    },
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
    nose: 1.16,
    years: 0.15,
    crease: 1.0,
    glasses: None,
    earrings: None,
    wing: 0.0,
    brow_width: 0.044,
    eye: 0.108,
    mouth: [0.285, 0.048, 0.078],
    build: Build {
        neck: 0.455,
        shoulder: 1.66,
        arm: 0.52,
        armpit: 1.44,
        waist: 1.22,
        hip: 1.33,
        reach: 4.40,
        hand: 1.52,
    },
};

pub(super) const AMINA: Person = Person {
    skin: Skin {
        tone: tone([228, 180, 144], [204, 146, 112], [240, 202, 168]),
        deep: [156, 96, 72],
        blush: [218, 118, 92],
        lip: [190, 88, 84],
        lip_shade: [156, 64, 66],
    },
    hair: tone([62, 124, 122], [40, 92, 94], [104, 164, 156]),
    brow: [58, 40, 36],
    lash: [36, 26, 26],
    iris: tone([104, 72, 44], [56, 36, 24], [160, 118, 70]),
    jaw: [[0.770, 6.62], [0.735, 6.36], [0.57, 6.02], [0.28, 5.78], [0.0, 5.715]],
    cut: HairCut::Scarf,
    beard: false,
    nose: 1.05,
    years: 0.22,
    crease: 1.0,
    glasses: None,
    earrings: None,
    wing: 0.060,
    brow_width: 0.034,
    eye: 0.124,
    mouth: [0.280, 0.070, 0.100],
    build: Build {
        neck: 0.335,
        shoulder: 1.38,
        arm: 0.46,
        armpit: 1.18,
        waist: 1.00,
        hip: 1.28,
        reach: 4.14,
        hand: 1.36,
    },
};

pub(super) const HENRIK: Person = Person {
    skin: Skin {
        tone: tone([241, 203, 180], [222, 170, 147], [250, 221, 203]),
        deep: [182, 116, 98],
        blush: [232, 130, 112],
        lip: [206, 126, 114],
        lip_shade: [176, 98, 92],
    },
    hair: tone([178, 178, 182], [134, 134, 144], [214, 214, 216]),
    brow: [142, 138, 138],
    lash: [78, 66, 64],
    iris: tone([92, 124, 156], [48, 70, 98], [150, 180, 204]),
    jaw: [[0.795, 6.62], [0.775, 6.36], [0.665, 5.98], [0.37, 5.70], [0.0, 5.62]],
    cut: HairCut::SidePart,
    beard: false,
    nose: 1.18,
    years: 1.0,
    crease: 1.1,
    glasses: Some([54, 48, 52]),
    earrings: None,
    wing: 0.0,
    brow_width: 0.042,
    eye: 0.104,
    mouth: [0.285, 0.040, 0.066],
    build: Build {
        neck: 0.450,
        shoulder: 1.62,
        arm: 0.53,
        armpit: 1.44,
        waist: 1.32,
        hip: 1.38,
        reach: 4.36,
        hand: 1.50,
    },
};

pub(super) const ZURI: Person = Person {
    skin: Skin {
        tone: tone([134, 84, 58], [104, 60, 42], [164, 110, 80]),
        deep: [66, 35, 27],
        blush: [160, 76, 54],
        lip: [160, 72, 72],
        lip_shade: [118, 48, 54],
    },
    hair: tone([50, 38, 38], [32, 24, 27], [96, 74, 68]),
    brow: [34, 25, 26],
    lash: [24, 17, 20],
    iris: tone([88, 54, 34], [46, 28, 20], [140, 94, 58]),
    jaw: [[0.775, 6.62], [0.745, 6.38], [0.575, 6.02], [0.29, 5.78], [0.0, 5.71]],
    cut: HairCut::Afro,
    beard: false,
    nose: 1.26,
    years: 0.0,
    crease: 1.0,
    glasses: None,
    earrings: Some([226, 180, 84]),
    wing: 0.060,
    brow_width: 0.032,
    eye: 0.126,
    mouth: [0.295, 0.086, 0.112],
    build: Build {
        neck: 0.325,
        shoulder: 1.34,
        arm: 0.44,
        armpit: 1.14,
        waist: 0.92,
        hip: 1.22,
        reach: 4.18,
        hand: 1.38,
    },
};

pub(super) const JUN: Person = Person {
    skin: Skin {
        tone: tone([242, 206, 172], [222, 174, 138], [250, 224, 196]),
        deep: [178, 118, 88],
        blush: [234, 138, 108],
        lip: [208, 122, 106],
        lip_shade: [176, 92, 84],
    },
    hair: tone([46, 42, 50], [28, 26, 33], [92, 90, 106]),
    brow: [40, 34, 38],
    lash: [30, 24, 28],
    iris: tone([78, 52, 38], [42, 28, 22], [126, 90, 62]),
    jaw: [[0.780, 6.62], [0.755, 6.38], [0.60, 6.00], [0.31, 5.74], [0.0, 5.66]],
    cut: HairCut::Crop,
    beard: false,
    nose: 1.06,
    years: 0.0,
    crease: 0.35,
    glasses: None,
    earrings: None,
    wing: 0.012,
    brow_width: 0.036,
    eye: 0.098,
    mouth: [0.275, 0.048, 0.076],
    build: Build {
        neck: 0.400,
        shoulder: 1.52,
        arm: 0.48,
        armpit: 1.30,
        waist: 1.08,
        hip: 1.24,
        reach: 4.30,
        hand: 1.46,
    },
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

const INK: Tone = tone([52, 58, 76], [36, 40, 56], [78, 86, 108]);
const STONE: Tone = tone([206, 196, 178], [174, 162, 144], [224, 216, 202]);
const DENIM: Tone = tone([74, 98, 138], [52, 72, 108], [104, 130, 168]);
const OLIVE: Tone = tone([104, 108, 84], [78, 82, 64], [134, 138, 112]);
const BROWN: Tone = tone([112, 72, 50], [80, 50, 36], [162, 114, 86]);
const BLACK: Tone = tone([46, 44, 50], [28, 26, 32], [96, 96, 106]);
const CHALK: Tone = tone([238, 236, 232], [204, 202, 202], [255, 255, 255]);

const fn wears(garment: Garment, below: Tone, shoes: Tone) -> Outfit {
    Outfit { garment, below: Below::Trousers(below), shoes }
}

const PLUM: Tone = tone([118, 70, 104], [88, 48, 80], [150, 102, 136]);
const SAND: Tone = tone([224, 206, 178], [194, 172, 142], [240, 228, 206]);
const NAVY: Tone = tone([52, 70, 112], [34, 48, 82], [82, 104, 150]);
const ASH: Tone = tone([122, 126, 136], [92, 96, 108], [156, 160, 170]);
const TWEED: Tone = tone([150, 122, 92], [116, 92, 68], [180, 152, 122]);
const BURGUNDY: Tone = tone([136, 48, 60], [102, 32, 46], [170, 80, 88]);
const CORAL: Tone = tone([226, 110, 92], [190, 80, 68], [242, 146, 126]);
const VIOLET: Tone = tone([124, 98, 168], [94, 70, 136], [156, 132, 196]);
const SUN: Tone = tone([244, 196, 84], [212, 156, 56], [252, 218, 130]);
const MINT: Tone = tone([170, 210, 190], [132, 176, 156], [200, 228, 212]);
const COBALT: Tone = tone([58, 96, 176], [40, 68, 138], [96, 134, 206]);
const COAL: Tone = tone([70, 72, 82], [48, 50, 60], [102, 106, 118]);

pub(super) const AMINA_WEARS: [Outfit; 4] = [
    wears(Garment::Jacket { cloth: SAND, under: Under::Top(WHITE), pendant: false }, INK, BROWN),
    wears(Garment::Shirt { cloth: WHITE }, NAVY, BLACK),
    Outfit {
        garment: Garment::Knit { cloth: PLUM, roll: false },
        below: Below::Skirt(PLUM, -6.85, BLACK),
        shoes: BLACK,
    },
    Outfit {
        garment: Garment::Jacket { cloth: NAVY, under: Under::Top(SKY), pendant: false },
        below: Below::Skirt(NAVY, -6.85, BLACK),
        shoes: BLACK,
    },
];

pub(super) const HENRIK_WEARS: [Outfit; 4] = [
    wears(Garment::Jacket { cloth: ASH, under: Under::Shirt(WHITE, NAVY), pendant: false }, ASH, BLACK),
    wears(Garment::Jacket { cloth: TWEED, under: Under::Top(CREAM), pendant: false }, OLIVE, BROWN),
    wears(Garment::Shirt { cloth: SKY }, NAVY, BROWN),
    wears(Garment::Knit { cloth: BURGUNDY, roll: false }, INK, BROWN),
];

pub(super) const ZURI_WEARS: [Outfit; 4] = [
    wears(Garment::Jacket { cloth: CORAL, under: Under::Top(WHITE), pendant: true }, CORAL, BROWN),
    wears(Garment::Shirt { cloth: WHITE }, DENIM, BROWN),
    Outfit {
        garment: Garment::Knit { cloth: VIOLET, roll: true },
        below: Below::Skirt(COAL, -2.75, BLACK),
        shoes: BLACK,
    },
    wears(Garment::Tee { cloth: SUN }, DENIM, CHALK),
];

pub(super) const JUN_WEARS: [Outfit; 4] = [
    wears(Garment::Jacket { cloth: COAL, under: Under::Top(WHITE), pendant: false }, COAL, CHALK),
    wears(Garment::Shirt { cloth: MINT }, INK, BROWN),
    wears(Garment::Knit { cloth: COBALT, roll: false }, STONE, CHALK),
    wears(Garment::Tee { cloth: COAL }, DENIM, CHALK),
];

pub(super) const LENA_WEARS: [Outfit; 4] = [
    wears(Garment::Jacket { cloth: RUST, under: Under::Top(CREAM), pendant: true }, INK, BROWN),
    wears(Garment::Shirt { cloth: SKY }, STONE, BROWN),
    Outfit {
        garment: Garment::Knit { cloth: MUSTARD, roll: true },
        below: Below::Skirt(INK, -2.75, BLACK),
        shoes: BLACK,
    },
    wears(Garment::Tee { cloth: TEAL }, DENIM, CHALK),
];

pub(super) const OMAR_WEARS: [Outfit; 4] = [
    wears(Garment::Jacket { cloth: MIDNIGHT, under: Under::Shirt(WHITE, WINE), pendant: false }, MIDNIGHT, BLACK),
    wears(Garment::Jacket { cloth: CAMEL, under: Under::Top(WHITE), pendant: false }, INK, BROWN),
    wears(Garment::Knit { cloth: SAGE, roll: false }, OLIVE, BROWN),
    wears(Garment::Tee { cloth: SLATE }, DENIM, CHALK),
];
