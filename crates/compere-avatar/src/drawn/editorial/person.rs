//! What makes one illustrated presenter: palette, proportions, hair and wardrobe.

use crate::drawn::brush::Rgb3;

/// A surface in light and in shadow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tone {
    pub(super) base: Rgb3,
    pub(super) shade: Rgb3,
    pub(super) light: Rgb3,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Skin {
    pub(super) tone: Tone,
    /// Creases, nostrils, the shadow of the chin.
    pub(super) deep: Rgb3,
    pub(super) blush: Rgb3,
    /// The lower lip, in the light; the upper one.
    pub(super) lip: Rgb3,
    pub(super) lip_shade: Rgb3,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HairCut {
    /// To the shoulders, parted on one side.
    Lob,
    /// Short at the sides, combed up in waves.
    Quiff,
    /// Round, of small curls.
    Afro,
    /// Short, parted, the temples gone back.
    SidePart,
    /// Straight, with a fringe.
    Crop,
    /// None to be seen: a headscarf, in the hair's tones.
    Scarf,
}

/// Half widths, in model units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Build {
    pub(super) neck: f32,
    pub(super) shoulder: f32,
    /// How thick the upper arm is.
    pub(super) arm: f32,
    pub(super) armpit: f32,
    pub(super) waist: f32,
    pub(super) hip: f32,
    /// From shoulder to wrist, and from there to the tip of the middle finger.
    pub(super) reach: f32,
    pub(super) hand: f32,
}

/// A face from the cheekbones to the chin: half widths at given heights. The last is the chin.
pub(super) type Jaw = [[f32; 2]; 5];

#[derive(Clone, Copy, Debug)]
pub(super) struct Person {
    pub(super) skin: Skin,
    pub(super) hair: Tone,
    pub(super) brow: Rgb3,
    pub(super) lash: Rgb3,
    pub(super) iris: Tone,
    pub(super) jaw: Jaw,
    pub(super) cut: HairCut,
    pub(super) beard: bool,
    /// Half width of the nose against the usual.
    pub(super) nose: f32,
    /// How much the years have drawn: 0 to 1.
    pub(super) years: f32,
    /// How deep the crease of the upper lid is, 1 being usual.
    pub(super) crease: f32,
    /// The frame's colour.
    pub(super) glasses: Option<Rgb3>,
    pub(super) earrings: Option<Rgb3>,
    /// Length of the lashes' wing and thickness of the brows.
    pub(super) wing: f32,
    pub(super) brow_width: f32,
    /// How tall the eyes are when open.
    pub(super) eye: f32,
    /// Half width of the mouth, thickness of upper and lower lip.
    pub(super) mouth: [f32; 3],
    pub(super) build: Build,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Under {
    /// A plain top with a round neck.
    Top(Tone),
    /// A shirt, with a tie of the second tone.
    Shirt(Tone, Tone),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Garment {
    Jacket {
        cloth: Tone,
        under: Under,
        pendant: bool,
    },
    /// A shirt with an open collar.
    Shirt {
        cloth: Tone,
    },
    Knit {
        cloth: Tone,
        roll: bool,
    },
    Tee {
        cloth: Tone,
    },
}

/// What arms wear.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sleeve {
    pub(super) cloth: Tone,
    /// To above the elbow.
    pub(super) short: bool,
    /// What shows between sleeve and hand.
    pub(super) cuff: Option<Tone>,
}

impl Garment {
    pub(super) fn sleeve(&self) -> Sleeve {
        match *self {
            Self::Jacket { cloth, under: Under::Shirt(shirt, _), .. } => {
                Sleeve { cloth, short: false, cuff: Some(shirt) }
            }
            Self::Jacket { cloth, .. } | Self::Shirt { cloth } | Self::Knit { cloth, .. } => {
                Sleeve { cloth, short: false, cuff: None }
            }
            Self::Tee { cloth } => Sleeve { cloth, short: true, cuff: None },
        }
    }
}

/// Below the hips.
#[derive(Clone, Copy, Debug)]
pub(super) enum Below {
    Trousers(Tone),
    /// Down to a height, with what covers the legs under it.
    Skirt(Tone, f32, Tone),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Outfit {
    pub(super) garment: Garment,
    pub(super) below: Below,
    pub(super) shoes: Tone,
}
