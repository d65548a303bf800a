//! From a pose to points in their light, and what they shade. `fill.rs` makes pixels of them.

use std::sync::OnceLock;

use compere_media::{Pixmap, Rect};

use super::pose::Chain;
use super::shadow::{CELL, Capsule, EMPTY, MAP, Shade, View, softened, splat};
use super::{Bones, CLOTH, NAIL, NO_FINGER, Point, Side, Sleeves};
use crate::act::{Arm, Arms, Reach};
use crate::rig::ground::camera::Camera;
use crate::rig::ground::v3::{V3, add, dot, length, mix, mul, mulv, norm, powi, ss, sub};
use crate::rig::light::fabric::among_walls;
use crate::rig::light::gloss::{gloss, skin_tone, tone, warmed};
use crate::rig::light::kicker::kicked;
use crate::rig::raster::canvas::twice_area;
use crate::rig::raster::flat::{DEPTH, Spot};
use crate::rig::raster::render::encode;

/// Samples along a pixel's side.
pub(super) const FINE: usize = 2;

/// What arms leave at least of the light on the body.
const LEAST: f32 = 0.30;

/// How far the edge of the shadow of an arm on the body is soft, of the model: hands are a good way before it.
const PENUMBRA: f32 = 0.14;

/// How thick a finger is, half of it.
const FINGER: f32 = 0.075;

/// How far two fingers' ends lie beyond each other when their pads touch.
const PADS: f32 = 0.06;

/// A side in a pose.
pub(super) struct Posed<'a> {
    pub(super) side: &'a Side,
    pub(super) triangles: &'a [[u32; 3]],
    /// Before the chest moves them, and after.
    bent: Vec<V3>,
    places: Vec<V3>,
    pub(super) spots: Vec<Spot>,
    pub(super) colors: Vec<V3>,
    /// What of the triangles is seen: in the picture, and no inside of what is closed.
    pub(super) shown: Vec<u32>,
}

/// Light to what a pixel holds.
fn encoded(c: f32) -> f32 {
    static TABLE: OnceLock<Vec<f32>> = OnceLock::new();
    const LAST: f32 = 1023.0;
    const MOST: f32 = 3.0;
    let table = TABLE.get_or_init(|| {
        let value = |at: usize| {
            let root = at as f32 / LAST;
            encode(tone([root * root * MOST; 3])[0]) * 255.0
        };
        (0..=LAST as usize).map(value).collect()
    });
    table[((c.max(0.0) / MOST).min(1.0).sqrt() * LAST + 0.5) as usize]
}

/// Toned light to what a pixel holds.
fn shown(c: f32) -> f32 {
    static TABLE: OnceLock<Vec<f32>> = OnceLock::new();
    const LAST: f32 = 1023.0;
    let value = |at: usize| {
        let root = at as f32 / LAST;
        encode(root * root) * 255.0
    };
    let table = TABLE.get_or_init(|| (0..=LAST as usize).map(value).collect());
    table[(c.clamp(0.0, 1.0).sqrt() * LAST + 0.5) as usize]
}

/// How far two hands are such that their fingertips touch: alike, and palm to palm.
fn tips_meet(reaches: &[Reach; 2]) -> f32 {
    let [a, b] = reaches;
    let apart = length(sub(a.fingers, b.fingers)) + length(sub(a.palm, b.palm));
    let inwards = a.palm[0].max(b.palm[0]);
    ss(0.3, 0.05, apart) * ss(-0.60, -0.75, inwards)
}

