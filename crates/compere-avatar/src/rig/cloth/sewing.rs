//! What is sewn onto garments: neckbands, shirt collars, ties.

use super::garment::Garment;
use super::seams::{edge, frames, sweep};
use crate::rig::body::parts::{ClothTraits, Mesh, Piece, Stuff, Traits};
use crate::rig::ground::v3::{V3, cos, dot, sin, ss};

/// A band of `width` standing along the neckline, `thick` through; `ribbed` when it is knitted.
pub(crate) fn neckband(garment: &Garment, top: &Mesh, width: f32, thick: f32, ribbed: f32) -> Vec<Mesh> {
    let line = edge(garment, top, 144);
    let path = frames(garment, &line);
    let profile: Vec<[f32; 2]> = (0..9)
        .map(|i| {
            let a = i as f32 / 8.0 * std::f32::consts::PI;
            let (s, c) = (sin(a), cos(a));
            // What is over the edge leans in to the neck: a band that stands shows its inside.
            let over = -c * width * 0.5 + width * 0.10;
            [thick * (s - 0.25) - 0.35 * over.max(0.0), over]
        })
        .collect();
    let mut both = vec![facing_out(garment, sweep(Piece::Band, &path, &profile, true), |_| true)];
    both.extend(lining(garment, &path, width, thick));
    for traits in
        both.iter_mut().filter_map(|mesh| if let Traits::Cloth(all) = &mut mesh.traits { Some(all) } else { None })
    {
        traits.iter_mut().for_each(|traits| traits.ribbed = ribbed);
    }
    both
}

/// The inside of a band, which is seen beside and behind the neck: from its upper edge down to the skin. What it is sewn to
/// is seen from outside only, and between both one would look through.
fn lining(garment: &Garment, path: &[(V3, V3, V3)], width: f32, thick: f32) -> Option<Mesh> {
    // Farther out, its end would come through what it is sewn to.
    const DOWN: [[f32; 2]; 4] = [[-0.21, 0.60], [-0.14, 0.10], [-0.25, -0.60], [-0.40, -1.40]];
    // It begins and ends behind; in front the band lies on the chest.
    let share = |share: f32| (path.len() as f32 * share) as usize;
    let behind: Vec<_> = path[share(0.64)..].iter().chain(&path[..share(0.36)]).copied().collect();
    let profile = DOWN.map(|[out, up]| [out * width - 0.25 * thick, up * width]);
    let mesh = facing_out(garment, (behind.len() > 2).then(|| sweep(Piece::Band, &behind, &profile, false))?, |_| true);
    let triangles = mesh.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    Some(Mesh::new(mesh.stuff, mesh.points, triangles, mesh.traits))
}

/// Turns a mesh inside out if the chosen part looks towards the neck.
pub(super) fn facing_out(garment: &Garment, mesh: Mesh, chosen: impl Fn(&ClothTraits) -> bool) -> Mesh {
    let outward: f32 = mesh
        .points
        .iter()
        .zip(&mesh.normals)
        .zip(mesh.cloth())
        .filter(|(_, t)| chosen(t))
        .map(|((p, n), _)| dot(*n, [p[0] - garment.neck[0], 0.0, p[2] - garment.neck[2]]))
        .sum();
    if outward >= 0.0 {
        return mesh;
    }
    let triangles = mesh.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    Mesh::new(mesh.stuff, mesh.points, triangles, mesh.traits)
}

/// Where the knot of a tie ends, as a share of all that is seen of the tie.
pub(crate) const KNOT: f32 = 0.15;

/// A knot under the collar and a blade on the shirt.
pub(crate) fn tie(garment: &Garment, top: &Mesh) -> Vec<Mesh> {
    let line = edge(garment, top, 144);
    if line.is_empty() {
        return Vec::new();
    }
    let throat = line[line.len() / 2];
    let front = |y: f32, x: f32| -> f32 {
        // The shirt's front at this height.
        let near = top.points.iter().filter(|p| (p[1] - y).abs() < 0.09 && (p[0] - x).abs() < 0.14);
        near.map(|p| p[2]).fold(f32::MIN, f32::max).max(throat[2] - 0.2)
    };
    let (rows, columns) = (180_u32, 11_u32);
    let (mut points, mut traits, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..rows {
        let t = row as f32 / (rows - 1) as f32;
        let high = throat[1] + 0.19;
        let y = high - t * (high - garment.button() - 0.04);
        let knot = 1.0 - ss(KNOT - 0.006, KNOT + 0.012, t);
        let width = (0.175 - 0.085 * ss(0.0, KNOT, t)) * round_top(t / 0.035) * knot
            + (0.078 + 0.175 * ss(0.1, 0.9, t)) * (1.0 - knot);
        // The blade stays under the jacket.
        let width = width.min((garment.opening(y) + 0.02) / garment.broad);
        let z = front(y, 0.0);
        for column in 0..columns {
            let s = column as f32 / (columns - 1) as f32 * 2.0 - 1.0;
            let round = (1.0 - s * s).max(0.0).sqrt();
            // Over its upper edge the knot bends back under the collar.
            let depth = (0.05 + 0.09 * knot) * round + 0.05 - 0.14 * ss(0.045, 0.0, t);
            points.push([s * width * garment.broad, y, z + depth]);
            traits.push(ClothTraits::of_band([s * width, y, z], t, s));
        }
    }
    for row in 0..rows - 1 {
        for column in 0..columns - 1 {
            let (a, b) = (row * columns + column, (row + 1) * columns + column);
            triangles.extend([[a, b, a + 1], [b, b + 1, a + 1]]);
        }
    }
    let mut mesh = Mesh::new(Stuff::Cloth(Piece::Tie), points, triangles, Traits::Cloth(traits));
    smooth_rows(&mut mesh.points, columns as usize);
    let mesh = Mesh::new(mesh.stuff, mesh.points, mesh.triangles, mesh.traits);
    vec![facing_out(garment, mesh, |_| true)]
}

/// The width of what begins round, as a share of its full one.
fn round_top(t: f32) -> f32 {
    let left = (1.0 - t).clamp(0.0, 1.0);
    (1.0 - left * left * left).max(0.0).sqrt()
}

fn smooth_rows(points: &mut [V3], columns: usize) {
    let rows = points.len() / columns;
    for _ in 0..6 {
        let old = points.to_vec();
        for row in 1..rows - 1 {
            for column in 0..columns {
                let at = row * columns + column;
                let z = (old[at - columns][2] + old[at + columns][2]) * 0.25 + old[at][2] * 0.5;
                points[at][2] = z;
            }
        }
    }
}
