//! A kept presenter as a member of the cast.

use std::path::PathBuf;
use std::sync::Arc;

use compere_avatar::{
    AvatarError, Designer, FaceBox, Framing, Guests, Measures, OutfitInfo, Pack, PackCache, Presenter, PresenterInfo,
    Style, VoiceDefault, Want, told_of,
};
use compere_codec::Sandbox;
use compere_media::Rect;

use crate::build::Face;
use crate::error::OwnError;
use crate::figure::{FigurePack, figure};
use crate::footage::Footage;
use crate::ground::Ground;
use crate::matte::{Cut, Matte};
use crate::photo::PhotoPack;
use crate::store::{self, Consent, Kind, Manifest, Store};
use crate::synth::{Base, FootagePack, PackParts, Reel, stitched};
use crate::track::pose::Canon;

/// Goes up when the same presenter is baked otherwise.
const METHOD: u32 = 4;

/// Everyone who is kept and approved, as members of the cast.
pub fn presenters(store: &Store, sandbox: &Sandbox, designer: &Designer) -> Vec<Arc<dyn Presenter>> {
    let wearers = store.list().into_iter().filter(|one| one.is_approved() && one.outfit_of.is_none());
    wearers.map(|manifest| member(store, sandbox, designer, manifest)).collect()
}

/// What an account may be told of presenters of footage: of its own, and of those that belong to nobody.
pub fn shown_to(store: &Store, account: &str) -> Vec<PresenterInfo> {
    store.shown_to(account).iter().map(|manifest| info(manifest, &store.outfits_of(&manifest.id))).collect()
}

fn member(store: &Store, sandbox: &Sandbox, designer: &Designer, manifest: Manifest) -> Arc<dyn Presenter> {
    match &manifest.design {
        Some(design) => {
            let logo = design.logo.as_ref().and_then(|logo| store.logo(&manifest.id, &logo.picture));
            designer.presenter(&manifest.id, design, logo.as_ref())
        }
        None => filmed(store, sandbox, manifest),
    }
}

pub(crate) fn filmed(store: &Store, sandbox: &Sandbox, manifest: Manifest) -> Arc<dyn Presenter> {
    let outfits = store.outfits_of(&manifest.id);
    let info = info(&manifest, &outfits);
    let worn = |manifest: Manifest| Filmed { folder: store.folder(&manifest.id), manifest, sandbox: sandbox.clone() };
    Arc::new(FootagePresenter { info, filmed: worn(manifest), others: outfits.into_iter().map(worn).collect() })
}

/// A presenter of footage in one size, for whoever measures it, with the person's face.
pub(crate) fn pack(
    store: &Store,
    sandbox: &Sandbox,
    id: &str,
    want: &Want,
    cache: &dyn PackCache,
) -> Result<(FootagePack, Canon), OwnError> {
    let manifest = store.find(id).filter(|one| one.kind == Kind::Footage);
    let manifest = manifest.ok_or_else(|| OwnError::Footage(format!("{id} is no presenter of footage")))?;
    let filmed = Filmed { folder: store.folder(id), manifest, sandbox: sandbox.clone() };
    let (bank, _) = crate::bytes::from_bytes(&store::bank(&filmed.folder)?)?;
    Ok((filmed.of_footage(want, cache)?, bank.canon))
}

/// Whoever is kept and approved, looked for when asked for: they come and go while a worker stays.
#[derive(Clone, Debug)]
pub struct Troupe {
    pub store: Store,
    pub sandbox: Sandbox,
    pub designer: Designer,
}

impl Guests for Troupe {
    fn find(&self, id: &str) -> Option<Arc<dyn Presenter>> {
        let manifest = self.store.find(id).filter(|one| one.is_approved() && one.outfit_of.is_none())?;
        Some(member(&self.store, &self.sandbox, &self.designer, manifest))
    }
}

#[derive(Debug)]
struct FootagePresenter {
    info: PresenterInfo,
    filmed: Filmed,
    /// The same in other clothes, in the order of the outfits that are told.
    others: Vec<Filmed>,
}

/// Somebody in the clothes they were filmed in.
#[derive(Debug)]
struct Filmed {
    manifest: Manifest,
    folder: PathBuf,
    sandbox: Sandbox,
}

