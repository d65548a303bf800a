//! Guides that grow, bunch and carry finer strands.
//!
//! A guide is a curve traced from its root; around it grow children that follow it. Light is worked out for guides
//! only, which is what makes tens of thousands of strands affordable.

use crate::maths::{Dice, lerp};
use crate::rig::body::sculpt::Body;
use crate::rig::body::skull::Skull;
use crate::rig::body::strands::Strands;
use crate::rig::ground::v3::{V3, add, cos, cross, dot, length, mix, mul, norm, sin, ss, sub};

/// The part of `v` that lies along the surface at `d`.
pub(super) fn along(v: V3, d: V3) -> V3 {
    sub(v, mul(d, dot(v, d)))
}

/// Chest, shoulders and back as heights over a grid, for hair to lie on.
pub(crate) struct Drape {
    front: Vec<f32>,
    back: Vec<f32>,
}

const COLUMNS: usize = 44;
const ROWS: usize = 40;
const CELL: f32 = 0.1;
const LOW: f32 = 2.0;

impl Drape {
    pub(crate) fn new(body: &Body) -> Self {
        let (mut front, mut back) = (vec![f32::MIN; COLUMNS * ROWS], vec![f32::MAX; COLUMNS * ROWS]);
        for p in &body.posed {
            let Some(at) = Self::cell(*p) else { continue };
            front[at] = front[at].max(p[2]);
            back[at] = back[at].min(p[2]);
        }
        // Vertices are sparser than cells: take the neighbours' worst.
        let spread = |from: &[f32], pick: fn(f32, f32) -> f32| -> Vec<f32> {
            let near = |at: usize| {
                let (x, y) = ((at % COLUMNS) as i32, (at / COLUMNS) as i32);
                let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy)));
                let inside = around.filter(|(x, y)| (0..COLUMNS as i32).contains(x) && (0..ROWS as i32).contains(y));
                inside.fold(from[at], |worst, (x, y)| pick(worst, from[y as usize * COLUMNS + x as usize]))
            };
            (0..from.len()).map(near).collect()
        };
        Self { front: spread(&front, f32::max), back: spread(&back, f32::min) }
    }

    fn cell(p: V3) -> Option<usize> {
        let (x, y) = (p[0] / CELL + COLUMNS as f32 * 0.5, (p[1] - LOW) / CELL);
        let inside = x >= 0.0 && y >= 0.0 && x < COLUMNS as f32 && y < ROWS as f32;
        inside.then(|| y as usize * COLUMNS + x as usize)
    }

    /// Out of the body to the front, `over` above its surface.
    pub(crate) fn before(&self, mut p: V3, over: f32) -> V3 {
        if p[1] <= 5.35
            && let Some(at) = Self::cell(p)
            && self.front[at] > f32::MIN
        {
            p[2] = p[2].max(self.front[at] + over);
        }
        self.lift(p, over)
    }

    /// Out of the body, `over` above its surface.
    pub(crate) fn lift(&self, mut p: V3, over: f32) -> V3 {
        if p[1] > 5.35 {
            // The neck.
            let (x, z) = (p[0], p[2] - 0.05);
            let far = (x * x + z * z).sqrt().max(1e-3);
            let least = 0.50 + over;
            if far < least && p[1] < 6.0 {
                p[0] = x / far * least;
                p[2] = 0.05 + z / far * least;
            }
            return p;
        }
        let Some(at) = Self::cell(p) else { return p };
        let (front, back) = (self.front[at] + over, self.back[at] - over);
        if p[2] > back && p[2] < front {
            p[2] = if p[2] > 0.0 || front - p[2] < p[2] - back { front } else { back };
        }
        p
    }
}

/// How one guide grows.
pub(crate) struct Growth {
    pub(crate) root: V3,
    pub(crate) heading: V3,
    /// Turn towards the ground per unit of length.
    pub(crate) weight: f32,
    /// How far over the skull it lies.
    pub(crate) shell: f32,
    pub(crate) length: f32,
    /// Ends where it falls below this.
    pub(crate) tip: f32,
}

/// Traces a guide; `steer` gives a pull by position and share of the length, and may move the point.
pub(crate) fn trace(
    growth: &Growth,
    skull: &Skull,
    drape: Option<&Drape>,
    steer: impl Fn(&mut V3, f32) -> V3,
) -> Vec<V3> {
    let steps = 40;
    let step = growth.length / steps as f32;
    let base = skull.radius(growth.root);
    let mut p = add(skull.centre, mul(growth.root, base - 0.01));
    let mut heading = growth.heading;
    let mut out = vec![p];
    for at in 1..=steps {
        let gone = at as f32 * step;
        let pull = steer(&mut p, gone / growth.length);
        heading = norm(add(heading, mul(add([0.0, -growth.weight, 0.0], pull), step)));
        let mut next = add(p, mul(heading, step));
        let q = sub(next, skull.centre);
        let (far, out_of) = (length(q), norm(q));
        let rise = 0.12 + 0.88 * ss(0.0, 0.45, gone);
        let least = skull.radius(out_of) + growth.shell * rise;
        if far < least && next[1] > skull.centre[1] - 1.05 {
            next = add(skull.centre, mul(out_of, least));
        }
        if let Some(drape) = drape {
            next = drape.lift(next, 0.13 + growth.shell * 0.35);
        }
        heading = norm(add(mul(heading, 0.35), norm(sub(next, p))));
        p = next;
        out.push(p);
        if p[1] < growth.tip {
            break;
        }
    }
    out
}

