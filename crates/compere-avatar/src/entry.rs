//! What is told of a presenter, and how much of its figure there is to see.

use crate::{AvatarError, Want};

/// How a presenter is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// A lit three-dimensional character.
    Rig,
    /// A drawn character.
    Illustrated,
    /// The plain stand-in: needs no data, bakes at once.
    Figure,
    /// A person, out of footage of their own.
    Footage,
}

impl Style {
    pub fn name(self) -> &'static str {
        match self {
            Self::Rig => "rig",
            Self::Illustrated => "illustrated",
            Self::Figure => "figure",
            Self::Footage => "footage",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutfitInfo {
    pub id: String,
    pub aliases: Vec<String>,
    pub name: String,
}

/// The voice a presenter speaks a language with, unless the scene says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoiceDefault {
    /// BCP 47, such as `en-US`.
    pub language: String,
    pub voice: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresenterInfo {
    pub id: String,
    pub aliases: Vec<String>,
    pub name: String,
    /// `female`, `male` or `neutral`.
    pub gender: String,
    pub style: Style,
    /// The first one is the default.
    pub outfits: Vec<OutfitInfo>,
    pub voices: Vec<VoiceDefault>,
    pub licence: String,
    /// What tells one making of a presenter from another under the same id; empty of those who stay as they are.
    pub made: String,
}

impl PresenterInfo {
    /// Whether it is somebody's own, of footage or designed, and not one of the cast.
    pub fn is_own(&self) -> bool {
        self.style == Style::Footage || !self.made.is_empty()
    }

    pub fn answers_to(&self, id_or_alias: &str) -> bool {
        self.id == id_or_alias || self.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(id_or_alias))
    }

    /// The place of an outfit by id, alias or `presenter/alias`; empty means the first.
    pub fn outfit(&self, id_or_alias: &str) -> Result<usize, AvatarError> {
        if id_or_alias.is_empty() {
            return Ok(0);
        }
        let bare = match id_or_alias.split_once('/') {
            Some((presenter, outfit)) if self.answers_to(presenter) => outfit,
            _ => id_or_alias,
        };
        let answers = |outfit: &OutfitInfo| {
            outfit.id == bare || outfit.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(bare))
        };
        self.outfits.iter().position(answers).ok_or_else(|| AvatarError::UnknownOutfit {
            presenter: self.aliases.first().unwrap_or(&self.id).clone(),
            outfit: id_or_alias.to_owned(),
            known: self
                .outfits
                .iter()
                .map(|o| o.aliases.first().unwrap_or(&o.id).as_str())
                .collect::<Vec<_>>()
                .join(", "),
        })
    }
}

/// An info from bare words: presenters are declared as tables.
pub(crate) struct Entry<'a> {
    pub(crate) id: &'a str,
    pub(crate) alias: &'a str,
    pub(crate) name: &'a str,
    pub(crate) gender: &'a str,
    pub(crate) style: Style,
    /// Id, alias, name.
    pub(crate) outfits: &'a [(&'a str, &'a str, &'a str)],
    /// Language, voice.
    pub(crate) voices: &'a [(&'a str, &'a str)],
    pub(crate) licence: &'a str,
}

impl Entry<'_> {
    pub(crate) fn info(&self) -> PresenterInfo {
        let outfit = |&(id, alias, name): &(&str, &str, &str)| OutfitInfo {
            id: id.to_owned(),
            aliases: vec![alias.to_owned()],
            name: name.to_owned(),
        };
        let voice =
            |&(language, voice): &(&str, &str)| VoiceDefault { language: language.to_owned(), voice: voice.to_owned() };
        PresenterInfo {
            id: self.id.to_owned(),
            aliases: vec![self.alias.to_owned()],
            name: self.name.to_owned(),
            gender: self.gender.to_owned(),
            style: self.style,
            outfits: self.outfits.iter().map(outfit).collect(),
            voices: self.voices.iter().map(voice).collect(),
            licence: self.licence.to_owned(),
            made: String::new(),
        }
    }
}

/// How a figure of a given extent stands in a wanted rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stand {
    /// In the wanted rectangle, on even coordinates.
    pub(crate) rect: compere_media::Rect,
    /// Output pixels per model unit.
    pub(crate) unit: f32,
    /// Model height at the layer's upper edge.
    pub(crate) top: f32,
    /// Where the figure's axis is, in output pixels of the layer.
    pub(crate) middle: f32,
}

/// How much wider a figure is over its hands.
const HANDS: f32 = 1.2;