fn info(manifest: &Manifest, outfits: &[Manifest]) -> PresenterInfo {
    if let Some(design) = &manifest.design {
        let told = told_of(&manifest.id, design);
        return PresenterInfo { aliases: alias(&manifest.name).into_iter().collect(), ..told };
    }
    let voice = match manifest.gender.as_str() {
        "male" => "am_michael",
        _ => "af_heart",
    };
    let [id, aka, name] = match manifest.kind {
        Kind::Footage => ["footage", "as-filmed", "As filmed"],
        Kind::Photo => ["photo", "as-photographed", "As photographed"],
        Kind::Model | Kind::Design => ["model", "as-modelled", "As modelled"],
    };
    let outfit = OutfitInfo { id: id.to_owned(), aliases: vec![aka.to_owned()], name: name.to_owned() };
    PresenterInfo {
        id: manifest.id.clone(),
        aliases: alias(&manifest.name).into_iter().collect(),
        name: manifest.name.clone(),
        gender: manifest.gender.clone(),
        style: Style::Footage,
        outfits: std::iter::once(outfit).chain(outfits.iter().map(worn)).collect(),
        voices: vec![VoiceDefault { language: "en-US".to_owned(), voice: voice.to_owned() }],
        licence: licence(manifest),
        made: String::new(),
    }
}

/// Other clothes, as scenes name them.
fn worn(manifest: &Manifest) -> OutfitInfo {
    let aliases = alias(&manifest.name).into_iter().collect();
    OutfitInfo { id: manifest.id.clone(), aliases, name: manifest.name.clone() }
}

fn licence(manifest: &Manifest) -> String {
    let Consent { person, date, purpose, .. } = &manifest.consent;
    match manifest.kind {
        Kind::Model if person.is_empty() => format!("A model of your own: {purpose}"),
        Kind::Model => format!("A model of your own; {person} answers for its licence: {purpose}"),
        _ => format!("A presenter of your own; {person} agreed on {date} to: {purpose}"),
    }
}

/// A name as scene files write it: `Ada Lovelace` is `ada-lovelace`.
fn alias(name: &str) -> Option<String> {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let alias = words.map(str::to_lowercase).collect::<Vec<_>>().join("-");
    (!alias.is_empty()).then_some(alias)
}

/// How much of the footage is shown, and how large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fit {
    /// All of the footage.
    scaled: (u32, u32),
    /// The part of that which is shown.
    part: Rect,
    /// Where it lies in the wanted rectangle.
    rect: Rect,
}

/// Footage of a size, with a face in it, as a rectangle wants it: all of it, or the person who is cut out of it.
fn fit(want: &Want, (width, height): (u32, u32), face: &Face, cut: Option<Cut>) -> Fit {
    let (width, height) = (f64::from(width), f64::from(height));
    let seen = cut.unwrap_or(Cut { left: 0.0, right: width, top: 0.0 });
    let (wide, tall) = (f64::from(want.width), f64::from(want.height));
    let (scale, left, top) = match want.framing {
        Framing::Body => {
            let scale = (wide / (seen.right - seen.left)).min(tall / (height - seen.top));
            (scale, wide / 2.0 - (seen.left + seen.right) / 2.0 * scale, tall - height * scale)
        }
        Framing::Head => {
            // Shoulders are some three faces apart, and the crown is one above the face's middle.
            let scale = (wide / (face.height * 2.9)).min(tall / (face.height * 3.1));
            (scale, wide / 2.0 - face.x * scale, tall / 2.0 - (face.y + 0.35 * face.height) * scale)
        }
        Framing::Placed(FaceBox { x, y, height }) => {
            let scale = f64::from(height) / face.height;
            (scale, f64::from(x) - face.x * scale, f64::from(y) - face.y * scale)
        }
    };
    let even = |length: f64| ((length / 2.0).round() as u32 * 2).clamp(2, 16_384);
    let mut scaled = (even(width * scale), even(height * scale));
    let mut corner = [left, top].map(|at| (at / 2.0).round() as i32 * 2);
    let whole = (want.width / 2 * 2, want.height / 2 * 2);
    if want.framing == Framing::Body {
        // Rounding neither cuts a row nor leaves one below the feet.
        if cut.is_none() {
            scaled = (scaled.0.min(whole.0), scaled.1.min(whole.1));
            corner[0] = (whole.0 - scaled.0) as i32 / 4 * 2;
        }
        corner[1] = whole.1 as i32 - scaled.1 as i32;
    }
    let all = Rect::of_size(scaled.0, scaled.1).shifted(corner[0], corner[1]);
    let rect = all.intersect(Rect::of_size(whole.0, whole.1));
    // A face that is placed outside of the rectangle leaves a corner that shows nothing.
    let rect = if rect.is_empty() { Rect::new(0, 0, 2, 2) } else { rect };
    let part = rect.shifted(-corner[0], -corner[1]).intersect(Rect::of_size(scaled.0, scaled.1));
    let part = if part.is_empty() { Rect::new(0, 0, 2, 2) } else { part };
    Fit { scaled, part, rect }
}

