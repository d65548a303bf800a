//! Drawing meshes: coverage, depth, one shade per visible sample.

use crate::rig::ground::camera::Camera;
use std::sync::Mutex;

use compere_media::Pixmap;

use super::bands::{Bands, Shape, farness, nearest_first};
use crate::rig::body::parts::{Mesh, Piece, Stuff};
use crate::rig::ground::v3::{V3, add, ceil, floor, mul, pow};

/// Whoever knows what a point of a mesh looks like.
pub(crate) trait Shade: Sync {
    fn shade(&self, mesh: &Mesh, triangle: [u32; 3], weights: V3) -> V3;
}

/// Threads for baking. They change how long it takes, never what comes out.
#[expect(clippy::disallowed_methods, reason = "changes how long baking takes, never what comes out")]
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(2, |n| n.get().clamp(1, 8))
}

/// Calls `paint(x, y, weights)` for every pixel centre of `limit` (x0, y0, x1, y1) inside the triangle.
#[inline]
pub(crate) fn scan([a, b, c]: [V3; 3], limit: [i32; 4], mut paint: impl FnMut(usize, usize, V3)) {
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if area == 0.0 || !area.is_finite() {
        return;
    }
    let low = |k: usize| a[k].min(b[k]).min(c[k]);
    let high = |k: usize| a[k].max(b[k]).max(c[k]);
    let x0 = ceil(low(0) - 0.5).max(limit[0]);
    let x1 = (floor(high(0) - 0.5) + 1).min(limit[2]);
    let y0 = ceil(low(1) - 0.5).max(limit[1]);
    let y1 = (floor(high(1) - 0.5) + 1).min(limit[3]);
    if x0 >= x1 || y0 >= y1 {
        return;
    }
    let inverse = 1.0 / area;
    let (sx0, sx1) = ((b[1] - c[1]) * inverse, (c[1] - a[1]) * inverse);
    for y in y0..y1 {
        let (px, py) = (x0 as f32 + 0.5, y as f32 + 0.5);
        let w0 = ((b[0] - px) * (c[1] - py) - (b[1] - py) * (c[0] - px)) * inverse;
        let w1 = ((c[0] - px) * (a[1] - py) - (c[1] - py) * (a[0] - px)) * inverse;
        // The span where all three weights are positive.
        let (mut from, mut to) = (0.0_f32, (x1 - x0 - 1) as f32);
        for (w, slope) in [(w0, sx0), (w1, sx1), (1.0 - w0 - w1, -sx0 - sx1)] {
            if slope > 1e-12 {
                from = from.max(-w / slope);
            } else if slope < -1e-12 {
                to = to.min(-w / slope);
            } else if w < 0.0 {
                to = -1.0;
            }
        }
        if to < from - 0.004 {
            continue;
        }
        // An edge through the very middle of a pixel belongs to both sides: rounding must not leave it to neither.
        let (from, to) = (ceil(from - 0.002), floor(to + 0.002).min(x1 - x0 - 1));
        for x in from..=to {
            let (u, v) = (w0 + sx0 * x as f32, w1 + sx1 * x as f32);
            paint((x0 + x) as usize, y as usize, [u, v, 1.0 - u - v]);
        }
    }
}

/// A rendered plate.
pub(crate) struct Shot {
    pub(crate) picture: Pixmap,
    /// Of the nearest sample of each pixel: mesh, triangle and weights.
    pub(crate) hits: Vec<Option<Hit>>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    pub(crate) mesh: u16,
    pub(crate) triangle: u32,
    pub(crate) weights: [f32; 2],
    pub(crate) depth: f32,
    /// How much of its pixel shows what lies farther back.
    pub(crate) behind: f32,
}

impl Hit {
    pub(crate) fn weights(&self) -> V3 {
        [self.weights[0], self.weights[1], 1.0 - self.weights[0] - self.weights[1]]
    }
}

