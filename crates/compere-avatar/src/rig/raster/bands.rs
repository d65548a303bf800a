//! Which triangles a stretch of a picture has to look at, and in which order.

use crate::rig::body::parts::Mesh;
use crate::rig::ground::v3::{V3, ceil, floor};

/// Which triangles of a mesh each band of the picture may show, in parts that follow each other.
pub(super) struct Bands(Vec<Vec<Vec<u32>>>);

impl Bands {
    /// Most of what is a hair's breadth wide lies between the samples of a picture, and is in none.
    pub(super) fn new<'m>(mesh: &'m Mesh, seen: &[V3], rows: f32, bands: usize, threads: usize) -> Self {
        let share = mesh.triangles.len().div_ceil(threads).max(1);
        #[expect(clippy::disallowed_methods, reason = "baking, on as many threads as the caller says")]
        std::thread::scope(|scope| {
            let part = |(part, triangles): (usize, &'m [[u32; 3]])| {
                scope.spawn(move || {
                    let mut out = vec![Vec::new(); bands];
                    for (at, t) in (part as u32 * share as u32..).zip(triangles) {
                        let corners = t.map(|v| seen[v as usize]);
                        if !meets_samples(corners, 0) || !meets_samples(corners, 1) {
                            continue;
                        }
                        let [low, high] = ends(corners, 1);
                        if high < 0.0 || low > rows * bands as f32 {
                            continue;
                        }
                        let (first, last) = ((low.max(0.0) / rows) as usize, ((high / rows) as usize).min(bands - 1));
                        if first <= last {
                            out[first..=last].iter_mut().for_each(|band: &mut Vec<u32>| band.push(at));
                        }
                    }
                    out
                })
            };
            let parts: Vec<_> = mesh.triangles.chunks(share).enumerate().map(part).collect();
            Self(parts.into_iter().map(|part| part.join().expect("nobody panics over triangles")).collect())
        })
    }

    pub(super) fn band(&self, band: usize) -> impl Iterator<Item = u32> {
        self.0.iter().flat_map(move |part| part[band].iter().copied())
    }
}

fn ends([a, b, c]: [V3; 3], k: usize) -> [f32; 2] {
    [a[k].min(b[k]).min(c[k]), a[k].max(b[k]).max(c[k])]
}

/// Whether a row or a column of samples goes through a triangle, or so near by that rounding may lead it there.
fn meets_samples(corners: [V3; 3], k: usize) -> bool {
    const NEAR: f32 = 0.02;
    let [low, high] = ends(corners, k);
    ceil(low - 0.5 - NEAR) <= floor(high - 0.5 + NEAR)
}

/// A triangle as its band sees it.
#[derive(Clone, Copy, Default)]
pub(super) struct Shape {
    pub(super) triangle: u32,
    pub(super) corners: [V3; 3],
}

/// How far back a triangle lies. Of two that are equally far in a sample the one that is nearer by this is seen.
pub(super) fn farness([a, b, c]: [V3; 3]) -> i32 {
    ((a[2] + b[2] + c[2]) * 4000.0) as i32
}

/// Hair lies in hundreds of layers: with the nearest drawn first, most of the rest need not be looked at. Roughly is enough.
pub(super) fn nearest_first(shapes: Vec<Shape>) -> Vec<Shape> {
    const STEPS: usize = 512;
    let far = |shape: &Shape| i64::from(farness(shape.corners));
    let [near, last] =
        shapes.iter().map(far).fold([i64::MAX, i64::MIN], |[low, high], far| [low.min(far), high.max(far)]);
    let step = |shape: &Shape| ((far(shape) - near) * STEPS as i64 / (last - near + 1)) as usize;
    let mut begins = [0; STEPS + 1];
    shapes.iter().for_each(|shape| begins[step(shape) + 1] += 1);
    (0..STEPS).for_each(|at| begins[at + 1] += begins[at]);
    let mut sorted = vec![Shape::default(); shapes.len()];
    for shape in shapes {
        let place = &mut begins[step(&shape)];
        sorted[*place] = shape;
        *place += 1;
    }
    sorted
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// As fine as hair, everywhere about a picture of 40 by 40 samples in four bands, and beyond it.
    pub(in crate::rig::raster) fn splinters() -> Vec<[V3; 3]> {
        let splinter = |n: u32| {
            let n = n as f32;
            let [x, y] = [n * 0.377 % 50.0 - 5.0, n * 0.531 % 50.0 - 5.0];
            let [wide, high] = [n * 0.113 % 0.6, n * 0.091 % 3.0];
            [[x, y, n * 0.7 % 9.0], [x + wide, y + 0.1, n * 0.3 % 9.0], [x, y + high, 1.0]]
        };
        (0..4000).map(splinter).collect()
    }

    #[test]
    fn the_nearest_come_first_and_none_is_lost() {
        let shapes = (0..).zip(splinters()).map(|(triangle, corners)| Shape { triangle, corners });
        let sorted = nearest_first(shapes.collect());
        let far: Vec<i32> = sorted.iter().map(|shape| farness(shape.corners)).collect();
        let steps = far.windows(2).filter(|pair| pair[0] > pair[1] + 200).count();
        assert_eq!(steps, 0);
        let mut triangles: Vec<u32> = sorted.iter().map(|shape| shape.triangle).collect();
        triangles.sort_unstable();
        assert!(triangles.into_iter().eq(0..4000));
        assert!(nearest_first(Vec::new()).is_empty());
    }
}
