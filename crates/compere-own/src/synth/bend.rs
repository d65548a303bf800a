//! Moves a few points of a patch and lets the rest follow: Gaussian radial functions, slightly forgiving.

use crate::bank::patch::{CORNER, SIDE};
use crate::linear::solve;
use compere_media::math;
use std::sync::OnceLock;

/// Reach of a point, in pixels.
const SIGMA: f64 = 22.0;
const GIVE: f64 = 0.03;
/// Pixels between the nodes at which the field is computed.
const GRID: usize = 6;
const NODES: usize = SIDE.div_ceil(GRID) + 1;
/// Smaller moves are not worth a field.
const STILL: f32 = 0.25;

/// Of the Gaussian, how many numbers for each pixel of distance, and up to which distance; there it is a millionth.
const FINE: usize = 16;
const FAR: usize = 116;

/// The Gaussian of a distance, from a table: a field asks for some twenty thousand.
struct Bell(Vec<f64>);

impl Bell {
    fn get() -> &'static Self {
        static BELL: OnceLock<Bell> = OnceLock::new();
        BELL.get_or_init(|| {
            let of = |n: usize| {
                let far = n as f64 / FINE as f64;
                math::exp(-far * far / (2.0 * SIGMA * SIGMA))
            };
            Self((0..=FAR * FINE).map(of).collect())
        })
    }

    fn at(&self, distance: f64) -> f64 {
        let place = distance.abs() * FINE as f64;
        let low = place as usize;
        match self.0.get(low..low + 2) {
            Some(two) => two[0] + (two[1] - two[0]) * (place - low as f64),
            None => 0.0,
        }
    }
}

/// How far each node of a patch is moved.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    nodes: Vec<[f32; 2]>,
}

impl Field {
    /// Points go from `from` to `to`; `held` stay. All in canonical pixels. None when hardly anything moves.
    pub(crate) fn new(from: &[[f32; 2]], to: &[[f32; 2]], held: &[[f32; 2]]) -> Option<Self> {
        let moved = from.iter().zip(to).map(|(a, b)| [b[0] - a[0], b[1] - a[1]]);
        if moved.clone().flatten().all(|step| step.abs() < STILL) {
            return None;
        }
        let places: Vec<[f64; 2]> = to.iter().chain(held).map(|p| p.map(f64::from)).collect();
        let bell = Bell::get();
        // Two places are as near to each other as the other way round.
        let mut system = vec![vec![0.0; places.len()]; places.len()];
        for (n, a) in places.iter().enumerate() {
            for (m, b) in places[..n].iter().enumerate() {
                let both = bell.at(a[0] - b[0]) * bell.at(a[1] - b[1]);
                system[n][m] = both;
                system[m][n] = both;
            }
            system[n][n] = 1.0 + GIVE;
        }
        let mut sides: Vec<Vec<f64>> = moved.map(|step| step.map(f64::from).to_vec()).collect();
        sides.resize(places.len(), vec![0.0; 2]);
        let weights = solve(system, sides);
        // A Gaussian of two coordinates is a product: two small tables instead of one large.
        let near = |place: &[f64; 2], axis: usize| -> [f32; NODES] {
            std::array::from_fn(|n| bell.at((CORNER[axis] + n * GRID) as f64 - place[axis]) as f32)
        };
        let mut sums = [vec![0.0f32; NODES * NODES], vec![0.0f32; NODES * NODES]];
        for (place, weight) in places.iter().zip(&weights) {
            let (across, down) = (near(place, 0), near(place, 1));
            for (sums, &weight) in sums.iter_mut().zip(weight) {
                let rows = sums.chunks_exact_mut(NODES).zip(&down);
                for (row, near) in rows.filter(|(_, near)| **near > 0.0) {
                    let pull = near * weight as f32;
                    row.iter_mut().zip(&across).for_each(|(sum, near)| *sum += near * pull);
                }
            }
        }
        let nodes = sums[0].iter().zip(&sums[1]).map(|(&x, &y)| [x, y]).collect();
        Some(Self { nodes })
    }

    /// How far a place of the patch was moved; `x` and `y` in patch pixels.
    #[inline]
    pub(crate) fn at(&self, x: f32, y: f32) -> [f32; 2] {
        let most = (NODES - 1) as f32 - 0.001;
        let (gx, gy) = ((x / GRID as f32).clamp(0.0, most), (y / GRID as f32).clamp(0.0, most));
        let (column, row) = (gx as usize, gy as usize);
        let (fx, fy) = (gx - column as f32, gy - row as f32);
        let node = |n: usize| self.nodes[row * NODES + column + n];
        let (a, b, c, d) = (node(0), node(1), node(NODES), node(NODES + 1));
        std::array::from_fn(|k| {
            let upper = a[k] + (b[k] - a[k]) * fx;
            let lower = c[k] + (d[k] - c[k]) * fx;
            upper + (lower - upper) * fy
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moved_points_arrive_and_held_ones_stay() {
        let from = [[180.0, 260.0], [150.0, 250.0]];
        let to = [[184.0, 266.0], [150.0, 250.0]];
        let held = [[60.0, 200.0], [300.0, 420.0]];
        let field = Field::new(&from, &to, &held).expect("something moves");
        let at = |p: [f32; 2]| field.at(p[0] - CORNER[0] as f32, p[1] - CORNER[1] as f32);
        let moved = at(to[0]);
        assert!((moved[0] - 4.0).abs() < 0.4 && (moved[1] - 6.0).abs() < 0.5, "{moved:?}");
        assert!(held.iter().all(|&p| at(p).iter().all(|step| step.abs() < 0.1)));
        assert!(Field::new(&from, &from, &held).is_none());
    }
}