/// What of a mesh is drawn.
pub(crate) struct Item<'a> {
    pub(crate) mesh: &'a Mesh,
    /// Drawn, or only in the way of others.
    pub(crate) shown: bool,
    /// Fragments for which this holds are left out.
    pub(crate) drop: Option<&'a Drop<'a>>,
    /// How far each point is from where that changes: what is far from it need not be asked.
    pub(crate) margins: &'a [f32],
}

/// Samples of a mesh that lie farther behind each other than this, in model units, are seen apart.
const FOLD: f32 = 0.06;
/// What lies farther back than this is behind an edge.
const EDGE: f32 = 0.02;
/// The rim of a scarf lies closer to what is behind it.
const RIM: f32 = 0.012;

/// How far under the skin a strand may run and still be seen, where skin only hides what lies behind it.
const UNDER_HAIR: f32 = 0.030;

/// Farther than a triangle reaches.
const SURE: f32 = 0.16;

/// Asked for a mesh, one of its triangles and a point on it.
pub(crate) type Drop<'a> = dyn Fn(&Mesh, [u32; 3], V3) -> bool + Sync + 'a;

/// Renders `items` with `fine` by `fine` samples a pixel.
pub(crate) fn render(items: &[Item<'_>], camera: &Camera, size: [u32; 2], fine: usize, shader: &impl Shade) -> Shot {
    let (width, height) = (size[0] as usize, size[1] as usize);
    let sharp = camera.finer(fine as f32);
    let projected: Vec<Vec<V3>> =
        items.iter().map(|item| item.mesh.points.iter().map(|&p| sharp.project(p)).collect()).collect();
    let band = 48;
    let rows = (band * fine) as f32;
    let bands = height.div_ceil(band);
    let lists: Vec<Bands> =
        items.iter().zip(&projected).map(|(item, seen)| Bands::new(item.mesh, seen, rows, bands, threads())).collect();
    let mut picture = Pixmap::new(size[0], size[1]);
    let mut hits = vec![None; width * height];
    let jobs: Vec<_> = picture.data_mut().chunks_mut(band * width).zip(hits.chunks_mut(band * width)).collect();
    let jobs = Mutex::new(jobs.into_iter().enumerate().collect::<Vec<_>>());
    #[expect(clippy::disallowed_methods, reason = "baking, on as many threads as `threads` says")]
    std::thread::scope(|scope| {
        for _ in 0..threads() {
            scope.spawn(|| {
                loop {
                    let job = jobs.lock().expect("no thread panics while it takes a band").pop();
                    let Some((at, (pixels, hits))) = job else { return };
                    let stage = Stage { items, projected: &projected, lists: &lists, width, fine, shader };
                    stage.paint_band(at, band, pixels, hits);
                }
            });
        }
    });
    Shot { picture, hits }
}

/// What is drawn already, as squares of samples: most of what lies behind it is told by the large ones.
struct Veil {
    large: Squares,
    small: Squares,
}

impl Veil {
    const SMALL: usize = 8;
    const LARGE: usize = 32;

    fn new(depth: &[f32], wide: usize) -> Self {
        let small = Squares::new(depth, wide, Self::SMALL, Self::SMALL);
        Self { large: Squares::new(&small.farthest, small.columns, Self::LARGE / Self::SMALL, Self::LARGE), small }
    }

    /// Whether all around a triangle is nearer than it.
    fn hides(&self, triangle: [V3; 3]) -> bool {
        self.large.hide(triangle) || self.small.hide(triangle)
    }
}

/// Farthest depths in squares of samples.
struct Squares {
    side: f32,
    columns: usize,
    farthest: Vec<f32>,
}

impl Squares {
    /// Of `times` by `times` cells each, which are `side` samples wide.
    fn new(cells: &[f32], wide: usize, times: usize, side: usize) -> Self {
        let (columns, rows) = (wide.div_ceil(times), (cells.len() / wide).div_ceil(times));
        let mut farthest = vec![f32::MIN; columns * rows];
        for (y, row) in cells.chunks(wide).enumerate() {
            for (column, cells) in row.chunks(times).enumerate() {
                let most = &mut farthest[y / times * columns + column];
                *most = cells.iter().fold(*most, |most, &cell| if cell > most { cell } else { most });
            }
        }
        Self { side: side as f32, columns, farthest }
    }

    fn hide(&self, [a, b, c]: [V3; 3]) -> bool {
        let nearest = a[2].min(b[2]).min(c[2]);
        let rows = self.farthest.len() / self.columns;
        let cell = |v: f32, most: usize| ((v.max(0.0) / self.side) as usize).min(most - 1);
        let span = |k: usize, most: usize| {
            let (low, high) = (a[k].min(b[k]).min(c[k]) - 1.0, a[k].max(b[k]).max(c[k]) + 1.0);
            cell(low, most)..cell(high, most) + 1
        };
        let across = span(0, self.columns);
        span(1, rows).all(|y| self.farthest[y * self.columns..][across.clone()].iter().all(|&cell| cell < nearest))
    }
}

struct Stage<'a, S> {
    items: &'a [Item<'a>],
    projected: &'a [Vec<V3>],
    lists: &'a [Bands],
    width: usize,
    fine: usize,
    shader: &'a S,
}

