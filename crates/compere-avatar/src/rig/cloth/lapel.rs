//! Collar and lapels of a jacket: one leaf to each side, folded over at the opening and round the back of the neck. It
//! rolls at the fold, lies on the jacket, and ends in an edge as thick as two layers of cloth are.

use super::garment::{Garment, shawl};
use super::sewing::facing_out;
use crate::rig::body::parts::{ClothTraits, Mesh, Piece, Stuff, Traits};
use crate::rig::ground::v3::{V3, add, atan2, cos, cross, dot, exp, interp, mix, mul, norm, sin, ss, sub};
use crate::rig::people::person::Lapel;

/// Rows along the opening, and from the side of the neck to its back.
const FRONT: usize = 132;
const BACK: usize = 26;
/// How thick the leaf is at its edge, and how high it rolls where it folds.
const THICK: f32 = 0.040;
const ROLL: f32 = 0.034;
/// How many times the collar's edge is evened out.
const EVEN: usize = 400;

pub(crate) fn lapels(garment: &Garment, jacket: &Mesh) -> Vec<Mesh> {
    let cloth = Lying::new(garment, jacket);
    [1.0, -1.0].into_iter().filter_map(|side| leaf(garment, jacket, &cloth, side)).collect()
}

/// The jacket's own surface, to lie on.
pub(super) struct Lying {
    known: Vec<(V3, V3)>,
    /// By height, in steps of [`BAND`] from `low`: which of them may lie within reach.
    bands: Vec<Vec<u32>>,
    low: f32,
}

const BAND: f32 = 0.1;
const REACH: f32 = 0.4;

impl Lying {
    pub(super) fn new(garment: &Garment, jacket: &Mesh) -> Self {
        let near = |p: &V3| p[1] > garment.button() - 0.5 && p[0].abs() < 1.5;
        let all = jacket.points.iter().zip(&jacket.normals);
        let known: Vec<(V3, V3)> = all.filter(|(p, _)| near(p)).map(|(p, n)| (*p, *n)).collect();
        let heights = known.iter().map(|(p, _)| p[1]);
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), y| (low.min(y), high.max(y)));
        let low = low - REACH;
        let count = ((high + REACH - low) / BAND).max(0.0) as usize + 1;
        let mut bands = vec![Vec::new(); count];
        for (at, (p, _)) in (0..).zip(&known) {
            let band = |y: f32| (((y - low) / BAND) as usize).min(count - 1);
            // A step more than the reach: a height may be rounded into the next.
            let within = band(p[1] - REACH - BAND)..=band(p[1] + REACH + BAND);
            bands[within].iter_mut().for_each(|band| band.push(at));
        }
        Self { known, bands, low }
    }

    /// The nearest place on it, and which way is up there.
    pub(super) fn at(&self, p: V3) -> (V3, V3) {
        let (mut normal, mut middle, mut total) = ([0.0; 3], [0.0; 3], 1e-9);
        let band = ((p[1] - self.low) / BAND).max(0.0) as usize;
        let near = self.bands.get(band).into_iter().flatten().map(|&at| &self.known[at as usize]);
        for (q, n) in near {
            let d = sub(*q, p);
            let far = dot(d, d);
            if far < REACH * REACH {
                let w = exp(-far / 0.012);
                normal = add(normal, mul(*n, w));
                middle = add(middle, mul(*q, w));
                total += w;
            }
        }
        let normal = norm(normal);
        let off = dot(sub(p, mul(middle, 1.0 / total)), normal);
        (sub(p, mul(normal, off)), normal)
    }

    /// A first guess of how far in front of the neck the chest is.
    pub(super) fn front(&self, x: f32, y: f32) -> f32 {
        let near = self.known.iter().filter(|(p, _)| (p[0] - x).abs() < 0.09 && (p[1] - y).abs() < 0.09);
        near.map(|(p, _)| p[2]).fold(-0.2, f32::max)
    }
}

