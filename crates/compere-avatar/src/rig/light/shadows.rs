//! What of each lamp arrives where: a depth map of the whole figure as a lamp sees it says who is in whose shadow.
//!
//! Hair has millions of points, of which few are lit and fewer throw shadows: what is needed of these is laid in a row
//! once, so that a hundred lamps run through a tenth of the memory.

use std::collections::BTreeMap;

use crate::rig::body::parts::{Mesh, PARTED, Piece, Stuff};
use crate::rig::cloth::garment::Garment;
use crate::rig::ground::v3::{ROUNDS, V3, add, cross, dot, exp2, mul, norm};

/// Cells of a depth map to a side: the key throws the shadows one sees, which take finer ones.
const MAP: usize = 480;
const KEY_MAP: usize = 1100;

/// One direction light comes from.
#[derive(Clone, Copy)]
pub(super) struct Lamp {
    pub(super) d: V3,
    /// What it adds on a surface that faces it.
    pub(super) light: V3,
    pub(super) is_key: bool,
    pub(super) is_sky: bool,
}

/// What the lit points of one mesh got, in their order.
#[derive(Clone)]
pub(super) struct Got {
    pub(super) light: Vec<V3>,
    pub(super) key: Vec<f32>,
    pub(super) open: Vec<f32>,
}

/// What lamps gave, by mesh.
pub(super) struct Sum(pub(super) Vec<Got>);

impl Sum {
    pub(super) fn new(solids: &[Solid]) -> Self {
        let nothing =
            |points: usize| Got { light: vec![[0.0; 3]; points], key: vec![0.0; points], open: vec![0.0; points] };
        Self(solids.iter().map(|solid| nothing(solid.lit.len())).collect())
    }

    fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            mine.light.iter_mut().zip(&theirs.light).for_each(|(mine, theirs)| *mine = add(*mine, *theirs));
            mine.key.iter_mut().zip(&theirs.key).for_each(|(mine, theirs)| *mine += theirs);
            mine.open.iter_mut().zip(&theirs.open).for_each(|(mine, theirs)| *mine += theirs);
        }
    }
}

/// What all groups gave so far, one after another whoever was first: sums do not depend on threads, and hardly any is kept.
pub(super) struct Total {
    pub(super) sum: Sum,
    /// How many are in it.
    groups: usize,
    /// Those whose turn has not come.
    early: BTreeMap<usize, Sum>,
}

impl Total {
    pub(super) fn new(solids: &[Solid]) -> Self {
        Self { sum: Sum::new(solids), groups: 0, early: BTreeMap::new() }
    }

    pub(super) fn take(&mut self, group: usize, sum: Sum) {
        self.early.insert(group, sum);
        while let Some(sum) = self.early.remove(&self.groups) {
            self.sum.add(&sum);
            self.groups += 1;
        }
    }
}

/// Triangles that throw shadows, and points that are lit: of clothes only what is not cut away.
pub(super) struct Solid {
    triangles: Vec<[u32; 3]>,
    pub(super) lit: Vec<u32>,
    /// Of each that is lit: where it is, and which way it faces.
    places: Vec<[V3; 2]>,
    /// Hair covers what lies behind these.
    splats: Splats,
}

impl Solid {
    pub(super) fn new(mesh: &Mesh, garment: &Garment) -> Self {
        match mesh.stuff {
            Stuff::Cloth(layer) => Self::cloth(mesh, layer, garment),
            stuff if stuff.is_strand() => Self::strands(mesh),
            _ => Self::plain(mesh, garment),
        }
    }

    fn plain(mesh: &Mesh, garment: &Garment) -> Self {
        // Skin under cloth is not drawn; where an elbow folds it would stand out of the sleeve and shade it.
        let under = |v: u32| garment.covers(mesh.sewn[v as usize], mesh.arm(v as usize));
        // Arms move: their shadows are thrown when it is known where they are.
        let bare =
            |t: &&[u32; 3]| mesh.stuff != Stuff::Skin || !t.iter().all(|&v| under(v) || mesh.arm(v as usize) > PARTED);
        let triangles = mesh.triangles.iter().filter(bare).copied().collect();
        Self::of_normals(mesh, triangles, (0..mesh.points.len() as u32).collect())
    }

