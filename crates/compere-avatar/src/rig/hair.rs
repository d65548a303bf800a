//! The skull under the hair, where hair grows on it, and who wears which style.

use super::groom::Drape;
use super::parts::{Mesh, Stuff};
use super::person::Hair;
use super::sculpt::Body;
use super::v3::{V3, cos, dot, exp, interp, length, norm, powi, sin, ss, sub};
use crate::maths::Dice;

/// The skull as a distance in every direction from the middle of the head.
pub(super) struct Skull {
    pub(super) centre: V3,
    /// By azimuth and elevation, `AROUND` by `UP` nodes.
    table: Vec<f32>,
}

const AROUND: usize = 96;
const UP: usize = 48;

impl Skull {
    pub(super) fn new(body: &Body, skin: &Mesh) -> Self {
        let eye = (body.eyes[0][1] + body.eyes[1][1]) * 0.5;
        let centre = [0.0, (eye + body.top) * 0.5 + 0.02, 0.42];
        let near = Near::new(skin, centre, eye);
        let node = |at: usize| {
            let azimuth = (at % AROUND) as f32 / AROUND as f32 * 360.0 - 180.0;
            let elevation = (at / AROUND) as f32 / (UP - 1) as f32 * 180.0 - 90.0;
            near.radius(direction(azimuth, elevation))
        };
        Self { centre, table: (0..AROUND * UP).map(node).collect() }
    }

    pub(super) fn radius(&self, direction: V3) -> f32 {
        let (azimuth, elevation) = angles(direction);
        let x = (azimuth + 180.0) / 360.0 * AROUND as f32;
        let y = ((elevation + 90.0) / 180.0 * (UP - 1) as f32).clamp(0.0, UP as f32 - 1.001);
        let (ix, iy) = (x as usize, y as usize);
        let (fx, fy) = (x - ix as f32, y - iy as f32);
        let at = |dx: usize, dy: usize| self.table[(iy + dy) * AROUND + (ix + dx) % AROUND];
        (at(0, 0) * (1.0 - fx) + at(1, 0) * fx) * (1.0 - fy) + (at(0, 1) * (1.0 - fx) + at(1, 1) * fx) * fy
    }
}

/// Skin around the middle of the head, in cells by direction.
struct Near {
    samples: Vec<(V3, f32)>,
    cells: Vec<Vec<u32>>,
}

const CELLS: usize = 14;

impl Near {
    fn new(skin: &Mesh, centre: V3, eye: f32) -> Self {
        let mut samples = Vec::new();
        for (p, t) in skin.points.iter().zip(&skin.traits) {
            // Without ears and the inside of the mouth.
            if t[5] < 0.05 && t[6] < 0.05 && p[1] > eye - 1.2 {
                let d = sub(*p, centre);
                samples.push((norm(d), length(d)));
            }
        }
        let mut cells = vec![Vec::new(); CELLS * CELLS * CELLS];
        for (at, (d, _)) in samples.iter().enumerate() {
            cells[Self::cell(Self::coordinates(*d))].push(at as u32);
        }
        Self { samples, cells }
    }

    fn coordinates(d: V3) -> [i32; 3] {
        d.map(|c| (((c + 1.0) * 0.5 * CELLS as f32) as i32).clamp(0, CELLS as i32 - 1))
    }

    fn cell(c: [i32; 3]) -> usize {
        ((c[2] as usize * CELLS) + c[1] as usize) * CELLS + c[0] as usize
    }

    fn radius(&self, direction: V3) -> f32 {
        let c = Self::coordinates(direction);
        let (mut sum, mut total) = (0.0, 0.0);
        for reach in [1, 3] {
            for dz in -reach..=reach {
                for dy in -reach..=reach {
                    for dx in -reach..=reach {
                        let at = [c[0] + dx, c[1] + dy, c[2] + dz];
                        if at.iter().any(|&v| !(0..CELLS as i32).contains(&v)) {
                            continue;
                        }
                        for &s in &self.cells[Self::cell(at)] {
                            let (d, r) = self.samples[s as usize];
                            let apart = sub(d, direction);
                            let w = exp(-dot(apart, apart) / 0.009) + 1e-7;
                            sum += r * w;
                            total += w;
                        }
                    }
                }
            }
            if total > 1e-3 {
                break;
            }
        }
        if total > 0.0 { sum / total } else { 1.0 }
    }
}

