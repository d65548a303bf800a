//! Long hair as one sees it from the front: a curtain to each side of the face, from the parting over temple and cheek
//! down to the chest. Its strands hang side by side on one surface that is told by how far back they grow and how far
//! down; furrows part them into locks, which gather towards their ends.

use super::groom::{Drape, relaxed, resampled};
use super::styles::{POINTS, swing};
use crate::maths::{Dice, lerp};
use crate::rig::body::skull::{Skull, angles, direction};
use crate::rig::body::strands::Strands;
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::v3::{V3, add, cos, cross, dot, floor, mix, mul, noise, norm, sin, ss, sub};
use crate::rig::people::person::{Hair, LongCut};

/// From the foremost strands, at 0, over those before the ear, at 1, to the last that are seen.
const LAST: f32 = 1.35;
const COLUMNS: usize = 56;

/// Locks for each step from the face to the ear.
const LOCKS: f32 = 9.0;

/// Strands that share the light of one.
const SHARE: u32 = 7;
const GUIDES: usize = 1900;

pub(super) struct Curtain<'a> {
    cut: LongCut,
    skull: &'a Skull,
    side: f32,
    columns: Vec<Vec<V3>>,
}

/// Where a strand is among the others of its lock.
struct Among {
    /// The lock's middle.
    middle: f32,
    /// From one edge, -1, to the other.
    place: f32,
    chance: f32,
    tone: f32,
}

impl<'a> Curtain<'a> {
    pub(super) fn new(style: Hair, cut: LongCut, skull: &'a Skull, drape: &Drape, side: f32) -> Self {
        let column = |at: usize| {
            let back = at as f32 / (COLUMNS - 1) as f32 * LAST;
            let mut line = resampled(&through(&passes(style, cut, skull, side, back)), POINTS, 1.0);
            // On a cheek a wave would go behind it and leave a notch.
            let sways = 1.3 * cut.wave * lerp(0.15, 1.0, ss(0.0, 0.5, back));
            swing(&mut line, 1.9 * noise([2.2 * back, 3.1 * side, 0.4]), sways, skull.centre);
            line.iter_mut().for_each(|p| *p = drape.lift(*p, 0.15 + 0.06 * (1.0 - back).max(0.0)));
            relaxed(&mut line, 3);
            line
        };
        Self { cut, skull, side, columns: (0..COLUMNS).map(column).collect() }
    }

    /// A place on the surface, and which way is out there.
    fn place(&self, back: f32, down: f32) -> (V3, V3) {
        let (x, y) = (
            (back / LAST * (COLUMNS - 1) as f32).clamp(0.0, COLUMNS as f32 - 1.001),
            (down * (POINTS - 1) as f32).clamp(0.0, POINTS as f32 - 1.001),
        );
        let (i, k) = (x as usize, y as usize);
        let at = |i: usize, k: usize| self.columns[i][k];
        let (front, behind) =
            (mix(at(i, k), at(i, k + 1), y - k as f32), mix(at(i + 1, k), at(i + 1, k + 1), y - k as f32));
        let p = mix(front, behind, x - i as f32);
        let (left, right) = (i.saturating_sub(2), (i + 3).min(COLUMNS - 1));
        let across = sub(at(right, k + 1), at(left, k + 1));
        let along = sub(at(i, (k + 2).min(POINTS - 1)), at(i, k.saturating_sub(1)));
        let out = cross(across, along);
        let away = sub(p, self.skull.centre);
        let away = norm([away[0], away[1].max(0.0), away[2]]);
        let out = if dot(out, away) < 0.0 { mul(out, -1.0) } else { out };
        // Where it is seen on edge its own way out is not told well.
        (p, norm(add(norm(out), mul(away, 0.6))))
    }

    fn among(&self, back: f32, down: f32) -> Among {
        let x = back * LOCKS + 0.9 * noise([1.7 * back, 2.4 * down, 7.7 + self.side]) + 20.0;
        let cell = floor(x) as f32;
        let chance = noise([0.37 + 7.13 * cell, 2.9 + 3.0 * self.side, 0.61]);
        Among {
            middle: back + (cell + 0.5 - x) / LOCKS,
            place: 2.0 * (x - cell) - 1.0,
            chance,
            tone: (0.618_034 * cell + 0.2 * self.side).rem_euclid(1.0),
        }
    }

    /// Adds its strands.
    pub(super) fn over(&self, dice: &mut Dice, into: &mut Strands) {
        into.faces.resize(into.curves.len(), Vec::new());
        for _ in 0..GUIDES {
            // More of them in front, where the curtain begins.
            let back = LAST * dice.unit() * dice.between(0.7, 1.0);
            for child in 0..SHARE {
                let apart = 0.020 * dice.normal() * f32::from(child > 0);
                self.strand((back + apart).clamp(0.0, LAST), child, dice, into);
            }
        }
    }

