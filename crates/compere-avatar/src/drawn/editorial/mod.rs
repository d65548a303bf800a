//! Illustrated presenters: flat editorial drawings in two soft tones, without outlines.
//!
//! A person is a palette, some proportions and a wardrobe ([`person`]); everything else is shapes through knots, in
//! model units, so that any size is sharp. The mouth is repainted together with the jaw, the beard and the shadows on
//! them, since they all follow it; the eyes on skin that stands still; hair lies over both and is drawn once.
//!
//! The two features' rectangles never overlap: whichever was painted last would show where they did.

mod arm;
mod cuts;
mod eyes;
mod figure;
mod hair;
mod hand;
mod head;
mod hull;
mod knots;
mod legs;
mod mouth;
mod people;
mod person;
mod strands;
mod wardrobe;

use std::sync::Arc;

use compere_media::{Pixmap, Rect};

use super::Easel;
use super::brush::{put_back, window};
use crate::act::{Arms, Ch, Face, Habits, Manner};
use crate::entry::{Entry, Extent, Stand};
use crate::maths::smooth;
use crate::puppet::{Features, Field, Influence, Limbs, Plate, Puppet, PuppetPack};
use crate::{AvatarError, Measures, Pack, PackCache, Presenter, PresenterInfo, Style, Want};
use person::{HairCut, Outfit, Person, Sleeve};

const PIVOT_Y: f32 = 5.62;
const EXTENT: Extent = Extent {
    width: 4.5,
    top: 8.62,
    feet: -8.15,
    thighs: -1.4,
    waist: 3.0,
    chest: 4.45,
    bust: 3.6,
    face: [6.45, 1.5],
    reach: 4.6,
};
/// The mouth with cheeks and jaw, and the eyes with the brows, in model units: x0, y0, x1, y1.
const MOUTH: [f32; 4] = [-0.88, 5.36, 0.88, 6.61];
const EYES: [f32; 4] = [-0.72, 6.61, 0.72, 7.45];

const LICENCE: &str = "drawn by this program; as the program";

struct Illustrated {
    info: PresenterInfo,
    person: Person,
    wardrobe: &'static [Outfit],
    manner: Manner,
}

pub(super) fn presenters() -> Vec<Arc<dyn Presenter>> {
    let lena = Entry {
        id: "M000000201",
        alias: "lena",
        name: "Lena",
        gender: "female",
        style: Style::Illustrated,
        outfits: &[
            ("BG00002011", "blazer", "Rust blazer"),
            ("BG00002012", "shirt", "Sky blue shirt"),
            ("BG00002013", "knit", "Mustard roll-neck"),
            ("BG00002014", "tee", "Teal T-shirt"),
        ],
        voices: &[("en-US", "af_heart"), ("en-GB", "bf_emma"), ("fr-FR", "ff_siwis"), ("es-ES", "ef_dora")],
        licence: LICENCE,
    };
    let omar = Entry {
        id: "M000000202",
        alias: "omar",
        name: "Omar",
        gender: "male",
        style: Style::Illustrated,
        outfits: &[
            ("BG00002021", "suit", "Midnight suit"),
            ("BG00002022", "casual", "Camel jacket"),
            ("BG00002023", "knit", "Sage knit"),
            ("BG00002024", "tee", "Slate T-shirt"),
        ],
        voices: &[("en-US", "am_michael"), ("en-GB", "bm_george"), ("es-ES", "em_alex"), ("de-DE", "espeak-de")],
        licence: LICENCE,
    };
    let amina = Entry {
        id: "M000000203",
        alias: "amina",
        name: "Amina",
        gender: "female",
        style: Style::Illustrated,
        outfits: &[
            ("BG00002031", "blazer", "Sand blazer"),
            ("BG00002032", "shirt", "White shirt"),
            ("BG00002033", "dress", "Plum dress"),
            ("BG00002034", "suit", "Navy suit"),
        ],
        voices: &[("en-US", "af_heart"), ("en-GB", "bf_emma"), ("fr-FR", "ff_siwis"), ("es-ES", "ef_dora")],
        licence: LICENCE,
    };
    let henrik = Entry {
        id: "M000000204",
        alias: "henrik",
        name: "Henrik",
        gender: "male",
        style: Style::Illustrated,
        outfits: &[
            ("BG00002041", "suit", "Grey suit"),
            ("BG00002042", "casual", "Tweed jacket"),
            ("BG00002043", "shirt", "Sky blue shirt"),
            ("BG00002044", "knit", "Burgundy knit"),
        ],
        voices: &[("en-US", "am_michael"), ("en-GB", "bm_george"), ("es-ES", "em_alex"), ("de-DE", "espeak-de")],
        licence: LICENCE,
    };
    let zuri = Entry {
        id: "M000000205",
        alias: "zuri",
        name: "Zuri",
        gender: "female",
        style: Style::Illustrated,
        outfits: &[
            ("BG00002051", "blazer", "Coral suit"),
            ("BG00002052", "shirt", "White shirt"),
            ("BG00002053", "knit", "Violet roll-neck"),
            ("BG00002054", "tee", "Yellow T-shirt"),
        ],
        voices: &[("en-US", "af_heart"), ("en-GB", "bf_emma"), ("fr-FR", "ff_siwis"), ("es-ES", "ef_dora")],
        licence: LICENCE,
    };
    let jun = Entry {
        id: "M000000206",
        alias: "jun",
        name: "Jun",
        gender: "male",
        style: Style::Illustrated,
        outfits: &[
            ("BG00002061", "jacket", "Charcoal jacket"),
            ("BG00002062", "shirt", "Mint shirt"),
            ("BG00002063", "knit", "Cobalt knit"),
            ("BG00002064", "tee", "Charcoal T-shirt"),
        ],
        voices: &[("en-US", "am_michael"), ("en-GB", "bm_george"), ("es-ES", "em_alex"), ("de-DE", "espeak-de")],
        licence: LICENCE,
    };
    let member = |entry: Entry<'_>, person, wardrobe, manner| {
        Arc::new(Illustrated { info: entry.info(), person, wardrobe, manner }) as Arc<dyn Presenter>
    };
    vec![
        member(lena, people::LENA, &people::LENA_WEARS, Manner::Lively),
        member(omar, people::OMAR, &people::OMAR_WEARS, Manner::Calm),
        member(amina, people::AMINA, &people::AMINA_WEARS, Manner::Formal),
        member(henrik, people::HENRIK, &people::HENRIK_WEARS, Manner::Formal),
        member(zuri, people::ZURI, &people::ZURI_WEARS, Manner::Lively),
        member(jun, people::JUN, &people::JUN_WEARS, Manner::Lively),
    ]
}

