//! Presenters of one's own choosing: a small file of words, colours and sliders, from which a person is made the way those
//! of the cast are.
//!
//! Faces are what a sculptor made for the cast, one of them or several mixed; a design says how far its own leaves that.
//! What it leaves open is as the faces have it, so a design of one face and nothing else is that member of the cast.

mod chance;
mod made;
mod read;
mod seen;
mod styles;
mod words;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub(crate) use made::{Shaped, shaped};
pub use read::{SLIDERS, Slider, Slip};
pub use words::{Beard, Clothes, HairStyle, Hands, LogoPlace, Paint, Rims, Temper};

/// Outfits of one presenter.
pub const OUTFITS: usize = 4;
/// Faces that are mixed.
pub const FACES: usize = 4;

/// What somebody designed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Design {
    pub name: String,
    /// Members of the cast by alias, all women or all men, with their shares.
    pub faces: BTreeMap<String, f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub age: Option<f64>,
    #[serde(default)]
    pub face: Features,
    #[serde(default)]
    pub body: Build,
    #[serde(default)]
    pub skin: Skin,
    #[serde(default)]
    pub eyes: Eyes,
    #[serde(default)]
    pub hair: HairCut,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beard: Option<Beard>,
    #[serde(default)]
    pub glasses: Glasses,
    /// Those of the first face where there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outfits: Vec<Outfit>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logo: Option<Logo>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manner: Option<Temper>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hands: Option<Hands>,
    /// Voice by language; those of the first face where there is none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub voices: BTreeMap<String, String>,
}

/// How far the face leaves those it is mixed of: -1 to 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Features {
    pub width: f64,
    pub length: f64,
    pub jaw: f64,
    pub chin: f64,
    pub cheeks: f64,
    pub eyes: f64,
    pub open: f64,
    pub slant: f64,
    pub brows: f64,
    pub nose: f64,
    pub nose_width: f64,
    pub bridge: f64,
    pub mouth: f64,
    pub lips: f64,
    pub asymmetry: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Build {
    pub weight: f64,
    pub shoulders: f64,
    pub neck: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Skin {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<Paint>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lips: Option<Paint>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub freckles: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub makeup: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Eyes {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<Paint>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct HairCut {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<HairStyle>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<Paint>,
    pub length: f64,
    pub volume: f64,
    /// Parted, or combed, to the other side.
    pub other_side: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Glasses {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rims: Option<Rims>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<Paint>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Outfit {
    pub clothes: Clothes,
    pub color: Paint,
    /// Of what is under a jacket.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under: Option<Paint>,
    /// Of tie or headscarf.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accent: Option<Paint>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Logo {
    /// `data:image/png;base64,…`
    pub picture: String,
    #[serde(default)]
    pub place: LogoPlace,
    #[serde(default)]
    pub size: f64,
}

/// A colour of a logo, as it is painted on cloth.
pub(crate) fn printed(shown: [u8; 3]) -> crate::rig::people::person::Color {
    seen::cloth(Paint(shown))
}

/// Words of a field.
type Known = fn() -> Vec<&'static str>;

fn known<const N: usize, W: Copy>(all: [W; N], spelled: fn(W) -> &'static str) -> Vec<&'static str> {
    all.into_iter().map(spelled).collect()
}

impl Design {
    /// Fields that take one of a few words.
    pub const WORDS: [(&'static str, Known); 7] = [
        ("hair.style", || known(HairStyle::ALL, HairStyle::as_str)),
        ("beard", || known(Beard::ALL, Beard::as_str)),
        ("glasses.rims", || known(Rims::ALL, Rims::as_str)),
        ("outfits[].clothes", || known(Clothes::ALL, Clothes::as_str)),
        ("logo.place", || known(LogoPlace::ALL, LogoPlace::as_str)),
        ("manner", || known(Temper::ALL, Temper::as_str)),
        ("hands", || known(Hands::ALL, Hands::as_str)),
    ];

    /// What somebody wrote, or everything that is wrong with it.
    pub fn read(value: &serde_json::Value) -> Result<Self, Vec<Slip>> {
        read::read(value)
    }

    /// A member of the cast, with everything said that is left open in a design of its face alone.
    pub fn of(alias: &str) -> Option<Self> {
        made::spelled_out(alias)
    }

    /// Somebody who might be met: the same for the same seed.
    pub fn by_chance(seed: u64) -> Self {
        chance::met(seed)
    }

    /// The name of whoever has most of the face.
    pub fn likest(&self) -> &'static str {
        made::faces(self).first().map_or("nora", |(member, _)| member.alias)
    }

    pub fn is_male(&self) -> bool {
        made::faces(self).first().is_some_and(|(member, _)| member.person.male > 0.5)
    }
}

/// Whose faces may be mixed: alias, name, and whether male.
pub fn sitters() -> impl Iterator<Item = (&'static str, &'static str, bool)> {
    crate::rig::people::CAST.iter().map(|member| (member.alias, member.name, member.person.male > 0.5))
}

#[cfg(test)]
mod tests;
