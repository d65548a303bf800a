//! Lines on a garment: its edge round the neck, and tubes along one.

use super::garment::Garment;
use crate::rig::body::parts::{ClothTraits, Mesh, Piece, Stuff, Traits};
use crate::rig::ground::v3::{V3, add, atan2, cross, dot, mul, norm, sub};

/// A tube with its own frame: `centre` line, outward and upward directions, profile of (out, up).
pub(crate) fn sweep(which: Piece, path: &[(V3, V3, V3)], profile: &[[f32; 2]], closed: bool) -> Mesh {
    let k = profile.len();
    let (mut points, mut traits, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for (at, &(centre, out, up)) in path.iter().enumerate() {
        for (i, &[o, u]) in profile.iter().enumerate() {
            points.push(add(centre, add(mul(out, o), mul(up, u))));
            let along = at as f32 / path.len() as f32;
            let across = i as f32 / (k - 1) as f32;
            traits.push(ClothTraits::of_band(centre, along, across));
        }
    }
    let steps = if closed { path.len() } else { path.len() - 1 };
    for at in 0..steps {
        let (a, b) = ((at * k) as u32, (((at + 1) % path.len()) * k) as u32);
        for i in 0..k as u32 - 1 {
            triangles.extend([[a + i, b + i, a + i + 1], [b + i, b + i + 1, a + i + 1]]);
        }
    }
    Mesh::new(Stuff::Cloth(which), points, triangles, Traits::Cloth(traits))
}

/// Where a garment's edge runs round the neck, as points by angle from the front, smoothed.
pub(crate) fn edge(garment: &Garment, mesh: &Mesh, count: usize) -> Vec<V3> {
    let axis = [garment.neck[0], garment.neck[2]];
    let mut bins: Vec<(V3, f32)> = vec![([0.0; 3], 0.0); count];
    let inside: Vec<f32> = mesh.points.iter().map(|&p| garment.below_neckline(p)).collect();
    for t in &mesh.triangles {
        for k in 0..3 {
            let (a, b) = (t[k] as usize, t[(k + 1) % 3] as usize);
            let (fa, fb) = (inside[a], inside[b]);
            if (fa < 0.0) == (fb < 0.0) {
                continue;
            }
            let s = fa / (fa - fb);
            let p = add(mul(mesh.points[a], 1.0 - s), mul(mesh.points[b], s));
            // The neck's edge only, not a sleeve's.
            if p[0].abs() > 1.05 * garment.broad || p[1] < garment.neck[1] - 1.4 {
                continue;
            }
            let angle = atan2(p[0] - axis[0], p[2] - axis[1]) / std::f32::consts::TAU + 0.5;
            let bin = &mut bins[((angle * count as f32) as usize).min(count - 1)];
            bin.0 = add(bin.0, p);
            bin.1 += 1.0;
        }
    }
    let known: Vec<(usize, V3)> =
        bins.iter().enumerate().filter(|(_, b)| b.1 > 0.0).map(|(at, b)| (at, mul(b.0, 1.0 / b.1))).collect();
    if known.is_empty() {
        return Vec::new();
    }
    let mut line: Vec<V3> = (0..count)
        .map(|at| {
            let next = known.iter().position(|k| k.0 >= at).unwrap_or(0);
            let (b, a) = (known[next], known[(next + known.len() - 1) % known.len()]);
            let span = (b.0 + count - a.0) % count;
            let s = if span == 0 { 0.0 } else { ((at + count - a.0) % count) as f32 / span as f32 };
            add(mul(a.1, 1.0 - s), mul(b.1, s))
        })
        .collect();
    for _ in 0..12 {
        let old = line.clone();
        for at in 0..count {
            let (l, r) = (old[(at + count - 1) % count], old[(at + 1) % count]);
            line[at] = add(mul(old[at], 0.5), mul(add(l, r), 0.25));
        }
    }
    line
}

/// Directions at each point of a closed line: away from the neck's axis, and up along the neck.
pub(crate) fn frames(garment: &Garment, line: &[V3]) -> Vec<(V3, V3, V3)> {
    let n = line.len();
    (0..n)
        .map(|at| {
            let along = norm(sub(line[(at + 1) % n], line[(at + n - 1) % n]));
            let away = [line[at][0] - garment.neck[0], 0.0, line[at][2] - garment.neck[2]];
            let up = norm(add([0.0, 1.0, 0.0], mul(norm(away), -0.55)));
            let up = norm(sub(up, mul(along, dot(up, along))));
            let out = norm(cross(along, up));
            let out = if dot(out, away) < 0.0 { mul(out, -1.0) } else { out };
            (line[at], out, up)
        })
        .collect()
}
