//! A hand from any side: bones in space, drawn as round fingers in two tones from the farthest to the nearest.

use super::hull::{Hulls, Round, lit};
use super::person::Skin;
use crate::act::{Reach, unit};
use crate::drawn::brush::{Brush, mixed};
use compere_media::math;

type V3 = [f32; 3];

/// A finger on the hand: where its first joint lies (along the hand, towards the thumb), its length and half width, and
/// how far it fans out, all for a hand of length 1.
struct Finger {
    root: [f32; 2],
    length: f32,
    half: f32,
    fan: f32,
}

const FINGERS: [Finger; 4] = [
    Finger { root: [0.515, 0.165], length: 0.405, half: 0.058, fan: 0.26 },
    Finger { root: [0.535, 0.052], length: 0.450, half: 0.060, fan: 0.06 },
    Finger { root: [0.515, -0.062], length: 0.415, half: 0.057, fan: -0.14 },
    Finger { root: [0.465, -0.170], length: 0.325, half: 0.050, fan: -0.36 },
];
/// Shares of a finger's length, and the angles of its joints when it is curled.
const BONES: [f32; 3] = [0.46, 0.31, 0.23];
const FOLDS: [f32; 3] = [1.45, 1.75, 0.95];

/// A hand in space, in model units.
pub(super) struct Hand {
    wrist: V3,
    /// Along the fingers, out of the palm, towards the thumb.
    along: V3,
    palm: V3,
    thumb: V3,
    length: f32,
}

fn plus(a: V3, b: V3, by: f32) -> V3 {
    std::array::from_fn(|k| a[k] + b[k] * by)
}

fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: V3, b: V3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl Hand {
    /// On the right for a side of 1; the other hand is its mirror image.
    pub(super) fn new(reach: &Reach, wrist: V3, side: f32, length: f32) -> Self {
        let along = unit(reach.fingers);
        let palm = unit(plus(reach.palm, along, -dot(reach.palm, along)));
        let thumb = cross(palm, along);
        let on = |v: V3| [v[0] * side, v[1], v[2]];
        Self { wrist, along: on(along), palm: on(palm), thumb: on(thumb), length }
    }

    pub(super) fn tip(&self) -> V3 {
        plus(self.wrist, self.along, self.length)
    }

    pub(super) fn towards_viewer(&self) -> f32 {
        self.along[2]
    }

    /// A point given along, towards the thumb and out of the palm.
    fn at(&self, along: f32, thumb: f32, out: f32) -> V3 {
        let l = self.length;
        plus(plus(plus(self.wrist, self.along, along * l), self.thumb, thumb * l), self.palm, out * l)
    }

    /// Corners of what it holds: a flat thing on the palm, `long` towards the thumb and `wide` along the fingers.
    pub(super) fn sheet(&self, long: f32, wide: f32) -> [V3; 4] {
        let middle = plus(self.at(0.60, 0.22, 0.10), self.thumb, 0.18 * long);
        let corner = |a: f32, b: f32| plus(plus(middle, self.thumb, a * long * 0.5), self.along, b * wide * 0.5);
        [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)]
    }

    fn round(&self, p: V3, half: f32) -> Round {
        // What comes nearer is larger.
        [p[0], p[1], half * self.length * (1.0 + 0.04 * p[2])]
    }

    fn finger(&self, which: usize, reach: &Reach) -> Part {
        let Finger { root, length, half, fan } = &FINGERS[which];
        let curl = reach.curl[which + 1].clamp(0.0, 1.1);
        let fan = (fan * reach.spread * 1.15 + 0.05 * fan) * (1.0 - 0.8 * curl);
        let sideways = unit(plus(self.along, self.thumb, fan));
        let mut at = self.at(root[0], root[1], 0.0);
        let mut chain = vec![self.round(at, half * 1.10)];
        let mut depth = at[2];
        let (mut angle, mut direction) = (0.0, sideways);
        for (k, (bone, fold)) in BONES.iter().zip(FOLDS).enumerate() {
            angle += fold * curl;
            let (c, s) = (math::cosf(angle), math::sinf(angle));
            direction = std::array::from_fn(|k| sideways[k] * c + self.palm[k] * s);
            at = plus(at, direction, bone * length * self.length);
            chain.push(self.round(at, half * [1.0, 0.93, 0.84][k]));
            depth = depth.max(at[2]);
        }
        // The nail lies on the back of the last bone.
        let (c, s) = (math::cosf(angle), math::sinf(angle));
        let back: V3 = std::array::from_fn(|k| sideways[k] * s - self.palm[k] * c);
        Part { chain, depth, nail: nail(at, direction, back, half * self.length) }
    }

    fn thumb(&self, reach: &Reach) -> Part {
        let curl = reach.curl[0].clamp(0.0, 1.0);
        let open = reach.spread.clamp(0.0, 1.0);
        let ways = [
            [0.62 - 0.12 * curl, 0.66 + 0.16 * open - 0.20 * curl, 0.28 + 0.40 * curl],
            [0.86 - 0.10 * curl, 0.40 + 0.26 * open - 0.95 * curl, 0.12 + 0.34 * curl],
            [0.95 - 0.35 * curl, 0.16 + 0.22 * open - 1.10 * curl, 0.06 + 0.12 * curl],
        ];
        let mut at = self.at(0.10, 0.10, 0.02);
        let mut chain = vec![self.round(at, 0.095)];
        let mut depth = at[2];
        let mut direction = self.along;
        for (way, (bone, half)) in ways.iter().zip([(0.23, 0.078), (0.185, 0.064), (0.15, 0.054)]) {
            direction = plus(plus([0.0; 3], self.along, way[0]), self.thumb, way[1]);
            direction = unit(plus(direction, self.palm, way[2]));
            at = plus(at, direction, bone * self.length);
            chain.push(self.round(at, half));
            depth = depth.max(at[2]);
        }
        let back = unit(plus(plus([0.0; 3], self.thumb, 0.55), self.palm, -0.75));
        Part { chain, depth, nail: nail(at, direction, back, 0.058 * self.length) }
    }
}

