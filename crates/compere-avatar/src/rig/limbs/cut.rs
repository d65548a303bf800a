//! Arms cut off a figure: where cloth ends, how each point follows the bones, and what it looks like without light.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::bones::{Bones, pointed};
use super::figure::{Figure, bones};
use super::front::Front;
use super::knuckles::{Knuckles, refined};
use super::shadow::{CELL, EMPTY, Ground, Lit, MAP, View, deep};
use super::thin::thinned;
use super::weave::weave;
use super::{CLOTH, Chest, NAIL, NO_FINGER, Point, SKIN, STEPS, Side, Sleeves};
use crate::rig::body::parts::{Mesh, Piece, Stuff};
use crate::rig::cloth::creases;
use crate::rig::ground::mesh::normals;
use crate::rig::ground::v3::{V3, add, cross, dot, length, mix, mul, mulv, norm, sin, ss, sub};
use crate::rig::light::fabric::{among_walls, flank};
use crate::rig::light::studio;
use crate::rig::people::person::Cut;
use crate::rig::raster::render::scan;

/// What is of an arm by more than a trace is cut with it.
const TRACE: f32 = 0.16;

/// How far from the elbow an arm bends to either side, before and behind: there all is drawn tight. In a long sleeve, and
/// bare, where skin pressed into so short a way is torn.
const SOFT: [[f32; 2]; 2] = [[0.26, 0.17], [0.60, 0.20]];
/// How much less than a sleeve's the tip of a bare elbow stands out.
const BARE_TIP: f32 = 0.4;

/// What is left at least of a sleeve's colour in the armpit, where shades of several kinds meet.
const PIT: f32 = 0.60;

/// How much of a wrist's thickness is taken in a long sleeve, and where the whole forearm is seen: thinner there, it is a
/// noodle.
const WRIST: [f32; 2] = [0.34, 0.20];

pub(crate) fn cut(figure: &Figure<'_>) -> Sleeves {
    let Figure { body, camera, .. } = figure;
    let chest = figure.chest();
    let dome = studio::dome();
    let view = View::new(dome.to_key);
    // The picture's left is the figure's right.
    let sides = [1, 0].map(|at| side(figure, at));
    let cut = figure.shader.outfit.cut;
    Sleeves {
        sides,
        chest,
        camera: *camera,
        size: figure.plate,
        ground: ground(figure, &view),
        dome,
        front: Front::new(figure.garment, figure.meshes),
        weave: weave(figure),
        sheen: if cut == Cut::Knit { 0.5 } else { 0.28 },
        half: body.shoulder,
    }
}

/// A mesh on its way to an arm.
pub(super) struct Gathered<'a> {
    pub(super) figure: &'a Figure<'a>,
    pub(super) bones: Bones,
    pub(super) points: Vec<Point>,
    pub(super) triangles: Vec<[u32; 3]>,
    rims: Vec<[u32; 2]>,
}

fn side(figure: &Figure<'_>, at: usize) -> Side {
    let bones = bones(figure, at);
    let mut arm = Gathered { figure, bones, points: Vec::new(), triangles: Vec::new(), rims: Vec::new() };
    for mesh in figure.meshes {
        match mesh.stuff {
            Stuff::Skin => arm.skin(mesh),
            Stuff::Cloth(Piece::Jacket) => arm.cloth(mesh, Piece::Jacket),
            Stuff::Cloth(Piece::Top) if !figure.garment.is_jacket() => arm.cloth(mesh, Piece::Top),
            _ => {}
        }
    }
    arm.ending();
    arm.widen();
    for point in arm.points.iter_mut().filter(|point| point.seam > 0.0) {
        (point.plate, point.fits) = figure.shown_at(point);
    }
    let open = openness(&arm.points, &arm.triangles);
    arm.points.iter_mut().zip(open).for_each(|(point, open)| point.open = open);
    (arm.points, arm.triangles) = thinned(&arm.points, arm.triangles, figure.camera.unit);
    let held = arm.triangles.len();
    if bones.side < 0.0 {
        super::board::tablet(&bones, &mut arm.points, &mut arm.triangles);
    }
    Side { bones, points: arm.points, triangles: arm.triangles, held: held as u32 }
}

