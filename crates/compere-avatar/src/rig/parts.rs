//! The meshes of a person: skin, eyes, teeth, tongue, lashes.

use super::data::{Deltas, Library};
use super::mesh::{Surface, normals, relax, subdivide};
use super::person::Person;
use super::sculpt::{Body, Expression};
use super::v3::{V3, add, cos, cross, dot, length, mul, norm, sin, ss, sub};
use crate::maths::Dice;

/// How a part is shaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stuff {
    Skin,
    Eye,
    Teeth,
    Tongue,
    Lash,
    Hair,
    /// Cloth over the hair.
    Scarf,
    /// Glasses.
    Frame,
    /// Which layer of clothing.
    Cloth(u8),
}

impl Stuff {
    /// What lies over the head and goes with it.
    pub(super) fn is_headgear(self) -> bool {
        matches!(self, Self::Hair | Self::Scarf | Self::Frame)
    }

    pub(super) fn is_strand(self) -> bool {
        matches!(self, Self::Lash | Self::Hair)
    }
}

/// Per vertex, what the shader wants to know. The meaning depends on the stuff.
pub(super) type Traits = [f32; 8];

#[derive(Clone)]
pub(super) struct Mesh {
    pub(super) stuff: Stuff,
    pub(super) points: Vec<V3>,
    /// Where the points were before the body was turned: clothes are cut there.
    pub(super) sewn: Vec<V3>,
    /// Surface normals; for strands the tangents.
    pub(super) normals: Vec<V3>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Skin: rest position, lips, lid, ear, inside, arm. Eye: direction, centre, radius, side. Teeth and tongue: rest
    /// position, lowest, highest, row. Strands: tangent, place along, chance, extra, side, vertices
    /// back to the guide's. Cloth: rest position, three of
    /// the band, ribbed, arm (-1 on the stand of a collar).
    pub(super) traits: Vec<Traits>,
    pub(super) head: Vec<f32>,
    /// Moves by expression: index into the body's expressions, then vertices.
    pub(super) moves: Vec<(usize, Deltas)>,
    /// Filled by the light: irradiance, key light reaching, openness.
    pub(super) light: Vec<V3>,
    pub(super) key: Vec<f32>,
    pub(super) open: Vec<f32>,
    /// Of strands: what the camera sees, point by point; they are too fine to shade otherwise.
    pub(super) colors: Vec<V3>,
}

impl Mesh {
    pub(super) fn new(stuff: Stuff, points: Vec<V3>, triangles: Vec<[u32; 3]>, traits: Vec<Traits>) -> Self {
        let n = points.len();
        let normals = normals(&points, &triangles);
        Self {
            stuff,
            normals,
            triangles,
            traits,
            head: vec![1.0; n],
            moves: Vec::new(),
            light: vec![[0.0; 3]; n],
            key: vec![0.0; n],
            open: vec![1.0; n],
            colors: Vec::new(),
            sewn: points.clone(),
            points,
        }
    }

    /// Strands that were moved point elsewhere.
    pub(super) fn tangents_from_strands(&mut self) {
        let last = self.points.len().saturating_sub(2);
        for at in (0..=last).step_by(2) {
            let along = self.traits[at][3];
            let next = at + 2 <= last && self.traits[at + 2][3] > along;
            let before = at >= 2 && self.traits[at - 2][3] < along;
            let (from, to) = (if before { at - 2 } else { at }, if next { at + 2 } else { at });
            if from != to {
                let tangent = norm(sub(self.points[to], self.points[from]));
                self.normals[at] = tangent;
                self.normals[at + 1] = tangent;
            }
        }
    }

    /// With expressions at these weights.
    pub(super) fn deformed(&self, weight: impl Fn(usize) -> f32) -> Vec<V3> {
        let mut points = self.points.clone();
        for (expression, deltas) in &self.moves {
            let w = weight(*expression);
            if w != 0.0 {
                for &(v, d) in deltas {
                    points[v as usize] = add(points[v as usize], mul(d, w));
                }
            }
        }
        points
    }
}