/// The same curve with `count` points evenly along it, up to a share of its length.
pub(crate) fn resampled(curve: &[V3], count: usize, share: f32) -> Vec<V3> {
    let last = (curve.len() - 1) as f32 * share;
    let point = |at: usize| {
        let x = last * at as f32 / (count - 1) as f32;
        let i = (x as usize).min(curve.len() - 2);
        mix(curve[i], curve[i + 1], x - i as f32)
    };
    (0..count).map(point).collect()
}

/// Guides with what their children need.
pub(crate) struct Guides {
    pub(crate) curves: Vec<Vec<V3>>,
    /// Where neighbours are looked for.
    pub(crate) keys: Vec<V3>,
    /// Factor on the width, and how near the hairline it grows: there strands begin fine.
    pub(crate) each: Vec<[f32; 2]>,
}

/// What makes strands of guides.
pub(crate) struct Plait {
    pub(crate) children: usize,
    /// How far children start from their guide, and how much of that is left at the tip.
    pub(crate) spread: f32,
    pub(crate) tip: f32,
    /// How much they wander.
    pub(crate) frizz: f32,
    /// How much shorter some are.
    pub(crate) uneven: f32,
    pub(crate) width: f32,
    /// How much of a strand's shade is its lock's.
    pub(crate) tone: f32,
    /// From which share of its length on a strand gets thinner, and by how much.
    pub(crate) thins: [f32; 2],
}

/// What falls ends as it was cut; but for its very tips.
pub(super) const BLUNT: [f32; 2] = [0.62, 0.60];

impl Guides {
    /// Pulls guides together in `count` locks, more towards their ends, and returns the lock of each.
    pub(crate) fn bunch(&mut self, count: usize, strength: impl Fn(usize, f32) -> f32, dice: &mut Dice) -> Vec<usize> {
        let picks: Vec<V3> = (0..count).map(|_| self.keys[dice.next() as usize % self.keys.len()]).collect();
        let nearest = |key: &V3| {
            let far = |p: &V3| {
                let d = sub(*p, *key);
                dot(d, d)
            };
            (0..picks.len()).min_by(|&a, &b| far(&picks[a]).total_cmp(&far(&picks[b]))).unwrap_or(0)
        };
        let lock: Vec<usize> = self.keys.iter().map(nearest).collect();
        let k = self.curves[0].len();
        let mut centres = vec![vec![[0.0; 3]; k]; count];
        let mut sizes = vec![0.0_f32; count];
        for (curve, &b) in self.curves.iter().zip(&lock) {
            sizes[b] += 1.0;
            for (centre, p) in centres[b].iter_mut().zip(curve) {
                *centre = add(*centre, *p);
            }
        }
        for (at, (curve, &b)) in self.curves.iter_mut().zip(&lock).enumerate() {
            for (i, p) in curve.iter_mut().enumerate() {
                let s = strength(at, i as f32 / (k - 1) as f32);
                *p = add(mul(*p, 1.0 - s), mul(centres[b][i], s / sizes[b]));
            }
        }
        lock
    }

    /// Strands around the guides. The shade of a strand follows its lock.
    pub(crate) fn plaited(&self, lock: &[usize], plait: &Plait, dice: &mut Dice) -> Strands {
        let k = self.curves[0].len();
        let (mut curves, mut each, mut guide) = (Vec::new(), Vec::new(), Vec::new());
        for (at, curve) in self.curves.iter().enumerate() {
            let heading = norm(sub(curve[1], curve[0]));
            let across = norm(cross(heading, [0.3, 0.9, 0.2]));
            let other = cross(heading, across);
            let tone = (lock[at] as f32 * 0.618_034).fract();
            for child in 0..=plait.children {
                let turn = dice.between(0.0, std::f32::consts::TAU);
                let far = plait.spread * dice.unit().sqrt() * f32::from(child > 0);
                let offset = add(mul(across, far * cos(turn)), mul(other, far * sin(turn)));
                let share = 1.0 - plait.uneven * dice.unit() * dice.unit() * f32::from(child > 0);
                let (wander, phase) =
                    (plait.frizz * dice.unit() * dice.unit(), dice.between(0.0, std::f32::consts::TAU));
                // A few go their own way: an outline without them is a helmet's.
                let wander = if child % 8 == 7 && tone < 0.5 { 1.7 * wander } else { wander };
                let mut strand = resampled(curve, k, share);
                for (i, p) in strand.iter_mut().enumerate() {
                    let t = i as f32 / (k - 1) as f32;
                    let w = wander * t * f32::from(child > 0);
                    let stray = add(mul(across, sin(phase + t * 7.0) * w), mul(other, cos(phase * 1.7 + t * 9.0) * w));
                    *p = add(*p, add(mul(offset, 1.0 + (plait.tip - 1.0) * t), stray));
                }
                curves.push(strand);
                let shade = (plait.tone * tone + (1.0 - plait.tone) * dice.unit()).clamp(0.0, 1.0);
                // At the hairline single hairs are seen against skin: dark ones would be scratches.
                let shade = lerp(shade, 0.85, 0.7 * self.each[at][1]);
                each.push([self.each[at][0] * dice.between(0.75, 1.15), shade, self.each[at][1]]);
                guide.push(child as u32);
            }
        }
        let taper = |i: usize| {
            let t = i as f32 / (k - 1) as f32;
            plait.width * (0.55 + 0.45 * ss(0.0, 0.12, t)) * (1.0 - plait.thins[1] * ss(plait.thins[0], 1.0, t))
        };
        Strands { curves, widths: (0..k).map(taper).collect(), each, guide, faces: Vec::new(), even: 0 }
    }
}
