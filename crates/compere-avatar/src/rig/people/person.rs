//! What makes one presenter: shape, colours, hair and wardrobe.

use std::borrow::Cow;

use super::style::Style;
use crate::act::Idle;
use crate::rig::ground::v3::{V3, pow};

/// Linear light, 0 to 1.
pub(crate) type Color = V3;

/// What a colour of a screen is as light.
pub(crate) fn light_of(shown: [u8; 3]) -> Color {
    shown.map(|byte| {
        let v = f32::from(byte) / 255.0;
        if v <= 0.040_45 { v / 12.92 } else { pow((v + 0.055) / 1.055, 2.4) }
    })
}

pub(crate) fn shown_of(light: Color) -> [u8; 3] {
    light.map(|v| {
        let v = v.clamp(0.0, 1.0);
        let shown = if v <= 0.003_130_8 { v * 12.92 } else { 1.055 * pow(v, 1.0 / 2.4) - 0.055 };
        (shown * 255.0 + 0.5) as u8
    })
}

#[derive(Clone, Debug)]
pub(crate) struct Person {
    /// 0 female, 1 male.
    pub(crate) male: f32,
    pub(crate) age: f32,
    pub(crate) weight: f32,
    pub(crate) muscle: f32,
    pub(crate) ideal: f32,
    pub(crate) ancestry: Cow<'static, [(&'static str, f32)]>,
    /// Targets and weights; `#` stands for both sides. First what is shared with others of the cast.
    pub(crate) common: &'static [(&'static str, f32)],
    pub(crate) details: Cow<'static, [(&'static str, f32)]>,
    /// Degrees.
    pub(crate) shoulder_drop: f32,
    pub(crate) stance: Stance,
    pub(crate) tailor: Tailor,
    pub(crate) style: Style,
    pub(crate) look: Look,
    pub(crate) hair: Hair,
    pub(crate) wardrobe: Cow<'static, [Outfit]>,
}

#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub(crate) skin: Color,
    pub(crate) lips: Color,
    pub(crate) hair: Color,
    /// Strands are between `hair` and this.
    pub(crate) sheen: Color,
    pub(crate) iris: Color,
    pub(crate) lash: Color,
    pub(crate) brow: Color,
    /// Half thickness of the brows, in units.
    pub(crate) brow_width: f32,
    /// How high they sit over the eye.
    pub(crate) brow_height: f32,
    /// How high they arch, 1 being a well-kept bow.
    pub(crate) brow_arch: f32,
    pub(crate) lash_length: f32,
    pub(crate) makeup: f32,
    pub(crate) stubble: f32,
    /// A trimmed beard.
    pub(crate) beard: f32,
    /// Lines of laughter and of years.
    pub(crate) lines: f32,
    pub(crate) freckles: f32,
    pub(crate) glasses: Glasses,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Glasses {
    None,
    /// Of a width and a height against the usual, with a frame of this colour.
    Framed {
        wide: f32,
        high: f32,
        round: f32,
        color: Color,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Hair {
    Long(LongCut),
    /// Cut short, combed to one side; `top` is the length on top.
    Short {
        top: f32,
        side: f32,
        sweep: f32,
        recede: f32,
    },
    /// A round cloud of curls, tight or in ringlets.
    Curls {
        size: f32,
        loose: bool,
    },
    /// Swept back and tied: `knot` is the size of the bun, `high` its place, in degrees over the horizon.
    Tied {
        knot: f32,
        high: f32,
        part: f32,
    },
    Bald,
    /// A scarf that covers it.
    Scarf,
}

impl Hair {
    /// How far it stands over a head that is combed flat.
    pub(crate) fn rise(self) -> f32 {
        match self {
            Self::Curls { size, .. } => 0.75 * size,
            Self::Tied { knot, high, .. } => 1.2 * knot * (high / 90.0),
            Self::Short { top, .. } => 0.36 * top,
            _ => 0.0,
        }
    }

    /// How far from its outline what lies behind a head begins: only hair that hangs is seen there at all.
    pub(crate) fn hides(self) -> f32 {
        if matches!(self, Self::Long(_) | Self::Scarf) { 0.015 } else { 0.06 }
    }
}

/// Hair that hangs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LongCut {
    /// Where it is parted, on a scale on which the head is about 1 wide at each side.
    pub(crate) part: f32,
    /// How far it falls below the eyes, and how much shorter its upper layers are.
    pub(crate) fall: f32,
    pub(crate) layers: f32,
    pub(crate) wave: f32,
    /// How strongly it gathers in locks.
    pub(crate) locks: f32,
    /// How far over the skull it lies.
    pub(crate) volume: f32,
    /// How far from the middle of the face it stays.
    pub(crate) open: f32,
    /// How strongly the ends turn in.
    pub(crate) turn_in: f32,
    /// How strongly it draws in below the temples, to fall along the neck.
    pub(crate) slim: f32,
    /// The side, -1 or 1, at which all of it lies behind the shoulder; 0: none.
    pub(crate) behind: f32,
    /// Its outline at the sides: how far down from the middle of the head to the ends, 0 to 1, and how far out of the skull
    /// where that is widest.
    pub(crate) outline: [(f32, f32); 7],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cut {
    /// Jacket over a top.
    Blazer { tie: bool, shirt: bool },
    /// A shirt worn open at the neck.
    Shirt,
    /// A crew-neck of wool.
    Knit,
    /// A plain T-shirt.
    Tee,
}

#[derive(Clone, Debug)]
pub(crate) struct Outfit {
    pub(crate) id: Cow<'static, str>,
    pub(crate) alias: Cow<'static, str>,
    pub(crate) name: Cow<'static, str>,
    pub(crate) cut: Cut,
    /// Of the outer garment.
    pub(crate) color: Color,
    /// Of what is under it.
    pub(crate) under: Color,
    pub(crate) tie: Color,
}

impl Outfit {
    /// A suit's are of its cloth; else what goes with it.
    pub(crate) fn trousers(&self) -> Color {
        match self.cut {
            Cut::Blazer { shirt: true, .. } => self.color,
            Cut::Blazer { .. } => [0.030, 0.032, 0.040],
            Cut::Shirt => [0.040, 0.048, 0.070],
            Cut::Knit => [0.060, 0.062, 0.070],
            Cut::Tee => [0.050, 0.085, 0.160],
        }
    }

    pub(crate) fn shoes(&self) -> Color {
        if self.cut == Cut::Tee { [0.62, 0.61, 0.59] } else { [0.022, 0.016, 0.013] }
    }
}

/// How the jackets of somebody are cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tailor {
    pub(crate) lapel: Lapel,
    /// How broad lapels are, about 1.
    pub(crate) wide: f32,
    /// How far below the neck they close: 1.8 to 2.6.
    pub(crate) close: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lapel {
    /// A wedge between lapel and collar.
    Notch,
    /// One band from the button to the neck.
    Shawl,
}

/// How somebody stands. Angles in degrees.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stance {
    /// The chest turned to the picture's right.
    pub(crate) turned: f32,
    /// The shoulder at the picture's right raised.
    pub(crate) tilted: f32,
    /// The body against the head: a little smaller than life.
    pub(crate) size: f32,
    /// How far the arms hang from the ribs: the picture's right one, and the left.
    pub(crate) arms: [f32; 2],
    pub(crate) rest: Idle,
}
