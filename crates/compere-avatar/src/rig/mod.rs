//! Lit presenters, modelled from the CC0 MakeHuman data and baked by our own renderer.
//!
//! Only the shapes are taken: skin, hair, cloth, eyes and light are procedural. No texture and no face of a person.

mod bake;
mod body;
mod cloth;
pub(crate) mod design;
mod face;
mod ground;
mod hair;
mod light;
mod limbs;
mod people;
mod raster;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use compere_media::Pixmap;

use crate::act::{Habits, Manner};
use crate::entry::{Entry, Extent, OutfitInfo, Stand, VoiceDefault};
use crate::puppet::{Puppet, PuppetPack};
use crate::{AvatarError, Measures, Pack, PackCache, Presenter, PresenterInfo, Sketch, Style, Want};
use body::sculpt::SOLES;
use design::{Design, LogoPlace, Shaped, shaped};
use face::Shared;
use ground::care::Care;
use ground::data::Library;
use light::badge::Badge;
use people::member::Member;
use people::person::{Outfit, Person};

/// How much lower than the heels the lens sees the tips of shoes, and room for their shade on the ground.
const UNDER_SOLES: f32 = 0.56;

/// A little air over the hair; the soles just above the lower edge.
fn extent(person: &Person, face: [f32; 2]) -> Extent {
    let broad = person.male;
    Extent {
        width: 3.46 + 0.24 * broad,
        top: 8.2 + person.hair.rise(),
        feet: person.stance.soles(SOLES) - UNDER_SOLES,
        thighs: -0.2,
        waist: 3.6,
        chest: 4.8,
        bust: 3.05 + 0.40 * broad,
        face,
        reach: 3.86 + 0.38 * broad,
    }
}

/// The young are lively, the old formal; some let their arms hang, others hold their hands before them.
fn habits(id: &str, person: &Person, manner: Option<Manner>) -> Habits {
    let manner = manner.unwrap_or(match person.age {
        ..30.0 => Manner::Lively,
        ..55.0 => Manner::Calm,
        _ => Manner::Formal,
    });
    Habits::of(id).with_manner(manner).solid(person.stance.rest, person.stance.turned)
}

/// The data, read once and only when someone is baked.
pub(crate) struct Shelf {
    root: PathBuf,
    library: OnceLock<Result<Library, AvatarError>>,
}

impl Shelf {
    pub(crate) fn of(assets: &Path) -> Self {
        Self { root: assets.join("avatars"), library: OnceLock::new() }
    }

    fn library(&self) -> Result<&Library, AvatarError> {
        self.library.get_or_init(|| Library::open(&self.root)).as_ref().map_err(Clone::clone)
    }
}

struct Rig {
    info: PresenterInfo,
    person: Cow<'static, Person>,
    /// As `Member::face`.
    face: [f32; 2],
    habits: Habits,
    badge: Option<Badge>,
    /// In keys of packs, with an outfit: another design of the same presenter is baked anew.
    made: String,
    shelf: Arc<Shelf>,
}

pub(crate) fn presenters(shelf: &Arc<Shelf>) -> Vec<Arc<dyn Presenter>> {
    let rig = |member: &'static Member| -> Arc<dyn Presenter> {
        Arc::new(Rig {
            info: info(member),
            person: Cow::Borrowed(&member.person),
            face: member.face,
            habits: habits(member.id, &member.person, None),
            badge: None,
            made: member.id.to_owned(),
            shelf: Arc::clone(shelf),
        })
    };
    people::CAST.iter().map(rig).collect()
}

/// Makes presenters of designs, of the cast's own data.
#[derive(Clone)]
pub struct Designer {
    pub(crate) shelf: Arc<Shelf>,
}

impl std::fmt::Debug for Designer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Designer").finish_non_exhaustive()
    }
}

impl Designer {
    /// Opening is instant and cannot fail, as with a cast.
    pub fn open(assets: &Path) -> Self {
        Self { shelf: Arc::new(Shelf::of(assets)) }
    }

    /// A presenter of that id. `logo` is the design's, decoded.
    pub fn presenter(&self, id: &str, design: &Design, logo: Option<&Pixmap>) -> Arc<dyn Presenter> {
        let Shaped { person, face, manner, .. } = shaped(design);
        let badge = badge(design, logo);
        Arc::new(Rig {
            info: told_of(id, design),
            habits: habits(id, &person, manner),
            person: Cow::Owned(person),
            face,
            badge,
            // What is kept of it goes with its owner's wish.
            made: format!("own {id} {}", print(design)),
            shelf: Arc::clone(&self.shelf),
        })
    }
}

impl Designer {
    /// One picture of a design, smiling, before a plain wall: there many times sooner than a presenter would be.
    pub fn glance(
        &self,
        design: &Design,
        logo: Option<&Pixmap>,
        outfit: &str,
        size: [u32; 2],
    ) -> Result<Pixmap, AvatarError> {
        let Shaped { person, face, .. } = shaped(design);
        let worn = &person.wardrobe[told_of("design", design).outfit(outfit)?];
        let badge = badge(design, logo);
        let draw = |stand: &Stand| {
            let smiling = crate::act::smiling();
            bake::glance(self.shelf.library()?, &person, worn, badge.as_ref(), stand, &smiling)
        };
        crate::portraits::framed(size, |want| {
            let stand = extent(&person, face).fit(&want)?;
            Ok((stand.rect, draw(&stand)?))
        })
    }
}

