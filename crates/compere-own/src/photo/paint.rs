//! One picture of a face that moves: for every pixel where in the portrait it comes from, or what is seen behind a cut.

use compere_avatar::{Acted, Channel};
use compere_media::{Frame, Rect};

use super::fields::{Fields, HIGH, LOW, between, ease, jaw, shut};
use super::inside::{Colour, Light, Place, grain, inside};
use super::maps::{BEHIND, BROW, CHEEK, CHIN};
use super::shape::{Shape, Slit, Spot};
use crate::bank::patch::cubic;
use crate::maths::percentile;
use crate::track::pose::Similarity;
use crate::track::sample;

/// How much of the eyeball's rim goes with the upper and with the lower lid, in distances of the eyes: lashes.
const LASHES: [f32; 2] = [0.0, 0.004];
/// The grain of [`grain`], as a part of one grey level.
const GRAIN: f32 = 0.408;

/// A portrait in one size.
pub(super) struct Portrait {
    pub(super) still: Frame,
    /// How much of it is the person, of one who is cut out.
    pub(super) alpha: Option<Vec<u8>>,
    shape: Shape,
    /// From the face's measure to pixels of `still`, and back.
    placed: Similarity,
    back: Similarity,
    fields: Fields,
    light: Light,
    /// The colours of the upper lids.
    lids: [Colour; 2],
    /// All that ever moves.
    pub(super) moving: Rect,
}

/// Where a pixel comes from: places in the portrait with their parts, and the part of what is behind.
struct Mix {
    parts: [(Spot, f32); 3],
    inside: f32,
    colour: Colour,
    /// The colour of the lid that is drawn over white, and how much of it.
    lid: Colour,
    shut: f32,
}

impl Portrait {
    /// `placed` leads from the face's measure to pixels of `still`.
    pub(super) fn new(still: Frame, alpha: Option<Vec<u8>>, shape: Shape, placed: Similarity) -> Self {
        let fields = Fields::of(&shape);
        let light = light(&still, &shape, &placed);
        let lids = std::array::from_fn(|n| {
            let (eye, looking) = (&shape.eyes[n], Looking { still: &still, placed: &placed });
            let looks = [-0.4, 0.0, 0.4].map(|along| {
                let x = eye.x + along * eye.half;
                looking.colour([x, eye.upper(x) - 0.06])
            });
            std::array::from_fn(|n| percentile(&looks.map(|look| look[n]), 0.5))
        });
        let mut moving = Rect::default();
        for (x, y) in [(LOW[0], LOW[1]), (HIGH[0], LOW[1]), (LOW[0], HIGH[1]), (HIGH[0], HIGH[1])] {
            let [x, y] = placed.apply([f64::from(x), f64::from(y)]);
            let (x, y) = (x.clamp(-1e5, 1e5) as i32, y.clamp(-1e5, 1e5) as i32);
            moving = moving.union(Rect::new(x - 1, y - 1, x + 2, y + 2));
        }
        let moving = moving.aligned(2).intersect(still.bounds());
        Self { back: placed.inverse(), still, alpha, shape, placed, fields, light, lids, moving }
    }

    /// Paints what moves; all else of `frame` and its matte stays.
    pub(super) fn paint(&self, acted: &Acted, frame: &mut Frame, mut alpha: Option<&mut Vec<u8>>) {
        let drawing = Drawing {
            of: self,
            sources: self.fields.sources(acted),
            jaw: jaw(acted),
            tongue: acted.get(Channel::Tongue).clamp(0.0, 1.0),
            round: (acted.get(Channel::Pucker) + 0.4 * acted.get(Channel::Funnel)).clamp(0.0, 1.0),
            shut: shut(acted),
            pixel: (1.0 / self.placed.scale()) as f32,
        };
        let (width, rect) = (frame.width() as usize, self.moving);
        let (y_plane, u_plane, v_plane) = frame.planes_mut();
        for y in rect.y0 as usize..rect.y1 as usize {
            for x in rect.x0 as usize..rect.x1 as usize {
                let mix = drawing.mix(x as f64, y as f64);
                y_plane[y * width + x] = drawing.luma(&mix, x, y);
                if let Some(to) = alpha.as_deref_mut() {
                    to[y * width + x] = drawing.alpha(&mix);
                }
            }
        }
        let half = width / 2;
        for y in rect.y0 as usize / 2..rect.y1 as usize / 2 {
            for x in rect.x0 as usize / 2..rect.x1 as usize / 2 {
                let [u, v] = drawing.tint(x, y);
                (u_plane[y * half + x], v_plane[y * half + x]) = (u, v);
            }
        }
    }
}

