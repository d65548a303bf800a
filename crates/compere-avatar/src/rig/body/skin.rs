//! Skin, mouth and eyes, from the body's own surface.

use super::bite::bitten;
use super::blink;
use super::flesh::soften;
use super::mimic::Expression;
use super::parts::{EyeTraits, Mesh, MouthTraits, SkinTraits, Stuff, Traits};
use super::sculpt::Body;
use crate::rig::ground::data::{Deltas, Library};
use crate::rig::ground::mesh::{Surface, subdivide};
use crate::rig::ground::v3::{V3, add, cos, mul, norm, sin, ss, sub};

/// Skin is kept above this height: below hanging hands everything is cloth.
const HAND_FLOOR: f32 = -2.8;

pub(crate) fn surface(library: &Library, body: &Body, groups: &[&str], levels: u32, floor: f32) -> Surface {
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

pub(crate) fn skin(library: &Library, body: &Body) -> Mesh {
    let surface = surface(library, body, &["body"], 1, HAND_FLOOR);
    let points = surface.blend.vectors(&body.posed);
    let rest = surface.blend.vectors(&body.rest);
    let masks = surface.blend.arrays(&library.masks);
    let arms = surface.blend.scalars(&body.arms);
    let all = rest.iter().zip(&masks).zip(arms);
    let traits =
        all.map(|((r, m), arm)| SkinTraits { rest: *r, lips: m[0], lid: m[1], ear: m[2], inside: m[3], arm }).collect();
    let mut mesh = Mesh::new(Stuff::Skin, points, surface.triangles.clone(), Traits::Skin(traits));
    mesh.head = surface.blend.scalars(&body.head).into_iter().map(|w| w.clamp(0.0, 1.0)).collect();
    mesh.moves = carry(&surface, &body.expressions, library.vertices.len());
    soften(&mut mesh, &body.expressions, &body.eyes);
    mesh.grip = surface.blend.arrays(&body.grip);
    mesh
}

/// How much higher the upper row is at its ends than in its middle: it goes with a smile into the corners of the mouth.
const BOWED: f32 = 0.055;

/// Upper teeth, lower teeth and tongue, moved to where speech shows them.
pub(crate) fn mouth(library: &Library, body: &Body) -> Vec<Mesh> {
    let parts = [
        ("helper-upper-teeth", Stuff::Teeth, 2, [0.0, -0.069, 0.012], 1.0),
        ("helper-lower-teeth", Stuff::Teeth, 2, [0.0, -0.03, 0.0], -1.0),
        ("helper-tongue", Stuff::Tongue, 1, [0.0, -0.05, -0.03], 0.0),
    ];
    let make = |(group, stuff, levels, offset, row): (&str, Stuff, u32, V3, f32)| {
        let surface = surface(library, body, &[group], levels, f32::MIN);
        let rest = surface.blend.vectors(&body.rest);
        let low = rest.iter().map(|p| p[1]).fold(f32::MAX, f32::min);
        let high = rest.iter().map(|p| p[1]).fold(f32::MIN, f32::max);
        let traits = rest.iter().map(|&rest| MouthTraits { rest, row: [low, high, row] }).collect();
        let bowed = |p: V3| add(p, [0.0, if row > 0.0 { BOWED * ss(0.09, 0.30, p[0].abs()) } else { 0.0 }, 0.0]);
        let points = rest.iter().map(|&p| bitten(bowed(add(p, offset)), (p[1] - low) / (high - low), row)).collect();
        let mut mesh = Mesh::new(stuff, points, surface.triangles.clone(), Traits::Mouth(traits));
        mesh.moves = carry(&surface, &body.expressions, library.vertices.len());
        mesh
    };
    parts.into_iter().map(make).collect()
}

/// An eyeball of our own: the data's is too coarse. Left (the picture's right) first.
pub(crate) fn eyes(library: &Library, body: &Body) -> Vec<(Mesh, V3, f32)> {
    let make = |at: usize| {
        let centre = body.eyes[at];
        let side = if at == 0 { "l" } else { "r" };
        let radius = blink::radius(library, &body.rest, side, centre);
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
                traits.push(EyeTraits { direction: d, height: centre[1], radius, side: hand });
            }
        }
        for ring in 0..rings - 1 {
            for sector in 0..sectors {
                let (a, b) = (ring * sectors + sector, ring * sectors + (sector + 1) % sectors);
                triangles.extend([[a, b + sectors, b], [a, a + sectors, b + sectors]]);
            }
        }
        let mut mesh = Mesh::new(Stuff::Eye, points, triangles, Traits::Eye(traits));
        // The sphere's own normals: the mesh's are uneven at the pole.
        mesh.normals = mesh.points.iter().map(|&p| norm(sub(p, centre))).collect();
        (mesh, centre, radius)
    };
    vec![make(0), make(1)]
}
