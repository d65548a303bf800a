//! Points of a hand that nobody would miss: where it is smooth it has more of them than its picture has pixels, and each is
//! turned, lit and painted in every frame in which arms move.
//!
//! A point goes where the surface between its neighbours tells all of it: its place, its light, its colour and what moves
//! it. Those that went before are asked about again, so that no number of steps leads away from the surface there was.

use super::{CLOTH, Point};
use crate::rig::ground::v3::{V3, add, cross, dot, length, mul, norm, sub};

/// How far the surface may be from where a point was, in pixels of the plate.
const PLACE: f32 = 0.2;
/// How far its normal may be off, which is how far its light may be.
const NORMAL: f32 = 0.08;
/// How far its colour may be, as a share of it, and what of the sky reaches it.
const COLOR: f32 = 0.05;
const OPEN: f32 = 0.05;
/// By how many steps it may go less or farther with a joint.
const STEP: f32 = 1.0;
/// No edge gets longer: points are what shadows are thrown by, and those of a hand would get holes.
const LONG: f32 = 0.06;
/// Rounds of removal; in each no two neighbours go, so that what is left lies evenly.
const ROUNDS: usize = 6;

/// Points and triangles without the points that are not missed; a unit of the model is `unit` pixels.
pub(super) fn thinned(points: &[Point], triangles: Vec<[u32; 3]>, unit: f32) -> (Vec<Point>, Vec<[u32; 3]>) {
    let mut net = Net::new(points, triangles, unit);
    for _ in 0..ROUNDS {
        net.round();
    }
    let triangles: Vec<[u32; 3]> = net.triangles.into_iter().flatten().collect();
    let mut went = vec![false; points.len()];
    net.gone.iter().flatten().for_each(|&v| went[v as usize] = true);
    let mut places: Vec<u32> = Vec::with_capacity(points.len());
    let mut left = 0;
    for went in &went {
        places.push(left);
        left += u32::from(!went);
    }
    let points = points.iter().zip(went).filter(|(_, went)| !went).map(|(point, _)| *point).collect();
    (points, triangles.into_iter().map(|t| t.map(|v| places[v as usize])).collect())
}

/// Triangles with what lies on them.
struct Net<'a> {
    points: &'a [Point],
    unit: f32,
    triangles: Vec<Option<[u32; 3]>>,
    /// The triangles about each point.
    stars: Vec<Vec<u32>>,
    /// Points that went, by the triangle in whose place they were.
    gone: Vec<Vec<u32>>,
}

/// A point drawn together with a neighbour: the triangles that are left, and on which of them lies what went.
struct Drawn {
    to: u32,
    left: Vec<(u32, [u32; 3])>,
    gone: Vec<(u32, usize)>,
    /// The worst of what is lost, 1 being what may be.
    lost: f32,
}

impl<'a> Net<'a> {
    fn new(points: &'a [Point], triangles: Vec<[u32; 3]>, unit: f32) -> Self {
        let mut stars = vec![Vec::new(); points.len()];
        for (at, triangle) in (0..).zip(&triangles) {
            triangle.iter().for_each(|&v| stars[v as usize].push(at));
        }
        let gone = vec![Vec::new(); triangles.len()];
        Self { points, unit, triangles: triangles.into_iter().map(Some).collect(), stars, gone }
    }

    fn point(&self, v: u32) -> &Point {
        &self.points[v as usize]
    }

    /// Removes points no two of which are neighbours.
    fn round(&mut self) {
        let mut near = vec![false; self.points.len()];
        for v in 0..self.points.len() as u32 {
            if near[v as usize] {
                continue;
            }
            let Some(ring) = self.ring(v).filter(|ring| self.is_even(v, ring)) else { continue };
            let ways = ring.iter().filter_map(|&to| self.drawn(v, to, &ring));
            if let Some(best) = ways.min_by(|a, b| a.lost.total_cmp(&b.lost)) {
                ring.iter().for_each(|&v| near[v as usize] = true);
                self.remove(v, best);
            }
        }
    }

    /// The corners of a triangle of the star of `v`, after it.
    fn others(&self, at: u32, v: u32) -> Option<[u32; 2]> {
        let t = self.triangles[at as usize]?;
        let k = t.iter().position(|&corner| corner == v)?;
        Some([t[(k + 1) % 3], t[(k + 2) % 3]])
    }