struct Drawing<'a> {
    of: &'a Portrait,
    sources: [Vec<Spot>; 4],
    jaw: f32,
    tongue: f32,
    round: f32,
    shut: f32,
    pixel: f32,
}

impl Drawing<'_> {
    fn luma(&self, mix: &Mix, x: usize, y: usize) -> u8 {
        let still = &self.of.still;
        let (width, height) = (still.width() as usize, still.height() as usize);
        let look = |[x, y]: Spot| f32::from(cubic(still.y(), width, height, x, y));
        let mut value: f32 = mix.parts.iter().filter(|(_, part)| *part > 0.0).map(|&(at, part)| part * look(at)).sum();
        if mix.inside > 0.0 {
            let grain = grain(x as i32, y as i32) * self.of.light.grain / GRAIN;
            value += mix.inside * (mix.colour[0] + grain);
        }
        (value + mix.shut * (value.min(mix.lid[0] + 4.0) - value) + 0.5).clamp(0.0, 255.0) as u8
    }

    /// How much of a place is the person: what it comes from, and all that was put between.
    fn alpha(&self, mix: &Mix) -> u8 {
        let still = &self.of.still;
        let (width, height) = (still.width() as usize, still.height() as usize);
        let look = |[x, y]: Spot| self.of.alpha.as_ref().map_or(255.0, |alpha| sample(alpha, width, height, x, y));
        let seen: f32 = mix.parts.iter().filter(|(_, part)| *part > 0.0).map(|&(at, part)| part * look(at)).sum();
        (seen + 255.0 * mix.inside + 0.5).clamp(0.0, 255.0) as u8
    }

    fn tint(&self, x: usize, y: usize) -> [u8; 2] {
        let still = &self.of.still;
        let (width, height) = (still.width() as usize / 2, still.height() as usize / 2);
        let mix = self.mix(2.0 * x as f64 + 0.5, 2.0 * y as f64 + 0.5);
        [(still.u(), 1), (still.v(), 2)].map(|(plane, n)| {
            let look = |[x, y]: Spot| sample(plane, width, height, x / 2.0 - 0.25, y / 2.0 - 0.25);
            let seen: f32 = mix.parts.iter().filter(|(_, part)| *part > 0.0).map(|&(at, part)| part * look(at)).sum();
            let value = seen + mix.inside * mix.colour[n];
            (value + mix.shut * (mix.lid[n] - value) + 0.5).clamp(0.0, 255.0) as u8
        })
    }

    /// Pixels of the portrait.
    fn pixel_of(&self, [x, y]: Spot) -> Spot {
        self.of.placed.apply([f64::from(x), f64::from(y)]).map(|value| value as f32)
    }

    fn mix(&self, x: f64, y: f64) -> Mix {
        let place = self.of.back.apply([x, y]).map(|value| value as f32);
        let inside = |axis: usize| (LOW[axis]..HIGH[axis]).contains(&place[axis]);
        if !inside(0) || !inside(1) {
            return whole([x as f32, y as f32]);
        }
        let shape = &self.of.shape;
        if let Some(map) = shape.clear_of_cuts(place, self.jaw) {
            return whole(self.pixel_of(between(&self.sources[map], place)));
        }
        let cheek = between(&self.sources[CHEEK], place);
        if cheek[1] > shape.nose_base * 0.6 { self.at_mouth(place, cheek) } else { self.at_eyes(place, cheek) }
    }

    /// How much lies beyond an edge, softly over about a pixel.
    fn beyond(&self, by: f32) -> f32 {
        (by / (1.3 * self.pixel) + 0.5).clamp(0.0, 1.0)
    }

    /// `cheek` is where the place comes from when it is above the mouth.
    fn at_mouth(&self, place: Spot, cheek: Spot) -> Mix {
        let shape = &self.of.shape;
        let lap = self.pixel;
        let under = cheek[1] - shape.mouth.upper(cheek[0]);
        let above = self.beyond(lap - under);
        if above >= 1.0 {
            return whole(self.pixel_of(cheek));
        }
        let chin = between(&self.sources[CHIN], place);
        let over = shape.mouth.lower(chin[0]) - chin[1];
        let below = self.beyond(lap - over);
        let inner = (1.0 - above) * (1.0 - below);
        let colour = if inner > 0.0 {
            let at = between(&self.sources[BEHIND], place);
            let Self { jaw, tongue, round, pixel, .. } = *self;
            let place = Place { at, jaw, tongue, round, under: under.max(0.0), over: over.max(0.0), pixel };
            inside(shape, &self.of.light, &place)
        } else {
            [0.0; 3]
        };
        let parts = [(self.pixel_of(cheek), above), (self.pixel_of(chin), (1.0 - above) * below), ([0.0; 2], 0.0)];
        Mix { parts, inside: inner, colour, lid: [0.0; 3], shut: 0.0 }
    }

    /// `cheek` is where the place comes from when it is below the eyes.
    fn at_eyes(&self, place: Spot, cheek: Spot) -> Mix {
        let eye = &self.of.shape.eyes[usize::from(place[0] > 0.0)];
        let below = self.beyond(cheek[1] - eye.lower(cheek[0]) + LASHES[1]);
        let brow = between(&self.sources[BROW], place);
        let above = self.beyond(eye.upper(brow[0]) + LASHES[0] - brow[1]);
        let (lid, shut) = (self.of.lids[usize::from(eye.x > 0.0)], self.covered(eye, brow));
        if above >= 1.0 {
            return Mix { lid, shut, ..whole(self.pixel_of(brow)) };
        }
        if below >= 1.0 && above <= 0.0 {
            return Mix { lid, shut, ..whole(self.pixel_of(cheek)) };
        }
        let ball = between(&self.sources[BEHIND], place);
        let parts = [
            (self.pixel_of(brow), above),
            (self.pixel_of(cheek), (1.0 - above) * below),
            (self.pixel_of(ball), (1.0 - above) * (1.0 - below)),
        ];
        Mix { parts, inside: 0.0, colour: [0.0; 3], lid, shut }
    }

    /// Where white that the mesh took for the lid must not shine when the lids are shut.
    fn covered(&self, eye: &Slit, brow: Spot) -> f32 {
        let (x, rim) = (eye.along(brow[0]), eye.upper(brow[0]) - brow[1]);
        let (side, strip) = (1.0 - ease(1.1, 1.35, x.abs()), 1.0 - ease(0.022, 0.05, rim.abs()));
        ease(0.6, 1.0, self.shut) * side * strip
    }
}