/// Skin is kept above the first height where no hands are wanted, else above the second: below them everything is
/// cloth. Whoever is cut above the third height shows no hands.
const SKIN_FLOOR: f32 = 1.2;
const HAND_FLOOR: f32 = -2.8;
const RAISED: f32 = 4.2;

pub(super) fn surface(library: &Library, body: &Body, groups: &[&str], levels: u32, floor: f32) -> Surface {
    let ids: Vec<usize> = groups.iter().filter_map(|g| library.group(g)).collect();
    let above = |q: &[u32; 4]| q.iter().all(|&v| body.posed[v as usize][1] > floor);
    let quads: Vec<[u32; 4]> =
        library.quads.iter().filter(|q| ids.contains(&q.group)).map(|q| q.corners).filter(above).collect();
    subdivide(library.vertices.len(), &quads, levels)
}

/// Expressions carried over to a subdivided surface.
fn carry(surface: &Surface, expressions: &[Expression], n: usize) -> Vec<(usize, Deltas)> {
    let mut out = Vec::new();
    let mut full = vec![[0.0; 3]; n];
    for (at, expression) in expressions.iter().enumerate() {
        full.fill([0.0; 3]);
        for &(v, d) in &expression.deltas {
            full[v as usize] = add(full[v as usize], d);
        }
        let moved = surface.blend.vectors(&full);
        let deltas: Deltas = moved
            .into_iter()
            .enumerate()
            .filter(|(_, d)| d.iter().any(|c| c.abs() > 1e-4))
            .map(|(v, d)| (v as u32, d))
            .collect();
        if !deltas.is_empty() {
            out.push((at, deltas));
        }
    }
    out
}

pub(super) fn skin(library: &Library, body: &Body, low: f32) -> Mesh {
    // Raised hands are in the picture long before hips are.
    let floor = if low < RAISED { HAND_FLOOR } else { SKIN_FLOOR };
    let surface = surface(library, body, &["body"], 1, floor);
    let points = surface.blend.vectors(&body.posed);
    let rest = surface.blend.vectors(&body.rest);
    let masks = surface.blend.arrays(&library.masks);
    let arms = surface.blend.scalars(&body.arms);
    let all = rest.iter().zip(&masks).zip(arms);
    let traits = all.map(|((r, m), arm)| [r[0], r[1], r[2], m[0], m[1], m[2], m[3], arm]).collect();
    let mut mesh = Mesh::new(Stuff::Skin, points, surface.triangles.clone(), traits);
    mesh.head = surface.blend.scalars(&body.head).into_iter().map(|w| w.clamp(0.0, 1.0)).collect();
    mesh.moves = carry(&surface, &body.expressions, library.vertices.len());
    mesh
}

/// Upper teeth, lower teeth and tongue, moved to where speech shows them.
pub(super) fn mouth(library: &Library, body: &Body) -> Vec<Mesh> {
    let parts = [
        ("helper-upper-teeth", Stuff::Teeth, 2, [0.0, -0.047, 0.012], 1.0),
        ("helper-lower-teeth", Stuff::Teeth, 2, [0.0, -0.03, 0.0], -1.0),
        ("helper-tongue", Stuff::Tongue, 1, [0.0, -0.05, -0.03], 0.0),
    ];
    let make = |(group, stuff, levels, offset, row): (&str, Stuff, u32, V3, f32)| {
        let surface = surface(library, body, &[group], levels, f32::MIN);
        let rest = surface.blend.vectors(&body.rest);
        let low = rest.iter().map(|p| p[1]).fold(f32::MAX, f32::min);
        let high = rest.iter().map(|p| p[1]).fold(f32::MIN, f32::max);
        let traits = rest.iter().map(|r| [r[0], r[1], r[2], low, high, row, 0.0, 0.0]).collect();
        let points = rest.iter().map(|&p| add(p, offset)).collect();
        let mut mesh = Mesh::new(stuff, points, surface.triangles.clone(), traits);
        mesh.moves = carry(&surface, &body.expressions, library.vertices.len());
        mesh
    };
    parts.into_iter().map(make).collect()
}

