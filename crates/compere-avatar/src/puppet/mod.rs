//! The runtime of every presenter: baked plates, warped by the head's pose, with features repainted on the head.
//!
//! A plate is a picture at `scale` times the output's resolution. A grid of nodes over the output says where each
//! node's pixel is taken from; a pose moves the nodes, and a cell of the grid is repainted when one of its corners
//! moved or when a feature (mouth, eyes) under it was repainted. Node positions are whole numbers of 1/256 pixel
//! rounded to 1/8, so a head that hardly moves costs nothing, and damage is exact by construction.
//!
//! The warp is a picture warp with depth, not a turn in space: good to about eight degrees, more than presenters turn.

mod arms;
mod boxes;
mod field;
mod perform;
mod sample;
mod tiles;

use std::sync::Arc;

use compere_media::{Moving, Pixmap, Rect};

use crate::act::{self, Arms, Face, Habits, Track};
use crate::keep::{self, Keep, keep};
use crate::{Pack, Role};
pub(crate) use field::{Field, Influence};
use perform::Performance;
pub(crate) use sample::{bilinear, lay};
pub(crate) use tiles::{TILE, Tiles};

/// A baked picture and how it moves.
#[derive(Clone)]
pub(crate) struct Plate {
    pub(crate) picture: Pixmap,
    pub(crate) field: Field,
}

/// Paints the parts of the head that deform.
pub(crate) trait Features: Send + Sync {
    /// Rectangles of the head plate, in plate pixels, one per feature.
    fn rects(&self) -> Vec<Rect>;

    /// Whether a change from `a` to `b` shows in feature `which`.
    fn differs(&self, which: usize, a: &Face, b: &Face) -> bool;

    /// Repaints all of `rects()[which]` on `plate`, and nothing else.
    fn paint(&self, which: usize, face: &Face, plate: &mut Pixmap);

    /// Writes itself down, if it is worth keeping.
    fn keep(&self, _out: &mut Vec<u8>) {}

    /// A painter for one performance, where there is a finer one than whole features.
    fn artist(&self) -> Option<Box<dyn Artist>> {
        None
    }
}

/// Paints the features of one performance and remembers what it painted.
pub(crate) trait Artist: Send {
    /// Makes `plate` show `face` and marks every tile in which a pixel may differ from before. The plate holds what
    /// the call before left; what it shows afterwards depends on `face` alone.
    fn paint(&mut self, face: &Face, plate: &mut Pixmap, changed: &mut Tiles);
}

/// Repaints whole features.
struct Pieces {
    puppet: Arc<Puppet>,
    shown: Option<Face>,
}

impl Artist for Pieces {
    fn paint(&mut self, face: &Face, plate: &mut Pixmap, changed: &mut Tiles) {
        let features = &self.puppet.features;
        for (which, rect) in features.rects().into_iter().enumerate() {
            if self.shown.is_none_or(|shown| features.differs(which, &shown, face)) {
                features.paint(which, face, plate);
                changed.mark(rect);
            }
        }
        self.shown = Some(*face);
    }
}

keep!(Plate { picture, field });

/// Paints arms with their hands on a plate between body and head, or on the body's own.
pub(crate) trait Limbs: Send + Sync {
    /// How the plate follows the body; none of arms that are painted on the body, and go with it.
    fn field(&self) -> Option<&Field>;

    /// What `arms` look like, and where on the plate it lies. Depends on `arms` alone.
    fn paint(&self, arms: &Arms) -> (Pixmap, Rect);

    /// Writes itself down, if it is worth keeping.
    fn keep(&self, _out: &mut Vec<u8>) {}
}

