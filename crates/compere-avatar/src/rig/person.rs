//! What makes one presenter: shape, colours, hair and wardrobe.

use super::style::Style;
use super::v3::V3;

/// Linear light, 0 to 1.
pub(super) type Color = V3;

pub(super) struct Person {
    /// 0 female, 1 male.
    pub(super) male: f32,
    pub(super) age: f32,
    pub(super) weight: f32,
    pub(super) muscle: f32,
    pub(super) ideal: f32,
    pub(super) ancestry: &'static [(&'static str, f32)],
    /// Targets and weights; `#` stands for both sides. First what is shared with others of the cast.
    pub(super) common: &'static [(&'static str, f32)],
    pub(super) details: &'static [(&'static str, f32)],
    /// Degrees.
    pub(super) shoulder_drop: f32,
    pub(super) stance: Stance,
    pub(super) style: Style,
    pub(super) look: Look,
    pub(super) hair: Hair,
    pub(super) wardrobe: &'static [Outfit],
}

#[derive(Clone, Debug)]
pub(super) struct Look {
    pub(super) skin: Color,
    pub(super) lips: Color,
    pub(super) hair: Color,
    /// Strands are between `hair` and this.
    pub(super) sheen: Color,
    pub(super) iris: Color,
    pub(super) lash: Color,
    pub(super) brow: Color,
    /// Half thickness of the brows, in units.
    pub(super) brow_width: f32,
    /// How high they sit over the eye.
    pub(super) brow_height: f32,
    /// How high they arch, 1 being a well-kept bow.
    pub(super) brow_arch: f32,
    pub(super) lash_length: f32,
    pub(super) makeup: f32,
    pub(super) stubble: f32,
    /// A trimmed beard.
    pub(super) beard: f32,
    /// Lines of laughter and of years.
    pub(super) lines: f32,
    pub(super) freckles: f32,
    pub(super) glasses: Glasses,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Glasses {
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
pub(super) enum Hair {
    Long(LongCut),
    /// Cut short, combed to one side; `top` is the length on top.
    Short {
        top: f32,
        side: f32,
        sweep: f32,
        recede: f32,
    },
    /// A round cloud of tight curls.
    Curls {
        size: f32,
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

/// Hair that hangs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LongCut {
    /// Where it is parted, on a scale on which the head is about 1 wide at each side.
    pub(super) part: f32,
    /// How far it falls below the eyes, and how much shorter its upper layers are.
    pub(super) fall: f32,
    pub(super) layers: f32,
    pub(super) wave: f32,
    /// How strongly it gathers in locks.
    pub(super) locks: f32,
    /// How far over the skull it lies.
    pub(super) volume: f32,
    /// How far above the eyes a fringe ends; 0 for none.
    pub(super) fringe: f32,
    /// How far from the middle of the face it stays.
    pub(super) open: f32,
    /// How strongly the ends turn in.
    pub(super) turn_in: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cut {
    /// Jacket over a top.
    Blazer { tie: bool, shirt: bool },
    /// A shirt worn open at the neck.
    Shirt,
    /// A crew-neck of wool.
    Knit,
    /// A plain T-shirt.
    Tee,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Outfit {
    pub(super) id: &'static str,
    pub(super) alias: &'static str,
    pub(super) name: &'static str,
    pub(super) cut: Cut,
    /// Of the outer garment.
    pub(super) color: Color,
    /// Of what is under it.
    pub(super) under: Color,
    pub(super) tie: Color,
}

impl Outfit {
    /// A suit's are of its cloth; else what goes with it.
    pub(super) fn trousers(&self) -> Color {
        match self.cut {
            Cut::Blazer { shirt: true, .. } => self.color,
            Cut::Blazer { .. } => [0.030, 0.032, 0.040],
            Cut::Shirt => [0.040, 0.048, 0.070],
            Cut::Knit => [0.060, 0.062, 0.070],
            Cut::Tee => [0.050, 0.085, 0.160],
        }
    }

    pub(super) fn shoes(&self) -> Color {
        if self.cut == Cut::Tee { [0.62, 0.61, 0.59] } else { [0.022, 0.016, 0.013] }
    }
}

/// How somebody stands. Angles in degrees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stance {
    /// The chest turned to the picture's right.
    pub(super) turned: f32,
    /// The shoulder at the picture's right raised.
    pub(super) tilted: f32,
    /// The body against the head: a little smaller than life.
    pub(super) size: f32,
    /// How far the arms hang from the ribs: the picture's right one, and the left.
    pub(super) arms: [f32; 2],
    pub(super) rest: Arms,
}

/// Where arms rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Arms {
    /// Beside the thighs.
    Hang,
    /// Hands held behind the back.
    Back,
}
