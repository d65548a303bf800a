//! Who there is.

use std::path::Path;
use std::sync::Arc;

use crate::{AvatarError, Presenter, Want, drawn, rig};

/// How a presenter is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// A lit three-dimensional character.
    Rig,
    /// A drawn character.
    Illustrated,
    /// The plain stand-in: needs no data, bakes at once.
    Figure,
}

impl Style {
    pub fn name(self) -> &'static str {
        match self {
            Self::Rig => "rig",
            Self::Illustrated => "illustrated",
            Self::Figure => "figure",
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
}

impl PresenterInfo {
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

/// All presenters.
pub struct Cast {
    infos: Vec<PresenterInfo>,
    members: Vec<Arc<dyn Presenter>>,
}

impl Cast {
    /// Presenters that need data look for it under `assets/avatars` when they are baked, not before: opening is
    /// instant and cannot fail.
    pub fn open(assets: &Path) -> Self {
        let mut members: Vec<Arc<dyn Presenter>> = rig::presenters(assets);
        members.extend(drawn::presenters());
        let infos = members.iter().map(|member| member.info().clone()).collect();
        Self { infos, members }
    }

    pub fn list(&self) -> &[PresenterInfo] {
        &self.infos
    }

    /// By id, or by alias in any case.
    pub fn get(&self, id_or_alias: &str) -> Option<Arc<dyn Presenter>> {
        self.members.iter().find(|member| member.info().answers_to(id_or_alias)).cloned()
    }
}

impl std::fmt::Debug for Cast {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.infos.iter().map(|info| &info.aliases)).finish()
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
}

/// What of a figure is shown, in model units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) width: f32,
    pub(crate) top: f32,
    /// Lower edges for the two framings.
    pub(crate) hips: f32,
    pub(crate) chest: f32,
    /// How wide the head framing is.
    pub(crate) bust: f32,
}

impl Extent {
    pub(crate) fn fit(&self, want: &Want) -> Result<Stand, AvatarError> {
        let (width, height) = (want.width, want.height);
        if !(16..=8192).contains(&width) || !(16..=8192).contains(&height) {
            return Err(AvatarError::BadSize { width, height });
        }
        let (low, wide) = match want.framing {
            crate::Framing::Body => (self.hips, self.width),
            crate::Framing::Head => (self.chest, self.bust),
        };
        let unit = (width as f32 / wide).min(height as f32 / (self.top - low));
        let even = |v: f32, most: u32| ((v / 2.0).ceil() as u32 * 2).clamp(2, most / 2 * 2);
        let (w, h) = (even(self.width * unit, width), even((self.top - low) * unit, height));
        let x = (width - w) as i32 / 4 * 2;
        let y = (height - h) as i32 / 2 * 2;
        let rect = compere_media::Rect::new(x, y, x + w as i32, y + h as i32);
        Ok(Stand { rect, unit, top: low + h as f32 / unit })
    }
}