struct Part {
    chain: Vec<Round>,
    depth: f32,
    nail: Option<Vec<Round>>,
}

/// Seen only where the back of the finger looks at the viewer.
fn nail(tip: V3, direction: V3, back: V3, half: f32) -> Option<Vec<Round>> {
    if back[2] < 0.35 {
        return None;
    }
    let near = plus(tip, direction, -0.45 * half);
    let far = plus(tip, direction, 0.42 * half);
    let r = half * 0.46 * back[2].min(1.0);
    Some(vec![
        [near[0] + back[0] * half * 0.3, near[1] + back[1] * half * 0.3, r],
        [far[0] + back[0] * half * 0.2, far[1] + back[1] * half * 0.2, r * 0.92],
    ])
}

/// The palm, to be gone around, and the fingers, to be gone along: the silhouette of a hand.
pub(super) fn chains(hand: &Hand, reach: &Reach) -> Vec<Vec<Round>> {
    let fingers = (0..4).map(|which| hand.finger(which, reach).chain);
    std::iter::once(palm(hand)).chain(fingers).chain([hand.thumb(reach).chain]).collect()
}

fn palm(hand: &Hand) -> Vec<Round> {
    [
        (0.02, 0.035, 0.0, 0.098),
        (0.02, -0.045, 0.0, 0.098),
        (0.26, 0.135, 0.01, 0.085),
        (0.30, -0.155, 0.0, 0.080),
        (0.50, 0.160, 0.0, 0.068),
        (0.52, 0.052, 0.0, 0.072),
        (0.47, -0.160, 0.0, 0.062),
    ]
    .map(|(along, thumb, out, half)| hand.round(hand.at(along, thumb, out), half))
    .to_vec()
}