/// What of a figure is shown, in model units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) width: f32,
    pub(crate) top: f32,
    /// Lower edges: the whole figure, three quarters of it, down to the waist, head and shoulders.
    pub(crate) feet: f32,
    pub(crate) thighs: f32,
    pub(crate) waist: f32,
    pub(crate) chest: f32,
    /// How wide the head framing is.
    pub(crate) bust: f32,
    /// Height of the middle of the face, and of the face from brows to chin.
    pub(crate) face: [f32; 2],
    /// How far arms reach to either side: the layer may stand out of the rectangle by that much.
    pub(crate) reach: f32,
}

impl Extent {
    pub(crate) fn fit(&self, want: &Want) -> Result<Stand, AvatarError> {
        let (width, height) = (want.width, want.height);
        if !(16..=8192).contains(&width) || !(16..=8192).contains(&height) {
            return Err(AvatarError::BadSize { width, height });
        }
        match want.framing {
            crate::Framing::Body => Ok(self.standing(width, height)),
            crate::Framing::Head => Ok(self.at_the_bottom(width, height, self.bust, [self.chest; 2])),
            crate::Framing::Placed(face) => self.placed(width, height, face),
        }
    }

    /// A tall rectangle shows more of the figure.
    fn standing(&self, width: u32, height: u32) -> Stand {
        let tall = height as f32 / width as f32;
        let lows = if tall >= 2.4 {
            [self.feet; 2]
        } else if tall >= 1.6 {
            [self.thighs; 2]
        } else if tall >= 1.15 {
            // As far down as the width leaves room for: better than air over the head.
            [self.waist, self.waist - 1.2]
        } else {
            [self.chest; 2]
        };
        // Hands hang farther out than elbows.
        let wide = if tall >= 1.6 { HANDS * self.width } else { self.width };
        self.with_room_for_arms(self.at_the_bottom(width, height, wide, lows))
    }

    /// Standing on the lower edge, `wide` units of it in the picture, cut between the two heights.
    fn at_the_bottom(&self, width: u32, height: u32, wide: f32, [high, low]: [f32; 2]) -> Stand {
        let unit = (width as f32 / wide).min(height as f32 / (self.top - high));
        let low = (self.top - height as f32 / unit).clamp(low.max(self.feet), high);
        let even = |v: f32, most: u32| ((v / 2.0).ceil() as u32 * 2).clamp(2, most / 2 * 2);
        let (w, h) = (even(wide.max(self.width) * unit, width), even((self.top - low) * unit, height));
        let x = (width - w) as i32 / 4 * 2;
        let y = (height - h) as i32 / 2 * 2;
        let rect = compere_media::Rect::new(x, y, x + w as i32, y + h as i32);
        Stand { rect, unit, top: low + h as f32 / unit, middle: w as f32 * 0.5 }
    }

    /// With the face where it is wanted; the rectangle cuts.
    fn placed(&self, width: u32, height: u32, face: crate::FaceBox) -> Result<Stand, AvatarError> {
        let unit = face.height as f32 / self.face[1];
        let (middle, eyes) = (face.x as f32, face.y as f32);
        let reach = self.arms() * unit;
        let (top, bottom) = (eyes - (self.top - self.face[0]) * unit, eyes + (self.face[0] - self.feet) * unit);
        let whole = |v: f32, most: u32| (v.clamp(0.0, most as f32) as i32) / 2 * 2;
        let rect = compere_media::Rect::new(
            whole(middle - reach, width),
            whole(top, height),
            whole(middle + reach + 2.0, width),
            whole(bottom + 2.0, height),
        );
        if face.height == 0 || rect.is_empty() {
            return Err(AvatarError::OutOfSight { x: face.x, y: face.y, height: face.height });
        }
        let top = self.face[0] + (eyes - rect.y0 as f32) / unit;
        Ok(Stand { rect, unit, top, middle: middle - rect.x0 as f32 })
    }

    pub(crate) fn measures(&self) -> crate::Measures {
        let [middle, face] = self.face;
        crate::Measures {
            crown: (self.top - middle) / face,
            feet: (middle - self.feet) / face,
            width: self.width / face,
            reach: self.arms() / face,
        }
    }

    /// How far to either side of its middle a figure may be, gestures and all.
    fn arms(&self) -> f32 {
        (HANDS * self.width * 0.5).max(self.reach)
    }

    /// A layer that is wide enough for every gesture, about the same axis.
    fn with_room_for_arms(&self, stand: Stand) -> Stand {
        let Stand { rect, unit, middle, .. } = stand;
        let more = ((self.reach * unit - middle).max(0.0) / 2.0).ceil() as i32 * 2;
        let rect = compere_media::Rect::new(rect.x0 - more, rect.y0, rect.x1 + more, rect.y1);
        Stand { rect, middle: middle + more as f32, ..stand }
    }
}
