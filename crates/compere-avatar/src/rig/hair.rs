//! Hair, strand by strand.

use super::parts::{Mesh, Strands, Stuff};
use super::person::Hair;
use super::sculpt::Body;
use super::v3::{V3, add, cos, dot, exp, interp, length, mul, norm, powi, sin, ss, sub};
use crate::maths::{Dice, lerp};

/// The skull as a distance in every direction from the middle of the head.
pub(super) struct Skull {
    pub(super) centre: V3,
    samples: Vec<(V3, f32)>,
    /// Sample indices by direction cell.
    cells: Vec<Vec<u32>>,
}

const CELLS: usize = 14;

impl Skull {
    pub(super) fn new(body: &Body, skin: &Mesh) -> Self {
        let eye = (body.eyes[0][1] + body.eyes[1][1]) * 0.5;
        let centre = [0.0, (eye + body.top) * 0.5 + 0.02, 0.42];
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
        Self { centre, samples, cells }
    }

    fn coordinates(d: V3) -> [i32; 3] {
        d.map(|c| (((c + 1.0) * 0.5 * CELLS as f32) as i32).clamp(0, CELLS as i32 - 1))
    }

    fn cell(c: [i32; 3]) -> usize {
        ((c[2] as usize * CELLS) + c[1] as usize) * CELLS + c[0] as usize
    }