fn whole(at: Spot) -> Mix {
    Mix {
        parts: [(at, 1.0), ([0.0; 2], 0.0), ([0.0; 2], 0.0)],
        inside: 0.0,
        colour: [0.0; 3],
        lid: [0.0; 3],
        shut: 0.0,
    }
}

/// The portrait's colours, in the face's measure.
struct Looking<'a> {
    still: &'a Frame,
    placed: &'a Similarity,
}

impl Looking<'_> {
    fn colour(&self, [x, y]: Spot) -> Colour {
        let (width, height) = (self.still.width() as usize, self.still.height() as usize);
        let [x, y] = self.placed.apply([f64::from(x), f64::from(y)]).map(|value| value as f32);
        let tint = |plane: &[u8]| sample(plane, width / 2, height / 2, x / 2.0 - 0.25, y / 2.0 - 0.25);
        [sample(self.still.y(), width, height, x, y), tint(self.still.u()), tint(self.still.v())]
    }
}

/// What the portrait tells of its light.
fn light(still: &Frame, shape: &Shape, placed: &Similarity) -> Light {
    let looking = Looking { still, placed };
    let colour = |at: Spot| looking.colour(at);
    let patch = |[x, y]: Spot, reach: f32| -> Vec<Colour> {
        let step = |n: i32| n as f32 / 3.0 * reach;
        (-3..=3)
            .flat_map(|dy| (-3..=3).map(move |dx| (dx, dy)))
            .map(|(dx, dy)| colour([x + step(dx), y + step(dy)]))
            .collect()
    };
    let mean =
        |of: &[Colour]| -> Colour { std::array::from_fn(|n| of.iter().map(|c| c[n]).sum::<f32>() / of.len() as f32) };
    let cheek = |side: f32| [side * 0.30, 0.6 * shape.nose_base];
    let [left, right] = [-1.0, 1.0].map(|side| mean(&patch(cheek(side), 0.06)));
    let skin_colour = mean(&[left, right]);
    let skin = (left[0] + right[0]) / 2.0 - 16.0;
    let white: Vec<Colour> = shape
        .eyes
        .iter()
        .flat_map(|eye| {
            [-0.62, -0.5, 0.5, 0.62].map(|along| {
                let x = eye.x + along * eye.half;
                colour([x, (eye.upper(x) + eye.lower(x)) / 2.0])
            })
        })
        .collect();
    let bright = percentile(&white.iter().map(|c| c[0]).collect::<Vec<_>>(), 0.75) - 16.0;
    let teeth = bright.clamp(1.12 * skin, 1.6 * skin).clamp(40.0, 190.0);
    let lip = mean(&patch([shape.mouth.x, (shape.mouth.lower(shape.mouth.x) + shape.lips[1]) / 2.0], 0.03));
    let tinted = |luma: f32, tint: &Colour, part: f32, warm: f32| -> Colour {
        [16.0 + luma, 128.0 + part * (tint[1] - 128.0) - warm, 128.0 + part * (tint[2] - 128.0)]
    };
    Light {
        teeth: tinted(teeth, &skin_colour, 0.22, 1.0),
        tongue: tinted(0.72 * (lip[0] - 16.0).max(12.0), &lip, 1.05, 0.0),
        dark: tinted(0.10 * skin, &lip, 0.45, 0.0),
        slope: ((right[0] - left[0]) / skin.max(10.0)).clamp(-0.6, 0.6),
        grain: [-1.0, 1.0].map(|side| roughness(still, placed, cheek(side))).into_iter().fold(f32::MAX, f32::min),
    }
}

/// What of a place is finer than its surroundings, in grey levels.
fn roughness(still: &Frame, placed: &Similarity, [x, y]: Spot) -> f32 {
    let (width, height) = (still.width() as i32, still.height() as i32);
    let [x, y] = placed.apply([f64::from(x), f64::from(y)]).map(|value| value as i32);
    let at = |x: i32, y: i32| f32::from(still.y()[(y.clamp(0, height - 1) * width + x.clamp(0, width - 1)) as usize]);
    let mut sum = 0.0;
    for (dx, dy) in (-6..6).flat_map(|dy| (-6..6).map(move |dx| (dx, dy))) {
        let (x, y) = (x + dx, y + dy);
        let around = (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1)) / 4.0;
        sum += (at(x, y) - around) * (at(x, y) - around);
    }
    // The surroundings are as rough themselves.
    (sum / 144.0 / 1.25).sqrt().min(6.0)
}