pub(super) fn paint(brush: &mut Brush<'_>, skin: &Skin, hand: &Hand, reach: &Reach) {
    let line = mixed(skin.tone.shade, skin.deep, 0.62);
    let mut parts: Vec<Part> = (0..4).map(|which| hand.finger(which, reach)).collect();
    let thumb = hand.thumb(reach);
    // The thumb lies on the palm's side of the fingers.
    let over =
        thumb.depth + 0.02 >= parts.iter().map(|part| part.depth).fold(f32::MIN, f32::max) || hand.palm[2] > 0.25;
    parts.sort_by(|a, b| a.depth.total_cmp(&b.depth));
    let middle = hand.at(0.45, 0.0, 0.0)[2];
    let (behind, front): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(|part| part.depth < middle + 0.06);
    if !over {
        finger(brush, skin, &thumb, line);
    }
    behind.iter().for_each(|part| finger(brush, skin, part, line));
    back(brush, skin, hand, line);
    // Fingers that lie before the palm begin at its edge, not on it.
    front.iter().for_each(|part| finger(brush, skin, part, line));
    if over {
        finger(brush, skin, &thumb, line);
    }
}

/// The palm or the back of the hand.
fn back(brush: &mut Brush<'_>, skin: &Skin, hand: &Hand, line: [u8; 3]) {
    let circles = palm(hand);
    let Some(all) = Hulls::default().around(&circles).path() else { return };
    brush.fill(&all, skin.tone.shade, 1.0);
    if let Some(light) = Hulls::default().around(&lit(&circles, 0.66)).path() {
        brush.within(&all, |brush| brush.fill(&light, skin.tone.base, 1.0));
    }
    let facing = hand.palm[2];
    let drawn = |a: [f32; 3], b: [f32; 3], c: [f32; 3], width: f32| {
        let spine = [a, b, c].map(|[along, thumb, w]| {
            let p = hand.at(along, thumb, 0.02);
            [p[0], p[1], w * width * hand.length]
        });
        super::knots::ribbon(&spine)
    };
    if facing > 0.3 {
        // The lines of the palm.
        let life = drawn([0.44, 0.17, 0.0], [0.30, 0.02, 1.0], [0.10, 0.04, 0.0], 0.011);
        brush.fill(&life, line, 0.55 * facing);
        let heart = drawn([0.40, -0.17, 0.0], [0.38, -0.04, 1.0], [0.44, 0.09, 0.0], 0.010);
        brush.fill(&heart, line, 0.5 * facing);
    } else if facing < -0.3 {
        for side in [0.105, 0.0, -0.115] {
            let knuckle = drawn([0.52, side, 0.6], [0.47, side, 1.0], [0.40, side * 0.9, 0.0], 0.008);
            brush.fill(&knuckle, line, -0.55 * facing);
        }
    }
}

fn finger(brush: &mut Brush<'_>, skin: &Skin, part: &Part, line: [u8; 3]) {
    let grown: Vec<Round> = part.chain[1..].iter().map(|&[x, y, r]| [x, y, r + 0.011]).collect();
    let mut edge = vec![[part.chain[0][0], part.chain[0][1], part.chain[0][2] * 0.96]];
    edge.extend(grown);
    if let Some(edge) = Hulls::default().along(&edge).path() {
        brush.fill(&edge, line, 0.85);
    }
    if let Some(all) = Hulls::default().along(&part.chain).path() {
        brush.fill(&all, skin.tone.shade, 1.0);
    }
    if let Some(light) = Hulls::default().along(&lit(&part.chain, 0.80)).path() {
        brush.fill(&light, skin.tone.base, 1.0);
    }
    if let Some(nail) = part.nail.as_ref().and_then(|nail| Hulls::default().along(nail).path()) {
        brush.fill(&nail, mixed(skin.tone.light, [255, 226, 214], 0.45), 0.95);
    }
}