/// A presenter of two plates.
pub(crate) struct Puppet {
    /// In the wanted rectangle.
    pub(crate) rect: Rect,
    /// Plate pixels per output pixel, in 1/256.
    pub(crate) scale: i32,
    /// Output pixels per model unit (a decimetre) and where the head turns, in output pixels of the layer.
    pub(crate) unit: f32,
    pub(crate) pivot: [f32; 2],
    /// Behind the body: hair that falls down the back.
    pub(crate) back: Option<Plate>,
    pub(crate) body: Plate,
    /// Arms that move by themselves.
    pub(crate) limbs: Option<Box<dyn Limbs>>,
    pub(crate) head: Plate,
    pub(crate) features: Box<dyn Features>,
}

impl Puppet {
    /// Those that are baked, back to front.
    fn plates(&self) -> impl Iterator<Item = &Plate> {
        self.back.iter().chain([&self.body, &self.head])
    }

    /// The fields of everything that is shown, back to front: arms, or the body that they are painted on, are the last but
    /// one.
    fn fields(&self) -> impl Iterator<Item = &Field> {
        let behind = self.back.iter().chain([&self.body]).map(|plate| &plate.field);
        behind.chain(self.limbs.as_ref().and_then(|limbs| limbs.field())).chain([&self.head.field])
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        (self.rect, self.scale).put(&mut out);
        (self.unit, self.pivot).put(&mut out);
        self.plates_kept(&mut out);
        self.features.keep(&mut out);
        if let Some(limbs) = &self.limbs {
            limbs.keep(&mut out);
        }
        keep::seal(&out)
    }

    fn plates_kept(&self, out: &mut Vec<u8>) {
        self.back.is_some().put(out);
        self.plates().for_each(|plate| plate.put(out));
    }

    /// A puppet whose features are of kind `F` and whose limbs are of kind `L`. `None` for anything that [`Self::to_bytes`] did not write.
    pub(crate) fn from_bytes<F: Features + Keep + 'static, L: Limbs + Keep + 'static>(bytes: &[u8]) -> Option<Self> {
        let mut body = keep::unseal(bytes)?;
        let body = &mut body;
        let (rect, scale) = Keep::take(body)?;
        let (unit, pivot) = Keep::take(body)?;
        let back = if bool::take(body)? { Some(Plate::take(body)?) } else { None };
        let (torso, head) = (Plate::take(body)?, Plate::take(body)?);
        let features = Box::new(F::take(body)?);
        let limbs: Option<Box<dyn Limbs>> = Some(Box::new(L::take(body)?));
        body.is_empty().then_some(Self { rect, scale, unit, pivot, back, body: torso, limbs, head, features })
    }
}

/// The shared end of a pack.
pub(crate) struct PuppetPack {
    pub(crate) puppet: Arc<Puppet>,
    pub(crate) habits: Habits,
}

impl Pack for PuppetPack {
    fn rect(&self) -> Rect {
        self.puppet.rect
    }

    fn perform(&self, role: Role) -> Box<dyn Moving> {
        Box::new(Performance::new(self.puppet.clone(), Track::new(&role, &self.habits)))
    }

    fn looks(&self, role: &Role) -> Vec<f32> {
        Track::new(role, &self.habits).looks(&self.habits)
    }

    fn sheet(&self) -> Vec<(&'static str, Pixmap)> {
        let still = |pose| Performance::new(self.puppet.clone(), Track::still(pose)).picture();
        act::sheet(&self.habits).into_iter().map(|(name, pose)| (name, still(pose))).collect()
    }

    fn still(&self, name: &str) -> Option<Pixmap> {
        let (_, pose) = act::sheet(&self.habits).into_iter().find(|still| still.0 == name)?;
        Some(Performance::new(self.puppet.clone(), Track::still(pose)).picture())
    }

    fn gestures(&self) -> Vec<(&'static str, Pixmap)> {
        if self.puppet.limbs.is_none() {
            return Vec::new();
        }
        let still = |pose| Performance::new(self.puppet.clone(), Track::still(pose)).picture();
        act::gestures(&self.habits).into_iter().map(|(name, pose)| (name, still(pose))).collect()
    }
}