impl Sleeves {
    pub(super) fn painted(&self, arms: &Arms) -> (Pixmap, Rect) {
        let chains = self.chains(arms);
        let mut posed: [Posed<'_>; 2] = std::array::from_fn(|at| self.posed(&self.sides[at], &chains[at], arms.tablet));
        let view = View::new(self.dome.to_key);
        let mut map = vec![EMPTY; MAP * MAP];
        for posed in &posed {
            let shown = posed.triangles.iter().flatten().max().map_or(0, |&last| last as usize + 1);
            posed.places[..shown].iter().for_each(|&p| splat(&mut map, view.seen(p)));
        }
        let shades = [Shade::new(&self.ground.still), Shade::new(&map)];
        let shadows = self.shadows(&chains, &view, &shades[1]);
        let hands: [Vec<Capsule>; 2] = std::array::from_fn(|at| self.hand(&chains[at], &self.sides[at].bones));
        for ((posed, chain), other) in posed.iter_mut().zip(&chains).zip(hands.iter().rev()) {
            self.light(posed, chain, other, &view, &shades);
            posed.join(&shadows);
        }
        let limit = Rect::of_size(self.size[0], self.size[1]);
        let rect = posed.iter().fold(shadows.around(), |all, posed| all.union(posed.around())).intersect(limit);
        let mut picture = Pixmap::new(rect.width().max(1), rect.height().max(1));
        if !rect.is_empty() {
            self.fill(&posed, &shadows, rect, &mut picture);
        }
        (picture, rect)
    }

    /// Hands that meet keep their distance: what pushes one of them off the body pushes both.
    fn chains(&self, arms: &Arms) -> [Chain; 2] {
        let reaches = arms.sides.each_ref().map(Arm::reach);
        let bones = |at: usize| &self.sides[at].bones;
        let own: [f32; 2] = std::array::from_fn(|at| bones(at).pushed(&reaches[at], self.half, &self.front));
        let meet = reaches.iter().map(|reach| (1.0 - reach.wrist[0]).clamp(0.0, 1.0)).product::<f32>();
        let both = own[0].max(own[1]);
        let push: [f32; 2] = std::array::from_fn(|at| own[at] + (both - own[at]) * meet);
        let chains =
            |reaches: &[Reach; 2]| std::array::from_fn(|at| bones(at).chain(&reaches[at], self.half, push[at]));
        let share = meet * tips_meet(&reaches);
        if share == 0.0 {
            return chains(&reaches);
        }
        // Wrists are a share of the arms apart, and hands of all sizes: they come so near that the first tips touch.
        let first: [Chain; 2] = chains(&reaches);
        let tips: [[V3; 4]; 2] = std::array::from_fn(|at| first[at].tips(bones(at)));
        let gap = (0..4).map(|finger| tips[1][finger][0] - tips[0][finger][0]).fold(f32::MAX, f32::min);
        let met = std::array::from_fn(|at| {
            let mut reach = reaches[at];
            reach.wrist[1] -= 0.5 * share * (gap + PADS) / (bones(at).upper() + bones(at).fore());
            reach
        });
        chains(&met)
    }

    fn posed<'a>(&self, side: &'a Side, chain: &Chain, holds: bool) -> Posed<'a> {
        let n = side.points.len();
        let triangles = if holds { &side.triangles } else { &side.triangles[..side.held as usize] };
        let mut posed = Posed {
            side,
            triangles,
            bent: Vec::with_capacity(n),
            places: Vec::with_capacity(n),
            spots: Vec::with_capacity(n),
            colors: Vec::new(),
            shown: Vec::new(),
        };
        for point in &side.points {
            let bent = chain.place(point);
            let p = self.chest.point(bent);
            let seen = self.camera.project(p);
            let fine = (16 * FINE) as f32;
            let place = |v: f32| (v.clamp(-2000.0, 12000.0) * fine + 0.5) as i32;
            let z = seen[2] - point.lift;
            posed.spots.push([place(seen[0]), place(seen[1]), (z * DEPTH) as i32, 0]);
            posed.bent.push(bent);
            posed.places.push(p);
        }
        posed.shown = self.in_sight(&posed);
        posed
    }

    fn in_sight(&self, posed: &Posed<'_>) -> Vec<u32> {
        let [wide, high] = self.size.map(|side| side as i32 * (16 * FINE) as i32);
        let seen = |t: &[u32; 3]| {
            let corners = t.map(|v| posed.spots[v as usize]);
            let [a, b, c] = corners;
            let (left, right) = (a[0].min(b[0]).min(c[0]), a[0].max(b[0]).max(c[0]));
            let (top, low) = (a[1].min(b[1]).min(c[1]), a[1].max(b[1]).max(c[1]));
            let inside = right > 0 && left < wide && low > 0 && top < high;
            inside && (twice_area(corners) <= 0 || posed.side.points[t[0] as usize].ends != 0)
        };
        (0..).zip(posed.triangles).filter(|(_, t)| seen(t)).map(|(at, _)| at).collect()
    }

    /// How much of the sky the chest hides.
    fn beside_the_chest(&self, p: V3, n: V3) -> f32 {
        let (wide, deep) = (0.74 * self.half, 0.66);
        let (x, z) = (p[0] / wide, (p[2] - 0.1) / deep);
        let off = (x * x + z * z).sqrt() - 1.0;
        if off > 0.8 || p[1] < -1.0 {
            return 0.0;
        }
        let inward = norm([-x / wide, 0.0, -z / deep]);
        0.50 * ss(0.8, 0.0, off) * (0.30 + 0.70 * dot(n, inward)).max(0.0) * ss(-1.0, 0.5, p[1])
    }

    /// A hand and its fingers, as they darken the other one where they lie on it.
    fn hand(&self, chain: &Chain, bones: &Bones) -> Vec<Capsule> {
        let [.., wrist, knuckles] = chain.places.map(|p| self.chest.point(p));
        // A fist ends at its knuckles: what lies beyond them is in the light.
        let tips = add(knuckles, mul(sub(knuckles, wrist), 0.8 * ss(0.0, 0.6, chain.straight)));
        let size = self.chest.size;
        let mut hand = vec![Capsule::new(wrist, knuckles, 0.16 * size), Capsule::new(knuckles, tips, 0.14 * size)];
        for finger in chain.fingers(bones) {
            let [root, middle, tip] = finger.map(|p| self.chest.point(p));
            hand.extend([(root, middle), (middle, tip)].map(|(from, to)| Capsule::new(from, to, FINGER * size)));
        }
        hand
    }

    /// Lights the points that are seen; most are not.
    fn light(
        &self,
        posed: &mut Posed<'_>,
        chain: &Chain,
        other: &[Capsule],
        view: &View,
        [still, map]: &[Shade<'_>; 2],
    ) {
        let mut needed = vec![false; posed.spots.len()];
        for &at in &posed.shown {
            posed.triangles[at as usize].iter().for_each(|&v| needed[v as usize] = true);
        }
        posed.colors.resize(posed.spots.len(), [0.0; 3]);
        let crook = chain.crook();
        for at in (0..needed.len()).filter(|&at| needed[at]) {
            let (point, bent, p) = (&posed.side.points[at], posed.bent[at], posed.places[at]);
            let turned = chain.direction(point);
            let hidden = self.beside_the_chest(bent, turned);
            let n = norm(self.chest.direction(turned));
            let board = point.stuff == NAIL && point.finger == NO_FINGER;
            let facing = dot(n, self.dome.to_key);
            let key = if facing > -0.3 {
                let q = view.seen(add(p, mul(n, 0.045)));
                // On skin the points' own coarseness would show. What a hand or a forearm keeps from a sleeve is soft, and walls
                // give some of it back: it would be a stain.
                let (reach, back) = if board {
                    (3, 0.5)
                } else if point.stuff == CLOTH {
                    (3, 0.3)
                } else {
                    (2, 0.0)
                };
                still.passes(q, 0.05, 2) * (back + (1.0 - back) * map.passes(q, 0.06, reach))
            } else {
                0.0
            };
            // What a hand holds has a hard, bright back.
            let near = if board { 0.5 } else { 1.0 };
            let covered = near * other.iter().map(|part| part.hides(p, n)).sum::<f32>().min(1.0);
            let hidden = 1.0 - (1.0 - hidden) * (1.0 - 0.86 * covered);
            let folded = if point.stuff == CLOTH { crook.hides(bent, turned) } else { 0.0 };
            let color = self.seen(point, p, n, facing, key * (1.0 - 0.62 * covered), hidden, bent[1]);
            posed.colors[at] = mul(color, 1.0 - folded);
        }
    }

    /// What the camera sees of a point, as pixels hold it.
    #[expect(clippy::too_many_arguments, reason = "all that light depends on")]
    fn seen(&self, point: &Point, p: V3, n: V3, facing: f32, key: f32, hidden: f32, height: f32) -> V3 {
        let open = point.open * (1.0 - hidden);
        let around = mul(self.dome.light(n), open);
        let view = norm(sub(Camera::eye(), p));
        let fall = 0.74 + 0.26 * ss(3.0, 5.3, height);
        let c = if point.stuff == CLOTH {
            // Undersides of sleeves are as light as walls leave the body's.
            let light = among_walls(add(around, mul(self.dome.key, facing.max(0.0) * key))).map(|l| l.max(0.36));
            let light = mul(mix(light, point.baked, point.seam), fall);
            // Beside the body it is no edge.
            let rim = powi(1.0 - dot(n, view).abs(), 3) * self.sheen * (1.0 - point.seam);
            // The lamp behind: only the arm on its side is between it and nothing.
            let lamp = (1.0 - point.seam) * open * ss(0.35, 0.6, p[0] / self.half);
            let edge = kicked(point.color, n, view, lamp);
            add(add(mulv(point.color, light), mulv(mul(light, rim), add(point.color, [0.03; 3]))), edge)
        } else {
            // Light that enters skin comes out beyond the edge of a shadow, red farther than blue.
            let soft: V3 = [0.24, 0.14, 0.09].map(|wrap| ((facing + wrap) / (1.0 + wrap)).max(0.0));
            let passed: V3 = [0.09, 0.045, 0.03].map(|leak| leak + (1.0 - leak) * key);
            let light = add(around, mulv(self.dome.key, mulv(soft, passed)));
            let light = mul(mix(light, point.baked, point.seam), 0.70 + 0.20 * fall);
            let light = warmed([light[0].min(1.17 * light[1] + 0.006), light[1], light[2].max(0.80 * light[1])]);
            let (rough, strength) = if point.stuff == NAIL { (0.40, 0.50) } else { (0.50, 0.30) };
            let shine = gloss(n, view, self.dome.to_key, rough, 0.03) * key * 2.2 * strength;
            let edge = powi(1.0 - dot(n, view).max(0.0), 4);
            let c = mul(add(mulv(point.color, light), mul([1.0, 0.97, 0.93], shine)), 0.80 + 0.20 * open);
            let c = add(c, mul(mulv(light, [1.0, 0.75, 0.65]), 0.06 * edge * point.color[0]));
            // Toned as the face is, or hands would be paler.
            return skin_tone(c).map(shown);
        };
        c.map(encoded)
    }

    /// How many cells of the ground that length of the model is.
    fn cells(&self, long: f32) -> usize {
        let chest = |x: f32| self.camera.project(self.chest.point([x, self.chest.neck[1] - 1.0, 0.5]))[0];
        ((chest(1.0) - chest(0.0)).abs() * long / CELL as f32 + 0.5) as usize
    }

    fn shadows(&self, chains: &[Chain; 2], view: &View, map: &Shade<'_>) -> Shadows {
        let mut capsules = Vec::new();
        for chain in chains {
            let [shoulder, elbow, wrist, knuckles] = chain.places.map(|p| self.chest.point(p));
            let parts = [(mix(shoulder, elbow, 0.45), elbow, 0.30), (elbow, wrist, 0.25), (wrist, knuckles, 0.24)];
            capsules.extend(parts.map(|(from, to, radius)| Capsule::new(from, to, radius * self.chest.size)));
        }
        let ground = &self.ground;
        let mut shaded = vec![f32::NAN; ground.lit.len()];
        for (at, lit) in ground.cells() {
            shaded[at] = 1.0 - map.passes(view.seen(add(lit.at, mul(lit.normal, 0.03))), 0.05, 2);
        }
        let shaded = softened(shaded, ground.columns, self.cells(PENUMBRA));
        let mut alpha = vec![0; ground.lit.len()];
        for (at, lit) in ground.cells() {
            let key = shaded[at];
            let sky: f32 = capsules.iter().map(|capsule| capsule.hides(lit.at, lit.normal)).sum();
            if key == 0.0 && sky == 0.0 {
                continue;
            }
            let left = (1.0 - lit.share * key * 0.56) * (1.0 - 0.74 * sky.min(1.0) * (1.0 - 0.4 * lit.share));
            // Where both meet, cloth and walls still throw light at each other: an armpit is no hole.
            let left = (left * left * (1.0 - LEAST * LEAST) + LEAST * LEAST).sqrt();
            // Less is not seen, and would have to be painted.
            alpha[at] = (((1.0 - left.sqrt()) * 255.0) as u8).saturating_sub(2);
        }
        Shadows { columns: ground.columns, alpha }
    }
}