impl Gathered<'_> {
    fn mine(&self, mesh: &Mesh, t: &[u32; 3], least: f32) -> bool {
        t.iter().all(|&v| mesh.sewn[v as usize][0] * self.bones.side > 0.0)
            && t.iter().any(|&v| mesh.arm(v as usize) > least)
    }

    fn skin(&mut self, mesh: &Mesh) {
        let garment = self.figure.garment;
        let normals = normals(&mesh.sewn, &mesh.triangles);
        let covered = |v: u32| garment.covers(mesh.sewn[v as usize], mesh.arm(v as usize));
        let deep = |v: u32| !garment.is_bare() && garment.sleeve(mesh.sewn[v as usize], mesh.arm(v as usize)) > 0.32;
        // A wrist that bends away leaves its cuff open to the eye: what is in there is an arm.
        let cuff = |v: u32| garment.sleeve(mesh.sewn[v as usize], mesh.arm(v as usize)) - 0.16;
        let mut known = HashMap::new();
        for t in &mesh.triangles {
            if !self.mine(mesh, t, 0.5) || t.iter().all(|&v| covered(v) || deep(v)) {
                continue;
            }
            if garment.has_cuffs() && t.iter().any(|&v| cuff(v) > 0.0) {
                continue;
            }
            // Beside the armpit the ribs go with the arm, too, under the shirt.
            if garment.is_bare() && t.iter().any(|&v| mesh.arm(v as usize) < 0.75) {
                continue;
            }
            let triangle = t.map(|v| {
                *known.entry(v).or_insert_with(|| {
                    self.points.push(self.bare(mesh, v as usize, normals[v as usize]));
                    self.points.len() as u32 - 1
                })
            });
            self.triangles.push(triangle);
        }
        self.knuckles();
    }

    /// Gives the back of the hand what the data's lacks, twice as fine where it is uneven.
    fn knuckles(&mut self) {
        let bones = self.bones;
        let strength = 0.62 + 0.33 * self.figure.person.male;
        let knuckles = Knuckles::new(&bones, strength);
        for _ in 0..2 {
            let triangles = std::mem::take(&mut self.triangles);
            self.triangles = refined(&triangles, |a, b| {
                let [p, q] = [a, b].map(|v| self.points[v as usize]);
                let skin = p.stuff == SKIN && q.stuff == SKIN && p.finger == q.finger;
                let (at, normal) = (mix(p.at, q.at, 0.5), norm(add(p.normal, q.normal)));
                let least = if knuckles.at_nail(at) { 0.026 } else { 0.045 };
                let long = length(sub(p.at, q.at)) > least;
                (skin && long && knuckles.uneven(at, normal)).then(|| self.between((a, 0.5), (b, -0.5)))
            });
        }
        let nails: Vec<_> = self.points.iter().map(|point| self.nail(point)).collect();
        for (point, nail) in self.points.iter_mut().zip(nails).filter(|(point, _)| point.stuff == SKIN) {
            (point.at, point.normal) = knuckles.raised(point.at, point.normal);
            (point.color, point.stuff) = nail.unwrap_or((point.color, SKIN));
        }
    }

    fn bare(&self, mesh: &Mesh, v: usize, normal: V3) -> Point {
        let (at, arm) = (mesh.sewn[v], mesh.arm(v));
        let rest = mesh.skin()[v].rest;
        let grip = mesh.grip[v];
        let share = |finger: usize| (0..3).map(|part| grip[finger * 3 + part]).sum::<f32>();
        let finger = (0..5).fold(0, |best, f| if share(f) > share(best) { f } else { best });
        let held = share(finger) > 0.01;
        let parts = std::array::from_fn(|part| steps((part..3).map(|part| grip[finger * 3 + part]).sum()));
        let bones = &self.bones;
        let along = bones.along;
        let flex = ss(-0.08, 0.22, dot(sub(at, bones.wrist), along)) * ss(0.3, 0.75, arm);
        let (color, stuff) = self.tinted(rest, at, normal, finger, ss(0.0, 0.8, share(finger)));
        let mut point = self.point(mesh, v, normal, color, stuff);
        // In a sleeve there is room for it to turn.
        let lower = norm(sub(bones.wrist, bones.elbow));
        let axis = add(bones.elbow, mul(lower, dot(sub(at, bones.elbow), lower)));
        let reach = if self.figure.garment.has_cuffs() { [-0.16, 0.0] } else { [-0.08, 0.02] };
        let inside = ss(reach[0], reach[1], self.figure.garment.sleeve(at, arm)) * ss(1.0, 1.5, arm + 1.0);
        if self.figure.garment.bare(at, arm) < -0.9 {
            point.at = mix(at, axis, 0.22 * inside);
        } else {
            // A short sleeve is no wider than it need be.
            let upper = norm(sub(bones.elbow, bones.shoulder));
            let axis = add(bones.shoulder, mul(upper, dot(sub(at, bones.shoulder), upper)));
            point.at = mix(at, axis, 0.14 * ss(0.02, -0.14, self.figure.garment.bare(at, arm)));
            let along = dot(sub(at, bones.shoulder), upper) / bones.upper();
            let thin = 0.12;
            point.at = mix(point.at, axis, thin * ss(0.0, 0.3, along) * ss(1.05, 0.7, along) * ss(0.5, 0.9, arm));
        }
        if self.figure.garment.is_bare() {
            let along = dot(sub(at, bones.elbow), lower);
            point.at = pointed(point.at, along, sub(point.at, axis), BARE_TIP);
        }
        point.moves[2] = steps(self.twist(at, arm));
        point.moves[3] = steps(flex);
        // The data's wrist is as wide as the hand, and a bent one stands out of it.
        let beyond = dot(sub(at, bones.wrist), along) / length(sub(bones.digits[2][0], bones.wrist));
        let wrist = add(bones.wrist, mul(along, dot(sub(at, bones.wrist), along)));
        let thin = WRIST[usize::from(self.figure.garment.is_bare())];
        point.at = mix(point.at, wrist, thin * ss(-0.5, -0.05, beyond) * ss(0.75, 0.1, beyond) * arm.min(1.0));
        if held {
            (point.finger, point.parts) = (finger as u8, parts);
            point.at = self.slender(point.at, finger);
        }
        point
    }

    /// Fingers are thinner towards their tips than the data has them, and between their joints.
    fn slender(&self, at: V3, finger: usize) -> V3 {
        let joints = self.bones.digits[finger];
        let near = (0..3).map(|part| {
            let way = sub(joints[part + 1], joints[part]);
            let along = (dot(sub(at, joints[part]), way) / dot(way, way).max(1e-6)).clamp(0.0, 1.2);
            (add(joints[part], mul(way, along)), part as f32 + along.min(1.0))
        });
        let (axis, share) = near.fold(([0.0; 3], f32::MAX), |best: (V3, f32), next| {
            let far = |p: V3| length(sub(at, p));
            if best.1 == f32::MAX || far(next.0) < far(best.0) { next } else { best }
        });
        let male = self.figure.person.male;
        let between = 0.5 - 0.5 * crate::rig::ground::v3::cos(share * std::f32::consts::TAU);
        let thin = (0.17 - 0.07 * male) * ss(0.2, 3.0, share) + (0.06 - 0.02 * male) * between * ss(0.5, 1.2, share);
        mix(at, axis, thin)
    }

    /// Nails, knuckles and palms.
    fn tinted(&self, rest: V3, at: V3, normal: V3, finger: usize, held: f32) -> (V3, u8) {
        let look = self.figure.shader.look;
        let bones = &self.bones;
        let mut color = self.figure.shader.bare(rest);
        let inner = ss(-0.1, 0.6, dot(normal, bones.palm)) * ss(-0.1, 0.2, dot(sub(at, bones.wrist), bones.along));
        let pale = mix(color, mulv(add(mul(look.skin, 0.6), [0.26, 0.17, 0.13]), [1.04, 0.92, 0.88]), 0.5);
        color = mix(color, pale, inner * (0.35 + 0.5 * ss(0.45, 0.12, look.skin[1])));
        color = mul(color, self.tendons(at, normal));
        if held == 0.0 {
            return (color, SKIN);
        }
        let whole = color;
        let joints = bones.digits[finger];
        let back = mul(bones.palm, -1.0);
        for joint in &joints[..3] {
            let near = ss(0.13, 0.02, length(sub(at, *joint)) - 0.06) * ss(0.0, 0.6, dot(normal, back));
            color = mulv(color, mix([1.0; 3], [0.94, 0.82, 0.79], 0.7 * near));
        }
        // Between fingers it is dark; lamps at points of so coarse a mesh don't tell.
        let beside =
            ss(0.75, 0.15, dot(normal, bones.palm).abs()) * ss(0.0, 0.25, dot(sub(at, joints[0]), bones.along));
        color = mulv(color, mix([1.0; 3], [0.74, 0.62, 0.59], 0.32 * beside));
        let tip = ss(0.34, 0.0, length(sub(at, joints[3])));
        color = mulv(color, mix([1.0; 3], [1.0, 0.87, 0.85], 0.35 * tip));
        (mix(whole, color, held), SKIN)
    }

    /// What a point of a finger is where its nail is: on it, or in the skin around it.
    fn nail(&self, point: &Point) -> Option<(V3, u8)> {
        let [.., middle, end] = *self.bones.digits.get(usize::from(point.finger))?;
        let look = self.figure.shader.look;
        let (way, back) = (norm(sub(end, middle)), mul(self.bones.palm, -1.0));
        let back = norm(sub(back, mul(way, dot(back, way))));
        let along = dot(sub(point.at, middle), way) / length(sub(end, middle));
        let facing = dot(point.normal, back);
        let (lengthwise, across) = ((along - 0.84) / 0.21, (1.0 - facing) / 0.24);
        let round = lengthwise * lengthwise + across * across;
        if round < 1.0 {
            let nail = mix(mulv(point.color, [1.26, 1.13, 1.16]), mul(look.lips, 1.3), look.makeup * 0.4);
            // Pale at its root, and where it stands free.
            let pale = 0.06 * look.skin[1] + 0.06 * ss(0.50, 0.85, lengthwise) + 0.05 * ss(-0.55, -0.9, lengthwise);
            // Dark hands have darker nails.
            let light = mix([0.86, 0.72, 0.67], mul(point.color, 1.7), 0.45);
            return Some((mix(nail, light, pale), NAIL));
        }
        let holds = ss(2.1, 1.0, round) * ss(0.0, 0.4, facing);
        Some((mulv(point.color, mix([1.0; 3], [0.80, 0.66, 0.62], 0.9 * holds)), SKIN))
    }

    /// On the back of a hand: lighter over the tendons that run to the knuckles, darker between them.
    fn tendons(&self, at: V3, normal: V3) -> f32 {
        let bones = &self.bones;
        let up = ss(0.2, 0.7, -dot(normal, bones.palm));
        let along = dot(sub(at, bones.wrist), bones.along);
        let reach = dot(sub(bones.digits[2][0], bones.wrist), bones.along);
        let on_hand = ss(0.30, 0.75, along / reach) * ss(1.25, 1.0, along / reach);
        let nearest = (1..5).map(|finger| {
            let way = sub(bones.digits[finger][0], bones.wrist);
            let share = (dot(sub(at, bones.wrist), way) / dot(way, way)).clamp(0.0, 1.1);
            let off = sub(sub(at, bones.wrist), mul(way, share));
            length(sub(off, mul(bones.palm, dot(off, bones.palm))))
        });
        let far = nearest.fold(f32::MAX, f32::min);
        1.0 + up * on_hand * (0.10 * ss(0.05, 0.0, far) - 0.13 * ss(0.03, 0.09, far))
    }

    pub(super) fn twist(&self, at: V3, arm: f32) -> f32 {
        let lower = sub(self.bones.wrist, self.bones.elbow);
        let long = length(lower);
        (dot(sub(at, self.bones.elbow), lower) / (long * long)).clamp(0.0, 1.0) * ss(0.3, 0.75, arm)
    }

    /// What all points have in common.
    fn point(&self, mesh: &Mesh, v: usize, normal: V3, color: V3, stuff: u8) -> Point {
        let (at, arm) = (mesh.sewn[v], mesh.arm(v).clamp(0.0, 1.0));
        let bones = &self.bones;
        let lower = norm(sub(bones.wrist, bones.elbow));
        let along = dot(sub(at, bones.elbow), lower);
        let off = sub(at, add(bones.elbow, mul(lower, along)));
        let [before, behind] = SOFT[usize::from(self.figure.garment.is_bare())];
        let soft = before + (behind - before) * ss(0.0, 0.8, -off[2] / length(off).max(1e-3));
        let bend = ss(-soft, soft, along) * ss(0.30, 0.75, arm);
        let place = creases::laid([bones.shoulder, bones.elbow, bones.wrist], at);
        Point {
            at,
            normal,
            color,
            open: 1.0,
            baked: mesh.light[v],
            seam: ss(0.70, 0.20, arm),
            lift: lift(arm),
            plate: [0.0; 3],
            fits: 0.0,
            weave: creases::texel(place, bones.side, self.figure.garment.is_bare()),
            stuff,
            ends: 0,
            moves: [steps(ss(0.15, 0.98, arm)), steps(bend), 0, 0],
            finger: NO_FINGER,
            parts: [0; 3],
        }
    }

    fn cloth(&mut self, mesh: &Mesh, layer: Piece) {
        let garment = self.figure.garment;
        let normals = normals(&mesh.sewn, &mesh.triangles);
        let mut known = HashMap::new();
        for t in &mesh.triangles {
            if !self.mine(mesh, t, TRACE) {
                continue;
            }
            let corners = t.map(|v| {
                let at = *known.entry(v).or_insert_with(|| {
                    let v = v as usize;
                    let (p, arm) = (mesh.sewn[v], mesh.arm(v));
                    let color = self.figure.shader.dyed(layer, mesh.cloth()[v].rest, p, arm);
                    let mut point = self.point(mesh, v, normals[v], color, CLOTH);
                    point.moves[2] = steps(0.5 * self.twist(p, arm));
                    // As on the body, or the seam between them would show in shade.
                    point.baked = among_walls(point.baked);
                    // Light that moves with the arm is brighter in its corner than what is baked.
                    let left = flank(p, normals[v], arm, false, garment.is_bare());
                    // The side of the body under an arm lies in its shade, which is laid on the plate alone.
                    let under = 1.0 - 0.34 * ss(0.60, 0.30, arm) * ss(4.2, 3.6, p[1]);
                    // All of them together would be soot.
                    point.color = mul(point.color, (left * (0.85 + 0.15 * left) * under).max(PIT));
                    point.ends = u8::from(garment.margin(layer, p, arm) < 0.45);
                    self.points.push(point);
                    self.points.len() as u32 - 1
                });
                (at, garment.margin(layer, mesh.sewn[v as usize], mesh.arm(v as usize)))
            });
            self.clipped(corners);
        }
        // A short sleeve's hem is thick itself.
        if !garment.is_bare() {
            self.rim();
        }
    }

    /// What of a triangle lies inside the cloth: at the end of a sleeve it is cut straight.
    fn clipped(&mut self, corners: [(u32, f32); 3]) {
        if corners.iter().all(|corner| corner.1 > 0.0) {
            self.triangles.push(corners.map(|corner| corner.0));
            return;
        }
        let Some(first) = (0..3).find(|&k| corners[k].1 > 0.0 && corners[(k + 2) % 3].1 <= 0.0) else { return };
        let [a, b, c] = std::array::from_fn(|k| corners[(first + k) % 3]);
        if b.1 > 0.0 {
            let (bc, ac) = (self.between(b, c), self.between(a, c));
            self.triangles.extend([[a.0, b.0, bc], [a.0, bc, ac]]);
            self.rims.push([bc, ac]);
        } else {
            let (ab, ac) = (self.between(a, b), self.between(a, c));
            self.triangles.push([a.0, ab, ac]);
            self.rims.push([ab, ac]);
        }
    }

    fn between(&mut self, a: (u32, f32), b: (u32, f32)) -> u32 {
        let t = (a.1 / (a.1 - b.1)).clamp(0.0, 1.0);
        let (p, q) = (self.points[a.0 as usize], self.points[b.0 as usize]);
        let byte = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * t + 0.5) as u8;
        self.points.push(Point {
            at: mix(p.at, q.at, t),
            normal: norm(mix(p.normal, q.normal, t)),
            color: mix(p.color, q.color, t),
            baked: mix(p.baked, q.baked, t),
            seam: p.seam + (q.seam - p.seam) * t,
            lift: p.lift + (q.lift - p.lift) * t,
            plate: mix(p.plate, q.plate, t),
            fits: p.fits + (q.fits - p.fits) * t,
            weave: std::array::from_fn(|k| p.weave[k] + (q.weave[k] - p.weave[k]) * t),
            moves: std::array::from_fn(|k| byte(p.moves[k], q.moves[k])),
            ..p
        });
        self.points.len() as u32 - 1
    }

    /// Cloth is as thick as it is: along the cut it turns in, towards the arm.
    fn rim(&mut self) {
        let lower = norm(sub(self.bones.wrist, self.bones.elbow));
        for [a, b] in std::mem::take(&mut self.rims) {
            let inner = [a, b].map(|v| {
                let mut point = self.points[v as usize];
                let axis = add(self.bones.elbow, mul(lower, dot(sub(point.at, self.bones.elbow), lower)));
                point.at = add(mix(point.at, axis, 0.13), mul(lower, 0.012));
                // Thread, not a plank: it is round there, and gets what light the sleeve gets.
                point.normal = norm(add(point.normal, mul(lower, 0.6)));
                point.color = mul(point.color, 0.9);
                // Threads run over it.
                point.weave[1] += 16.0;
                self.points.push(point);
                self.points.len() as u32 - 1
            });
            self.triangles.extend([[a, inner[1], b], [a, inner[0], inner[1]]]);
        }
    }
}

