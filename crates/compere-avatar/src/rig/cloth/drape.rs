//! How cloth hangs: from where it last touches a body it falls, and does not follow the body back in.
//!
//! What lies on skin everywhere is a skin. A jacket falls from the chest nearly straight, a shirt a little inwards.

use crate::rig::body::parts::{ClothTraits, relaxed};
use crate::rig::ground::mesh::relax;
use crate::rig::ground::v3::{V3, add, atan2, exp, length, mix, sin, ss};

/// How often what cloth does is shared among neighbours.
const EVEN: u32 = 14;
/// And how often cloth that hangs free is.
const ROUNDED: u32 = 60;
/// Round the body, and from the hem upwards.
const TURNS: usize = 72;
const ROWS: usize = 64;
/// How many steps round cloth spans to each side.
const WIDEST: usize = 14;
/// Between these heights cloth may hang; it begins to below the armpits.
const LOW: f32 = -0.6;
const HIGH: f32 = 4.75;
const FROM: [f32; 2] = [4.65, 4.15];

/// Where what is tailored is narrowest at its sides, and how far above and below it is so.
const WAIST: f32 = 2.3;
const AROUND_WAIST: f32 = 0.95;

/// How cloth comes in below the chest: so far for each unit that it falls, and so much at the sides of a waist.
pub(super) struct Fall {
    pub(super) slope: f32,
    pub(super) waist: f32,
}

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
        // It spans what lies between two hills.
        let mut hull = Self { far: far.iter().map(spanned).collect() };
        (0..3).for_each(|_| hull.soften());
        hull
    }

    /// Where cloth at a point goes that does not follow the body.
    fn out(&self, p: V3, arm: f32) -> V3 {
        let own = reach(p);
        let share = ss(FROM[0], FROM[1], p[1]) * ss(0.35, 0.05, arm) * ss(-0.55, -0.05, p[2] / own.max(0.1));
        let longer = (self.at(p) - own).max(0.0) * share / own.max(0.1);
        [p[0] * longer, 0.0, p[2] * longer]
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

/// The least ring without a dent around another: straight from each hill to the next.
fn spanned(ring: &[f32; TURNS]) -> [f32; TURNS] {
    let angle = |steps: usize| steps as f32 / TURNS as f32 * std::f32::consts::TAU;
    std::array::from_fn(|at| {
        let mut most = ring[at];
        for back in 1..=WIDEST {
            for on in 1..=WIDEST {
                let (a, b) = (ring[(at + TURNS - back) % TURNS], ring[(at + on) % TURNS]);
                // Where the line from one to the other crosses this direction.
                let across = a * sin(angle(back)) + b * sin(angle(on));
                if across > 1e-3 {
                    most = most.max(a * b * sin(angle(back + on)) / across);
                }
            }
        }
        most
    })
}

fn reach(p: V3) -> f32 {
    (p[0] * p[0] + p[2] * p[2]).sqrt()
}

/// Lets cloth hang. Arms are left alone but for what cloth draws along, and so is the back, which falls as it is.
pub(super) fn hang(points: &mut [V3], triangles: &[[u32; 3]], traits: &[ClothTraits], fall: &Fall) {
    let hull = Hull::new(points, traits, fall.slope);
    let mut moves: Vec<V3> = points.iter().zip(traits).map(|(p, traits)| hull.out(*p, traits.arm)).collect();
    // Where arms begin it would stand over them as a shelf.
    relax(&mut moves, triangles, EVEN, 0.5);
    points.iter_mut().zip(&moves).for_each(|(p, by)| *p = add(*p, *by));
    // What came from a corner of the body lies in one line now, however much cloth it is.
    let even = relaxed(points, triangles, 80);
    for ((p, even), by) in points.iter_mut().zip(even).zip(&moves) {
        *p = mix(*p, even, ss(0.0, 0.05, length(*by)));
    }
    let armpit = armpit(points, traits);
    let wide = widths(points, traits);
    for (p, traits) in points.iter_mut().zip(traits) {
        // A side falls from the armpit as a plumb line does, but for the waist: a bulge below it would end in an arc beside
        // the arm.
        let off = (p[1] - WAIST) / AROUND_WAIST;
        let side = armpit * (1.0 - 0.02 * (ARMPIT - p[1]).clamp(0.0, 2.6) - fall.waist * exp(-off * off));
        // Hips are as wide as they are.
        let share = ss(ARMPIT + 0.25, ARMPIT - 0.35, p[1]) * ss(0.9, 2.4, p[1]) * ss(0.35, 0.05, traits.arm);
        let row = Hull::row(p[1]);
        let (low, part) = (row as usize, row - (row as usize) as f32);
        let most = wide[low] * (1.0 - part) + wide[(low + 1).min(ROWS - 1)] * part;
        p[0] *= 1.0 + ((side / most.max(0.1)).min(1.0) - 1.0) * share;
    }
    // Between what spans the chest and what is held at the sides there would be an edge from the armpit to the hem. Hips
    // carry it: evened out there, what is worn under it would come through.
    let even = relaxed(points, triangles, ROUNDED);
    for ((p, even), traits) in points.iter_mut().zip(even).zip(traits) {
        let hangs = ss(ARMPIT + 0.1, ARMPIT - 0.5, p[1]) * ss(1.0, 2.4, p[1]);
        *p = mix(*p, even, hangs * ss(0.35, 0.05, traits.arm));
    }
}

/// How far to the side the body's cloth reaches, by height.
fn widths(points: &[V3], traits: &[ClothTraits]) -> [f32; ROWS] {
    let mut wide = [0.1_f32; ROWS];
    for (p, _) in points.iter().zip(traits).filter(|(p, t)| t.arm < 0.25 && (LOW..HIGH).contains(&p[1])) {
        let cell = &mut wide[(Hull::row(p[1]) + 0.5) as usize];
        *cell = cell.max(p[0].abs());
    }
    for _ in 0..4 {
        let old = wide;
        for row in 1..ROWS - 1 {
            wide[row] = old[row] * 0.5 + (old[row - 1] + old[row + 1]) * 0.25;
        }
    }
    wide
}

/// How near a place is to where chest, back and sleeve meet under the arm: cloth bridges the corner.
pub(super) fn near_armpit(p: V3, armpit: f32) -> f32 {
    let d = [(p[0].abs() - armpit + 0.05) / 0.40, (p[1] - ARMPIT + 0.20) / 0.60];
    exp(-d[0] * d[0] - d[1] * d[1])
}

/// Where arms part from the chest.
const ARMPIT: f32 = 4.10;

/// How far to the side the chest reaches there.
pub(super) fn armpit(points: &[V3], traits: &[ClothTraits]) -> f32 {
    let near = points.iter().zip(traits).filter(|(p, t)| (p[1] - ARMPIT).abs() < 0.12 && t.arm < 0.25);
    near.map(|(p, _)| p[0].abs()).fold(0.5, f32::max)
}
