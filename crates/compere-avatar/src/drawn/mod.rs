//! Drawn presenters: a vector rig in model units, on the same runtime as the lit ones.
//!
//! The plain `figure` needs nothing and bakes in milliseconds: it is what tests and empty installations see.

mod brush;
mod editorial;
mod face;
mod look;
mod torso;

use std::sync::Arc;

use compere_media::{Pixmap, Rect};

use crate::act::{Ch, Face, Habits};
use crate::entry::{Entry, Extent, Stand};
use crate::maths::smooth;
use crate::puppet::{Features, Field, Influence, Plate, Puppet, PuppetPack};
use crate::{AvatarError, Measures, Pack, PackCache, Presenter, PresenterInfo, Style, Want};
use brush::{Brush, put_back, window};
use look::Look;

/// Where the drawn head turns.
const PIVOT_Y: f32 = 5.62;
const EXTENT: Extent = Extent {
    width: 4.9,
    top: 8.3,
    feet: -8.15,
    thighs: -1.4,
    waist: 3.0,
    chest: 4.55,
    bust: 3.7,
    face: [6.45, 1.5],
    reach: 0.0,
};
/// The mouth with the jaw, and the eyes with the brows, in model units: x0, y0, x1, y1.
const MOUTH: [f32; 4] = [-0.80, 5.45, 0.80, 6.62];
const EYES: [f32; 4] = [-0.86, 6.52, 0.86, 7.42];

struct Drawn {
    info: PresenterInfo,
    looks: Vec<Look>,
}

pub(crate) fn presenters() -> Vec<Arc<dyn Presenter>> {
    let licence = "drawn by this program; as the program";
    let english = [("en-US", "af_heart"), ("en-GB", "bf_emma"), ("de-DE", "espeak-de"), ("fr-FR", "ff_siwis")];
    let figure = Entry {
        id: "M000000001",
        alias: "figure",
        name: "Figure",
        gender: "neutral",
        style: Style::Figure,
        outfits: &[("BG00000011", "plain", "Plain"), ("BG00000012", "warm", "Warm"), ("BG00000013", "dark", "Dark")],
        voices: &english,
        licence,
    };
    let figure: Arc<dyn Presenter> = Arc::new(Drawn { info: figure.info(), looks: Look::figure() });
    editorial::presenters().into_iter().chain([figure]).collect()
}

impl Presenter for Drawn {
    fn info(&self) -> &PresenterInfo {
        &self.info
    }

    fn measures(&self) -> Measures {
        EXTENT.measures()
    }

    fn bake(&self, want: &Want, _cache: &dyn PackCache) -> Result<Arc<dyn Pack>, AvatarError> {
        let look = self.looks[self.info.outfit(&want.outfit)?].clone();
        let stand = EXTENT.fit(want)?;
        Ok(Arc::new(PuppetPack { puppet: Arc::new(puppet(look, &stand)), habits: Habits::default() }))
    }
}

/// Plate pixels and the model on them.
#[derive(Clone, Copy)]
struct Easel {
    unit: f32,
    width: f32,
    top: f32,
}

impl Easel {
    /// For a stand, and the plate's pixels per output pixel in 1/256.
    fn new(stand: &Stand) -> (Self, i32) {
        // Small pictures are drawn larger and read down: it keeps lines fine while the head moves.
        let scale: i32 = if stand.unit < 180.0 { 384 } else { 256 };
        let times = scale as f32 / 256.0;
        (Self { unit: stand.unit * times, width: 2.0 * stand.middle * times, top: stand.top }, scale)
    }

    /// An empty plate.
    fn canvas(&self, stand: &Stand) -> Pixmap {
        let side = |v: u32| (v as f32 * self.unit / stand.unit).ceil() as u32;
        Pixmap::new(side(stand.rect.width()), side(stand.rect.height()))
    }

    fn brush<'a>(&self, pixmap: &'a mut Pixmap, corner: [i32; 2]) -> Brush<'a> {
        Brush::new(pixmap, self.unit, self.width, self.top, corner)
    }

    /// Model box to plate pixels, grown outwards.
    fn rect(&self, [x0, y0, x1, y1]: [f32; 4]) -> Rect {
        let x = |v: f32| self.width * 0.5 + v * self.unit;
        let y = |v: f32| (self.top - v) * self.unit;
        Rect::new(x(x0).floor() as i32, y(y1).floor() as i32, x(x1).ceil() as i32, y(y0).ceil() as i32)
    }
}

fn puppet(look: Look, stand: &Stand) -> Puppet {
    let (width, height) = (stand.rect.width(), stand.rect.height());
    let (easel, scale) = Easel::new(stand);
    let mut body = easel.canvas(stand);
    torso::paint(&mut easel.brush(&mut body, [0, 0]), &look);
    let mut head = easel.canvas(stand);
    face::paint(&mut easel.brush(&mut head, [0, 0]), &look);
    let place = |x: f32, y: f32| ((x - stand.middle) / stand.unit, stand.top - y / stand.unit);
    let of_body = |x: f32, y: f32| {
        let (x, y) = place(x, y);
        torso_influence(x, y)
    };
    let of_head = |x: f32, y: f32| {
        let (x, y) = place(x, y);
        head_influence(x, y)
    };
    Puppet {
        rect: stand.rect,
        scale,
        unit: stand.unit,
        pivot: [stand.middle, (stand.top - PIVOT_Y) * stand.unit],
        back: None,
        limbs: None,
        body: Plate { picture: body, field: Field::new(width, height, of_body) },
        head: Plate { picture: head.clone(), field: Field::new(width, height, of_head) },
        features: Box::new(DrawnFace { look, easel, bare: head }),
    }
}

fn torso_influence(x: f32, y: f32) -> Influence {
    let neck = smooth(5.0, 5.7, y) * (1.0 - smooth(0.45, 0.9, x.abs()));
    let breath = smooth(2.6, 4.6, y) * (1.0 - smooth(5.0, 5.6, y));
    Influence { head: neck, depth: 0.2, breath }
}

/// A round head: depth from an ellipsoid around the pivot's axis.
fn head_influence(x: f32, y: f32) -> Influence {
    let (ex, ey) = (x / 0.95, (y - 6.8) / 1.25);
    let round = (1.0 - ex * ex - ey * ey).max(0.0).sqrt();
    let hanging = 1.0 - 0.85 * smooth(5.7, 4.7, y);
    Influence { head: hanging, depth: 0.15 + 0.95 * round, breath: 0.0 }
}

struct DrawnFace {
    look: Look,
    easel: Easel,
    /// The head without mouth and eyes.
    bare: Pixmap,
}

impl Features for DrawnFace {
    fn rects(&self) -> Vec<Rect> {
        vec![self.easel.rect(MOUTH), self.easel.rect(EYES)]
    }

    fn differs(&self, which: usize, a: &Face, b: &Face) -> bool {
        if which == 0 { a.mouth() != b.mouth() } else { a.eyes() != b.eyes() || a.get(Ch::Cheek) != b.get(Ch::Cheek) }
    }

    fn paint(&self, which: usize, face: &Face, plate: &mut Pixmap) {
        let rect = self.rects()[which];
        let mut part = window(&self.bare, rect);
        let mut brush = self.easel.brush(&mut part, [rect.x0, rect.y0]);
        if which == 0 {
            face::mouth(&mut brush, &self.look, face);
        } else {
            face::eyes(&mut brush, &self.look, face);
        }
        put_back(plate, &part, rect);
    }
}