/// Where an arm grows out of the body both lie at one place: the body is seen where it is whole, then the arm.
fn lift(arm: f32) -> f32 {
    0.12 * ss(0.74, 0.34, arm) * ss(0.22, 0.34, arm) - 0.030 * ss(0.28, 0.18, arm)
}

impl Figure<'_> {
    fn chest(&self) -> Chest {
        let stance = &self.person.stance;
        Chest { axes: stance.chest(), neck: self.body.neck, size: stance.size }
    }

    /// What the plate shows of a point, as pixels hold it, and how surely it shows that one and nothing before it.
    fn shown_at(&self, point: &Point) -> (V3, f32) {
        const NEAR: f32 = 0.05;
        let seen = self.camera.project(self.chest().point(point.at));
        let [wide, high] = self.plate.map(|side| side as i32);
        let [x, y] = [seen[0] as i32, seen[1] as i32];
        let (mut sum, mut count) = ([0.0; 3], 0.0);
        for (dx, dy) in (-2..=2).flat_map(|dx| (-2..=2).map(move |dy| (dx, dy))) {
            let (x, y) = (x + dx, y + dy);
            if x < 0 || y < 0 || x >= wide || y >= high {
                continue;
            }
            // The inside of the other half of an armhole is as near, and another colour.
            let n = self.chest().direction(point.normal);
            let near = |hit: &crate::rig::raster::render::Hit| {
                let mesh = self.shown[hit.mesh as usize];
                let [v, ..] = mesh.triangles[hit.triangle as usize];
                (hit.depth - seen[2]).abs() < NEAR && dot(mesh.normals[v as usize], n) > 0.35
            };
            let pixel = self.torso.picture.row(y as u32)[x as usize];
            if pixel[3] == 255 && self.torso.hits[(y * wide + x) as usize].as_ref().is_some_and(near) {
                sum = add(sum, [0, 1, 2].map(|k| f32::from(pixel[k])));
                count += 1.0;
            }
        }
        if count < 1.0 {
            return ([0.0; 3], 0.0);
        }
        (mul(sum, 1.0 / count), ss(4.0, 14.0, count) * ss(0.1, 0.7, point.seam))
    }
}

