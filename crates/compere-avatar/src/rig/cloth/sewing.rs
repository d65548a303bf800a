//! What is sewn onto garments: neckbands, shirt collars, ties.

use super::garment::Garment;
use super::seams::{edge, frames, sweep};
use crate::rig::body::parts::{ClothTraits, Mesh, Piece, Stuff, Traits};
use crate::rig::ground::v3::{V3, add, cos, dot, mul, sin, ss, sub};

/// A band of `width` standing along the neckline, `thick` through; `ribbed` when it is knitted.
pub(crate) fn neckband(garment: &Garment, top: &Mesh, width: f32, thick: f32, ribbed: f32) -> Mesh {
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
    let mut mesh = facing_out(garment, sweep(Piece::Band, &path, &profile, true), |_| true);
    if let Traits::Cloth(all) = &mut mesh.traits {
        all.iter_mut().for_each(|traits| traits.ribbed = ribbed);
    }
    mesh
}

/// A stand round the neck and two leaves folded over it, with points at the front.
pub(crate) fn shirt_collar(garment: &Garment, top: &Mesh) -> Vec<Mesh> {
    let line = edge(garment, top, 144);
    if line.is_empty() {
        return Vec::new();
    }
    let path = frames(garment, &line);
    let n = path.len();
    // Open at the front: angle zero lies in the middle of the list.
    let mut leaf_path = Vec::new();
    let half = n / 2;
    // Unbuttoned, it stands apart at the throat.
    let apart = if garment.is_open() { n / 22 } else { 0 };
    for at in apart..=n - apart {
        let index = (half + at) % n;
        leaf_path.push(path[index]);
    }
    let steps = leaf_path.len();
    let (mut points, mut traits, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    let rows = 10_u32;
    for (at, &(centre, out, up)) in leaf_path.iter().enumerate() {
        let s = at as f32 / (steps - 1) as f32;
        // A slender neck is farther from the shirt: the collar comes to it at the sides and behind.
        let closer = 0.17 * ss(1.08, 1.0, garment.broad) * ss(0.04, 0.20, 0.5 - (s - 0.5).abs());
        let centre = add(mul(centre, 1.0 - closer), mul([garment.neck[0], centre[1], garment.neck[2]], closer));
        let front = (1.0 - 2.0 * (s - 0.5).abs()).min(1.0);
        // 0 at the front edges, 1 at the back.
        // Straight from the points to the sides of the neck.
        let toward = (front / 0.26).min(1.0);
        // At the sides it reaches below the neckline, or the stand would show.
        let tips = if garment.has_cuffs() { 0.42 } else { 0.25 };
        let bow = if garment.has_cuffs() { 0.6 } else { 0.25 };
        let drop = 0.27 + tips * (1.0 - toward) * (1.0 - bow * toward);
        let side = if s < 0.5 { 1.0 } else { -1.0 };
        let wide = if garment.is_open() { 0.18 } else { 0.22 };
        let spread = [side * wide * (1.0 - toward), 0.0, 0.0];
        // Worn open, the stand runs out towards the throat and the leaf lies on the shirt.
        let stand = if garment.is_open() { 0.24 * ss(0.0, 0.8, toward) } else { 0.24 };
        for row in 0..rows {
            let t = row as f32 / (rows - 1) as f32;
            let p = if t < 0.4 {
                let h = t / 0.4;
                add(
                    centre,
                    add(
                        mul(up, stand * h - 0.02 - 0.14 * toward * (1.0 - h)),
                        mul(out, 0.035 - (0.015 + 0.10 * toward) * (1.0 - h)),
                    ),
                )
            } else {
                let h = (t - 0.4) / 0.6;
                let over = add(
                    mul(up, stand - 0.02 - drop * h),
                    mul(out, 0.04 + 0.025 * (h * 3.0).min(1.0) + 0.05 * h * (1.0 - toward)),
                );
                add(add(centre, over), mul(spread, h))
            };
            // Under a jacket it lies flat.
            let low = if t < 0.4 { 0.0 } else { (1.0 - toward) * (t - 0.4) / 0.6 };
            let p = sub(
                p,
                mul(out, (0.10 + 0.22 * low) * ss(-0.12 - 0.05 * low, 0.08 - 0.06 * low, garment.under_jacket(p))),
            );
            points.push(p);
            let stands = if t < 0.39 { -1.0 } else { 0.0 };
            traits.push(ClothTraits { arm: stands, ..ClothTraits::of_band(centre, s, t) });
        }
    }
    for at in 0..steps as u32 - 1 {
        for row in 0..rows - 1 {
            let (a, b) = (at * rows + row, (at + 1) * rows + row);
            triangles.extend([[a, b, a + 1], [b, b + 1, a + 1]]);
        }
    }
    // The leaf is what is seen from outside; the stand turns its inner side to the camera.
    let mesh = Mesh::new(Stuff::Cloth(Piece::ShirtBand), points, triangles, Traits::Cloth(traits));
    vec![facing_out(garment, mesh, |t| t.across > 0.5)]
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