impl Filmed {
    fn baked(&self, want: &Want, cache: &dyn PackCache) -> Result<Arc<dyn Pack>, OwnError> {
        match self.manifest.kind {
            Kind::Footage => Ok(Arc::new(self.of_footage(want, cache)?)),
            Kind::Photo => self.of_photo(want),
            Kind::Model => self.of_model(want),
            Kind::Design => Err(OwnError::Damaged(format!("{}: a design without parameters", self.manifest.id))),
        }
    }

    fn of_model(&self, want: &Want) -> Result<Arc<dyn Pack>, OwnError> {
        let figure = figure(&store::model(&self.folder), &self.sandbox)?;
        let fit = fit(want, (self.manifest.width, self.manifest.height), &self.manifest.face, None);
        Ok(Arc::new(FigurePack::new(&self.manifest.id, figure, fit.scaled, fit.part, fit.rect)))
    }

    fn cut(&self) -> Option<Cut> {
        let Manifest { cut, face, width, height, .. } = &self.manifest;
        cut.map(|cut| cut.with(face, (*width, *height)))
    }

    /// Bending a portrait takes no longer than reading it: nothing is kept.
    fn of_photo(&self, want: &Want) -> Result<Arc<dyn Pack>, OwnError> {
        let (photo, picture) = store::photo(&self.folder)?;
        let matte = store::matte(&self.folder, &self.manifest)?;
        let fit = fit(want, (photo.width, photo.height), &self.manifest.face, self.cut());
        let photo = (&photo, &picture[..], matte.as_ref());
        let pack = PhotoPack::new(&self.manifest.id, photo, fit.scaled, fit.part, fit.rect)?;
        Ok(Arc::new(pack))
    }

    fn of_footage(&self, want: &Want, cache: &dyn PackCache) -> Result<FootagePack, OwnError> {
        let bytes = store::bank(&self.folder)?;
        let (mut bank, mut ground) = crate::bytes::from_bytes(&bytes)?;
        let fit = fit(want, (self.manifest.width, self.manifest.height), &self.manifest.face, self.cut());
        let scale = f64::from(fit.scaled.0) / f64::from(self.manifest.width);
        let part = |pose: &crate::track::pose::Similarity| {
            pose.of_scaled(scale).of_part(f64::from(fit.part.x0), f64::from(fit.part.y0))
        };
        ground.posed.poses = ground.posed.poses.iter().map(part).collect();
        let limit = Rect::of_size(fit.part.width(), fit.part.height());
        let id = &self.manifest.id;
        let key = format!("own {id} {METHOD} {} {:?} {:?}", blake3::hash(&bytes).to_hex(), fit.scaled, fit.part);
        let base = match cache.get(&key).and_then(|bytes| Base::from_bytes(&bytes)) {
            Some(base) => base,
            None => {
                let base = self.base(&ground, &fit, stitched(&bank, &ground, limit))?;
                cache.put(&key, &base.to_bytes());
                base
            }
        };
        let patches = store::patches(&self.folder, bank.lips.len())?;
        let model = bank.model.take().ok_or_else(|| OwnError::Damaged("the presenter's model".to_owned()))?;
        Ok(FootagePack::new(PackParts { bank, model, patches, base, ground, rect: fit.rect }))
    }
}

impl Filmed {
    /// What films are made on, in the size of the film.
    fn base(&self, ground: &Ground, fit: &Fit, face: Rect) -> Result<Base, OwnError> {
        let still = Footage::open(&self.sandbox, &store::base(&self.folder), "the base take")?;
        let matte: Vec<Matte> = store::matte(&self.folder, &self.manifest)?.into_iter().collect();
        let silent = ground.ends[0];
        let mut reels = vec![Reel { footage: &still, pictures: silent, mattes: &matte }];
        let spoken = ground.posed.poses.len() - silent;
        if spoken == 0 {
            return Base::of(&reels, fit.scaled, fit.part, face);
        }
        let talk = Footage::open(&self.sandbox, &store::talk(&self.folder), "what is spoken of the base")?;
        let mattes = store::talk_mattes(&self.folder, &self.manifest)?;
        reels.push(Reel { footage: &talk, pictures: spoken, mattes: &mattes });
        Base::of(&reels, fit.scaled, fit.part, face)
    }
}