    /// The neighbours of a point one after the other; none of one at an edge.
    fn ring(&self, v: u32) -> Option<Vec<u32>> {
        let star = &self.stars[v as usize];
        let pairs: Vec<[u32; 2]> = star.iter().filter_map(|&at| self.others(at, v)).collect();
        let first = pairs.first()?[0];
        let mut ring = vec![first];
        loop {
            let last = ring[ring.len() - 1];
            let mut next = pairs.iter().filter(|pair| pair[0] == last);
            let (Some(&[_, to]), None) = (next.next(), next.next()) else { return None };
            if to == first {
                break;
            }
            if ring.len() == pairs.len() {
                return None;
            }
            ring.push(to);
        }
        (ring.len() == pairs.len() && ring.len() > 3).then_some(ring)
    }

    /// Whether a point is of skin or of a nail with all around it, and goes with the same finger.
    fn is_even(&self, v: u32, ring: &[u32]) -> bool {
        let own = self.point(v);
        let alike = |other: &Point| {
            (other.stuff, other.finger) == (own.stuff, own.finger) && other.ends == 0 && other.seam == 0.0
        };
        own.stuff != CLOTH && alike(own) && ring.iter().all(|&v| alike(self.point(v)))
    }

    /// What is left where `v` becomes one with `to`, if nothing is missed then.
    fn drawn(&self, v: u32, to: u32, ring: &[u32]) -> Option<Drawn> {
        // Else two sheets of the surface would be one.
        let of_both = |other: &u32| self.stars[to as usize].iter().any(|&at| self.has(at, *other));
        if ring.iter().filter(|other| **other != to && of_both(other)).count() != 2 {
            return None;
        }
        let star = &self.stars[v as usize];
        let with = |&at: &u32| Some((at, self.others(at, v)?));
        let left = star.iter().filter_map(with).filter(|(_, pair)| !pair.contains(&to));
        let left: Vec<(u32, [u32; 3])> = left.map(|(at, [a, b])| (at, [to, a, b])).collect();
        if !left.iter().all(|(_, t)| self.is_fair(*t)) {
            return None;
        }
        let mut drawn = Drawn { to, left, gone: Vec::new(), lost: 0.0 };
        for w in star.iter().flat_map(|&at| &self.gone[at as usize]).copied().chain([v]) {
            let (on, lost) = self.nearest(w, &drawn.left)?;
            drawn.gone.push((w, on));
            drawn.lost = drawn.lost.max(lost);
        }
        (drawn.lost <= 1.0).then_some(drawn)
    }

    fn has(&self, at: u32, v: u32) -> bool {
        self.triangles[at as usize].is_some_and(|t| t.contains(&v))
    }

    /// Whether a triangle looks where its corners do, and is not too long.
    fn is_fair(&self, t: [u32; 3]) -> bool {
        let [a, b, c] = t.map(|v| self.point(v).at);
        let across = cross(sub(b, a), sub(c, a));
        let long = [sub(b, a), sub(c, b), sub(a, c)].map(length).into_iter().fold(0.0, f32::max);
        // No flatter than a tenth of its length.
        let n = norm(across);
        long < LONG && length(across) > 0.1 * long * long && t.iter().all(|&v| dot(n, self.point(v).normal) > 0.5)
    }

    /// On which triangle a point lies, and how much of it is lost there.
    fn nearest(&self, w: u32, left: &[(u32, [u32; 3])]) -> Option<(usize, f32)> {
        let point = self.point(w);
        let on = left.iter().enumerate().map(|(k, (_, t))| {
            let corners = t.map(|v| self.point(v));
            let weights = weights(point.at, corners.map(|corner| corner.at));
            let place = (0..3).fold([0.0; 3], |sum, k| add(sum, mul(corners[k].at, weights[k])));
            (k, length(sub(place, point.at)), corners, weights)
        });
        let (k, far, corners, weights) = on.min_by(|a, b| a.1.total_cmp(&b.1))?;
        Some((k, (far * self.unit / PLACE).max(lost(point, corners, weights))))
    }

    fn remove(&mut self, v: u32, drawn: Drawn) {
        for at in std::mem::take(&mut self.stars[v as usize]) {
            self.gone[at as usize].clear();
            if self.has(at, drawn.to) {
                let corners = self.triangles[at as usize].take().unwrap_or_default();
                corners.iter().for_each(|&corner| self.stars[corner as usize].retain(|&other| other != at));
            }
        }
        for &(at, t) in &drawn.left {
            self.triangles[at as usize] = Some(t);
            self.stars[drawn.to as usize].push(at);
        }
        for (w, on) in drawn.gone {
            self.gone[drawn.left[on].0 as usize].push(w);
        }
    }
}

