//! Trousers that fall straight, and shoes that stand on the ground.

use super::garment::ANKLE;
use crate::rig::body::parts::ClothTraits;
use crate::rig::ground::v3::{V3, add, mul, ss, sub};

/// Heights a leg is measured at, from the ankle up to where it begins.
const ROWS: usize = 28;
const HIP: f32 = -1.0;
/// From here on a leg is made straight, and is so below.
const FROM: [f32; 2] = [-1.1, -2.6];
/// How much of the thigh's girth a leg of trousers has at its hem.
const HEM: f32 = 0.66;
const ROUND: f32 = 0.72;
/// The lens is near and as high as a face, for the face's sake, and would see shoes from above, as if they hung. They
/// are raised towards their tips by what a lens farther off and lower would see.
const RAISED: f32 = 0.46;
const HEEL: f32 = -0.55;

/// A leg's axis and how far cloth is from it, by height.
struct Leg {
    rows: Vec<Option<(V3, f32)>>,
}

impl Leg {
    fn new(points: &[V3], traits: &[ClothTraits], sign: f32) -> Self {
        let mine = |(p, t): &(&V3, &ClothTraits)| t.arm < 0.3 && p[0] * sign > 0.0 && (ANKLE..HIP).contains(&p[1]);
        let of_leg: Vec<V3> = points.iter().zip(traits).filter(mine).map(|(p, _)| *p).collect();
        // Each counts at the two heights next to its own.
        let shares = |p: V3| {
            let row = Self::row(p[1]);
            let low = (row as usize).min(ROWS - 2);
            [(low, 1.0 - (row - low as f32)), (low + 1, row - low as f32)]
        };
        let mut sums = vec![([0.0; 3], 0.0_f32); ROWS];
        for &p in &of_leg {
            for (row, share) in shares(p) {
                sums[row] = (add(sums[row].0, mul(p, share)), sums[row].1 + share);
            }
        }
        let middles: Vec<Option<V3>> =
            sums.iter().map(|&(sum, count)| (count > 2.0).then(|| mul(sum, 1.0 / count))).collect();
        let mut girths = vec![[0.0_f32; 2]; ROWS];
        for &p in &of_leg {
            for (row, share) in shares(p) {
                if let Some(middle) = middles[row] {
                    girths[row][0] += share * flat(sub(p, middle));
                    girths[row][1] += share;
                }
            }
        }
        let rows = middles.iter().zip(girths).map(|(middle, [sum, count])| Some(((*middle)?, sum / count))).collect();
        Self { rows }
    }

    fn row(y: f32) -> f32 {
        ((y - ANKLE) / (HIP - ANKLE) * (ROWS - 1) as f32).clamp(0.0, (ROWS - 1) as f32)
    }

    /// Between the two heights next to one that are known.
    fn at(&self, y: f32) -> Option<(V3, f32)> {
        let row = Self::row(y);
        let low = (row as usize).min(ROWS - 2);
        let share = row - low as f32;
        match (self.rows[low], self.rows[low + 1]) {
            (Some((a, r)), Some((b, s))) => {
                Some((add(mul(a, 1.0 - share), mul(b, share)), r * (1.0 - share) + s * share))
            }
            (one, other) => one.or(other),
        }
    }

    /// Where a point of the leg is when it falls straight from the thigh to the shoe.
    fn straight(&self, p: V3) -> Option<V3> {
        let (middle, girth) = self.at(p[1])?;
        let ((hip, wide), (foot, _)) = (self.at(FROM[1])?, self.at(ANKLE + 0.2)?);
        let down = ((FROM[1] - p[1]) / (FROM[1] - ANKLE)).clamp(0.0, 1.0);
        let axis = |k: usize| hip[k] + (foot[k] - hip[k]) * down;
        let wanted = wide * (1.0 + (HEM - 1.0) * down);
        let off = sub(p, middle);
        let far = flat(off).max(0.02);
        // Nearly round, whatever knee and calf do.
        let radius = wanted * (ROUND + (1.0 - ROUND) * far / girth.max(0.05));
        let share = ss(FROM[0], FROM[1], p[1]);
        let moved = [axis(0) + off[0] / far * radius, p[1], axis(2) + off[2] / far * radius];
        Some(add(p, mul(sub(moved, p), share)))
    }
}

fn flat(v: V3) -> f32 {
    (v[0] * v[0] + v[2] * v[2]).sqrt()
}

/// Lets trousers fall.
pub(super) fn fall(points: &mut [V3], traits: &[ClothTraits]) {
    let legs = [-1.0, 1.0].map(|sign| Leg::new(points, traits, sign));
    for (p, traits) in points.iter_mut().zip(traits) {
        if traits.arm < 0.3 && p[1] < FROM[0] {
            let leg = &legs[usize::from(p[0] > 0.0)];
            *p = leg.straight(*p).unwrap_or(*p);
        }
    }
}

/// Stands shoes on the ground.
pub(super) fn stand(points: &mut [V3], traits: &[ClothTraits]) {
    for (p, traits) in points.iter_mut().zip(traits) {
        if traits.arm < 0.3 {
            p[1] += RAISED * (p[2] - HEEL).max(0.0) * ss(ANKLE + 0.9, ANKLE - 0.3, p[1]);
        }
    }
}
