//! Words and colours of designs.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::act::Idle;
use crate::rig::people::person::{Color, light_of, shown_of};

compere_media::words! {
    /// How hair is worn.
    pub enum HairStyle {
        Long = "long",
        Waves = "waves",
        Shoulder = "shoulder",
        Bob = "bob",
        Bun = "bun",
        TiedBack = "tied-back",
        Curls = "curls",
        Afro = "afro",
        Pixie = "pixie",
        SidePart = "side-part",
        Quiff = "quiff",
        Short = "short",
        Crop = "crop",
        Receding = "receding",
        Bald = "bald",
        Headscarf = "headscarf",
    }
}

compere_media::words! {
    pub enum Beard { None = "none", Stubble = "stubble", Short = "short", Full = "full" }
}

compere_media::words! {
    /// The shape of glasses.
    pub enum Rims { None = "none", Round = "round", Oval = "oval", Square = "square" }
}

compere_media::words! {
    pub enum Clothes {
        Suit = "suit",
        OpenSuit = "open-suit",
        Blazer = "blazer",
        Shirt = "shirt",
        Knit = "knit",
        Tee = "tee",
    }
}

compere_media::words! {
    pub enum LogoPlace { Chest = "chest", Lapel = "lapel" }
}

#[expect(clippy::derivable_impls, reason = "the words have no attribute for it")]
impl Default for LogoPlace {
    fn default() -> Self {
        Self::Chest
    }
}

compere_media::words! {
    /// How somebody presents.
    pub enum Temper { Calm = "calm", Lively = "lively", Formal = "formal" }
}

compere_media::words! {
    /// Where hands rest.
    pub enum Hands {
        Together = "together",
        Crossed = "crossed",
        Beside = "beside",
        Folded = "folded",
        Hip = "hip",
        Steepled = "steepled",
        Wrist = "wrist",
        Tablet = "tablet",
    }
}

/// A colour as screens show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint(pub [u8; 3]);

impl Paint {
    /// `#1e6b7a`
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
        let pair = |at: usize| u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok();
        Some(Self([pair(0)?, pair(1)?, pair(2)?]))
    }

    pub(crate) fn light(self) -> Color {
        light_of(self.0)
    }

    pub(crate) fn of_light(light: Color) -> Self {
        Self(shown_of(light))
    }
}

impl std::fmt::Display for Paint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [r, g, b] = self.0;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

impl Serialize for Paint {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Paint {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Self::parse(&text).ok_or_else(|| de::Error::custom("must be a colour such as `#1e6b7a`"))
    }
}

impl Hands {
    pub(crate) fn idle(self) -> Idle {
        match self {
            Self::Together => Idle::Together,
            Self::Crossed => Idle::Crossed,
            Self::Beside => Idle::Beside,
            Self::Folded => Idle::Folded,
            Self::Hip => Idle::Hip,
            Self::Steepled => Idle::Steepled,
            Self::Wrist => Idle::Wrist,
            Self::Tablet => Idle::Tablet,
        }
    }

    pub(crate) fn of(idle: Idle) -> Self {
        match idle {
            Idle::Together => Self::Together,
            Idle::Crossed => Self::Crossed,
            Idle::Beside => Self::Beside,
            Idle::Folded => Self::Folded,
            Idle::Hip => Self::Hip,
            Idle::Steepled => Self::Steepled,
            Idle::Wrist => Self::Wrist,
            Idle::Tablet => Self::Tablet,
        }
    }
}