/// How dark arms make the body, on the cells of its ground.
pub(super) struct Shadows {
    columns: usize,
    alpha: Vec<u8>,
}

impl Shadows {
    /// Around all that is dark, in pixels.
    fn around(&self) -> Rect {
        let dark = self.alpha.iter().enumerate().filter(|(_, alpha)| **alpha > 0).map(|(at, _)| at);
        dark.fold(Rect::default(), |all, at| {
            let [x, y] = [at % self.columns, at / self.columns].map(|v| (v * CELL) as i32);
            let reach = CELL as i32;
            all.union(Rect::new(x - reach, y - reach, x + 2 * reach, y + 2 * reach))
        })
    }

    /// How dark a pixel is, 1 being black.
    fn at(&self, x: i32, y: i32) -> f32 {
        let rows = self.alpha.len() / self.columns;
        let place =
            |v: i32, most: usize| ((v as f32 + 0.5) / CELL as f32 - 0.5).clamp(0.0, most as f32 - 1.001).max(0.0);
        let (u, v) = (place(x, self.columns), place(y, rows));
        let (column, row) = (u as usize, v as usize);
        let cell = |dx: usize, dy: usize| {
            let at = (row + dy).min(rows - 1) * self.columns + (column + dx).min(self.columns - 1);
            f32::from(self.alpha[at]) / 255.0
        };
        let (u, v) = (u - column as f32, v - row as f32);
        (cell(0, 0) * (1.0 - u) + cell(1, 0) * u) * (1.0 - v) + (cell(0, 1) * (1.0 - u) + cell(1, 1) * u) * v
    }