impl Presenter for Illustrated {
    fn info(&self) -> &PresenterInfo {
        &self.info
    }

    fn measures(&self) -> Measures {
        EXTENT.measures()
    }

    fn bake(&self, want: &Want, _cache: &dyn PackCache) -> Result<Arc<dyn Pack>, AvatarError> {
        let outfit = &self.wardrobe[self.info.outfit(&want.outfit)?];
        let puppet = Arc::new(puppet(self.person, outfit, &EXTENT.fit(want)?));
        Ok(Arc::new(PuppetPack { puppet, habits: Habits::of(&self.info.id).with_manner(self.manner) }))
    }
}

fn puppet(person: Person, outfit: &Outfit, stand: &Stand) -> Puppet {
    let (easel, scale) = Easel::new(stand);
    let (width, height) = (stand.rect.width(), stand.rect.height());
    let mut body = easel.canvas(stand);
    wardrobe::paint(&mut easel.brush(&mut body, [0, 0]), &person, outfit);
    let mut bare = easel.canvas(stand);
    head::bare(&mut easel.brush(&mut bare, [0, 0]), &person, &Face::default());
    let mut hair = easel.canvas(stand);
    hair::front(&mut easel.brush(&mut hair, [0, 0]), &person);
    let mut head = bare.clone();
    head.draw(&hair, 0, 0);
    let field = |influence: fn(f32, f32) -> Influence| {
        Field::new(width, height, |x, y| influence((x - stand.middle) / stand.unit, stand.top - y / stand.unit))
    };
    let back = matches!(person.cut, HairCut::Lob | HairCut::Afro).then(|| {
        let mut picture = easel.canvas(stand);
        hair::back(&mut easel.brush(&mut picture, [0, 0]), &person);
        Plate { picture, field: field(back_influence) }
    });
    Puppet {
        rect: stand.rect,
        scale,
        unit: stand.unit,
        pivot: [stand.middle, (stand.top - PIVOT_Y) * stand.unit],
        back,
        limbs: Some(Box::new(Sleeves {
            person,
            sleeve: outfit.garment.sleeve(),
            easel,
            cloth: body.data().iter().map(|pixel| pixel[3]).collect(),
            size: [body.width(), body.height()],
            field: field(torso_influence),
        })),
        body: Plate { picture: body, field: field(torso_influence) },
        head: Plate { picture: head, field: field(head_influence) },
        features: Box::new(Drawing { person, easel, bare, hair }),
    }
}