impl<S: Shade> Stage<'_, S> {
    fn paint_band(&self, band: usize, height: usize, pixels: &mut [[u8; 4]], hits: &mut [Option<Hit>]) {
        let (wide, rows) = (self.width * self.fine, pixels.len() / self.width * self.fine);
        let top = (band * height * self.fine) as f32;
        let mut depth = vec![f32::MAX; wide * rows];
        let mut seen: Vec<Option<Hit>> = vec![None; wide * rows];
        for (at, item) in self.items.iter().enumerate() {
            let clearance = match item.mesh.stuff {
                Stuff::Lash => -0.01,
                // The scalp that hair grows from is known only roughly: strands that dip into it would be dashed lines.
                Stuff::Skin if !item.shown => UNDER_HAIR,
                _ => 0.0,
            };
            let is_hair = item.mesh.stuff == Stuff::Hair;
            let mut shapes: Vec<Shape> = self.shapes(at, band, top);
            if is_hair {
                shapes = nearest_first(shapes);
            }
            let batch = (shapes.len() / 16).max(1);
            let mut veil = Veil::new(&depth, wide);
            for (turn, &Shape { triangle, corners }) in shapes.iter().enumerate() {
                if is_hair && turn % batch == 0 {
                    veil = Veil::new(&depth, wide);
                }
                if is_hair && veil.hides(corners) {
                    continue;
                }
                let [a, b, c] = corners;
                let t = &item.mesh.triangles[triangle as usize];
                let margins = if item.margins.is_empty() { [0.0; 3] } else { t.map(|v| item.margins[v as usize]) };
                if margins.iter().all(|&margin| margin < -SURE) {
                    continue;
                }
                let drop = item.drop.filter(|_| margins.iter().any(|&margin| margin < SURE));
                scan([a, b, c], [0, 0, wide as i32, rows as i32], |x, y, w| {
                    let z = w[0] * a[2] + w[1] * b[2] + w[2] * c[2] + clearance;
                    let cell = y * wide + x;
                    let seen = &mut seen[cell];
                    let nearer = z < depth[cell]
                        || is_hair && z == depth[cell] && seen.is_some_and(|other| self.is_before(at, triangle, other));
                    if nearer && !drop.is_some_and(|drop| drop(item.mesh, *t, w)) {
                        depth[cell] = z;
                        let hit = Hit { mesh: at as u16, triangle, weights: [w[0], w[1]], depth: z, behind: 0.0 };
                        *seen = item.shown.then_some(hit);
                    }
                });
            }
        }
        let mut samples: Vec<Option<Hit>> = Vec::new();
        for (at, (pixel, hit)) in pixels.iter_mut().zip(hits).enumerate() {
            let (x, y) = (at % self.width * self.fine, at / self.width * self.fine);
            let cells = (0..self.fine * self.fine).map(|k| (y + k / self.fine) * wide + x + k % self.fine);
            samples.clear();
            samples.extend(cells.map(|cell| seen[cell]));
            (*pixel, *hit) = self.resolve(&samples);
        }
    }

    /// What a band may show of an item.
    fn shapes(&self, at: usize, band: usize, top: f32) -> Vec<Shape> {
        let corner = |v: u32| {
            let p = self.projected[at][v as usize];
            [p[0], p[1] - top, p[2]]
        };
        let shape =
            |triangle| Shape { triangle, corners: self.items[at].mesh.triangles[triangle as usize].map(corner) };
        self.lists[at].band(band).map(shape).collect()
    }

    /// Whether a triangle of an item goes before what is seen in the same depth.
    fn is_before(&self, at: usize, triangle: u32, other: Hit) -> bool {
        let far = |triangle: u32| {
            let t = self.items[at].mesh.triangles[triangle as usize];
            (farness(t.map(|v| self.projected[at][v as usize])), triangle)
        };
        usize::from(other.mesh) == at && far(triangle) < far(other.triangle)
    }

    /// The colour of one pixel from its samples; one shade does where they hit one smooth part.
    fn resolve(&self, samples: &[Option<Hit>]) -> ([u8; 4], Option<Hit>) {
        let Some(nearest) = samples.iter().flatten().min_by(|a, b| a.depth.total_cmp(&b.depth)).copied() else {
            return ([0; 4], None);
        };
        // Where an arm lies before the chest both are one mesh, and an edge.
        let fold = if self.items[nearest.mesh as usize].mesh.stuff == Stuff::Scarf { RIM } else { FOLD };
        let beside = |s: &Hit| s.mesh == nearest.mesh && s.depth - nearest.depth < fold;
        let one = samples.iter().all(|s| s.as_ref().is_some_and(beside));
        let smooth = matches!(
            self.items[nearest.mesh as usize].mesh.stuff,
            Stuff::Skin | Stuff::Cloth(Piece::Top | Piece::Jacket) | Stuff::Scarf
        );
        let shade = |hit: &Hit| {
            let mesh = self.items[hit.mesh as usize].mesh;
            self.shader.shade(mesh, mesh.triangles[hit.triangle as usize], hit.weights())
        };
        let (color, covered) = if one && smooth {
            (shade(&nearest), samples.len())
        } else {
            let hits: Vec<&Hit> = samples.iter().flatten().collect();
            let sum = hits.iter().fold([0.0; 3], |sum, hit| add(sum, shade(hit)));
            (mul(sum, 1.0 / hits.len() as f32), hits.len())
        };
        let before = samples.iter().flatten().filter(|s| s.depth - nearest.depth < EDGE).count();
        let nearest = Hit { behind: 1.0 - before as f32 / covered as f32, ..nearest };
        let alpha = covered as f32 / samples.len() as f32;
        let [r, g, b] = color.map(|c| (encode(c) * 255.0 * alpha).round() as u8);
        ([r, g, b, (alpha * 255.0).round() as u8], Some(nearest))
    }
}