    fn cloth(mesh: &Mesh, layer: Piece, garment: &Garment) -> Self {
        let gone: Vec<bool> =
            mesh.sewn.iter().zip(mesh.cloth()).map(|(&p, traits)| garment.gone(layer, p, traits.arm)).collect();
        let held = |t: &[u32; 3]| t.iter().filter(|&&v| !gone[v as usize]).count();
        let mut lit: Vec<u32> = mesh.triangles.iter().filter(|t| held(t) > 0).flatten().copied().collect();
        lit.sort_unstable();
        lit.dedup();
        let still = |t: &[u32; 3]| t.iter().any(|&v| mesh.arm(v as usize) <= PARTED);
        let triangles = mesh.triangles.iter().filter(|t| held(t) > 1 && still(t)).copied().collect();
        Self::of_normals(mesh, triangles, lit)
    }

    fn of_normals(mesh: &Mesh, triangles: Vec<[u32; 3]>, lit: Vec<u32>) -> Self {
        let places = lit.iter().map(|&v| [mesh.points[v as usize], mesh.normals[v as usize]]).collect();
        Self { triangles, lit, places, splats: Splats::default() }
    }

    /// Along a strand light changes slowly: one side of every other point of the guides is enough.
    fn strands(mesh: &Mesh) -> Self {
        let traits = mesh.strands();
        let guides = |v: &u32| traits[*v as usize].guide == 0;
        let lit: Vec<u32> = (0..mesh.points.len() as u32).step_by(4).filter(guides).collect();
        let faces = |v: usize| if traits[v].faces == [0.0; 3] { [0.0; 3] } else { norm(traits[v].faces) };
        let places = lit.iter().map(|&v| [mesh.points[v as usize], faces(v as usize)]).collect();
        let splats = if mesh.stuff == Stuff::Hair { Splats::of(mesh) } else { Splats::default() };
        Self { triangles: Vec::new(), lit, places, splats }
    }
}

/// Points in blocks, each axis by itself: a processor works on several at a time.
#[derive(Default)]
struct Splats(Vec<[[f32; BLOCK]; 3]>);

const BLOCK: usize = 8;

impl Splats {
    /// Guides stand for the hair around them.
    fn of(mesh: &Mesh) -> Self {
        let mut points = Vec::new();
        let traits = mesh.strands();
        for v in (0..mesh.points.len().saturating_sub(2)).step_by(2).filter(|&v| traits[v].guide == 0) {
            let follows = traits[v + 2].along > traits[v].along;
            points.push(mesh.points[v]);
            if follows {
                points.push(mul(add(mesh.points[v], mesh.points[v + 2]), 0.5));
            }
        }
        Self::new(&points)
    }

    fn new(points: &[V3]) -> Self {
        // What is left over in the last block is its first point again, which changes nothing.
        let block =
            |points: &[V3]| [0, 1, 2].map(|k| std::array::from_fn(|at| points.get(at).unwrap_or(&points[0])[k]));
        Self(points.chunks(BLOCK).map(block).collect())
    }
}

/// The figure as a lamp sees it.
struct View {
    d: V3,
    x: V3,
    y: V3,
    side: usize,
    scale: f32,
}

impl View {
    fn new(lamp: &Lamp) -> Self {
        let d = lamp.d;
        let up = if d[1].abs() > 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        let x = norm(cross(up, d));
        let side = if lamp.is_key { KEY_MAP } else { MAP };
        Self { d, x, y: cross(d, x), side, scale: side as f32 / 8.2 }
    }

    #[inline]
    fn project(&self, p: V3) -> V3 {
        let q = [p[0], p[1] - 4.9, p[2] - 0.4];
        let middle = self.side as f32 * 0.5;
        [dot(q, self.x) * self.scale + middle, dot(q, self.y) * self.scale + middle, dot(q, self.d)]
    }