/// Where the leaf folds: place, and height along the opening, beyond 1 round the neck.
fn fold(garment: &Garment, jacket: &Mesh, cloth: &Lying, side: f32) -> Option<Vec<(V3, f32)>> {
    let top = 0.985;
    let mut path: Vec<(V3, f32)> = (0..FRONT)
        .map(|at| {
            let t = top * at as f32 / (FRONT - 1) as f32;
            let y = garment.button() + t * garment.rise();
            let x = side * garment.opening(y).max(0.0);
            (cloth.at([x, y, cloth.front(x, y)]).0, t)
        })
        .collect();
    let axis = garment.neck[2] - 0.05;
    let around = |p: V3| atan2((p[0] * side).max(0.0), p[2] - axis);
    let from = around(path[FRONT - 1].0).max(0.6);
    let span = std::f32::consts::PI - from;
    let mut bins = vec![([0.0; 3], 0.0_f32); BACK];
    for t in &jacket.triangles {
        for k in 0..3 {
            let [a, b] = [t[k], t[(k + 1) % 3]].map(|v| jacket.points[v as usize]);
            let near = |p: V3| p[0] * side > -0.15 && p[0].abs() < 0.85 && p[2] < 0.45 && p[1] > garment.neck[1] - 0.4;
            if !near(a) || !near(b) {
                continue;
            }
            let (fa, fb) = (garment.below_collar(a), garment.below_collar(b));
            if (fa < 0.0) != (fb < 0.0) {
                let p = add(a, mul(sub(b, a), fa / (fa - fb)));
                let place = (around(p) - from) / span * BACK as f32;
                if place > 0.0 {
                    let bin = &mut bins[(place as usize).min(BACK - 1)];
                    bin.0 = add(bin.0, p);
                    bin.1 += 1.0;
                }
            }
        }
    }
    // Where opening and neck meet, the edge is the opening's still.
    let found = bins.iter().enumerate().filter(|(at, bin)| *at > 3 && bin.1 > 0.0);
    path.extend(found.map(|(at, bin)| (mul(bin.0, 1.0 / bin.1), 1.0 + (at as f32 + 0.5) / BACK as f32)));
    (path.len() > FRONT + 4).then(|| smoothed(evenly(&path), side))
}

/// With as many places round the neck as the way there is long.
fn evenly(path: &[(V3, f32)]) -> Vec<(V3, f32)> {
    let mut out = Vec::new();
    for (pair, at) in path.windows(2).zip(0..) {
        let [(a, s), (b, t)] = [pair[0], pair[1]];
        let d = sub(b, a);
        let steps = if at + 1 < FRONT { 1 } else { ((dot(d, d).sqrt() / 0.03) as usize).clamp(1, 30) };
        out.extend((0..steps).map(|k| k as f32 / steps as f32).map(|k| (mix(a, b, k), s + (t - s) * k)));
    }
    out.extend(path.last());
    out
}

/// Evenly bent; the two leaves meet in the middle of the back.
fn smoothed(mut path: Vec<(V3, f32)>, side: f32) -> Vec<(V3, f32)> {
    let last = path.len() - 1;
    path[last].0[0] = -0.02 * side;
    for turn in 0..60 {
        let old = path.clone();
        for at in if turn < 8 { 1 } else { FRONT - 14 }..last {
            path[at].0 = add(mul(old[at].0, 0.5), mul(add(old[at - 1].0, old[at + 1].0), 0.25));
        }
    }
    path
}

/// How broad the leaf is, `t` from the button to the neck and round it.
fn breadth(garment: &Garment, t: f32) -> f32 {
    let t = garment.usual(t);
    let collar = interp(t, &[(0.66, 0.40), (0.80, 0.37), (1.0, 0.31), (1.3, 0.28), (2.0, 0.27)]);
    let (lapel, end) = match garment.tailor.lapel {
        Lapel::Notch => {
            (interp(t, &[(0.0, 0.035), (0.12, 0.12), (0.30, 0.26), (0.50, 0.40), (0.66, 0.51), (0.72, 0.54)]), 0.705)
        }
        Lapel::Shawl => (shawl(t), 1.0),
    };
    let end = ss(end, end + 0.02, t);
    let wide = 1.0 + (garment.tailor.wide - 1.0) * ss(1.0, 0.8, t);
    (lapel * (1.0 - end) + collar * end) * wide
}