fn badge(design: &Design, logo: Option<&Pixmap>) -> Option<Badge> {
    let (picture, logo) = logo.zip(design.logo.as_ref())?;
    Some(Badge::new(picture, logo.place == LogoPlace::Lapel, logo.size, design::printed))
}

/// What is told of a designed presenter.
pub fn told_of(id: &str, design: &Design) -> PresenterInfo {
    let Shaped { person, voices, .. } = shaped(design);
    let outfit = |worn: &Outfit| OutfitInfo {
        id: worn.id.to_string(),
        aliases: vec![worn.alias.to_string()],
        name: worn.name.to_string(),
    };
    PresenterInfo {
        id: id.to_owned(),
        aliases: Vec::new(),
        name: design.name.clone(),
        gender: gender(&person).to_owned(),
        style: Style::Rig,
        outfits: person.wardrobe.iter().map(outfit).collect(),
        voices: voices.into_iter().map(|(language, voice)| VoiceDefault { language, voice }).collect(),
        licence: LICENCE.to_owned(),
        made: print(design),
    }
}

/// A design's own mark.
fn print(design: &Design) -> String {
    let text = serde_json::to_vec(design).unwrap_or_default();
    blake3::hash(&text).to_hex()[..16].to_owned()
}

const LICENCE: &str = "shape: CC0 1.0 (MakeHuman, MPFB, Face Units by Mika Suominen); all else as this program";

fn gender(person: &Person) -> &'static str {
    if person.male > 0.5 { "male" } else { "female" }
}

fn info(member: &Member) -> PresenterInfo {
    let outfits: Vec<_> = member.person.wardrobe.iter().map(|o| (&*o.id, &*o.alias, &*o.name)).collect();
    let entry = Entry {
        id: member.id,
        alias: member.alias,
        name: member.name,
        gender: gender(&member.person),
        style: Style::Rig,
        outfits: &outfits,
        voices: member.voices,
        licence: LICENCE,
    };
    entry.info()
}

impl Presenter for Rig {
    fn info(&self) -> &PresenterInfo {
        &self.info
    }

    fn measures(&self) -> Measures {
        extent(&self.person, self.face).measures()
    }

    fn bake(&self, want: &Want, cache: &dyn PackCache) -> Result<Arc<dyn Pack>, AvatarError> {
        let key = self.key(want)?;
        let puppet = match self.kept(&key, cache) {
            Some(puppet) => puppet,
            None => {
                let puppet = self.puppet(want, Care::Full)?;
                cache.put(&key, &puppet.to_bytes());
                puppet
            }
        };
        Ok(self.pack(puppet))
    }

    fn kept_as(&self, want: &Want) -> Option<String> {
        self.key(want).ok()
    }

    fn sketch(&self, want: &Want, cache: &dyn PackCache) -> Result<Sketch, AvatarError> {
        if let Some(puppet) = self.kept(&self.key(want)?, cache) {
            return Ok(Sketch { pack: self.pack(puppet), is_final: true });
        }
        Ok(Sketch { pack: self.pack(self.puppet(want, Care::Sketch)?), is_final: false })
    }
}

impl Rig {
    fn outfit(&self, want: &Want) -> Result<&Outfit, AvatarError> {
        Ok(&self.person.wardrobe[self.info.outfit(&want.outfit)?])
    }

    fn key(&self, want: &Want) -> Result<String, AvatarError> {
        let outfit = &self.outfit(want)?.id;
        Ok(format!("{}/{outfit}/{}x{}/{:?}", self.made, want.width, want.height, want.framing))
    }

    fn kept(&self, key: &str, cache: &dyn PackCache) -> Option<Puppet> {
        cache.get(key).and_then(|bytes| Puppet::from_bytes::<Shared, limbs::Sleeves>(&bytes))
    }

    fn puppet(&self, want: &Want, care: Care) -> Result<Puppet, AvatarError> {
        let stand = extent(&self.person, self.face).fit(want)?;
        bake::puppet(self.shelf.library()?, &self.person, self.outfit(want)?, self.badge.as_ref(), &stand, care)
    }

    fn pack(&self, puppet: Puppet) -> Arc<dyn Pack> {
        Arc::new(PuppetPack { puppet: Arc::new(puppet), habits: self.habits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_figures_stand_on_their_soles() {
        let library = Library::open(&crate::tests::assets().join("avatars")).expect("the data");
        for member in people::CAST.iter().filter(|member| ["nora", "mei", "layla", "tom"].contains(&member.alias)) {
            let body = body::sculpt::sculpt(&library, &member.person).expect("a body");
            let low = body.posed.iter().zip(&body.arms).filter(|(_, arm)| **arm < 0.3).map(|(p, _)| p[1]);
            let low = low.fold(f32::MAX, f32::min);
            let neck = body.neck[1];
            let soles = neck + (low - neck) * member.person.stance.size;
            let room = soles - extent(&member.person, member.face).feet;
            assert!((0.2..0.9).contains(&room), "{}: {room} under {soles}", member.alias);
        }
    }
}