/// Linear 0..1 to sRGB 0..1.
pub(crate) fn encode(linear: f32) -> f32 {
    let c = linear.clamp(0.0, 1.0);
    if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * pow(c, 1.0 / 2.4) - 0.055 }
}

/// What each pixel centre sees of one mesh.
pub(crate) fn trace(mesh: &Mesh, camera: &Camera, size: [u32; 2]) -> Vec<Option<Hit>> {
    let (width, height) = (size[0] as i32, size[1] as i32);
    let projected: Vec<V3> = mesh.points.iter().map(|&p| camera.project(p)).collect();
    let mut hits: Vec<Option<Hit>> = vec![None; (width * height) as usize];
    for (triangle, t) in mesh.triangles.iter().enumerate() {
        let [a, b, c] = t.map(|v| projected[v as usize]);
        scan([a, b, c], [0, 0, width, height], |x, y, w| {
            let depth = w[0] * a[2] + w[1] * b[2] + w[2] * c[2];
            let hit = &mut hits[y * width as usize + x];
            if hit.is_none_or(|old| depth < old.depth) {
                *hit = Some(Hit { mesh: 0, triangle: triangle as u32, weights: [w[0], w[1]], depth, behind: 0.0 });
            }
        });
    }
    hits
}

/// Shades traced pixels of the head.
pub(crate) fn fill(picture: &mut Pixmap, hits: &[Option<Hit>], mesh: &Mesh, shader: &impl Shade) {
    let width = picture.width() as usize;
    let rows: Vec<_> = picture.data_mut().chunks_mut(width).zip(hits.chunks(width)).collect();
    let rows = Mutex::new(rows);
    #[expect(clippy::disallowed_methods, reason = "baking, on as many threads as `threads` says")]
    std::thread::scope(|scope| {
        for _ in 0..threads() {
            scope.spawn(|| {
                loop {
                    let row = rows.lock().expect("no thread panics while it takes a row").pop();
                    let Some((pixels, hits)) = row else { return };
                    for (pixel, hit) in pixels.iter_mut().zip(hits) {
                        let Some(hit) = hit else { continue };
                        let t = mesh.triangles[hit.triangle as usize];
                        if t.iter().all(|&v| mesh.head[v as usize] < 0.1) {
                            continue;
                        }
                        let [r, g, b] = shader.shade(mesh, t, hit.weights()).map(|c| (encode(c) * 255.0).round() as u8);
                        *pixel = [r, g, b, 255];
                    }
                }
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::super::bands::tests::splinters;
    use super::*;
    use crate::rig::body::parts::Traits;

    #[test]
    fn large_squares_hide_nothing_that_small_ones_show() {
        // A step: the left half is near, the right half far, and one sample in the left is not covered at all.
        let wide = 96;
        let mut depth: Vec<f32> = (0..wide * wide).map(|at| if at % wide < 48 { 1.0 } else { 5.0 }).collect();
        depth[10 * wide + 10] = f32::MAX;
        let veil = Veil::new(&depth, wide);
        let at = |x: f32, y: f32, z: f32| [[x, y, z], [x + 2.0, y, z], [x, y + 2.0, z]];
        let mut hidden = [0; 2];
        for (x, y) in (0..90).flat_map(|x| (0..90).map(move |y| (x as f32, y as f32))) {
            let (large, small) = (veil.large.hide(at(x, y, 3.0)), veil.small.hide(at(x, y, 3.0)));
            assert!(small || !large, "{x} {y}");
            hidden = [hidden[0] + u32::from(large), hidden[1] + u32::from(small)];
        }
        assert!(hidden[0] > 1000 && hidden[1] > hidden[0], "{hidden:?}");
        assert!(!veil.hides(at(9.0, 9.0, 3.0)) && !veil.hides(at(60.0, 30.0, 3.0)) && veil.hides(at(30.0, 70.0, 3.0)));
    }

    #[test]
    fn whatever_covers_a_sample_is_in_its_band() {
        let all = splinters();
        let triangles = (0..all.len() as u32).map(|at| [at * 3, at * 3 + 1, at * 3 + 2]).collect();
        let points: Vec<V3> = all.concat();
        let mesh = Mesh::new(Stuff::Hair, points.clone(), triangles, Traits::Strands(Vec::new()));
        let bands = Bands::new(&mesh, &points, 10.0, 4, 3);
        let mut covers = 0;
        for (at, corners) in (0..).zip(all) {
            scan(corners, [0, 0, 40, 40], |_, y, _| {
                covers += 1;
                assert!(bands.band(y / 10).any(|other| other == at), "{corners:?} in row {y}");
            });
        }
        let kept: usize = (0..4).map(|band| bands.band(band).count()).sum();
        assert!(covers > 300 && kept < 2000, "{covers} samples, {kept} triangles");
    }
}