/// An eyeball of our own: the data's is too coarse. Left (the picture's right) first.
pub(super) fn eyes(library: &Library, body: &Body) -> Vec<(Mesh, V3, f32)> {
    let make = |at: usize| {
        let centre = body.eyes[at];
        let side = if at == 0 { "l" } else { "r" };
        let mut radii: Vec<f32> = library
            .members(&[&format!("helper-{side}-eye")])
            .iter()
            .map(|&v| length(sub(body.rest[v as usize], centre)))
            .collect();
        radii.sort_by(f32::total_cmp);
        let radius = radii[radii.len() * 6 / 10];
        let (rings, sectors) = (40_u32, 64_u32);
        let (mut points, mut traits, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
        for ring in 0..rings {
            for sector in 0..sectors {
                let theta = std::f32::consts::PI * 0.62 * ring as f32 / (rings - 1) as f32;
                let phi = std::f32::consts::TAU * sector as f32 / sectors as f32;
                let d = [sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta)];
                let bulge = (1.0 - (theta / 0.5) * (theta / 0.5)).clamp(0.0, 1.0);
                points.push(add(centre, mul(d, radius * (1.0 + 0.05 * bulge))));
                let hand = if at == 0 { 1.0 } else { -1.0 };
                traits.push([d[0], d[1], d[2], centre[0], centre[1], centre[2], radius, hand]);
            }
        }
        for ring in 0..rings - 1 {
            for sector in 0..sectors {
                let (a, b) = (ring * sectors + sector, ring * sectors + (sector + 1) % sectors);
                triangles.extend([[a, b + sectors, b], [a, a + sectors, b + sectors]]);
            }
        }
        let mut mesh = Mesh::new(Stuff::Eye, points, triangles, traits);
        // The sphere's own normals: the mesh's are uneven at the pole.
        mesh.normals = mesh.points.iter().map(|&p| norm(sub(p, centre))).collect();
        (mesh, centre, radius)
    };
    vec![make(0), make(1)]
}

/// Strands as flat ribbons that face the camera. `curves` all have the same number of points.
pub(super) struct Strands {
    pub(super) curves: Vec<Vec<V3>>,
    /// Half widths along a curve.
    pub(super) widths: Vec<f32>,
    /// Per curve: a factor on the width, a chance, and how much finer it begins.
    pub(super) each: Vec<[f32; 3]>,
    /// Per curve: how many curves before it its guide is, which the light is worked out for. Empty: all are guides.
    pub(super) guide: Vec<u32>,
}

impl Strands {
    pub(super) fn mesh(&self, stuff: Stuff) -> Mesh {
        let k = self.widths.len();
        let (mut points, mut traits, mut triangles, mut tangents) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (which, (curve, each)) in self.curves.iter().zip(&self.each).enumerate() {
            let base = points.len() as u32;
            let guide = (self.guide.get(which).copied().unwrap_or(0) as usize * k * 2) as f32;
            for at in 0..k {
                let (from, to) = (curve[at.saturating_sub(1)], curve[(at + 1).min(k - 1)]);
                let tangent = norm(sub(to, from));
                let side = cross(tangent, [0.0, 0.0, 1.0]);
                let side = if length(side) < 0.15 { [1.0, 0.0, 0.0] } else { norm(side) };
                let along = at as f32 / (k - 1) as f32;
                let fine = 1.0 - 0.85 * each[2] * ss(0.40, 0.0, along);
                for sign in [-1.0, 1.0] {
                    points.push(add(curve[at], mul(side, sign * self.widths[at] * each[0] * fine)));
                    traits.push([tangent[0], tangent[1], tangent[2], along, each[1], each[2], sign, guide]);
                    tangents.push(tangent);
                }
            }
            for at in 0..k as u32 - 1 {
                let a = base + at * 2;
                triangles.extend([[a, a + 1, a + 2], [a + 1, a + 3, a + 2]]);
            }
        }
        let mut mesh = Mesh::new(stuff, points, triangles, traits);
        mesh.normals = tangents;
        mesh
    }
}