    /// Along a row of pixels, by cells, 2 × CELL being a whole.
    pub(super) fn row(&self, y: usize) -> Vec<u16> {
        const FULL: usize = 2 * CELL;
        let rows = self.alpha.len() / self.columns;
        let v = (2 * y + 1).saturating_sub(CELL);
        let at = (v / FULL).min(rows - 1);
        let next = (at + 1).min(rows - 1);
        let f = (v % FULL) as u16;
        let row = |at: usize| &self.alpha[at * self.columns..(at + 1) * self.columns];
        row(at).iter().zip(row(next)).map(|(&a, &b)| u16::from(a) * (FULL as u16 - f) + u16::from(b) * f).collect()
    }
}

impl Posed<'_> {
    /// Where an arm grows out of the body it looks as that does, shadows and all.
    fn join(&mut self, shadows: &Shadows) {
        const UNIT: i32 = (16 * FINE) as i32;
        for (at, color) in self.colors.iter_mut().enumerate() {
            let point = &self.side.points[at];
            if point.fits > 0.0 {
                let [x, y, ..] = self.spots[at];
                let left = 1.0 - shadows.at(x / UNIT, y / UNIT);
                *color = mix(*color, mul(point.plate, left), point.fits);
            }
        }
    }

    /// Around all that is shown, in pixels.
    fn around(&self) -> Rect {
        let unit = (16 * FINE) as i32;
        let mut all = [i32::MAX, i32::MAX, i32::MIN, i32::MIN];
        for &at in &self.shown {
            for spot in self.triangles[at as usize].map(|v| self.spots[v as usize]) {
                all = [all[0].min(spot[0]), all[1].min(spot[1]), all[2].max(spot[0]), all[3].max(spot[1])];
            }
        }
        if all[0] > all[2] {
            return Rect::default();
        }
        Rect::new(all[0].div_euclid(unit), all[1].div_euclid(unit), all[2] / unit + 1, all[3] / unit + 1)
    }
}
