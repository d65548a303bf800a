//! Locks: the masses that hair is combed in. Each is a tapered roll that lies on the head, covered with strands.

use super::groom::resampled;
use crate::maths::Dice;
use crate::rig::body::strands::Strands;
use crate::rig::ground::curve::relaxed;
use crate::rig::ground::v3::{V3, add, cos, cross, dot, length, mix, mul, norm, sin, ss, sub};

pub(crate) struct Lock {
    /// Its middle, root to tip.
    pub(crate) line: Vec<V3>,
    /// Half of how wide and how high it is where it is thickest.
    pub(crate) wide: f32,
    pub(crate) high: f32,
    /// How much of its width it has at the root, and what is left at the tip.
    pub(crate) root: f32,
    pub(crate) tip: f32,
    /// How near the hairline it grows.
    pub(crate) fine: f32,
    /// What its strands' shades are about.
    pub(crate) tone: f32,
}

/// How strands lie on locks.
pub(crate) struct Cover {
    pub(crate) strands: usize,
    pub(crate) frizz: f32,
    pub(crate) uneven: f32,
}

/// Strands that share the light of one.
const SHARE: usize = 6;

impl Lock {
    /// Which way is out, for a point of a line: away from the head, and from the neck below it.
    fn out(p: V3, centre: V3) -> V3 {
        let q = sub(p, centre);
        norm([q[0], q[1].max(-0.25 * length(q)), q[2]])
    }

    fn width(&self, t: f32) -> f32 {
        (self.root + (1.0 - self.root) * ss(0.0, 0.28, t)) * (1.0 - (1.0 - self.tip) * ss(0.50, 1.0, t))
    }

    /// Adds its strands: from side to side over its upper half.
    fn cover(&self, cover: &Cover, centre: V3, dice: &mut Dice, into: &mut Strands) {
        let k = self.line.len();
        let tau = std::f32::consts::TAU;
        for at in 0..cover.strands {
            let place = (at as f32 + dice.unit()) / cover.strands as f32 * 2.0 - 1.0;
            let turn = place * 1.95;
            let depth = dice.between(0.90, 1.03);
            let (stray, phase) = (cover.frizz * dice.unit() * dice.unit(), dice.between(0.0, tau));
            let share = 1.0 - cover.uneven * dice.unit() * dice.unit();
            let mut curve = Vec::with_capacity(k);
            let mut faces = Vec::with_capacity(k);
            let line = resampled(&self.line, k, share);
            for i in 0..k {
                let t = i as f32 / (k - 1) as f32;
                let tangent = norm(sub(line[(i + 1).min(k - 1)], line[i.saturating_sub(1)]));
                let out = Self::out(line[i], centre);
                let side = norm(cross(tangent, out));
                let up = cross(side, tangent);
                let w = self.width(t) * depth;
                let wander = mul(add(mul(side, sin(phase + 7.0 * t)), mul(up, cos(1.7 * phase + 9.0 * t))), stray * t);
                let (a, b) = (sin(turn), cos(turn));
                let p = add(line[i], add(mul(side, a * w * self.wide), mul(up, b * w * self.high)));
                curve.push(add(p, wander));
                // At the root it faces as the head does, or a parting has a light side and a dark one.
                let rolled = norm(add(mul(side, a / self.wide), mul(up, b / self.high)));
                // Its length is how open it lies: strands at the sides are between their lock and the next.
                let open = 1.0 - 0.75 * (1.0 - self.fine) * ss(0.35, 1.0, place.abs()) * ss(0.05, 0.45, t);
                faces.push(mul(norm(mix(out, rolled, ss(0.0, 0.35, t))), open));
            }
            let shade = (self.tone + 0.5 * (dice.unit() - 0.5)).clamp(0.0, 1.0);
            into.curves.push(curve);
            into.faces.push(faces);
            into.each.push([dice.between(0.9, 1.3), shade, self.fine]);
            into.guide.push((at % SHARE) as u32);
        }
    }
}

/// Strands of locks over what there is.
pub(crate) fn cover(locks: &[Lock], cover: &Cover, centre: V3, dice: &mut Dice, into: &mut Strands) {
    into.faces.resize(into.curves.len(), Vec::new());
    for lock in locks {
        lock.cover(cover, centre, dice, into);
    }
}

/// Single hairs that left their locks: an outline without them is a helmet's.
pub(crate) fn flyaways(locks: &[Lock], count: usize, centre: V3, dice: &mut Dice, into: &mut Strands) {
    if locks.is_empty() {
        return;
    }
    for _ in 0..count {
        let lock = &locks[dice.next() as usize % locks.len()];
        let (phase, far) = (dice.between(0.0, std::f32::consts::TAU), dice.between(0.2, 1.0));
        let last = lock.line.len() as f32 - 1.0;
        let begin = dice.between(0.0, 0.3);
        let off = |(at, p): (usize, &V3)| {
            let t = at as f32 / last;
            let out = Lock::out(*p, centre);
            let lift = lock.high + far * 0.075 * ss(begin, begin + 0.5, t);
            let sway = 0.022 * far * sin(phase + 6.0 * t);
            add(*p, add(mul(out, lift * ss(0.0, 0.2, t)), [sway * cos(phase), 0.3 * sway, sway * sin(phase)]))
        };
        let mut curve: Vec<V3> = lock.line.iter().enumerate().map(off).collect();
        relaxed(&mut curve, 3);
        into.curves.push(resampled(&curve, curve.len(), dice.between(0.7, 1.0)));
        into.faces.push(Vec::new());
        into.each.push([dice.between(0.5, 0.75), dice.between(0.5, 1.0), 0.6]);
        into.guide.push(0);
    }
}

/// Of places those that keep their distance from each other, in their order.
pub(crate) fn spaced(places: &[V3], apart: impl Fn(usize) -> f32) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    for at in 0..places.len() {
        let far = apart(at);
        let free = |&other: &usize| {
            let d = sub(places[at], places[other]);
            dot(d, d) >= far * far
        };
        if kept.iter().all(free) {
            kept.push(at);
        }
    }
    kept
}