/// How near a place is to each corner of a triangle, as if it lay on it.
fn weights(p: V3, [a, b, c]: [V3; 3]) -> V3 {
    let n = cross(sub(b, a), sub(c, a));
    let part = |from: V3, to: V3| dot(cross(sub(to, from), sub(p, from)), n).max(0.0);
    let parts = [part(b, c), part(c, a), part(a, b)];
    mul(parts, 1.0 / (parts[0] + parts[1] + parts[2]).max(1e-20))
}

/// How far what lies between three points is from what a point was in the worst regard, 1 being what may be.
fn lost(point: &Point, corners: [&Point; 3], weights: V3) -> f32 {
    let off = |value: &dyn Fn(&Point) -> f32, most: f32| {
        let between: f32 = (0..3).map(|k| value(corners[k]) * weights[k]).sum();
        (between - value(point)).abs() / most
    };
    let mut worst = off(&|p| p.open, OPEN);
    for k in 0..3 {
        worst = worst.max(off(&|p| p.normal[k], NORMAL));
        worst = worst.max(off(&|p| p.color[k], COLOR * (point.color[k] + 0.02)));
        worst = worst.max(off(&|p| f32::from(p.parts[k]), STEP));
    }
    (0..4).fold(worst, |worst, k| worst.max(off(&|p| f32::from(p.moves[k]), STEP)))
}

#[cfg(test)]
mod tests {
    use super::super::SKIN;
    use super::*;

    const SIDE: u32 = 9;

    /// A level sheet of skin.
    fn sheet() -> (Vec<Point>, Vec<[u32; 3]>) {
        let point = |at: u32| {
            let place = [(at % SIDE) as f32 * 0.015, (at / SIDE) as f32 * 0.015, 0.0];
            Point { moves: [32; 4], ..Point::apart(place, [0.0, 0.0, 1.0], [0.5, 0.4, 0.3], SKIN) }
        };
        let cells = (0..SIDE - 1).flat_map(|y| (0..SIDE - 1).map(move |x| y * SIDE + x));
        let halves = |at: u32| [[at, at + 1, at + SIDE], [at + 1, at + SIDE + 1, at + SIDE]];
        ((0..SIDE * SIDE).map(point).collect(), cells.flat_map(halves).collect())
    }

    fn area((points, triangles): &(Vec<Point>, Vec<[u32; 3]>)) -> f32 {
        let of = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| points[v as usize].at);
            cross(sub(b, a), sub(c, a))[2] * 0.5
        };
        triangles.iter().map(of).sum()
    }

    #[test]
    fn a_level_sheet_needs_fewer_points_and_stays_whole() {
        let (points, triangles) = sheet();
        let thin = thinned(&points, triangles.clone(), 170.0);
        assert!(thin.0.len() < points.len() * 3 / 4 && thin.1.len() < triangles.len() * 3 / 4, "{}", thin.0.len());
        let edge = |p: &Point| p.at[0] == 0.0 || p.at[1] == 0.0;
        assert_eq!(thin.0.iter().filter(|p| edge(p)).count(), 2 * SIDE as usize - 1, "the edge stays as it is");
        assert!((area(&thin) - area(&(points, triangles))).abs() < 1e-5);
    }

    #[test]
    fn what_looks_like_nothing_around_it_stays() {
        let middle = (SIDE * SIDE / 2) as usize;
        let stays = |change: &dyn Fn(&mut Point)| {
            let (mut points, triangles) = sheet();
            change(&mut points[middle]);
            let wanted = points[middle];
            let (left, triangles) = thinned(&points, triangles, 170.0);
            let at = left.iter().position(|p| p.at == wanted.at);
            at.is_some_and(|at| triangles.iter().any(|t| t.contains(&(at as u32))))
        };
        assert!(stays(&|p| p.at[2] = 0.004));
        assert!(stays(&|p| p.color[1] = 0.3));
        assert!(stays(&|p| p.normal = norm([0.3, 0.0, 1.0])));
        assert!(stays(&|p| p.moves[3] = 29));
    }
}