pub(super) fn steps(share: f32) -> u8 {
    (share.clamp(0.0, 1.0) * STEPS as f32 + 0.5) as u8
}

/// How much of the sky reaches each point past the arm: dark between fingers and in folds.
fn openness(points: &[Point], triangles: &[[u32; 3]]) -> Vec<f32> {
    const DIRECTIONS: usize = 40;
    const SIDE: usize = 224;
    let Some(first) = points.first() else { return Vec::new() };
    let bounds = points.iter().fold([first.at; 2], |[low, high], p| {
        [std::array::from_fn(|k| low[k].min(p.at[k])), std::array::from_fn(|k| high[k].max(p.at[k]))]
    });
    let middle = mul(add(bounds[0], bounds[1]), 0.5);
    let scale = SIDE as f32 / (length(sub(bounds[1], bounds[0])) * 1.02);
    let (mut seen, mut all) = (vec![0.0_f32; points.len()], vec![0.0_f32; points.len()]);
    let mut depth = vec![EMPTY; SIDE * SIDE];
    for at in 0..DIRECTIONS {
        let y = 1.0 - 2.0 * (at as f32 + 0.5) / DIRECTIONS as f32;
        let (r, phi) = ((1.0 - y * y).sqrt(), at as f32 * 2.399_963);
        let d = [r * crate::rig::ground::v3::cos(phi), y, r * sin(phi)];
        let x = norm(cross(if d[1].abs() > 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] }, d));
        let up = cross(d, x);
        let project = |p: V3| {
            let q = sub(p, middle);
            let half = SIDE as f32 * 0.5;
            [dot(q, x) * scale + half, dot(q, up) * scale + half, dot(q, d)]
        };
        depth.fill(EMPTY);
        let projected: Vec<V3> = points.iter().map(|p| project(p.at)).collect();
        for t in triangles {
            let [a, b, c] = t.map(|v| projected[v as usize]);
            scan([a, b, c], [0, 0, SIDE as i32, SIDE as i32], |px, py, w| {
                let cell = &mut depth[py * SIDE + px];
                *cell = cell.max(w[0] * a[2] + w[1] * b[2] + w[2] * c[2]);
            });
        }
        for (v, point) in points.iter().enumerate() {
            let facing = dot(point.normal, d);
            if facing <= 0.0 {
                continue;
            }
            let q = project(add(point.at, mul(point.normal, 0.03)));
            let cell = [q[0], q[1]].map(|v| (v.max(0.0) as usize).min(SIDE - 1));
            all[v] += facing;
            if depth[cell[1] * SIDE + cell[0]] - q[2] < 0.035 {
                seen[v] += facing;
            }
        }
    }
    let mut open: Vec<[f32; 1]> = seen
        .iter()
        .zip(&all)
        .map(|(seen, all)| seen / all.max(1e-3))
        .map(|share| [0.30 + 0.70 * share * (0.35 + 0.65 * share)])
        .collect();
    crate::rig::ground::mesh::relax(&mut open, triangles, 1, 0.5);
    open.into_iter().map(|open| open[0].min(1.0)).collect()
}

