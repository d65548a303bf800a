//! Lit presenters, modelled from the CC0 MakeHuman data and baked by our own renderer.
//!
//! Only the shapes are taken: skin, hair, cloth, eyes and light are procedural. No texture and no face of a person.

mod bake;
mod body;
mod cloth;
mod face;
mod ground;
mod hair;
mod light;
mod limbs;
mod people;
mod raster;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use compere_media::Gesture;

use crate::act::{Habits, Manner};
use crate::entry::{Entry, Extent};
use crate::puppet::{Puppet, PuppetPack};
use crate::{AvatarError, Measures, Pack, PackCache, Presenter, PresenterInfo, Sketch, Style, Want};
use body::sculpt::SOLES;
use face::Shared;
use ground::care::Care;
use ground::data::Library;
use people::member::Member;
use people::person::Outfit;

/// How much lower than the heels the lens sees the tips of shoes, and room for their shade on the ground.
const UNDER_SOLES: f32 = 1.12;

/// A little air over the hair; the soles just above the lower edge.
fn extent(member: &Member) -> Extent {
    let broad = member.person.male;
    Extent {
        width: 3.30 + 0.40 * broad,
        top: 8.2 + member.person.hair.rise(),
        feet: member.person.stance.soles(SOLES) - UNDER_SOLES,
        thighs: -0.2,
        waist: 3.6,
        chest: 4.8,
        bust: 3.05 + 0.40 * broad,
        face: member.face,
        reach: 2.75 + 0.20 * broad,
    }
}

/// The young are lively, the old formal; some let their arms hang, others hold their hands before them.
fn habits(member: &Member) -> Habits {
    let manner = match member.person.age {
        ..30.0 => Manner::Lively,
        ..55.0 => Manner::Calm,
        _ => Manner::Formal,
    };
    let rest = match member.person.stance.rest {
        people::person::Arms::Hang => Gesture::Relaxed,
        people::person::Arms::Meet => Gesture::Together,
    };
    Habits::of(member.id).with_manner(manner).solid(rest)
}

/// The data, read once and only when someone is baked.
struct Shelf {
    root: PathBuf,
    library: OnceLock<Result<Library, AvatarError>>,
}

impl Shelf {
    fn library(&self) -> Result<&Library, AvatarError> {
        self.library.get_or_init(|| Library::open(&self.root)).as_ref().map_err(Clone::clone)
    }
}

struct Rig {
    info: PresenterInfo,
    member: &'static Member,
    shelf: Arc<Shelf>,
}

pub(crate) fn presenters(assets: &Path) -> Vec<Arc<dyn Presenter>> {
    let shelf = Arc::new(Shelf { root: assets.join("avatars"), library: OnceLock::new() });
    let rig = |member: &'static Member| -> Arc<dyn Presenter> {
        Arc::new(Rig { info: info(member), member, shelf: shelf.clone() })
    };
    people::CAST.iter().map(rig).collect()
}

fn info(member: &Member) -> PresenterInfo {
    let outfits: Vec<_> = member.person.wardrobe.iter().map(|o| (o.id, o.alias, o.name)).collect();
    let entry = Entry {
        id: member.id,
        alias: member.alias,
        name: member.name,
        gender: if member.person.male > 0.5 { "male" } else { "female" },
        style: Style::Rig,
        outfits: &outfits,
        voices: member.voices,
        licence: "shape: CC0 1.0 (MakeHuman, MPFB, Face Units by Mika Suominen); all else as this program",
    };
    entry.info()
}

impl Presenter for Rig {
    fn info(&self) -> &PresenterInfo {
        &self.info
    }

    fn measures(&self) -> Measures {
        extent(self.member).measures()
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

    fn sketch(&self, want: &Want, cache: &dyn PackCache) -> Result<Sketch, AvatarError> {
        if let Some(puppet) = self.kept(&self.key(want)?, cache) {
            return Ok(Sketch { pack: self.pack(puppet), is_final: true });
        }
        Ok(Sketch { pack: self.pack(self.puppet(want, Care::Sketch)?), is_final: false })
    }
}

impl Rig {
    fn outfit(&self, want: &Want) -> Result<&'static Outfit, AvatarError> {
        Ok(&self.member.person.wardrobe[self.info.outfit(&want.outfit)?])
    }

    fn key(&self, want: &Want) -> Result<String, AvatarError> {
        let outfit = self.outfit(want)?.id;
        Ok(format!("{}/{outfit}/{}x{}/{:?}", self.info.id, want.width, want.height, want.framing))
    }

    fn kept(&self, key: &str, cache: &dyn PackCache) -> Option<Puppet> {
        cache.get(key).and_then(|bytes| Puppet::from_bytes::<Shared, limbs::Sleeves>(&bytes))
    }

    fn puppet(&self, want: &Want, care: Care) -> Result<Puppet, AvatarError> {
        let stand = extent(self.member).fit(want)?;
        bake::puppet(self.shelf.library()?, &self.member.person, self.outfit(want)?, &stand, care)
    }

    fn pack(&self, puppet: Puppet) -> Arc<dyn Pack> {
        Arc::new(PuppetPack { puppet: Arc::new(puppet), habits: habits(self.member) })
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
            let room = soles - extent(member).feet;
            assert!((0.8..1.4).contains(&room), "{}: {room} under {soles}", member.alias);
        }
    }
}