/// Height of the hairline over the horizon, in degrees, by degrees from the front.
const LINE: [(f32, f32); 10] = [
    (0.0, 13.0),
    (22.0, 13.6),
    (40.0, 10.0),
    (54.0, -1.0),
    (66.0, -17.0),
    (78.0, -40.0),
    (95.0, -26.0),
    (120.0, -46.0),
    (150.0, -60.0),
    (180.0, -62.0),
];

impl Hair {
    /// Height of the hairline at an azimuth: lower at the temples' corners when it recedes.
    pub(super) fn line(self, azimuth: f32) -> f32 {
        if matches!(self, Self::Bald | Self::Scarf) {
            return 120.0;
        }
        let (recede, low) = if let Self::Short { recede, .. } = self { (recede, 5.5) } else { (0.0, 4.0) };
        let temple = exp(-powi((azimuth.abs() - 38.0) / 16.0, 2));
        let front = ss(50.0, 30.0, azimuth.abs());
        // Tied back it leaves the ears free.
        let side = if matches!(self, Self::Tied { .. }) {
            4.0 * ss(50.0, 64.0, azimuth.abs()) * ss(112.0, 88.0, azimuth.abs())
        } else {
            0.0
        };
        interp(azimuth.abs(), &LINE) + side - low * front + recede * (0.35 + temple) * 12.0
    }
}

pub(super) fn direction(azimuth: f32, elevation: f32) -> V3 {
    let (a, e) = (azimuth.to_radians(), elevation.to_radians());
    [sin(a) * cos(e), sin(e), cos(a) * cos(e)]
}

pub(super) fn angles(d: V3) -> (f32, f32) {
    (libm::atan2f(d[0], d[2]).to_degrees(), libm::asinf(d[1].clamp(-1.0, 1.0)).to_degrees())
}

/// A place where hair grows: its direction, and degrees above the hairline.
#[derive(Clone, Copy)]
pub(super) struct Root {
    pub(super) d: V3,
    pub(super) above: f32,
}

/// Roots spread evenly over the scalp, thinning out over `ragged` degrees at its edge.
pub(super) fn roots(style: Hair, count: usize, ragged: f32, dice: &mut Dice) -> Vec<Root> {
    let mut out = Vec::with_capacity(count);
    while out.len() < count {
        let d = [dice.normal(), dice.normal(), dice.normal()];
        if length(d) < 0.1 {
            continue;
        }
        let d = norm(d);
        let (azimuth, elevation) = angles(d);
        let above = elevation - style.line(azimuth);
        let wander = (super::v3::noise(super::v3::mul(d, 9.0)) - 0.5) * ragged * 1.5;
        if above > wander + dice.normal().abs() * ragged {
            out.push(Root { d, above });
        }
    }
    out
}

pub(super) fn grow(style: Hair, skull: &Skull, body: &Body) -> Vec<Mesh> {
    let drape = Drape::new(body);
    let mut dice = Dice::new(7, 3);
    let strands = match style {
        Hair::Long(cut) => super::styles::long(style, cut, skull, &drape, &mut dice),
        Hair::Short { top, side, sweep, .. } => super::styles::short(style, [top, side, sweep], skull, &mut dice),
        Hair::Curls { size } => super::styles::curls(style, size, skull, &mut dice),
        Hair::Tied { knot, high, part } => super::styles::tied(style, [knot, high, part], skull, &mut dice),
        Hair::Bald | Hair::Scarf => return Vec::new(),
    };
    vec![strands.mesh(Stuff::Hair)]
}