fn torso_influence(x: f32, y: f32) -> Influence {
    let neck = smooth(5.15, 5.75, y) * (1.0 - smooth(0.45, 0.9, x.abs()));
    let breath = smooth(2.4, 4.6, y) * (1.0 - smooth(5.0, 5.6, y));
    Influence { head: neck, depth: 0.2, breath }
}

/// A round face with a nose in front of it; hair that hangs to the shoulders follows less.
fn head_influence(x: f32, y: f32) -> Influence {
    let (ex, ey) = (x / 1.05, (y - 6.85) / 1.5);
    let round = (1.0 - ex * ex - ey * ey).max(0.0).sqrt();
    let (nx, ny) = (x / 0.30, (y - 6.5) / 0.40);
    let nose = smooth(0.0, 1.0, 1.0 - nx * nx - ny * ny);
    let fringe = 0.20 * smooth(7.45, 7.9, y);
    let hanging = 1.0 - 0.8 * smooth(5.6, 4.8, y);
    Influence { head: hanging, depth: 0.10 + 0.95 * round + 0.22 * nose + fringe, breath: 0.0 }
}

/// Behind the head: it swings the other way.
fn back_influence(_x: f32, y: f32) -> Influence {
    Influence { head: 1.0 - 0.8 * smooth(5.7, 4.8, y), depth: -0.45, breath: 0.0 }
}

/// The arms of an illustrated presenter.
struct Sleeves {
    person: Person,
    sleeve: Sleeve,
    easel: Easel,
    /// How solid the body behind them is: what their shadow falls on.
    cloth: Vec<u8>,
    size: [u32; 2],
    field: Field,
}

impl Limbs for Sleeves {
    fn field(&self) -> Option<&Field> {
        Some(&self.field)
    }

    fn paint(&self, arms: &Arms) -> (Pixmap, Rect) {
        let limbs = arm::Limbs::new(&self.person.build, arms);
        let rect = self.easel.rect(limbs.bounds()).intersect(Rect::of_size(self.size[0], self.size[1]));
        let mut picture = Pixmap::new(rect.width().max(1), rect.height().max(1));
        if rect.is_empty() {
            return (picture, rect);
        }
        let mut brush = self.easel.brush(&mut picture, [rect.x0, rect.y0]);
        limbs.shadow(&mut brush, &self.sleeve);
        self.only_on_cloth(&mut picture, rect);
        limbs.paint(&mut self.easel.brush(&mut picture, [rect.x0, rect.y0]), &self.person, &self.sleeve);
        (picture, rect)
    }
}

impl Sleeves {
    /// A shadow needs something to fall on: the air beside the figure has none.
    fn only_on_cloth(&self, picture: &mut Pixmap, rect: Rect) {
        for y in 0..rect.height() {
            let from = (y as usize + rect.y0 as usize) * self.size[0] as usize + rect.x0 as usize;
            let cloth = &self.cloth[from..from + rect.width() as usize];
            for (pixel, &solid) in picture.row_mut(y).iter_mut().zip(cloth) {
                if pixel[3] != 0 && solid != 255 {
                    *pixel = pixel.map(|c| (u32::from(c) * u32::from(solid) / 255) as u8);
                }
            }
        }
    }
}

struct Drawing {
    person: Person,
    easel: Easel,
    /// The head without mouth, eyes and hair; only its lower half ever changes.
    bare: Pixmap,
    /// What hangs over both features.
    hair: Pixmap,
}

impl Features for Drawing {
    fn rects(&self) -> Vec<Rect> {
        let (mouth, mut eyes) = (self.easel.rect(MOUTH), self.easel.rect(EYES));
        eyes.y1 = eyes.y1.min(mouth.y0);
        vec![mouth, eyes]
    }

    fn differs(&self, which: usize, a: &Face, b: &Face) -> bool {
        if which == 0 { a.mouth() != b.mouth() } else { a.eyes() != b.eyes() || a.get(Ch::Cheek) != b.get(Ch::Cheek) }
    }

    fn paint(&self, which: usize, face: &Face, plate: &mut Pixmap) {
        let rect = self.rects()[which];
        let mut part = if which == 0 { Pixmap::new(rect.width(), rect.height()) } else { window(&self.bare, rect) };
        let mut brush = self.easel.brush(&mut part, [rect.x0, rect.y0]);
        if which == 0 {
            head::bare(&mut brush, &self.person, face);
            mouth::paint(&mut brush, &self.person, face);
        } else {
            eyes::paint(&mut brush, &self.person, face);
        }
        part.draw(&self.hair, -rect.x0, -rect.y0);
        put_back(plate, &part, rect);
    }
}
