//! What sleeves end in: bands of their own, a shirt's cuff that looks out or a hem.

use super::bones::{Bones, pointed};
use super::cut::{Gathered, steps};
use super::weave::BANDED;
use super::{CLOTH, Point, STEPS, WEAVE};
use crate::rig::body::parts::{Piece, Stuff};
use crate::rig::cloth::creases;
use crate::rig::ground::v3::{V3, add, cos, cross, dot, exp, length, mix, mul, norm, sin, ss, sub};
use crate::rig::people::person::Cut;

/// Bands at the ends of sleeves: how far before the end a row lies, how wide it is against the sleeve, and how light. The last
/// one lies on the wrist: a hole beside it would show the dark of the sleeve.
const CUFF: [[f32; 3]; 6] = [
    [0.04, 0.70, 0.5],
    [0.00, 0.86, 0.75],
    [-0.02, 0.915, 1.0],
    [-0.105, 0.905, 1.0],
    [-0.118, 0.88, 0.9],
    [-0.02, 0.42, 0.45],
];
const HEM: [[f32; 3]; 6] = [
    [0.14, 0.98, 1.0],
    [0.05, 1.06, 1.0],
    [-0.04, 1.12, 1.0],
    [-0.075, 1.12, 1.04],
    [-0.09, 1.08, 0.8],
    [0.03, 0.45, 0.3],
];

/// Of a short sleeve: it comes out of the cloth in one step, at the stitches, or where it does would be ragged.
const SHORT: [[f32; 3]; 6] = [
    [0.106, 0.93, 1.0],
    [0.100, 1.05, 1.25],
    [0.075, 1.06, 1.25],
    [-0.05, 1.055, 1.25],
    [-0.062, 1.01, 0.8],
    [-0.01, 0.78, 0.3],
];

/// How much wider a long sleeve is below the elbow than the data's arm with cloth around it.
const WIDER: f32 = 0.22;