impl Filmed {
    fn measures(&self) -> Measures {
        let Manifest { width, height, face, .. } = &self.manifest;
        let faces = |pixels: f64| (pixels / face.height) as f32;
        let (width, height) = (f64::from(*width), f64::from(*height));
        let feet = faces(height - face.y);
        match self.cut() {
            Some(Cut { left, right, top }) => Measures {
                crown: faces(face.y - top),
                feet,
                width: faces(right - left),
                reach: faces((face.x - left).max(right - face.x)),
            },
            None => Measures { crown: faces(face.y), feet, width: faces(width), reach: faces(width) / 2.0 },
        }
    }
}

impl FootagePresenter {
    fn in_outfit(&self, outfit: &str) -> Result<&Filmed, AvatarError> {
        let at = self.info.outfit(outfit)?;
        Ok(at.checked_sub(1).and_then(|other| self.others.get(other)).unwrap_or(&self.filmed))
    }
}

impl Presenter for FootagePresenter {
    fn info(&self) -> &PresenterInfo {
        &self.info
    }

    fn measures(&self) -> Measures {
        self.filmed.measures()
    }

    fn measures_in(&self, outfit: &str) -> Measures {
        self.in_outfit(outfit).unwrap_or(&self.filmed).measures()
    }

    fn bake(&self, want: &Want, cache: &dyn PackCache) -> Result<Arc<dyn Pack>, AvatarError> {
        let worn = self.in_outfit(&want.outfit)?;
        let (width, height) = (want.width, want.height);
        if !(16..=8192).contains(&width) || !(16..=8192).contains(&height) {
            return Err(AvatarError::BadSize { width, height });
        }
        worn.baked(want, cache).map_err(|error| AvatarError::Footage(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACE: Face = Face { x: 640.0, y: 300.0, height: 160.0 };

    fn want(width: u32, height: u32, framing: Framing) -> Want {
        Want { outfit: String::new(), width, height, framing }
    }

    #[test]
    fn a_body_stands_on_the_bottom_edge_and_a_placed_face_lies_where_it_is_wanted() {
        let body = fit(&want(400, 400, Framing::Body), (1280, 720), &FACE, None);
        assert_eq!((body.rect, body.part), (Rect::new(0, 174, 400, 400), Rect::new(0, 0, 400, 226)));
        let placed = Framing::Placed(FaceBox { x: 100, y: 90, height: 80 });
        let placed = fit(&want(300, 300, placed), (1280, 720), &FACE, None);
        // Half as large; the face's middle is at (320, 150) of the scaled footage.
        assert_eq!(placed.scaled, (640, 360));
        assert_eq!((placed.rect, placed.part), (Rect::new(0, 0, 300, 300), Rect::new(220, 60, 520, 360)));
    }

    #[test]
    fn who_is_cut_out_fills_the_rectangle_without_what_was_around() {
        let cut = Some(Cut { left: 440.0, right: 840.0, top: 120.0 });
        let body = fit(&want(400, 600, Framing::Body), (1280, 720), &FACE, cut);
        // As wide as the person, who is 400 pixels wide and 600 high.
        assert_eq!(
            (body.scaled, body.part, body.rect),
            ((1280, 720), Rect::new(440, 120, 840, 720), Rect::of_size(400, 600))
        );
        // A lower rectangle leaves room at both sides, and the person stands in its middle.
        let low = fit(&want(400, 300, Framing::Body), (1280, 720), &FACE, cut);
        assert_eq!((low.scaled, low.rect.y1, low.part.y1), ((640, 360), 300, 360));
        assert_eq!((low.part.x0 + low.part.x1, low.rect.x0 + low.rect.x1), (640, 400));
    }

    #[test]
    fn every_fit_is_even_and_inside() {
        for (width, height) in [(17, 400), (401, 303), (64, 64), (1081, 1921)] {
            for framing in [Framing::Body, Framing::Head, Framing::Placed(FaceBox { x: -900, y: 20, height: 30 })] {
                let fit = fit(&want(width, height, framing), (721, 1281), &FACE, None);
                let sides = [fit.part.x0, fit.part.y0, fit.part.x1, fit.part.y1, fit.rect.x0, fit.rect.y0];
                assert!(sides.iter().all(|side| side % 2 == 0), "{fit:?}");
                assert!(Rect::of_size(fit.scaled.0, fit.scaled.1).contains(fit.part), "{fit:?}");
                assert!(Rect::of_size(width, height).contains(fit.rect), "{fit:?}");
                assert_eq!((fit.rect.width(), fit.rect.height()), (fit.part.width(), fit.part.height()), "{fit:?}");
            }
        }
    }
}
