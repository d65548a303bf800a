//! Hair cut short: sides that lie to the head, and locks on top that are combed to a side.

use super::groom::{Growth, Guides, Plait, relaxed, resampled, trace};
use super::locks::{Cover, Lock, cover, flyaways, spaced};
use super::roots::{Root, roots};
use super::styles::along;
use crate::maths::{Dice, lerp};
use crate::rig::body::skull::{Skull, angles};
use crate::rig::body::strands::Strands;
use crate::rig::ground::v3::{V3, add, fbm, length, mul, norm, ss, sub};
use crate::rig::people::person::Hair;

/// Cut short: lengths on top and at the sides, swept to a side.
pub(crate) fn short(style: Hair, [top, side, sweep]: [f32; 3], skull: &Skull, dice: &mut Dice) -> Strands {
    const POINTS: usize = 12;
    let comb = Comb { top, sweep };
    let mut guides = Guides { curves: Vec::new(), keys: Vec::new(), each: Vec::new() };
    for root in roots(style, 5200, 5.5, dice) {
        let crown = comb.crown(root);
        let fade = (0.42 + root.above / 16.0).clamp(0.42, 1.0);
        let close = lerp(0.55, 1.0, ss(0.0, 12.0, root.above));
        // What grows on top lies under the locks.
        let length = lerp(side * close * fade, 0.30, crown) * dice.between(0.8, 1.1);
        let shell = lerp(0.012, 0.018, crown);
        let stand = lerp(0.01, 0.05, crown);
        let curve = comb.trace(root, length, shell, stand, skull, dice);
        let mut curve = resampled(&curve, POINTS, 1.0);
        relaxed(&mut curve, 1);
        guides.curves.push(curve);
        guides.keys.push(root.d);
        guides
            .each
            .push([lerp(0.75, 1.0, crown) * lerp(0.45, 1.0, ss(0.0, 8.0, root.above)), ss(8.0, 1.0, root.above)]);
    }
    let lock = guides.bunch(160, |_, t| 0.12 * ss(0.0, 0.4, t), dice);
    let plait = Plait { children: 8, spread: 0.040, tip: 0.60, frizz: 0.012, uneven: 0.18, width: 0.0030, tone: 0.30 };
    let mut all = guides.plaited(&lock, &plait, dice);
    let locks = comb.locks(style, POINTS, skull, dice);
    let mat = Cover { strands: 54, frizz: 0.012, uneven: 0.10 };
    flyaways(&locks, 60, skull.centre, dice, &mut all);
    cover(&locks, &mat, skull.centre, dice, &mut all);
    all
}

/// How short hair is combed.
struct Comb {
    top: f32,
    sweep: f32,
}

impl Comb {
    /// How much hair that grows here is of the top.
    fn crown(&self, root: Root) -> f32 {
        let (azimuth, elevation) = angles(root.d);
        let crown = ss(8.0, 46.0, elevation - 12.0 * (root.d[0] * -self.sweep.signum()).max(0.0));
        // Over the forehead it is combed up from the very hairline.
        crown.max(ss(54.0, 34.0, azimuth.abs()) * ss(-7.0, 3.0, root.above))
    }

    fn front(&self, root: Root) -> f32 {
        ss(75.0, 15.0, angles(root.d).0.abs()) * self.crown(root)
    }

    /// Which way hair goes from a root, and how clearly.
    fn flow(&self, root: Root) -> V3 {
        let d = root.d;
        let (azimuth, elevation) = angles(d);
        let (crown, front) = (self.crown(root), self.front(root));
        let swirl = (fbm(mul(d, 3.0), 2) - 0.37) * 0.05;
        let up = [0.5 * self.sweep * (0.75 + 0.7 * front) + swirl, 0.25 + 0.35 * front, -0.75 + 0.40 * front];
        let down = [0.0, -1.0, -0.45 + 0.3 * ss(60.0, 80.0, azimuth.abs()) * ss(0.0, -20.0, elevation)];
        along(add(mul(up, crown), mul(down, 1.0 - crown)), d)
    }

    fn trace(&self, root: Root, length: f32, shell: f32, stand: f32, skull: &Skull, dice: &mut Dice) -> Vec<V3> {
        let (d, crown) = (root.d, self.crown(root));
        let flow = add(self.flow(root), mul([dice.normal(), dice.normal(), dice.normal()], 0.01));
        let heading = norm(add(norm(along(flow, d)), mul(d, stand)));
        let growth = Growth { root: d, heading, weight: lerp(0.6, 2.2, crown), shell, length, tip: f32::MIN };
        let settle = norm(along(flow, d));
        // Once it has risen it comes back to the head.
        let pull = 3.5 * crown;
        trace(&growth, skull, None, |p, gone| {
            let q = norm(sub(*p, skull.centre));
            sub(mul(along(settle, q), 2.4), mul(q, pull * ss(0.25, 0.8, gone)))
        })
    }

    /// The masses on top.
    fn locks(&self, style: Hair, points: usize, skull: &Skull, dice: &mut Dice) -> Vec<Lock> {
        let on_top: Vec<Root> =
            roots(style, 4000, 1.0, dice).into_iter().filter(|root| self.crown(*root) > 0.60).collect();
        let places: Vec<V3> = on_top.iter().map(|root| root.d).collect();
        let apart = |at: usize| 0.135 * lerp(0.62, 1.0, ss(0.0, 25.0, on_top[at].above));
        let mut made = Vec::new();
        for at in spaced(&places, apart) {
            let root = on_top[at];
            // Between what is combed up and what is combed down it stands on end.
            if length(self.flow(root)) < 0.5 {
                continue;
            }
            let (crown, front) = (self.crown(root), self.front(root));
            let far = 1.0 - 0.6 * ss(0.05, 0.55, root.d[0] * self.sweep.signum());
            let length = (0.35 + 1.20 * self.top) * (1.0 + 0.25 * front) * lerp(0.6, 1.0, crown);
            let length = length * lerp(1.0, far, crown) * dice.between(0.85, 1.15);
            let edge = lerp(0.35, 1.0, ss(0.0, 14.0, root.above)).max(front);
            let lift = 0.5 * dice.between(-0.025, 0.025);
            let shell = (0.03 + 0.30 * self.top * (0.7 + 0.5 * front)) * crown * edge + lift.max(-0.02);
            let stand = 0.06 + 0.34 * front * ss(52.0, 20.0, angles(root.d).0.abs());
            let curve = self.trace(root, length, shell, stand, skull, dice);
            let mut line = resampled(&curve, points, kept(&curve, skull, 20.0 + dice.between(-6.0, 8.0)));
            relaxed(&mut line, 3);
            let wide =
                0.12 * dice.between(0.75, 1.2) * lerp(0.55, 1.0, ss(0.0, 18.0, root.above)) * lerp(0.7, 1.0, crown);
            made.push(Lock {
                line,
                wide,
                high: wide * 0.32,
                root: 0.5,
                tip: 0.15,
                fine: ss(8.0, 1.0, root.above),
                tone: dice.between(0.0, 0.5),
            });
        }
        made
    }
}

/// How much of a lock is left where it would hang over the side of the head, below an elevation.
fn kept(curve: &[V3], skull: &Skull, low: f32) -> f32 {
    let over = |p: &V3| {
        let (azimuth, elevation) = angles(norm(sub(*p, skull.centre)));
        azimuth.abs() > 28.0 && elevation < low
    };
    let end = curve.iter().position(over).unwrap_or(curve.len() - 1);
    end.max(curve.len() / 4) as f32 / (curve.len() - 1) as f32
}