    pub(super) fn radius(&self, direction: V3) -> f32 {
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
pub(super) const LINE: [(f32, f32); 10] = [
    (0.0, 13.5),
    (22.0, 14.5),
    (40.0, 10.0),
    (54.0, -1.0),
    (66.0, -17.0),
    (78.0, -40.0),
    (95.0, -26.0),
    (120.0, -46.0),
    (150.0, -60.0),
    (180.0, -62.0),
];

pub(super) fn direction(azimuth: f32, elevation: f32) -> V3 {
    let (a, e) = (azimuth.to_radians(), elevation.to_radians());
    [sin(a) * cos(e), sin(e), cos(a) * cos(e)]
}

pub(super) fn angles(d: V3) -> (f32, f32) {
    (libm::atan2f(d[0], d[2]).to_degrees(), libm::asinf(d[1].clamp(-1.0, 1.0)).to_degrees())
}

/// Roots spread over the scalp: direction, degrees above the hairline.
fn roots(count: usize, recede: f32, ragged: f32, dice: &mut Dice) -> Vec<(V3, f32)> {
    let mut out = Vec::with_capacity(count);
    while out.len() < count {
        let d = [dice.normal(), dice.normal(), dice.normal()];
        if length(d) < 0.1 {
            continue;
        }
        let d = norm(d);
        let (azimuth, elevation) = angles(d);
        let temple = exp(-((azimuth.abs() - 38.0) / 16.0) * ((azimuth.abs() - 38.0) / 16.0));
        let line = interp(azimuth.abs(), &LINE) + recede * (0.35 + temple) * 12.0;
        let above = elevation - line;
        if above > dice.normal() * ragged {
            out.push((d, above));
        }
    }
    out
}

pub(super) fn grow(style: Hair, skull: &Skull, body: &Body) -> Vec<Mesh> {
    let mut dice = Dice::new(7, 3);
    let strands = match style {
        Hair::Long { part, length, wave } => long(skull, body, part, length, wave, &mut dice),
        Hair::Short { top, side, sweep, recede } => short(skull, top, side, sweep, recede, &mut dice),
        Hair::Afro { size } => afro(skull, size, &mut dice),
    };
    strands.into_iter().map(|s| s.mesh(Stuff::Hair)).collect()
}

/// Pulls curves together in bunches, more towards their ends.
fn clump(curves: &mut [Vec<V3>], keys: &[V3], count: usize, strength: impl Fn(usize, f32) -> f32, dice: &mut Dice) {
    let picks: Vec<V3> = (0..count).map(|_| keys[(dice.unit() * keys.len() as f32) as usize % keys.len()]).collect();
    let bunch: Vec<usize> = keys
        .iter()
        .map(|key| {
            let far = |p: &V3| {
                let d = sub(*p, *key);
                dot(d, d)
            };
            (0..picks.len()).min_by(|&a, &b| far(&picks[a]).total_cmp(&far(&picks[b]))).unwrap_or(0)
        })
        .collect();
    let k = curves[0].len();
    let mut centres = vec![vec![[0.0; 3]; k]; count];
    let mut sizes = vec![0.0_f32; count];
    for (curve, &b) in curves.iter().zip(&bunch) {
        sizes[b] += 1.0;
        for (centre, p) in centres[b].iter_mut().zip(curve) {
            *centre = add(*centre, *p);
        }
    }
    for (at, (curve, &b)) in curves.iter_mut().zip(&bunch).enumerate() {
        for (i, p) in curve.iter_mut().enumerate() {
            let t = i as f32 / (k - 1) as f32;
            let s = strength(at, t);
            *p = add(mul(*p, 1.0 - s), mul(centres[b][i], s / sizes[b]));
        }
    }
}

fn long(skull: &Skull, body: &Body, part: f32, fall: f32, wave: f32, dice: &mut Dice) -> Vec<Strands> {
    const POINTS: usize = 22;
    const TURN: f32 = 0.42;
    let eye = (body.eyes[0][1] + body.eyes[1][1]) * 0.5;
    let count = 15_000;
    let (mut curves, mut keys, mut each) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..count {
        let side = if dice.unit() < 0.5 { -1.0 } else { 1.0 };
        let back = libm::powf(dice.unit(), 0.85);
        let along = lerp(12.0, 112.0, back).to_radians();
        let spread = libm::fabsf(dice.normal()) * 0.07;
        let start = norm([part * (1.0 - 0.5 * back) + side * spread, sin(along), cos(along)]);
        let azimuth = interp(back, &[(0.0, 66.0), (0.10, 74.0), (0.25, 90.0), (0.5, 125.0), (1.0, 178.0)]);
        let azimuth = (azimuth + dice.normal() * 5.0) * side;
        let front = cos(azimuth.to_radians()).max(0.0);
        let end = direction(azimuth, dice.between(-8.0, 4.0) + 4.0 * front);
        let layer = dice.unit();
        let lift = lerp(0.05, 0.27, layer) + 0.05 * (1.0 - back);
        let cosine = dot(start, end).clamp(-1.0, 1.0);
        let angle = libm::acosf(cosine).max(1e-3);
        let tip = eye - fall + dice.normal() * 0.09 - layer * 0.12 + 0.30 * front;
        let phase = azimuth * 0.045 + layer * 0.8;
        let mut curve = Vec::with_capacity(POINTS);
        for i in 0..POINTS {
            let t = i as f32 / (POINTS - 1) as f32;
            let a = (t / TURN).min(1.0);
            let d = add(mul(start, sin((1.0 - a) * angle)), mul(end, sin(a * angle)));
            let d = norm(mul(d, 1.0 / sin(angle)));
            let rise = 0.25 + 0.75 * sin((a * 1.5).min(1.0) * std::f32::consts::FRAC_PI_2);
            let mut p = add(skull.centre, mul(d, skull.radius(d) + lift * rise));
            if t > TURN {
                let b = (t - TURN) / (1.0 - TURN);
                let flow = [p[0] - skull.centre[0], p[2] - skull.centre[2]];
                let y = lerp(p[1], tip, b);
                // In at the neck, out again over the shoulders.
                let neck = exp(-((y - 5.55) / 0.35) * ((y - 5.55) / 0.35)) * 0.10;
                let wide = 1.0 + (0.05 + 0.12 * layer) * sin(b * std::f32::consts::PI)
                    - 0.08 * b * b * b
                    - neck * (1.0 - layer * 0.6);
                let swing = wave * b.min(0.6) * 1.6;
                let w = sin(y * 6.2 + phase) * swing;
                p = [
                    skull.centre[0] + flow[0] * wide + w * 0.055,
                    y,
                    skull.centre[2] + flow[1] * wide - 0.06 * b
                        + cos(y * 5.6 + phase) * swing * 0.05
                        + 0.10 * front * b,
                ];
                // Rests on the chest instead of sinking into it.
                if y < 5.2 && p[2] > -0.2 {
                    p[2] += (5.2 - y) * 0.32;
                }
            }
            curve.push(p);
        }
        keys.push([azimuth.to_radians(), layer * 0.25, back]);
        each.push([dice.between(0.7, 1.25), dice.unit(), layer]);
        curves.push(curve);
    }
    clump(&mut curves, &keys, 520, |_, t| 0.10 + 0.45 * t, dice);
    for curve in &mut curves {
        let stray = [dice.normal() * 0.012, 0.0, dice.normal() * 0.012];
        for (i, p) in curve.iter_mut().enumerate() {
            *p = add(*p, mul(stray, 0.3 + i as f32 / POINTS as f32));
        }
    }
    let widths =
        (0..POINTS).map(|i| 0.0062 * interp(i as f32 / 21.0, &[(0.0, 0.6), (0.1, 1.0), (0.75, 1.0), (1.0, 0.15)]));
    vec![Strands { curves, widths: widths.collect(), each }]
}

fn short(skull: &Skull, top: f32, side: f32, sweep: f32, recede: f32, dice: &mut Dice) -> Vec<Strands> {
    const POINTS: usize = 8;
    let found = roots(26_000, recede, 3.2, dice);
    let (mut curves, mut keys, mut each, mut crowns) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (d, above) in found {
        let (azimuth, elevation) = angles(d);
        let crown = ss(6.0, 50.0, elevation - 10.0 * (d[0] * -sweep.signum()).max(0.0));
        let root = add(skull.centre, mul(d, skull.radius(d) - 0.005));
        let up = [sweep * 0.9, 0.25, -0.45 + 0.35 * (1.0 - ss(0.0, 60.0, azimuth.abs()))];
        let down = [0.0, -1.0, -0.42];
        let mut flow = add(mul(up, crown), mul(down, 1.0 - crown));
        flow = add(flow, mul([dice.normal(), dice.normal(), dice.normal()], 0.13));
        flow = norm(sub(flow, mul(d, dot(flow, d))));
        let fade = (above / 16.0).clamp(0.28, 1.0);
        let long = (side + (top - side) * crown) * fade * dice.between(0.75, 1.12);
        // Hair at the front stands up a little before it falls: volume without spikes.
        let front = (1.0 - ss(20.0, 75.0, azimuth.abs())) * crown;
        let stand = 0.34 + 0.50 * crown + 0.22 * front;
        let curve = (0..POINTS).map(|i| {
            let t = i as f32 / 7.0;
            let along = add(mul(flow, t * (0.55 + 0.45 * t)), mul(d, stand * sin(t * 2.7) * 0.38));
            let p = add(root, mul(along, long));
            let q = sub(p, skull.centre);
            let r = length(q);
            let out = norm(q);
            let least = skull.radius(out) + 0.004 + (0.05 * crown + 0.05 * fade * (1.0 - crown)) * t;
            add(skull.centre, mul(out, r.max(least)))
        });
        curves.push(curve.collect::<Vec<_>>());
        keys.push(root);
        crowns.push(crown);
        each.push([
            dice.between(0.7, 1.2) * lerp(0.75, 1.0, crown) * lerp(0.55, 1.0, (above / 9.0).clamp(0.0, 1.0)),
            dice.unit(),
            crown,
        ]);
    }
    clump(&mut curves, &keys, 900, |at, t| (0.18 + 0.32 * t) * crowns[at] * t, dice);
    let widths =
        (0..POINTS).map(|i| 0.0058 * interp(i as f32 / 7.0, &[(0.0, 0.8), (0.2, 1.0), (0.7, 0.8), (1.0, 0.12)]));
    vec![Strands { curves, widths: widths.collect(), each }]
}

fn afro(skull: &Skull, size: f32, dice: &mut Dice) -> Vec<Strands> {
    const POINTS: usize = 16;
    let found = roots(19_000, 0.0, 3.0, dice);
    let (mut curves, mut each) = (Vec::new(), Vec::new());
    for (d, above) in found {
        let edge = ss(0.0, 14.0, above);
        let long = size * lerp(0.45, 1.0, edge) * (1.0 - 0.55 * powi(dice.unit(), 2));
        let root = add(skull.centre, mul(d, skull.radius(d)));
        let out = norm(add(d, mul([dice.normal(), dice.normal() + 0.4, dice.normal() - 0.25], 0.16)));
        let across = norm(super::v3::cross(out, [0.31, 0.9, -0.2]));
        let other = super::v3::cross(out, across);
        let (coil, phase) = (dice.between(0.035, 0.06), dice.between(0.0, std::f32::consts::TAU));
        let turns = dice.between(12.0, 17.0);
        let curve = (0..POINTS).map(|i| {
            let t = i as f32 / 15.0;
            let wide = coil * ss(0.0, 0.25, t);
            let spin = phase + t * turns;
            let p = add(root, mul(out, long * t));
            add(p, add(mul(across, wide * cos(spin)), mul(other, wide * sin(spin))))
        });
        curves.push(curve.collect::<Vec<_>>());
        each.push([dice.between(0.7, 1.2), dice.unit(), dice.unit()]);
    }
    let widths = (0..POINTS).map(|i| 0.0068 * interp(i as f32 / 15.0, &[(0.0, 0.8), (0.8, 1.0), (1.0, 0.3)]));
    vec![Strands { curves, widths: widths.collect(), each }]
}