/// Points of one lash.
const LASH: usize = 6;

/// Lashes grow from the edge of the helper strips and are bound to the skin under their roots. They stand in groups
/// whose roots run into one dark line, longer towards the temple.
pub(super) fn lashes(library: &Library, body: &Body, person: &Person, skin: &Mesh, eyes: &[(Mesh, V3, f32)]) -> Mesh {
    let mut dice = Dice::new(11, 5);
    let mut strands = Strands { curves: Vec::new(), widths: Vec::new(), each: Vec::new(), guide: Vec::new() };
    strands.widths = (0..LASH).map(|k| 1.0 - libm::powf(k as f32 / 5.0, 1.2) * 0.93).collect();
    for (at, side) in ["l", "r"].into_iter().enumerate() {
        let outward = if at == 0 { 1.0 } else { -1.0 };
        for upper in [true, false] {
            let group = format!("helper-{side}-eyelashes-{}", if upper { 2 } else { 1 });
            let mut edge: Vec<V3> = library.members(&[&group]).iter().map(|&v| body.posed[v as usize]).collect();
            edge.sort_by(|a, b| nearest(skin, *a).1.total_cmp(&nearest(skin, *b).1));
            edge.truncate(26);
            edge.sort_by(|a, b| a[0].total_cmp(&b[0]));
            let lid = Lid { edge, centre: eyes[at].1, radius: eyes[at].2, outward };
            lid.grow(upper, person.look.lash_length, &mut strands, &mut dice);
        }
    }
    let middle = |curve: &Vec<V3>| curve[0];
    let roots: Vec<V3> = strands.curves.iter().map(middle).collect();
    let mut mesh = strands.mesh(Stuff::Lash);
    bind(&mut mesh, &roots, LASH * 2, skin);
    mesh
}

/// The edge of one lid.
struct Lid {
    edge: Vec<V3>,
    centre: V3,
    radius: f32,
    outward: f32,
}

impl Lid {
    fn grow(&self, upper: bool, long: f32, strands: &mut Strands, dice: &mut Dice) {
        let (low, high) = (self.edge[0][0] + 0.006, self.edge[self.edge.len() - 1][0] - 0.006);
        // Men's lashes are there, and not noticed.
        let bold = if long > 0.04 { 1.0 } else { 0.55 };
        let groups = if upper { 84 } else { 14 };
        for group in 0..groups {
            let t = (group as f32 + 0.5) / groups as f32;
            // 0 at the nose, 1 at the temple.
            let out = if self.outward > 0.0 { t } else { 1.0 - t };
            let x = low + (high - low) * t + dice.between(-0.3, 0.3) * (high - low) / groups as f32;
            let root = smooth_edge(&self.edge, x);
            let away = norm(sub(root, self.centre));
            let size = if upper { 0.42 + 0.75 * out } else { 0.20 + 0.14 * out };
            let length = long * size * dice.between(0.55, 1.12) * if out > 0.96 { 0.8 } else { 1.0 };
            let fan = 0.55 * (out - 0.42) * self.outward + 0.25 * (x - self.centre[0]) / self.radius;
            let lift = if upper { 0.80 } else { -0.75 };
            let curve = (0..LASH).map(|k| {
                let t = k as f32 / (LASH - 1) as f32;
                let forward = [away[0] * 0.5 * t + fan * t, away[1] * 0.15 * t, away[2] * 0.8 * t];
                add(root, mul(add(forward, [0.0, lift * t * (0.35 + 0.65 * t), 0.0]), length))
            });
            strands.curves.push(curve.collect());
            strands.each.push([if upper { 0.0026 * bold } else { 0.0007 * bold }, dice.unit(), 0.0]);
        }
        if upper {
            self.line(low, high, bold, strands);
        }
    }