    fn strand(&self, back: f32, child: u32, dice: &mut Dice, into: &mut Strands) {
        let deep = dice.unit() * dice.unit();
        let stray = 0.030 * dice.unit() * dice.unit() * dice.unit();
        let phase = dice.between(0.0, std::f32::consts::TAU);
        let home = self.among(back, 0.7);
        let ends = 1.0 - (0.05 + 0.35 * self.cut.layers.min(0.4)) * home.chance - 0.12 * dice.unit() * dice.unit();
        let mut curve = Vec::with_capacity(POINTS);
        let mut faces = Vec::with_capacity(POINTS);
        for i in 0..POINTS {
            let t = i as f32 / (POINTS - 1) as f32;
            let down = ends * t;
            let gather = (0.25 + 0.5 * self.cut.locks) * ss(0.45, 1.0, t);
            let middle = home.middle.clamp(0.0, LAST);
            let at = lerp(back, middle, gather);
            let among = self.among(back, down);
            let wide = among.place * among.place;
            let parted = lerp(0.6, 1.0, among.chance) * ss(0.08, 0.40, t);
            let (p, out) = self.place(at, down);
            let over = (0.075 - 0.055 * parted * wide - 0.045 * deep)
                * lerp(0.15, 1.0, ss(0.0, 0.14, t))
                * (1.0 - 0.4 * ss(0.7, 1.0, t));
            let beside = norm(cross(out, self.tangent(at, down)));
            let wander = stray * t * sin(phase + 7.0 * t);
            curve.push(add(p, add(mul(out, over + 0.5 * stray * t * cos(1.7 * phase + 5.0 * t)), mul(beside, wander))));
            let open = (1.0 - 0.60 * parted * wide * wide * (1.0 - 0.6 * ss(0.75, 1.0, t))) * (1.0 - 0.45 * deep);
            faces.push(mul(norm(add(out, mul(beside, 0.8 * self.side * among.place * parted))), open));
        }
        into.each.push([dice.between(0.8, 1.2), (0.45 * home.tone + 0.55 * dice.unit()).clamp(0.0, 1.0), 0.55]);
        into.curves.push(curve);
        into.faces.push(faces);
        into.guide.push(child);
    }

    fn tangent(&self, back: f32, down: f32) -> V3 {
        let (a, _) = self.place(back, down - 0.04);
        let (b, _) = self.place(back, down + 0.04);
        norm(sub(b, a))
    }
}

/// Places that strands pass which grow so far back.
fn passes(style: Hair, cut: LongCut, skull: &Skull, side: f32, back: f32) -> Vec<V3> {
    let over = |azimuth: f32, elevation: f32, up: f32| {
        let d = direction(azimuth, elevation);
        add(skull.centre, mul(d, skull.radius(d) + up * cut.volume))
    };
    // Along the parting, over the top of the head.
    let high = lerp(style.line(0.0) + 3.5, 74.0, back).to_radians();
    let root = norm([cut.part - side * 0.012, sin(high), cos(high)]);
    let temple = direction(side * lerp(39.0, 86.0, back), lerp(5.0, 18.0, back));
    let brow = over(side * lerp(44.5, 96.0, back), lerp(-17.0, -10.0, back), 0.45 + 0.35 * ss(0.3, 0.9, back));
    let ear = over(side * lerp(62.0, 102.0, back), lerp(-30.0, -24.0, back), 0.50 + 0.35 * ss(0.3, 0.9, back));
    // The foremost lie on the outline of the cheek: it must not end in an edge before hair.
    let fore = ss(0.50, 0.0, back);
    let on_cheek = |down: f32, off: f32, z: f32, else_at: V3| {
        mix(else_at, [side * (skull.face(EYE_Y - down) + off), EYE_Y - down, z], fore)
    };
    let cheek = on_cheek(0.14, 0.01, 1.14, ear);
    let below = [ear[0], EYE_Y - 0.46, lerp(0.66, 0.20, back)];
    let below = on_cheek(0.46, 0.03, 1.06, below);
    // Down to the temple it lies on the head, higher where that is higher: as even a coat it would be a hood.
    let mut out: Vec<V3> = (0_u8..5)
        .map(|at| {
            let d = norm(mix(root, temple, f32::from(at) / 4.0));
            let up = 0.035 + 0.060 * ss(0.2, 0.8, back) + 0.045 * ss(-5.0, 66.0, angles(d).1);
            add(skull.centre, mul(d, skull.radius(d) + up * lerp(0.25, 1.0, ss(0.0, 0.3, back))))
        })
        .collect();
    out.extend([brow, cheek, below]);
    let (wide, deep) = (ear[0].abs().max(below[0].abs()), lerp(0.66, 0.10, back));
    for (down, share) in [(0.80, 1.0), (1.30, lerp(1.0, 0.86, (cut.slim / 5.0).min(1.0)))] {
        if cut.fall > down + 0.25 {
            out.push([side * wide * share, EYE_Y - down, deep * lerp(1.0, 0.8, down)]);
        }
    }
    let end = EYE_Y - cut.fall + cut.layers * lerp(0.8, 0.3, back.min(1.0));
    let last = out[out.len() - 1];
    out.push([last[0] * lerp(0.98, 0.90, (cut.turn_in / 3.0).min(1.0)), end, last[2]]);
    out
}

/// A smooth line through places.
fn through(knots: &[V3]) -> Vec<V3> {
    let last = knots.len() - 1;
    let mut out = Vec::new();
    for at in 0..last {
        let [a, b, c, d] = [at.saturating_sub(1), at, at + 1, (at + 2).min(last)].map(|k| knots[k]);
        for step in 0..8 {
            let t = step as f32 / 8.0;
            let (t2, t3) = (t * t, t * t * t);
            out.push(std::array::from_fn(|k| {
                let ends = 2.0 * b[k] + (c[k] - a[k]) * t;
                let bow = (2.0 * a[k] - 5.0 * b[k] + 4.0 * c[k] - d[k]) * t2;
                0.5 * (ends + bow + (3.0 * b[k] - a[k] - 3.0 * c[k] + d[k]) * t3)
            }));
        }
    }
    out.push(knots[last]);
    out
}