impl Gathered<'_> {
    /// Long sleeves are wider below the elbow than the arms in them: drawn after those, forearms are pipes.
    pub(super) fn widen(&mut self) {
        if self.figure.garment.is_bare() {
            return;
        }
        let Bones { elbow, wrist, .. } = self.bones;
        let way = sub(wrist, elbow);
        for point in self.points.iter_mut().filter(|point| point.stuff == CLOTH) {
            let along = dot(sub(point.at, elbow), way) / dot(way, way);
            let axis = add(elbow, mul(way, along));
            let wider = WIDER * ss(-0.05, 0.30, along) * (1.0 - 0.70 * ss(0.50, 1.0, along));
            point.at = mix(axis, point.at, 1.0 + wider);
            point.at = pointed(point.at, along * length(way), sub(point.at, axis), 1.0);
        }
    }

    /// What a long sleeve ends in: the shirt that looks out of a jacket's, else its own hem.
    pub(super) fn ending(&mut self) {
        let outfit = self.figure.shader.outfit;
        match outfit.cut {
            Cut::Blazer { .. } if self.figure.garment.has_cuffs() => self.band(Piece::Jacket, outfit.under, &CUFF),
            Cut::Blazer { .. } => self.band(Piece::Jacket, outfit.color, &HEM),
            Cut::Shirt | Cut::Knit => self.band(Piece::Top, outfit.color, &HEM),
            Cut::Tee => self.band(Piece::Top, outfit.color, &SHORT),
        }
    }

    /// A band of its own, which follows the sleeve's end.
    fn band(&mut self, of: Piece, color: V3, rows: &[[f32; 3]; 6]) {
        let Some((middle, ring)) = self.sleeve_end(of) else { return };
        let way = self.sleeve_way();
        let [x, y] = frame(way);
        let around = ring.len();
        let first = self.points.len() as u32;
        for (row, [before, wide, light]) in rows.iter().copied().enumerate() {
            for (at, &radius) in ring.iter().enumerate() {
                let angle = at as f32 / around as f32 * std::f32::consts::TAU;
                let out = add(mul(x, cos(angle)), mul(y, sin(angle)));
                let place = add(middle, add(mul(out, radius * wide), mul(way, -before)));
                // Its edge is as thick as it is: there it looks along the arm.
                let normal = if row < 4 { out } else { norm(add(mul(out, 0.4), way)) };
                let weave = [(at as f32 / around as f32 + 2.0) * WEAVE as f32, creases::PLAIN + before * BANDED];
                let moves = self.end_moves(place);
                let plain = Point::apart(place, normal, mul(color, light), CLOTH);
                self.points.push(Point { weave, ends: 1, moves, ..plain });
            }
        }
        let count = around as u32;
        for row in 0..rows.len() as u32 - 1 {
            for at in 0..count {
                let [a, b] = [at, (at + 1) % count].map(|at| first + row * count + at);
                self.triangles.extend([[a, b, a + count], [b, b + count, a + count]]);
            }
        }
    }

    /// The way out of a sleeve, square to its end.
    fn sleeve_way(&self) -> V3 {
        let Bones { side, elbow, wrist, .. } = self.bones;
        let garment = self.figure.garment;
        if garment.is_bare() { garment.below_sleeve(side) } else { norm(sub(wrist, elbow)) }
    }

    /// How a point at a sleeve's end goes with the joints.
    fn end_moves(&self, place: V3) -> [u8; 4] {
        if !self.figure.garment.is_bare() {
            return [STEPS as u8, STEPS as u8, steps(0.5 * self.twist(place, 1.0)), 0];
        }
        // So near to the shoulder, as the cloth beside it does.
        let cloth = self.points.iter().filter(|point| point.stuff == CLOTH && point.ends == 1);
        let far = |point: &Point| length(sub(point.at, place));
        cloth.min_by(|a, b| far(a).total_cmp(&far(b))).map_or([STEPS as u8, 0, 0, 0], |point| point.moves)
    }

    /// The middle of a sleeve where it ends, and how far from it the cloth is, by the angle round it.
    fn sleeve_end(&self, of: Piece) -> Option<(V3, Vec<f32>)> {
        const AROUND: usize = 40;
        let sleeves = self.figure.meshes.iter().find(|mesh| mesh.stuff == Stuff::Cloth(of))?;
        let garment = self.figure.garment;
        let way = self.sleeve_way();
        let before = |p: V3, arm: f32| if garment.is_bare() { -garment.bare(p, arm) } else { garment.sleeve(p, arm) };
        let ends: Vec<V3> = (0..sleeves.sewn.len())
            .filter(|&v| sleeves.arm(v) > 0.75 && sleeves.sewn[v][0] * self.bones.side > 0.0)
            .map(|v| (sleeves.sewn[v], before(sleeves.sewn[v], sleeves.arm(v))))
            .filter(|(_, before)| before.abs() < 0.09)
            .map(|(p, before)| add(p, mul(way, before)))
            .collect();
        let middle = mul(ends.iter().fold([0.0; 3], |sum, &p| add(sum, p)), 1.0 / ends.len().max(1) as f32);
        let [x, y] = frame(way);
        let radius = |at: usize| {
            let angle = at as f32 / AROUND as f32 * std::f32::consts::TAU;
            let out = add(mul(x, cos(angle)), mul(y, sin(angle)));
            let near = ends.iter().map(|&p| sub(p, middle)).map(|q| {
                let far = length(q);
                let apart = dot(q, out) / far.max(1e-3);
                (far, exp((apart - 1.0) * 22.0))
            });
            let [sum, total] = near.fold([0.0, 1e-6], |[sum, total], (far, w)| [sum + far * w, total + w]);
            sum / total
        };
        (ends.len() > 6).then(|| (middle, (0..AROUND).map(radius).collect()))
    }
}

/// Two directions across a third.
fn frame(along: V3) -> [V3; 2] {
    let x = norm(cross(along, [0.0, 0.0, 1.0]));
    [x, cross(along, x)]
}