    /// The dark line of the roots: short pieces that overlap, each following its own piece of the lid.
    fn line(&self, low: f32, high: f32, bold: f32, strands: &mut Strands) {
        let pieces = 44;
        let step = (high - low) / pieces as f32;
        for piece in 0..pieces {
            let t = (piece as f32 + 0.5) / pieces as f32;
            let out = if self.outward > 0.0 { t } else { 1.0 - t };
            let at = low + (high - low) * t;
            // Bound where it begins.
            let curve = (0..LASH).map(|k| {
                let x = at + (k as f32 / (LASH - 1) as f32 - 0.1) * step * 1.6;
                let mut p = smooth_edge(&self.edge, x.clamp(low, high));
                p[2] += 0.006;
                p[1] += 0.002;
                p
            });
            strands.curves.push(curve.collect());
            strands.each.push([(0.0035 + 0.0055 * out) * (0.4 + 0.6 * bold), 0.5, 0.0]);
        }
    }
}

fn nearest(skin: &Mesh, p: V3) -> (usize, f32) {
    let mut best = (0, f32::MAX);
    for (v, q) in skin.points.iter().enumerate() {
        let d = sub(*q, p);
        let d = dot(d, d);
        if d < best.1 {
            best = (v, d);
        }
    }
    best
}

/// A point of the edge at `x`, from a quartic-like local mean.
fn smooth_edge(edge: &[V3], x: f32) -> V3 {
    let (mut sum, mut total) = ([0.0; 3], 0.0);
    for p in edge {
        let d = (p[0] - x) / 0.028;
        let w = libm::expf(-d * d) + 1e-6;
        sum = add(sum, mul(*p, w));
        total += w;
    }
    let mut p = mul(sum, 1.0 / total);
    p[0] = x;
    p
}

/// Lets every run of `each` vertices follow the skin around its root.
fn bind(mesh: &mut Mesh, roots: &[V3], each: usize, skin: &Mesh) {
    let near: Vec<[(usize, f32); 3]> = roots.iter().map(|&root| nearest_three(skin, root)).collect();
    for (expression, deltas) in &skin.moves {
        let mut full = vec![[0.0; 3]; skin.points.len()];
        for &(v, d) in deltas {
            full[v as usize] = d;
        }
        let mut moves = Deltas::new();
        for (at, near) in near.iter().enumerate() {
            let d = near.iter().fold([0.0; 3], |sum, &(v, w)| add(sum, mul(full[v], w)));
            if d.iter().any(|c| c.abs() > 1e-4) {
                moves.extend((at * each..(at + 1) * each).map(|v| (v as u32, d)));
            }
        }
        if !moves.is_empty() {
            mesh.moves.push((*expression, moves));
        }
    }
}

fn nearest_three(skin: &Mesh, p: V3) -> [(usize, f32); 3] {
    let mut best = [(0, f32::MAX); 3];
    for (v, q) in skin.points.iter().enumerate() {
        let d = sub(*q, p);
        let d = dot(d, d);
        if d < best[2].1 {
            best[2] = (v, d);
            best.sort_by(|a, b| a.1.total_cmp(&b.1));
        }
    }
    let weights = best.map(|b| 1.0 / (b.1.sqrt() + 1e-4));
    let total: f32 = weights.iter().sum();
    std::array::from_fn(|k| (best[k].0, weights[k] / total))
}

/// Used by clothes too.
pub(super) fn relaxed(points: &[V3], triangles: &[[u32; 3]], times: u32) -> Vec<V3> {
    let mut out = points.to_vec();
    relax(&mut out, triangles, times, 0.6);
    out
}