/// The body as arms throw shadows on it.
fn ground(figure: &Figure<'_>, view: &View) -> Ground {
    let Figure { torso, plate, .. } = figure;
    let [wide, high] = plate.map(|side| side as usize);
    let key = studio::dome().key;
    let of = |hit: &crate::rig::raster::render::Hit| {
        let mesh = figure.shown[hit.mesh as usize];
        let (t, w) = (mesh.triangles[hit.triangle as usize].map(|v| v as usize), hit.weights());
        let three = |of: &[V3]| (0..3).fold([0.0; 3], |sum, k| add(sum, mul(of[t[k]], w[k])));
        let normal = norm(three(&mesh.normals));
        let light = three(&mesh.light);
        let passed = (0..3).map(|k| mesh.key[t[k]] * w[k]).sum::<f32>();
        let got = key[1] * passed * dot(normal, norm(studio::KEY)).max(0.0);
        Lit { at: three(&mesh.points), normal, share: (got / light[1].max(0.02)).clamp(0.0, 0.95) }
    };
    let columns = wide.div_ceil(CELL);
    let cells = (0..high.div_ceil(CELL)).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let lit = cells
        .map(|(column, row)| {
            let inner = |v: usize, most: usize| (v * CELL + CELL / 2).min(most - 1);
            let hit = torso.hits[inner(row, high) * wide + inner(column, wide)];
            hit.as_ref().map_or(Lit { share: -1.0, ..Lit::default() }, of)
        })
        .collect();
    let mut still = vec![EMPTY; MAP * MAP];
    for mesh in figure.meshes {
        throw(figure, mesh, view, &mut still);
    }
    let depth = torso.hits.iter().map(|hit| hit.as_ref().map_or(u16::MAX, |hit| deep(hit.depth))).collect();
    Ground { body: torso.picture.clone(), depth, columns, lit, there: OnceLock::new(), still }
}

/// Marks what of a mesh stands in the key's light and does not move.
fn throw(figure: &Figure<'_>, mesh: &Mesh, view: &View, map: &mut [f32]) {
    // Of hair, that lets half of the light through, the map is too coarse to tell: its shadow would be blots.
    if matches!(mesh.stuff, Stuff::Lash | Stuff::Frame | Stuff::Hair) {
        return;
    }
    let seen: Vec<V3> = mesh.points.iter().map(|&p| view.seen(p)).collect();
    let worn = |v: usize| match mesh.stuff {
        Stuff::Cloth(layer) => !figure.garment.gone(layer, mesh.sewn[v], mesh.arm(v)),
        _ => true,
    };
    for t in &mesh.triangles {
        let t = t.map(|v| v as usize);
        if t.iter().any(|&v| mesh.arm(v) > 0.3 || !worn(v)) {
            continue;
        }
        let [a, b, c] = t.map(|v| seen[v]);
        scan([a, b, c], [0, 0, MAP as i32, MAP as i32], |x, y, w| {
            let cell = &mut map[y * MAP + x];
            *cell = cell.max(w[0] * a[2] + w[1] * b[2] + w[2] * c[2]);
        });
    }
}