    fn depth(&self, meshes: &[Mesh], solids: &[Solid]) -> Vec<f32> {
        let side = self.side;
        let mut depth = vec![-1e9_f32; side * side];
        for (mesh, solid) in meshes.iter().zip(solids) {
            if !solid.splats.0.is_empty() {
                self.splat(&solid.splats, &mut depth);
            }
            if solid.triangles.is_empty() {
                continue;
            }
            let projected: Vec<V3> = mesh.points.iter().map(|&p| self.project(p)).collect();
            for t in &solid.triangles {
                let [a, b, c] = t.map(|v| projected[v as usize]);
                crate::rig::raster::render::scan([a, b, c], [0, 0, side as i32, side as i32], |px, py, w| {
                    let z = w[0] * a[2] + w[1] * b[2] + w[2] * c[2];
                    let cell = &mut depth[py * side + px];
                    *cell = cell.max(z);
                });
            }
        }
        depth
    }

    /// Each covers a cell and its neighbours: all are entered first, and the cells widened afterwards.
    fn splat(&self, splats: &Splats, depth: &mut [f32]) {
        let side = self.side;
        let mut cells = vec![-1e9_f32; side * side];
        for block in &splats.0 {
            let seen: [V3; BLOCK] = std::array::from_fn(|at| self.project([block[0][at], block[1][at], block[2][at]]));
            let corner = seen.map(|q| [whole(q[0] - 0.5), whole(q[1] - 0.5)]);
            for (q, [x, y]) in seen.iter().zip(corner) {
                let most = side as f32 - 1.0;
                if x < 0.0 || y < 0.0 || x >= most || y >= most {
                    continue;
                }
                let cell = &mut cells[index(y) * side + index(x)];
                *cell = if q[2] > *cell { q[2] } else { *cell };
            }
        }
        // As large as the guides' distance, however fine the map.
        let wide = side.div_ceil(MAP);
        let mut row = vec![0.0; side];
        for (y, cells) in cells.chunks(side).enumerate() {
            row.copy_from_slice(cells);
            for by in 1..=wide {
                raise(&mut row[by..], cells);
            }
            for by in 0..=wide.min(side - 1 - y) {
                raise(&mut depth[(y + by) * side..][..side], &row);
            }
        }
    }
}

fn raise(cells: &mut [f32], to: &[f32]) {
    for (cell, &to) in cells.iter_mut().zip(to) {
        *cell = if to > *cell { to } else { *cell };
    }
}

/// Adds what one lamp gives.
pub(super) fn gather(meshes: &[Mesh], solids: &[Solid], lamp: &Lamp, sum: &mut Sum) {
    let view = View::new(lamp);
    let depth = view.depth(meshes, solids);
    for ((mesh, solid), got) in meshes.iter().zip(solids).zip(&mut sum.0) {
        let strand = mesh.stuff.is_strand();
        let bias = if mesh.stuff == Stuff::Eye || lamp.is_key { 0.02 } else { 0.035 };
        let off = if lamp.is_key { 0.018 } else { 0.03 };
        for (at, &[p, n]) in solid.places.iter().enumerate() {
            let facing = if strand { strand_faces(n, lamp.d) } else { dot(n, lamp.d) };
            if facing <= 0.0 {
                continue;
            }
            let p = if strand { p } else { add(p, mul(n, off)) };
            let seen = visible(&depth, view.side, view.project(p), strand, bias);
            got.light[at] = add(got.light[at], mul(lamp.light, seen * facing));
            if lamp.is_key {
                got.key[at] += seen;
            }
            if lamp.is_sky {
                got.open[at] += seen;
            }
        }
    }
}

/// How much of a lamp a strand takes: alike from everywhere, but where it lies on a lock more from where that faces.
fn strand_faces(faces: V3, d: V3) -> f32 {
    if faces == [0.0; 3] {
        return 0.55;
    }
    0.20 + 0.72 * dot(faces, d).max(0.0)
}

/// The next whole number below one between two millions and two millions less than naught. Plain sums, of which a processor does
/// several at a time.
#[inline]
fn whole(v: f32) -> f32 {
    let near = (v + ROUNDS) - ROUNDS;
    near - if near > v { 1.0 } else { 0.0 }
}