/// Which way the leaf falls from its fold at each place of it, and where it ends there.
fn edges(garment: &Garment, cloth: &Lying, path: &[(V3, f32)], side: f32) -> Vec<(V3, V3)> {
    let last = path.len() - 1;
    let mut all: Vec<(V3, V3)> = path
        .iter()
        .enumerate()
        .map(|(at, &(place, t))| {
            let along = norm(sub(path[(at + 1).min(last)].0, path[at.saturating_sub(1)].0));
            let (_, up) = cloth.at(place);
            let across = cross(along, up);
            let away = [place[0] - garment.neck[0], -0.35, place[2] - garment.neck[2]];
            let across = if dot(across, away) < 0.0 { mul(across, -1.0) } else { across };
            let out = norm(mix([side, 0.0, 0.0], across, ss(0.78, 1.0, t)));
            (out, cloth.at(add(place, mul(out, breadth(garment, t) * garment.broad))).0)
        })
        .collect();
    // Where the fold turns round the neck its ways out spread and cross, and a collar's edge would be scalloped: it is cut
    // in one line from the notch to the nape.
    let from = path.iter().position(|&(_, t)| garment.usual(t) > 0.735).unwrap_or(last);
    for _ in 0..EVEN {
        let old = all.clone();
        for at in from + 1..last {
            all[at].1 = add(mul(old[at].1, 0.5), mul(add(old[at - 1].1, old[at + 1].1), 0.25));
        }
    }
    all
}

fn leaf(garment: &Garment, jacket: &Mesh, cloth: &Lying, side: f32) -> Option<Mesh> {
    let path = fold(garment, jacket, cloth, side)?;
    let (mut points, mut traits, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    let last = path.len() - 1;
    let mut columns = 0;
    let edges = edges(garment, cloth, &path, side);
    for (&(place, t), &(out, edge)) in path.iter().zip(&edges) {
        let to = sub(edge, place);
        let wide = dot(to, to).sqrt().max(1e-3);
        let to = mul(to, 1.0 / wide);
        let profile = profile(wide, t);
        columns = profile.len() as u32;
        for &[d, height, share] in &profile {
            let (lies, up) = cloth.at(add(place, mul(if d > 0.03 { to } else { out }, d)));
            let p = add(lies, mul(up, height));
            points.push(p);
            traits.push(ClothTraits::of_band(p, t, share));
        }
    }
    for row in 0..last as u32 {
        for column in 0..columns - 1 {
            let (a, b) = (row * columns + column, (row + 1) * columns + column);
            triangles.extend([[a, b, a + 1], [b, b + 1, a + 1]]);
        }
    }
    let mesh = Mesh::new(Stuff::Cloth(Piece::Lapel), points, triangles, Traits::Cloth(traits));
    Some(facing_out(garment, mesh, |t| t.across > 0.2 && t.across < 0.8 && t.along < 0.9))
}

/// A cut through the leaf: how far from the fold, how high over the jacket, and that as a share of its breadth.
fn profile(wide: f32, t: f32) -> Vec<[f32; 3]> {
    let roll = (ROLL * interp(t, &[(0.0, 1.3), (0.5, 1.1), (1.0, 1.0), (2.0, 1.2)])).min(wide * 0.4);
    let thick = THICK.min(wide * 0.6);
    let mut out = vec![[0.02, -0.03, 0.0]];
    for step in 0..6 {
        let a = (-90.0 + 36.0 * step as f32).to_radians();
        out.push([-roll * cos(a), roll * (1.0 + sin(a)), 0.0]);
    }
    for share in [0.06, 0.14, 0.24, 0.36, 0.50, 0.64, 0.78, 0.88, 0.95] {
        let falls = ss(0.0, 0.45, share);
        let height = 2.0 * roll * (1.0 - falls) + (thick + 0.012 * sin(share * std::f32::consts::PI)) * falls;
        out.push([wide * share, height, share]);
    }
    out.extend([
        [wide - 0.004, thick * 0.94, 0.985],
        [wide + 0.004, thick * 0.70, 0.995],
        [wide + 0.002, thick * 0.30, 1.0],
        [wide - 0.016, 0.0, 1.0],
    ]);
    out
}
