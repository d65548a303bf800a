//! How cloth hangs: from where it last touches a body it falls, and does not follow the body back in.
//!
//! What lies on skin everywhere is a skin. A jacket falls from the chest nearly straight, a shirt a little inwards.

use crate::rig::body::parts::ClothTraits;
use crate::rig::ground::v3::{V3, atan2, ss};

/// Round the body, and from the hem upwards.
const TURNS: usize = 72;
const ROWS: usize = 64;
/// Between these heights cloth may hang; it begins to below the armpits.
const LOW: f32 = -0.6;
const HIGH: f32 = 4.75;
const FROM: [f32; 2] = [4.65, 4.15];

/// How far out the body stands, by direction and height.
struct Hull {
    far: Vec<[f32; TURNS]>,
}

impl Hull {
    fn row(y: f32) -> f32 {
        ((y - LOW) / (HIGH - LOW) * (ROWS - 1) as f32).clamp(0.0, (ROWS - 1) as f32)
    }

    fn turn(p: V3) -> f32 {
        (atan2(p[0], p[2]) / std::f32::consts::TAU + 0.5) * TURNS as f32
    }

    /// `slope`: how far it comes in for each unit that it falls.
    fn new(points: &[V3], traits: &[ClothTraits], slope: f32) -> Self {
        let mut far = vec![[0.0_f32; TURNS]; ROWS];
        let torso = points.iter().zip(traits).filter(|(p, t)| t.arm < 0.3 && (LOW..HIGH).contains(&p[1]));
        for (p, _) in torso {
            let cell = &mut far[(Self::row(p[1]) + 0.5) as usize][Self::turn(*p) as usize % TURNS];
            *cell = cell.max(reach(*p));
        }
        let fall = slope * (HIGH - LOW) / (ROWS - 1) as f32;
        for row in (0..ROWS - 1).rev() {
            let above = far[row + 1];
            for (cell, above) in far[row].iter_mut().zip(above) {
                *cell = cell.max(above - fall);
            }
        }
        let mut hull = Self { far };
        // It spans what lies between two hills.
        (0..5).for_each(|_| hull.soften());
        hull
    }

    fn soften(&mut self) {
        for row in &mut self.far {
            let old = *row;
            for at in 0..TURNS {
                let beside = (old[(at + TURNS - 1) % TURNS] + old[(at + 1) % TURNS]) * 0.25;
                row[at] = old[at] * 0.5 + beside;
            }
        }
        let old = self.far.clone();
        for (row, rows) in self.far[1..].iter_mut().zip(old.windows(3)) {
            *row = std::array::from_fn(|turn| rows[1][turn] * 0.5 + (rows[0][turn] + rows[2][turn]) * 0.25);
        }
    }

    fn at(&self, p: V3) -> f32 {
        // A cell's middle is half a step on.
        let (row, turn) = (Self::row(p[1]), Self::turn(p) + TURNS as f32 - 0.5);
        let (r0, t0) = (row as usize, turn as usize);
        let (down, aside) = (row - r0 as f32, turn - t0 as f32);
        let along = |r: usize| {
            let ring = &self.far[r.min(ROWS - 1)];
            ring[t0 % TURNS] * (1.0 - aside) + ring[(t0 + 1) % TURNS] * aside
        };
        along(r0) * (1.0 - down) + along(r0 + 1) * down
    }
}

fn reach(p: V3) -> f32 {
    (p[0] * p[0] + p[2] * p[2]).sqrt()
}

/// Lets cloth hang. Arms are left alone, and so is the back, which falls as it is.
pub(super) fn hang(points: &mut [V3], traits: &[ClothTraits], slope: f32) {
    let hull = Hull::new(points, traits, slope);
    for (p, traits) in points.iter_mut().zip(traits) {
        let own = reach(*p);
        let share = ss(FROM[0], FROM[1], p[1]) * ss(0.35, 0.05, traits.arm) * ss(-0.55, -0.05, p[2] / own.max(0.1));
        let out = (hull.at(*p) - own).max(0.0) * share;
        let longer = 1.0 + out / own.max(0.1);
        p[0] *= longer;
        p[2] *= longer;
    }
}