/// A whole number from naught to two millions, as it counts cells.
#[inline]
fn index(whole: f32) -> usize {
    ((whole + ROUNDS).to_bits() - ROUNDS.to_bits()) as usize
}

/// How much of a point the light sees: bilinear over the four nearest cells; strands let light through.
fn visible(depth: &[f32], side: usize, q: V3, strand: bool, bias: f32) -> f32 {
    let (fx, fy) = (q[0] - 0.5, q[1] - 0.5);
    let (x0, y0) = (whole(fx), whole(fy));
    let [right, down] = [fx - x0, fy - y0];
    let weights = [(1.0 - right) * (1.0 - down), right * (1.0 - down), (1.0 - right) * down, right * down];
    let most = side as f32 - 1.0;
    let behind = if x0 >= 0.0 && y0 >= 0.0 && x0 < most && y0 < most {
        let at = index(y0) * side + index(x0);
        [depth[at], depth[at + 1], depth[at + side], depth[at + side + 1]].map(|depth| depth - q[2])
    } else {
        let cell = |x: f32, y: f32| {
            let inside = x >= 0.0 && y >= 0.0 && x <= most && y <= most;
            if inside { depth[index(y) * side + index(x)] - q[2] } else { f32::MIN }
        };
        [cell(x0, y0), cell(x0 + 1.0, y0), cell(x0, y0 + 1.0), cell(x0 + 1.0, y0 + 1.0)]
    };
    let seen = if strand { behind.map(through) } else { behind.map(|behind| if behind < bias { 1.0 } else { 0.0 }) };
    weights[0] * seen[0] + weights[1] * seen[1] + weights[2] * seen[2] + weights[3] * seen[3]
}

/// How much light comes through so much hair.
#[inline]
fn through(behind: f32) -> f32 {
    const STEEP: f32 = 5.0 * std::f32::consts::LOG2_E;
    let left = exp2(STEEP * (0.02 - behind).min(0.0));
    if behind > 1.0 { 0.0 } else { left }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::ground::v3::{exp, floor};

    #[test]
    fn light_fades_in_hair() {
        assert_eq!([-1e9, f32::MIN, 0.02, 1.01, 1e9].map(through), [1.0, 1.0, 1.0, 0.0, 0.0]);
        assert!((through(0.22) - exp(-1.0)).abs() < 1e-6);
    }

    #[test]
    fn whole_numbers_are_those_of_floor() {
        for v in [-3.0, -2.5, -0.001, 0.0, 0.4999, 0.5, 0.9999, 1.0, 7.25, 1099.5, 1100.0] {
            assert_eq!(whole(v), floor(v) as f32, "{v}");
            assert!(v < 0.0 || index(whole(v)) == floor(v) as usize, "{v}");
        }
    }

    #[test]
    fn what_is_widened_afterwards_covers_what_each_by_itself_would() {
        for is_key in [false, true] {
            let view = View::new(&Lamp { d: norm([0.3, 0.5, 0.8]), light: [1.0; 3], is_key, is_sky: false });
            let splats: Vec<V3> = (0..400)
                .map(|n| n as f32)
                .map(|n| [n * 0.37 % 1.7 - 0.8, 4.2 + n * 0.53 % 1.5, n * 0.29 % 1.1])
                .collect();
            let mut made = vec![-1e9; view.side * view.side];
            view.splat(&Splats::new(&splats), &mut made);
            let mut wanted = vec![-1e9_f32; view.side * view.side];
            for &p in &splats {
                let q = view.project(p);
                let (x, y) = (floor(q[0] - 0.5) as usize, floor(q[1] - 0.5) as usize);
                let wide = view.side.div_ceil(MAP);
                for cell in (y..=y + wide).flat_map(|y| (x..=x + wide).map(move |x| y * view.side + x)) {
                    wanted[cell] = wanted[cell].max(q[2]);
                }
            }
            assert!(made == wanted, "of the key: {is_key}");
        }
    }
}
